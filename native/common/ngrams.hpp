// Exact n-gram bookkeeping without strings: an n-gram is the number of its (n-1)-gram and one symbol more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "common/hashing.hpp"
#include "common/stop.hpp"

namespace tercet {

// Numbers n-grams from 1 in the order in which they are first seen; 0 is the empty n-gram. The table is
// emptied by raising its epoch, so that a new segment costs nothing.
class NgramIndex {
  public:
    void reset(size_t expected) {
        size_t want = std::bit_ceil(std::min(expected, kMostExpected) * 2 + 16);
        if (slots_.size() < want) {
            slots_ = cleared(want);
            epoch_ = 0;
            mask_ = want - 1;
        } else {
            mask_ = want - 1;  // a short segment stays in a corner of the table, and so in the cache
        }
        if (++epoch_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            epoch_ = 1;
        }
        count_ = 0;
    }

    // The number of the n-gram `prefix` + `symbol`, 0 if it was never added.
    uint32_t find(uint32_t prefix, uint32_t symbol) const {
        const uint64_t key = static_cast<uint64_t>(prefix) << 32 | symbol;
        for (size_t i = hash_of(key) & mask_;; i = (i + 1) & mask_) {
            const Slot& slot = slots_[i];
            if (slot.epoch != epoch_) return 0;
            if (slot.key == key) return slot.id;
        }
    }

    // Asks for the memory that `find` and `add` will look at, which takes long in a large table.
    void prefetch(uint32_t prefix, uint32_t symbol) const {
        __builtin_prefetch(&slots_[hash_of(static_cast<uint64_t>(prefix) << 32 | symbol) & mask_]);
    }

    uint32_t add(uint32_t prefix, uint32_t symbol) {
        const uint64_t key = static_cast<uint64_t>(prefix) << 32 | symbol;
        for (size_t i = hash_of(key) & mask_;; i = (i + 1) & mask_) {
            Slot& slot = slots_[i];
            if (slot.epoch != epoch_) {
                if ((count_ + 1) * 2 > mask_) return grow(), add(prefix, symbol);
                slot = {key, epoch_, ++count_};
                return count_;
            }
            if (slot.key == key) return slot.id;
        }
    }

    uint32_t size() const { return count_; }

  private:
    static constexpr size_t kMostExpected = size_t{1} << 21;  // a giant text may repeat itself: the table grows

    struct Slot {
        uint64_t key = 0;
        uint32_t epoch = 0;
        uint32_t id = 0;
    };

    // Memory that has never been used takes long to get: a second for some gigabytes.
    static std::vector<Slot> cleared(size_t size) {
        constexpr size_t piece = size_t{1} << 20;
        std::vector<Slot> slots;
        for (slots.reserve(size); slots.size() < size; go_on_after(slots.size()))
            slots.resize(std::min(size, slots.size() + piece));
        return slots;
    }

    // What is stopped here leaves the table as it was.
    void grow() {
        const size_t used = mask_ + 1, mask = used * 2 - 1;
        std::vector<Slot> wider = cleared(std::max(used * 2, slots_.size()));
        Pace pace;
        for (size_t i = 0; i < used; ++i) {
            pace.steps(8);
            if (slots_[i].epoch != epoch_) continue;
            size_t to = hash_of(slots_[i].key) & mask;
            while (wider[to].epoch == epoch_) to = (to + 1) & mask;
            wider[to] = slots_[i];
        }
        slots_.swap(wider);
        mask_ = mask;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(64);
    size_t mask_ = 63;
    uint32_t epoch_ = 0;
    uint32_t count_ = 0;
};

// The n-grams of one short text with their counts, an n-gram packed into 36 bits: several times faster than
// NgramIndex where it fits, because a slot is eight bytes and no lookup waits for the one before. Keys below
// kSmall (characters, pairs of them, and longer ones where a symbol has few bits) are counted in a plain array.
class PackedBag {
  public:
    static constexpr int kKeyBits = 36, kEpochBits = 16, kCountBits = 12;
    static constexpr int kSmallBits = 12;
    static constexpr uint64_t kSmall = 1 << kSmallBits;

