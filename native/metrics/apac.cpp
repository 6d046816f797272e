// Chunks of the longest common subsequence, found again and again in the words that are left (Echizen'ya et al. 2014).
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdlib>

#include "metrics/pairs.hpp"
#include "metrics/participants.hpp"

namespace tercet {

namespace {

// What a route through the two texts is worth: words, then chunks (in whole numbers, so that equal sums are equal),
// then how little its words move.
struct Worth {
    int64_t words = 0, chunks = 0, stays = 0;
    auto operator<=>(const Worth&) const = default;
};

struct Scratch {
    WordPair words;
    std::vector<Worth> best;     // of the first i and j words
    std::vector<int32_t> chunk;  // length of the chunk that ends there; 0: none, by i; -1: none, by j
    std::vector<int32_t> common; // length of the run of equal, free words that ends there
    std::vector<int64_t> power;  // of chunk lengths, in millionths
    std::vector<int32_t> lengths;
};

void search(Scratch& s) {
    const auto &hyp = s.words.hyp, &ref = s.words.ref;
    const auto n = static_cast<int64_t>(hyp.size()), m = static_cast<int64_t>(ref.size()), width = m + 1;
    s.best.assign(static_cast<size_t>((n + 1) * width), Worth{});
    s.chunk.assign(s.best.size(), 0);
    s.common.assign(s.best.size(), 0);
    Pace pace;
    for (int64_t i = 1; i <= n; ++i) {
        pace.steps(m);
        for (int64_t j = 1; j <= m; ++j) {
            const int64_t at = i * width + j;
            const bool by_hyp = s.best[at - width] >= s.best[at - 1];
            s.best[at] = by_hyp ? s.best[at - width] : s.best[at - 1];
            s.chunk[at] = by_hyp ? 0 : -1;
            if (hyp[i - 1] < 0 || hyp[i - 1] != ref[j - 1]) continue;
            s.common[at] = s.common[at - width - 1] + 1;
            const int64_t moved = std::abs(i * m - j * n);
            int64_t stays = 0;
            pace.steps(2 * s.common[at]);
            for (int32_t k = 1; k <= s.common[at]; ++k) {
                // the words of a run move by different shares where the texts differ in length
                stays -= k == 1 ? moved : std::abs((i - k + 1) * m - (j - k + 1) * n);
                const Worth& before = s.best[at - k * (width + 1)];
                const Worth worth{before.words + k, before.chunks + s.power[k], before.stays + stays};
                if (worth > s.best[at]) s.best[at] = worth, s.chunk[at] = k;
            }
        }
    }
}

// Reads the route back, and takes its words out of both texts.
void take(Scratch& s) {
    auto &hyp = s.words.hyp, &ref = s.words.ref;
    auto i = static_cast<int64_t>(hyp.size()), j = static_cast<int64_t>(ref.size());
    const int64_t width = j + 1;
    s.lengths.clear();
    while (i > 0 && j > 0) {
        const int32_t length = s.chunk[i * width + j];
        if (length <= 0) {
            --(length == 0 ? i : j);
            continue;
        }
        s.lengths.push_back(length);
        for (int32_t k = 0; k < length; ++k) {
            hyp[--i] = -1;
            ref[--j] = -2;
        }
    }
}

double weighted_sum(Scratch& s, const ApacOptions& options) {
    const size_t longest = std::min(s.words.hyp.size(), s.words.ref.size());
    s.power.resize(longest + 1);
    for (size_t k = 0; k <= longest; ++k)
        s.power[k] = std::llround(1e6 * std::pow(static_cast<double>(k), options.beta));
    double sum = 0, weight = 1;
    for (int64_t repetition = 0; options.repetitions < 0 || repetition <= options.repetitions; ++repetition) {
        search(s);
        take(s);
        if (s.lengths.empty()) break;
        double chunks = 0;
        for (const int32_t length : s.lengths) chunks += std::pow(static_cast<double>(length), options.beta);
        sum += weight * chunks;
        weight *= options.alpha;
        if (weight == 0) break;
    }
    return sum;
}

}  // namespace

void apac_sums(const Tokens& hyps, const Tokens& refs, Groups groups, const ApacOptions& options, int threads,
               double* out) {
    each_reference<Scratch>(hyps, refs, groups, threads,
                            [&](Scratch& s, int64_t r) { out[r] = weighted_sum(s, options); });
}

}  // namespace tercet
