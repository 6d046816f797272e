// n-grams that two short texts have in common, by bits. The places of the reference where an n-gram of the hypothesis ends
// are a set, 64 places to a word: those behind a place of the n-gram before, without its last symbol, that have that
// symbol. Each takes the first place that none before it took, so that none counts more often than either text has it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tercet {

class NgramPlaces {
  public:
    static constexpr size_t kMaxLength = 512;  // of a reference, from where on a table of n-grams is faster
    static constexpr size_t kMostSymbols = 1 << 20;  // of a hypothesis: nobody is asked meanwhile whether to go on
    static constexpr int kMaxOrder = 6;

    static bool fits(int order, size_t hyp_size, size_t ref_size) {
        return order <= kMaxOrder && ref_size <= kMaxLength && hyp_size <= kMostSymbols;
    }

    // Calls match(n, matches) for n-grams of n + 1 symbols, for each n below the order. Symbols of the reference are
    // numbered from 1 up to `symbols`; 0 is one that it does not have.
    template <class Match>
    void match(const std::vector<uint32_t>& hyp, const std::vector<uint32_t>& ref, size_t symbols, int order,
               const Match& match) {
        const size_t words = (ref.size() + 63) / 64;
        places_.assign((symbols + 1) * words, 0);
        for (size_t r = 0; r < ref.size(); ++r) places_[ref[r] * words + r / 64] |= uint64_t{1} << r % 64;
        uint64_t taken[kMaxOrder * kMaxLength / 64] = {};
        take(hyp.data(), hyp.size(), places_.data(), words, order, taken);
        for (size_t n = 0; n < static_cast<size_t>(order); ++n) {
            int matches = 0;
            for (size_t w = 0; w < words; ++w) matches += std::popcount(taken[(n / 2 * words + w) * 2 + n % 2]);
            match(n, matches);
        }
    }

  private:
    // The places that n-grams take, two orders side by side. `places` has so many words for each symbol.
    static void take(const uint32_t* hyp, size_t size, const uint64_t* places, size_t words, int order, uint64_t* taken);

    std::vector<uint64_t> places_;  // of each symbol of the reference
};

}  // namespace tercet
