// Files of lines on their way into kernels.
#pragma once

#include <string>
#include <utility>

#include "bindings/packed.hpp"

namespace tercet::binding {

// Lines to a reader: how many were read without complaint, and the complaint, if any.
template <class Read>
std::pair<int64_t, std::string> read_lines(const PackedLines& packed, const Read& read) {
    const Lines lines = lines_of(packed);
    const WithoutPython nothing_of_python;
    for (int64_t i = 0; i < lines.size; ++i)
        if (std::string wrong = read(lines[i]); !wrong.empty()) return {i, std::move(wrong)};
    return {lines.size, ""};
}

}  // namespace tercet::binding
