// Predictions of learners for Python.
#include "bindings/binding.hpp"
#include "quality/prediction.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

using Matrix = In<double, 2>;

Rows matrix_of(const Matrix& matrix) {
    return {matrix.data(), static_cast<int64_t>(matrix.shape(0)), static_cast<int64_t>(matrix.shape(1))};
}

Out<double, 1> by_kernel(const Matrix& rows, const Matrix& supports, const In<double, 1>& coefficients, double gamma,
                         double intercept, int threads) {
    const Rows r = matrix_of(rows), s = matrix_of(supports);
    require(r.width == s.width, "rows and supports have the same features");
    require(static_cast<int64_t>(coefficients.shape(0)) == s.size, "one coefficient a support");
    auto out = zeros(r.size);
    const WithoutPython nothing_of_python;
    kernel_predictions(r, s, coefficients.data(), gamma, intercept, threads, out.data());
    return out;
}

// Nodes lead onwards only: a tree that a file makes up cannot be walked for ever.
void require_trees(const Trees& trees, int64_t nodes, int64_t width) {
    for (int64_t t = 0; t < trees.size; ++t) require(trees.roots[t] >= 0 && trees.roots[t] < nodes, "no such root");
    for (int64_t i = 0; i < nodes; ++i) {
        if (trees.lefts[i] <= i) continue;
        require(trees.lefts[i] < nodes, "a node leads to one after it");
        require(trees.rights[i] > i && trees.rights[i] < nodes, "a node leads to one after it");
        require(trees.features[i] >= 0 && trees.features[i] < width, "no such feature");
    }
}

Out<double, 1> by_trees(const Matrix& rows, const In<int64_t, 1>& roots, const In<int64_t, 1>& features,
                        const In<double, 1>& thresholds, const In<int64_t, 1>& lefts, const In<int64_t, 1>& rights,
                        const In<double, 1>& leaves, double start, double rate, int threads) {
    const Rows r = matrix_of(rows);
    const size_t nodes = leaves.shape(0);
    require(features.shape(0) == nodes && thresholds.shape(0) == nodes && lefts.shape(0) == nodes &&
                rights.shape(0) == nodes,
            "all of it for each node");
    const Trees trees{roots.data(),  static_cast<int64_t>(roots.shape(0)),
                      features.data(), lefts.data(), rights.data(), thresholds.data(), leaves.data()};
    require_trees(trees, static_cast<int64_t>(nodes), r.width);
    auto out = zeros(r.size);
    const WithoutPython nothing_of_python;
    tree_predictions(r, trees, start, rate, threads, out.data());
    return out;
}

const Kernels kernels([](nb::module_& m) {
    m.def("kernel_predictions", &by_kernel, "rows"_a, "supports"_a, "coefficients"_a, "gamma"_a, "intercept"_a,
          "threads"_a);
    m.def("tree_predictions", &by_trees, "rows"_a, "roots"_a, "features"_a, "thresholds"_a, "lefts"_a, "rights"_a,
          "leaves"_a, "start"_a, "rate"_a, "threads"_a);
});

}  // namespace
