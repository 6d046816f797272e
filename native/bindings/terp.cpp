// TERp for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings/packed.hpp"
#include "common/ngrams.hpp"
#include "metrics/terp.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

using Ids = NumberedWords;
using Synsets = std::tuple<In<int64_t, 1>, In<int32_t, 1>>;  // starts of each word's, numbers
// Words and rows of references' phrases, of those that may stand for them, and costs.
using Phrases = std::tuple<In<int32_t, 1>, In<int64_t, 1>, In<int32_t, 1>, In<int64_t, 1>, In<double, 1>>;

// What is known of words, as Python gives it.
struct Knowledge {
    std::optional<PackedLines> stems;
    std::optional<Synsets> synsets;
    std::optional<In<uint8_t, 1>> stop_words;
    std::optional<Phrases> phrases;
};

// How edits are searched.
struct How {
    std::vector<double> costs;
    double beam;
    std::string shifts;
};

void use_phrases(const Phrases& phrases, int64_t n_words, TerpTask& task) {
    require_all(phrases);
    const auto& [ref_words, ref_rows, hyp_words, hyp_rows, costs] = phrases;
    task.phrases = {rows_of({ref_words, ref_rows}, n_words), rows_of({hyp_words, hyp_rows}, n_words), costs.data()};
    const int64_t size = task.phrases.refs.size;
    require(task.phrases.hyps.size == size && static_cast<int64_t>(costs.shape(0)) == size,
            "two sides and a cost of every paraphrase");
    for (int64_t i = 0; i < size; ++i) {
        require(!task.phrases.refs[i].empty() && !task.phrases.hyps[i].empty(), "a paraphrase without words");
        require(costs.data()[i] >= 0 && costs.data()[i] <= 1e6, "a paraphrase costs from 0 to a million");
    }
}

void use_search(const How& how, TerpTask& task) {
    require(how.costs.size() == kTerpEdits - 1, "one cost a kind of edit but paraphrases");
    for (size_t kind = 0; kind < how.costs.size(); ++kind) {
        require(how.costs[kind] >= 0 && how.costs[kind] <= 1000, "a cost is from 0 to 1000");
        task.costs[kind] = how.costs[kind];
    }
    require(how.beam >= 0 && how.beam <= 1e6, "a beam is from 0 to a million");
    task.beam = how.beam;
    using terp::Shifts;
    task.shifts =
        named<Shifts>(how.shifts, {{"noshift", Shifts::none}, {"exact", Shifts::exact}, {"relax", Shifts::relax}});
}

// Calls use(task); what the task points to lives as long as that.
template <class Use>
void with_task(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, int64_t n_words,
               const Knowledge& known, const How& how, const Use& use) {
    require(n_words >= 0 && n_words <= INT32_MAX, "the number of words must not be negative, nor past 2^31");
    TerpTask task;
    use_search(how, task);
    task.hyps = rows_of(hyps, n_words);
    task.refs = rows_of(refs, n_words);
    task.groups = groups_of(groups, task.hyps.size, task.refs.size);
    std::vector<int32_t> stem_ids;
    if (known.stems) {
        const Lines lines = lines_of(*known.stems);
        require(lines.size == n_words, "one stem a word");
        Vocabulary vocabulary;
        vocabulary.reset(static_cast<size_t>(lines.size));
        for (int64_t i = 0; i < lines.size; ++i) stem_ids.push_back(vocabulary.add(lines[i]));
        task.words.stems = stem_ids.data();
    }
    if (known.synsets) {
        require_all(*known.synsets);
        const auto& [starts, numbers] = *known.synsets;
        require(static_cast<int64_t>(starts.shape(0)) == n_words + 1, "synsets of every word");
        require_offsets(starts, numbers.shape(0), "synsets must rise and end within their numbers");
        task.words.synset_starts = starts.data();
        task.words.synsets = numbers.data();
    }
    if (known.stop_words) {
        require(static_cast<int64_t>(known.stop_words->shape(0)) == n_words, "whether it is a stop word, of every word");
        task.words.stop_words = known.stop_words->data();
    }
    if (known.phrases) use_phrases(*known.phrases, n_words, task);
    use(task);
}

Out<double, 2> terp_rows(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, int64_t n_words,
                         const std::optional<PackedLines>& stems, const std::optional<Synsets>& synsets,
                         const std::optional<In<uint8_t, 1>>& stop_words, const std::optional<Phrases>& phrases,
                         const std::vector<double>& costs, double beam, const std::string& shifts, int threads) {
    std::optional<Out<double, 2>> out;
    const Knowledge known{stems, synsets, stop_words, phrases};
    with_task(hyps, refs, groups, n_words, known, {costs, beam, shifts}, [&](const TerpTask& task) {
        out = zeros(task.hyps.size, kTerpColumns);
        const WithoutPython nothing_of_python;
        terp_statistics(task, threads, out->data());
    });
    return *std::move(out);
}

// The reference that counts, shifts (start, length, place), steps (words, how many, of either side; edit).
auto script_of(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, int64_t n_words,
               const std::optional<PackedLines>& stems, const std::optional<Synsets>& synsets,
               const std::optional<In<uint8_t, 1>>& stop_words, const std::optional<Phrases>& phrases,
               const std::vector<double>& costs, double beam, const std::string& shifts, int64_t row) {
    TerpScript script;
    const Knowledge known{stems, synsets, stop_words, phrases};
    with_task(hyps, refs, groups, n_words, known, {costs, beam, shifts}, [&](const TerpTask& task) {
        require(row >= 0 && row < task.hyps.size, "no such row");
        const WithoutPython nothing_of_python;
        script = terp_script(task, row);
    });
    auto moved = zeros<int64_t>(script.shifts.size(), 3);
    int64_t* cell = moved.data();
    for (const auto [start, length, place] : script.shifts)
        for (const int32_t value : {start, length, place}) *cell++ = value;
    auto steps = zeros<int64_t>(script.steps.size(), 5);
    cell = steps.data();
    for (auto step = script.steps.rbegin(); step != script.steps.rend(); ++step)
        for (const int32_t value : {step->hyp, step->hyp_length, step->ref, step->ref_length, step->kind})
            *cell++ = value;
    return std::make_tuple(script.reference, std::move(moved), std::move(steps));
}

void define_terp(nb::module_& m) {
    m.def("terp", &terp_rows, "hyps"_a, "refs"_a, "groups"_a, "n_words"_a, "stems"_a.none(), "synsets"_a.none(),
          "stop_words"_a.none(), "phrases"_a.none(), "costs"_a, "beam"_a, "shifts"_a, "threads"_a);
    m.def("terp_script", &script_of, "hyps"_a, "refs"_a, "groups"_a, "n_words"_a, "stems"_a.none(),
          "synsets"_a.none(), "stop_words"_a.none(), "phrases"_a.none(), "costs"_a, "beam"_a, "shifts"_a, "row"_a);
}

const Kernels kernels(define_terp);

}  // namespace
