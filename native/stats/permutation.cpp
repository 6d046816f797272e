#include "stats/permutation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "common/clones.hpp"
#include "stats/totals.hpp"

// Draws are made 32 at a time: a word of 32 bits an entry says in which of them its two scores are swapped. What each
// kind of agreement needs of an entry, a group or a pair is then done for all 32 with vectors of the compiler, which
// are as wide as the processor allows.

namespace tercet {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

using Words = std::vector<uint32_t>;
using Nans = Totals::Nans;

// Sums over groups, draw by draw.
struct Lanes {
    alignas(32) double sum[kTogether] = {}, weight[kTogether] = {};

    // One value a draw; those that are NaN are not defined.
    void add(const double* values, double times, Nans nans) {
        for (int l = 0; l < kTogether; ++l) {
            const bool defined = values[l] == values[l];
            sum[l] += defined ? times * values[l] : 0;
            weight[l] += defined || nans == Nans::zero ? times : 0;
        }
    }
    void add(int lane, const Agreement& found, Nans nans) {
        Totals total{sum[lane], weight[lane]};
        total.add(found, nans);
        sum[lane] = total.sum;
        weight[lane] = total.weight;
    }
};
using Both = Lanes[2];  // of the first and the second metric

using Bytes = int8_t __attribute__((vector_size(kTogether)));
using Counts = uint8_t __attribute__((vector_size(kTogether)));
using Four = double __attribute__((vector_size(32)));

// ---- Pearson: swapping moves three sums ----

constexpr double kLeast = 1e-4;  // of the squares must be variance, or too little is left of the digits

struct MaskTable {
    constexpr MaskTable() : ones() {
        for (int bits = 0; bits < 16; ++bits)
            for (int i = 0; i < 4; ++i) ones[bits][i] = bits >> i & 1;
    }
    alignas(32) double ones[16][4];
};
constexpr MaskTable kMasks;

struct Move {
    double sum, square, product;
};
struct Moved {
    alignas(32) double sum[kTogether], square[kTogether], product[kTogether];
};

// The sums of moves over the entries that are swapped, in each draw.
TERCET_CLONES void moved(const Move* moves, const uint32_t* words, int64_t n, Moved& out) {
    for (int shift = 0; shift < kTogether; shift += 8) {
        Four sum[2] = {}, square[2] = {}, product[2] = {};
        for (int64_t i = 0; i < n; ++i) {
            const uint32_t bits = words[i] >> shift;
            for (int half = 0; half < 2; ++half) {
                const Four mask = *reinterpret_cast<const Four*>(kMasks.ones[bits >> 4 * half & 15]);
                sum[half] += mask * moves[i].sum;
                square[half] += mask * moves[i].square;
                product[half] += mask * moves[i].product;
            }
        }
        std::memcpy(out.sum + shift, sum, sizeof sum);
        std::memcpy(out.square + shift, square, sizeof square);
        std::memcpy(out.product + shift, product, sizeof product);
    }
}

// Correlations of what is left of the sums, or put to them (sign 1); and the variances behind them.
TERCET_CLONES void correlations(const Moved& by, const Move& base, double sign, double n, double gold_square,
                                double* values, double* spreads) {
    for (int l = 0; l < kTogether; ++l) {
        const double sum = base.sum + sign * by.sum[l];
        spreads[l] = base.square + sign * by.square[l] - sum * sum / n;
        values[l] = (base.product + sign * by.product[l]) / std::sqrt(spreads[l] * gold_square);
    }
}

class PearsonSwaps {
  public:
    PearsonSwaps(const Measure& measure, const TwoMetrics& scores)
        : measure_(measure), scores_(scores), moves_(scores.starts[scores.groups]), groups_(scores.groups) {
        for (int64_t g = 0; g < scores.groups; ++g) prepare(g);
    }

