// YiSi for Python.
#include <nanobind/stl/optional.h>

#include <cmath>

#include "bindings/packed.hpp"
#include "common/ngrams.hpp"
#include "metrics/yisi.hpp"
#include "text/unicode.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

using Ids = NumberedWords;
using Vectors = std::tuple<In<int64_t, 1>, In<double, 2>>;       // each word's row or -1, rows

// What a task holds by pointer.
struct Kept {
    std::string lowered;
    std::vector<int32_t> folded;
};

void fold(const Lines& texts, Kept& kept) {
    std::vector<size_t> ends;
    for (int64_t i = 0; i < texts.size; ++i) {
        append_lower(texts[i], Lower::ascii, kept.lowered);
        ends.push_back(kept.lowered.size());
    }
    Vocabulary vocabulary;
    vocabulary.reset(static_cast<size_t>(texts.size));
    size_t begin = 0;
    for (const size_t end : ends) {
        kept.folded.push_back(vocabulary.add(std::string_view(kept.lowered).substr(begin, end - begin)));
        begin = end;
    }
}

YisiTask task_of(const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, const PackedLines& words,
                 const In<double, 1>& weights, const std::string& how, const std::optional<Vectors>& vectors,
                 int order, Kept& kept) {
    require(order >= 1 && order <= 1000, "the n-gram order must be at least 1 and at most 1000");
    YisiTask task;
    task.order = order;
    task.words.texts = lines_of(words);
    task.words.similarity = named<WordSimilarity>(
        how, {{"lcs", WordSimilarity::lcs}, {"exact", WordSimilarity::exact}, {"vectors", WordSimilarity::vectors}});
    const int64_t n = task.words.texts.size;
    require(static_cast<int64_t>(weights.shape(0)) == n, "one weight a word");
    for (int64_t i = 0; i < n; ++i)
        require(std::isfinite(weights.data()[i]) && weights.data()[i] > 0, "a weight must be above 0");
    task.words.weights = weights.data();
    task.hyps = rows_of(hyps, n);
    task.refs = rows_of(refs, n);
    task.groups = groups_of(groups, task.hyps.size, task.refs.size);
    if (task.words.similarity == WordSimilarity::vectors) {
        require(vectors.has_value(), "vectors are needed");
        require_all(*vectors);
        const auto& [places, rows] = *vectors;
        require(static_cast<int64_t>(places.shape(0)) == n, "one place a word");
        for (int64_t i = 0; i < n; ++i)
            require(places.data()[i] >= -1 && places.data()[i] < static_cast<int64_t>(rows.shape(0)), "no such vector");
        fold(task.words.texts, kept);
        task.words.folded = kept.folded.data();
        task.words.vector = places.data();
        task.words.vectors = rows.data();
        task.words.dimension = static_cast<int64_t>(rows.shape(1));
    }
    return task;
}

void define_yisi(nb::module_& m) {
    m.def(
        "yisi",
        [](const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, const PackedLines& words,
           const In<double, 1>& weights, const std::string& how, const std::optional<Vectors>& vectors, int order,
           int threads) {
            Kept kept;
            const YisiTask task = task_of(hyps, refs, groups, words, weights, how, vectors, order, kept);
            auto out = zeros(task.refs.size, 2);
            const WithoutPython nothing_of_python;
            yisi_shares(task, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "words"_a, "weights"_a, "how"_a, "vectors"_a.none(), "order"_a, "threads"_a);
    m.def(
        "yisi_matches",
        [](const Ids& hyps, const Ids& refs, const In<int64_t, 1>& groups, const PackedLines& words,
           const In<double, 1>& weights, const std::string& how, const std::optional<Vectors>& vectors, int order,
           int64_t hyp, int64_t ref) {
            Kept kept;
            const YisiTask task = task_of(hyps, refs, groups, words, weights, how, vectors, order, kept);
            require(hyp >= 0 && hyp < task.hyps.size && ref >= 0 && ref < task.refs.size, "no such row");
            YisiMatches found;
            {
                const WithoutPython nothing_of_python;
                found = yisi_matches(task, hyp, ref);
            }
            return std::make_tuple(found.order, give(std::move(found.refs)), give(std::move(found.similarities)));
        },
        "hyps"_a, "refs"_a, "groups"_a, "words"_a, "weights"_a, "how"_a, "vectors"_a.none(), "order"_a, "hyp"_a,
        "ref"_a);
    m.def(
        "longest_common_substring",
        [](const std::string& one, const std::string& other) {
            const WithoutPython nothing_of_python;
            return longest_common_substring(one, other);
        },
        "one"_a, "other"_a);
}

const Kernels kernels(define_yisi);

}  // namespace
