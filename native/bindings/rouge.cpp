// ROUGE for Python.
#include "bindings/packed.hpp"
#include "metrics/rouge.hpp"
#include "text/tokenize.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

void define_rouge(nb::module_& m) {
    m.def(
        "rouge",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int order, int threads) {
            require(order >= 0 && order <= 100, "the n-gram order must be at least 0 and at most 100");
            const Tokens h = tokens_of(hyps), r = tokens_of(refs);
            const Groups g = groups_of(groups, h.size, r.size);
            auto out = zeros(h.size, kRougeColumns);
            const WithoutPython nothing_of_python;
            rouge_statistics(h, r, g, order, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "order"_a, "threads"_a);
    m.def(
        "tokenize_rouge",
        [](const PackedLines& lines, bool stem, bool unicode, int threads) {
            const RougeOptions options{stem, unicode};
            return tokenized(lines, threads, [&](auto line, auto& out) { tokenize_rouge(line, options, out); });
        },
        "lines"_a, "stem"_a, "unicode"_a, "threads"_a);
}

const Kernels kernels(define_rouge);

}  // namespace
