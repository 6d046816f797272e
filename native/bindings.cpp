// The only file that knows Python: arrays in, arrays out, with the GIL released while a kernel runs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "counts.hpp"
#include "hopkins_may.hpp"
#include "metrics.hpp"
#include "resample.hpp"
#include "text.hpp"
#include "tokenize.hpp"
#include "trueskill_runs.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;

void define_character(nb::module_& m);  // bindings_character.cpp
void define_eed(nb::module_& m);      // bindings_eed.cpp
void define_beer(nb::module_& m);     // bindings_beer.cpp
void define_hybrids(nb::module_& m);  // bindings_hybrids.cpp
void define_lepor(nb::module_& m);    // bindings_lepor.cpp
void define_lebleu(nb::module_& m);   // bindings_lebleu.cpp
void define_meta(nb::module_& m);     // bindings_meta.cpp
void define_rouge(nb::module_& m);    // bindings_rouge.cpp
void define_scripts(nb::module_& m);  // bindings_scripts.cpp
void define_stemmers(nb::module_& m);  // bindings_stemmers.cpp
void define_terp(nb::module_& m);     // bindings_terp.cpp
void define_participants(nb::module_& m);  // bindings_participants.cpp
void define_tuning(nb::module_& m);   // bindings_tuning.cpp
void define_qe(nb::module_& m);       // bindings_qe.cpp
void define_meteor(nb::module_& m);   // bindings_meteor.cpp
void define_meteor_tables(nb::module_& m);  // bindings_meteor_tables.cpp
void define_yisi(nb::module_& m);     // bindings_yisi.cpp

