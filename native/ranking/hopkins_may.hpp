// Rankings by the model of Hopkins and May (2013): a system has a mean quality, its output on a segment varies around
// that, and judges see differences beyond a decision radius. Fitted as the reference of Sakaguchi, Post and Van Durme
// (2014) does, by a stochastic fixed point.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "stats/runs.hpp"

namespace tercet {

// Pairs of systems that were judged: 0 if the left one was better, 1 if they tied, 2 if the right one was. Tasks do not
// fall, and a task lies within a segment.
struct JudgedPairs {
    int64_t count;
    const int64_t *left, *right, *outcome, *task, *segment;
    int64_t systems;
};

enum class Unit { none, pair, task, segment };  // what is drawn with replacement before a run

struct HopkinsMay {
    int64_t iterations, burn_in;
    double radius, sigma_0, sigma_a, sigma_obs;
    bool last_only;  // the means of the last iteration, rather than their average over those after the burn-in
    Unit resample;
};

// Moves two qualities as little as makes them agree with an outcome; the radius is not negative.
inline std::pair<double, double> hm_adjusted(double one, double other, int64_t outcome, double radius) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    const double least[] = {radius, -radius, -kAny}, most[] = {kAny, radius, -radius};  // difference, by outcome
    const double apart = one - other, shift = (std::clamp(apart, least[outcome], most[outcome]) - apart) / 2;
    return {one + shift, other - shift};
}

// Row r of `out` (runs x systems): the mean of each system, or NaN where it has no judgement.
void hopkins_may(const JudgedPairs& pairs, const HopkinsMay& model, const Runs& runs, double* out);

}  // namespace tercet
