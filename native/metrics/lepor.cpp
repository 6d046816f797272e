// hLEPOR's factors as hLepor 0.0.4 computes them, its quirks included: they decide which of several like words are
// compared for position.
#include "metrics/lepor.hpp"

#include <cmath>
#include <cstdlib>

#include "common/ngrams.hpp"
#include "text/unicode.hpp"

namespace tercet {

namespace {

using Ids = std::vector<int32_t>;

// The slice [at - window, at) of Python: a start below 0 counts from the end.
std::pair<int64_t, int64_t> before(int64_t at, int64_t window, int64_t size) {
    const int64_t start = at - window;
    return {start < 0 ? std::max<int64_t>(0, size + start) : start, at};
}

template <class Visit>
bool any_neighbour(const Ids& words, int64_t at, int64_t window, const Visit& visit) {
    const auto size = static_cast<int64_t>(words.size());
    const auto [first, last] = before(at, window, size);
    for (int64_t i = first; i < last; ++i)
        if (visit(words[i])) return true;
    for (int64_t i = at + 1, end = std::min(size, at + window + 1); i < end; ++i)
        if (visit(words[i])) return true;
    return false;
}

bool share_a_neighbour(const Ids& hyp, int64_t h, const Ids& ref, int64_t r, int64_t window) {
    return any_neighbour(hyp, h, window, [&](int32_t word) {
        return word >= 0 && any_neighbour(ref, r, window, [&](int32_t other) { return other == word; });
    });
}

// The places of each reference word, on both sides, end to end.
struct Places {
    Ids starts, places;

    void fill(const Ids& words, size_t distinct) {
        starts.assign(distinct + 1, 0);
        for (const int32_t word : words)
            if (word >= 0) ++starts[word + 1];
        for (size_t w = 0; w < distinct; ++w) starts[w + 1] += starts[w];
        places.resize(static_cast<size_t>(starts[distinct]));
        next_ = starts;
        for (size_t i = 0; i < words.size(); ++i)
            if (words[i] >= 0) places[next_[words[i]]++] = static_cast<int32_t>(i);
    }
    size_t count(size_t word) const { return static_cast<size_t>(starts[word + 1] - starts[word]); }
    const int32_t* of(size_t word) const { return places.data() + starts[word]; }

