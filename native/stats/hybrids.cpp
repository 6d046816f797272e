#include "stats/hybrids.hpp"

#include <algorithm>

namespace tercet {

namespace {

// Calls body(item, system) for each item of a hybrid. A draw of 64 bits decides 64 items.
template <class Body>
void each_item(int64_t systems, int64_t items, Random& random, const Body& body) {
    const int64_t one = random.below(systems);
    int64_t other = random.below(systems - 1);
    other += other >= one;
    Pace pace;
    for (int64_t first = 0; first < items; first += 64) {
        pace.steps(64);
        uint64_t bits = random.bits();
        const int64_t end = std::min(first + 64, items);
        for (int64_t i = first; i < end; ++i, bits >>= 1) body(i, (bits & 1) != 0 ? one : other);
    }
}

}  // namespace

void hybrid_choices(int64_t systems, int64_t items, const Runs& hybrids, int32_t* out) {
    each_run(hybrids, Purpose::hybrids, [&](int64_t h, Random& random) {
        each_item(systems, items, random,
                  [&](int64_t i, int64_t system) { out[h * items + i] = static_cast<int32_t>(system); });
    });
}

void hybrid_sums(const double* rows, int64_t systems, int64_t items, int64_t k, const Runs& hybrids, double* out) {
    each_run(hybrids, Purpose::hybrids, [&](int64_t h, Random& random) {
        double* sum = out + h * k;
        std::fill(sum, sum + k, 0.0);
        each_item(systems, items, random, [&](int64_t i, int64_t system) {
            const double* row = rows + (system * items + i) * k;
            for (int64_t c = 0; c < k; ++c) sum[c] += row[c];
        });
    });
}

}  // namespace tercet
