// The mean of agreements over groups.
#pragma once

#include <cmath>
#include <limits>

#include "stats/correlation.hpp"

namespace tercet {

struct Totals {
    enum class Nans { dropped, zero };  // what becomes of a group that is not defined

    void add(const Agreement& found, Nans nans, double times = 1) {
        const bool defined = !std::isnan(found.value);
        if (defined || nans == Nans::zero) weight += times * found.weight;
        if (defined) sum += times * found.weight * found.value;
    }

    // NaN if no group is defined.
    double mean() const { return weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN(); }

    double sum = 0, weight = 0;
};

}  // namespace tercet
