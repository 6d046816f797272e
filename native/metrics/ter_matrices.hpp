// The matrices of TER (ter.cpp): a row is a pair of machine words holding the differences between neighbouring cells
// (Myers 1999, in the form of Hyyro 2003), and a candidate restarts at the first row that its shift changes.
//
// Three of them give the same numbers:
//   ShortMatrix  references of up to 64 words, without beam, when the beam provably cannot matter;
//   BandMatrix   the beam of 50 cells a row, kept in one machine word that moves along the diagonal;
//   WideMatrix   one number a cell, for references over 50 times as long as the hypothesis (wider beam).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "metrics/ter.hpp"
#include "metrics/ter_search.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tercet::ter_search {

inline constexpr int32_t no_error = std::numeric_limits<int32_t>::max() / 2;
inline constexpr int32_t unreachable = std::numeric_limits<int32_t>::max() / 2;

using Words = std::span<const int32_t>;
using BitRow = TerWorkspace::BitRow;

template <class T>
void at_least(std::vector<T>& values, size_t size) {
    if (values.size() < size) values.resize(size);
}

inline int32_t count_bits(uint64_t x) {
    // std::popcount is a library call on baseline x86-64, slower than these few operations.
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return static_cast<int32_t>((x * 0x0101010101010101u) >> 56);
}

// Writes the alignment that the shift search needs, from the last word to the first.
class AlignmentWriter {
  public:
    AlignmentWriter(TerWorkspace& ws, int32_t hyp_size, int32_t ref_size)
        : align_(ws.align.data()), hyp_error_(ws.next_hyp_error.data()),
          ref_error_(ws.next_ref_error.data()) {
        hyp_error_[hyp_size] = no_error;
        ref_error_[ref_size] = no_error;
    }
    void pair(int32_t& i, int32_t& j, bool match) {
        --i;
        --j;
        hyp_error_[i] = match ? hyp_error_[i + 1] : i;
        ref_error_[j] = match ? ref_error_[j + 1] : j;
        align_[j] = i;
    }
    void drop_hyp_word(int32_t& i) {
        --i;
        hyp_error_[i] = i;
    }
    void add_ref_word(int32_t i, int32_t& j) {
        --j;
        ref_error_[j] = j;
        align_[j] = i - 1;
    }
    // What is left of either text, once the other is at its beginning.
    void finish(int32_t i, int32_t j) {
        while (i > 0) drop_hyp_word(i);
        while (j > 0) add_ref_word(i, j);
    }

  private:
    int32_t* align_;
    int32_t* hyp_error_;
    int32_t* ref_error_;
};

// Writes the steps themselves, for an explanation.
class StepWriter {
  public:
    explicit StepWriter(EditScript& script) : steps_(script.steps) {}
    void pair(int32_t& i, int32_t& j, bool) { steps_.push_back({--i, --j}); }
    void drop_hyp_word(int32_t& i) { steps_.push_back({--i, -1}); }
    void add_ref_word(int32_t, int32_t& j) { steps_.push_back({-1, --j}); }
    void finish(int32_t i, int32_t j) {
        while (i > 0) drop_hyp_word(i);
        while (j > 0) add_ref_word(i, j);
    }

  private:
    std::vector<EditScript::Step>& steps_;
};

// One matrix row from the one above. The vertical difference at the left edge is always +1.
inline void next_row(BitRow& row, uint64_t match) {
    const uint64_t same = (((match & row.plus) + row.plus) ^ row.plus) | match | row.minus;
    const uint64_t down_plus = ((row.minus | ~(same | row.plus)) << 1) | 1;
    const uint64_t down_minus = (same & row.plus) << 1;
    row.plus = down_minus | ~(same | down_plus);
    row.minus = down_plus & same;
    row.same = same;
}

class ShortMatrix {
  public:
    static constexpr int32_t max_ref_size = 64;

