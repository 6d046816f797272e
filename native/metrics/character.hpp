// CharacTER (Wang et al. 2016): words are shifted as long as the word edit distance falls, then characters are edited.
#pragma once

#include <vector>

#include "text/text.hpp"

namespace tercet {

inline constexpr int kCharacterColumns = 4;

// [score, character edits, shift cost, hypothesis characters] against the reference of the lowest score. Throws
// std::overflow_error with the number of a segment that has too many shifts to try; `patience` is how many times the
// usual number is not too many.
void character_scores(const Tokens& hyps, const Tokens& refs, Groups groups, int patience, int threads, double* out);

// A block of words that is taken out at `start`, and put in at `place` of what is left.
struct BlockShift {
    int64_t start, length, place;
};

// The shifts of the first hypothesis against the first reference; throws std::overflow_error where there are too many.
std::vector<BlockShift> character_shifts(const Tokens& hyps, const Tokens& refs, int patience);

}  // namespace tercet
