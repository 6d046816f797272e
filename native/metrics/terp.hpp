// TERp (Snover et al. 2009) as the program of its authors searches it: TER with stems, synonyms and paraphrases, and a
// price for each kind of edit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "metrics/script.hpp"
#include "text/text.hpp"

namespace tercet {

namespace terp {
// Kinds of edits, in the order of the statistics. An insertion is a word that only the reference has, a deletion one
// that only the hypothesis has: what turns the hypothesis into the reference. The program names them the other way round.
enum Edit : uint8_t { insertion, deletion, substitution, shift, stem, synonym, paraphrase };
// Which blocks of words may be shifted: none, those that the reference has, or those that are like some of it.
enum class Shifts : uint8_t { none, exact, relax };
}  // namespace terp
inline constexpr size_t kTerpEdits = 7;

// What is known of each numbered word; null where nothing is.
struct TerpWords {
    const int32_t* stems = nullptr;          // equal for equal stems
    const int64_t* synset_starts = nullptr;  // those of word w are synsets[synset_starts[w]] to [w + 1]
    const int32_t* synsets = nullptr;
    const uint8_t* stop_words = nullptr;  // not 0: a block of nothing else is not shifted
};

// Paraphrases: row by row a phrase of references, one of hypotheses, and what it costs to have the one for the other.
struct TerpPhrases {
    WordRows refs, hyps;
    const double* costs = nullptr;
};

struct TerpTask {
    WordRows hyps, refs;
    Groups groups = nullptr;
    TerpWords words;
    TerpPhrases phrases;
    std::array<double, kTerpEdits> costs{};  // that of a paraphrase is its own
    double beam = 0;                         // how much dearer than the best a beginning may be
    terp::Shifts shifts = terp::Shifts::none;
};

// [edits of each kind against the reference of the lowest cost, what its paraphrases cost, mean reference length]
void terp_statistics(const TerpTask& task, int threads, double* out);
inline constexpr int64_t kTerpColumns = kTerpEdits + 2;

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
