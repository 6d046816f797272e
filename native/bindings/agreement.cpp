// Kernels of meta-evaluation for Python.
#include <cmath>

#include "bindings/runs.hpp"
#include "stats/bootstrap.hpp"
#include "stats/correlation.hpp"
#include "stats/permutation.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

Measure measure_of(const std::string& kind, double epsilon, double threshold) {
    require(epsilon >= 0 && std::isfinite(epsilon), "epsilon must not be negative");
    require(std::isfinite(threshold), "the threshold must be a number");
    return {named<Kind>(kind, {{"pearson", Kind::pearson},
                               {"spearman", Kind::spearman},
                               {"tau-b", Kind::tau_b},
                               {"tau-c", Kind::tau_c},
                               {"tau-23", Kind::tau_23},
                               {"acc-23", Kind::acc_23},
                               {"kendall-like", Kind::kendall_like}}),
            epsilon, threshold};
}

void require_numbers(const double* values, size_t size) {
    for (size_t i = 0; i < size; ++i) require(std::isfinite(values[i]), "scores must be numbers");
}

void require_not_infinite(const double* values, size_t size) {
    for (size_t i = 0; i < size; ++i) require(!std::isinf(values[i]), "scores must not be infinite");
}

// Groups cut up all entries, of which there are few enough for 32 bits.
void require_starts(const In<int64_t, 1>& starts, size_t entries) {
    constexpr auto what = "starts must rise from 0 to the number of entries";
    require(entries <= INT32_MAX, "there are too many entries");
    require(starts.shape(0) >= 1 && starts.data()[0] == 0, what);
    for (size_t i = 1; i < starts.shape(0); ++i) require(starts.data()[i] >= starts.data()[i - 1], what);
    require(static_cast<size_t>(starts.data()[starts.shape(0) - 1]) == entries, what);
}

void define_correlation(nb::module_& m) {
    m.def(
        "correlate_groups",
        [](const std::string& kind, const In<double, 1>& gold, const In<double, 1>& metric,
           const In<int64_t, 1>& starts, double epsilon, double threshold, int threads) {
            const Measure measure = measure_of(kind, epsilon, threshold);
            require(gold.shape(0) == metric.shape(0), "there must be as many scores of the metric as of people");
            require_numbers(gold.data(), gold.size());
            require_numbers(metric.data(), metric.size());
            require_starts(starts, gold.shape(0));
            const auto groups = static_cast<int64_t>(starts.shape(0)) - 1;
            auto values = zeros(groups), weights = zeros(groups);
            {
                const WithoutPython nothing_of_python;
                correlate_groups(measure, gold.data(), metric.data(), starts.data(), groups, threads, values.data(),
                                 weights.data());
            }
            return std::make_tuple(values, weights);
        },
        "kind"_a, "gold"_a, "metric"_a, "starts"_a, "epsilon"_a, "threshold"_a, "threads"_a);
    m.def(
        "correlate_versions",
        [](const std::string& kind, const In<double, 2>& gold, const In<double, 2>& metrics, double epsilon,
           double threshold, int threads) {
            const Measure measure = measure_of(kind, epsilon, threshold);
            require(gold.shape(1) == metrics.shape(1), "there must be as many scores of the metrics as of people");
            require(gold.shape(1) <= INT32_MAX, "there are too many entries");
            require_not_infinite(gold.data(), gold.size());
            require_not_infinite(metrics.data(), metrics.size());
            const auto versions = static_cast<int64_t>(gold.shape(0)), count = static_cast<int64_t>(metrics.shape(0));
            auto out = zeros(versions, count);
            const WithoutPython nothing_of_python;
            correlate_versions(measure, gold.data(), versions, metrics.data(), count,
                               static_cast<int64_t>(gold.shape(1)), threads, out.data());
            return out;
        },
        "kind"_a, "gold"_a, "metrics"_a, "epsilon"_a, "threshold"_a, "threads"_a);
}

Runs draws_of(int64_t first, int64_t count, uint64_t seed, int threads) {
    require(first >= 0 && first <= kExact, "the first of the draws must not be negative, nor past 2^53");
    require(count >= 0 && count <= INT32_MAX, "the number of draws must not be negative, nor past 2^31");
    return {first, count, seed, threads};
}

