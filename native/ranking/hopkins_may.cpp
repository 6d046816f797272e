#include "ranking/hopkins_may.hpp"

#include <cmath>
#include <numeric>
#include <vector>

namespace tercet {

namespace {

// Lists of things, end to end.
template <class T>
struct Lists {
    std::vector<T> items;
    std::vector<int64_t> starts{0};

    int64_t size() const { return static_cast<int64_t>(starts.size()) - 1; }
    int64_t length(int64_t list) const { return starts[list + 1] - starts[list]; }
    void close() { starts.push_back(static_cast<int64_t>(items.size())); }
};

// The pairs of each task and the tasks of each segment.
struct Grouped {
    Lists<int64_t> tasks, segments;

    explicit Grouped(const JudgedPairs& pairs) {
        std::vector<std::pair<int64_t, int64_t>> of_segment;  // segment, task
        for (int64_t p = 0; p < pairs.count; ++p) {
            tasks.items.push_back(p);
            if (p + 1 < pairs.count && pairs.task[p + 1] == pairs.task[p]) continue;
            of_segment.push_back({pairs.segment[p], tasks.size()});
            tasks.close();
        }
        std::sort(of_segment.begin(), of_segment.end());
        for (size_t t = 0; t < of_segment.size(); ++t) {
            segments.items.push_back(of_segment[t].second);
            if (t + 1 == of_segment.size() || of_segment[t + 1].first != of_segment[t].first) segments.close();
        }
    }
};

// What one run works on: all that is there, or a sample in which things are as often as they were drawn.
struct Sample {
    struct Pair {
        int32_t left, right, outcome;
    };
    struct Member {
        int64_t system;
        double pairs;
    };
    Lists<Pair> tasks;
    Lists<Member> members;  // of each task: its systems
    Lists<int64_t> segments;

    Sample(const Grouped& given, const JudgedPairs& pairs, Unit unit, Random& random) {
        const auto times = [&](Unit kind, int64_t n) { return kind == unit ? drawn(n, random) : ones(n); };
        const auto of_pair = times(Unit::pair, pairs.count);
        const auto of_task = times(Unit::task, given.tasks.size());
        const auto of_segment = times(Unit::segment, given.segments.size());
        Pace pace;
        for (int64_t t = 0; t < given.tasks.size(); ++t) {
            pace.steps(pairs.systems);
            add_task(given, t, pairs, of_pair);
        }
        for (int64_t s = 0; s < given.segments.size(); ++s)
            for (int64_t k = 0; k < of_segment[s]; ++k) add_segment(given, s, of_task);
    }

  private:
    static std::vector<int64_t> ones(int64_t n) { return std::vector<int64_t>(n, 1); }

    static std::vector<int64_t> drawn(int64_t n, Random& random) {
        std::vector<int64_t> times(n);
        for (int64_t i = 0; i < n; ++i) ++times[random.below(n)];
        return times;
    }

    void add_task(const Grouped& given, int64_t task, const JudgedPairs& pairs, const std::vector<int64_t>& times) {
        std::vector<double> of_system(pairs.systems);
        for (int64_t i = given.tasks.starts[task]; i < given.tasks.starts[task + 1]; ++i) {
            const int64_t p = given.tasks.items[i], left = pairs.left[p], right = pairs.right[p];
            const Pair pair{static_cast<int32_t>(left), static_cast<int32_t>(right),
                            static_cast<int32_t>(pairs.outcome[p])};
            tasks.items.insert(tasks.items.end(), times[p], pair);
            of_system[left] += static_cast<double>(times[p]);
            of_system[right] += static_cast<double>(times[p]);
        }
        tasks.close();
        for (int64_t j = 0; j < pairs.systems; ++j)
            if (of_system[j] > 0) members.items.push_back({j, of_system[j]});
        members.close();
    }

