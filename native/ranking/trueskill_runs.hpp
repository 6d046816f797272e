// Rankings by TrueSkill, many runs (Sakaguchi, Post and Van Durme 2014): in each, matches are chosen to be telling, and
// their results drawn from the stored judgements.
#pragma once

#include <cstdint>

#include "ranking/trueskill.hpp"
#include "stats/runs.hpp"

namespace tercet {

// What all runs share. `name_order` is the place of each system in the order of names, which breaks ties.
struct League {
    int64_t systems;
    const int64_t* name_order;
    int64_t updates;
    double sigma;
    Match match;
};

// Pairs: found[i, j] are the judgements that i draws from when it meets j: how many found i better, both alike, j
// better. One of found[i, j] and found[j, i] is empty only if both are; unless matches are telling and nothing is
// resampled, they are the same judgements.
struct PairCounts {
    const int64_t* found;
    bool adaptive;  // matches are telling; otherwise every judgement is as likely as any other
    bool resample;  // each run first draws as many judgements as there are, with replacement
};

// Sets of `size` systems each, all different. The systems of a set rise; set s has the rankings starts[s] to
// starts[s + 1], in the order of its systems.
struct Matches {
    int64_t size, count;
    const int64_t *sets, *starts, *ranks;
};

// Rows of `mu` and `variance` (runs x systems) are what each run ends with.
void trueskill_runs(const League& league, const PairCounts& counts, const Runs& runs, double* mu, double* variance);
void trueskill_matches(const League& league, const Matches& matches, const Runs& runs, double* mu, double* variance);

}  // namespace tercet
