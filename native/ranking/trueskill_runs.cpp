#include "ranking/trueskill_runs.hpp"

#include <bit>
#include <limits>
#include <numeric>

namespace tercet {

namespace {

constexpr double kFar = 300;        // means up to here have an exponential that can be multiplied by another
constexpr int kTries = 16;          // at an opponent, before all are weighed
constexpr int kAttempts = 100;      // at a set of systems that is stored
constexpr double kNeverFirst = -1;  // in place of the variance of a system that was never judged
constexpr double kNobody = -0.0;    // and of one that is not looked at: as bits, below all

// The corrections by Taylor series around the draw margin of two new systems, from which the large beta of these
// rankings lets no match depart much; elsewhere the exact ones. What the series leave out is below the last digit.
class NearMargin {
  public:
    explicit NearMargin(const League& league)
        : centre_(league.match.draw_margin /
                  std::sqrt(2 * league.match.beta * league.match.beta + 2 * league.sigma * league.sigma)),
          radius_(centre_ > 0.01 && centre_ < 4 ? 1.0 / 64 : 0) {
        density_[0] = Exact::density(centre_);
        tail_[0] = Exact::tail(centre_);
        for (int k = 0; k < kOrder; ++k) {  // the density's derivative is -x times the density
            density_[k + 1] = -(centre_ * density_[k] + (k > 0 ? density_[k - 1] : 0)) / (k + 1);
            tail_[k + 1] = -density_[k] / (k + 1);
        }
    }

    Correction after_win(double t, double e) const {
        const double x = e - t, h = x - centre_;
        if (!(std::abs(h) < radius_)) return Exact::after_win(t, e);
        const double v = at(density_, h) / at(tail_, h);
        return {v, v * (v - x)};
    }

    Correction after_tie(double t, double e) const {
        const double low = e - t, high = e + t, h = low - centre_, g = high - centre_;
        if (!(std::max(std::abs(h), std::abs(g)) < radius_)) return Exact::after_tie(t, e);
        const double at_low = at(density_, h), at_high = at(density_, g);
        const double scale = 1 / (1 - at(tail_, h) - at(tail_, g)), v = (at_high - at_low) * scale;
        return {v, v * v + (low * at_low + high * at_high) * scale};
    }

  private:
    static constexpr int kOrder = 8;

    static double at(const double (&c)[kOrder + 1], double h) {
        const double h2 = h * h, h4 = h2 * h2;
        const double low = (c[0] + c[1] * h) + (c[2] + c[3] * h) * h2;
        const double high = (c[4] + c[5] * h) + (c[6] + c[7] * h) * h2;
        return low + (high + c[8] * h4) * h4;
    }

    double centre_, radius_, density_[kOrder + 1], tail_[kOrder + 1];
};

// The beliefs of one run. Systems are in the reverse order of their names: the first of several that are equally
// uncertain is then the one whose name sorts last, as in the reference.
class Standings {
  public:
    Standings(double sigma, const std::vector<uint8_t>& judged)
        : mu_(judged.size()), variance_(mu_), rise_(mu_), fall_(mu_), weights_(mu_) {
        for (size_t i = 0; i < mu_.size(); ++i) set(i, {0, judged[i] ? sigma * sigma : kNeverFirst});
    }

    Belief operator[](int64_t i) const { return {mu_[i], variance_[i]}; }

    void set(int64_t i, const Belief& belief) {
        mu_[i] = belief.mu;
        variance_[i] = belief.variance;
        rise_[i] = std::exp(belief.mu);
        fall_[i] = 1 / rise_[i];
        far_ |= !(std::abs(belief.mu) < kFar);
    }

    int64_t most_uncertain() const { return leader().system; }

    template <class Rate>
    void update(int64_t i, int64_t j, const Rate& rate) {
        Belief one = (*this)[i], other = (*this)[j];
        rate(one, other);
        set(i, one);
        set(j, other);
    }

    // The same, and who is most uncertain then. All others are looked through first: that need not wait for the new
    // beliefs of the two, who have just become surer and rarely lead again.
    template <class Rate>
    int64_t update_and_lead(int64_t i, int64_t j, const Rate& rate) {
        const Belief one = (*this)[i], other = (*this)[j];
        variance_[i] = variance_[j] = kNobody;
        const Leader others = leader();
        variance_[i] = one.variance, variance_[j] = other.variance;
        update(i, j, rate);
        return std::max(variance_[i], variance_[j]) < others.variance ? others.system : most_uncertain();
    }

