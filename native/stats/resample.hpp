// Sums of rows of statistics: bootstrap samples and random halves.
#pragma once

#include <cstdint>

#include "stats/runs.hpp"

namespace tercet {

// How often sample b, the n numbers from 0 to n - 1 in indices[b], has each of them; `out` (samples x n) is zero before.
void times_drawn(const int64_t* indices, int64_t samples, int64_t n, int32_t* out);

// Row b of `out` (samples x k) is the sum of n rows, each as often as times[b] (samples x n) says, which is not negative.
void sampled_sums(const int32_t* times, int64_t samples, const double* rows, int64_t n, int64_t k, int threads,
                  double* out);

// Row t of `out` (trials x k) is the sum of the rows where mask[t] (trials x n) is not zero.
void masked_sums(const uint8_t* mask, int64_t trials, const double* rows, int64_t n, int64_t k, int threads,
                 double* out);

// Row b of `out` (runs.count x k) is the sum of the n rows of a block, each as often as a draw of its own says: by
// Poisson's law with mean 1, or, for swaps, once or not at all. What is drawn depends on the seed, on the numbers of
// block and run, and on nothing else: blocks can be summed anywhere, in any order.
void streamed_sums(const Runs& runs, int64_t block, bool swaps, const double* rows, int64_t n, int64_t k, double* out);

}  // namespace tercet
