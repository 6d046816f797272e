#include "common/hashing.hpp"

#include <random>

namespace tercet {

namespace {

// Half of its bits are set: a factor of few would leave neighbours side by side.
uint64_t factor(std::random_device& device) {
    for (;;) {
        const uint64_t drawn = (uint64_t{device()} << 32 | device()) | 1;
        const int set = __builtin_popcountll(drawn);
        if (set >= 24 && set <= 40) return drawn;
    }
}

HashSeeds drawn_seeds() {
    std::random_device device;
    return {factor(device), factor(device), factor(device)};
}

}  // namespace

const HashSeeds hash_seeds = drawn_seeds();

}  // namespace tercet
