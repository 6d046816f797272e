// Greedy matching of token vectors: every token takes the most similar one of the other side (BERTScore, BERTr).
#pragma once

#include "text/text.hpp"

namespace tercet {

// Texts as rows of numbers, one a token: those of text i are from offsets[i] to offsets[i + 1].
struct TokenVectors {
    const float* rows = nullptr;
    const int64_t* offsets = nullptr;
    const double* weights = nullptr;  // of each token in the mean of its side
    int64_t size = 0;
};

struct SoftTask {
    TokenVectors hyps, refs;
    Groups groups = nullptr;
    int64_t dimension = 0;
    bool floored = false;  // whether a similarity below 0 counts as 0
};

// For each reference [precision, recall]: the weighted mean of each token's highest cosine. Both 0 where a side has no
// tokens; where all weights of a side are 0, so is its mean.
void soft_shares(const SoftTask& task, int threads, double* out);

}  // namespace tercet
