// Grids of parameters for Python.
#include <cmath>

#include "bindings/runs.hpp"
#include "learning/tuning.hpp"
#include "stats/calibration.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

constexpr auto kNoCell = "a comparison refers to a cell that is not there";
constexpr auto kHuge = "counts must not add up to more than 2^62";

void require_rising(const In<int64_t, 1>& starts, size_t end) {
    constexpr auto what = "starts must rise from 0 to the number of comparisons";
    require(starts.shape(0) >= 1 && starts.data()[0] == 0, what);
    for (size_t i = 1; i < starts.shape(0); ++i) require(starts.data()[i] >= starts.data()[i - 1], what);
    require(static_cast<size_t>(starts.data()[starts.shape(0) - 1]) == end, what);
}

void define_tuning(nb::module_& m) {
    m.def(
        "harmonic_grid",
        [](const In<double, 1>& inverse_precision, const In<double, 1>& inverse_recall,
           const In<double, 2>& penalties, const In<int64_t, 1>& left, const In<int64_t, 1>& right,
           const In<int64_t, 1>& up, const In<int64_t, 1>& down, const In<int64_t, 1>& starts,
           const In<double, 1>& alphas, const In<double, 1>& gammas, int threads) {
            const auto count = static_cast<int64_t>(inverse_precision.shape(0));
            require(inverse_recall.shape(0) == inverse_precision.shape(0) &&
                        penalties.shape(1) == inverse_precision.shape(0),
                    "cells must have precision, recall and penalties");
            require(right.shape(0) == left.shape(0) && up.shape(0) == left.shape(0) && down.shape(0) == left.shape(0),
                    "comparisons must have two cells and two counts");
            require_within(left, count, kNoCell);
            require_within(right, count, kNoCell);
            require_rising(starts, left.shape(0));
            require_summable({{up.data(), up.size()}, {down.data(), down.size()}}, kHuge);
            for (size_t i = 1; i < gammas.shape(0); ++i)
                require(gammas.data()[i] > gammas.data()[i - 1], "gammas must rise");
            const auto groups = static_cast<int64_t>(starts.shape(0)) - 1;
            const Grid grid{static_cast<int64_t>(penalties.shape(0)), alphas.data(),
                            static_cast<int64_t>(alphas.shape(0)), gammas.data(),
                            static_cast<int64_t>(gammas.shape(0))};
            auto out = zeros<int64_t>(grid.betas, grid.n_alphas, grid.n_gammas, groups);
            const WithoutPython nothing_of_python;
            harmonic_grid({inverse_precision.data(), inverse_recall.data(), penalties.data(), count},
                          {left.data(), right.data(), up.data(), down.data(), starts.data(), groups}, grid, threads,
                          out.data());
            return out;
        },
        "inverse_precision"_a, "inverse_recall"_a, "penalties"_a, "left"_a, "right"_a, "up"_a, "down"_a, "starts"_a,
        "alphas"_a, "gammas"_a, "threads"_a);
    m.def(
        "calibrated_sums",
        [](const In<double, 2>& metrics, const In<int64_t, 1>& first, const In<int64_t, 1>& second,
           const In<int64_t, 1>& people, const In<int64_t, 2>& weights, int threads) {
            const auto count = static_cast<int64_t>(metrics.shape(0)), cells = static_cast<int64_t>(metrics.shape(1));
            require(second.shape(0) == first.shape(0) && people.shape(0) == first.shape(0) &&
                        weights.shape(0) == first.shape(0),
                    "pairs must have two cells, what people say, and weights");
            require_within(first, cells, kNoCell);
            require_within(second, cells, kNoCell);
            require_summable({{weights.data(), weights.size()}}, kHuge);
            const WeightedPairs pairs{first.data(),
                                      second.data(),
                                      people.data(),
                                      weights.data(),
                                      static_cast<int64_t>(first.shape(0)),
                                      static_cast<int64_t>(weights.shape(1))};
            auto out = zeros<int64_t>(count, pairs.parts);
            const WithoutPython nothing_of_python;
            calibrated_sums(metrics.data(), count, cells, pairs, threads, out.data());
            return out;
        },
        "metrics"_a, "first"_a, "second"_a, "people"_a, "weights"_a, "threads"_a);
}

const Kernels kernels(define_tuning);

}  // namespace