    ShortMatrix(TerWorkspace& ws, Words ref)
        : ws_(ws), hyp_size_(static_cast<int32_t>(ws.hyp.size())),
          ref_size_(static_cast<int32_t>(ref.size())), columns_(~uint64_t{0} >> (64 - ref_size_)) {
        at_least(ws.row_masks, ws.hyp.size());
        at_least(ws.rows, ws.hyp.size() + 1);
        std::fill_n(ws.word_masks.begin(), ws.counts.size(), 0);
        for (int32_t j = 0; j < ref_size_; ++j) ws.word_masks[ref[j]] |= uint64_t{1} << j;
        ws.rows[0] = {~uint64_t{0}, 0, 0};
    }

    int32_t refill(int32_t row) {
        BitRow state = ws_.rows[row];
        for (int32_t i = row; i < hyp_size_; ++i) {
            ws_.row_masks[i] = ws_.word_masks[ws_.hyp[i]];
            next_row(state, ws_.row_masks[i]);
            ws_.rows[i + 1] = state;
        }
        return last_cell(state);
    }

    int64_t work() const { return hyp_size_; }  // of one distance

    int32_t distance_after(const Exchange& exchange) const {
        BitRow state = ws_.rows[exchange.first];
        const uint64_t* masks = ws_.row_masks.data();
        for (int32_t i = exchange.mid; i < exchange.last; ++i) next_row(state, masks[i]);
        for (int32_t i = exchange.first; i < exchange.mid; ++i) next_row(state, masks[i]);
        for (int32_t i = exchange.last; i < hyp_size_; ++i) next_row(state, masks[i]);
        return last_cell(state);
    }

    template <class Writer>
    void trace(Writer writer) const {
        int32_t i = hyp_size_, j = ref_size_;
        while (i > 0 && j > 0) {
            const uint64_t column = uint64_t{1} << (j - 1);
            const bool match = (ws_.row_masks[i - 1] & column) != 0;
            if (match || (ws_.rows[i].same & column) == 0) {
                writer.pair(i, j, match);
            } else if (ws_.rows[i - 1].minus & column) {
                writer.drop_hyp_word(i);
            } else {
                writer.add_ref_word(i, j);
            }
        }
        writer.finish(i, j);
    }

    template <class Visit>
    bool visit_matches(int32_t start, Visit&& visit) const {
        uint64_t starts = ws_.row_masks[start];
        if (start > kMostShiftDistance) {
            const int32_t skipped = start - kMostShiftDistance;
            starts = skipped < 64 ? starts & (~uint64_t{0} << skipped) : 0;
        }
        if (start + kMostShiftDistance < 63) starts &= ~(~uint64_t{1} << (start + kMostShiftDistance));
        for (; starts != 0; starts &= starts - 1) {
            if (!visit(static_cast<int32_t>(std::countr_zero(starts)))) return false;
        }
        return true;
    }

  private:
    int32_t last_cell(const BitRow& row) const {
        return hyp_size_ + count_bits(row.plus & columns_) - count_bits(row.minus & columns_);
    }

    TerWorkspace& ws_;
    int32_t hyp_size_, ref_size_;
    uint64_t columns_;
};

// Where the words of a long reference stand.
class Occurrences {
  public:
    Occurrences(TerWorkspace& ws, Words ref) : ws_(ws) {
        const size_t words = ws.counts.size();
        ws.occurrence_begin.assign(words + 1, 0);
        at_least(ws.occurrences, ref.size());
        for (const int32_t word : ref) ++ws.occurrence_begin[word];
        int32_t end = 0;
        for (int32_t& begin : ws.occurrence_begin) begin = end += begin;
        for (size_t j = ref.size(); j-- > 0;) {
            ws.occurrences[--ws.occurrence_begin[ref[j]]] = static_cast<int32_t>(j);
        }
    }

