// A map from 64-bit keys other than 0 to 32-bit values, in two arrays: a third of what std::unordered_map takes.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace tercet {

template <class Value>
class FlatMap {
  public:
    // Whether the key is new; the value of one that is not stays as it was.
    bool insert(uint64_t key, Value value) {
        if ((size_ + 1) * 3 > keys_.size() * 2) grow();
        const size_t at = slot(key);
        if (keys_[at] == key) return false;
        keys_[at] = key;
        values_[at] = value;
        ++size_;
        return true;
    }

    const Value* find(uint64_t key) const {
        const size_t at = slot(key);
        return keys_[at] == key ? &values_[at] : nullptr;
    }

    int64_t size() const { return static_cast<int64_t>(size_); }

  private:
    size_t slot(uint64_t key) const {
        uint64_t mixed = (key ^ key >> 32) * 0x9E3779B97F4A7C15ULL;
        mixed ^= mixed >> 29;
        const size_t mask = keys_.size() - 1;
        size_t at = mixed & mask;
        while (keys_[at] != 0 && keys_[at] != key) at = (at + 1) & mask;
        return at;
    }

    void grow() {
        std::vector<uint64_t> keys(keys_.size() * 2);
        std::vector<Value> values(keys.size());
        keys.swap(keys_);
        values.swap(values_);
        for (size_t i = 0; i < keys.size(); ++i) {
            if (keys[i] == 0) continue;
            const size_t at = slot(keys[i]);
            keys_[at] = keys[i];
            values_[at] = values[i];
        }
    }

    std::vector<uint64_t> keys_ = std::vector<uint64_t>(64);
    std::vector<Value> values_ = std::vector<Value>(64);
    size_t size_ = 0;
};

}  // namespace tercet
