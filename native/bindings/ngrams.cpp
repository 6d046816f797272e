// Counts of n-grams, the language models made of them, and tables of their frequencies, for Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include "bindings/packed.hpp"
#include "bindings/reading.hpp"
#include "learning/ngram_counts.hpp"
#include "quality/frequencies.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

const NgramCounter::Order& order_of(const NgramCounter& counter, int n) {
    require(counter.counted(), "the n-grams are not counted yet");
    require(n >= 1 && n <= counter.order(), "there is no such order");
    return counter.of(n);
}

void require_range(const NgramCounter& counter, int n, int64_t begin, int64_t end) {
    require(begin >= 0 && begin <= end && end <= order_of(counter, n).size(), "there are no such n-grams");
}

// n-grams of an order that occur more often than `minimum`, each with its count on a line of its own.
nb::bytes counted_lines(const NgramCounter& counter, int n, int64_t begin, int64_t end, int64_t minimum) {
    require_range(counter, n, begin, end);
    std::string out;
    {
        const WithoutPython nothing_of_python;
        for (int64_t i = begin; i < end; ++i) {
            if (counter.of(n).count[i] <= minimum) continue;
            counter.write(n, static_cast<uint32_t>(i), out);
            out += '\t' + std::to_string(counter.of(n).count[i]) + '\n';
        }
    }
    return nb::bytes(out.data(), out.size());
}

void define_counter(nb::module_& m) {
    nb::class_<NgramCounter>(m, "NgramCounter")
        .def(nb::init<int, bool>(), "order"_a, "sentences"_a)
        .def(
            "add",
            [](NgramCounter& self, const PackedTokens& text, int threads) {
                const Tokens tokens = tokens_of(text);
                const WithoutPython nothing_of_python;
                return self.add(tokens, threads);
            },
            "text"_a, "threads"_a)
        .def("count", &NgramCounter::count, "threads"_a, nb::call_guard<WithoutPython>())
        .def_prop_ro("lines", &NgramCounter::lines)
        .def_prop_ro("words", &NgramCounter::words)
        .def_prop_ro("order", &NgramCounter::order)
        .def("size", [](const NgramCounter& self, int n) { return order_of(self, n).size(); }, "n"_a)
        .def(
            "counts", [](const NgramCounter& self, int n) { return give(std::vector(order_of(self, n).count)); }, "n"_a)
        .def("counted_lines", &counted_lines, "n"_a, "begin"_a, "end"_a, "minimum"_a);
}

void define_model(nb::module_& m) {
    nb::class_<KneserNey>(m, "KneserNey")
        .def(nb::init<const NgramCounter&, int>(), "counts"_a, "threads"_a, nb::keep_alive<1, 2>(),
             nb::call_guard<WithoutPython>())
        .def(
            "discounts",
            [](const KneserNey& self, int n) {
                require(n >= 1 && n <= self.order(), "there is no such order");
                return std::make_pair(self.discounts(n).values, self.discounts(n).estimated);
            },
            "n"_a)
        .def(
            "lines",
            [](const KneserNey& self, int n, int64_t begin, int64_t end) {
                require_range(self.counts(), n, begin, end);
                std::string out;
                {
                    const WithoutPython nothing_of_python;
                    out = self.lines(n, begin, end);
                }
                return nb::bytes(out.data(), out.size());
            },
            "n"_a, "begin"_a, "end"_a);
}

auto looked_up(const NgramFrequencies& self, const PackedTokens& text, int n, int threads) {
    require(n >= 1, "n-grams have at least one word");
    const Tokens tokens = tokens_of(text);
    auto starts = zeros<int64_t>(tokens.size + 1);
    for (int64_t row = 0; row < tokens.size; ++row)
        starts.data()[row + 1] = starts.data()[row] + std::max<int64_t>(tokens.length(row) - n + 1, 0);
    auto out = zeros<int64_t>(starts.data()[tokens.size]);
    {
        const WithoutPython nothing_of_python;
        parallel_blocks(tokens.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) self.look_up(tokens, row, n, out.data() + starts.data()[row]);
        });
    }
    return std::make_tuple(out, starts);
}

void define_ngrams(nb::module_& m) {
    define_counter(m);
    define_model(m);
    nb::class_<NgramFrequencies>(m, "NgramFrequencies")
        .def(nb::init<>())
        .def(
            "read",
            [](NgramFrequencies& self, const PackedLines& lines) {
                return read_lines(lines, [&](std::string_view line) { return self.add(line); });
            },
            "lines"_a)
        .def("__len__", &NgramFrequencies::size)
        .def("look_up", &looked_up, "text"_a, "n"_a, "threads"_a);
}

const Kernels kernels(define_ngrams);

}  // namespace
