// n-grams of a text by number, counted, and the language model of interpolated modified Kneser-Ney smoothing
// (Chen and Goodman 1998; Heafield et al. 2013) that they make.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/word_list.hpp"
#include "text/text.hpp"

namespace tercet {

// n-grams of every order up to the highest. An n-gram is its history (the n-gram of its words but the last, by number)
// and its last word; its suffix is the n-gram of its words but the first.
class NgramCounter {
  public:
    struct Order {
        std::vector<uint32_t> history, suffix, count;
        std::vector<int32_t> word;
        int64_t size() const { return static_cast<int64_t>(word.size()); }
    };

    // With sentences, <s> stands before each line and </s> after it, and <unk> is a word that never occurs.
    NgramCounter(int order, bool sentences);

    // How many words were left out: those that an ARPA file cannot hold. Lines without a word do not count.
    int64_t add(const Tokens& text, int threads);

    void count(int threads);

    int order() const { return order_; }
    bool sentences() const { return sentences_; }
    bool counted() const { return !orders_.empty(); }
    int64_t lines() const { return lines_; }
    int64_t words() const { return words_; }
    const Order& of(int n) const { return orders_[n - 1]; }
    const WordList& vocabulary() const { return vocabulary_; }

    // The words of an n-gram, separated by blanks.
    void write(int n, uint32_t ngram, std::string& out) const;

    static constexpr int32_t kUnknown = 0, kBegin = 1, kEnd = 2;  // words, where there are sentences

  private:
    struct Part;

    void number(const Tokens& text, int64_t begin, int64_t end, Part& part) const;
    void next_order(std::vector<uint32_t>& ends, int threads);

    int order_;
    bool sentences_;
    int64_t lines_ = 0, words_ = 0;
    WordList vocabulary_;
    std::vector<int32_t> text_;  // all lines; before each of them stands -1
    std::vector<Order> orders_;
};

// Log10 probabilities and back-offs of all n-grams of sentences.
class KneserNey {
  public:
    struct Discounts {
        std::array<int64_t, 4> counts{};  // n-grams that are counted once, twice, three and four times
        std::array<double, 3> values{};   // taken from counts of 1, 2, and 3 or more
        bool estimated = false;           // if not, there were too few n-grams to tell, and they are the usual ones
    };

    KneserNey(const NgramCounter& counts, int threads);

    int order() const { return counts_->order(); }
    const NgramCounter& counts() const { return *counts_; }
    const Discounts& discounts(int n) const { return discounts_[n - 1]; }

    // Lines of the ARPA file: n-grams of an order from `begin` to before `end`.
    std::string lines(int n, int64_t begin, int64_t end) const;

  private:
    void adjust(int n, std::vector<uint32_t>& out) const;
    void estimate(int n, const std::vector<uint32_t>& adjusted, int threads);

    const NgramCounter* counts_;
    std::vector<Discounts> discounts_;
    std::vector<std::vector<float>> probabilities_;  // not of logarithms
    std::vector<std::vector<float>> backoffs_;
};

}  // namespace tercet
