// Sums of rows of statistics: bootstrap samples and random halves.
#pragma once

#include <cstdint>

namespace tercet {

// Row b of `out` (samples x k) is the sum of the n rows that indices[b] names.
void sampled_sums(const int64_t* indices, int64_t samples, const double* rows, int64_t n, int64_t k, int threads,
                  double* out);

// Row t of `out` (trials x k) is the sum of the rows where mask[t] (trials x n) is not zero.
void masked_sums(const uint8_t* mask, int64_t trials, const double* rows, int64_t n, int64_t k, int threads,
                 double* out);

}  // namespace tercet
