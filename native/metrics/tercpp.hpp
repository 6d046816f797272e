// TER as the scorer of Moses computes it (mert/TER, a port of tercpp, itself a port of tercom; Snover et al.
// 2006), on one pair of word id sequences. Its limits and its beam differ from those of sacreBLEU's TER.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/script.hpp"

namespace tercet {

// Scratch memory of tercpp_edits: it grows to the largest pair seen and is then reused. One per thread.
struct TercppWorkspace {
    struct Column {  // the cells [first, end) of one matrix column, stored from `begin`
        int32_t first, end;
        int64_t begin;
    };
    struct Candidate {
        int32_t start, target;
    };
    struct Block {  // 64 cells of a column as differences between neighbours
        uint64_t plus, minus;
    };

    std::vector<int32_t> words;  // the sequence to shift, as shifted so far
    std::vector<int32_t> counts;
    std::vector<Column> columns;
    std::vector<int32_t> cells, column, next_column;
    std::vector<int32_t> align, next_word_error, next_fixed_error, places;
    std::array<std::vector<Candidate>, 10> candidates;  // by block length
    std::vector<int32_t> mask_rows;
    std::vector<uint64_t> masks;
    std::vector<Block> blocks;
};

// Number of edits (shifts included) of Moses' TER. Moses shifts blocks of the reference to match a hypothesis
// that stays fixed, so the reference comes first. Ids are small non-negative numbers, equal for equal words.
// Moses takes an empty string for one empty word: the caller passes an id for that. If a span is empty all
// the same, the answer is the length of the other one.
int64_t tercpp_edits(std::span<const int32_t> ref_to_shift, std::span<const int32_t> hyp_fixed,
                     TercppWorkspace& workspace);

// The same, with what was done: shifts of reference words and the edits that are left, one step an edit or match.
EditScript tercpp_script(std::span<const int32_t> ref_to_shift, std::span<const int32_t> hyp_fixed);

}  // namespace tercet
