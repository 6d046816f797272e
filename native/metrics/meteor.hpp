// METEOR 1.5 (Denkowski and Lavie 2014): which words may be matched, and the search for the best alignment.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/paraphrases.hpp"
#include "text/text.hpp"

namespace tercet {

// Java's String.hashCode and String.length of a text in UTF-8: METEOR compares words by nothing but the first.
struct JavaString {
    int32_t hash = 0, length = 0;
};
JavaString java_string(std::string_view text);

// What is known of each numbered word. The synsets of word w are synsets[synset_starts[w]] to
// synsets[synset_starts[w + 1]].
struct MeteorWords {
    const int32_t* hashes = nullptr;
    const int32_t* lengths = nullptr;    // what a word counts: 1, or its characters
    const uint8_t* function = nullptr;
    const int32_t* stems = nullptr;      // hashes of the stems
    const int64_t* synset_starts = nullptr;
    const int32_t* synsets = nullptr;
    const int32_t* in_table = nullptr;   // its number in the paraphrase table
};

enum class MeteorModule { exact, stem, synonym, paraphrase, given };

// A matcher in its place among the others. Matches that are given, found before, are for reference r those from
// matches[starts[r]] to matches[starts[r + 1]].
struct MeteorStage {
    MeteorModule module = MeteorModule::exact;
    const ParaphraseTable* table = nullptr;
    const int64_t* starts = nullptr;
    const PhraseMatch* matches = nullptr;
};

struct MeteorMatch : PhraseMatch {
    int32_t stage;
};

struct MeteorTask {
    WordRows hyps, refs;
    Groups groups;
    MeteorWords words;
    std::vector<MeteorStage> stages;
    bool equal_credit = false;  // in the search a match of any stage counts in full; METEOR halves all but exact
};

// Both throw std::overflow_error with the number of a segment whose words can be matched in too many ways.

// For every reference: [length of hypothesis, of reference, function words of both, then for each of `slots` stages:
// content words matched in hypothesis and reference, function words likewise; chunks, words matched in both]
void meteor_statistics(const MeteorTask& task, int slots, int threads, double* out);
inline int64_t meteor_columns(int slots) { return 4 + 4 * static_cast<int64_t>(slots) + 3; }

// The alignment of each hypothesis with each of its references, in the order of the reference's words.
struct MeteorAlignments {
    std::vector<MeteorMatch> matches;
    std::vector<int64_t> starts{0};  // one a reference, and one more
};
MeteorAlignments meteor_alignments(const MeteorTask& task);

}  // namespace tercet
