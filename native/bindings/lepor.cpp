// LEPOR's factors for Python.
#include "bindings/packed.hpp"
#include "metrics/lepor.hpp"
#include "text/tokenize.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

void require_window(int window) { require(window >= 0 && window <= 1000, "the window must be from 0 to 1000 words"); }

std::vector<int32_t> ids_of(const In<int32_t, 1>& ids, int32_t least) {
    for (size_t i = 0; i < ids.shape(0); ++i)
        require(ids.data()[i] >= least && ids.data()[i] < (1 << 24), "no such word");
    return {ids.data(), ids.data() + ids.shape(0)};
}

void define_lepor(nb::module_& m) {
    m.def(
        "lepor",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int window, int order,
           int threads) {
            require_window(window);
            require(order >= 1 && order <= 100, "the n-gram order must be at least 1 and at most 100");
            const Tokens h = tokens_of(hyps), r = tokens_of(refs);
            const Groups g = groups_of(groups, h.size, r.size);
            auto out = zeros(r.size, lepor_columns(order));
            const WithoutPython nothing_of_python;
            lepor_factors(h, r, g, {window, order}, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "window"_a, "order"_a, "threads"_a);
    m.def(
        "lepor_matches",
        [](const In<int32_t, 1>& hyp, const In<int32_t, 1>& ref, int window) {
            require_window(window);
            const auto found = lepor_matches(ids_of(hyp, -1), ids_of(ref, 0), window);
            auto out = zeros<int32_t>(found.size(), 2);
            for (size_t i = 0; i < found.size(); ++i)
                out.data()[2 * i] = found[i].first, out.data()[2 * i + 1] = found[i].second;
            return out;
        },
        "hyp"_a, "ref"_a, "window"_a);
    m.def(
        "split_single_spaces",
        [](const PackedLines& lines, int threads) { return tokenized(lines, threads, split_single_spaces); },
        "lines"_a, "threads"_a);
}

const Kernels kernels(define_lepor);

}  // namespace
