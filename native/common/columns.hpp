// Levenshtein distance by bits (Myers 1999, Hyyrö 2003), a symbol at a time: a column of the matrix is kept as the
// differences between neighbouring cells, 64 to a word, so that a text can be followed from any place whose column was
// kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tercet {

class LevenshteinColumns {
  public:
    // The reference, whose symbols are below n_symbols.
    void reset(const int32_t* ref, size_t size, size_t n_symbols) {
        size_ = size;
        blocks_ = (size + 63) / 64;
        dense_ = n_symbols * blocks_ <= kDense;
        if (dense_) {
            equal_.assign(n_symbols * blocks_, 0);
            for (size_t r = 0; r < size; ++r) equal_[ref[r] * blocks_ + r / 64] |= uint64_t{1} << r % 64;
            return;
        }
        equal_.assign(blocks_, 0);
        begin_.assign(n_symbols + 1, 0);
        for (size_t r = 0; r < size; ++r) ++begin_[ref[r] + 1];
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        positions_.resize(size);
        next_.assign(begin_.begin(), begin_.end());
        for (size_t r = 0; r < size; ++r) positions_[next_[ref[r]]++] = static_cast<int32_t>(r);
    }

    // How many words a column takes: its rises, then its falls.
    size_t column_size() const { return 2 * blocks_; }

    // The column before any symbol.
    int64_t start(uint64_t* column) const {
        std::fill_n(column, blocks_, ~uint64_t{0});
        std::fill_n(column + blocks_, blocks_, 0);
        return static_cast<int64_t>(size_);
    }

    // The column after one symbol more; gives by how much the distance to the whole reference changes.
    int64_t step(int32_t symbol, uint64_t* column) {
        if (blocks_ == 0) return 1;
        if (dense_) return advance(equal_.data() + symbol * blocks_, column);
        for (int32_t p = begin_[symbol]; p < begin_[symbol + 1]; ++p)
            equal_[positions_[p] / 64] |= uint64_t{1} << positions_[p] % 64;
        const int64_t change = advance(equal_.data(), column);
        for (int32_t p = begin_[symbol]; p < begin_[symbol + 1]; ++p) equal_[positions_[p] / 64] = 0;
        return change;
    }

  private:
    static constexpr size_t kDense = size_t{1} << 16;

    int64_t advance(const uint64_t* equal, uint64_t* column) const {
        uint64_t *plus = column, *minus = column + blocks_;
        uint64_t plus_in = 1, minus_in = 0;  // the row above the first one rises with every symbol
        uint64_t rises = 0, falls = 0;
        for (size_t b = 0; b < blocks_; ++b) {
            const uint64_t up = plus[b], down = minus[b], diagonal = equal[b] | down, same = equal[b] | minus_in;
            const uint64_t zero = (((same & up) + up) ^ up) | same;
            rises = down | ~(zero | up);
            falls = up & zero;
            const uint64_t rises_on = rises << 1 | plus_in, falls_on = falls << 1 | minus_in;
            plus_in = rises >> 63;
            minus_in = falls >> 63;
            plus[b] = falls_on | ~(diagonal | rises_on);
            minus[b] = rises_on & diagonal;
        }
        const size_t last = (size_ - 1) % 64;
        return static_cast<int64_t>(rises >> last & 1) - static_cast<int64_t>(falls >> last & 1);
    }

    size_t size_ = 0, blocks_ = 0;
    bool dense_ = true;
    std::vector<uint64_t> equal_;  // where each symbol stands; where there are too many, those of one symbol at a time
    std::vector<int32_t> begin_, next_, positions_;
};

}  // namespace tercet
