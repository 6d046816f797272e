// A parser that has seen one tree: how likely it finds the best tree of another text (after Yu et al. 2015).
#pragma once

#include "text/text.hpp"

namespace tercet {

struct TaggedRows {
    WordRows words;
    const int32_t* tags = nullptr;  // one a word
};

inline constexpr int64_t kTreeWords = 1000;  // of a text, at most: words of a reference are numbers of ten bits

// Whether a word depends on another is asked of every pair by a maximum-entropy model, which the tree of a reference has
// trained with a penalty on squared weights. A row a reference: [sum of log-probabilities of the dependencies of the
// likeliest projective tree of the hypothesis, the same of the reference itself]. `heads` are those of the references,
// places from 0 or -1.
void tree_models(const TaggedRows& hyps, const TaggedRows& refs, const int32_t* heads, Groups groups, double penalty,
                 int threads, double* out);

}  // namespace tercet
