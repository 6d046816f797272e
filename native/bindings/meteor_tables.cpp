// METEOR's normaliser and paraphrase table for Python.
#include <nanobind/stl/unordered_map.h>

#include <cstring>

#include "bindings/packed.hpp"
#include "metrics/paraphrases.hpp"
#include "text/meteor_text.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

// "line TAB what is wrong": Python knows the file's name.
template <class Work>
auto telling_line(const Work& work) {
    try {
        return work();
    } catch (const TableError& error) {
        throw nb::value_error((std::to_string(error.line) + "\t" + error.what()).c_str());
    }
}

Digest digest_of(const nb::bytes& bytes) {
    Digest out;
    require(bytes.size() == out.size(), "a digest has 32 bytes");
    std::memcpy(out.data(), bytes.c_str(), out.size());
    return out;
}

std::vector<int32_t> words_of(const ParaphraseTable& table, const Lines& words) {
    std::vector<int32_t> out(static_cast<size_t>(words.size));
    for (int64_t i = 0; i < words.size; ++i) out[i] = table.word(words[i]);
    return out;
}

// One pair a reference; matches of all pairs end to end, and where those of each begin.
auto matches_of_all(const ParaphraseTable& table, const Tokens& hyps, const Tokens& refs, Groups groups, int threads) {
    const std::vector<int32_t> hyp_words = words_of(table, hyps.words), ref_words = words_of(table, refs.words);
    std::vector<std::vector<PhraseMatch>> found(static_cast<size_t>(refs.size));
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<ParaphraseTable::Scratch> scratch;
        for (int64_t i = begin; i < end; ++i)
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r)
                table.matches(hyp_words.data() + hyps.rows[i], hyps.length(i), ref_words.data() + refs.rows[r],
                              refs.length(r), *scratch, found[r]);
    });
    std::vector<int64_t> starts{0};
    for (const auto& of_pair : found) starts.push_back(starts.back() + static_cast<int64_t>(of_pair.size()));
    return std::pair(std::move(starts), std::move(found));
}

void define_table(nb::module_& m) {
    nb::class_<ParaphraseTable>(m, "ParaphraseTable")
        .def(
            "__init__",
            [](ParaphraseTable* self, const In<uint8_t, 1>& block) {
                auto owner = std::make_shared<In<uint8_t, 1>>(block);
                const uint8_t* data = owner->data();
                const size_t size = owner->shape(0);
                const WithoutPython nothing_of_python;
                new (self) ParaphraseTable(data, size, std::move(owner));
            },
            "block"_a)
        .def("__len__", &ParaphraseTable::size)
        .def_prop_ro("source",
                     [](const ParaphraseTable& self) { return nb::bytes(self.source().data(), self.source().size()); })
        .def(
            "matches",
            [](const ParaphraseTable& self, const PackedTokens& hyps, const PackedTokens& refs,
               const In<int64_t, 1>& groups, int threads) {
                const Tokens h = tokens_of(hyps), r = tokens_of(refs);
                const Groups g = groups_of(groups, h.size, r.size);
                std::vector<int64_t> starts;
                std::vector<std::vector<PhraseMatch>> found;
                {
                    const WithoutPython nothing_of_python;
                    std::tie(starts, found) = matches_of_all(self, h, r, g, threads);
                }
                auto out = zeros<int32_t>(starts.back(), 4);
                static_assert(sizeof(PhraseMatch) == 4 * sizeof(int32_t));
                auto* next = reinterpret_cast<PhraseMatch*>(out.data());
                for (const auto& of_pair : found) next = std::copy(of_pair.begin(), of_pair.end(), next);
                return std::make_tuple(give(std::move(starts)), out);
            },
            "hyps"_a, "refs"_a, "groups"_a, "threads"_a);
    nb::class_<ParaphraseBuilder>(m, "ParaphraseBuilder")
        .def(nb::init<uint64_t>(), "most_bytes"_a)
        .def(
            "add",
            [](ParaphraseBuilder& self, const nb::bytes& text) {
                const std::string_view piece(text.c_str(), text.size());
                telling_line([&] {
                    const WithoutPython nothing_of_python;
                    self.add(piece);
                });
            },
            "text"_a)
        .def(
            "finish",
            [](ParaphraseBuilder& self, const nb::bytes& source) {
                const Digest digest = digest_of(source);
                return give(telling_line([&] {
                    const WithoutPython nothing_of_python;
                    return self.finish(digest);
                }));
            },
            "source"_a);
}

void define_normalizer(nb::module_& m) {
    m.def(
        "tokenize_meteor",
        [](const PackedLines& lines, const std::string& normalize, const std::string& apostrophe,
           const std::unordered_map<std::string, int>& prefixes, int threads) {
            const MeteorText options{
                named<Normalize>(normalize, {{"none", Normalize::none},
                                             {"lower", Normalize::lower},
                                             {"full", Normalize::full},
                                             {"nopunct", Normalize::nopunct}}),
                named<Elision>(apostrophe,
                               {{"alone", Elision::alone}, {"right", Elision::right}, {"left", Elision::left}}),
                prefixes};
            return tokenized(lines, threads, [&](auto line, auto& out) { tokenize_meteor(line, options, out); });
        },
        "lines"_a, "normalize"_a, "apostrophe"_a, "prefixes"_a, "threads"_a);
}

void define_meteor_tables(nb::module_& m) {
    define_table(m);
    define_normalizer(m);
}

const Kernels kernels(define_meteor_tables);

}  // namespace