    template <class Visit>
    bool visit_matches(int32_t start, Visit&& visit) const {
        const int32_t word = ws_.hyp[start];
        const int32_t* begin = ws_.occurrences.data() + ws_.occurrence_begin[word];
        const int32_t* end = ws_.occurrences.data() + ws_.occurrence_begin[word + 1];
        for (begin = std::lower_bound(begin, end, start - kMostShiftDistance); begin != end; ++begin) {
            if (*begin - start > kMostShiftDistance) break;
            if (!visit(*begin)) return false;
        }
        return true;
    }

  private:
    TerWorkspace& ws_;
};

// Bit b: words[b] == word, for 64 words.
inline uint64_t matches_of_64(const int32_t* words, int32_t word) {
    uint64_t matches = 0;
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi32(word);
    const auto equal = [&](int offset) {
        return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words + offset)), wanted);
    };
    for (int b = 0; b < 64; b += 16) {
        const __m128i low = _mm_packs_epi32(equal(b), equal(b + 4));
        const __m128i high = _mm_packs_epi32(equal(b + 8), equal(b + 12));
        const auto bits = static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
        matches |= uint64_t{bits} << b;
    }
#else
    for (int b = 0; b < 64; ++b) matches |= uint64_t{words[b] == word} << b;
#endif
    return matches;
}

// Rows of differences inside the beam. Bit b of row i is column low(i) + b, column 0 being the empty prefix.
//
// Neighbours inside the beam differ by at most one, as in a full matrix: both borders only ever move to the
// right, so a path to a cell can be turned at cost one into a path to its neighbour without leaving the beam.
// Cells outside must act as infinite ones:
//  * right of the beam a row goes on with +1 steps. A deletion or substitution from there is never cheaper
//    than the way inside, only a match could be; match bits further than one column right of the row above
//    are therefore cleared.
//  * if the left border moved, the cell left of the border is set one above its upper neighbour: the
//    insertion from it costs one more than the substitution. If the border stayed, the first cell only has
//    the deletion: its match and its difference to the left are cleared.
class BandMatrix {
  public:
    BandMatrix(TerWorkspace& ws, Words ref, const Beam& beam)
        : ws_(ws), hyp_size_(static_cast<int32_t>(ws.hyp.size())),
          ref_size_(static_cast<int32_t>(ref.size())), occurrences_(ws, ref) {
        at_least(ws.rows, ws.hyp.size() + 1);
        at_least(ws.anchors, ws.hyp.size() + 1);
        at_least(ws.bands, ws.hyp.size() + 1);
        at_least(ws.band_masks, ws.hyp.size() + 1);
        ws.padded_ref.assign(ref.size() + 65, -1);
        std::copy(ref.begin(), ref.end(), ws.padded_ref.begin() + 1);
        ws.rows[0] = {~uint64_t{0}, 0, 0};
        ws.anchors[0] = 0;
        ws.bands[0] = {0, ref_size_};
        for (int32_t i = 1; i <= hyp_size_; ++i) {
            const Band band = beam.row(i), above = ws.bands[i - 1];
            const int32_t reached = std::min(band.high, above.high + 1) - band.low;
            uint64_t match = ~(~uint64_t{1} << reached);
            if (band.low == above.low) match &= ~uint64_t{1};
            ws.bands[i] = band;
            ws.band_masks[i] = {match, ~uint64_t{1} << (band.high - band.low)};
        }
    }

    int32_t refill(int32_t row) {
        BitRow state = ws_.rows[row];
        int32_t anchor = ws_.anchors[row];
        for (int32_t i = row; i < hyp_size_; ++i) {
            advance(state, anchor, i + 1, ws_.hyp[i]);
            ws_.rows[i + 1] = state;
            ws_.anchors[i + 1] = anchor;
        }
        return distance_ = last_cell(state, anchor);
    }

    int64_t work() const { return 8 * int64_t{hyp_size_}; }

