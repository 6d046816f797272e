#include "stats/resample.hpp"

#include <algorithm>
#include <vector>

#include "common/clones.hpp"
#include "common/parallel.hpp"

namespace tercet {

namespace {

TERCET_CLONES void add_weighted(double* sum, const double* rows, const int32_t* weights, int64_t n, int64_t k) {
    for (int64_t i = 0; i < n; ++i) {
        if (weights[i] == 0) continue;
        const double* row = rows + i * k;
        const double weight = weights[i];
        for (int64_t c = 0; c < k; ++c) sum[c] += weight * row[c];
    }
}

TERCET_CLONES void add_chosen(double* sum, const double* rows, const uint8_t* mask, int64_t n, int64_t k) {
    for (int64_t i = 0; i < n; ++i) {
        if (mask[i] == 0) continue;
        const double* row = rows + i * k;
        for (int64_t c = 0; c < k; ++c) sum[c] += row[c];
    }
}

// Samples that are summed together, and the bytes of rows that stay in the cache while each of them reads them.
constexpr int64_t kTogether = 16, kTileBytes = 1 << 16;

template <class Body>
void in_tiles(int64_t n, int64_t k, const Body& body) {
    const int64_t tile = std::max<int64_t>(1, kTileBytes / (8 * std::max<int64_t>(k, 1)));
    Pace pace;
    for (int64_t first = 0; first < n; first += tile) {
        pace.steps(kTogether * kTileBytes / 8);
        body(first, std::min(tile, n - first));
    }
}

}  // namespace

void sampled_sums(const int64_t* indices, int64_t samples, const double* rows, int64_t n, int64_t k, int threads,
                  double* out) {
    parallel_blocks(samples, threads, kTogether, [&](int64_t begin, int64_t end) {
        std::vector<int32_t> counts((end - begin) * n);  // how often each sample has each row
        for (int64_t b = begin; b < end; ++b)
            for (int64_t j = 0; j < n; ++j) ++counts[(b - begin) * n + indices[b * n + j]];
        std::fill(out + begin * k, out + end * k, 0.0);
        in_tiles(n, k, [&](int64_t first, int64_t length) {
            for (int64_t b = begin; b < end; ++b)
                add_weighted(out + b * k, rows + first * k, counts.data() + (b - begin) * n + first, length, k);
        });
    });
}

void masked_sums(const uint8_t* mask, int64_t trials, const double* rows, int64_t n, int64_t k, int threads,
                 double* out) {
    parallel_blocks(trials, threads, kTogether, [&](int64_t begin, int64_t end) {
        std::fill(out + begin * k, out + end * k, 0.0);
        in_tiles(n, k, [&](int64_t first, int64_t length) {
            for (int64_t t = begin; t < end; ++t)
                add_chosen(out + t * k, rows + first * k, mask + t * n + first, length, k);
        });
    });
}

}  // namespace tercet
