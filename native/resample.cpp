#include "resample.hpp"

#include <algorithm>
#include <vector>

#include "parallel.hpp"

// One binary for all processors of the kind, with a faster body where AVX2 is there. Sums stay in the same order.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define TERCET_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TERCET_CLONES
#endif

namespace tercet {

namespace {

TERCET_CLONES void add_scaled(double* sum, const double* row, double weight, int64_t k) {
    for (int64_t c = 0; c < k; ++c) sum[c] += weight * row[c];
}

TERCET_CLONES void add_chosen(double* sum, const double* rows, const uint8_t* mask, int64_t n, int64_t k) {
    for (int64_t i = 0; i < n; ++i) {
        if (mask[i] == 0) continue;
        const double* row = rows + i * k;
        for (int64_t c = 0; c < k; ++c) sum[c] += row[c];
    }
}

}  // namespace

void sampled_sums(const int64_t* indices, int64_t samples, const double* rows, int64_t n, int64_t k, int threads,
                  double* out) {
    parallel_blocks(samples, threads, 8, [&](int64_t begin, int64_t end) {
        std::vector<int32_t> counts(n);
        for (int64_t b = begin; b < end; ++b) {
            std::fill(counts.begin(), counts.end(), 0);
            for (int64_t j = 0; j < n; ++j) ++counts[indices[b * n + j]];
            double* sum = out + b * k;
            std::fill_n(sum, k, 0.0);
            for (int64_t i = 0; i < n; ++i)
                if (counts[i] > 0) add_scaled(sum, rows + i * k, counts[i], k);
        }
    });
}

void masked_sums(const uint8_t* mask, int64_t trials, const double* rows, int64_t n, int64_t k, int threads,
                 double* out) {
    parallel_blocks(trials, threads, 8, [&](int64_t begin, int64_t end) {
        std::fill(out + begin * k, out + end * k, 0.0);
        constexpr int64_t tile = 256;  // rows that stay in the cache while several trials read them
        for (int64_t first = 0; first < n; first += tile)
            for (int64_t t = begin; t < end; ++t)
                add_chosen(out + t * k, rows + first * k, mask + t * n + first, std::min(tile, n - first), k);
    });
}

}  // namespace tercet
