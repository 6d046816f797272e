// TERp for Python; see bindings.cpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bindings_text.hpp"
#include "ngrams.hpp"
#include "terp.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

using Ids = std::tuple<In<int32_t, 1>, In<int64_t, 1>>;        // words, rows
using Synsets = std::tuple<In<int64_t, 1>, In<int32_t, 1>>;    // starts of each word's, numbers
using Phrases = std::tuple<In<int64_t, 1>, In<int32_t, 2>>;    // starts of each reference's, matches

WordRows rows_of(const Ids& ids, size_t n_words) {
    const auto& [words, rows] = ids;
    require_offsets(rows, words.shape(0), "rows must rise and end within the words");
    for (size_t i = 0; i < words.shape(0); ++i)
        require(words.data()[i] >= 0 && static_cast<size_t>(words.data()[i]) < n_words, "no such word");
    return {words.data(), rows.data(), static_cast<int64_t>(rows.shape(0)) - 1};
}

void use_phrases(const Phrases& phrases, TerpTask& task) {
    const auto& [starts, matches] = phrases;
    require(matches.shape(1) == 4 && static_cast<int64_t>(starts.shape(0)) == task.refs.size + 1,
            "paraphrases of every reference");
    require_offsets(starts, matches.shape(0), "paraphrases must rise and end within their rows");
    task.phrase_starts = starts.data();
    task.phrases = reinterpret_cast<const PhraseMatch*>(matches.data());
    const auto inside = [](int64_t start, int64_t length, size_t size) {
        return start >= 0 && length > 0 && start + length <= static_cast<int64_t>(size);
    };
    for (int64_t h = 0; h < task.hyps.size; ++h) {
        for (int64_t r = task.groups[h]; r < task.groups[h + 1]; ++r) {
            for (int64_t i = task.phrase_starts[r]; i < task.phrase_starts[r + 1]; ++i) {
                const PhraseMatch& match = task.phrases[i];
                require(inside(match.hyp, match.hyp_length, task.hyps[h].size()) &&
                            inside(match.ref, match.ref_length, task.refs[r].size()),
                        "a paraphrase outside of its text");
            }
        }
    }
}

// In ten-thousandths, so that equal sums are equal.
TerpCosts costs_of(const std::vector<double>& costs) {
    require(costs.size() == kTerpEdits, "one cost a kind of edit");
    TerpCosts out{};
    for (size_t kind = 0; kind < kTerpEdits; ++kind) {
        require(costs[kind] >= 0 && costs[kind] <= 1000, "a cost is from 0 to 1000");
        out[kind] = std::llround(costs[kind] * 10000);
    }
    return out;
}

// Calls use(task); what the task points to lives as long as that.
template <class Use>
void with_task(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, int64_t n_words,
               const std::optional<PackedLines>& stems, const std::optional<Synsets>& synsets,
               const std::optional<Phrases>& phrases, const std::vector<double>& costs, const Use& use) {
    require(n_words >= 0, "the number of words must not be negative");
    TerpTask task;
    task.costs = costs_of(costs);
    task.hyps = rows_of(hyps, static_cast<size_t>(n_words));
    task.refs = rows_of(refs, static_cast<size_t>(n_words));
    task.groups = groups_of(groups, task.hyps.size, task.refs.size);
    std::vector<int32_t> stem_ids;
    if (stems) {
        const Lines lines = lines_of(*stems);
        require(lines.size == n_words, "one stem a word");
        Vocabulary vocabulary;
        vocabulary.reset(static_cast<size_t>(lines.size));
        for (int64_t i = 0; i < lines.size; ++i) stem_ids.push_back(vocabulary.add(lines[i]));
        task.words.stems = stem_ids.data();
    }
    if (synsets) {
        const auto& [starts, numbers] = *synsets;
        require(static_cast<int64_t>(starts.shape(0)) == n_words + 1, "synsets of every word");
        require_offsets(starts, numbers.shape(0), "synsets must rise and end within their numbers");
        task.words.synset_starts = starts.data();
        task.words.synsets = numbers.data();
    }
    if (phrases) use_phrases(*phrases, task);
    use(task);
}

Out<double, 2> terp_rows(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, int64_t n_words,
                         const std::optional<PackedLines>& stems, const std::optional<Synsets>& synsets,
                         const std::optional<Phrases>& phrases, const std::vector<double>& costs, int threads) {
    std::optional<Out<double, 2>> out;
    with_task(hyps, refs, groups, n_words, stems, synsets, phrases, costs, [&](const TerpTask& task) {
        out = zeros(task.hyps.size, kTerpColumns);
        nb::gil_scoped_release nothing_of_python;
        terp_statistics(task, threads, out->data());
    });
    return *std::move(out);
}

// The reference that counts, shifts (start, length, place), steps (words, how many, of either side; edit).
nb::tuple script_of(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, int64_t n_words,
                    const std::optional<PackedLines>& stems, const std::optional<Synsets>& synsets,
                    const std::optional<Phrases>& phrases, const std::vector<double>& costs, int64_t row) {
    TerpScript script;
    with_task(hyps, refs, groups, n_words, stems, synsets, phrases, costs, [&](const TerpTask& task) {
        require(row >= 0 && row < task.hyps.size, "no such row");
        nb::gil_scoped_release nothing_of_python;
        script = terp_script(task, row);
    });
    auto shifts = zeros<int64_t>(script.shifts.size(), 3);
    int64_t* cell = shifts.data();
    for (const auto [start, length, place] : script.shifts)
        for (const int32_t value : {start, length, place}) *cell++ = value;
    auto steps = zeros<int64_t>(script.steps.size(), 5);
    cell = steps.data();
    for (auto step = script.steps.rbegin(); step != script.steps.rend(); ++step)
        for (const int32_t value : {step->hyp, step->hyp_length, step->ref, step->ref_length, step->kind})
            *cell++ = value;
    return nb::make_tuple(script.reference, std::move(shifts), std::move(steps));
}

}  // namespace

void define_terp(nb::module_& m) {
    m.def("terp", &terp_rows, "hyps"_a, "refs"_a, "groups"_a, "n_words"_a, "stems"_a.none(), "synsets"_a.none(),
          "phrases"_a.none(), "costs"_a, "threads"_a);
    m.def("terp_script", &script_of, "hyps"_a, "refs"_a, "groups"_a, "n_words"_a, "stems"_a.none(),
          "synsets"_a.none(), "phrases"_a.none(), "costs"_a, "row"_a);
}
