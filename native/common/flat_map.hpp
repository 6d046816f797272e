// A map from 64-bit keys other than 0 to small values, in one array: a third of what std::unordered_map takes, and one
// place of memory a look.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "common/hashing.hpp"

namespace tercet {

template <class Value>
class FlatMap {
  public:
    // Whether the key is new; the value of one that is not stays as it was.
    bool insert(uint64_t key, Value value) { return added(key, value).second; }

    // The value of a key, and whether it is new: if so, it is the one given.
    std::pair<Value, bool> added(uint64_t key, Value value) {
        if ((size_ + 1) * 3 > slots_.size() * 2) grow();
        Slot& slot = slots_[place(key)];
        if (slot.key() == key) return {slot.value, false};
        slot = Slot(key, value);
        ++size_;
        return {value, true};
    }

    const Value* find(uint64_t key) const {
        const Slot& slot = slots_[place(key)];
        return slot.key() == key ? &slot.value : nullptr;
    }

    int64_t size() const { return static_cast<int64_t>(size_); }

    // Calls visit(key, value) for all, in an order that means nothing: only for what comes out the same in any.
    template <class Visit>
    void for_all(const Visit& visit) const {
        for (const Slot& slot : slots_)
            if (slot.key() != 0) visit(slot.key(), slot.value);
    }

  private:
    // In halves, so that a slot with a value of 32 bits has 12 bytes and not 16.
    struct Slot {
        Slot() = default;
        Slot(uint64_t key, Value kept) : low(static_cast<uint32_t>(key)), high(static_cast<uint32_t>(key >> 32)), value(kept) {}
        uint64_t key() const { return static_cast<uint64_t>(high) << 32 | low; }

        uint32_t low = 0, high = 0;
        Value value{};
    };
    static_assert(alignof(Value) <= 4);

    size_t place(uint64_t key) const {
        const size_t mask = slots_.size() - 1;
        size_t at = hash_of(key) & mask;
        for (uint64_t here; (here = slots_[at].key()) != 0 && here != key;) at = (at + 1) & mask;
        return at;
    }

    void grow() {
        std::vector<Slot> slots(slots_.size() * 2);
        slots.swap(slots_);
        for (const Slot& slot : slots)
            if (slot.key() != 0) slots_[place(slot.key())] = slot;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(64);
    size_t size_ = 0;
};

}  // namespace tercet
