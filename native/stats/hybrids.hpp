// Hybrid systems (Graham and Liu 2016): of two systems, drawn at random, each item takes the output of one or the other.
#pragma once

#include <cstdint>

#include "stats/runs.hpp"

namespace tercet {

// Row h of `out` (hybrids x items) names the system whose output each item of hybrid h has.
void hybrid_choices(int64_t systems, int64_t items, const Runs& hybrids, int32_t* out);

// Row h of `out` (hybrids x k) is the sum of the rows (systems x items x k) of hybrid h, in the order of the items.
void hybrid_sums(const double* rows, int64_t systems, int64_t items, int64_t k, const Runs& hybrids, double* out);

}  // namespace tercet
