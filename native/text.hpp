// Lines of text and lines of tokens, packed: what every kernel takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tercet {

// Strings end to end; string i is the bytes offsets[i] to offsets[i + 1].
struct Lines {
    const char* data = nullptr;
    const int64_t* offsets = nullptr;
    int64_t size = 0;

    std::string_view operator[](int64_t i) const {
        return {data + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i])};
    }
};

// Words end to end; row i is the words rows[i] to rows[i + 1].
struct Tokens {
    Lines words;
    const int64_t* rows = nullptr;
    int64_t size = 0;

    int64_t length(int64_t row) const { return rows[row + 1] - rows[row]; }
};

// The references of segment i are rows groups[i] to groups[i + 1] of the references.
using Groups = const int64_t*;

struct TokenBuffer {
    std::string data;
    std::vector<int64_t> offsets{0};
    std::vector<int64_t> rows{0};

    void add(std::string_view word) {
        data.append(word);
        offsets.push_back(static_cast<int64_t>(data.size()));
    }
    void end_row() { rows.push_back(static_cast<int64_t>(offsets.size()) - 1); }
    void append(const TokenBuffer& other) {
        const int64_t bytes = static_cast<int64_t>(data.size()), words = rows.back();
        data += other.data;
        for (size_t i = 1; i < other.offsets.size(); ++i) offsets.push_back(bytes + other.offsets[i]);
        for (size_t i = 1; i < other.rows.size(); ++i) rows.push_back(words + other.rows[i]);
    }
};

}  // namespace tercet