namespace {

template <class T, int N>
using In = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;
template <class T, int N>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<N>, nb::c_contig>;

using PackedLines = std::tuple<In<uint8_t, 1>, In<int64_t, 1>>;                   // bytes, offsets
using PackedTokens = std::tuple<In<uint8_t, 1>, In<int64_t, 1>, In<int64_t, 1>>;  // bytes, offsets, rows

template <class Container>
auto give(Container&& values) {
    using Values = std::remove_cvref_t<Container>;
    using T = std::conditional_t<std::is_same_v<Values, std::string>, uint8_t, typename Values::value_type>;
    auto* kept = new Values(std::forward<Container>(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
    return Out<T, 1>(reinterpret_cast<T*>(kept->data()), {kept->size()}, owner);
}

template <class T = double>
Out<T, 2> table(int64_t rows, int64_t columns) {
    auto* data = new T[std::max<int64_t>(1, rows * columns)]();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Out<T, 2>(data, {static_cast<size_t>(rows), static_cast<size_t>(columns)}, owner);
}

void require(bool fine, const char* what) {
    if (!fine) throw std::invalid_argument(what);
}

template <class T>
T named(const std::string& name, std::initializer_list<std::pair<const char*, T>> choices) {
    for (const auto& [known, value] : choices)
        if (name == known) return value;
    throw std::invalid_argument("there is no choice called " + name);
}

void require_order(int order, int least) {
    require(order >= least && order <= 1000, "the n-gram order must be at least 1 and at most 1000");
}

// Offsets rise and end inside the array they cut up. That the bytes are UTF-8 is taken on trust: `pack` made them.
void require_offsets(const In<int64_t, 1>& offsets, size_t limit, const char* what) {
    require(offsets.shape(0) >= 1 && offsets.data()[0] == 0, what);
    for (size_t i = 1; i < offsets.shape(0); ++i) require(offsets.data()[i] >= offsets.data()[i - 1], what);
    require(static_cast<size_t>(offsets.data()[offsets.shape(0) - 1]) <= limit, what);
}

Lines lines_of(const PackedLines& packed) {
    const auto& [bytes, offsets] = packed;
    require_offsets(offsets, bytes.shape(0), "offsets must rise and end within the bytes");
    return {reinterpret_cast<const char*>(bytes.data()), offsets.data(), static_cast<int64_t>(offsets.shape(0)) - 1};
}

Tokens tokens_of(const PackedTokens& packed) {
    const auto& [bytes, offsets, rows] = packed;
    const Lines words = lines_of({bytes, offsets});
    require_offsets(rows, static_cast<size_t>(words.size), "rows must rise and end within the words");
    return {words, rows.data(), static_cast<int64_t>(rows.shape(0)) - 1};
}

Groups groups_of(const In<int64_t, 1>& groups, int64_t segments, int64_t references) {
    require(static_cast<int64_t>(groups.shape(0)) == segments + 1, "one group a segment, and one more");
    require_offsets(groups, static_cast<size_t>(references), "groups must rise and end within the references");
    return groups.data();
}

// Python strings to UTF-8, end to end. A lone surrogate has no UTF-8: it is refused by raising IndexError
// with its position in the list.
auto pack(const nb::list& strings) {
    std::string data;
    std::vector<int64_t> offsets{0};
    offsets.reserve(strings.size() + 1);
    for (const nb::handle item : strings) {
        Py_ssize_t size = 0;
        const char* bytes = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
        if (bytes == nullptr) {
            PyErr_Clear();
            throw nb::index_error(std::to_string(offsets.size() - 1).c_str());
        }
        data.append(bytes, static_cast<size_t>(size));
        offsets.push_back(static_cast<int64_t>(data.size()));
    }
    return nb::make_tuple(give(std::move(data)), give(std::move(offsets)));
}

nb::list unpack(const PackedLines& packed) {
    const Lines lines = lines_of(packed);
    nb::list out;
    for (int64_t i = 0; i < lines.size; ++i) out.append(nb::str(lines[i].data(), lines[i].size()));
    return out;
}

auto lower(const PackedLines& packed, const std::string& how) {
    const Lines lines = lines_of(packed);
    const auto mode = named<Lower>(how, {{"python", Lower::python}, {"perl", Lower::perl}, {"ascii", Lower::ascii}});
    std::string data;
    std::vector<int64_t> offsets{0};
    {
        nb::gil_scoped_release nothing_of_python;
        offsets.reserve(lines.size + 1);
        for (int64_t i = 0; i < lines.size; ++i) {
            append_lower(lines[i], mode, data);
            offsets.push_back(static_cast<int64_t>(data.size()));
        }
    }
    return nb::make_tuple(give(std::move(data)), give(std::move(offsets)));
}

template <class Tokenize>
auto tokenized(const PackedLines& packed, int threads, const Tokenize& tokenize) {
    const Lines lines = lines_of(packed);
    TokenBuffer buffer;
    {
        nb::gil_scoped_release nothing_of_python;
        buffer = tokenize_lines(lines, threads, tokenize);
    }
    return nb::make_tuple(give(std::move(buffer.data)), give(std::move(buffer.offsets)), give(std::move(buffer.rows)));
}

template <class Compute>
Out<double, 2> statistics(const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int64_t k,
                          const Compute& compute) {
    const Tokens h = tokens_of(hyps), r = tokens_of(refs);
    const Groups g = groups_of(groups, h.size, r.size);
    auto out = table(h.size, k);
    nb::gil_scoped_release nothing_of_python;
    compute(h, r, g, out.data());
    return out;
}

using Compute = void (*)(const Tokens&, const Tokens&, Groups, int, double*);

void define_plain_metric(nb::module_& m, const char* name, int64_t k, Compute compute) {
    m.def(
        name,
        [k, compute](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int threads) {
            return statistics(hyps, refs, groups, k, [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
                compute(h, r, g, threads, out);
            });
        },
        "hyps"_a, "refs"_a, "groups"_a, "threads"_a);
}

void define_tokenizers(nb::module_& m) {
    using Plain = void (*)(std::string_view, TokenBuffer&);
    const auto plain = [&m](const char* name, Plain tokenize) {
        m.def(
            name, [tokenize](const PackedLines& lines, int threads) { return tokenized(lines, threads, tokenize); },
            "lines"_a, "threads"_a);
    };
    plain("split_whitespace", split_whitespace);
    plain("split_spaces", split_spaces);
    plain("tokenize_13a", tokenize_13a);
    plain("tokenize_intl", tokenize_intl);
    plain("tokenize_zh", tokenize_zh);
    plain("tokenize_char", tokenize_char);
    m.def(
        "tokenize_tercom",
        [](const PackedLines& lines, bool normalized, bool no_punct, bool asian_support, bool case_sensitive,
           bool twice, int threads) {
            const TercomOptions options{normalized, no_punct, asian_support, case_sensitive, twice};
            return tokenized(lines, threads, [&](auto line, auto& out) { tokenize_tercom(line, options, out); });
        },
        "lines"_a, "normalized"_a, "no_punct"_a, "asian_support"_a, "case_sensitive"_a, "twice"_a,
        "threads"_a);
    m.def(
        "tokenize_mteval",
        [](const PackedLines& lines, bool international, bool case_sensitive, bool enclose_non_ascii,
           int threads) {
            const MtevalOptions options{international, case_sensitive, enclose_non_ascii};
            return tokenized(lines, threads, [&](auto line, auto& out) { tokenize_mteval(line, options, out); });
        },
        "lines"_a, "international"_a, "case_sensitive"_a, "enclose_non_ascii"_a, "threads"_a);
    m.def(
        "tokenize_moses",
        [](const PackedLines& lines, const std::string& apostrophe, const std::string& word_internal, bool escape,
           bool aggressive, const std::unordered_map<std::string, int>& prefixes, int threads) {
            const auto how = named<Apostrophe>(apostrophe, {{"alone", Apostrophe::alone},
                                                            {"right", Apostrophe::splits_right},
                                                            {"left", Apostrophe::splits_left},
                                                            {"glottal", Apostrophe::glottal}});
            size_t at = 0;
            const char32_t internal = word_internal.empty() ? 0 : next_char(word_internal, at);
            const MosesOptions options{how, internal, escape, aggressive, prefixes};
            return tokenized(lines, threads, [&](auto line, auto& out) { tokenize_moses(line, options, out); });
        },
        "lines"_a, "apostrophe"_a, "word_internal"_a, "escape"_a, "aggressive"_a, "prefixes"_a, "threads"_a);
}

void define_metrics(nb::module_& m) {
    m.def(
        "bleu",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, int order,
           const std::string& reference_length, int threads) {
            require_order(order, 1);
            const auto length = named<ReferenceLength>(reference_length, {{"closest", ReferenceLength::closest},
                                                                          {"shortest", ReferenceLength::shortest},
                                                                          {"average", ReferenceLength::average}});
            return statistics(hyps, refs, groups, 2 + 2 * order,
                              [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
                                  bleu_statistics(h, r, g, order, length, threads, out);
                              });
        },
        "hyps"_a, "refs"_a, "groups"_a, "order"_a, "reference_length"_a, "threads"_a);
    m.def(
        "chrf",
        [](const PackedLines& hyps, const PackedLines& refs, const In<int64_t, 1>& groups, int char_order,
           int word_order, double beta, bool whitespace, bool eps_smoothing, bool original, int threads) {
            require_order(char_order, 1);
            require_order(word_order, 0);
            const Lines h = lines_of(hyps), r = lines_of(refs);
            const Groups g = groups_of(groups, h.size, r.size);
            const ChrfOptions options{char_order, word_order, beta, whitespace, eps_smoothing, original};
            auto out = table(h.size, 3 * (char_order + word_order));
            nb::gil_scoped_release nothing_of_python;
            chrf_statistics(h, r, g, options, threads, out.data());
            return out;
        },
        "hyps"_a, "refs"_a, "groups"_a, "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "eps_smoothing"_a,
        "original"_a, "threads"_a);
    nb::class_<InformationTable>(m, "InformationTable")
        .def(
            "__init__",
            [](InformationTable* self, int order) {
                require_order(order, 1);
                new (self) InformationTable(order);
            },
            "order"_a)
        .def(
            "add",
            [](InformationTable& self, const PackedTokens& refs) {
                const Tokens r = tokens_of(refs);
                nb::gil_scoped_release nothing_of_python;
                self.add(r);
            },
            "refs"_a);
    m.def(
        "nist",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups,
           const InformationTable& information, int threads) {
            return statistics(hyps, refs, groups, 2 + 2 * information.order(),
                              [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
                                  nist_statistics(h, r, g, information, threads, out);
                              });
        },
        "hyps"_a, "refs"_a, "groups"_a, "information"_a, "threads"_a);
    m.def(
        "edits",
        [](const PackedTokens& hyps, const PackedTokens& refs, const In<int64_t, 1>& groups, bool jumps, bool best,
           int threads) {
            return statistics(hyps, refs, groups, 2, [&](const Tokens& h, const Tokens& r, Groups g, double* out) {
                edit_statistics(h, r, g, jumps ? Distance::cder : Distance::wer, best, threads, out);
            });
        },
        "hyps"_a, "refs"_a, "groups"_a, "jumps"_a, "best"_a, "threads"_a);
    define_plain_metric(m, "per", 3, per_statistics);
    define_plain_metric(m, "ter", 2, ter_statistics);
    define_plain_metric(m, "moses_ter", 2, moses_ter_statistics);
}

void define_resampling(nb::module_& m) {
    m.def(
        "sampled_sums",
        [](const In<int64_t, 2>& indices, const In<double, 2>& rows, int threads) {
            const auto n = static_cast<int64_t>(rows.shape(0)), k = static_cast<int64_t>(rows.shape(1));
            require(static_cast<int64_t>(indices.shape(1)) == n, "a sample is as long as there are rows");
            for (size_t i = 0; i < indices.size(); ++i)
                require(indices.data()[i] >= 0 && indices.data()[i] < n, "an index is out of range");
            auto out = table(static_cast<int64_t>(indices.shape(0)), k);
            nb::gil_scoped_release nothing_of_python;
            sampled_sums(indices.data(), static_cast<int64_t>(indices.shape(0)), rows.data(), n, k, threads, out.data());
            return out;
        },
        "indices"_a, "rows"_a, "threads"_a);
    m.def(
        "masked_sums",
        [](const In<uint8_t, 2>& mask, const In<double, 2>& rows, int threads) {
            const auto n = static_cast<int64_t>(rows.shape(0)), k = static_cast<int64_t>(rows.shape(1));
            require(static_cast<int64_t>(mask.shape(1)) == n, "a mask is as long as there are rows");
            auto out = table(static_cast<int64_t>(mask.shape(0)), k);
            nb::gil_scoped_release nothing_of_python;
            masked_sums(mask.data(), static_cast<int64_t>(mask.shape(0)), rows.data(), n, k, threads, out.data());
            return out;
        },
        "mask"_a, "rows"_a, "threads"_a);
}

constexpr int64_t kExact = int64_t{1} << 53;  // counts up to here are exact as doubles, and so are their sums

void require_within(const In<int64_t, 1>& values, int64_t size, const char* what) {
    for (size_t i = 0; i < values.size(); ++i) require(values.data()[i] >= 0 && values.data()[i] < size, what);
}

void require_positive(double value, const char* what) { require(value > 1e-100 && value < 1e100, what); }
void require_not_negative(double value, const char* what) { require(value >= 0 && value < 1e100, what); }

Runs runs_of(int64_t first, int64_t count, uint64_t seed, int threads) {
    require(first >= 0 && first <= kExact, "the first of the runs must not be negative, nor past 2^53");
    require(count >= 0 && count <= INT32_MAX, "the number of runs must not be negative, nor past 2^31");
    return {first, count, seed, threads};
}

Match match_of(double beta, double draw_margin) {
    require_positive(beta, "beta must be positive");
    require(draw_margin >= 0 && draw_margin <= 1e6 * beta, "the draw margin must not be negative, nor a million betas");
    return {beta, draw_margin};
}

League league_of(const In<int64_t, 1>& names_order, int64_t systems, int64_t updates, double sigma, double beta,
                 double draw_margin) {
    require(systems >= 2, "a ranking needs two systems");
    require(static_cast<int64_t>(names_order.shape(0)) == systems, "names_order needs one place a system");
    require_within(names_order, systems, "names_order must hold every place once");
    std::vector<bool> taken(systems);
    for (int64_t i = 0; i < systems; ++i) {
        require(!taken[names_order.data()[i]], "names_order must hold every place once");
        taken[names_order.data()[i]] = true;
    }
    require(updates >= 0, "the number of updates must not be negative");
    require_positive(sigma, "sigma must be positive");
    return {systems, names_order.data(), updates, sigma, match_of(beta, draw_margin)};
}

// Whoever of two systems comes first finds some judgements if the other does, and where `mirrored`, the same ones.
void require_counts(const In<int64_t, 3>& found, bool mirrored) {
    const size_t n = found.shape(0);
    require(found.shape(1) == n && found.shape(2) == 3, "counts must be square, of three outcomes each");
    int64_t total = 0;
    for (size_t k = 0; k < found.size(); ++k) {
        const int64_t count = found.data()[k];
        require(count >= 0 && count <= kExact && (total += count) <= kExact, "counts must not be negative or huge");
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            const int64_t *one = found.data() + 3 * (i * n + j), *other = found.data() + 3 * (j * n + i);
            const bool some = one[0] + one[1] + one[2] > 0;
            require(i != j || !some, "no system is judged against itself");
            require(some == (other[0] + other[1] + other[2] > 0), "counts must be there for both systems, or none");
            require(!mirrored || (one[0] == other[2] && one[1] == other[1]), "counts must be symmetric");
        }
}

// The systems of a set rise; every set is there once and has a ranking.
Matches matches_of(const In<int64_t, 2>& sets, const In<int64_t, 1>& starts, const In<int64_t, 2>& ranks,
                   int64_t systems) {
    const auto count = static_cast<int64_t>(sets.shape(0)), size = static_cast<int64_t>(sets.shape(1));
    require(size >= 2, "a set holds two systems or more");
    require(static_cast<int64_t>(ranks.shape(1)) == size, "sets and ranks must be of one size");
    std::set<std::vector<int64_t>> known;
    for (int64_t s = 0; s < count; ++s) {
        const int64_t* set = sets.data() + s * size;
        require(set[0] >= 0 && set[size - 1] < systems, "a set holds a system that is not there");
        for (int64_t i = 1; i < size; ++i) require(set[i - 1] < set[i], "the systems of a set must rise");
        require(known.emplace(set, set + size).second, "a set is there twice");
    }
    require(static_cast<int64_t>(starts.shape(0)) == count + 1, "one start a set, and one more");
    require_offsets(starts, ranks.shape(0), "starts must rise and end within the ranks");
    for (int64_t s = 0; s < count; ++s) require(starts.data()[s] < starts.data()[s + 1], "a set has no ranking");
    return {size, count, sets.data(), starts.data(), ranks.data()};
}

JudgedPairs pairs_of(const In<int64_t, 1>& left, const In<int64_t, 1>& right, const In<int64_t, 1>& outcome,
                     const In<int64_t, 1>& task, const In<int64_t, 1>& segment, int64_t systems) {
    const size_t count = left.shape(0);
    for (const auto* column : {&right, &outcome, &task, &segment})
        require(column->shape(0) == count, "all columns of pairs must be of one length");
    require(systems >= 1 && systems <= 1 << 20, "a ranking needs a system, and no more than 2^20");
    require_within(left, systems, "a pair holds a system that is not there");
    require_within(right, systems, "a pair holds a system that is not there");
    require_within(outcome, 3, "an outcome must be 0, 1 or 2");
    for (size_t p = 0; p < count; ++p) {
        require(left.data()[p] != right.data()[p], "no system is judged against itself");
        if (p == 0) continue;
        require(task.data()[p] >= task.data()[p - 1], "tasks must not fall");
        require(task.data()[p] > task.data()[p - 1] || segment.data()[p] == segment.data()[p - 1],
                "a task must lie within a segment");
    }
    return {static_cast<int64_t>(count), left.data(), right.data(), outcome.data(),
            task.data(),                 segment.data(), systems};
}

template <class Compute>
auto beliefs(const League& league, const Runs& runs, const Compute& compute) {
    auto mu = table(runs.count, league.systems), variance = table(runs.count, league.systems);
    {
        nb::gil_scoped_release nothing_of_python;
        compute(mu.data(), variance.data());
    }
    return nb::make_tuple(mu, variance);
}

void define_trueskill(nb::module_& m) {
    m.def(
        "trueskill_rate",
        [](const In<double, 1>& mu, const In<double, 1>& variance, const In<int64_t, 1>& ranks, double beta,
           double draw_margin) {
            const Match match = match_of(beta, draw_margin);
            const auto n = static_cast<int64_t>(mu.shape(0));
            require(n >= 2 && variance.shape(0) == mu.shape(0) && ranks.shape(0) == mu.shape(0),
                    "a match needs two players or more, each with a mean, a variance and a rank");
            for (int64_t i = 0; i < n; ++i) {
                require(std::abs(mu.data()[i]) < 1e100, "a mean must be a number");
                require_positive(variance.data()[i], "a variance must be positive");
            }
            std::vector<double> mean(mu.data(), mu.data() + n), spread(variance.data(), variance.data() + n);
            FreeForAll().rate(mean.data(), spread.data(), ranks.data(), n, match);
            return nb::make_tuple(give(std::move(mean)), give(std::move(spread)));
        },
        "mu"_a, "variance"_a, "ranks"_a, "beta"_a, "draw_margin"_a);
    m.def(
        "trueskill_runs",
        [](const In<int64_t, 3>& found, const In<int64_t, 1>& names_order, int64_t updates, int64_t runs,
           int64_t first_run, uint64_t seed, double sigma, double beta, double draw_margin, bool adaptive,
           bool resample, int threads) {
            require_counts(found, !adaptive || resample);
            const auto systems = static_cast<int64_t>(found.shape(0));
            const League league = league_of(names_order, systems, updates, sigma, beta, draw_margin);
            const PairCounts counts{found.data(), adaptive, resample};
            const Runs wanted = runs_of(first_run, runs, seed, threads);
            return beliefs(league, wanted, [&](double* mu, double* variance) {
                trueskill_runs(league, counts, wanted, mu, variance);
            });
        },
        "found"_a, "names_order"_a, "updates"_a, "runs"_a, "first_run"_a, "seed"_a, "sigma"_a, "beta"_a,
        "draw_margin"_a, "adaptive"_a, "resample"_a, "threads"_a);
    m.def(
        "trueskill_matches",
        [](const In<int64_t, 2>& sets, const In<int64_t, 1>& starts, const In<int64_t, 2>& ranks, int64_t n_systems,
           const In<int64_t, 1>& names_order, int64_t updates, int64_t runs, int64_t first_run, uint64_t seed,
           double sigma, double beta, double draw_margin, int threads) {
            const League league = league_of(names_order, n_systems, updates, sigma, beta, draw_margin);
            const Matches matches = matches_of(sets, starts, ranks, n_systems);
            const Runs wanted = runs_of(first_run, runs, seed, threads);
            return beliefs(league, wanted, [&](double* mu, double* variance) {
                trueskill_matches(league, matches, wanted, mu, variance);
            });
        },
        "sets"_a, "starts"_a, "ranks"_a, "n_systems"_a, "names_order"_a, "updates"_a, "runs"_a, "first_run"_a,
        "seed"_a, "sigma"_a, "beta"_a, "draw_margin"_a, "threads"_a);
}

void define_hopkins_may(nb::module_& m) {
    m.def(
        "hm_adjust",
        [](double q1, double q2, int64_t outcome, double radius) {
            require(outcome >= 0 && outcome <= 2, "an outcome must be 0, 1 or 2");
            require_not_negative(radius, "the radius must not be negative");
            const auto [one, other] = hm_adjusted(q1, q2, outcome, radius);
            return nb::make_tuple(one, other);
        },
        "q1"_a, "q2"_a, "outcome"_a, "radius"_a);
    m.def(
        "hopkins_may",
        [](const In<int64_t, 1>& left, const In<int64_t, 1>& right, const In<int64_t, 1>& outcome,
           const In<int64_t, 1>& task, const In<int64_t, 1>& segment, int64_t n_systems, int64_t iterations,
           int64_t burn_in, double radius, double sigma_0, double sigma_a, double sigma_obs, bool last_only,
           const std::string& resample, int64_t runs, int64_t first_run, uint64_t seed, int threads) {
            const JudgedPairs pairs = pairs_of(left, right, outcome, task, segment, n_systems);
            require(iterations >= 1 && burn_in >= 0, "there must be an iteration, and no negative burn-in");
            require(last_only || burn_in < iterations, "the burn-in must leave an iteration");
            require_not_negative(radius, "the radius must not be negative");
            for (const double sigma : {sigma_0, sigma_a, sigma_obs})
                require_not_negative(sigma, "a standard deviation must not be negative");
            const auto unit = named<Unit>(resample, {{"none", Unit::none},
                                                     {"pair", Unit::pair},
                                                     {"task", Unit::task},
                                                     {"segment", Unit::segment}});
            const HopkinsMay model{iterations, burn_in, radius, sigma_0, sigma_a, sigma_obs, last_only, unit};
            const Runs wanted = runs_of(first_run, runs, seed, threads);
            auto out = table(runs, n_systems);
            nb::gil_scoped_release nothing_of_python;
            hopkins_may(pairs, model, wanted, out.data());
            return out;
        },
        "left"_a, "right"_a, "outcome"_a, "task"_a, "segment"_a, "n_systems"_a, "iterations"_a, "burn_in"_a,
        "radius"_a, "sigma_0"_a, "sigma_a"_a, "sigma_obs"_a, "last_only"_a, "resample"_a, "runs"_a, "first_run"_a,
        "seed"_a, "threads"_a);
}

void define_counts(nb::module_& m) {
    m.def(
        "sampled_counts",
        [](const In<int64_t, 1>& cell, const In<int64_t, 1>& unit_starts, int64_t n_cells, int64_t samples,
           int64_t first_sample, uint64_t seed, int threads) {
            require(n_cells >= 0 && n_cells <= INT32_MAX, "the number of cells must not be negative, nor past 2^31");
            require_within(cell, n_cells, "a cell is out of range");
            require_offsets(unit_starts, cell.shape(0), "units must rise and end with the pairs");
            const auto units = static_cast<int64_t>(unit_starts.shape(0)) - 1;
            require(unit_starts.data()[units] == static_cast<int64_t>(cell.shape(0)),
                    "units must rise and end with the pairs");
            const Runs wanted = runs_of(first_sample, samples, seed, threads);
            auto out = table<int64_t>(samples, n_cells);
            nb::gil_scoped_release nothing_of_python;
            sampled_counts({cell.data(), unit_starts.data(), units, n_cells}, wanted, out.data());
            return out;
        },
        "cell"_a, "unit_starts"_a, "n_cells"_a, "samples"_a, "first_sample"_a, "seed"_a, "threads"_a);
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Tercet's compiled kernels. Packed lines are (bytes, offsets), packed tokens (bytes, offsets, rows).";
    m.def("pack", &pack, "strings"_a);
    m.def("unpack", &unpack, "lines"_a);
    m.def("lower", &lower, "lines"_a, "how"_a);
    define_tokenizers(m);
    define_metrics(m);
    define_resampling(m);
    define_trueskill(m);
    define_hopkins_may(m);
    define_counts(m);
    define_character(m);
    define_eed(m);
    define_beer(m);
    define_hybrids(m);
    define_lepor(m);
    define_lebleu(m);
    define_meta(m);
    define_rouge(m);
    define_scripts(m);
    define_stemmers(m);
    define_participants(m);
    define_terp(m);
    define_tuning(m);
    define_qe(m);
    define_meteor_tables(m);  // before what takes a table
    define_meteor(m);
    define_yisi(m);
}