    int32_t distance_after(const Exchange& exchange) const {
        BitRow state = ws_.rows[exchange.first];
        int32_t anchor = ws_.anchors[exchange.first];
        int32_t row = exchange.first;
        for (int32_t i = exchange.mid; i < exchange.last; ++i) advance(state, anchor, ++row, ws_.hyp[i]);
        for (int32_t i = exchange.first; i < exchange.mid; ++i) advance(state, anchor, ++row, ws_.hyp[i]);
        while (row < hyp_size_) {
            const BitRow& now = ws_.rows[row];
            if (now.plus == state.plus && now.minus == state.minus) {
                return distance_ + (anchor - ws_.anchors[row]);  // same differences and words from here on
            }
            ++row;
            advance(state, anchor, row, ws_.hyp[row - 1]);
        }
        return last_cell(state, anchor);
    }

    template <class Writer>
    void trace(Writer writer) const {
        int32_t i = hyp_size_, j = ref_size_;
        while (i > 0 && j > 0) {
            const Band above = ws_.bands[i - 1];
            const bool match = ws_.hyp[i - 1] == ws_.padded_ref[j];
            if (j - 1 < above.low) {
                writer.drop_hyp_word(i);
            } else if (j - 1 > above.high) {
                writer.add_ref_word(i, j);
            } else if (match || ((ws_.rows[i].same >> (j - ws_.bands[i].low)) & 1) == 0) {
                writer.pair(i, j, match);
            } else if (i > 1 && j <= above.high && ((ws_.rows[i - 1].minus >> (j - above.low)) & 1) != 0) {
                writer.drop_hyp_word(i);
            } else {
                writer.add_ref_word(i, j);
            }
        }
        writer.finish(i, j);
    }

    template <class Visit>
    bool visit_matches(int32_t start, Visit&& visit) const {
        return occurrences_.visit_matches(start, visit);
    }

  private:
    // `anchor` is the value of the first cell of the row.
    void advance(BitRow& state, int32_t& anchor, int32_t row, int32_t word) const {
        const TerWorkspace::BandMasks masks = ws_.band_masks[row];
        const int32_t low = ws_.bands[row].low;
        const int32_t moved = low - ws_.bands[row - 1].low;
        if (moved == 0) {
            state.plus &= ~uint64_t{1};
            state.minus &= ~uint64_t{1};
        } else {
            const uint64_t passed = ~(~uint64_t{1} << moved) - 1;  // from the old first cell to the new one
            anchor += moved == 1 ? static_cast<int32_t>((state.plus >> 1) & 1)
                                       - static_cast<int32_t>((state.minus >> 1) & 1)
                                 : count_bits(state.plus & passed) - count_bits(state.minus & passed);
            state.plus = (state.plus >> moved) | ~(~uint64_t{0} >> moved);
            state.minus >>= moved;
        }
        // Down the first column: one more, unless the diagonal or an upper neighbour that is larger helps.
        const uint64_t match = matches_of_64(ws_.padded_ref.data() + low, word) & masks.match;
        const bool upper_is_more = state.plus & 1, upper_is_less = state.minus & 1;
        next_row(state, match);
        const bool same = state.same & 1;
        if (upper_is_more) {
            anchor -= same;
        } else if (upper_is_less) {
            anchor += 1;
        } else {
            anchor += !same;
        }
        state.plus |= masks.beyond;
        state.minus &= ~masks.beyond;
    }

    int32_t last_cell(const BitRow& row, int32_t anchor) const {
        const uint64_t steps = ~ws_.band_masks[hyp_size_].beyond & ~uint64_t{1};
        return anchor + count_bits(row.plus & steps) - count_bits(row.minus & steps);
    }

    TerWorkspace& ws_;
    int32_t hyp_size_, ref_size_;
    Occurrences occurrences_;
    int32_t distance_ = 0;
};

