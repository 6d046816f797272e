#include "stats/bootstrap.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "stats/totals.hpp"

namespace tercet {

namespace {

// A table seen as groups and their members: by item, systems are the members; ungrouped, there is one group of cells.
struct View {
    int64_t groups, members, group_step, member_step;
};

View view_of(const ScoreTables& tables, Grouping grouping) {
    if (grouping == Grouping::item) return {tables.items, tables.systems, 1, tables.items};
    return {tables.systems, tables.items, tables.items, 1};
}

class Gatherer {
  public:
    Gatherer(const Measure& measure, const ScoreTables& tables)
        : measure_(measure), tables_(tables), correlator_(measure) {}

    void start(int64_t metric) {
        metric_ = tables_.metrics + metric * tables_.systems * tables_.items;
        measure_.epsilon = tables_.epsilons[metric];
        correlator_ = Correlator(measure_);
    }

    void take(int64_t cell) {
        if (std::isnan(tables_.gold[cell]) || std::isnan(metric_[cell])) return;
        gold_.push_back(tables_.gold[cell]);
        scores_.push_back(metric_[cell]);
    }

    // Of what was taken since the last time.
    Agreement agreement() {
        correlator_.prepare(gold_.data(), static_cast<int64_t>(gold_.size()));
        const Agreement found = correlator_.value(scores_.data());
        gold_.clear();
        scores_.clear();
        return found;
    }

  private:
    Measure measure_;
    const ScoreTables& tables_;
    Correlator correlator_;
    const double* metric_ = nullptr;
    std::vector<double> gold_, scores_;
};

using Places = std::vector<int64_t>;

Places every(int64_t n) {
    Places out(n);
    std::iota(out.begin(), out.end(), int64_t{0});
    return out;
}

void draw(Random& random, Places& out) {
    const auto n = static_cast<int64_t>(out.size());
    for (int64_t& place : out) place = random.below(n);
}

// The agreements of whole groups (metrics x groups), for samples that draw groups and leave their members alone.
std::vector<Agreement> of_groups(const Measure& measure, const ScoreTables& tables, const View& view, int threads) {
    std::vector<Agreement> out(tables.count * view.groups);
    parallel_blocks(view.groups, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        Gatherer gatherer(measure, tables);
        Pace pace;
        for (int64_t m = 0; m < tables.count; ++m) {
            gatherer.start(m);
            for (int64_t g = begin; g < end; ++g) {
                pace.steps(32 * view.members);
                for (int64_t i = 0; i < view.members; ++i) gatherer.take(g * view.group_step + i * view.member_step);
                out[m * view.groups + g] = gatherer.agreement();
            }
        }
    });
    return out;
}

}  // namespace

void bootstrap_agreements(const Measure& measure, const ScoreTables& tables, Grouping grouping, Drawn drawn,
                          bool zero_nans, const Runs& samples, double* out) {
    const auto nans = zero_nans ? Totals::Nans::zero : Totals::Nans::dropped;
    const View view = view_of(tables, grouping);
    const bool whole = (grouping == Grouping::item && drawn == Drawn::items) ||
                       (grouping == Grouping::system && drawn == Drawn::systems);
    const std::vector<Agreement> known =
        whole ? of_groups(measure, tables, view, samples.threads) : std::vector<Agreement>{};
    each_run(samples, Purpose::bootstrap, [&](int64_t sample, Random& random) {
        Places systems = every(tables.systems), items = every(tables.items);
        if (drawn != Drawn::items) draw(random, systems);
        if (drawn != Drawn::systems) draw(random, items);
        const Places& groups = grouping == Grouping::item ? items : systems;
        const Places& members = grouping == Grouping::item ? systems : items;
        std::vector<int64_t> times(view.groups);  // a group that is drawn twice is looked at once
        for (const int64_t g : groups) ++times[g];
        Gatherer gatherer(measure, tables);
        Pace pace;
        for (int64_t m = 0; m < tables.count; ++m) {
            Totals totals;
            gatherer.start(m);
            const auto take = [&](int64_t g) {
                pace.steps(32 * view.members);
                for (const int64_t i : members) gatherer.take(g * view.group_step + i * view.member_step);
            };
            if (grouping == Grouping::none) {
                for (const int64_t g : groups) take(g);
                totals.add(gatherer.agreement(), nans);
            }
            for (int64_t g = 0; g < view.groups && grouping != Grouping::none; ++g) {
                if (times[g] == 0) continue;
                if (!whole) take(g);
                const Agreement found = whole ? known[m * view.groups + g] : gatherer.agreement();
                totals.add(found, nans, static_cast<double>(times[g]));
            }
            out[sample * tables.count + m] = totals.mean();
        }
    });
}

}  // namespace tercet
