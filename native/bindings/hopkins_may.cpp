// The model of Hopkins and May.
#include "bindings/runs.hpp"
#include "ranking/hopkins_may.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

JudgedPairs pairs_of(const In<int64_t, 1>& left, const In<int64_t, 1>& right, const In<int64_t, 1>& outcome,
                     const In<int64_t, 1>& task, const In<int64_t, 1>& segment, int64_t systems) {
    const size_t count = left.shape(0);
    for (const auto* column : {&right, &outcome, &task, &segment})
        require(column->shape(0) == count, "all columns of pairs must be of one length");
    require(systems >= 1 && systems <= 1 << 20, "a ranking needs a system, and no more than 2^20");
    require_within(left, systems, "a pair holds a system that is not there");
    require_within(right, systems, "a pair holds a system that is not there");
    require_within(outcome, 3, "an outcome must be 0, 1 or 2");
    for (size_t p = 0; p < count; ++p) {
        require(left.data()[p] != right.data()[p], "no system is judged against itself");
        if (p == 0) continue;
        require(task.data()[p] >= task.data()[p - 1], "tasks must not fall");
        require(task.data()[p] > task.data()[p - 1] || segment.data()[p] == segment.data()[p - 1],
                "a task must lie within a segment");
    }
    return {static_cast<int64_t>(count), left.data(), right.data(), outcome.data(),
            task.data(),                 segment.data(), systems};
}

void define_hopkins_may(nb::module_& m) {
    m.def(
        "hm_adjust",
        [](double q1, double q2, int64_t outcome, double radius) {
            require(outcome >= 0 && outcome <= 2, "an outcome must be 0, 1 or 2");
            require_not_negative(radius, "the radius must not be negative");
            const auto [one, other] = hm_adjusted(q1, q2, outcome, radius);
            return std::make_tuple(one, other);
        },
        "q1"_a, "q2"_a, "outcome"_a, "radius"_a);
    m.def(
        "hopkins_may",
        [](const In<int64_t, 1>& left, const In<int64_t, 1>& right, const In<int64_t, 1>& outcome,
           const In<int64_t, 1>& task, const In<int64_t, 1>& segment, int64_t n_systems, int64_t iterations,
           int64_t burn_in, double radius, double sigma_0, double sigma_a, double sigma_obs, bool last_only,
           const std::string& resample, int64_t runs, int64_t first_run, uint64_t seed, int threads) {
            const JudgedPairs pairs = pairs_of(left, right, outcome, task, segment, n_systems);
            require(iterations >= 1 && burn_in >= 0, "there must be an iteration, and no negative burn-in");
            require(last_only || burn_in < iterations, "the burn-in must leave an iteration");
            require_not_negative(radius, "the radius must not be negative");
            for (const double sigma : {sigma_0, sigma_a, sigma_obs})
                require_not_negative(sigma, "a standard deviation must not be negative");
            const auto unit = named<Unit>(resample, {{"none", Unit::none},
                                                     {"pair", Unit::pair},
                                                     {"task", Unit::task},
                                                     {"segment", Unit::segment}});
            const HopkinsMay model{iterations, burn_in, radius, sigma_0, sigma_a, sigma_obs, last_only, unit};
            const Runs wanted = runs_of(first_run, runs, seed, threads);
            auto out = zeros(runs, n_systems);
            const WithoutPython nothing_of_python;
            hopkins_may(pairs, model, wanted, out.data());
            return out;
        },
        "left"_a, "right"_a, "outcome"_a, "task"_a, "segment"_a, "n_systems"_a, "iterations"_a, "burn_in"_a,
        "radius"_a, "sigma_0"_a, "sigma_a"_a, "sigma_obs"_a, "last_only"_a, "resample"_a, "runs"_a, "first_run"_a,
        "seed"_a, "threads"_a);
}

const Kernels kernels(define_hopkins_may);

}  // namespace
