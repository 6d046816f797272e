#include "stats/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/parallel.hpp"

namespace tercet {

namespace {

// A pair that becomes right (people's tie) or wrong (an order that was right) once epsilon reaches the difference.
struct Turn {
    double difference;
    int64_t pair;
    int64_t sign;
};

class Sweep {
  public:
    explicit Sweep(const WeightedPairs& pairs) : pairs_(pairs), sum_(pairs.parts) { turns_.reserve(pairs.count); }

    void run(const double* scores, int64_t* best) {
        start(scores);
        std::sort(turns_.begin(), turns_.end(),
                  [](const Turn& a, const Turn& b) { return a.difference < b.difference; });
        std::copy(sum_.begin(), sum_.end(), best);
        Pace pace;
        for (size_t i = 0; i < turns_.size();) {
            pace.steps(16 + 2 * pairs_.parts);
            const double epsilon = turns_[i].difference;
            for (; i < turns_.size() && turns_[i].difference == epsilon; ++i) add(turns_[i].pair, turns_[i].sign);
            for (int64_t p = 0; p < pairs_.parts; ++p) best[p] = std::max(best[p], sum_[p]);
        }
    }

  private:
    // Sums at an epsilon of 0, and what changes afterwards. Wrong orders never change anything.
    void start(const double* scores) {
        std::fill(sum_.begin(), sum_.end(), 0);
        turns_.clear();
        Pace pace;
        for (int64_t i = 0; i < pairs_.count; ++i) {
            const double said = scores[pairs_.first[i]] - scores[pairs_.second[i]];
            const int64_t sign = (said > 0) - (said < 0), people = pairs_.people[i];
            pace.steps(4 + pairs_.parts);
            if (people == sign) add(i, 1);
            if (sign != 0 && (people == 0 || people == sign)) turns_.push_back({std::abs(said), i, people == 0 ? 1 : -1});
        }
    }

    void add(int64_t pair, int64_t sign) {
        const int64_t* weights = pairs_.weights + pair * pairs_.parts;
        for (int64_t p = 0; p < pairs_.parts; ++p) sum_[p] += sign * weights[p];
    }

    const WeightedPairs& pairs_;
    std::vector<int64_t> sum_;
    std::vector<Turn> turns_;
};

}  // namespace

void calibrated_sums(const double* metrics, int64_t count, int64_t cells, const WeightedPairs& pairs, int threads,
                     int64_t* out) {
    parallel_blocks(count, threads, 8, [&](int64_t begin, int64_t end) {
        Sweep sweep(pairs);
        for (int64_t m = begin; m < end; ++m) sweep.run(metrics + m * cells, out + m * pairs.parts);
    });
}

}  // namespace tercet
