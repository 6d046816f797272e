// Bootstrap samples of counts.
#pragma once

#include <cstdint>

#include "stats/runs.hpp"

namespace tercet {

// Items in units: those of unit u are items starts[u] to starts[u + 1], and item i counts in cell[i].
struct Units {
    const int64_t* cell;
    const int64_t* starts;
    int64_t units, cells;
};

// Row b of `out` (samples x cells) counts the items of as many units as there are, drawn with replacement.
void sampled_counts(const Units& units, const Runs& samples, int64_t* out);

}  // namespace tercet
