// Statistics of metrics that took part in WMT metrics tasks. One row a reference: which of several counts is for the
// metric to say. Every function gives the same bits whatever the number of threads.
#pragma once

#include "text/text.hpp"

namespace tercet {

inline constexpr int kRunColumns = 5;
// Words matched in runs, the longest first (Melamed et al. 2003): [words, runs, sum of run lengths to the power of
// `exponent`, pairs of words in the same order, sum of squared differences of ranks]
void word_runs(const Tokens& hyps, const Tokens& refs, Groups groups, double exponent, int threads, double* out);

struct ApacOptions {
    double alpha = 0.1, beta = 1.2;
    int64_t repetitions = -1;  // after the first; less than 0: as long as there are words in common
};
// The weighted sum over repetitions of chunk lengths to the power of beta (Echizen'ya et al. 2014)
void apac_sums(const Tokens& hyps, const Tokens& refs, Groups groups, const ApacOptions& options, int threads,
               double* out);

struct TbleuOptions {
    int order = 4;
    bool both = true;       // prefix and suffix together, or the longer of the two
    int64_t shortest = 3;   // words with fewer characters match only themselves
    double farthest = 1;    // a pair of words this far apart, or farther, is none
    double penalty = 1;     // what a distance of 1 would take from a word
};
// [hypothesis length, reference length, matches of order 1.., totals of order 1..] (Libovický and Pecina 2014)
void tbleu_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, const TbleuOptions& options, int threads,
                      double* out);

// [edits and inversions, reference length]: the edit distance in which two neighbouring blocks may change places, each
// pair of them no longer than `block` words (Leusch et al. 2003)
void inversion_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int block, int cost, int threads,
                          double* out);

}  // namespace tercet
