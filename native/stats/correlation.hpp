// How far the scores of a metric agree with those of people: correlations, and the counts of pairs behind Kendall's tau.
#pragma once

#include <cstdint>
#include <vector>

namespace tercet {

enum class Kind { pearson, spearman, tau_b, tau_c, tau_23, acc_23, kendall_like };

struct Measure {
    Kind kind;
    double epsilon;    // two scores of a metric are a tie if they differ by no more
    double threshold;  // kendall_like: people decide a pair if their scores differ by as much
};

// Pairs of entries that both order alike or differently, and those that people alone, the metric alone or both tie.
struct Outcomes {
    int64_t concordant, discordant, human_ties, metric_ties, both_ties;
};

// NaN where it is not defined. The weight is the number of pairs for kendall_like, otherwise 1.
struct Agreement {
    double value, weight;
};

// The value of a measure other than Pearson's and Spearman's. `classes` (tau_c): the smaller number of distinct scores.
Agreement from_outcomes(const Measure& measure, int64_t n, const Outcomes& outcomes, int64_t classes);

// The agreement of one list of human scores with many lists of metric scores. It keeps memory between the calls.
class Correlator {
  public:
    explicit Correlator(const Measure& measure) : measure_(measure) {}

    // The human scores that the next values are of; they must stay where they are.
    void prepare(const double* gold, int64_t n);

    Agreement value(const double* metric);
    // The same with the places of the scores from the lowest to the highest, if they are known.
    Agreement value(const double* metric, const int32_t* order);

  private:
    bool needs_order() const;
    void prepare_ranks();
    double pearson(const double* metric);
    double spearman(const double* metric, const int32_t* order);
    Outcomes few_outcomes(const double* metric) const;
    Outcomes many_outcomes(const double* metric, const int32_t* order);

    Measure measure_;
    const double* gold_ = nullptr;
    int64_t n_ = 0;
    bool constant_ = false;
    std::vector<double> centred_;  // human scores, or their ranks, less their mean
    double square_ = 0;            // the sum of their squares
    std::vector<double> scratch_;
    std::vector<int32_t> order_, tree_;
    std::vector<int32_t> rank_;           // of each human score among the distinct ones
    std::vector<int32_t> below_, above_;  // for each rank: the first one that is not decidedly lower, or is higher
    int64_t decided_ = 0;                 // pairs that people decide
};

// One agreement a group; group i has the entries starts[i] to starts[i + 1]. A group of fewer than two is undefined.
void correlate_groups(const Measure& measure, const double* gold, const double* metric, const int64_t* starts,
                      int64_t groups, int threads, double* values, double* weights);

// Every version (versions x n) of the human scores with every metric (metrics x n): out is versions x metrics.
// NaN is a missing score.
void correlate_versions(const Measure& measure, const double* gold, int64_t versions, const double* metrics,
                        int64_t count, int64_t n, int threads, double* out);

}  // namespace tercet
