// CharacTER for Python.
#include "bindings/packed.hpp"
#include "metrics/character.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

void require_patience(int patience) { require(patience >= 1 && patience <= 1000, "patience must be from 1 to 1000"); }

void define_character(nb::module_& m) {
    m.def(
        "character",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int patience, int threads) {
            require_patience(patience);
            const Tokens h = tokens_of(hyps), r = tokens_of(refs);
            const Groups g = groups_of(groups, h.size, r.size);
            auto out = zeros(h.size, kCharacterColumns);
            const WithoutPython nothing_of_python;
            character_scores(h, r, g, patience, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "patience"_a, "threads"_a);
    m.def(
        "character_shifts",
        [](const PackedTokens& hyps, const PackedTokens& refs, int patience) {
            require_patience(patience);
            const Tokens h = tokens_of(hyps), r = tokens_of(refs);
            require(h.size >= 1 && r.size >= 1, "a hypothesis and a reference");
            std::vector<BlockShift> shifts;
            {
                const WithoutPython nothing_of_python;
                shifts = character_shifts(h, r, patience);
            }
            auto out = zeros<int64_t>(static_cast<int64_t>(shifts.size()), 3);
            for (size_t i = 0; i < shifts.size(); ++i) {
                out.data()[3 * i] = shifts[i].start;
                out.data()[3 * i + 1] = shifts[i].length;
                out.data()[3 * i + 2] = shifts[i].place;
            }
            return out;
        },
        "hyps"_a, "refs"_a, "patience"_a);
}

const Kernels kernels(define_character);

}  // namespace
