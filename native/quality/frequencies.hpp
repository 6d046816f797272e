// How often n-grams occur in a corpus, from a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/flat_map.hpp"
#include "common/word_list.hpp"
#include "text/text.hpp"

namespace tercet {

// n-grams as a tree: an n-gram is the number of its words but the last, and its last word. Number 0 is the empty one.
class NgramFrequencies {
  public:
    // Nothing, or what is wrong with the line: "words, separated by blanks TAB count".
    std::string add(std::string_view line);

    int64_t size() const { return size_; }

    // The frequency of each n-gram of a row, from left to right; 0 for one that is not there.
    void look_up(const Tokens& text, int64_t row, int n, int64_t* out) const;

  private:
    using Node = uint32_t;
    Node child(Node parent, int32_t word) const;

    int64_t size_ = 0;
    WordList words_;
    FlatMap<Node> nodes_;
    std::vector<int64_t> counts_{0};
};

}  // namespace tercet
