// Hybrid systems for Python.
#include "bindings/binding.hpp"
#include "stats/hybrids.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

Runs hybrids_of(int64_t systems, int64_t first, int64_t count, uint64_t seed, int threads) {
    require(systems >= 2 && systems <= INT32_MAX, "a hybrid needs two systems");
    require(first >= 0 && first <= int64_t{1} << 53, "the first hybrid must not be negative, nor past 2^53");
    require(count >= 0 && count <= INT32_MAX, "the number of hybrids must not be negative, nor past 2^31");
    return {first, count, seed, threads};
}

void define_hybrids(nb::module_& m) {
    m.def(
        "hybrid_choices",
        [](int64_t n_systems, int64_t n_items, int64_t hybrids, int64_t first_hybrid, uint64_t seed, int threads) {
            const Runs wanted = hybrids_of(n_systems, first_hybrid, hybrids, seed, threads);
            require(n_items >= 0 && n_items <= INT32_MAX, "the number of items must not be negative, nor past 2^31");
            auto out = zeros<int32_t>(hybrids, n_items);
            const WithoutPython nothing_of_python;
            hybrid_choices(n_systems, n_items, wanted, out.data());
            return out;
        },
        "n_systems"_a, "n_items"_a, "hybrids"_a, "first_hybrid"_a, "seed"_a, "threads"_a);
    m.def(
        "hybrid_sums",
        [](const In<double, 3>& rows, int64_t hybrids, int64_t first_hybrid, uint64_t seed, int threads) {
            const auto systems = static_cast<int64_t>(rows.shape(0)), items = static_cast<int64_t>(rows.shape(1)),
                       k = static_cast<int64_t>(rows.shape(2));
            const Runs wanted = hybrids_of(systems, first_hybrid, hybrids, seed, threads);
            auto out = zeros(hybrids, k);
            const WithoutPython nothing_of_python;
            hybrid_sums(rows.data(), systems, items, k, wanted, out.data());
            return out;
        },
        "rows"_a, "hybrids"_a, "first_hybrid"_a, "seed"_a, "threads"_a);
}

const Kernels kernels(define_hybrids);

}  // namespace