    // A system with a chance in proportion to exp(-|difference of means|), if `may` is 1 for it, and not if it is 0.
    // Any system is tried and kept with that chance; when that goes on for long, all are weighed instead.
    int64_t opponent(int64_t first, const double* may, Random& random) {
        for (int t = 0; t < kTries && !far_; ++t) {
            const auto [i, share] = random.below_and_share(static_cast<int64_t>(mu_.size()));
            if (share < may[i] * nearness(first, i)) return i;
        }
        weigh(first, may);
        return weighed(random);
    }

    void weigh(int64_t first, const double* may) {
        if (far_) return weigh_far(first, may);
        for (size_t i = 0; i < mu_.size(); ++i) weights_[i] = may[i] * nearness(first, i);
    }

    int64_t weighed(Random& random) const {
        double left = random.uniform() * std::accumulate(weights_.begin(), weights_.end(), 0.0);
        int64_t last = 0;  // of those with a weight, should rounding lead beyond all
        for (size_t i = 0; i < weights_.size(); ++i) {
            if (weights_[i] == 0) continue;
            if (left < weights_[i]) return static_cast<int64_t>(i);
            left -= weights_[i];
            last = static_cast<int64_t>(i);
        }
        return last;
    }

    void leave_out(int64_t i) { weights_[i] = 0; }

  private:
    struct Leader {
        int64_t system;
        double variance;
    };

    // The first of those with the largest variance. Whole numbers of the same bits have the same order, and are compared
    // in half the time.
    Leader leader() const {
        auto most = std::bit_cast<int64_t>(variance_[0]);
        int64_t best = 0;
        const auto size = static_cast<int64_t>(variance_.size());
#pragma GCC unroll 4
        for (int64_t i = 1; i < size; ++i) {
            const auto bits = std::bit_cast<int64_t>(variance_[i]);
            best = bits > most ? i : best;
            most = bits > most ? bits : most;
        }
        return {best, std::bit_cast<double>(most)};
    }

    // exp(-|difference of means|): the smaller of a ratio of exponentials and its inverse.
    double nearness(int64_t i, int64_t j) const { return std::min(rise_[i] * fall_[j], fall_[i] * rise_[j]); }

    // Where exponentials leave the range of numbers: the same relative to the nearest opponent.
    void weigh_far(int64_t first, const double* may) {
        double nearest = std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < mu_.size(); ++i)
            if (may[i] > 0) nearest = std::min(nearest, std::abs(mu_[i] - mu_[first]));
        for (size_t i = 0; i < mu_.size(); ++i) {
            const double weight = std::exp(nearest - std::abs(mu_[i] - mu_[first]));
            weights_[i] = may[i] > 0 ? std::max(weight, std::numeric_limits<double>::min()) : 0;
        }
    }

    std::vector<double> mu_, variance_, rise_, fall_, weights_;
    bool far_ = false;
};

// The system, as it was given, at each place of the reverse order of names.
std::vector<int64_t> in_reverse(const League& league) {
    std::vector<int64_t> system(league.systems);
    for (int64_t i = 0; i < league.systems; ++i) system[league.systems - 1 - league.name_order[i]] = i;
    return system;
}

void write(const Standings& standings, const std::vector<int64_t>& system, double sigma, double* mu, double* variance) {
    for (size_t i = 0; i < system.size(); ++i) {
        const Belief belief = standings[i];
        mu[system[i]] = belief.mu;
        variance[system[i]] = belief.variance == kNeverFirst ? sigma * sigma : belief.variance;
    }
}

// The judgements of pairs, ready to be drawn from.
class Judgements {
  public:
    Judgements(const League& league, const PairCounts& counts, const std::vector<int64_t>& system)
        : n_(league.systems) {
        for (int64_t i = 0; i < n_; ++i)
            for (int64_t j = i + 1; j < n_; ++j) {
                const int64_t* kinds = counts.found + 3 * (system[i] * n_ + system[j]);
                stored_.insert(stored_.end(), kinds, kinds + 3);
                pairs_.push_back({i, j});
            }
        total_ = std::accumulate(stored_.begin(), stored_.end(), int64_t{0});
        use(stored_);
        for (const auto [i, j] : pairs_) {
            const int64_t* kinds = counts.found + 3 * (system[j] * n_ + system[i]);
            if (may_[j * n_ + i] > 0) chances_[j * n_ + i] = chances(kinds[0], kinds[1], kinds[2]);
        }
    }

