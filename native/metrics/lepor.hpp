// LEPOR's factors: penalties for length and position, and n-grams in common (Han et al. 2012, 2013).
#pragma once

#include <utility>
#include <vector>

#include "text/text.hpp"

namespace tercet {

struct LeporOptions {
    int window = 2;  // words before and after that tell which of several like words is meant
    int order = 1;   // longest n-gram that is counted
};

// For each reference: [length penalty, position penalty, hypothesis words, reference words, matches of each order].
// Both penalties are 0 where a side has no words.
void lepor_factors(const Tokens& hyps, const Tokens& refs, Groups groups, const LeporOptions& options, int threads,
                   double* out);
inline int64_t lepor_columns(int order) { return 4 + order; }

// Places in hypothesis and reference that are compared for position, in the order in which they are summed up.
std::vector<std::pair<int32_t, int32_t>> lepor_matches(const std::vector<int32_t>& hyp, const std::vector<int32_t>& ref,
                                                       int window);

// Python's line.strip().split(" "): every space splits, so that two in a row have an empty word between them.
void split_single_spaces(std::string_view line, TokenBuffer& out);

}  // namespace tercet