void define_permutation(nb::module_& m) {
    m.attr("DRAWS_TOGETHER") = kTogether;
    m.def(
        "permutation_differences",
        [](const std::string& kind, const In<double, 1>& gold, const In<double, 1>& first,
           const In<double, 1>& second, const In<int64_t, 1>& starts, const In<int64_t, 1>& unit, int64_t n_units,
           double threshold, bool zero_nans, int64_t draws, int64_t first_draw, uint64_t seed, int threads) {
            const Measure measure = measure_of(kind, 0, threshold);
            const size_t entries = gold.shape(0);
            require(first.shape(0) == entries && second.shape(0) == entries && unit.shape(0) == entries,
                    "both metrics, people and units must have one value an entry");
            for (const auto* scores : {&gold, &first, &second}) require_numbers(scores->data(), entries);
            require_starts(starts, entries);
            require(n_units >= 0 && n_units <= INT32_MAX, "the number of units must not be negative, nor past 2^31");
            for (size_t i = 0; i < entries; ++i)
                require(unit.data()[i] >= 0 && unit.data()[i] < n_units, "a unit is out of range");
            require(first_draw % kTogether == 0, "the first draw must be a multiple of DRAWS_TOGETHER");
            const Runs wanted = draws_of(first_draw, draws, seed, threads);
            const TwoMetrics scores{gold.data(),   first.data(), second.data(),
                                    starts.data(), static_cast<int64_t>(starts.shape(0)) - 1,
                                    unit.data(),   n_units};
            auto out = zeros(draws);
            const WithoutPython nothing_of_python;
            permutation_differences(measure, scores, zero_nans, wanted, out.data());
            return out;
        },
        "kind"_a, "gold"_a, "first"_a, "second"_a, "starts"_a, "unit"_a, "n_units"_a, "threshold"_a, "zero_nans"_a,
        "draws"_a, "first_draw"_a, "seed"_a, "threads"_a);
    m.def(
        "coin_sums",
        [](const In<int64_t, 1>& counts, const In<double, 1>& weights, int64_t draws, int64_t first_draw,
           uint64_t seed, int threads) {
            require(counts.shape(0) == weights.shape(0), "there must be as many weights as counts");
            for (size_t i = 0; i < counts.shape(0); ++i)
                require(counts.data()[i] >= 0 && counts.data()[i] <= int64_t{1} << 53, "a count is out of range");
            const Runs wanted = draws_of(first_draw, draws, seed, threads);
            auto out = zeros(draws);
            const WithoutPython nothing_of_python;
            coin_sums(counts.data(), weights.data(), static_cast<int64_t>(counts.shape(0)), wanted, out.data());
            return out;
        },
        "counts"_a, "weights"_a, "draws"_a, "first_draw"_a, "seed"_a, "threads"_a);
}

void define_bootstrap(nb::module_& m) {
    m.def(
        "bootstrap_agreements",
        [](const std::string& kind, const In<double, 2>& gold, const In<double, 3>& metrics,
           const In<double, 1>& epsilons, const std::string& grouping, const std::string& drawn, double threshold,
           bool zero_nans, int64_t samples, int64_t first_sample, uint64_t seed, int threads) {
            require(metrics.shape(1) == gold.shape(0) && metrics.shape(2) == gold.shape(1),
                    "metrics must have the shape of the human scores");
            require(epsilons.shape(0) == metrics.shape(0), "there must be one epsilon a metric");
            require(gold.size() <= INT32_MAX, "there are too many entries");
            require_not_infinite(gold.data(), gold.size());
            require_not_infinite(metrics.data(), metrics.size());
            for (size_t i = 0; i < epsilons.shape(0); ++i) measure_of(kind, epsilons.data()[i], threshold);
            const auto by = named<Grouping>(
                grouping, {{"none", Grouping::none}, {"item", Grouping::item}, {"system", Grouping::system}});
            const auto what =
                named<Drawn>(drawn, {{"system", Drawn::systems}, {"input", Drawn::items}, {"both", Drawn::both}});
            const Runs wanted = draws_of(first_sample, samples, seed, threads);
            const ScoreTables tables{static_cast<int64_t>(gold.shape(0)),
                                     static_cast<int64_t>(gold.shape(1)),
                                     static_cast<int64_t>(metrics.shape(0)),
                                     gold.data(),
                                     metrics.data(),
                                     epsilons.data()};
            auto out = zeros(samples, tables.count);
            const WithoutPython nothing_of_python;
            bootstrap_agreements(measure_of(kind, 0, threshold), tables, by, what, zero_nans, wanted, out.data());
            return out;
        },
        "kind"_a, "gold"_a, "metrics"_a, "epsilons"_a, "grouping"_a, "drawn"_a, "threshold"_a, "zero_nans"_a,
        "samples"_a, "first_sample"_a, "seed"_a, "threads"_a);
}

void define_agreement(nb::module_& m) {
    define_correlation(m);
    define_permutation(m);
    define_bootstrap(m);
}

const Kernels kernels(define_agreement);

}  // namespace