    // Bits of a symbol when n-grams of this order are packed; symbols start at 1, so that orders stay apart.
    static int symbol_bits(int order) { return kKeyBits / order; }
    static bool fits(int order, size_t symbols, size_t length) {
        return order <= kKeyBits && length < (size_t{1} << kCountBits) &&
               (symbol_bits(order) >= 32 || symbols < (size_t{1} << symbol_bits(order)));
    }

    // For so many n-grams of so many symbols, of so many bits each.
    void reset(size_t expected, size_t symbols, int bits) {
        // below (symbols + 1) shifted by as many more symbols as fit beside a first one
        const size_t used = (symbols + 1) << ((kSmallBits - 1) / bits * bits);
        std::fill_n(small_.begin(), std::min<size_t>(used, kSmall), uint16_t{0});
        const size_t want = std::bit_ceil(expected * 8 + 16);  // sparse: a collision costs more than a cache line
        if (slots_.size() < want || epoch_ + 1 == (1u << kEpochBits)) {
            slots_.assign(std::max(want, slots_.size()), 0);
            epoch_ = 0;
        }
        ++epoch_;
        shift_ = 64 - std::countr_zero(want);
        mask_ = want - 1;
    }

    void add(uint64_t key) {
        if (key < kSmall) {
            small_[key] += 1 + (small_[key] == 0);  // one more than the count, so that none left is not never there
            return;
        }
        uint64_t& slot = slot_of(key);
        slot = ((slot >> kCountBits) == tag(key) ? slot : tag(key) << kCountBits) + 1;
    }

    // Takes one occurrence out: 1 if there was one, 0 if all are taken, -1 if there never was any.
    int take(uint64_t key) {
        if (key < kSmall) {
            const bool left = small_[key] > 1;
            const int answer = small_[key] == 0 ? -1 : left;
            small_[key] -= left;
            return answer;
        }
        uint64_t& slot = slot_of(key);
        if ((slot >> kCountBits) != tag(key)) return -1;
        const bool left = (slot & ((1u << kCountBits) - 1)) != 0;
        slot -= left;
        return left;
    }

  private:
    uint64_t tag(uint64_t key) const { return key << kEpochBits | epoch_; }

    // The slot of the key, or the free one where it would be put.
    uint64_t& slot_of(uint64_t key) {
        const uint64_t epoch_mask = (1u << kEpochBits) - 1;
        for (size_t i = (key * hash_seeds.odd) >> shift_;; i = (i + 1) & mask_) {
            const uint64_t found = slots_[i] >> kCountBits;
            const bool here = found == tag(key), free = (found & epoch_mask) != epoch_;
            if (static_cast<int>(here) | static_cast<int>(free)) return slots_[i];  // one branch, well foretold
        }
    }

