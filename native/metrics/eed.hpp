// Extended edit distance (Stanchev, Wang and Ney 2019): characters, with long jumps and a penalty for being visited
// too often or never.
#pragma once

#include "text/text.hpp"

namespace tercet {

// Python: the function in double precision. The other two are the C++ library in 32 bits, whose search for a row's
// minimum keeps only its whole part; wmt19 is its state of May 2019, with another idea of coverage.
enum class EedVersion { python, cpp, wmt19 };

struct EedCosts {
    double alpha = 2, deletion = 0.2, insertion = 1, substitution = 1, rho = 0.3;
};

inline constexpr int kEedColumns = 4;

// [score, errors, coverage, reference characters] against the reference of the lowest score. Texts are as eed_text
// leaves them.
void eed_scores(const Lines& hyps, const Lines& refs, Groups groups, EedVersion version, const EedCosts& costs,
                int threads, double* out);

// EED's own preparation of English, which its program uses for every language.
TokenBuffer eed_text(const Lines& lines, int threads);

}  // namespace tercet
