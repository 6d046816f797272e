// Translation edit rate (Snover et al. 2006) exactly as sacreBLEU 2.6 computes it: the beamed edit
// distance and greedy block shifts of tercom (Memsource's port), on one pair of word id sequences.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/script.hpp"
#include "metrics/ter_search.hpp"

namespace tercet {

// Scratch memory of ter_edits: it grows to the largest pair seen and is then reused. One per thread.
struct TerWorkspace {
    struct BitRow {  // one matrix row as differences between neighbouring cells
        uint64_t plus, minus;  // bit set: the cell is one more / one less than its left neighbour
        uint64_t same;  // bit set: the cell equals its upper left neighbour
    };
    struct BandMasks {
        uint64_t match, beyond;  // cells where a match may count; cells right of the beam
    };
    struct Candidate {
        int32_t start, target;
    };

    std::vector<int32_t> hyp;  // the hypothesis as shifted so far
    std::vector<int32_t> counts;
    std::vector<uint64_t> word_masks, row_masks;
    std::vector<BitRow> rows;
    std::vector<int32_t> align, next_hyp_error, next_ref_error;
    std::array<std::vector<Candidate>, 10> candidates;  // by block length
    std::vector<int32_t> padded_ref, occurrence_begin, occurrences;
    std::vector<ter_search::Band> bands;
    std::vector<BandMasks> band_masks;
    std::vector<int32_t> anchors;
    std::vector<int64_t> row_begin;
    std::vector<int32_t> cells, row_above, row_below;
};

// Number of edits (shifts included) that turn `hyp` into `ref`. Ids are small non-negative numbers, equal
// for equal words: memory grows with the largest id.
int64_t ter_edits(std::span<const int32_t> hyp, std::span<const int32_t> ref, TerWorkspace& workspace);

// The same, with what was done: shifts of hypothesis words and the edits that are left, one step an edit or match.
EditScript ter_script(std::span<const int32_t> hyp, std::span<const int32_t> ref);

}  // namespace tercet
