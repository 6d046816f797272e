// YiSi without semantic parses: weighted n-grams, each matched to the most similar one of the other side (Lo 2019).
#pragma once

#include <string_view>
#include <vector>

#include "metrics/meteor.hpp"
#include "text/text.hpp"

namespace tercet {

enum class WordSimilarity { lcs, exact, vectors };

// Distinct words and what YiSi knows of each.
struct YisiWords {
    Lines texts;
    const double* weights = nullptr;
    WordSimilarity similarity = WordSimilarity::lcs;
    const int32_t* folded = nullptr;   // words with the same number are the same but for case (vectors)
    const int64_t* vector = nullptr;   // row of the word's vector, -1 for none (vectors)
    const double* vectors = nullptr;   // rows of length 1
    int64_t dimension = 0;
};

struct YisiTask {
    WordRows hyps, refs;
    Groups groups = nullptr;
    YisiWords words;
    int order = 1;
};

// For each reference [precision, recall], both 0 where a side has no words.
void yisi_shares(const YisiTask& task, int threads, double* out);

// For each n-gram of the hypothesis the most similar one of the reference, the first of equals, and how similar it is.
struct YisiMatches {
    int order = 0;
    std::vector<int32_t> refs;
    std::vector<double> similarities;
};
YisiMatches yisi_matches(const YisiTask& task, int64_t hyp, int64_t ref);

// The length of the longest string of bytes that both have.
size_t longest_common_substring(std::string_view one, std::string_view other);

}  // namespace tercet
