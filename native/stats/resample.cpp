#include "stats/resample.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "common/clones.hpp"
#include "common/parallel.hpp"

namespace tercet {

namespace {

constexpr int64_t kTogether = 16;  // samples that are summed together
constexpr int64_t kTile = 512;     // rows that stay in the cache while each of them reads them; a multiple of 64
constexpr int64_t kSide = 4;       // columns that are summed together

TERCET_CLONES void add_weighted(double* sum, const double* rows, const int32_t* weights, int64_t n, int64_t k) {
    for (int64_t i = 0; i < n; ++i) {
        if (weights[i] == 0) continue;
        const double* row = rows + i * k;
        const double weight = weights[i];
        for (int64_t c = 0; c < k; ++c) sum[c] += weight * row[c];
    }
}

// Sums of products of two rows of weights with four columns, a tile long, which compilers make sixteen at a time.
TERCET_CLONES void multiply(const int16_t* weights, const int16_t* columns, int64_t stride, int32_t* sums) {
    const int16_t *v = weights, *w = weights + kTile;
    const int16_t *a = columns, *b = a + stride, *c = b + stride, *d = c + stride;
    int32_t va = 0, vb = 0, vc = 0, vd = 0, wa = 0, wb = 0, wc = 0, wd = 0;
    for (int64_t i = 0; i < kTile; ++i) {
        va += v[i] * a[i], vb += v[i] * b[i], vc += v[i] * c[i], vd += v[i] * d[i];
        wa += w[i] * a[i], wb += w[i] * b[i], wc += w[i] * c[i], wd += w[i] * d[i];
    }
    const int32_t all[] = {va, vb, vc, vd, wa, wb, wc, wd};
    std::copy(std::begin(all), std::end(all), sums);
}

// The weights as short ones; false where one or their sum is too large for exact products.
TERCET_CLONES bool shorten(const int32_t* weights, int64_t n, int16_t* out) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        sum += weights[i];
        out[i] = static_cast<int16_t>(weights[i]);
    }
    return sum <= INT16_MAX;
}

// Clears the marks of columns that have another value in the row than a whole number of 16 bits.
TERCET_CLONES void mark_short(const double* row, int64_t k, int32_t* is_short) {
    for (int64_t c = 0; c < k; ++c) {
        const double bounded = std::min(double{INT16_MAX}, std::max(double{INT16_MIN}, row[c]));
        is_short[c] &= static_cast<double>(static_cast<int32_t>(bounded)) == row[c];
    }
}

// Rows of statistics, of which most are small whole numbers: the sums of those are exact in any order and in 32 bits,
// several times as fast. The other columns are summed from the first row to the last.
class Rows {
  public:
    Rows(const double* rows, int64_t n, int64_t k) : n_(n), k_(k), stride_((n + kTile - 1) / kTile * kTile) {
        std::vector<int32_t> is_short(k, 1);
        for (int64_t i = 0; i < n; ++i) mark_short(rows + i * k, k, is_short.data());
        for (int64_t c = 0; c < k; ++c) (is_short[c] ? short_places_ : other_places_).push_back(c);
        others_ = static_cast<int64_t>(other_places_.size());
        groups_ = static_cast<int64_t>(short_places_.size() + kSide - 1) / kSide;
        shorts_.resize(groups_ * kSide * stride_);
        other_rows_.resize(n * others_);
        for (int64_t first = 0; first < n; first += kTogether)  // a few rows, which stay in the cache
            for (size_t s = 0; s < short_places_.size(); ++s)
                for (int64_t i = first; i < std::min(first + kTogether, n); ++i)
                    shorts_[s * stride_ + i] = static_cast<int16_t>(rows[i * k + short_places_[s]]);
        for (int64_t i = 0; i < n; ++i)
            for (int64_t o = 0; o < others_; ++o) other_rows_[i * others_ + o] = rows[i * k + other_places_[o]];
    }

    // Adds up to kTogether samples of the rows from `first` on, at most kTile of them, to `out` (samples x k).
    void add(int64_t first, const int32_t* weights, int64_t weights_stride, int64_t samples, double* out) const {
        const int64_t length = std::min(kTile, n_ - first);
        std::array<int16_t, kTogether * kTile> narrow{};
        std::vector<double> sums(others_);
        bool fits = true;
        for (int64_t b = 0; b < samples; ++b) {
            const int32_t* of_sample = weights + b * weights_stride;
            fits &= shorten(of_sample, length, narrow.data() + b * kTile);
            if (others_ == 0) continue;
            for (int64_t o = 0; o < others_; ++o) sums[o] = out[b * k_ + other_places_[o]];
            add_weighted(sums.data(), other_rows_.data() + first * others_, of_sample, length, others_);
            for (int64_t o = 0; o < others_; ++o) out[b * k_ + other_places_[o]] = sums[o];
        }
        if (!fits) return add_long(first, length, weights, weights_stride, samples, out);
        for (int64_t g = 0; g < groups_; ++g) {
            const int64_t used = std::min<int64_t>(kSide, static_cast<int64_t>(short_places_.size()) - g * kSide);
            for (int64_t b = 0; b < samples; b += 2) {
                int32_t both[2 * kSide];
                multiply(narrow.data() + b * kTile, shorts_.data() + g * kSide * stride_ + first, stride_, both);
                for (int64_t two = 0; two < std::min<int64_t>(2, samples - b); ++two)
                    for (int64_t c = 0; c < used; ++c)
                        out[(b + two) * k_ + short_places_[g * kSide + c]] += both[two * kSide + c];
            }
        }
    }