    void add(const Words& words, Nans nans, Both& out) const {
        Moved by;
        alignas(32) double values[kTogether], spreads[kTogether];
        Pace pace;
        for (int64_t g = 0; g < scores_.groups; ++g) {
            const Group& group = groups_[g];
            const int64_t start = scores_.starts[g], n = scores_.starts[g + 1] - start;
            if (n < 2) continue;
            pace.steps(32 * n);
            if (group.defined) moved(moves_.data() + start, words.data() + start, n, by);
            for (int which = 0; which < 2; ++which) {
                std::fill(values, values + kTogether, kUndefined);
                if (group.defined) {
                    correlations(by, group.base[which], which == 0 ? -1 : 1, static_cast<double>(n), group.gold_square,
                                 values, spreads);
                    for (int l = 0; l < kTogether; ++l)
                        if (!(spreads[l] > group.least)) values[l] = exact(start, n, words, l, which);
                }
                out[which].add(values, 1, nans);
            }
        }
    }

  private:
    struct Group {
        bool defined;
        double gold_square, least;
        Move base[2];
    };

    void prepare(int64_t g) {
        const int64_t start = scores_.starts[g], end = scores_.starts[g + 1];
        const auto n = static_cast<double>(end - start);
        const double *gold = scores_.gold, *first = scores_.first, *second = scores_.second;
        Group& group = groups_[g] = {};
        group.defined = std::any_of(gold + start, gold + end, [&](double x) { return x != gold[start]; });
        // both metrics are moved by the same amount, which no correlation sees, so that squares are small
        const double gold_mean = std::accumulate(gold + start, gold + end, 0.0) / n;
        const double mean = (std::accumulate(first + start, first + end, 0.0) +
                             std::accumulate(second + start, second + end, 0.0)) /
                            (2 * n);
        for (int64_t i = start; i < end; ++i) {
            const double h = gold[i] - gold_mean, a = first[i] - mean, b = second[i] - mean;
            moves_[i] = {a - b, a * a - b * b, (a - b) * h};
            group.gold_square += h * h;
            for (const auto& [base, x] : {std::pair{&group.base[0], a}, std::pair{&group.base[1], b}})
                *base = {base->sum + x, base->square + x * x, base->product + x * h};
        }
        group.least = kLeast * (group.base[0].square + group.base[1].square);
    }

    // From the scores themselves.
    double exact(int64_t start, int64_t n, const Words& words, int draw, int which) const {
        std::vector<double> swapped(n);
        for (int64_t i = 0; i < n; ++i) {
            const bool swap = words[start + i] >> draw & 1, second = swap != (which == 1);
            swapped[i] = second ? scores_.second[start + i] : scores_.first[start + i];
        }
        Correlator correlator(measure_);
        correlator.prepare(scores_.gold + start, n);
        return correlator.value(swapped.data()).value;
    }

