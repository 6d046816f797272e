// N-gram counts and edit distances of words: what metrics.hpp declares.
#include "bindings/packed.hpp"
#include "metrics/metrics.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

void require_order(int order, int least) {
    require(order >= least && order <= 1000, "the n-gram order must be at least 1 and at most 1000");
}

template <class Compute>
Out<double, 2> statistics(const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int64_t k,
                          const Compute& compute) {
    const Tokens h = tokens_of(hyps), r = tokens_of(refs);
    const Groups g = groups_of(groups, h.size, r.size);
    auto out = zeros(h.size, k);
    const WithoutPython nothing_of_python;
    compute(h, r, g, out.data());
    return out;
}

using Compute = void (*)(const Tokens&, const Tokens&, Groups, int, double*);

void define_plain_metric(nb::module_& m, const char* name, int64_t k, Compute compute) {
    m.def(
        name,
        [k, compute](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int threads) {
            return statistics(hyps, refs, groups, k, [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
                compute(h, r, g, threads, out);
            });
        },
        "hyps"_a, "refs"_a, "groups"_a, "threads"_a);
}

void define_metrics(nb::module_& m) {
    m.def(
        "bleu",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int order,
           const std::string& reference_length, int threads) {
            require_order(order, 1);
            const auto length = named<ReferenceLength>(reference_length, {{"closest", ReferenceLength::closest},
                                                                          {"shortest", ReferenceLength::shortest},
                                                                          {"average", ReferenceLength::average}});
            return statistics(hyps, refs, groups, 2 + 2 * order,
                              [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
                                  bleu_statistics(h, r, g, order, length, threads, out);
                              });
        },
        "hyps"_a, "refs"_a, "groups"_a, "order"_a, "reference_length"_a, "threads"_a);
    m.def(
        "chrf",
        [](const PackedLines& hyps, const PackedLines& refs, const In<int64_t, 1>& groups, int char_order,
           int word_order, double beta, bool whitespace, bool eps_smoothing, bool original, int threads) {
            require_order(char_order, word_order > 0 ? 0 : 1);
            require_order(word_order, 0);
            const Lines h = lines_of(hyps), r = lines_of(refs);
            const Groups g = groups_of(groups, h.size, r.size);
            const ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing, original};
            auto out = zeros(h.size, 3 * (char_order + word_order));
            const WithoutPython nothing_of_python;
            chrf_statistics(h, r, g, options, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "eps_smoothing"_a,
        "original"_a, "threads"_a);
    nb::class_<InformationTable>(m, "InformationTable")
        .def(
            "__init__",
            [](InformationTable* self, int order) {
                require_order(order, 1);
                new (self) InformationTable(order);
            },
            "order"_a)
        .def(
            "add",
            [](InformationTable& self, const PackedTokens& refs) {
                const Tokens r = tokens_of(refs);
                const WithoutPython nothing_of_python;
                self.add(r);
            },
            "refs"_a)
        .def(
            "weigh",
            [](const InformationTable& self, const PackedTokens& refs, int threads) {
                const Tokens r = tokens_of(refs);
                auto out = zeros(r.words.size, self.order());
                const WithoutPython nothing_of_python;
                self.weigh(r, threads, out.data());
                return out;
            },
            "refs"_a, "threads"_a);
    m.def(
        "nist",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups,
           const In<double, 2>& weights, int threads) {
            const int order = static_cast<int>(std::min<size_t>(weights.shape(1), INT32_MAX));
            require_order(order, 1);
            return statistics(hyps, refs, groups, 2 + 2 * order,
                              [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
                                  require(static_cast<int64_t>(weights.shape(0)) == r.words.size,
                                          "one row of weights for each word of the references");
                                  nist_statistics(h, r, g, weights.data(), order, threads, out);
                              });
        },
        "hyps"_a, "refs"_a, "groups"_a, "weights"_a, "threads"_a);
    m.def(
        "edits",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, bool jumps, bool best,
           int threads) {
            return statistics(hyps, refs, groups, 2, [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
                edit_statistics(h, r, g, jumps ? Distance::cder : Distance::wer, best, threads, out);
            });
        },
        "hyps"_a, "refs"_a, "groups"_a, "jumps"_a, "best"_a, "threads"_a);
    define_plain_metric(m, "per", 3, per_statistics);
    define_plain_metric(m, "ter", 2, ter_statistics);
    define_plain_metric(m, "moses_ter", 2, moses_ter_statistics);
}

const Kernels kernels(define_metrics);

}  // namespace
