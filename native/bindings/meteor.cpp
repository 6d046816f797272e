// METEOR for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings/packed.hpp"
#include "common/ngrams.hpp"
#include "metrics/meteor.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

using Ids = NumberedWords;
using Synsets = std::tuple<In<int64_t, 1>, In<int32_t, 1>>;
using Given = std::tuple<In<int64_t, 1>, In<int32_t, 2>>;  // starts of each reference's, matches

// What is known of the words, in the order of their numbers. Python keeps the table alive.
class Words {
  public:
    Words(const PackedLines& words, const In<uint8_t, 1>& function, bool characters,
          const std::optional<PackedLines>& stems, std::optional<Synsets> synsets, const ParaphraseTable* table)
        : table(table), function_(function), synsets_(std::move(synsets)) {
        const Lines lines = lines_of(words);
        require(static_cast<int64_t>(function.shape(0)) == lines.size, "one mark a word");
        for (int64_t i = 0; i < lines.size; ++i) {
            const auto [hash, length] = java_string(lines[i]);
            hashes_.push_back(hash);
            lengths_.push_back(characters ? length : 1);
            if (table != nullptr) in_table_.push_back(table->word(lines[i]));
        }
        if (stems) {
            const Lines stemmed = lines_of(*stems);
            require(stemmed.size == lines.size, "one stem a word");
            for (int64_t i = 0; i < stemmed.size; ++i) stems_.push_back(java_string(stemmed[i]).hash);
        }
        if (synsets_) {
            require_all(*synsets_);
            const auto& [starts, numbers] = *synsets_;
            require(static_cast<int64_t>(starts.shape(0)) == lines.size + 1, "synsets of every word");
            require_offsets(starts, numbers.shape(0), "synsets must rise and end within their numbers");
        }
        has_stems = stems.has_value();
        has_synsets = synsets_.has_value();
    }

    int64_t size() const { return static_cast<int64_t>(hashes_.size()); }
    MeteorWords known() const {
        return {.hashes = hashes_.data(),
                .lengths = lengths_.data(),
                .function = function_.data(),
                .stems = stems_.data(),
                .synset_starts = has_synsets ? std::get<0>(*synsets_).data() : nullptr,
                .synsets = has_synsets ? std::get<1>(*synsets_).data() : nullptr,
                .in_table = in_table_.data()};
    }

    const ParaphraseTable* table;
    bool has_stems = false, has_synsets = false;

  private:
    std::vector<int32_t> hashes_, lengths_, stems_, in_table_;
    In<uint8_t, 1> function_;
    std::optional<Synsets> synsets_;
};

MeteorStage given_of(const Given& given, const MeteorTask& task) {
    require_all(given);
    const auto& [starts, matches] = given;
    require(matches.shape(1) == 4 && static_cast<int64_t>(starts.shape(0)) == task.refs.size + 1,
            "matches of every reference");
    require_offsets(starts, matches.shape(0), "matches must rise and end within their rows");
    const auto* rows = reinterpret_cast<const PhraseMatch*>(matches.data());
    const auto inside = [](int32_t start, int32_t length, size_t size) {
        return start >= 0 && length > 0 && static_cast<int64_t>(start) + length <= static_cast<int64_t>(size);
    };
    for (int64_t h = 0; h < task.hyps.size; ++h)
        for (int64_t r = task.groups[h]; r < task.groups[h + 1]; ++r)
            for (int64_t i = starts.data()[r]; i < starts.data()[r + 1]; ++i)
                require(inside(rows[i].hyp, rows[i].hyp_length, task.hyps[h].size()) &&
                            inside(rows[i].ref, rows[i].ref_length, task.refs[r].size()),
                        "a match outside of its text");
    return {.module = MeteorModule::given, .starts = starts.data(), .matches = rows};
}

MeteorStage stage_of(const std::string& name, const MeteorTask& task, const Words& words,
                     const std::optional<Given>& given) {
    const auto module = named<MeteorModule>(name, {{"exact", MeteorModule::exact},
                                                   {"stem", MeteorModule::stem},
                                                   {"synonym", MeteorModule::synonym},
                                                   {"paraphrase", MeteorModule::paraphrase},
                                                   {"given", MeteorModule::given}});
    require(module != MeteorModule::stem || words.has_stems, "no stems");
    require(module != MeteorModule::synonym || words.has_synsets, "no synsets");
    require(module != MeteorModule::paraphrase || words.table != nullptr, "no table");
    require(module != MeteorModule::given || given.has_value(), "no matches");
    if (module == MeteorModule::given) return given_of(*given, task);
    return {.module = module, .table = words.table};
}

