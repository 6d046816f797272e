// Pairwise accuracy with ties at the best epsilon (Deutsch et al. 2023), of many metrics and over several parts.
#pragma once

#include <cstdint>

namespace tercet {

// Pairs of scores, what people say of each (1, 0, -1), and its weight in every part, (count x parts).
struct WeightedPairs {
    const int64_t* first;
    const int64_t* second;
    const int64_t* people;
    const int64_t* weights;
    int64_t count;
    int64_t parts;
};

// The highest sum of weights of pairs that metric and people order alike or both call a tie, over every epsilon up to
// which a metric's difference is a tie: (metrics x parts). Scores that are used are numbers.
void calibrated_sums(const double* metrics, int64_t count, int64_t cells, const WeightedPairs& pairs, int threads,
                     int64_t* out);

}  // namespace tercet