  private:
    Ids next_;
};

struct Scratch {
    Vocabulary vocabulary;
    Ids hyp, ref, left;
    Places hyp_places, ref_places;
    std::vector<std::pair<int32_t, int32_t>> matches;
    NgramIndex index;
    std::vector<int64_t> counts;
    Pace pace;
};

// Which of the places that are left is compared: the nearest of those that share a neighbour, as a number among
// these, and of all if none does.
size_t nearest(const Ids& hyp, int32_t at, const Ids& ref, const Ids& left, int window, Pace& pace) {
    size_t flagged = 0, best_flagged = 0, best = 0;
    int64_t least_flagged = 0, least = 0;
    for (size_t i = 0; i < left.size(); ++i) {
        pace.steps(int64_t{window} * window + 1);
        const int64_t distance = std::abs(static_cast<int64_t>(at) - left[i]);
        if (i == 0 || distance < least) least = distance, best = i;
        if (!share_a_neighbour(hyp, at, ref, left[i], window)) continue;
        if (flagged == 0 || distance < least_flagged) least_flagged = distance, best_flagged = flagged;
        ++flagged;
    }
    return flagged > 0 ? best_flagged : best;
}

// Reference words are numbered from 0 in the order of their first places; others of the hypothesis are -1.
void match(size_t distinct, int window, Scratch& s) {
    s.matches.clear();
    s.hyp_places.fill(s.hyp, distinct);
    s.ref_places.fill(s.ref, distinct);
    for (size_t word = 0; word < distinct; ++word) {
        const size_t ours = s.hyp_places.count(word), theirs = s.ref_places.count(word);
        s.pace.steps(8);
        if (ours == 0) continue;
        const int32_t *mine = s.hyp_places.of(word), *other = s.ref_places.of(word);
        if (ours == 1 && theirs == 1) {
            s.matches.emplace_back(mine[0], other[0]);
            continue;
        }
        s.left.assign(other, other + theirs);
        for (size_t i = 0; i < ours && !s.left.empty(); ++i) {
            const size_t taken = nearest(s.hyp, mine[i], s.ref, s.left, window, s.pace);
            s.matches.emplace_back(mine[i], s.left[taken]);
            s.left.erase(s.left.begin() + static_cast<std::ptrdiff_t>(taken));
        }
    }
}

double position_difference(const Scratch& s) {
    const auto h = static_cast<double>(s.hyp.size()), r = static_cast<double>(s.ref.size());
    double sum = 0;
    for (const auto& [i, j] : s.matches) sum += std::abs((i + 1) / h - (j + 1) / r);
    return sum / h;
}

void count_matches(int order, Scratch& s, double* out) {
    s.index.reset(s.ref.size() * static_cast<size_t>(order));
    s.counts.assign(s.ref.size() * static_cast<size_t>(order) + 1, 0);
    const auto each = [&](const Ids& words, const auto& take) {
        for (size_t i = 0; i < words.size(); ++i) {
            s.pace.steps(8 * int64_t{order});
            uint32_t ngram = 0;
            const size_t end = std::min(words.size(), i + static_cast<size_t>(order));
            for (size_t k = i; k < end && words[k] >= 0; ++k)
                if (!take(ngram, static_cast<uint32_t>(words[k]), k - i)) break;
        }
    };
    each(s.ref, [&](uint32_t& ngram, uint32_t word, size_t) {
        ++s.counts[ngram = s.index.add(ngram, word)];
        return true;
    });
    each(s.hyp, [&](uint32_t& ngram, uint32_t word, size_t longer) {
        ngram = s.index.find(ngram, word);
        if (ngram != 0 && s.counts[ngram] > 0) --s.counts[ngram], ++out[longer];
        return ngram != 0;
    });
}

void compare(const LeporOptions& options, Scratch& s, double* out) {
    const auto h = static_cast<double>(s.hyp.size()), r = static_cast<double>(s.ref.size());
    out[2] = h, out[3] = r;
    if (s.hyp.empty() || s.ref.empty()) return;
    out[0] = std::exp(1 - std::max(h, r) / std::min(h, r));
    double difference = 0;  // the same words in the same order: whatever else would be compared, they do not differ
    if (s.hyp != s.ref) {
        match(s.vocabulary.words().size(), options.window, s);
        difference = position_difference(s);
    }
    out[1] = std::exp(-difference);
    count_matches(options.order, s, out + 4);
}

}  // namespace

void lepor_factors(const Tokens& hyps, const Tokens& refs, Groups groups, const LeporOptions& options, int threads,
                   double* out) {
    const int64_t columns = lepor_columns(options.order);
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        for (int64_t i = begin; i < end; ++i) {
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                s.vocabulary.reset(static_cast<size_t>(refs.length(r)));
                read_row(refs, r, [&](std::string_view word) { return s.vocabulary.add(word); }, s.ref);
                read_row(hyps, i, [&](std::string_view word) { return s.vocabulary.find(word); }, s.hyp);
                compare(options, s, out + r * columns);
            }
        }
    });
}

std::vector<std::pair<int32_t, int32_t>> lepor_matches(const Ids& hyp, const Ids& ref, int window) {
    Scratch s;
    s.hyp = hyp, s.ref = ref;
    if (hyp == ref) {
        for (size_t i = 0; i < hyp.size(); ++i)
            s.matches.emplace_back(static_cast<int32_t>(i), static_cast<int32_t>(i));
    } else {
        int32_t last = -1;  // of either side: the hypothesis may have words that the reference lacks
        for (const Ids* words : {&hyp, &ref})
            for (const int32_t word : *words) last = std::max(last, word);
        match(static_cast<size_t>(last + 1), window, s);
    }
    return s.matches;
}

void split_single_spaces(std::string_view line, TokenBuffer& out) {
    size_t first = 0, last = 0;
    bool started = false;
    for (size_t i = 0; i < line.size();) {
        const size_t at = i;
        if (unicode::is_space(next_char(line, i))) continue;
        if (!started) first = at, started = true;
        last = i;
    }
    if (!started) return;
    line = line.substr(first, last - first);
    for (size_t begin = 0;;) {
        const size_t space = line.find(' ', begin);
        out.add(line.substr(begin, space == std::string_view::npos ? space : space - begin));
        if (space == std::string_view::npos) return;
        begin = space + 1;
    }
}

}  // namespace tercet