    Measure measure_;
    TwoMetrics scores_;
    std::vector<Move> moves_;
    std::vector<Group> groups_;
};

// ---- ranks and pairs in groups of few: in bytes ----

constexpr int64_t kMostInBytes = 127;  // entries of a group: twice as many ranks fit in a byte

struct ByteTable {
    constexpr ByteTable() : masks() {
        for (int bits = 0; bits < 256; ++bits)
            for (int i = 0; i < 8; ++i) masks[bits][i] = bits >> i & 1 ? -1 : 0;
    }
    int8_t masks[256][8];
};
constexpr ByteTable kBytes;

struct Ranked {
    int8_t first, second;  // ranks among the scores of both metrics in the group
    int8_t gold;           // how many human scores of the group are lower, less those that are higher
    uint8_t decided;       // entries from here on have decidedly higher human scores; they are sorted by these
    int32_t entry;
};

struct PairSums {
    alignas(32) uint16_t right[kTogether], tied[kTogether], both_tied[kTogether];
};
struct RankSums {
    alignas(32) int32_t product[kTogether], square[kTogether];
};

void flush(Counts& counts, uint16_t* sums) {
    uint8_t bytes[kTogether];
    std::memcpy(bytes, &counts, sizeof bytes);
    for (int l = 0; l < kTogether; ++l) sums[l] = static_cast<uint16_t>(sums[l] + bytes[l]);
    counts = Counts{};
}

// Counts of pairs that the metric orders as people do, or ties, where people decide; and those that both tie.
TERCET_CLONES void count_pairs(const Ranked* entries, int n, const Bytes* ranks, bool ties, PairSums& sums) {
    std::memset(&sums, 0, sizeof sums);
    Counts right{}, tied{}, both{};  // a comparison is -1 where it holds
    int room = 255;
    for (int i = 0; i + 1 < n; ++i) {
        if ((room -= n - 1 - i) < 0) {
            flush(right, sums.right);
            flush(tied, sums.tied);
            flush(both, sums.both_tied);
            room = 255 - (n - 1 - i);
        }
        const Bytes mine = ranks[i];
        const int decided = entries[i].decided;
        if (ties) {
            for (int j = i + 1; j < decided; ++j) both -= Counts(ranks[j] == mine);
            for (int j = decided; j < n; ++j) {
                right -= Counts(ranks[j] > mine);
                tied -= Counts(ranks[j] == mine);
            }
        } else {
            for (int j = decided; j < n; ++j) right -= Counts(ranks[j] > mine);
        }
    }
    flush(right, sums.right);
    flush(tied, sums.tied);
    flush(both, sums.both_tied);
}

// A mean rank less the middle one is half of how many are lower less how many are higher.
TERCET_CLONES void sum_ranks(const Ranked* entries, int n, const Bytes* ranks, RankSums& sums) {
    std::memset(&sums, 0, sizeof sums);
    for (int i = 0; i < n; ++i) {
        const Bytes mine = ranks[i];
        Bytes rank{};
        for (int j = 0; j < n; ++j) rank += (ranks[j] > mine) - (mine > ranks[j]);
        int8_t bytes[kTogether];
        std::memcpy(bytes, &rank, sizeof bytes);
        for (int l = 0; l < kTogether; ++l) {
            sums.product[l] += entries[i].gold * bytes[l];
            sums.square[l] += bytes[l] * bytes[l];
        }
    }
}

struct Pairs {
    double all, decided, counted;  // of a group; those that people decide, and those that kendall_like counts
};

TERCET_CLONES void pair_values(Kind kind, const Pairs& pairs, const PairSums& sums, double* out) {
    if (kind == Kind::tau_b) {
        for (int l = 0; l < kTogether; ++l) {
            const double gain = 2 * sums.right[l] + sums.tied[l] - pairs.decided;
            out[l] = gain / std::sqrt((pairs.all - sums.tied[l] - sums.both_tied[l]) * pairs.decided);
        }
    } else if (kind == Kind::kendall_like) {
        for (int l = 0; l < kTogether; ++l) out[l] = (2 * sums.right[l] - pairs.counted) / pairs.counted;
    } else {
        const double scale = kind == Kind::tau_23 ? 2 : 1, shift = kind == Kind::tau_23 ? 1 : 0;
        for (int l = 0; l < kTogether; ++l)
            out[l] = scale * (sums.right[l] + sums.both_tied[l]) / pairs.all - shift;
    }
}

TERCET_CLONES void rank_values(double gold_square, const RankSums& sums, double* out) {
    for (int l = 0; l < kTogether; ++l) out[l] = sums.product[l] / std::sqrt(sums.square[l] * gold_square);
}

class RankSwaps {
  public:
    RankSwaps(const Measure& measure, const TwoMetrics& scores)
        : measure_(measure), scores_(scores), entries_(scores.starts[scores.groups]), groups_(scores.groups) {
        for (int64_t g = 0; g < scores.groups; ++g) prepare(g);
    }

