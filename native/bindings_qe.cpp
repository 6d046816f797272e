// Lexical and language models for Python; see bindings.cpp.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "arpa.hpp"
#include "bindings_text.hpp"
#include "ibm1.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

auto words_of(const WordList& words) {
    TokenBuffer out;
    for (int32_t i = 0; i < words.size(); ++i) out.add(words[i]);
    return nb::make_tuple(give(std::move(out.data)), give(std::move(out.offsets)));
}

auto entries_of(const Ibm1Trainer& trainer, double least, int threads) {
    std::vector<int32_t> source, target;
    std::vector<float> probability;
    {
        nb::gil_scoped_release nothing_of_python;
        for (const Ibm1Entry& entry : trainer.entries(least, threads)) {
            source.push_back(entry.source);
            target.push_back(entry.target);
            probability.push_back(entry.probability);
        }
    }
    return nb::make_tuple(give(std::move(source)), give(std::move(target)), give(std::move(probability)));
}

// Lines to a reader: how many were read without complaint, and the complaint, if any.
template <class Read>
std::pair<int64_t, std::string> read_lines(const PackedLines& packed, const Read& read) {
    const Lines lines = lines_of(packed);
    nb::gil_scoped_release nothing_of_python;
    for (int64_t i = 0; i < lines.size; ++i)
        if (std::string wrong = read(lines[i]); !wrong.empty()) return {i, std::move(wrong)};
    return {lines.size, ""};
}

Out<double, 2> scored(const PackedTokens& sources, const PackedTokens& targets, const Ibm1Table* table, double floor,
                      int threads) {
    const Tokens s = tokens_of(sources), t = tokens_of(targets);
    require(s.size == t.size, "one source a target");
    require(floor > 0 && floor <= 1, "the floor is a probability");
    auto out = zeros(t.size, 2);
    nb::gil_scoped_release nothing_of_python;
    ibm1_statistics(s, t, table, floor, threads, out.data());
    return out;
}

void define_trainer(nb::module_& m) {
    nb::class_<Ibm1Trainer>(m, "Ibm1Trainer")
        .def(nb::init<bool, int64_t>(), "empty_word"_a, "longest"_a)
        .def(
            "add",
            [](Ibm1Trainer& self, const PackedTokens& sources, const PackedTokens& targets) {
                const Tokens s = tokens_of(sources), t = tokens_of(targets);
                require(s.size == t.size, "one source a target");
                nb::gil_scoped_release nothing_of_python;
                return self.add(s, t);
            },
            "sources"_a, "targets"_a)
        .def("prepare", &Ibm1Trainer::prepare, "threads"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("iterate", &Ibm1Trainer::iterate, "threads"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("entries", &entries_of, "least"_a, "threads"_a)
        .def_prop_ro("pairs", &Ibm1Trainer::pairs)
        .def_prop_ro("target_words", &Ibm1Trainer::target_words)
        .def_prop_ro("sources", [](const Ibm1Trainer& self) { return words_of(self.sources()); })
        .def_prop_ro("targets", [](const Ibm1Trainer& self) { return words_of(self.targets()); });
}

}  // namespace

void define_qe(nb::module_& m) {
    define_trainer(m);
    nb::class_<Ibm1Table>(m, "Ibm1Table")
        .def(nb::init<>())
        .def(
            "read",
            [](Ibm1Table& self, const PackedLines& lines) {
                return read_lines(lines, [&](std::string_view line) { return self.add(line); });
            },
            "lines"_a)
        .def("__len__", &Ibm1Table::size);
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
                const Tokens t = tokens_of(texts);
                auto out = zeros(t.size, 1);
                nb::gil_scoped_release nothing_of_python;
                parallel_blocks(t.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
                    for (int64_t row = begin; row < end; ++row) out.data()[row] = self.score(t, row, whole_sentence);
                });
                return out;
            },
            "texts"_a, "whole_sentence"_a, "threads"_a);
}
