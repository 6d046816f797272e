// What kernels that draw are told, and numbers that must be in range.
#pragma once

#include "bindings/binding.hpp"
#include "stats/runs.hpp"

namespace tercet::binding {

inline constexpr int64_t kExact = int64_t{1} << 53;  // counts up to here are exact as doubles, and so are their sums

template <class Values>
void require_within(const Values& values, int64_t size, const char* what) {
    const auto* value = values.data();
    bool within = true;  // of all, without a branch for each
    for (size_t i = 0; i < values.size(); ++i) within &= (value[i] >= 0) & (value[i] < size);
    require(within, what);
}

// Whatever of the counts is added up, with any sign, fits in 64 bits.
inline void require_summable(std::initializer_list<std::pair<const int64_t*, size_t>> all, const char* what) {
    constexpr int64_t most = int64_t{1} << 62;
    int64_t total = 0;
    for (const auto& [counts, size] : all)
        for (size_t i = 0; i < size; ++i) {
            require(counts[i] >= -most && counts[i] <= most, what);
            require(std::abs(counts[i]) <= most - total, what);
            total += std::abs(counts[i]);
        }
}

inline void require_positive(double value, const char* what) { require(value > 1e-100 && value < 1e100, what); }
inline void require_not_negative(double value, const char* what) { require(value >= 0 && value < 1e100, what); }

inline Runs runs_of(int64_t first, int64_t count, uint64_t seed, int threads) {
    require(first >= 0 && first <= kExact, "the first of the runs must not be negative, nor past 2^53");
    require(count >= 0 && count <= INT32_MAX, "the number of runs must not be negative, nor past 2^31");
    return {first, count, seed, threads};
}

}  // namespace tercet::binding
