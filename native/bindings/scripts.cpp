// What the searches of the two TERs did, for Python.
#include <span>

#include "bindings/binding.hpp"
#include "metrics/ter.hpp"
#include "metrics/tercpp.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

using Ids = In<int32_t, 1>;
using Search = EditScript (*)(std::span<const int32_t>, std::span<const int32_t>);

// Words as numbers from 0, no larger than there are words: memory grows with the largest.
std::span<const int32_t> words_of(const Ids& ids, size_t limit) {
    require(limit <= INT32_MAX / 4, "the texts are too long");
    for (size_t i = 0; i < ids.size(); ++i)
        require(ids.data()[i] >= 0 && static_cast<size_t>(ids.data()[i]) < limit, "a word is out of range");
    return {ids.data(), ids.size()};
}

auto arrays_of(const EditScript& script) {
    auto shifts = zeros<int64_t>(script.shifts.size(), 3);
    for (size_t i = 0; i < script.shifts.size(); ++i) {
        const auto [start, length, place] = script.shifts[i];
        int64_t* row = shifts.data() + 3 * i;
        row[0] = start, row[1] = length, row[2] = place;
    }
    auto steps = zeros<int64_t>(script.steps.size(), 2);
    for (size_t i = 0; i < script.steps.size(); ++i) {
        const auto [shifted, fixed] = script.steps[script.steps.size() - 1 - i];
        steps.data()[2 * i] = shifted;
        steps.data()[2 * i + 1] = fixed;
    }
    return std::make_tuple(std::move(shifts), std::move(steps));
}

void define_script(nb::module_& m, const char* name, Search search) {
    m.def(
        name,
        [search](const Ids& shifted, const Ids& fixed) {
            const size_t limit = shifted.size() + fixed.size();
            const auto one = words_of(shifted, limit), other = words_of(fixed, limit);
            EditScript script;
            {
                const WithoutPython nothing_of_python;
                script = search(one, other);
            }
            return arrays_of(script);
        },
        "shifted"_a, "fixed"_a);
}

void define_scripts(nb::module_& m) {
    define_script(m, "ter_script", ter_script);
    define_script(m, "moses_ter_script", tercpp_script);
}

const Kernels kernels(define_scripts);

}  // namespace