    std::vector<uint16_t> small_ = std::vector<uint16_t>(kSmall);
    std::vector<uint64_t> slots_ = std::vector<uint64_t>(64);
    size_t mask_ = 63;
    int shift_ = 58;
    uint64_t epoch_ = 0;
};

// Calls match(n, taken) for every n-gram of the hypothesis, n + 1 symbols long, that the reference has; taken is 1
// while it has one left that no earlier n-gram took, then 0. Symbols are numbered from 1; 0 is a symbol that the reference does not have. The bag must fit.
template <class Match>
void match_packed(PackedBag& bag, const std::vector<uint32_t>& hyp, const std::vector<uint32_t>& ref, size_t symbols,
                  int order, const Match& match) {
    const int bits = PackedBag::symbol_bits(order);
    bag.reset(ref.size() * std::max(1, order - PackedBag::kSmallBits / bits), symbols, bits);
    for (size_t i = 0; i < ref.size(); ++i) {
        uint64_t key = 0;
        const size_t end = std::min(ref.size(), i + order);
        for (size_t k = i; k < end; ++k) bag.add(key = key << bits | ref[k]);
    }
    Pace pace;
    for (size_t i = 0; i < hyp.size(); ++i) {
        pace.steps(4 * int64_t{order});
        uint64_t key = 0;
        const size_t end = std::min(hyp.size(), i + order);
        for (size_t k = i; k < end && hyp[k] != 0; ++k) {
            const int taken = bag.take(key = key << bits | hyp[k]);
            if (taken < 0) break;
            match(k - i, taken);
        }
    }
}

// The same for texts of any length and symbols of any number. `left` is memory: occurrences that are not taken yet.
template <class Symbol, class Match>
void match_indexed(NgramIndex& index, std::vector<int32_t>& left, const Symbol* hyp, size_t hyp_size,
                   const Symbol* ref, size_t ref_size, int order, const Match& match) {
    index.reset(ref_size * order);
    left.assign(ref_size * order + 1, 0);
    Pace pace;
    for (size_t i = 0; i < ref_size; ++i) {
        pace.steps(8 * int64_t{order});
        uint32_t ngram = 0;
        const size_t end = std::min(ref_size, i + order);
        for (size_t k = i; k < end; ++k) ++left[ngram = index.add(ngram, ref[k])];
    }
    for (size_t i = 0; i < hyp_size; ++i) {
        pace.steps(8 * int64_t{order});
        uint32_t ngram = 0;
        const size_t end = std::min(hyp_size, i + order);
        for (size_t k = i; k < end; ++k) {
            ngram = index.find(ngram, hyp[k]);
            if (ngram == 0) break;
            const bool taken = left[ngram] > 0;
            left[ngram] -= taken;
            match(k - i, taken);
        }
    }
}

// Numbers words from 0 in the order in which they are first seen. It keeps views: the text must outlive it.
class Vocabulary {
  public:
    void reset(size_t expected) {
        const size_t want = std::bit_ceil(expected * 2 + 16);
        if (slots_.size() < want) {
            slots_.assign(want, 0);
        } else {
            std::fill_n(slots_.begin(), want, 0);
        }
        mask_ = want - 1;
        words_.clear();
    }

    int32_t add(std::string_view word) {
        for (size_t i = hash(word) & mask_;; i = (i + 1) & mask_) {
            if (slots_[i] == 0) {
                if ((words_.size() + 1) * 2 > mask_) return grow(), add(word);
                words_.push_back(word);
                slots_[i] = static_cast<int32_t>(words_.size());
                return slots_[i] - 1;
            }
            if (words_[slots_[i] - 1] == word) return slots_[i] - 1;
        }
    }

    int32_t find(std::string_view word) const {
        for (size_t i = hash(word) & mask_; slots_[i] != 0; i = (i + 1) & mask_)
            if (words_[slots_[i] - 1] == word) return slots_[i] - 1;
        return -1;
    }

    const std::vector<std::string_view>& words() const { return words_; }

    // How many places are looked at until a word is found, a place for each other word that was put there before.
    int64_t places(std::string_view word) const {
        size_t i = hash(word) & mask_;
        int64_t looked = 1;
        for (; slots_[i] != 0 && words_[slots_[i] - 1] != word; i = (i + 1) & mask_) ++looked;
        return looked;
    }

  private:
    static uint64_t hash(std::string_view word) {
        const char* bytes = word.data();
        const size_t size = word.size();
        uint64_t h = hash_seeds.first ^ size;
        for (size_t i = 0; i + 8 < size; i += 8) h = folded(h ^ load<uint64_t>(bytes + i), hash_seeds.second);
        // the last eight bytes or fewer, in pieces that may overlap
        uint64_t last = 0;
        if (size >= 8) {
            last = load<uint64_t>(bytes + size - 8);
        } else if (size >= 4) {
            last = static_cast<uint64_t>(load<uint32_t>(bytes)) << 32 | load<uint32_t>(bytes + size - 4);
        } else if (size > 0) {
            const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])); };
            last = byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
        }
        return folded(h ^ last, hash_seeds.second);
    }

    template <class T>
    static T load(const char* from) {
        T value;
        std::memcpy(&value, from, sizeof value);
        return value;
    }

    void grow() {
        mask_ = mask_ * 2 + 1;
        slots_.assign(std::max(slots_.size(), mask_ + 1), 0);
        for (size_t w = 0; w < words_.size(); ++w) {
            size_t i = hash(words_[w]) & mask_;
            while (slots_[i] != 0) i = (i + 1) & mask_;
            slots_[i] = static_cast<int32_t>(w) + 1;
        }
    }

    std::vector<int32_t> slots_ = std::vector<int32_t>(64);
    std::vector<std::string_view> words_;
    size_t mask_ = 63;
};

}  // namespace tercet
