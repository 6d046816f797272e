// Greedy matching of token vectors for Python.
#include <cmath>

#include "bindings/packed.hpp"
#include "metrics/soft_matching.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

using Side = std::tuple<In<float, 2>, In<int64_t, 1>, In<double, 1>>;  // rows, offsets of texts, weights of tokens

TokenVectors side_of(const Side& side) {
    require_all(side);
    const auto& [rows, offsets, weights] = side;
    require_offsets(offsets, rows.shape(0), "offsets must rise and end within the rows");
    require(weights.shape(0) == rows.shape(0), "one weight a token");
    for (size_t i = 0; i < weights.shape(0); ++i)
        require(std::isfinite(weights.data()[i]) && weights.data()[i] >= 0, "a weight must be 0 or more");
    return {rows.data(), offsets.data(), weights.data(), static_cast<int64_t>(offsets.shape(0)) - 1};
}

void define_soft_matching(nb::module_& m) {
    m.def(
        "soft_shares",
        [](const Side& hyps, const Side& refs, const In<int64_t, 1>& groups, bool floored, int threads) {
            SoftTask task;
            task.hyps = side_of(hyps);
            task.refs = side_of(refs);
            task.groups = groups_of(groups, task.hyps.size, task.refs.size);
            task.dimension = static_cast<int64_t>(std::get<0>(hyps).shape(1));
            require(std::get<0>(refs).shape(1) == std::get<0>(hyps).shape(1), "vectors of one dimension");
            task.floored = floored;
            auto out = zeros(task.refs.size, 2);
            const WithoutPython nothing_of_python;
            soft_shares(task, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "floored"_a, "threads"_a);
}

const Kernels kernels(define_soft_matching);

}  // namespace
