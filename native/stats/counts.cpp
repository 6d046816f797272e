#include "stats/counts.hpp"

#include <algorithm>
#include <vector>

namespace tercet {

void sampled_counts(const Units& units, const Runs& samples, int64_t* out) {
    const int64_t *starts = units.starts, items = starts[units.units];
    bool single = true;
    for (int64_t u = 0; u < units.units; ++u) single &= starts[u + 1] - starts[u] == 1;
    std::vector<int64_t> counts(units.cells);
    for (int64_t i = 0; i < items; ++i) ++counts[units.cell[i]];
    each_run(samples, Purpose::counts, [&](int64_t b, Random& random) {
        int64_t* row = out + b * units.cells;
        if (single) return random.multinomial(counts.data(), units.cells, items, row);
        std::fill(row, row + units.cells, 0);
        Pace pace;
        for (int64_t u = 0; u < units.units; ++u) {
            const int64_t drawn = random.below(units.units);
            pace.steps(starts[drawn + 1] - starts[drawn] + 1);
            for (int64_t i = starts[drawn]; i < starts[drawn + 1]; ++i) ++row[units.cell[i]];
        }
    });
}

}  // namespace tercet