    void add_segment(const Grouped& given, int64_t segment, const std::vector<int64_t>& times) {
        for (int64_t i = given.segments.starts[segment]; i < given.segments.starts[segment + 1]; ++i) {
            const int64_t task = given.segments.items[i];
            if (tasks.length(task) > 0) segments.items.insert(segments.items.end(), times[task], task);
        }
        if (static_cast<int64_t>(segments.items.size()) > segments.starts.back()) segments.close();
    }
};

// The state of one run. A quality, once known, stays until its segment shows the system again.
class Fit {
  public:
    Fit(const Sample& sample, int64_t systems, const HopkinsMay& model, Random& random)
        : sample_(sample), model_(model), random_(random), n_(systems),
          noise_(std::sqrt(model.sigma_a * model.sigma_a + model.sigma_obs * model.sigma_obs)), mu_(n_), sum_(n_),
          quality_(sample.segments.size() * n_), known_(sample.segments.size() * n_), segments_(n_) {
        for (double& mu : mu_) mu = model.sigma_0 * random.normal();
        const double mean = std::accumulate(mu_.begin(), mu_.end(), 0.0) / static_cast<double>(n_);
        for (double& mu : mu_) mu -= mean;
    }

    void run(double* out) {
        std::vector<double> total(n_), times(n_);
        for (int64_t i = 0; i < model_.iterations; ++i) {
            pace_.steps(n_ + 1);
            iterate();
            if (i < (model_.last_only ? model_.iterations - 1 : model_.burn_in)) continue;
            for (int64_t j = 0; j < n_; ++j) {
                if (segments_[j] == 0) continue;
                total[j] += mu_[j];
                ++times[j];
            }
        }
        for (int64_t j = 0; j < n_; ++j)
            out[j] = times[j] > 0 ? total[j] / times[j] : std::numeric_limits<double>::quiet_NaN();
    }

  private:
    void iterate() {
        const Lists<int64_t>& segments = sample_.segments;
        std::vector<double> total(n_);
        for (int64_t s = 0; s < segments.size(); ++s) {
            pace_.steps(n_ + 16);
            judge(segments.items[segments.starts[s] + random_.below(segments.length(s))], s * n_);
            for (int64_t j = 0; j < n_; ++j) total[j] += quality_[s * n_ + j];
        }
        for (int64_t j = 0; j < n_; ++j)  // until a system has been seen its mean is the first guess
            if (segments_[j] > 0) mu_[j] = total[j] / static_cast<double>(segments_[j]);
    }

    void judge(int64_t task, int64_t row) {
        for (int64_t p = sample_.tasks.starts[task]; p < sample_.tasks.starts[task + 1]; ++p) {
            pace_.steps(32);
            const auto [left, right, outcome] = sample_.tasks.items[p];
            const double one = mu_[left] + noise_ * random_.normal(), other = mu_[right] + noise_ * random_.normal();
            const auto [better, worse] = hm_adjusted(one, other, outcome, model_.radius);
            sum_[left] += better;
            sum_[right] += worse;
        }
        for (int64_t m = sample_.members.starts[task]; m < sample_.members.starts[task + 1]; ++m) {
            const auto [j, pairs] = sample_.members.items[m];
            quality_[row + j] = sum_[j] / pairs;
            sum_[j] = 0;
            segments_[j] += 1 - known_[row + j];
            known_[row + j] = 1;
        }
    }

    const Sample& sample_;
    const HopkinsMay& model_;
    Random& random_;
    int64_t n_;
    double noise_;                         // of the quality that is seen in one pair, around the mean
    std::vector<double> mu_, sum_;         // of each system
    std::vector<double> quality_;          // segments x systems, 0 where not known
    std::vector<uint8_t> known_;           // segments x systems
    std::vector<int64_t> segments_;        // in which a system is known
    Pace pace_;
};

}  // namespace

void hopkins_may(const JudgedPairs& pairs, const HopkinsMay& model, const Runs& runs, double* out) {
    const Grouped given(pairs);
    each_run(runs, Purpose::hopkins_may, [&](int64_t r, Random& random) {
        const Sample sample(given, pairs, model.resample, random);
        Fit(sample, pairs.systems, model, random).run(out + r * pairs.systems);
    });
}

}  // namespace tercet
