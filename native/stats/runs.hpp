// Many runs of the same work, each with random numbers of its own.
#pragma once

#include <cstdint>

#include "common/parallel.hpp"
#include "stats/random.hpp"

namespace tercet {

struct Runs {
    int64_t first, count;
    uint64_t seed;
    int threads;
};

// Kernels with the same seed draw different numbers: one may work on what another has drawn.
enum class Purpose : uint64_t { counts, pairs, matches, hopkins_may, hybrids, permutation, coins, bootstrap, weights, swaps };

// Calls body(r, random) for r from 0. The random numbers are those of run first + r: what it gives depends neither on
// the threads nor on which other runs are made with it.
template <class Body>
void each_run(const Runs& runs, Purpose purpose, const Body& body) {
    parallel_blocks(runs.count, runs.threads, 1, [&](int64_t r, int64_t) {
        Random random(runs.seed, static_cast<uint64_t>(purpose), static_cast<uint64_t>(runs.first + r));
        body(r, random);
    });
}

}  // namespace tercet
