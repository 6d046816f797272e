// TrueSkill.
#include <cmath>
#include <set>
#include <vector>

#include "bindings/packed.hpp"
#include "bindings/runs.hpp"
#include "common/stop.hpp"
#include "ranking/trueskill_runs.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

Match match_of(double beta, double draw_margin) {
    require_positive(beta, "beta must be positive");
    require(draw_margin >= 0 && draw_margin <= 1e6 * beta, "the draw margin must not be negative, nor a million betas");
    return {beta, draw_margin};
}

League league_of(const In<int64_t, 1>& names_order, int64_t systems, int64_t updates, double sigma, double beta,
                 double draw_margin) {
    require(systems >= 2, "a ranking needs two systems");
    require(static_cast<int64_t>(names_order.shape(0)) == systems, "names_order needs one place a system");
    require_within(names_order, systems, "names_order must hold every place once");
    std::vector<bool> taken(systems);
    for (int64_t i = 0; i < systems; ++i) {
        require(!taken[names_order.data()[i]], "names_order must hold every place once");
        taken[names_order.data()[i]] = true;
    }
    require(updates >= 0, "the number of updates must not be negative");
    require_positive(sigma, "sigma must be positive");
    return {systems, names_order.data(), updates, sigma, match_of(beta, draw_margin)};
}

// Whoever of two systems comes first finds some judgements if the other does, and where `mirrored`, the same ones.
void require_counts(const In<int64_t, 3>& found, bool mirrored) {
    const size_t n = found.shape(0);
    require(found.shape(1) == n && found.shape(2) == 3, "counts must be square, of three outcomes each");
    int64_t total = 0;
    for (size_t k = 0; k < found.size(); ++k) {
        const int64_t count = found.data()[k];
        require(count >= 0 && count <= kExact && (total += count) <= kExact, "counts must not be negative or huge");
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            const int64_t *one = found.data() + 3 * (i * n + j), *other = found.data() + 3 * (j * n + i);
            const bool some = one[0] + one[1] + one[2] > 0;
            require(i != j || !some, "no system is judged against itself");
            require(some == (other[0] + other[1] + other[2] > 0), "counts must be there for both systems, or none");
            require(!mirrored || (one[0] == other[2] && one[1] == other[1]), "counts must be symmetric");
        }
}

// The systems of a set rise; every set is there once and has a ranking.
Matches matches_of(const In<int64_t, 2>& sets, const In<int64_t, 1>& starts, const In<int64_t, 2>& ranks,
                   int64_t systems) {
    const auto count = static_cast<int64_t>(sets.shape(0)), size = static_cast<int64_t>(sets.shape(1));
    require(size >= 2, "a set holds two systems or more");
    require(static_cast<int64_t>(ranks.shape(1)) == size, "sets and ranks must be of one size");
    std::set<std::vector<int64_t>> known;
    for (int64_t s = 0; s < count; ++s) {
        const int64_t* set = sets.data() + s * size;
        require(set[0] >= 0 && set[size - 1] < systems, "a set holds a system that is not there");
        for (int64_t i = 1; i < size; ++i) require(set[i - 1] < set[i], "the systems of a set must rise");
        require(known.emplace(set, set + size).second, "a set is there twice");
    }
    require(static_cast<int64_t>(starts.shape(0)) == count + 1, "one start a set, and one more");
    require_offsets(starts, ranks.shape(0), "starts must rise and end within the ranks");
    for (int64_t s = 0; s < count; ++s) require(starts.data()[s] < starts.data()[s + 1], "a set has no ranking");
    return {size, count, sets.data(), starts.data(), ranks.data()};
}

template <class Compute>
auto beliefs(const League& league, const Runs& runs, const Compute& compute) {
    auto mu = zeros(runs.count, league.systems), variance = zeros(runs.count, league.systems);
    {
        const WithoutPython nothing_of_python;
        compute(mu.data(), variance.data());
    }
    return std::make_tuple(mu, variance);
}

void require_beliefs(const In<double, 1>& mu, const In<double, 1>& variance) {
    require(variance.shape(0) == mu.shape(0), "two players or more, each with a mean and a variance");
    for (size_t i = 0; i < mu.shape(0); ++i) {
        require(std::abs(mu.data()[i]) < 1e100, "a mean must be a number");
        require_positive(variance.data()[i], "a variance must be positive");
    }
}

