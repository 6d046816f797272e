// LeBLEU (Virpioja and Grönroos 2015): BLEU in which an n-gram matches by the share of letters that need no edit.
#pragma once

#include "text/text.hpp"

namespace tercet {

struct LebleuOptions {
    int max_n = 4;
    double threshold = 0.4;  // similarities below count nothing
    int64_t sampling = 2000;  // about so many n-grams are looked at; 0: all
};

// [hits of order 1.., totals of order 1..] for each pair of a hypothesis and a reference, references[i] with
// hypotheses[owners[i]].
void lebleu_hits(const Tokens& hyps, const Tokens& refs, const int64_t* owners, const LebleuOptions& options,
                 int threads, double* out);

}  // namespace tercet
