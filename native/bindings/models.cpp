// Lexical and language models for Python.
#include <nanobind/stl/pair.h>

#include "bindings/packed.hpp"
#include "bindings/reading.hpp"
#include "metrics/arpa.hpp"
#include "metrics/ibm1.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

auto words_of(const WordList& words) {
    TokenBuffer out;
    for (int32_t i = 0; i < words.size(); ++i) out.add(words[i]);
    return as_lines(std::move(out));
}

auto entries_of(const Ibm1Trainer& trainer, double least, int threads) {
    std::vector<int32_t> source, target;
    std::vector<float> probability;
    {
        const WithoutPython nothing_of_python;
        for (const Ibm1Entry& entry : trainer.entries(least, threads)) {
            source.push_back(entry.source);
            target.push_back(entry.target);
            probability.push_back(entry.probability);
        }
    }
    return std::make_tuple(give(std::move(source)), give(std::move(target)), give(std::move(probability)));
}

Out<double, 2> scored(const PackedTokens& sources, const PackedTokens& targets, const Ibm1Table* table, double floor,
                      int threads) {
    const Tokens s = tokens_of(sources), t = tokens_of(targets);
    require(s.size == t.size, "one source a target");
    require(floor > 0 && floor <= 1, "the floor is a probability");
    auto out = zeros(t.size, 2);
    const WithoutPython nothing_of_python;
    ibm1_statistics(s, t, table, floor, threads, out.data());
    return out;
}

// The number of each word as a source word of the table, -1 for one that it does not know.
Out<int32_t, 1> source_numbers(const Ibm1Table& table, const PackedLines& packed) {
    const Lines words = lines_of(packed);
    auto out = zeros<int32_t>(words.size);
    const WithoutPython nothing_of_python;
    for (int64_t i = 0; i < words.size; ++i) out.data()[i] = table.source(words[i]);
    return out;
}

auto links(const Ibm1Table& table, const PackedTokens& sources, const PackedTokens& targets, int threads) {
    const Tokens s = tokens_of(sources), t = tokens_of(targets);
    require(s.size == t.size, "one source a target");
    auto places = zeros<int32_t>(t.rows[t.size]);
    auto probabilities = zeros<float>(t.rows[t.size]);
    {
        const WithoutPython nothing_of_python;
        parallel_blocks(t.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row)
                ibm1_links(s, t, table, row, places.data() + t.rows[row], probabilities.data() + t.rows[row]);
        });
    }
    return std::make_tuple(places, probabilities);
}

void define_trainer(nb::module_& m) {
    nb::class_<Ibm1Trainer>(m, "Ibm1Trainer")
        .def(nb::init<bool, int64_t>(), "empty_word"_a, "longest"_a)
        .def(
            "add",
            [](Ibm1Trainer& self, const PackedTokens& sources, const PackedTokens& targets) {
                const Tokens s = tokens_of(sources), t = tokens_of(targets);
                require(s.size == t.size, "one source a target");
                const WithoutPython nothing_of_python;
                return self.add(s, t);
            },
            "sources"_a, "targets"_a)
        .def("prepare", &Ibm1Trainer::prepare, "threads"_a, nb::call_guard<WithoutPython>())
        .def("iterate", &Ibm1Trainer::iterate, "threads"_a, nb::call_guard<WithoutPython>())
        .def("entries", &entries_of, "least"_a, "threads"_a)
        .def_prop_ro("pairs", &Ibm1Trainer::pairs)
        .def_prop_ro("target_words", &Ibm1Trainer::target_words)
        .def_prop_ro("sources", [](const Ibm1Trainer& self) { return words_of(self.sources()); }, nb::rv_policy::move)
        .def_prop_ro("targets", [](const Ibm1Trainer& self) { return words_of(self.targets()); }, nb::rv_policy::move);
}

void define_models(nb::module_& m) {
    define_trainer(m);
    nb::class_<Ibm1Table>(m, "Ibm1Table")
        .def(nb::init<>())
        .def(
            "read",
            [](Ibm1Table& self, const PackedLines& lines) {
                return read_lines(lines, [&](std::string_view line) { return self.add(line); });
            },
            "lines"_a)
        .def("__len__", &Ibm1Table::size)
        .def("translations", [](const Ibm1Table& self, float above) { return give(self.translations(above)); }, "above"_a)
        .def("sources", &source_numbers, "words"_a)
        .def("links", &links, "sources"_a, "targets"_a, "threads"_a);
    m.def("ibm1", &scored, "sources"_a, "targets"_a, "table"_a.none(), "floor"_a, "threads"_a);
    nb::class_<ArpaModel>(m, "ArpaModel")
        .def(nb::init<>())
        .def(
            "read",
            [](ArpaModel& self, const PackedLines& lines) {
                return read_lines(lines, [&](std::string_view line) { return self.read(line); });
            },
            "lines"_a)
        .def("finish", &ArpaModel::finish)
        .def_prop_ro("order", &ArpaModel::order)
        .def("__len__", &ArpaModel::size)
        .def(
            "score",
            [](const ArpaModel& self, const PackedTokens& texts, bool whole_sentence, int threads) {
                require(self.finished(), "the model is not read to its end");
                const Tokens t = tokens_of(texts);
                auto out = zeros(t.size, 1);
                const WithoutPython nothing_of_python;
                parallel_blocks(t.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
                    for (int64_t row = begin; row < end; ++row) out.data()[row] = self.score(t, row, whole_sentence);
                });
                return out;
            },
            "texts"_a, "whole_sentence"_a, "threads"_a)
        .def(
            "words",
            [](const ArpaModel& self, const PackedTokens& texts, bool whole_sentence, int threads) {
                require(self.finished(), "the model is not read to its end");
                const Tokens t = tokens_of(texts);
                const int64_t ends = whole_sentence ? 1 : 0;
                auto out = zeros(t.rows[t.size] + ends * t.size, 2);
                const WithoutPython nothing_of_python;
                parallel_blocks(t.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
                    for (int64_t row = begin; row < end; ++row)
                        self.words(t, row, whole_sentence, out.data() + 2 * (t.rows[row] + ends * row));
                });
                return out;
            },
            "texts"_a, "whole_sentence"_a, "threads"_a);
}

const Kernels kernels(define_models);

}  // namespace
