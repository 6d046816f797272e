// Random numbers that are the same everywhere: no distribution of the standard library, whose results differ.
#pragma once

#include <cstdint>

namespace tercet {

// xoshiro256++ (Blackman and Vigna), seeded by splitmix64 from three numbers. Any change in one of them gives other
// random numbers, as good as independent.
class Random {
  public:
    Random(uint64_t seed, uint64_t purpose, uint64_t stream) {
        uint64_t at = mixed(mixed(mixed(seed + kGamma) + purpose) + stream);
        for (uint64_t& word : state_) word = mixed(at += kGamma);
    }

    uint64_t bits() {
        const uint64_t out = rotated(state_[0] + state_[3], 23) + state_[0];
        const uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = rotated(state_[3], 45);
        return out;
    }

    // From 0 to just below 1.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

    // From 0 to n - 1, all alike (Lemire 2019); n is at least 1.
    int64_t below(int64_t n) {
        const auto size = static_cast<uint64_t>(n);
        auto product = static_cast<unsigned __int128>(bits()) * size;
        if (static_cast<uint64_t>(product) < size)
            for (const uint64_t least = -size % size; static_cast<uint64_t>(product) < least;)
                product = static_cast<unsigned __int128>(bits()) * size;
        return static_cast<int64_t>(product >> 64);
    }

    // A number from 0 to n - 1, and a share from 0 to just below 1 that is as good as independent of it; of one draw.
    struct Placed {
        int64_t number;
        double share;
    };
    Placed below_and_share(int64_t n) {
        const auto product = static_cast<unsigned __int128>(bits()) * static_cast<uint64_t>(n);
        return {static_cast<int64_t>(product >> 64),
                static_cast<double>(static_cast<uint64_t>(product) >> 11) * 0x1p-53};
    }

    // Normal with mean 0 and variance 1: the ziggurat of Marsaglia and Tsang with 256 layers, one word a draw in 98
    // of 100 cases: 8 bits choose the layer, 54 others the place in it.
    double normal() {
        const uint64_t word = bits();
        const int layer = static_cast<int>(word & 255);
        const double place = static_cast<double>(static_cast<int64_t>(word) >> 10) * 0x1p-53;  // from -1 to 1
        const double x = place * kLayers.edge[layer];
        return (place < 0 ? -place : place) < kLayers.safe[layer] ? x : beside(layer, x, place < 0);
    }

    // Successes in n trials, each with probability p from 0 to 1.
    int64_t binomial(int64_t n, double p);

    // A sample of `total` with replacement from items of which counts[c] are of kind c; `total` is their sum.
    void multinomial(const int64_t* counts, int64_t kinds, int64_t total, int64_t* out);

  private:
    static constexpr uint64_t kGamma = 0x9E3779B97F4A7C15;

    static uint64_t mixed(uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    static uint64_t rotated(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

    // Layers of equal area from the base up: layer i reaches to edge[i], and lies below the curve up to the share
    // safe[i] of that.
    struct Layers {
        Layers();
        double edge[257], safe[256];
    };
    static const Layers kLayers;

    double beside(int layer, double x, bool negative);
    int64_t few_successes(int64_t n, double p);
    int64_t many_successes(int64_t n, double p);

    uint64_t state_[4];
};

}  // namespace tercet
