// Packed text between Python and kernels: lines are (bytes, offsets), tokens (bytes, offsets, rows).
#pragma once

#include <nanobind/stl/tuple.h>

#include <tuple>
#include <type_traits>

#include "bindings.hpp"
#include "text.hpp"

namespace tercet::binding {

using PackedLines = std::tuple<In<uint8_t, 1>, In<int64_t, 1>>;
using PackedTokens = std::tuple<In<uint8_t, 1>, In<int64_t, 1>, In<int64_t, 1>>;

// A container as an array, without a copy.
template <class Container>
auto give(Container&& values) {
    using Values = std::remove_cvref_t<Container>;
    using T = std::conditional_t<std::is_same_v<Values, std::string>, uint8_t, typename Values::value_type>;
    auto* kept = new Values(std::forward<Container>(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
    return Out<T, 1>(reinterpret_cast<T*>(kept->data()), {kept->size()}, owner);
}

// Offsets rise and end inside the array they cut up. That the bytes are UTF-8 is taken on trust: `pack` made them.
inline void require_offsets(const In<int64_t, 1>& offsets, size_t limit, const char* what) {
    require(offsets.shape(0) >= 1 && offsets.data()[0] == 0, what);
    for (size_t i = 1; i < offsets.shape(0); ++i) require(offsets.data()[i] >= offsets.data()[i - 1], what);
    require(static_cast<size_t>(offsets.data()[offsets.shape(0) - 1]) <= limit, what);
}

inline Lines lines_of(const PackedLines& packed) {
    const auto& [bytes, offsets] = packed;
    require_offsets(offsets, bytes.shape(0), "offsets must rise and end within the bytes");
    return {reinterpret_cast<const char*>(bytes.data()), offsets.data(), static_cast<int64_t>(offsets.shape(0)) - 1};
}

inline Tokens tokens_of(const PackedTokens& packed) {
    const auto& [bytes, offsets, rows] = packed;
    const Lines words = lines_of({bytes, offsets});
    require_offsets(rows, static_cast<size_t>(words.size), "rows must rise and end within the words");
    return {words, rows.data(), static_cast<int64_t>(rows.shape(0)) - 1};
}

inline Groups groups_of(const In<int64_t, 1>& groups, int64_t segments, int64_t references) {
    require(static_cast<int64_t>(groups.shape(0)) == segments + 1, "one group a segment, and one more");
    require_offsets(groups, static_cast<size_t>(references), "groups must rise and end within the references");
    return groups.data();
}

}  // namespace tercet::binding
