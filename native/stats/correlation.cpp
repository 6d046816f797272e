#include "stats/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/clones.hpp"
#include "common/parallel.hpp"

namespace tercet {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kFew = 96;  // up to so many entries, looking at all pairs is faster than sorting
constexpr int kLanes = 8;     // partial sums, which the compiler keeps side by side

double dot(const double* a, const double* b, int64_t n) {
    double lanes[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (int l = 0; l < kLanes; ++l) lanes[l] += a[i + l] * b[i + l];
    for (; i < n; ++i) lanes[0] += a[i] * b[i];
    return std::accumulate(lanes, lanes + kLanes, 0.0);
}

double mean(const double* a, int64_t n) {
    double lanes[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (int l = 0; l < kLanes; ++l) lanes[l] += a[i + l];
    for (; i < n; ++i) lanes[0] += a[i];
    return std::accumulate(lanes, lanes + kLanes, 0.0) / static_cast<double>(n);
}

// Exactly equal, whatever rounding makes of their variance.
bool all_equal(const double* a, int64_t n) {
    return std::all_of(a, a + n, [first = a[0]](double x) { return x == first; });
}

// The root of the product is exact where scores are proportional, that of each factor keeps clear of over- and underflow.
double pearson_of(double product, double square, double other) {
    const double both = square * other;
    const double r = std::isnormal(both) ? product / std::sqrt(both) : product / std::sqrt(square) / std::sqrt(other);
    return std::isfinite(r) ? std::clamp(r, -1.0, 1.0) : kUndefined;
}

void centre(const double* a, int64_t n, std::vector<double>& out) {
    const double middle = mean(a, n);
    out.resize(n);
    for (int64_t i = 0; i < n; ++i) out[i] = a[i] - middle;
}

void sort_places(const double* a, int64_t n, std::vector<int32_t>& out) {
    out.resize(n);
    std::iota(out.begin(), out.end(), 0);
    std::sort(out.begin(), out.end(), [a](int32_t x, int32_t y) { return a[x] < a[y]; });
}

// Ranks from 1; those that are equal share their mean.
void mean_ranks(const double* a, const int32_t* order, int64_t n, std::vector<double>& out) {
    out.resize(n);
    for (int64_t i = 0; i < n;) {
        int64_t end = i + 1;
        while (end < n && a[order[end]] == a[order[i]]) ++end;
        for (int64_t j = i; j < end; ++j) out[order[j]] = 0.5 * static_cast<double>(i + 1 + end);
        i = end;
    }
}

int64_t distinct(const double* a, const int32_t* order, int64_t n) {
    int64_t count = 1;
    for (int64_t i = 1; i < n; ++i) count += a[order[i]] != a[order[i - 1]];
    return count;
}

struct Decided {
    int64_t human, metric, both, alike;
};

TERCET_CLONES Decided decided_pairs(const double* gold, const double* metric, int64_t n, double epsilon,
                                    double threshold) {
    Decided out{};
    for (int64_t i = 1; i < n; ++i) {
        int64_t human = 0, said = 0, both = 0, alike = 0;
        for (int64_t j = 0; j < i; ++j) {
            const double h = gold[i] - gold[j], m = metric[i] - metric[j];
            const int64_t by_human = (h != 0) & (std::abs(h) >= threshold), by_metric = std::abs(m) > epsilon;
            human += by_human;
            said += by_metric;
            both += by_human & by_metric;
            alike += by_human & by_metric & ((h > 0) == (m > 0));
        }
        out = {out.human + human, out.metric + said, out.both + both, out.alike + alike};
    }
    return out;
}

Outcomes outcomes_of(const Decided& decided, int64_t n) {
    const int64_t either = decided.human + decided.metric - decided.both;
    return {decided.alike, decided.both - decided.alike, decided.metric - decided.both, decided.human - decided.both,
            n * (n - 1) / 2 - either};
}

}  // namespace

Agreement from_outcomes(const Measure& measure, int64_t n, const Outcomes& o, int64_t classes) {
    const int64_t pairs = n * (n - 1) / 2;
    if (pairs == 0) return {kUndefined, 0};
    const auto total = static_cast<double>(pairs), gain = static_cast<double>(o.concordant - o.discordant);
    const int64_t by_metric = o.concordant + o.discordant + o.human_ties;
    const int64_t by_human = o.concordant + o.discordant + o.metric_ties;
    switch (measure.kind) {
        case Kind::tau_b:
            if (by_metric == 0 || by_human == 0) return {kUndefined, 1};
            return {gain / std::sqrt(static_cast<double>(by_metric)) / std::sqrt(static_cast<double>(by_human)), 1};
        case Kind::tau_c: {
            if (by_metric == 0 || by_human == 0) return {kUndefined, 1};
            const auto size = static_cast<double>(n), k = static_cast<double>(classes);
            return {2 * gain / (size * size * (k - 1) / k), 1};
        }
        case Kind::tau_23:
            return {static_cast<double>(2 * (o.concordant + o.both_ties) - pairs) / total, 1};
        case Kind::acc_23:
            return {static_cast<double>(o.concordant + o.both_ties) / total, 1};
        case Kind::kendall_like: {
            // without a threshold, pairs that people tie count too, and are never concordant
            const int64_t counted = measure.threshold > 0 ? by_human : pairs;
            if (counted == 0) return {kUndefined, 0};
            return {static_cast<double>(2 * o.concordant - counted) / static_cast<double>(counted),
                    static_cast<double>(counted)};
        }
        default:
            return {kUndefined, 0};  // pearson and spearman are not made of outcomes
    }
}

bool Correlator::needs_order() const {
    if (measure_.kind == Kind::pearson) return false;
    return measure_.kind == Kind::spearman || measure_.kind == Kind::tau_c || n_ > kFew;
}

void Correlator::prepare(const double* gold, int64_t n) {
    gold_ = gold;
    n_ = n;
    if (n < 2) return;
    const bool linear = measure_.kind == Kind::pearson || measure_.kind == Kind::spearman;
    if (!linear && !needs_order()) return;
    if (measure_.kind != Kind::pearson) sort_places(gold, n, order_);
    if (!linear) return prepare_ranks();
    constant_ = all_equal(gold, n);
    if (measure_.kind == Kind::spearman) {
        mean_ranks(gold, order_.data(), n, scratch_);
        centre(scratch_.data(), n, centred_);
    } else {
        centre(gold, n, centred_);
    }
    square_ = dot(centred_.data(), centred_.data(), n);
}

void Correlator::prepare_ranks() {
    rank_.resize(n_);
    std::vector<double>& levels = scratch_;
    std::vector<int64_t> before;  // entries of lower ranks
    levels.clear();
    for (int64_t i = 0; i < n_; ++i) {
        const double score = gold_[order_[i]];
        if (levels.empty() || score != levels.back()) {
            levels.push_back(score);
            before.push_back(i);
        }
        rank_[order_[i]] = static_cast<int32_t>(levels.size()) - 1;
    }
    before.push_back(n_);
    const auto count = static_cast<int32_t>(levels.size());
    const double threshold = measure_.kind == Kind::kendall_like ? measure_.threshold : 0;
    below_.resize(count);
    above_.resize(count);
    decided_ = 0;
    for (int32_t r = 0, low = 0, high = 0; r < count; ++r) {
        while (low < r && levels[r] - levels[low] >= threshold) ++low;
        high = std::max(high, r + 1);
        while (high < count && levels[high] - levels[r] < threshold) ++high;
        below_[r] = low;
        above_[r] = high;
        decided_ += (before[r + 1] - before[r]) * before[low];
    }
}

double Correlator::pearson(const double* metric) {
    if (constant_ || all_equal(metric, n_)) return kUndefined;
    centre(metric, n_, scratch_);
    const double* deviations = scratch_.data();
    return pearson_of(dot(centred_.data(), deviations, n_), dot(deviations, deviations, n_), square_);
}

double Correlator::spearman(const double* metric, const int32_t* order) {
    if (constant_ || metric[order[0]] == metric[order[n_ - 1]]) return kUndefined;
    mean_ranks(metric, order, n_, scratch_);
    const double middle = 0.5 * static_cast<double>(n_ + 1);
    for (double& rank : scratch_) rank -= middle;
    const double* deviations = scratch_.data();
    return pearson_of(dot(centred_.data(), deviations, n_), dot(deviations, deviations, n_), square_);
}

Outcomes Correlator::few_outcomes(const double* metric) const {
    const double threshold = measure_.kind == Kind::kendall_like ? measure_.threshold : 0;
    return outcomes_of(decided_pairs(gold_, metric, n_, measure_.epsilon, threshold), n_);
}

// From the lowest metric score to the highest: a tree of sums (Fenwick) holds the ranks that people give to those that
// the metric has decidedly lower.
Outcomes Correlator::many_outcomes(const double* metric, const int32_t* order) {
    const auto levels = static_cast<int32_t>(below_.size());
    tree_.assign(levels + 1, 0);
    const auto lower_than = [&](int32_t rank) {
        int64_t sum = 0;
        for (; rank > 0; rank &= rank - 1) sum += tree_[rank];
        return sum;
    };
    Decided decided{decided_, 0, 0, 0};
    int64_t entered = 0;
    for (int64_t i = 0; i < n_; ++i) {
        const double score = metric[order[i]];
        for (; entered < i && score - metric[order[entered]] > measure_.epsilon; ++entered)
            for (int32_t at = rank_[order[entered]] + 1; at <= levels; at += at & -at) ++tree_[at];
        const int32_t rank = rank_[order[i]];
        const int64_t alike = lower_than(below_[rank]);
        decided.metric += entered;
        decided.alike += alike;
        decided.both += alike + entered - lower_than(above_[rank]);
    }
    return outcomes_of(decided, n_);
}

Agreement Correlator::value(const double* metric) {
    if (n_ < 2 || !needs_order()) return value(metric, nullptr);
    std::vector<int32_t>& order = order_;  // that of the human scores is not needed any more
    sort_places(metric, n_, order);
    return value(metric, order.data());
}

Agreement Correlator::value(const double* metric, const int32_t* order) {
    if (n_ < 2) return {kUndefined, 0};
    if (measure_.kind == Kind::pearson) return {pearson(metric), 1};
    if (measure_.kind == Kind::spearman) return {spearman(metric, order), 1};
    if (!needs_order()) return from_outcomes(measure_, n_, few_outcomes(metric), 0);
    int64_t classes = 0;
    if (measure_.kind == Kind::tau_c)
        classes = std::min(distinct(metric, order, n_), static_cast<int64_t>(below_.size()));
    return from_outcomes(measure_, n_, many_outcomes(metric, order), classes);
}

void correlate_groups(const Measure& measure, const double* gold, const double* metric, const int64_t* starts,
                      int64_t groups, int threads, double* values, double* weights) {
    parallel_blocks(groups, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        Correlator correlator(measure);
        Pace pace;
        for (int64_t g = begin; g < end; ++g) {
            pace.steps(64 * (starts[g + 1] - starts[g]));
            correlator.prepare(gold + starts[g], starts[g + 1] - starts[g]);
            const Agreement found = correlator.value(metric + starts[g]);
            values[g] = found.value;
            weights[g] = found.weight;
        }
    });
}

void correlate_versions(const Measure& measure, const double* gold, int64_t versions, const double* metrics,
                        int64_t count, int64_t n, int threads, double* out) {
    parallel_blocks(versions, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        Correlator correlator(measure);
        std::vector<double> human(n), scores(n);
        Pace pace;
        for (int64_t v = begin; v < end; ++v)
            for (int64_t m = 0; m < count; ++m) {
                pace.steps(64 * n + 1);
                int64_t there = 0;
                for (int64_t i = 0; i < n; ++i) {
                    human[there] = gold[v * n + i];
                    scores[there] = metrics[m * n + i];
                    there += !std::isnan(human[there]) && !std::isnan(scores[there]);
                }
                correlator.prepare(human.data(), there);
                out[v * count + m] = correlator.value(scores.data()).value;
            }
    });
}

}  // namespace tercet
