// Clipped n-gram counts of several references, which BLEU and NIST share.
#pragma once

#include <algorithm>
#include <vector>

#include "common/ngrams.hpp"
#include "text/text.hpp"

namespace tercet {

// The n-grams of a segment's references. limit[g] is how often a hypothesis may match n-gram g: as often as the
// reference that has it most often; matching takes one away.
struct ClippedReferences {
    Vocabulary vocabulary;
    NgramIndex index;
    std::vector<int32_t> limit;
    std::vector<int64_t> first_word;  // of the references, where each n-gram is first seen

    void count(const Tokens& refs, int64_t first, int64_t last, int order) {
        const int64_t total = refs.rows[last] - refs.rows[first];
        vocabulary.reset(total);
        index.reset(total * order);
        limit.assign(total * order + 1, 0);
        first_word.assign(1, 0);
        Pace pace;
        for (int64_t r = first; r < last; ++r) {
            read_row(refs, r, [&](std::string_view word) { return vocabulary.add(word); }, words);
            seen.assign(limit.size(), 0);
            for (size_t k = 0; k < words.size(); ++k) {
                pace.steps(8 * int64_t{order});
                uint32_t ngram = 0;
                const size_t end = std::min(words.size(), k + order);
                for (size_t w = k; w < end; ++w) {
                    ++seen[ngram = index.add(ngram, words[w])];
                    if (ngram == first_word.size()) first_word.push_back(refs.rows[r] + static_cast<int64_t>(k));
                }
            }
            for (uint32_t g = 1; g <= index.size(); ++g) limit[g] = std::max(limit[g], seen[g]);
        }
    }

    // Calls found(n-gram, n, taken) for every n-gram of the row, n + 1 words long, that a reference has; taken says
    // whether one was left.
    template <class Match>
    void match(const Tokens& hyps, int64_t row, int order, const Match& found) {
        read_row(hyps, row, [&](std::string_view word) { return vocabulary.find(word); }, words);
        Pace pace;
        for (size_t k = 0; k < words.size(); ++k) {
            pace.steps(8 * int64_t{order});
            uint32_t ngram = 0;
            const size_t end = std::min(words.size(), k + order);
            for (size_t w = k; w < end && words[w] >= 0; ++w) {
                ngram = index.find(ngram, words[w]);
                if (ngram == 0) break;
                const bool taken = limit[ngram] > 0;
                limit[ngram] -= taken;
                found(ngram, w - k, taken);
            }
        }
    }

  private:
    std::vector<int32_t> words, seen;
};

}  // namespace tercet
