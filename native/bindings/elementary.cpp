// Elementary functions of many numbers.
#include "bindings/packed.hpp"
#include "stats/elementary.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

using Function = void (*)(const double*, int64_t, double*);

template <Function function>
Out<double, 1> of_each(const In<double, 1>& values) {
    const auto n = static_cast<int64_t>(values.shape(0));
    auto out = zeros(n);
    const WithoutPython nothing_of_python;
    function(values.data(), n, out.data());
    return out;
}

const Kernels kernels([](nb::module_& m) {
    m.def("logarithms", of_each<logarithms>, "values"_a);
    m.def("exponentials", of_each<exponentials>, "values"_a);
    m.def(
        "powers",
        [](const In<double, 1>& bases, const In<double, 1>& exponents) {
            const auto n = static_cast<int64_t>(bases.shape(0));
            require(static_cast<int64_t>(exponents.shape(0)) == n, "there are as many exponents as bases");
            auto out = zeros(n);
            const WithoutPython nothing_of_python;
            powers(bases.data(), exponents.data(), n, out.data());
            return out;
        },
        "bases"_a, "exponents"_a);
});

}  // namespace
