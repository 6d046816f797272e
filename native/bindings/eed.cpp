// EED for Python.
#include "bindings/packed.hpp"
#include "metrics/eed.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

void define_eed(nb::module_& m) {
    m.def(
        "eed_text",
        [](const PackedLines& lines, int threads) {
            const Lines given = lines_of(lines);
            TokenBuffer texts;
            {
                const WithoutPython nothing_of_python;
                texts = eed_text(given, threads);
            }
            return as_lines(std::move(texts));
        },
        "lines"_a, "threads"_a);
    m.def(
        "eed",
        [](const PackedLines& hyps, const PackedLines& refs, const In<int64_t, 1>& groups, const std::string& version,
           double alpha, double deletion, double insertion, double substitution, double rho, int threads) {
            const Lines h = lines_of(hyps), r = lines_of(refs);
            const Groups g = groups_of(groups, h.size, r.size);
            const auto how = named<EedVersion>(
                version, {{"python", EedVersion::python}, {"cpp", EedVersion::cpp}, {"wmt19", EedVersion::wmt19}});
            for (const double cost : {alpha, deletion, insertion, substitution, rho})
                require(cost >= 0 && cost <= 1000, "a cost is from 0 to 1000");
            auto out = zeros(h.size, kEedColumns);
            const WithoutPython nothing_of_python;
            eed_scores(h, r, g, how, {alpha, deletion, insertion, substitution, rho}, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "version"_a, "alpha"_a, "deletion"_a, "insertion"_a, "substitution"_a, "rho"_a,
        "threads"_a);
}

const Kernels kernels(define_eed);

}  // namespace
