// Strings, their bytes and their tokens.
#include <nanobind/stl/unordered_map.h>

#include "bindings/packed.hpp"
#include "common/ngrams.hpp"
#include "text/tokenize.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

// Python strings to UTF-8, end to end. A lone surrogate has no UTF-8: it is refused by raising IndexError
// with its position in the list.
auto pack(const nb::typed<nb::list, nb::str>& strings) {
    std::string data;
    std::vector<int64_t> offsets{0};
    offsets.reserve(strings.size() + 1);
    for (const nb::handle item : strings) {
        if (!PyUnicode_Check(item.ptr())) throw nb::type_error("only strings can be packed");
        Py_ssize_t size = 0;
        const char* bytes = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
        if (bytes == nullptr) {
            PyErr_Clear();
            throw nb::index_error(std::to_string(offsets.size() - 1).c_str());
        }
        data.append(bytes, static_cast<size_t>(size));
        offsets.push_back(static_cast<int64_t>(data.size()));
    }
    return std::make_tuple(give(std::move(data)), give(std::move(offsets)));
}

nb::typed<nb::list, nb::str> unpack(const PackedLines& packed) {
    const Lines lines = lines_of(packed);
    nb::typed<nb::list, nb::str> out;
    for (int64_t i = 0; i < lines.size; ++i) {
        const std::string_view line = lines[i];
        PyObject* text = PyUnicode_DecodeUTF8(line.data(), static_cast<Py_ssize_t>(line.size()), nullptr);
        if (text == nullptr) throw nb::python_error();
        out.append(nb::steal(text));
    }
    return out;
}

auto lower(const PackedLines& packed, const std::string& how) {
    const Lines lines = lines_of(packed);
    const auto mode = named<Lower>(how, {{"python", Lower::python}, {"perl", Lower::perl}, {"ascii", Lower::ascii}});
    std::string data;
    std::vector<int64_t> offsets{0};
    {
        const WithoutPython nothing_of_python;
        offsets.reserve(lines.size + 1);
        for (int64_t i = 0; i < lines.size; ++i) {
            append_lower(lines[i], mode, data);
            offsets.push_back(static_cast<int64_t>(data.size()));
        }
    }
    return std::make_tuple(give(std::move(data)), give(std::move(offsets)));
}

// How many places of the hash table are looked at to find each of the words, all numbered before: for tests.
int64_t places_looked_at(const PackedLines& packed) {
    const Lines words = lines_of(packed);
    Vocabulary vocabulary;
    vocabulary.reset(0);
    for (int64_t i = 0; i < words.size; ++i) vocabulary.add(words[i]);
    int64_t places = 0;
    for (int64_t i = 0; i < words.size; ++i) places += vocabulary.places(words[i]);
    return places;
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
        "tokenize_terp",
        [](const PackedLines& lines, bool normalized, bool case_sensitive, int threads) {
            const TerpTextOptions options{normalized, case_sensitive};
            return tokenized(lines, threads, [&](auto line, auto& out) { tokenize_terp(line, options, out); });
        },
        "lines"_a, "normalized"_a, "case_sensitive"_a, "threads"_a);
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

const Kernels kernels([](nb::module_& m) {
    m.def("pack", &pack, "strings"_a);
    m.def("unpack", &unpack, "lines"_a);
    m.def("lower", &lower, "lines"_a, "how"_a);
    m.def("places_looked_at", &places_looked_at, "words"_a);
    define_tokenizers(m);
});

}  // namespace
