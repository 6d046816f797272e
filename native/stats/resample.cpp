#include "stats/resample.hpp"

#include <algorithm>
#include <array>
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

// How much of 2^32 lies below 1, 2, ... of Poisson's law with mean 1; 13 comes less often than once in 2^32.
constexpr std::array<uint32_t, 12> kBelow = [] {
    std::array<uint32_t, 12> below{};
    long double share = 0.36787944117144232159552377016146087L, sum = 0;  // 1/e
    for (size_t i = 0; i < below.size(); ++i) {
        sum += share;
        share /= static_cast<long double>(i + 1);
        below[i] = static_cast<uint32_t>(sum * 0x1p32L);
    }
    return below;
}();

TERCET_CLONES void poisson_weights(const uint32_t* words, int64_t n, int32_t* weights) {
    for (int64_t i = 0; i < n; ++i) {
        int32_t weight = 0;
        for (const uint32_t below : kBelow) weight += words[i] >= below;
        weights[i] = weight;
    }
}

// Draws for the next n rows, from the lower end of each word of 64 bits: two of Poisson's law, or 64 swaps.
class Weights {
  public:
    Weights(bool swaps, int64_t n) : swaps_(swaps), words_(swaps ? 0 : n + 1), weights_(n + 64) {}

    const int32_t* next(Random& random, int64_t n) {
        if (swaps_) {
            for (int64_t i = 0; i < n; i += 64) {
                const uint64_t word = random.bits();
                for (int bit = 0; bit < 64; ++bit) weights_[i + bit] = static_cast<int32_t>(word >> bit & 1);
            }
            return weights_.data();
        }
        for (int64_t i = 0; i < n; i += 2) {
            const uint64_t word = random.bits();
            words_[i] = static_cast<uint32_t>(word);
            words_[i + 1] = static_cast<uint32_t>(word >> 32);
        }
        poisson_weights(words_.data(), n, weights_.data());
        return weights_.data();
    }

  private:
    bool swaps_;
    std::vector<uint32_t> words_;
    std::vector<int32_t> weights_;
};

constexpr int64_t kDrawnAtOnce = 512;  // rows, a multiple of 64: other tiles would waste other bits

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

void streamed_sums(const Runs& runs, int64_t block, bool swaps, const double* rows, int64_t n, int64_t k, double* out) {
    const auto purpose = static_cast<uint64_t>(swaps ? Purpose::swaps : Purpose::weights);
    parallel_blocks(runs.count, runs.threads, kTogether, [&](int64_t begin, int64_t end) {
        std::vector<Random> randoms;
        for (int64_t b = begin; b < end; ++b)
            randoms.emplace_back(runs.seed, purpose, static_cast<uint64_t>(block) << 31 | static_cast<uint64_t>(runs.first + b));
        Weights weights(swaps, kDrawnAtOnce);
        std::fill(out + begin * k, out + end * k, 0.0);
        Pace pace;
        for (int64_t first = 0; first < n; first += kDrawnAtOnce) {
            const int64_t length = std::min(kDrawnAtOnce, n - first);
            pace.steps((end - begin) * kDrawnAtOnce * std::max<int64_t>(k, 1));
            for (int64_t b = begin; b < end; ++b)
                add_weighted(out + b * k, rows + first * k, weights.next(randoms[b - begin], length), length, k);
        }
    });
}

}  // namespace tercet
