#include "ranking/trueskill.hpp"

#include <limits>

namespace tercet {

namespace {

constexpr int kSweeps = 10;
constexpr double kChange = 1e-4;  // of a message, below which the sweeps end

}  // namespace

FreeForAll::Gaussian FreeForAll::joined(const Gaussian& one, const Gaussian& other) {
    return {one.precision + other.precision, one.scaled + other.scaled};
}

// The sum or the difference of two variables; where nothing is known of one of them, nothing is known of that.
FreeForAll::Gaussian FreeForAll::shifted(const Gaussian& one, const Gaussian& by, double sign) {
    if (one.precision <= 0 || by.precision <= 0) return {};
    const double precision = 1 / (1 / one.precision + 1 / by.precision);
    return {precision, precision * (one.scaled / one.precision + sign * by.scaled / by.precision)};
}

// Cuts the difference of two neighbours down to what was seen of them; gives how much that changed.
double FreeForAll::observe(size_t gap, double draw_margin) {
    const Place &left = places_[gap], &right = places_[gap + 1];
    const Gaussian apart = shifted(joined(left.prior, left.from_left), joined(right.prior, right.from_right), -1);
    const double root = std::sqrt(apart.precision);
    const double t = apart.scaled / root, e = draw_margin * root;
    const Correction by = gaps_[gap].tied ? Exact::after_tie(t, e) : Exact::after_win(t, e);
    const double rest = std::max(1 - by.w, std::numeric_limits<double>::epsilon());
    const Gaussian old = joined(apart, gaps_[gap].outcome);
    const Gaussian cut{apart.precision / rest, (apart.scaled + root * by.v) / rest};
    gaps_[gap].outcome = {cut.precision - apart.precision, cut.scaled - apart.scaled};
    return std::max(std::abs(cut.scaled - old.scaled), std::sqrt(std::abs(cut.precision - old.precision)));
}

void FreeForAll::tell_left(size_t gap) {
    const Place& right = places_[gap + 1];
    places_[gap].from_right = shifted(joined(right.prior, right.from_right), gaps_[gap].outcome, 1);
}

void FreeForAll::tell_right(size_t gap) {
    const Place& left = places_[gap];
    places_[gap + 1].from_left = shifted(joined(left.prior, left.from_left), gaps_[gap].outcome, -1);
}

void FreeForAll::pass_messages(double draw_margin) {
    const size_t last = gaps_.size() - 1;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        double change = 0;
        for (size_t gap = 0; gap < last; ++gap) {
            change = std::max(change, observe(gap, draw_margin));
            tell_right(gap);
        }
        for (size_t gap = last; gap > 0; --gap) {
            change = std::max(change, observe(gap, draw_margin));
            tell_left(gap);
        }
        if (change <= kChange) break;
    }
    tell_left(0);
    tell_right(last);
}

void FreeForAll::rate(double* mu, double* variance, const int64_t* ranks, int64_t n, const Match& match) {
    if (n == 2) {
        Belief one{mu[0], variance[0]}, other{mu[1], variance[1]};
        rate_pair(one, other, (ranks[0] > ranks[1]) - (ranks[0] < ranks[1]), match, Exact{});
        mu[0] = one.mu, variance[0] = one.variance;
        mu[1] = other.mu, variance[1] = other.variance;
        return;
    }
    places_.resize(n);
    gaps_.resize(n - 1);
    for (int64_t i = 0; i < n; ++i) places_[i].player = i;
    std::stable_sort(places_.begin(), places_.end(),
                     [&](const Place& one, const Place& other) { return ranks[one.player] < ranks[other.player]; });
    const double noise = match.beta * match.beta;
    for (Place& place : places_) {
        const double precision = 1 / (variance[place.player] + noise);
        place.prior = {precision, precision * mu[place.player]};
        place.from_left = place.from_right = {};
    }
    for (int64_t i = 0; i + 1 < n; ++i)
        gaps_[i] = {{}, ranks[places_[i].player] == ranks[places_[i + 1].player]};
    pass_messages(match.draw_margin);
    for (const Place& place : places_) {
        const Gaussian told = joined(place.from_left, place.from_right);
        const double share = 1 / (1 + noise * told.precision), own = 1 / variance[place.player];
        const double precision = own + share * told.precision;
        mu[place.player] = (own * mu[place.player] + share * told.scaled) / precision;
        variance[place.player] = 1 / precision;
    }
}

}  // namespace tercet
