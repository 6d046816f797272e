// Back-off language models from ARPA files, with the sums of KenLM: 32 bits, in its order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flat_map.hpp"
#include "text.hpp"
#include "word_list.hpp"

namespace tercet {

// n-grams as a tree: an n-gram is its history's number and its last word. Number 0 is the empty history.
class ArpaModel {
  public:
    // The next line of the file: nothing, or what is wrong with it.
    std::string read(std::string_view line);

    // After the last line: nothing, or what is missing.
    std::string finish();

    int order() const { return static_cast<int>(declared_.size()); }
    int64_t size() const { return static_cast<int64_t>(probabilities_.size()) - 1; }

    // log10 of the probability of a row of words, with or without <s> before and </s> after it.
    float score(const Tokens& tokens, int64_t row, bool whole_sentence) const;

  private:
    enum class Part { before, counts, ngrams, after };
    using Node = uint32_t;

    static constexpr Node kNone = 0;
    static constexpr int kMostOrder = 16;

    std::string begin_order(std::string_view line);
    std::string read_count(std::string_view line);
    std::string read_ngram(std::string_view line);
    std::string end_order() const;
    Node child(Node history, int32_t word) const;
    float step(int32_t word, std::vector<Node>& histories) const;

    Part part_ = Part::before;
    int current_ = 0;                // order of the n-grams that are being read
    int64_t seen_ = 0;               // of them
    std::vector<int64_t> declared_;  // how many there are of each order
    std::vector<std::string_view> fields_;
    WordList words_;
    FlatMap<Node> nodes_;
    std::vector<float> probabilities_{0}, backoffs_{0};
    int32_t unknown_ = -1, begin_ = -1, end_ = -1;
};

}  // namespace tercet
