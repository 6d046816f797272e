// IBM model 1 (Brown et al. 1993): probabilities of word translations by EM, and what they say of a translation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/flat_map.hpp"
#include "common/word_list.hpp"
#include "text/text.hpp"

namespace tercet {

struct Ibm1Entry {
    int32_t source, target;
    float probability;
};

// Pairs of sentences, and p(target word | source word), trained on them. Source word 0 is the empty word.
class Ibm1Trainer {
  public:
    Ibm1Trainer(bool empty_word, int64_t longest) : empty_word_(empty_word), longest_(longest) { sources_.add(""); }

    // How many pairs were left out, for a side that is empty or longer than the longest.
    int64_t add(const Tokens& source, const Tokens& target);

    // Distinct pairs of words that meet in a pair of sentences: what must be kept.
    int64_t prepare(int threads);

    // One round of EM. What it gives is the log-likelihood (natural) of the target words before the round.
    double iterate(int threads);

    // Every pair of words with this probability or more: by source word, and the likely ones first.
    std::vector<Ibm1Entry> entries(double least, int threads) const;

    int64_t pairs() const { return static_cast<int64_t>(source_rows_.size()) - 1; }
    int64_t target_words() const { return static_cast<int64_t>(targets_of_.size()); }
    const WordList& sources() const { return sources_; }
    const WordList& targets() const { return targets_; }

  private:
    struct Slot {
        int32_t word = -1;
        float probability = 0;
    };
    struct Scratch;

    void index();
    double expect(int threads);
    void maximise(int threads);
    void maximise(int32_t source, Scratch& scratch);
    Slot& slot(int32_t source, int32_t target);
    float probability(int32_t source, int32_t target) const;

    bool empty_word_;
    int64_t longest_;
    bool prepared_ = false, started_ = false;
    WordList sources_, targets_;
    std::vector<int64_t> source_rows_{0}, target_rows_{0};
    std::vector<int32_t> sources_of_, targets_of_;  // words of the sentences, end to end
    std::vector<int64_t> meeting_starts_;           // of each source word, in what follows
    std::vector<int32_t> meetings_;                 // the sentences in which it stands, as often as it does
    std::vector<int64_t> slot_starts_;              // of each source word, in what follows
    std::vector<Slot> slots_;                       // a hash table a source word, end to end
    std::vector<float> sums_;                       // of each target word in its sentence: all that may explain it
};

// A table of p(target word | source word), from a file.
class Ibm1Table {
  public:
    // Nothing, or what is wrong with the line: "source TAB target TAB probability", or with spaces.
    std::string add(std::string_view line);

    int64_t size() const { return probabilities_.size(); }
    bool has_empty_word() const { return sources_.find("") >= 0; }
    int32_t source(std::string_view word) const { return sources_.find(word); }
    int32_t target(std::string_view word) const { return targets_.find(word); }
    float probability(int32_t source, int32_t target) const;  // 0 for a pair that is not there

    // Of each source word, by number, how many words it translates to with a probability above the threshold.
    std::vector<int32_t> translations(float above) const;

  private:
    WordList sources_, targets_;
    FlatMap<float> probabilities_;
};

// Of each segment the log10 probability of its target words, and their number. Pairs that the table lacks have the
// probability `floor`; without a table, words translate themselves.
void ibm1_statistics(const Tokens& sources, const Tokens& targets, const Ibm1Table* table, double floor, int threads,
                     double* out);

// Of each target word of a row the source word that explains it best: its place in the row (-1: the empty word, or none
// that the table knows), and the probability.
void ibm1_links(const Tokens& sources, const Tokens& targets, const Ibm1Table& table, int64_t row, int32_t* places,
                float* probabilities);

}  // namespace tercet
