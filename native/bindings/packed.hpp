// Packed text between Python and kernels: lines are (bytes, offsets), tokens (bytes, offsets, rows).
#pragma once

#include "bindings/binding.hpp"
#include "text/text.hpp"
#include "text/tokenize.hpp"

namespace tercet::binding {

using PackedLines = std::tuple<In<uint8_t, 1>, In<int64_t, 1>>;
using PackedTokens = std::tuple<In<uint8_t, 1>, In<int64_t, 1>, In<int64_t, 1>>;
using NumberedWords = std::tuple<In<int32_t, 1>, In<int64_t, 1>>;  // words, rows

// Offsets rise and end inside the array they cut up. That the bytes are UTF-8 is taken on trust, since `pack` made
// them: others give scores without a meaning, and harm nobody.
inline void require_offsets(const In<int64_t, 1>& offsets, size_t limit, const char* what) {
    require(offsets.shape(0) >= 1 && offsets.data()[0] == 0, what);
    for (size_t i = 1; i < offsets.shape(0); ++i) require(offsets.data()[i] >= offsets.data()[i - 1], what);
    require(static_cast<size_t>(offsets.data()[offsets.shape(0) - 1]) <= limit, what);
}

inline Lines lines_of(const PackedLines& packed) {
    require_all(packed);
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

// Words that are numbers below n_words.
inline WordRows rows_of(const NumberedWords& ids, int64_t n_words) {
    const auto& [words, rows] = ids;
    require_offsets(rows, words.shape(0), "rows must rise and end within the words");
    for (size_t i = 0; i < words.shape(0); ++i)
        require(words.data()[i] >= 0 && words.data()[i] < n_words, "no such word");
    return {words.data(), rows.data(), static_cast<int64_t>(rows.shape(0)) - 1};
}

// Texts, one after the other, as packed lines.
inline auto as_lines(TokenBuffer&& texts) {
    return std::make_tuple(give(std::move(texts.data)), give(std::move(texts.offsets)));
}

// Packed tokens of packed lines.
template <class Tokenize>
auto tokenized(const PackedLines& packed, int threads, const Tokenize& tokenize) {
    const Lines lines = lines_of(packed);
    TokenBuffer buffer;
    {
        const WithoutPython nothing_of_python;
        buffer = tokenize_lines(lines, threads, tokenize);
    }
    return std::make_tuple(give(std::move(buffer.data)), give(std::move(buffer.offsets)),
                           give(std::move(buffer.rows)));
}

}  // namespace tercet::binding
