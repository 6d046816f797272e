// ROUGE (Lin 2004) as rouge_score computes it: n-grams, or the longest common subsequence, in common.
#pragma once

#include "text/text.hpp"

namespace tercet {

// [matches, of the hypothesis, of the reference, F] against the reference with the best F, the first of equals. An
// order of 0 is ROUGE-L: words of the longest common subsequence.
void rouge_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int order, int threads, double* out);
inline constexpr int64_t kRougeColumns = 4;

struct RougeOptions {
    bool stem = false;     // words of more than three letters
    bool unicode = false;  // words of any script, where rouge_score knows a to z and digits
};
// Words of a line that is lower-cased already.
void tokenize_rouge(std::string_view line, const RougeOptions& options, TokenBuffer& out);

}  // namespace tercet