    // Where nothing is decided, 0 / 0 makes the NaN that says so.
    void add(const Words& words, Nans nans, Both& out) const {
        Bytes ranks[2][kMostInBytes];
        alignas(32) double values[kTogether];
        PairSums pairs;
        RankSums sums;
        Pace pace;
        for (int64_t g = 0; g < scores_.groups; ++g) {
            const Group& group = groups_[g];
            const auto n = static_cast<int>(scores_.starts[g + 1] - scores_.starts[g]);
            if (n < 2) continue;
            pace.steps(4 * n * n);
            const Ranked* entries = entries_.data() + scores_.starts[g];
            for (int i = 0; i < n; ++i) swap(entries[i], words[entries[i].entry], ranks[0][i], ranks[1][i]);
            const double weight = measure_.kind == Kind::kendall_like ? group.pairs.counted : 1;
            for (int which = 0; which < 2; ++which) {
                if (measure_.kind == Kind::spearman) {
                    sum_ranks(entries, n, ranks[which], sums);
                    rank_values(group.gold_square, sums, values);
                } else {
                    count_pairs(entries, n, ranks[which], group.ties, pairs);
                    pair_values(measure_.kind, group.pairs, pairs, values);
                }
                out[which].add(values, weight, nans);
            }
        }
    }

  private:
    struct Group {
        Pairs pairs;
        double gold_square;
        bool ties;  // whether scores of the two metrics are ever equal
    };

    static void swap(const Ranked& entry, uint32_t word, Bytes& first, Bytes& second) {
        Bytes mask;
        for (int b = 0; b < 4; ++b)
            std::memcpy(reinterpret_cast<char*>(&mask) + 8 * b, kBytes.masks[word >> 8 * b & 255], 8);
        const Bytes change = mask & static_cast<int8_t>(entry.first ^ entry.second);
        first = change ^ entry.first;
        second = change ^ entry.second;
    }

    void prepare(int64_t g) {
        const int64_t start = scores_.starts[g], n = scores_.starts[g + 1] - start;
        const double *gold = scores_.gold + start, *first = scores_.first + start, *second = scores_.second + start;
        std::vector<int32_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return gold[a] < gold[b]; });
        std::vector<double> levels(first, first + n);
        levels.insert(levels.end(), second, second + n);
        std::sort(levels.begin(), levels.end());
        levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
        const auto rank = [&](double score) {
            return static_cast<int8_t>(std::lower_bound(levels.begin(), levels.end(), score) - levels.begin() - 128);
        };
        const double threshold = measure_.kind == Kind::kendall_like ? measure_.threshold : 0;
        const auto apart = [&](double gap) { return gap > 0 && gap >= threshold; };
        Group& group = groups_[g] = {};
        group.pairs.all = static_cast<double>(n * (n - 1) / 2);
        group.ties = static_cast<int64_t>(levels.size()) < 2 * n;
        for (int64_t i = 0, decided = 0; i < n; ++i) {
            const int32_t at = order[i];
            decided = std::max(decided, i + 1);
            while (decided < n && !apart(gold[order[decided]] - gold[at])) ++decided;
            group.pairs.decided += static_cast<double>(n - decided);
            const auto lower = std::count_if(gold, gold + n, [&](double x) { return x < gold[at]; });
            const auto higher = std::count_if(gold, gold + n, [&](double x) { return x > gold[at]; });
            group.gold_square += static_cast<double>((lower - higher) * (lower - higher));
            entries_[start + i] = {rank(first[at]), rank(second[at]), static_cast<int8_t>(lower - higher),
                                   static_cast<uint8_t>(decided), static_cast<int32_t>(start + at)};
        }
        // without a threshold, pairs that people tie count too, and are never concordant
        group.pairs.counted = measure_.threshold > 0 ? group.pairs.decided : group.pairs.all;
    }

    Measure measure_;
    TwoMetrics scores_;
    std::vector<Ranked> entries_;
    std::vector<Group> groups_;
};

// ---- anything else: one draw after the other, but sorted before ----

class SortedSwaps {
  public:
    SortedSwaps(const Measure& measure, const TwoMetrics& scores)
        : measure_(measure), scores_(scores), order_(2 * scores.starts[scores.groups]) {
        for (int64_t g = 0; g < scores.groups; ++g) {
            const int64_t start = scores.starts[g], end = scores.starts[g + 1];
            std::iota(order_.begin() + 2 * start, order_.begin() + 2 * end, static_cast<int64_t>(0));
            std::sort(order_.begin() + 2 * start, order_.begin() + 2 * end,
                      [&](int64_t a, int64_t b) { return score(start, a) < score(start, b); });
        }
    }