    int64_t total() const { return total_; }
    const std::vector<uint8_t>& judged() const { return judged_; }
    const double* opponents(int64_t i) const { return may_.data() + i * n_; }

    void resample(Random& random) {
        std::vector<int64_t> drawn(stored_.size());
        random.multinomial(stored_.data(), static_cast<int64_t>(stored_.size()), total_, drawn.data());
        use(drawn);
    }

    // Of one judgement of the pair: -1 if i was better, 0 if they tied, 1 if j was better.
    int outcome(int64_t i, int64_t j, Random& random) const {
        const auto [better, not_worse] = chances_[i * n_ + j];
        const double share = random.uniform();
        return (share >= better) + (share >= not_worse) - 1;
    }

    struct Judgement {
        int64_t i, j;
        int outcome;
    };
    Judgement any(Random& random) const {
        const auto kind = std::upper_bound(ends_.begin(), ends_.end(), random.below(total_)) - ends_.begin();
        const auto [i, j] = pairs_[kind / 3];
        return {i, j, static_cast<int>(kind % 3) - 1};
    }

  private:
    void use(const std::vector<int64_t>& counts) {
        judged_.assign(n_, 0);
        may_.assign(n_ * n_, 0);
        chances_.assign(n_ * n_, {0, 0});
        ends_.resize(counts.size());
        std::partial_sum(counts.begin(), counts.end(), ends_.begin());
        for (size_t p = 0; p < pairs_.size(); ++p) {
            const int64_t* kinds = counts.data() + 3 * p;
            if (kinds[0] + kinds[1] + kinds[2] == 0) continue;
            const auto [i, j] = pairs_[p];
            judged_[i] = judged_[j] = 1;
            may_[i * n_ + j] = may_[j * n_ + i] = 1;
            chances_[i * n_ + j] = chances(kinds[0], kinds[1], kinds[2]);
            chances_[j * n_ + i] = chances(kinds[2], kinds[1], kinds[0]);
        }
    }

    struct Pair {
        int64_t i, j;
    };
    struct Chances {
        double better, not_worse;
    };
    static Chances chances(int64_t better, int64_t tied, int64_t worse) {
        const auto all = static_cast<double>(better + tied + worse);
        return {static_cast<double>(better) / all, static_cast<double>(better + tied) / all};
    }

    int64_t n_, total_ = 0;
    std::vector<Pair> pairs_;      // i < j
    std::vector<int64_t> stored_;  // for each pair: wins of i, ties, wins of j
    std::vector<int64_t> ends_;    // of these kinds of judgements in one list of all that are in use
    std::vector<uint8_t> judged_;
    std::vector<double> may_;
    std::vector<Chances> chances_;
};

// The stored sets of systems. Those of a set, and its ranks, are in the order in which they were given; places are in
// the reverse order of names.
class Sets {
  public:
    Sets(const Matches& matches, const std::vector<int64_t>& system)
        : matches_(matches), system_(system), place_(system.size()), with_(system.size()), judged_(system.size()),
          sorted_(matches.count) {
        for (size_t i = 0; i < system.size(); ++i) place_[system[i]] = static_cast<int64_t>(i);
        for (int64_t s = 0; s < matches.count; ++s)
            for (int64_t a = 0; a < matches.size; ++a) {
                judged_[place(s, a)] = 1;
                with_[place(s, a)].push_back(s);
            }
        std::iota(sorted_.begin(), sorted_.end(), int64_t{0});
        std::sort(sorted_.begin(), sorted_.end(), [&](int64_t s, int64_t t) {
            return std::lexicographical_compare(begin(s), begin(s + 1), begin(t), begin(t + 1));
        });
    }

    const std::vector<uint8_t>& judged() const { return judged_; }
    int64_t place(int64_t set, int64_t member) const { return place_[begin(set)[member]]; }

