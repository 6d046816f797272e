// TrueSkill (Herbrich, Minka and Graepel 2006) without dynamics: beliefs about systems, each a mean and a variance,
// after a match of single players. As the package `trueskill` 0.4.5, but with tails to full precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tercet {

struct Match {
    double beta, draw_margin;
};

struct Belief {
    double mu, variance;
};

struct Correction {
    double v, w;  // of the mean and of the variance
};

// The two corrections, for two systems whose means differ by t with draw margin e, in units of the deviation of both.
struct Exact {
    static double density(double x) { return 0.39894228040143267794 * std::exp(-0.5 * x * x); }
    static double tail(double x) { return 0.5 * std::erfc(0.70710678118654752440 * x); }

    static Correction after_win(double t, double e) {
        const double x = e - t, chance = tail(x);
        if (chance < kNothing) return {x, 1};
        const double v = density(x) / chance;
        return {v, std::clamp(v * (v - x), 0.0, 1.0)};
    }

    static Correction after_tie(double t, double e) {
        const double near = std::abs(t) - e, far = std::abs(t) + e, chance = tail(near) - tail(far);
        if (chance < kNothing) return {std::copysign(near, -t), 1};
        const double at_near = density(near), at_far = density(far), v = (at_far - at_near) / chance;
        return {std::copysign(v, -t), std::clamp(v * v + (far * at_far - near * at_near) / chance, 0.0, 1.0)};
    }

  private:
    static constexpr double kNothing = 2e-162;  // a probability below which only the asymptotes are left
};

// One match of two, in which the first won (outcome -1), both tied (0), or the second won (1).
template <class Corrections>
void rate_pair(Belief& one, Belief& other, int outcome, const Match& match, const Corrections& corrections) {
    const double sign = outcome > 0 ? -1.0 : 1.0;  // to swap the two would be a branch that nobody can foresee
    const double scale = 1 / std::sqrt(2 * match.beta * match.beta + one.variance + other.variance);
    const double t = sign * (one.mu - other.mu) * scale, e = match.draw_margin * scale;
    const Correction by = outcome == 0 ? corrections.after_tie(t, e) : corrections.after_win(t, e);
    const double v = sign * by.v * scale, w = by.w * scale * scale;
    one.mu += one.variance * v;
    other.mu -= other.variance * v;
    one.variance -= one.variance * (one.variance * w);
    other.variance -= other.variance * (other.variance * w);
}

// A free-for-all of any number of players; a lower rank is better. It keeps its memory from match to match.
class FreeForAll {
  public:
    void rate(double* mu, double* variance, const int64_t* ranks, int64_t n, const Match& match);

  private:
    struct Gaussian {
        double precision = 0, scaled = 0;  // `scaled` is the mean times the precision
    };
    struct Place {
        int64_t player;
        Gaussian prior;                  // of the performance
        Gaussian from_left, from_right;  // what the comparisons with the neighbours in rank say of it
    };
    struct Gap {  // between neighbours in rank
        Gaussian outcome;
        bool tied;
    };
    static Gaussian joined(const Gaussian& one, const Gaussian& other);
    static Gaussian shifted(const Gaussian& one, const Gaussian& by, double sign);
    double observe(size_t gap, double draw_margin);
    void tell_left(size_t gap);
    void tell_right(size_t gap);
    void pass_messages(double draw_margin);

    std::vector<Place> places_;
    std::vector<Gap> gaps_;
};

}  // namespace tercet