    void add(const Words& words, Nans nans, Both& out) const {
        Correlator correlator(measure_);
        std::vector<double> values[2];
        std::vector<int32_t> order[2];
        Pace pace;
        for (int64_t g = 0; g < scores_.groups; ++g) {
            const int64_t start = scores_.starts[g], n = scores_.starts[g + 1] - start;
            correlator.prepare(scores_.gold + start, n);
            for (int l = 0; l < kTogether; ++l) {
                pace.steps(64 * n);
                for (int which = 0; which < 2; ++which) {
                    values[which].resize(n);
                    order[which].clear();
                }
                for (int64_t i = 2 * start; i < 2 * (start + n); ++i) {
                    const auto place = static_cast<int32_t>(order_[i] / 2);
                    const bool swap = words[start + place] >> l & 1, second = order_[i] & 1;
                    const int which = swap != second;
                    values[which][place] = score(start, order_[i]);
                    order[which].push_back(place);
                }
                for (int which = 0; which < 2; ++which)
                    out[which].add(l, correlator.value(values[which].data(), order[which].data()), nans);
            }
        }
    }

  private:
    // Number 2 i is the first metric's score of entry i of the group, 2 i + 1 the second's.
    double score(int64_t start, int64_t number) const {
        const double* metric = number & 1 ? scores_.second : scores_.first;
        return metric[start + number / 2];
    }

    Measure measure_;
    TwoMetrics scores_;
    std::vector<int64_t> order_;  // of the scores of both metrics in the group, from the lowest to the highest
};

template <class Swaps>
void each_block(const Swaps& swaps, const TwoMetrics& scores, Nans nans, const Runs& draws, double* out) {
    const int64_t entries = scores.starts[scores.groups];
    const Runs blocks{draws.first / kTogether, (draws.count + kTogether - 1) / kTogether, draws.seed, draws.threads};
    each_run(blocks, Purpose::permutation, [&](int64_t block, Random& random) {
        Words units(scores.units), words(entries);
        for (uint32_t& word : units) word = static_cast<uint32_t>(random.bits() >> 32);
        for (int64_t i = 0; i < entries; ++i) words[i] = units[scores.unit[i]];
        Both totals{};
        swaps.add(words, nans, totals);
        const int64_t done = block * kTogether, many = std::min<int64_t>(kTogether, draws.count - done);
        for (int64_t l = 0; l < many; ++l)
            out[done + l] = Totals{totals[1].sum[l], totals[1].weight[l]}.mean() -
                            Totals{totals[0].sum[l], totals[0].weight[l]}.mean();
    });
}

}  // namespace

void permutation_differences(const Measure& measure, const TwoMetrics& scores, bool zero_nans, const Runs& draws,
                             double* out) {
    const auto nans = zero_nans ? Totals::Nans::zero : Totals::Nans::dropped;
    int64_t largest = 0;
    for (int64_t g = 0; g < scores.groups; ++g)
        largest = std::max(largest, scores.starts[g + 1] - scores.starts[g]);
    if (measure.kind == Kind::pearson) {
        each_block(PearsonSwaps(measure, scores), scores, nans, draws, out);
    } else if (measure.kind != Kind::tau_c && largest <= kMostInBytes) {
        each_block(RankSwaps(measure, scores), scores, nans, draws, out);
    } else {
        each_block(SortedSwaps(measure, scores), scores, nans, draws, out);
    }
}

void coin_sums(const int64_t* counts, const double* weights, int64_t groups, const Runs& draws, double* out) {
    each_run(draws, Purpose::coins, [&](int64_t draw, Random& random) {
        double sum = 0;
        Pace pace;
        for (int64_t g = 0; g < groups; ++g) {
            int64_t heads = 0, left = counts[g];
            for (; left >= 64; left -= 64, pace.steps(2)) heads += std::popcount(random.bits());
            if (left > 0) heads += std::popcount(random.bits() >> (64 - left));
            sum += weights[g] * static_cast<double>(2 * heads - counts[g]);
        }
        out[draw] = sum;
    });
}

}  // namespace tercet
