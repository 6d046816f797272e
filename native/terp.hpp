// TER with stems, synonyms and paraphrases, and a price for each kind of edit: after TERp (Snover et al. 2009).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "meteor.hpp"
#include "script.hpp"
#include "text.hpp"

namespace tercet {

namespace terp {
// Kinds of edits, in the order of the statistics. An insertion is a word that only the reference has, a deletion one
// that only the hypothesis has: what turns the hypothesis into the reference.
enum Edit : uint8_t { insertion, deletion, substitution, shift, stem, synonym, paraphrase };
}  // namespace terp
inline constexpr size_t kTerpEdits = 7;

// What each kind costs in the search. A paraphrase costs this for each word of its longer side.
using TerpCosts = std::array<int64_t, kTerpEdits>;

// What is known of each numbered word; null where such matches are not wanted.
struct TerpWords {
    const int32_t* stems = nullptr;          // equal for equal stems
    const int64_t* synset_starts = nullptr;  // those of word w are synsets[synset_starts[w]] to [w + 1]
    const int32_t* synsets = nullptr;
};

struct TerpTask {
    WordRows hyps, refs;
    Groups groups = nullptr;
    TerpWords words;
    // Paraphrases of reference r are phrases[phrase_starts[r]] to phrases[phrase_starts[r + 1]]; null for none.
    const int64_t* phrase_starts = nullptr;
    const PhraseMatch* phrases = nullptr;
    TerpCosts costs{};
};

// [edits of each kind against the reference of the lowest cost, mean reference length]
void terp_statistics(const TerpTask& task, int threads, double* out);
inline constexpr int64_t kTerpColumns = kTerpEdits + 1;

// What the search did with one hypothesis: shifts of its words, then matches and edits.
struct TerpScript {
    struct Step {  // words of the shifted hypothesis beside those of the reference, and the edit; kTerpEdits: none
        int32_t hyp, hyp_length, ref, ref_length, kind;
    };
    int64_t reference = 0;  // the one that counts
    std::vector<EditScript::Shift> shifts;
    std::vector<Step> steps;  // from the end of the texts to their beginning
};
TerpScript terp_script(const TerpTask& task, int64_t row);

}  // namespace tercet
