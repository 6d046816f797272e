#include "stats/counts.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "common/clones.hpp"

namespace tercet {

namespace {

constexpr int64_t kPerItem = 8;  // cells of a row that are added in less time than one item is counted

TERCET_CLONES void add_row(const int32_t* row, int64_t cells, int32_t* sums) {
    for (int64_t c = 0; c < cells; ++c) sums[c] += row[c];
}

// Row u has the counts of unit u, so that a unit is added at once: where units are large and cells are few, and no
// sample can count too far for that. Otherwise there are no rows.
std::vector<int32_t> rows_of(const Units& units) {
    const int64_t *starts = units.starts, items = starts[units.units];
    int64_t largest = 0;
    for (int64_t u = 0; u < units.units; ++u) largest = std::max(largest, starts[u + 1] - starts[u]);
    const bool worth = units.units > 0 && units.cells <= kPerItem * (items / units.units);
    if (!worth || largest > std::numeric_limits<int32_t>::max() / units.units) return {};
    std::vector<int32_t> rows(units.units * units.cells);
    for (int64_t u = 0; u < units.units; ++u)
        for (int64_t i = starts[u]; i < starts[u + 1]; ++i) ++rows[u * units.cells + units.cell[i]];
    return rows;
}

}  // namespace

void sampled_counts(const Units& units, const Runs& samples, int64_t* out) {
    const int64_t *starts = units.starts, items = starts[units.units], cells = units.cells;
    bool single = true;
    for (int64_t u = 0; u < units.units; ++u) single &= starts[u + 1] - starts[u] == 1;
    std::vector<int64_t> counts(cells);
    for (int64_t i = 0; i < items; ++i) ++counts[units.cell[i]];
    const std::vector<int32_t> rows = single ? std::vector<int32_t>() : rows_of(units);
    each_run(samples, Purpose::counts, [&](int64_t b, Random& random) {
        int64_t* row = out + b * cells;
        if (single) return random.multinomial(counts.data(), cells, items, row);
        std::fill(row, row + cells, 0);
        std::vector<int32_t> sums(rows.empty() ? 0 : cells);
        Pace pace;
        for (int64_t u = 0; u < units.units; ++u) {
            const int64_t drawn = random.below(units.units);
            pace.steps(starts[drawn + 1] - starts[drawn] + 1);
            if (!rows.empty()) add_row(rows.data() + drawn * cells, cells, sums.data());
            else
                for (int64_t i = starts[drawn]; i < starts[drawn + 1]; ++i) ++row[units.cell[i]];
        }
        std::copy(sums.begin(), sums.end(), row);
    });
}

}  // namespace tercet
