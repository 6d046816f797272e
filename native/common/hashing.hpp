// Hashing that no text can be written against: every process draws its own seeds. What is kept in a hash table is
// numbered in the order in which it is met, and never gone through by where it lies, so that seeds move no score.
#pragma once

#include <cstdint>

namespace tercet {

struct HashSeeds {
    uint64_t first, second;
    uint64_t odd;
};

extern const HashSeeds hash_seeds;

// Both halves of a product, one laid over the other.
inline uint64_t folded(uint64_t a, uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{a} * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_of(uint64_t key) { return folded(key ^ hash_seeds.first, hash_seeds.second); }

}  // namespace tercet
