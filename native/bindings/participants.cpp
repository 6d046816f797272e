// Metrics of WMT participants for Python.
#include <cmath>
#include <limits>

#include "bindings/packed.hpp"
#include "metrics/participants.hpp"
#include "metrics/tree_model.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

// A table of so many columns, a row a reference, filled without Python.
template <class Fill>
Out<double, 2> rows_of(const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups,
                       int64_t columns, const Fill& fill) {
    const Tokens hyp = tokens_of(hyps), ref = tokens_of(refs);
    const Groups group = groups_of(groups, hyp.size, ref.size);
    auto out = zeros(ref.size, columns);
    const WithoutPython nothing_of_python;
    fill(hyp, ref, group, out.data());
    return out;
}

Out<double, 2> runs(const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, double exponent,
                    int threads) {
    require(exponent > 0 && exponent <= 100, "the exponent must be above 0, and not above 100");
    return rows_of(hyps, refs, groups, kRunColumns, [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
        word_runs(h, r, g, exponent, threads, out);
    });
}

Out<double, 2> apac(const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, double alpha,
                    double beta, int64_t repetitions, int threads) {
    require(alpha >= 0 && alpha <= 1, "alpha must be from 0 to 1");
    require(beta >= 1 && beta <= 3, "beta must be from 1 to 3");
    return rows_of(hyps, refs, groups, 1, [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
        apac_sums(h, r, g, {alpha, beta, repetitions}, threads, out);
    });
}

Out<double, 2> tbleu(const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int order,
                     bool both, int64_t shortest, double farthest, double penalty, int threads) {
    require(order >= 1 && order <= 1000, "the order must be from 1 to 1000");
    require(std::isfinite(farthest) && std::isfinite(penalty), "a distance and a penalty are numbers");
    return rows_of(hyps, refs, groups, 2 + 2 * order, [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
        tbleu_statistics(h, r, g, {order, both, shortest, farthest, penalty}, threads, out);
    });
}

Out<double, 2> inversions(const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int block,
                          int cost, int threads) {
    require(block >= 1 && block <= 100, "a block has from 1 to 100 words");
    require(cost >= 0 && cost <= 1000, "the cost must be from 0 to 1000");
    return rows_of(hyps, refs, groups, 2, [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
        inversion_statistics(h, r, g, block, cost, threads, out);
    });
}

using TaggedWords = std::tuple<In<int32_t, 1>, In<int32_t, 1>, In<int64_t, 1>>;  // words, tags, rows

TaggedRows tagged(const TaggedWords& texts) {
    const auto& [words, tags, rows] = texts;
    require(words.shape(0) == tags.shape(0), "a tag a word");
    for (size_t i = 0; i < tags.shape(0); ++i) require(tags.data()[i] >= 0, "tags are numbers from 0 on");
    return {binding::rows_of({words, rows}, std::numeric_limits<int32_t>::max()), tags.data()};
}

Out<double, 2> trees(const TaggedWords& hyps, const TaggedWords& refs, const In<int32_t, 1>& heads,
                     const In<int64_t, 1>& groups, double penalty, int threads) {
    const TaggedRows hyp = tagged(hyps), ref = tagged(refs);
    const Groups group = groups_of(groups, hyp.words.size, ref.words.size);
    require(penalty >= 1e-3 && penalty <= 1e3, "the penalty must be from 0.001 to 1000");
    require(heads.shape(0) == std::get<0>(refs).shape(0), "a head a word of the references");
    for (const WordRows& side : {hyp.words, ref.words})
        for (int64_t r = 0; r < side.size; ++r)
            require(side.rows[r + 1] - side.rows[r] <= kTreeWords, "a text has too many words");
    for (int64_t r = 0; r < ref.words.size; ++r) {
        const auto length = static_cast<int64_t>(ref.words[r].size());
        for (int64_t i = 0; i < length; ++i) {
            const int32_t head = heads.data()[ref.words.rows[r] + i];
            require(head >= -1 && head < length && head != i, "a head is another word of its text, or -1");
        }
    }
    auto out = zeros(ref.words.size, 2);
    const WithoutPython nothing_of_python;
    tree_models(hyp, ref, heads.data(), group, penalty, threads, out.data());
    return out;
}

void define_participants(nb::module_& m) {
    m.def("word_runs", &runs, "hyps"_a, "refs"_a, "groups"_a, "exponent"_a, "threads"_a);
    m.def("apac", &apac, "hyps"_a, "refs"_a, "groups"_a, "alpha"_a, "beta"_a, "repetitions"_a, "threads"_a);
    m.def("tbleu", &tbleu, "hyps"_a, "refs"_a, "groups"_a, "order"_a, "both"_a, "shortest"_a, "farthest"_a,
          "penalty"_a, "threads"_a);
    m.def("tree_models", &trees, "hyps"_a, "refs"_a, "heads"_a, "groups"_a, "penalty"_a, "threads"_a);
    m.def("inversions", &inversions, "hyps"_a, "refs"_a, "groups"_a, "block"_a, "cost"_a, "threads"_a);
}

const Kernels kernels(define_participants);

}  // namespace
