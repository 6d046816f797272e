// Runs of words that two texts have in common, each word matched once, the longest run first (Melamed et al. 2003).
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <queue>
#include <tuple>

#include "metrics/pairs.hpp"
#include "metrics/participants.hpp"

namespace tercet {

namespace {

struct Run {
    int32_t length, hyp, ref;

    // Of runs of one length the one that moves least comes first, then the one that stands first.
    std::tuple<int32_t, int32_t, int32_t, int32_t> key() const { return {length, -std::abs(hyp - ref), -hyp, -ref}; }
    bool operator<(const Run& other) const { return key() < other.key(); }
};

struct Scratch {
    WordPair words;
    std::vector<int32_t> begin, positions;  // where each word stands in the reference
    std::vector<char> hyp_used, ref_used;
    std::priority_queue<Run> waiting;
    std::vector<Run> found;
    std::vector<std::pair<int32_t, int32_t>> matched;  // places of matched words
};

void index_reference(Scratch& s) {
    const auto& ref = s.words.ref;
    s.begin.assign(s.words.vocabulary.words().size() + 1, 0);
    for (const int32_t id : ref) ++s.begin[id + 1];
    for (size_t w = 1; w < s.begin.size(); ++w) s.begin[w] += s.begin[w - 1];
    s.positions.resize(ref.size());
    std::vector<int32_t> next(s.begin.begin(), s.begin.end() - 1);
    for (size_t r = 0; r < ref.size(); ++r) s.positions[next[ref[r]]++] = static_cast<int32_t>(r);
}

// Every run that cannot be made longer at either end.
void collect(Scratch& s) {
    const auto &hyp = s.words.hyp, &ref = s.words.ref;
    const auto n = static_cast<int32_t>(hyp.size()), m = static_cast<int32_t>(ref.size());
    Pace pace;
    for (int32_t i = 0; i < n; ++i)
        for (int32_t at = s.begin[hyp[i]]; at < s.begin[hyp[i] + 1]; ++at) {
            const int32_t j = s.positions[at];
            pace.steps(1);
            if (i > 0 && j > 0 && hyp[i - 1] == ref[j - 1]) continue;
            int32_t length = 1;
            while (i + length < n && j + length < m && hyp[i + length] == ref[j + length]) ++length;
            pace.steps(length + 16);
            s.waiting.push({length, i, j});
        }
}

// Takes a run whose words are all free; of any other, what is left of it waits again.
void take(const Run& run, Scratch& s) {
    const auto free = [&](int32_t k) { return !s.hyp_used[run.hyp + k] && !s.ref_used[run.ref + k]; };
    int32_t start = 0;
    while (start < run.length && free(start)) ++start;
    if (start == run.length) {
        std::fill_n(s.hyp_used.begin() + run.hyp, run.length, 1);
        std::fill_n(s.ref_used.begin() + run.ref, run.length, 1);
        s.found.push_back(run);
        return;
    }
    for (start = 0; start < run.length;) {
        int32_t end = start;
        while (end < run.length && free(end)) ++end;
        if (end > start) s.waiting.push({end - start, run.hyp + start, run.ref + start});
        start = end + 1;
    }
}

void align(Scratch& s) {
    index_reference(s);
    s.hyp_used.assign(s.words.hyp.size(), 0);
    s.ref_used.assign(s.words.ref.size(), 0);
    s.found.clear();
    collect(s);
    Pace pace;
    while (!s.waiting.empty()) {
        const Run run = s.waiting.top();
        s.waiting.pop();
        pace.steps(run.length + 32);
        take(run, s);
    }
}

// How the matched words are ordered: pairs in the same order, and squared differences of ranks.
std::pair<double, double> order_of(Scratch& s) {
    s.matched.clear();
    for (const Run& run : s.found)
        for (int32_t k = 0; k < run.length; ++k) s.matched.emplace_back(run.ref + k, run.hyp + k);
    sort_paced(s.matched.begin(), s.matched.end());
    std::vector<int32_t> hyp_rank(s.words.hyp.size(), 0);
    for (const auto& [ref, hyp] : s.matched) hyp_rank[hyp] = 1;
    int32_t seen = 0;
    for (int32_t& rank : hyp_rank) rank = rank ? seen++ : 0;
    double concordant = 0, squares = 0;
    Pace pace;
    for (size_t k = 0; k < s.matched.size(); ++k) {
        const double difference = static_cast<double>(hyp_rank[s.matched[k].second]) - static_cast<double>(k);
        squares += difference * difference;
        pace.steps(static_cast<int64_t>(k));
        for (size_t other = 0; other < k; ++other) concordant += s.matched[other].second < s.matched[k].second;
    }
    return {concordant, squares};
}

}  // namespace

void word_runs(const Tokens& hyps, const Tokens& refs, Groups groups, double exponent, int threads, double* out) {
    each_reference<Scratch>(hyps, refs, groups, threads, [&](Scratch& s, int64_t r) {
        align(s);
        double words = 0, powers = 0;
        for (const Run& run : s.found) {
            words += run.length;
            powers += std::pow(static_cast<double>(run.length), exponent);
        }
        double* row = out + r * kRunColumns;
        row[0] = words;
        row[1] = static_cast<double>(s.found.size());
        row[2] = powers;
        std::tie(row[3], row[4]) = order_of(s);
    });
}

}  // namespace tercet
