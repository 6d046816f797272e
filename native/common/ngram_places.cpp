#include "common/ngram_places.hpp"

#include <algorithm>

#include "common/clones.hpp"

namespace tercet {

namespace {

using Pair = uint64_t __attribute__((vector_size(16)));  // words of two orders, one after the other

// For so many pairs of orders, and so many words a set.
template <size_t P, size_t W>
[[gnu::always_inline]] inline void take_pairs(const uint32_t* hyp, size_t size, const uint64_t* places, uint64_t* out) {
    Pair ends[P][W] = {}, taken[P][W] = {};
    for (size_t i = 0; i < size; ++i) {
        const uint64_t* symbol = places + hyp[i] * W;
        for (size_t p = P; p-- > 0;) {
            Pair carry = {p == 0, 0}, none_before = ~Pair{};
            for (size_t w = 0; w < W; ++w) {
                // of the n-gram without its last symbol; the empty one ends everywhere
                const Pair before = {p == 0 ? ~uint64_t{0} : ends[p == 0 ? 0 : p - 1][w][1], ends[p][w][0]};
                ends[p][w] = (before << 1 | carry) & Pair{symbol[w], symbol[w]};
                carry = before >> 63;
                const Pair left = ends[p][w] & ~taken[p][w];
                taken[p][w] |= left & -left & none_before;
                none_before &= reinterpret_cast<Pair>(left == 0);
            }
        }
    }
    std::copy_n(reinterpret_cast<const uint64_t*>(taken), P * W * 2, out);
}

template <size_t P>
[[gnu::always_inline]] inline void take_words(const uint32_t* hyp, size_t size, const uint64_t* places, size_t words,
                                              uint64_t* out) {
    switch (words) {
        case 1: return take_pairs<P, 1>(hyp, size, places, out);
        case 2: return take_pairs<P, 2>(hyp, size, places, out);
        case 3: return take_pairs<P, 3>(hyp, size, places, out);
        case 4: return take_pairs<P, 4>(hyp, size, places, out);
        case 5: return take_pairs<P, 5>(hyp, size, places, out);
        case 6: return take_pairs<P, 6>(hyp, size, places, out);
        case 7: return take_pairs<P, 7>(hyp, size, places, out);
        case 8: return take_pairs<P, 8>(hyp, size, places, out);
        default: return;
    }
}

TERCET_CLONES void take_all(const uint32_t* hyp, size_t size, const uint64_t* places, size_t words, int order,
                            uint64_t* out) {
    if (order <= 2) return take_words<1>(hyp, size, places, words, out);
    if (order <= 4) return take_words<2>(hyp, size, places, words, out);
    take_words<3>(hyp, size, places, words, out);
}

}  // namespace

void NgramPlaces::take(const uint32_t* hyp, size_t size, const uint64_t* places, size_t words, int order,
                       uint64_t* taken) {
    static_assert(kMaxLength == 8 * 64 && kMaxOrder == 3 * 2);
    take_all(hyp, size, places, words, order, taken);
}

}  // namespace tercet
