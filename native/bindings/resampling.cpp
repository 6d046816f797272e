// Sums and counts of what was drawn.
#include "bindings/packed.hpp"
#include "bindings/runs.hpp"
#include "stats/counts.hpp"
#include "stats/resample.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

void define_resampling(nb::module_& m) {
    m.def(
        "times_drawn",
        [](const In<int64_t, 2>& indices) {
            const auto samples = static_cast<int64_t>(indices.shape(0)), n = static_cast<int64_t>(indices.shape(1));
            require_within(indices, n, "an index is out of range");
            auto out = zeros<int32_t>(samples, n);
            const WithoutPython nothing_of_python;
            times_drawn(indices.data(), samples, n, out.data());
            return out;
        },
        "indices"_a);
    m.def(
        "sampled_sums",
        [](const In<int32_t, 2>& times, const In<double, 2>& rows, int threads) {
            const auto n = static_cast<int64_t>(rows.shape(0)), k = static_cast<int64_t>(rows.shape(1));
            require(static_cast<int64_t>(times.shape(1)) == n, "a sample is as long as there are rows");
            require_within(times, int64_t{INT32_MAX} + 1, "a row cannot be there fewer times than never");
            auto out = zeros(static_cast<int64_t>(times.shape(0)), k);
            const WithoutPython nothing_of_python;
            sampled_sums(times.data(), static_cast<int64_t>(times.shape(0)), rows.data(), n, k, threads, out.data());
            return out;
        },
        "times"_a, "rows"_a, "threads"_a);
    m.def(
        "masked_sums",
        [](const In<uint8_t, 2>& mask, const In<double, 2>& rows, int threads) {
            const auto n = static_cast<int64_t>(rows.shape(0)), k = static_cast<int64_t>(rows.shape(1));
            require(static_cast<int64_t>(mask.shape(1)) == n, "a mask is as long as there are rows");
            auto out = zeros(static_cast<int64_t>(mask.shape(0)), k);
            const WithoutPython nothing_of_python;
            masked_sums(mask.data(), static_cast<int64_t>(mask.shape(0)), rows.data(), n, k, threads, out.data());
            return out;
        },
        "mask"_a, "rows"_a, "threads"_a);
    m.def(
        "streamed_sums",
        [](const In<double, 2>& rows, int64_t samples, uint64_t seed, int64_t block, bool swaps, int threads) {
            require(block >= 0 && block <= INT32_MAX, "the number of the block must not be negative, nor past 2^31");
            const auto n = static_cast<int64_t>(rows.shape(0)), k = static_cast<int64_t>(rows.shape(1));
            const Runs wanted = runs_of(0, samples, seed, threads);
            auto out = zeros(samples, k);
            const WithoutPython nothing_of_python;
            streamed_sums(wanted, block, swaps, rows.data(), n, k, out.data());
            return out;
        },
        "rows"_a, "samples"_a, "seed"_a, "block"_a, "swaps"_a, "threads"_a);
}

void define_counts(nb::module_& m) {
    m.def(
        "sampled_counts",
        [](const In<int64_t, 1>& cell, const In<int64_t, 1>& unit_starts, int64_t n_cells, int64_t samples,
           int64_t first_sample, uint64_t seed, int threads) {
            require(n_cells >= 0 && n_cells <= INT32_MAX, "the number of cells must not be negative, nor past 2^31");
            require_within(cell, n_cells, "a cell is out of range");
            require_offsets(unit_starts, cell.shape(0), "units must rise and end with the pairs");
            const auto units = static_cast<int64_t>(unit_starts.shape(0)) - 1;
            require(unit_starts.data()[units] == static_cast<int64_t>(cell.shape(0)),
                    "units must rise and end with the pairs");
            const Runs wanted = runs_of(first_sample, samples, seed, threads);
            auto out = zeros<int64_t>(samples, n_cells);
            const WithoutPython nothing_of_python;
            sampled_counts({cell.data(), unit_starts.data(), units, n_cells}, wanted, out.data());
            return out;
        },
        "cell"_a, "unit_starts"_a, "n_cells"_a, "samples"_a, "first_sample"_a, "seed"_a, "threads"_a);
}

const Kernels kernels([](nb::module_& m) {
    define_resampling(m);
    define_counts(m);
});

}  // namespace
