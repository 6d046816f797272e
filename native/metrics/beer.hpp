// BEER 2.0 (Stanojević and Sima'an 2015): how far hypothesis and reference share n-grams of characters, n-grams of
// words and pairs of words, and how far their lengths differ.
#pragma once

#include "text/text.hpp"

namespace tercet {

// Fifteen kinds of pieces with four numbers each, and two lengths.
inline constexpr int64_t kBeerFeatures = 62;

// One row for each reference, compared with the hypothesis of its segment (references x kBeerFeatures): least and
// greatest of precision and recall, their harmonic and their geometric mean, for characters of order 1 to 6; how
// characters and words differ in number; then four numbers again for words of order 1 to 4 and for pairs of words
// with at most 1, any number of, 2, 3 and 4 words between them.
void beer_features(const Lines& hyps, const Lines& refs, Groups groups, int threads, double* out);

}  // namespace tercet
