// Stemmers for Python.
#include "bindings/packed.hpp"
#include "text/stemmers.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tercet;
using namespace tercet::binding;

namespace {

Stemmer stemmer_of(const std::string& language) {
    return named<Stemmer>(language, {{"da", stem_danish},
                                     {"de", stem_german},
                                     {"en", stem_english},
                                     {"es", stem_spanish},
                                     {"fi", stem_finnish},
                                     {"fr", stem_french},
                                     {"hu", stem_hungarian},
                                     {"it", stem_italian},
                                     {"nl", stem_dutch},
                                     {"no", stem_norwegian},
                                     {"porter", stem_porter},
                                     {"pt", stem_portuguese},
                                     {"ro", stem_romanian},
                                     {"ru", stem_russian},
                                     {"se", stem_swedish},
                                     {"tr", stem_turkish}});
}

void define_stemmers(nb::module_& m) {
    m.def(
        "stem",
        [](const PackedLines& words, const std::string& language, int threads) {
            const Lines given = lines_of(words);
            const Stemmer stemmer = stemmer_of(language);
            TokenBuffer stems;
            {
                const WithoutPython nothing_of_python;
                stems = stem_words(given, stemmer, threads);
            }
            return as_lines(std::move(stems));
        },
        "words"_a, "language"_a, "threads"_a);
}

const Kernels kernels(define_stemmers);

}  // namespace