MeteorTask task_of(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, const Words& words,
                   const std::vector<std::string>& stages, const std::optional<Given>& given, bool equal_credit) {
    MeteorTask task{.hyps = rows_of(hyps, words.size()),
                    .refs = rows_of(refs, words.size()),
                    .groups = nullptr,
                    .words = words.known(),
                    .stages = {},
                    .equal_credit = equal_credit};
    task.groups = groups_of(groups, task.hyps.size, task.refs.size);
    for (const std::string& name : stages) task.stages.push_back(stage_of(name, task, words, given));
    return task;
}

// Numbers words from 0 in the order in which they are first seen, those of hypotheses first.
auto number_words(const PackedTokens& hyps, const PackedTokens& refs) {
    const Tokens sides[2] = {tokens_of(hyps), tokens_of(refs)};
    std::vector<int32_t> ids[2];
    TokenBuffer words;
    {
        const WithoutPython nothing_of_python;
        Pace pace;
        Vocabulary vocabulary;
        vocabulary.reset(static_cast<size_t>(sides[0].words.size + sides[1].words.size) / 8);
        for (int side = 0; side < 2; ++side) {
            const int64_t n = sides[side].size == 0 ? 0 : sides[side].rows[sides[side].size];
            ids[side].reserve(n);
            for (int64_t i = 0; i < n; ++i) {
                pace.steps(16);
                ids[side].push_back(vocabulary.add(sides[side].words[i]));
            }
        }
        for (const std::string_view word : vocabulary.words()) words.add(word);
    }
    return std::make_tuple(give(std::move(ids[0])), give(std::move(ids[1])), as_lines(std::move(words)));
}

Out<double, 2> meteor(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, const Words& words,
                      const std::vector<std::string>& stages, const std::optional<Given>& given, bool equal_credit,
                      int slots, int threads) {
    const MeteorTask task = task_of(hyps, refs, groups, words, stages, given, equal_credit);
    require(slots >= static_cast<int>(stages.size()) && slots <= 100, "a slot for every stage, and at most 100");
    auto out = zeros(task.refs.size, meteor_columns(slots));
    const WithoutPython nothing_of_python;
    meteor_statistics(task, slots, threads, out.data());
    return out;
}

auto alignments(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, const Words& words,
                const std::vector<std::string>& stages, const std::optional<Given>& given, bool equal_credit) {
    const MeteorTask task = task_of(hyps, refs, groups, words, stages, given, equal_credit);
    MeteorAlignments found;
    {
        const WithoutPython nothing_of_python;
        found = meteor_alignments(task);
    }
    auto rows = zeros<int32_t>(found.matches.size(), 5);
    for (size_t i = 0; i < found.matches.size(); ++i) {
        const MeteorMatch& match = found.matches[i];
        const int32_t row[] = {match.stage, match.ref, match.ref_length, match.hyp, match.hyp_length};
        std::copy(std::begin(row), std::end(row), rows.data() + 5 * i);
    }
    return std::make_tuple(give(std::move(found.starts)), rows);
}

void define_meteor(nb::module_& m) {
    m.def("number_words", &number_words, "hyps"_a, "refs"_a);
    nb::class_<Words>(m, "MeteorWords")
        .def(nb::init<const PackedLines&, const In<uint8_t, 1>&, bool, const std::optional<PackedLines>&,
                      std::optional<Synsets>, const ParaphraseTable*>(),
             "words"_a, "function"_a, "characters"_a, "stems"_a.none(), "synsets"_a.none(), "table"_a.none(),
             nb::keep_alive<1, 7>());
    m.def("meteor", &meteor, "hyps"_a, "refs"_a, "groups"_a, "words"_a, "stages"_a, "given"_a.none(), "equal_credit"_a,
          "slots"_a, "threads"_a);
    m.def("meteor_alignments", &alignments, "hyps"_a, "refs"_a, "groups"_a, "words"_a, "stages"_a, "given"_a.none(),
          "equal_credit"_a);
}

const Kernels kernels(define_meteor);

}  // namespace
