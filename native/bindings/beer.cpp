// BEER for Python.
#include "bindings/packed.hpp"
#include "metrics/beer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

void define_beer(nb::module_& m) {
    m.def(
        "beer",
        [](const PackedLines& hyps, const PackedLines& refs, const In<int64_t, 1>& groups, int threads) {
            const Lines h = lines_of(hyps), r = lines_of(refs);
            const Groups g = groups_of(groups, h.size, r.size);
            auto out = zeros(r.size, kBeerFeatures);
            const WithoutPython nothing_of_python;
            beer_features(h, r, g, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "threads"_a);
}

const Kernels kernels(define_beer);

}  // namespace
