// LeBLEU for Python.
#include "bindings/packed.hpp"
#include "metrics/lebleu.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

void define_lebleu(nb::module_& m) {
    m.def(
        "lebleu",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& owners, int max_n,
           double threshold, int64_t sampling, int threads) {
            const Tokens h = tokens_of(hyps), r = tokens_of(refs);
            require(static_cast<int64_t>(owners.shape(0)) == r.size, "one owner a reference");
            for (size_t i = 0; i < owners.shape(0); ++i)
                require(owners.data()[i] >= 0 && owners.data()[i] < h.size, "an owner is a hypothesis");
            require(max_n >= 1 && max_n <= 100, "the longest n-gram has 1 to 100 words");
            require(threshold >= 0 && threshold <= 1, "the threshold is from 0 to 1");
            require(sampling == 0 || sampling >= 2 * max_n, "a sample has two n-grams of each order, or there is none");
            auto out = zeros(r.size, 2 * max_n);
            const WithoutPython nothing_of_python;
            lebleu_hits(h, r, owners.data(), {max_n, threshold, sampling}, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "owners"_a, "max_n"_a, "threshold"_a, "sampling"_a, "threads"_a);
}

const Kernels kernels(define_lebleu);

}  // namespace