void define_trueskill(nb::module_& m) {
    m.def(
        "trueskill_rate",
        [](const In<double, 1>& mu, const In<double, 1>& variance, const In<int64_t, 1>& ranks, double beta,
           double draw_margin) {
            const Match match = match_of(beta, draw_margin);
            const auto n = static_cast<int64_t>(mu.shape(0));
            require(n >= 2 && variance.shape(0) == mu.shape(0) && ranks.shape(0) == mu.shape(0),
                    "a match needs two players or more, each with a mean, a variance and a rank");
            require_beliefs(mu, variance);
            std::vector<double> mean(mu.data(), mu.data() + n), spread(variance.data(), variance.data() + n);
            {
                const WithoutPython nothing_of_python;
                FreeForAll().rate(mean.data(), spread.data(), ranks.data(), n, match);
            }
            return std::make_tuple(give(std::move(mean)), give(std::move(spread)));
        },
        "mu"_a, "variance"_a, "ranks"_a, "beta"_a, "draw_margin"_a);
    m.def(
        "trueskill_follow",
        [](const In<double, 1>& mu, const In<double, 1>& variance, const In<int64_t, 1>& left,
           const In<int64_t, 1>& right, const In<int64_t, 1>& outcome, double beta, double draw_margin) {
            const Match match = match_of(beta, draw_margin);
            const auto n = static_cast<int64_t>(mu.shape(0));
            require_beliefs(mu, variance);
            require(left.shape(0) == right.shape(0) && left.shape(0) == outcome.shape(0),
                    "a match needs two players and an outcome");
            require_within(left, n, "a match of a player who is not there");
            require_within(right, n, "a match of a player who is not there");
            require_within(outcome, 3, "an outcome is 0, 1 or 2");
            for (size_t k = 0; k < left.shape(0); ++k)
                require(left.data()[k] != right.data()[k], "nobody plays against themselves");
            std::vector<Belief> known(n);
            for (int64_t i = 0; i < n; ++i) known[i] = {mu.data()[i], variance.data()[i]};
            std::vector<double> mean(n), spread(n);
            {
                const WithoutPython nothing_of_python;
                Pace pace;
                for (size_t k = 0; k < left.shape(0); ++k) {
                    pace.steps(64);
                    rate_pair(known[left.data()[k]], known[right.data()[k]], static_cast<int>(outcome.data()[k]) - 1,
                              match, Exact{});
                }
                for (int64_t i = 0; i < n; ++i) mean[i] = known[i].mu, spread[i] = known[i].variance;
            }
            return std::make_tuple(give(std::move(mean)), give(std::move(spread)));
        },
        "mu"_a, "variance"_a, "left"_a, "right"_a, "outcome"_a, "beta"_a, "draw_margin"_a);
    m.def(
        "trueskill_runs",
        [](const In<int64_t, 3>& found, const In<int64_t, 1>& names_order, int64_t updates, int64_t runs,
           int64_t first_run, uint64_t seed, double sigma, double beta, double draw_margin, bool adaptive,
           bool resample, int threads) {
            require_counts(found, !adaptive || resample);
            const auto systems = static_cast<int64_t>(found.shape(0));
            const League league = league_of(names_order, systems, updates, sigma, beta, draw_margin);
            const PairCounts counts{found.data(), adaptive, resample};
            const Runs wanted = runs_of(first_run, runs, seed, threads);
            return beliefs(league, wanted, [&](double* mu, double* variance) {
                trueskill_runs(league, counts, wanted, mu, variance);
            });
        },
        "found"_a, "names_order"_a, "updates"_a, "runs"_a, "first_run"_a, "seed"_a, "sigma"_a, "beta"_a,
        "draw_margin"_a, "adaptive"_a, "resample"_a, "threads"_a);
    m.def(
        "trueskill_matches",
        [](const In<int64_t, 2>& sets, const In<int64_t, 1>& starts, const In<int64_t, 2>& ranks, int64_t n_systems,
           const In<int64_t, 1>& names_order, int64_t updates, int64_t runs, int64_t first_run, uint64_t seed,
           double sigma, double beta, double draw_margin, int threads) {
            const League league = league_of(names_order, n_systems, updates, sigma, beta, draw_margin);
            const Matches matches = matches_of(sets, starts, ranks, n_systems);
            const Runs wanted = runs_of(first_run, runs, seed, threads);
            return beliefs(league, wanted, [&](double* mu, double* variance) {
                trueskill_matches(league, matches, wanted, mu, variance);
            });
        },
        "sets"_a, "starts"_a, "ranks"_a, "n_systems"_a, "names_order"_a, "updates"_a, "runs"_a, "first_run"_a,
        "seed"_a, "sigma"_a, "beta"_a, "draw_margin"_a, "threads"_a);
}

const Kernels kernels(define_trueskill);

}  // namespace
