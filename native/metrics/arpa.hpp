// Back-off language models from ARPA files, with the sums of KenLM: 32 bits, in its order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/flat_map.hpp"
#include "common/word_list.hpp"
#include "text/text.hpp"

namespace tercet {

// n-grams as a tree: an n-gram is its history's number and its last word. Number 0 is the empty history, and unigrams
// have the numbers of their words, from 1.
class ArpaModel {
  public:
    // The next line of the file: nothing, or what is wrong with it.
    std::string read(std::string_view line);

    // After the last line: nothing, or what is missing.
    std::string finish();

    int order() const { return static_cast<int>(declared_.size()); }
    int64_t size() const { return size_; }

    bool finished() const { return finished_; }

    // log10 of the probability of a row of words, with or without <s> before and </s> after it, of a finished model.
    float score(const Tokens& tokens, int64_t row, bool whole_sentence) const;

    // Of each word of a row, and of </s> if it is a whole sentence: log10 of its probability, and how many words long
    // the n-gram is that the model knows it by.
    void words(const Tokens& tokens, int64_t row, bool whole_sentence, double* out) const;

  private:
    enum class Part { before, counts, ngrams, after };
    using Node = uint32_t;
    struct Ngram {
        Node node;  // kNone for one of the highest order, which is nobody's history
        float probability;
    };
    // What is known of each word of a row.
    struct Reading {
        std::vector<int32_t> words;
        std::vector<float> probabilities;   // of the longest n-gram that ends here
        std::vector<uint8_t> matched;       // its words
        std::vector<Node> nodes;            // of n-grams of each order, by order and place
    };

    static constexpr Node kNone = 0;
    static constexpr int kMostOrder = 16;

    std::string begin_order(std::string_view line);
    std::string read_count(std::string_view line);
    std::string read_ngram(std::string_view line);
    std::string end_order() const;
    Node child(Node history, int32_t word) const;
    void look_up(const Tokens& tokens, int64_t row, bool whole_sentence, Reading& out) const;
    template <class Visit>
    void follow(const Tokens& tokens, int64_t row, bool whole_sentence, const Visit& visit) const;

    Part part_ = Part::before;
    bool finished_ = false;
    int current_ = 0;                // order of the n-grams that are being read
    int64_t seen_ = 0;               // of them
    std::vector<int64_t> declared_;  // how many there are of each order
    std::vector<std::string_view> fields_;
    WordList words_;
    FlatMap<Ngram> ngrams_;                               // of two words and more
    std::vector<float> unigrams_{0}, backoffs_{0};       // by node; back-offs of all orders but the highest
    int64_t size_ = 0;
    int32_t unknown_ = -1, begin_ = -1, end_ = -1;
};

}  // namespace tercet
