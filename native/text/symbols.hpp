// Characters of one segment as small numbers, and their edit distance.
#pragma once

#include <iterator>

#include "common/columns.hpp"
#include "common/ngrams.hpp"
#include "common/stop.hpp"
#include "text/unicode.hpp"

namespace tercet {

// Numbers characters from 0 in the order in which they are first seen.
class Symbols {
  public:
    void reset() {
        std::fill(std::begin(ascii_), std::end(ascii_), int32_t{-1});
        others_.reset(64);
        size_ = 0;
    }
    int32_t number(char32_t c) {
        if (c < 128) return ascii_[c] >= 0 ? ascii_[c] : ascii_[c] = size_++;
        const uint32_t known = others_.size(), place = others_.add(0, c);
        if (place > known) numbers_.resize(place), numbers_[place - 1] = size_++;
        return numbers_[place - 1];
    }
    size_t size() const { return static_cast<size_t>(size_); }

  private:
    int32_t ascii_[128] = {};
    NgramIndex others_;
    std::vector<int32_t> numbers_;
    int32_t size_ = 0;
};

// The edit distance between two texts; what they have in common at their ends is passed over.
class CharacterDistance {
  public:
    int64_t operator()(const Chars& hyp, const Chars& ref) {
        size_t begin = 0, hyp_end = hyp.size(), ref_end = ref.size();
        while (begin < hyp_end && begin < ref_end && hyp[begin] == ref[begin]) ++begin;
        while (begin < hyp_end && begin < ref_end && hyp[hyp_end - 1] == ref[ref_end - 1]) --hyp_end, --ref_end;
        symbols_.reset();
        ref_.clear();
        hyp_.clear();
        for (size_t i = begin; i < ref_end; ++i) ref_.push_back(symbols_.number(ref[i]));
        for (size_t i = begin; i < hyp_end; ++i) hyp_.push_back(symbols_.number(hyp[i]));
        columns_.reset(ref_.data(), ref_.size(), symbols_.size());
        column_.resize(columns_.column_size());
        int64_t distance = columns_.start(column_.data());
        Pace pace;
        for (const int32_t symbol : hyp_) {
            pace.steps(static_cast<int64_t>(column_.size()));
            distance += columns_.step(symbol, column_.data());
        }
        return distance;
    }

  private:
    Symbols symbols_;
    std::vector<int32_t> hyp_, ref_;
    LevenshteinColumns columns_;
    std::vector<uint64_t> column_;
};

}  // namespace tercet
