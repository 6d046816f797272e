// Permutation tests of two metrics against each other (Deutsch, Dror and Roth 2021).
#pragma once

#include <cstdint>

#include "stats/correlation.hpp"
#include "stats/runs.hpp"

namespace tercet {

// Scores of people and of two metrics, entry by entry and group after group. Entries of the same unit swap together.
struct TwoMetrics {
    const double *gold, *first, *second;
    const int64_t* starts;  // groups + 1
    int64_t groups;
    const int64_t* unit;
    int64_t units;
};

inline constexpr int kTogether = 32;  // draws that are made at once; the first draw of a call is a multiple of it

// For each draw: swap the two metrics in every unit with probability 1/2, and take the agreement of the second less
// that of the first. NaN where one of them is not defined.
void permutation_differences(const Measure& measure, const TwoMetrics& scores, bool zero_nans, const Runs& draws,
                             double* out);

// For each draw: the sum over groups of weight times count coins, each +1 or -1.
void coin_sums(const int64_t* counts, const double* weights, int64_t groups, const Runs& draws, double* out);

}  // namespace tercet