// The beamed matrix cell by cell. Only used for a wide beam, where all rows together hold O(|ref|) cells.
class WideMatrix {
  public:
    WideMatrix(TerWorkspace& ws, Words ref, const Beam& beam)
        : ws_(ws), ref_(ref), hyp_size_(static_cast<int32_t>(ws.hyp.size())),
          ref_size_(static_cast<int32_t>(ref.size())), occurrences_(ws, ref) {
        at_least(ws.bands, ws.hyp.size() + 1);
        at_least(ws.row_begin, ws.hyp.size() + 1);
        ws.bands[0] = {0, ref_size_};
        ws.row_begin[0] = 0;
        int64_t end = int64_t{ref_size_} + 1;
        int64_t widest = end;
        for (int32_t i = 1; i <= hyp_size_; ++i) {
            ws.bands[i] = beam.row(i);
            ws.row_begin[i] = end;
            const int64_t width = int64_t{ws.bands[i].high} - ws.bands[i].low + 1;
            end += width;
            widest = std::max(widest, width);
        }
        at_least(ws.cells, end);
        at_least(ws.row_above, widest);
        at_least(ws.row_below, widest);
        for (int32_t j = 0; j <= ref_size_; ++j) ws.cells[j] = j;
    }

    int32_t refill(int32_t row) {
        for (int32_t i = row; i < hyp_size_; ++i) fill_row(i + 1, ws_.hyp[i], cells(i), cells(i + 1));
        return cells(hyp_size_)[ref_size_ - ws_.bands[hyp_size_].low];
    }

    int64_t work() const { return static_cast<int64_t>(ws_.cells.size()); }

    int32_t distance_after(const Exchange& exchange) const {
        const int32_t* above = cells(exchange.first);
        int32_t* below = ws_.row_below.data();
        int32_t* spare = ws_.row_above.data();
        int32_t row = exchange.first;
        const auto add_words = [&](int32_t begin, int32_t end) {
            for (int32_t i = begin; i < end; ++i) {
                fill_row(++row, ws_.hyp[i], above, below);
                above = below;
                std::swap(below, spare);
            }
        };
        add_words(exchange.mid, exchange.last);
        add_words(exchange.first, exchange.mid);
        add_words(exchange.last, hyp_size_);
        return above[ref_size_ - ws_.bands[hyp_size_].low];
    }

    template <class Writer>
    void trace(Writer writer) const {
        int32_t i = hyp_size_, j = ref_size_;
        while (i > 0 && j > 0) {
            const int32_t cost = cell(i, j);
            const bool match = ws_.hyp[i - 1] == ref_[j - 1];
            if (cell(i - 1, j - 1) + !match == cost) {
                writer.pair(i, j, match);
            } else if (cell(i - 1, j) + 1 == cost) {
                writer.drop_hyp_word(i);
            } else {
                writer.add_ref_word(i, j);
            }
        }
        writer.finish(i, j);
    }

    template <class Visit>
    bool visit_matches(int32_t start, Visit&& visit) const {
        return occurrences_.visit_matches(start, visit);
    }

  private:
    int32_t* cells(int32_t row) const { return ws_.cells.data() + ws_.row_begin[row]; }

    int32_t cell(int32_t i, int32_t j) const {
        const Band band = ws_.bands[i];
        return j < band.low || j > band.high ? unreachable : cells(i)[j - band.low];
    }

    void fill_row(int32_t row, int32_t word, const int32_t* above, int32_t* below) const {
        const Band band = ws_.bands[row], band_above = ws_.bands[row - 1];
        const auto cell_above = [&](int32_t j) {
            return j < band_above.low || j > band_above.high ? unreachable : above[j - band_above.low];
        };
        int32_t left = unreachable, diagonal = cell_above(band.low - 1);
        for (int32_t j = band.low; j <= band.high; ++j) {
            const int32_t up = cell_above(j);
            left = std::min(std::min(left, up) + 1, j > 0 ? diagonal + (ref_[j - 1] != word) : unreachable);
            left = std::min(left, unreachable);
            below[j - band.low] = left;
            diagonal = up;
        }
    }

    TerWorkspace& ws_;
    Words ref_;
    int32_t hyp_size_, ref_size_;
    Occurrences occurrences_;
};

}  // namespace tercet::ter_search