    // A set with this system and others that are drawn without replacement, from all: which can be drawn together is
    // seen when they are.
    int64_t drawn(int64_t first, Standings& standings, Random& random, std::vector<int64_t>& systems) const {
        std::vector<double> may(system_.size(), 1);
        may[first] = 0;
        for (int t = 0; t < kAttempts; ++t) {
            standings.weigh(first, may.data());
            systems.assign(1, system_[first]);
            while (static_cast<int64_t>(systems.size()) < matches_.size) {
                const int64_t i = standings.weighed(random);
                standings.leave_out(i);
                systems.push_back(system_[i]);
            }
            std::sort(systems.begin(), systems.end());
            if (const int64_t set = find(systems); set >= 0) return set;
        }
        return with_[first][random.below(static_cast<int64_t>(with_[first].size()))];
    }

  private:
    const int64_t* begin(int64_t set) const { return matches_.sets + set * matches_.size; }

    // The number of this set, or -1 if it is not stored.
    int64_t find(const std::vector<int64_t>& systems) const {
        const auto before = [&](int64_t s, const std::vector<int64_t>& wanted) {
            return std::lexicographical_compare(begin(s), begin(s + 1), wanted.begin(), wanted.end());
        };
        const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), systems, before);
        return found != sorted_.end() && std::equal(systems.begin(), systems.end(), begin(*found)) ? *found : -1;
    }

    const Matches& matches_;
    const std::vector<int64_t>& system_;
    std::vector<int64_t> place_;
    std::vector<std::vector<int64_t>> with_;  // the sets that hold the system at a place
    std::vector<uint8_t> judged_;
    std::vector<int64_t> sorted_;  // the sets, in the order of their systems
};

void play(const League& league, const Judgements& judgements, bool adaptive, const NearMargin& near, Random& random,
          Standings& standings) {
    const auto rated = [&](int outcome) {
        return [&, outcome](Belief& one, Belief& other) { rate_pair(one, other, outcome, league.match, near); };
    };
    Pace pace;
    int64_t first = standings.most_uncertain();
    for (int64_t u = 0; u < league.updates; ++u) {
        pace.steps(8 * league.systems);
        if (adaptive) {
            const int64_t second = standings.opponent(first, judgements.opponents(first), random);
            first = standings.update_and_lead(first, second, rated(judgements.outcome(first, second, random)));
        } else {
            const auto [i, j, outcome] = judgements.any(random);
            standings.update(i, j, rated(outcome));
        }
    }
}

void play(const League& league, const Matches& matches, const Sets& sets, Random& random, Standings& standings) {
    FreeForAll all;
    std::vector<int64_t> systems;
    std::vector<double> mu(matches.size), variance(matches.size);
    Pace pace;
    for (int64_t u = 0; u < league.updates; ++u) {
        pace.steps(64 * league.systems);
        const int64_t set = sets.drawn(standings.most_uncertain(), standings, random, systems);
        const int64_t ranking = matches.starts[set] + random.below(matches.starts[set + 1] - matches.starts[set]);
        for (int64_t i = 0; i < matches.size; ++i) {
            const Belief belief = standings[sets.place(set, i)];
            mu[i] = belief.mu;
            variance[i] = belief.variance;
        }
        all.rate(mu.data(), variance.data(), matches.ranks + ranking * matches.size, matches.size, league.match);
        for (int64_t i = 0; i < matches.size; ++i) standings.set(sets.place(set, i), {mu[i], variance[i]});
    }
}

}  // namespace

void trueskill_runs(const League& league, const PairCounts& counts, const Runs& runs, double* mu, double* variance) {
    const std::vector<int64_t> system = in_reverse(league);
    const NearMargin near(league);
    const Judgements stored(league, counts, system);
    each_run(runs, Purpose::pairs, [&](int64_t r, Random& random) {
        Judgements judgements = stored;
        if (counts.resample) judgements.resample(random);
        Standings standings(league.sigma, judgements.judged());
        if (judgements.total() > 0) play(league, judgements, counts.adaptive, near, random, standings);
        write(standings, system, league.sigma, mu + r * league.systems, variance + r * league.systems);
    });
}

void trueskill_matches(const League& league, const Matches& matches, const Runs& runs, double* mu, double* variance) {
    const std::vector<int64_t> system = in_reverse(league);
    const Sets sets(matches, system);
    each_run(runs, Purpose::matches, [&](int64_t r, Random& random) {
        Standings standings(league.sigma, sets.judged());
        if (matches.count > 0) play(league, matches, sets, random, standings);
        write(standings, system, league.sigma, mu + r * league.systems, variance + r * league.systems);
    });
}

}  // namespace tercet
