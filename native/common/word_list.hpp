// Words by number, kept in memory of their own, so that the text they came from may go.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "common/ngrams.hpp"

namespace tercet {

class WordList {
  public:
    int32_t add(std::string_view word) {
        const int32_t known = numbers_.find(word);
        if (known >= 0) return known;
        return numbers_.add(kept_.emplace_back(word));
    }
    int32_t find(std::string_view word) const { return numbers_.find(word); }
    const std::string& operator[](int32_t number) const { return kept_[number]; }
    int32_t size() const { return static_cast<int32_t>(kept_.size()); }

  private:
    Vocabulary numbers_;
    std::deque<std::string> kept_;  // whose strings stay where they are
};

}  // namespace tercet
