// Agreement of metrics with people over systems and items drawn with replacement.
#pragma once

#include <cstdint>

#include "stats/correlation.hpp"
#include "stats/runs.hpp"

namespace tercet {

enum class Grouping { none, item, system };
enum class Drawn { systems, items, both };

// NaN is a missing score.
struct ScoreTables {
    int64_t systems, items, count;
    const double* gold;      // systems x items
    const double* metrics;   // count x systems x items
    const double* epsilons;  // one a metric
};

// out is samples x metrics: the agreement in each sample, NaN where it is not defined.
void bootstrap_agreements(const Measure& measure, const ScoreTables& tables, Grouping grouping, Drawn drawn,
                          bool zero_nans, const Runs& samples, double* out);

}  // namespace tercet
