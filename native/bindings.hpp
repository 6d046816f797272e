// What the files that bind kernels to Python share: arrays in, arrays out, and refusing what does not fit.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

namespace tercet::binding {

template <class T, int N>
using In = nanobind::ndarray<const T, nanobind::ndim<N>, nanobind::c_contig, nanobind::device::cpu>;
template <class T, int N>
using Out = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<N>, nanobind::c_contig>;

// A new array of zeros.
template <class T = double, class... Sizes>
Out<T, sizeof...(Sizes)> zeros(Sizes... sizes) {
    auto* data = new T[std::max<int64_t>(1, (static_cast<int64_t>(sizes) * ...))]();
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Out<T, sizeof...(Sizes)>(data, {static_cast<size_t>(sizes)...}, owner);
}

inline void require(bool fine, const char* what) {
    if (!fine) throw std::invalid_argument(what);
}

template <class T>
T named(const std::string& name, std::initializer_list<std::pair<const char*, T>> choices) {
    for (const auto& [known, value] : choices)
        if (name == known) return value;
    throw std::invalid_argument("there is no choice called " + name);
}

}  // namespace tercet::binding
