// ROUGE for Python; see bindings.cpp.
#include "bindings_text.hpp"
#include "rouge.hpp"
#include "tokenize.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

void define_rouge(nb::module_& m) {
    m.def(
        "rouge",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int order, int threads) {
            require(order >= 0 && order <= 100, "the n-gram order must be at least 0 and at most 100");
            const Tokens h = tokens_of(hyps), r = tokens_of(refs);
            const Groups g = groups_of(groups, h.size, r.size);
            auto out = zeros(h.size, kRougeColumns);
            nb::gil_scoped_release nothing_of_python;
            rouge_statistics(h, r, g, order, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "order"_a, "threads"_a);
    m.def(
        "tokenize_rouge",
        [](const PackedLines& packed, bool stem, bool unicode, int threads) {
            const Lines lines = lines_of(packed);
            TokenBuffer buffer;
            {
                nb::gil_scoped_release nothing_of_python;
                const RougeOptions options{stem, unicode};
                buffer = tokenize_lines(lines, threads,
                                        [&](std::string_view line, TokenBuffer& out) { tokenize_rouge(line, options, out); });
            }
            return nb::make_tuple(give(std::move(buffer.data)), give(std::move(buffer.offsets)),
                                  give(std::move(buffer.rows)));
        },
        "lines"_a, "stem"_a, "unicode"_a, "threads"_a);
}