  private:
    void add_long(int64_t first, int64_t length, const int32_t* weights, int64_t weights_stride, int64_t samples,
                  double* out) const {
        for (int64_t b = 0; b < samples; ++b)
            for (size_t s = 0; s < short_places_.size(); ++s) {
                double& sum = out[b * k_ + short_places_[s]];
                for (int64_t i = 0; i < length; ++i)
                    sum += static_cast<double>(weights[b * weights_stride + i]) * shorts_[s * stride_ + first + i];
            }
    }

    int64_t n_, k_, stride_, others_ = 0, groups_ = 0;
    std::vector<int64_t> short_places_, other_places_;
    std::vector<int16_t> shorts_;     // a column after the other, each filled up to whole tiles
    std::vector<double> other_rows_;  // a row after the other
};

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

// Draws for the next n rows, from the lower end of each word of 64 bits: two of Poisson's law, or 64 swaps. There is
// room for a whole tile.
void draw(Random& random, bool swaps, int64_t n, int32_t* weights) {
    if (swaps) {
        for (int64_t i = 0; i < n; i += 64) {
            const uint64_t word = random.bits();
            for (int bit = 0; bit < 64; ++bit) weights[i + bit] = static_cast<int32_t>(word >> bit & 1);
        }
        return;
    }
    std::array<uint32_t, kTile> words;
    for (int64_t i = 0; i < n; i += 2) {
        const uint64_t word = random.bits();
        words[i] = static_cast<uint32_t>(word);
        words[i + 1] = static_cast<uint32_t>(word >> 32);
    }
    poisson_weights(words.data(), n, weights);
}

// Calls body(first row, rows, weights) for tiles of all rows; weights are room for those of kTogether samples.
template <class Body>
void in_tiles(int64_t n, int64_t k, const Body& body) {
    std::vector<int32_t> weights(kTogether * kTile);
    Pace pace;
    for (int64_t first = 0; first < n; first += kTile) {
        pace.steps(kTogether * kTile * std::max<int64_t>(k, 1));
        body(first, std::min(kTile, n - first), weights.data());
    }
}

}  // namespace

void times_drawn(const int64_t* indices, int64_t samples, int64_t n, int32_t* out) {
    Pace pace;
    for (int64_t b = 0; b < samples; ++b) {
        pace.steps(n);
        for (int64_t j = 0; j < n; ++j) ++out[b * n + indices[b * n + j]];
    }
}

void sampled_sums(const int32_t* times, int64_t samples, const double* rows, int64_t n, int64_t k, int threads,
                  double* out) {
    const Rows summed(rows, n, k);
    parallel_blocks(samples, threads, kTogether, [&](int64_t begin, int64_t end) {
        std::fill(out + begin * k, out + end * k, 0.0);
        in_tiles(n, k, [&](int64_t first, int64_t, int32_t*) {
            summed.add(first, times + begin * n + first, n, end - begin, out + begin * k);
        });
    });
}

void masked_sums(const uint8_t* mask, int64_t trials, const double* rows, int64_t n, int64_t k, int threads,
                 double* out) {
    const Rows summed(rows, n, k);
    parallel_blocks(trials, threads, kTogether, [&](int64_t begin, int64_t end) {
        std::fill(out + begin * k, out + end * k, 0.0);
        in_tiles(n, k, [&](int64_t first, int64_t length, int32_t* weights) {
            for (int64_t t = begin; t < end; ++t)
                for (int64_t i = 0; i < length; ++i) weights[(t - begin) * kTile + i] = mask[t * n + first + i] != 0;
            summed.add(first, weights, kTile, end - begin, out + begin * k);
        });
    });
}

void streamed_sums(const Runs& runs, int64_t block, bool swaps, const double* rows, int64_t n, int64_t k, double* out) {
    const auto purpose = static_cast<uint64_t>(swaps ? Purpose::swaps : Purpose::weights);
    const Rows summed(rows, n, k);
    parallel_blocks(runs.count, runs.threads, kTogether, [&](int64_t begin, int64_t end) {
        std::vector<Random> randoms;
        for (int64_t b = begin; b < end; ++b)
            randoms.emplace_back(runs.seed, purpose, static_cast<uint64_t>(block) << 31 | static_cast<uint64_t>(runs.first + b));
        std::fill(out + begin * k, out + end * k, 0.0);
        in_tiles(n, k, [&](int64_t first, int64_t length, int32_t* weights) {
            for (int64_t b = begin; b < end; ++b) draw(randoms[b - begin], swaps, length, weights + (b - begin) * kTile);
            summed.add(first, weights, kTile, end - begin, out + begin * k);
        });
    });
}

}  // namespace tercet
