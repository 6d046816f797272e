// BLEU in which a word may stand for a reference word that begins or ends like it (Libovický and Pecina 2014).
#include <algorithm>

#include "common/assignment.hpp"
#include "metrics/pairs.hpp"
#include "metrics/participants.hpp"
#include "text/unicode.hpp"

namespace tercet {

namespace {

struct Scratch {
    WordPair words;
    std::vector<Chars> letters;  // of each word
    std::vector<double> weight;  // of each word of the translation
    std::vector<int32_t> left, hyp_rest, ref_rest;
    std::vector<double> cost;
    Assignment assignment;
    NgramIndex index;
    std::vector<int32_t> limit;
    std::vector<std::pair<uint32_t, double>> hits;  // n-grams of one order that the reference has, with their weights
};

// From 0, for equal words, to 1 where not even a letter at either end is the same.
double affix_distance(const Chars& one, const Chars& other, const TbleuOptions& options) {
    const size_t shorter = std::min(one.size(), other.size()), longer = std::max(one.size(), other.size());
    if (static_cast<int64_t>(shorter) < options.shortest || longer == 0) return 1;
    size_t prefix = 0, suffix = 0;
    while (prefix < shorter && one[prefix] == other[prefix]) ++prefix;
    const size_t room = options.both ? shorter - prefix : shorter;
    while (suffix < room && one[one.size() - 1 - suffix] == other[other.size() - 1 - suffix]) ++suffix;
    const size_t common = options.both ? prefix + suffix : std::max(prefix, suffix);
    return 1 - static_cast<double>(common) / static_cast<double>(longer);
}

// The words that no equal word is left for, of both sides.
void set_aside_equal(Scratch& s) {
    const auto &hyp = s.words.hyp, &ref = s.words.ref;
    s.left.assign(s.words.vocabulary.words().size(), 0);
    for (const int32_t id : ref) ++s.left[id];
    s.hyp_rest.clear();
    for (size_t i = 0; i < hyp.size(); ++i) {
        if (s.left[hyp[i]] > 0) {
            --s.left[hyp[i]];
        } else {
            s.hyp_rest.push_back(static_cast<int32_t>(i));
        }
    }
    s.ref_rest.clear();
    for (size_t j = ref.size(); j-- > 0;)
        if (s.left[ref[j]] > 0) --s.left[ref[j]], s.ref_rest.push_back(ref[j]);
    std::reverse(s.ref_rest.begin(), s.ref_rest.end());
}

// Puts reference words in the place of words that are like them.
void replace_similar(Scratch& s, const TbleuOptions& options) {
    auto& hyp = s.words.hyp;
    s.weight.assign(hyp.size(), 1);
    set_aside_equal(s);
    const auto n = static_cast<int32_t>(s.hyp_rest.size()), m = static_cast<int32_t>(s.ref_rest.size());
    if (n == 0 || m == 0) return;
    const auto& vocabulary = s.words.vocabulary.words();
    s.letters.resize(std::max(s.letters.size(), vocabulary.size()));
    for (const int32_t i : s.hyp_rest) decode(vocabulary[hyp[i]], s.letters[hyp[i]]);
    for (const int32_t id : s.ref_rest) decode(vocabulary[id], s.letters[id]);
    s.cost.resize(static_cast<size_t>(n) * m);
    Pace pace;
    for (int32_t i = 0; i < n; ++i) {
        pace.steps(4 * int64_t{m});
        for (int32_t j = 0; j < m; ++j) {
            const double distance = affix_distance(s.letters[hyp[s.hyp_rest[i]]], s.letters[s.ref_rest[j]], options);
            s.cost[static_cast<size_t>(i) * m + j] = distance < options.farthest ? distance : 1;
        }
    }
    const bool turned = n > m;
    const auto cost = [&](int32_t i, int32_t j) { return s.cost[static_cast<size_t>(i) * m + j]; };
    const auto& chosen = turned ? s.assignment.solve(m, n, [&](int32_t j, int32_t i) { return cost(i, j); })
                                : s.assignment.solve(n, m, cost);
    for (int32_t k = 0; k < static_cast<int32_t>(chosen.size()); ++k) {
        const int32_t i = turned ? chosen[k] : k, j = turned ? k : chosen[k];
        const double distance = cost(i, j);
        if (distance >= 1) continue;
        hyp[s.hyp_rest[i]] = s.ref_rest[j];
        s.weight[s.hyp_rest[i]] = std::max(0.0, 1 - options.penalty * distance);
    }
}

// An n-gram weighs what its words weigh on average; of more than the reference has, the heaviest count.
double matches_of(Scratch& s, size_t n) {
    const auto &hyp = s.words.hyp, &ref = s.words.ref;
    const auto ngram = [&](const std::vector<int32_t>& words, size_t at, auto&& step) {
        uint32_t id = 0;
        for (size_t k = at; k < at + n; ++k) {
            id = step(id, words[k]);
            if (id == 0) break;
        }
        return id;
    };
    s.index.reset(ref.size() * n);
    s.limit.assign(ref.size() * n + 1, 0);
    for (size_t j = 0; j + n <= ref.size(); ++j)
        ++s.limit[ngram(ref, j, [&](uint32_t id, int32_t word) { return s.index.add(id, word); })];
    s.hits.clear();
    for (size_t i = 0; i + n <= hyp.size(); ++i) {
        const uint32_t id = ngram(hyp, i, [&](uint32_t prefix, int32_t word) { return s.index.find(prefix, word); });
        if (id == 0 || s.limit[id] == 0) continue;
        double weight = 0;
        for (size_t k = i; k < i + n; ++k) weight += s.weight[k];
        s.hits.emplace_back(id, -weight / static_cast<double>(n));
    }
    std::sort(s.hits.begin(), s.hits.end());
    double sum = 0;
    for (const auto& [id, weight] : s.hits)
        if (s.limit[id] > 0) --s.limit[id], sum -= weight;
    return sum;
}

}  // namespace

void tbleu_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, const TbleuOptions& options, int threads,
                      double* out) {
    const int64_t columns = 2 + 2 * options.order;
    each_reference<Scratch>(hyps, refs, groups, threads, [&](Scratch& s, int64_t r) {
        double* row = out + r * columns;
        const size_t length = s.words.hyp.size();
        row[0] = static_cast<double>(length);
        row[1] = static_cast<double>(s.words.ref.size());
        replace_similar(s, options);
        for (int n = 0; n < options.order; ++n) {
            row[2 + n] = matches_of(s, static_cast<size_t>(n) + 1);
            row[2 + options.order + n] = static_cast<double>(length - std::min(length, static_cast<size_t>(n)));
        }
    });
}

}  // namespace tercet
