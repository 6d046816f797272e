// Lines of text and lines of tokens, packed: what every kernel takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/parallel.hpp"

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

    // Room for so many rows of so many bytes of usual text.
    void reserve(int64_t n_rows, int64_t bytes) {
        data.reserve(static_cast<size_t>(bytes));
        offsets.reserve(static_cast<size_t>(bytes / 4 + 1));
        rows.reserve(static_cast<size_t>(n_rows + 1));
    }
    void add(std::string_view word) {
        data.append(word);
        offsets.push_back(static_cast<int64_t>(data.size()));
    }
    void end_row() { rows.push_back(static_cast<int64_t>(offsets.size()) - 1); }
};

// What `number` gives for each word of a row.
template <class Number, class T>
void read_row(const Tokens& tokens, int64_t row, const Number& number, std::vector<T>& out) {
    out.clear();
    Pace pace;
    for (int64_t w = tokens.rows[row]; w < tokens.rows[row + 1]; ++w) {
        pace.steps(16);
        out.push_back(static_cast<T>(number(tokens.words[w])));
    }
}

// Rows of numbered words; row i is the words rows[i] to rows[i + 1].
struct WordRows {
    const int32_t* words = nullptr;
    const int64_t* rows = nullptr;
    int64_t size = 0;

    std::span<const int32_t> operator[](int64_t row) const {
        return {words + rows[row], static_cast<size_t>(rows[row + 1] - rows[row])};
    }
};

// Buffers end to end, each copied to its place by whichever thread is free.
inline TokenBuffer joined(const std::vector<TokenBuffer>& parts, int threads) {
    std::vector<size_t> bytes{0}, words{0}, rows{0};
    for (const TokenBuffer& part : parts) {
        bytes.push_back(bytes.back() + part.data.size());
        words.push_back(words.back() + part.offsets.size() - 1);
        rows.push_back(rows.back() + part.rows.size() - 1);
    }
    TokenBuffer out;
    out.data.resize(bytes.back());
    out.offsets.resize(words.back() + 1);
    out.rows.resize(rows.back() + 1);
    parallel_blocks(static_cast<int64_t>(parts.size()), threads, 1, [&](int64_t p, int64_t) {
        const TokenBuffer& part = parts[p];
        std::copy(part.data.begin(), part.data.end(), out.data.begin() + bytes[p]);
        const auto shift = [](int64_t by) { return [by](int64_t at) { return at + by; }; };
        std::transform(part.offsets.begin() + 1, part.offsets.end(), out.offsets.begin() + words[p] + 1,
                       shift(static_cast<int64_t>(bytes[p])));
        std::transform(part.rows.begin() + 1, part.rows.end(), out.rows.begin() + rows[p] + 1,
                       shift(static_cast<int64_t>(words[p])));
    });
    return out;
}

}  // namespace tercet
