// NIST's information-weighted n-gram matches (Doddington 2002), as mteval computes them.
#include <bit>
#include <cmath>

#include "common/parallel.hpp"
#include "metrics/clipped.hpp"
#include "metrics/metrics.hpp"

namespace tercet {

// The table is far larger than any cache: a segment is taken order by order, so that no lookup waits for the one
// before, and memory is asked for some places ahead.
constexpr size_t kAhead = 8;

void InformationTable::add(const Tokens& refs) {
    std::vector<int32_t> words;
    const auto number = [this](std::string_view word) {
        const int32_t known = vocabulary_.find(word);
        return known < 0 ? vocabulary_.add(kept_.emplace_back(word)) : known;
    };
    Pace pace;
    std::vector<uint32_t> ngrams;  // that begin at each word
    for (int64_t r = 0; r < refs.size; ++r) {
        read_row(refs, r, number, words);
        words_ += static_cast<int64_t>(words.size());
        ngrams.assign(words.size(), 0);
        for (size_t n = 0; n < std::min<size_t>(order_, words.size()); ++n) {
            const size_t places = words.size() - n;
            for (size_t i = 0; i < places; ++i) {
                pace.steps(16);
                if (i + kAhead < places) index_.prefetch(ngrams[i + kAhead], words[i + kAhead + n]);
                const uint32_t prefix = ngrams[i];
                ngrams[i] = index_.add(prefix, words[i + n]);
                if (ngrams[i] == entries_.size()) entries_.push_back({0, prefix});
                else __builtin_prefetch(&entries_[ngrams[i]], 1);
            }
            for (size_t i = 0; i < places; ++i) ++entries_[ngrams[i]].count;
        }
    }
    zero_ = find(0, vocabulary_.find("0"));
}

double InformationTable::information(uint32_t ngram) const {
    const Entry& entry = entries_[ngram];
    const bool whole = entry.prefix == 0 || entry.prefix == zero_;
    const int64_t context = whole ? words_ : entries_[entry.prefix].count;
    return -std::log2(static_cast<double>(entry.count) / static_cast<double>(context));
}

void InformationTable::weigh(const Tokens& refs, int threads, double* out) const {
    parallel_blocks(refs.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        std::vector<int32_t> words;
        std::vector<uint32_t> ngrams;
        Pace pace;
        for (int64_t r = begin; r < end; ++r) {
            read_row(refs, r, [this](std::string_view word) { return vocabulary_.find(word); }, words);
            double* rows = out + refs.rows[r] * order_;
            std::fill_n(rows, words.size() * order_, 0.0);
            ngrams.assign(words.size(), 0);
            for (size_t n = 0; n < std::min<size_t>(order_, words.size()); ++n) {
                const size_t places = words.size() - n;
                for (size_t i = 0; i < places; ++i) {
                    pace.steps(16);
                    if (i + kAhead < places) index_.prefetch(ngrams[i + kAhead], words[i + kAhead + n]);
                    if (n == 0 || ngrams[i] != 0) ngrams[i] = find(ngrams[i], words[i + n]);
                    __builtin_prefetch(&entries_[ngrams[i]]);
                }
                for (size_t i = 0; i < places; ++i)
                    if (ngrams[i] != 0) rows[i * order_ + n] = information(ngrams[i]);
            }
        }
    });
}

namespace {

struct NistScratch {
    ClippedReferences several;
    Vocabulary vocabulary;
    std::vector<uint64_t> places;  // of each word of the reference; of the last, which no reference has, none
    std::vector<uint64_t> ends, taken;
};

constexpr int64_t kPlaces = 64;  // words of a reference whose n-grams are found by bits, as in common/ngram_places.hpp

// Adds the information of what one short reference has in common with the hypothesis, in the order of the hypothesis.
void match_one(const Tokens& hyps, int64_t i, const Tokens& refs, int64_t r, const double* weights, int order,
               NistScratch& s, double* row) {
    const int64_t first = refs.rows[r];
    s.vocabulary.reset(refs.length(r));
    s.places.assign(refs.length(r) + 1, 0);
    for (int64_t w = first; w < refs.rows[r + 1]; ++w)
        s.places[s.vocabulary.add(refs.words[w])] |= uint64_t{1} << (w - first);
    s.ends.assign(order, 0);
    s.taken.assign(order, 0);
    Pace pace;
    for (int64_t w = hyps.rows[i]; w < hyps.rows[i + 1]; ++w) {
        pace.steps(16 + 4 * int64_t{order});
        const int32_t word = s.vocabulary.find(hyps.words[w]);
        const uint64_t places = word < 0 ? 0 : s.places[word];
        for (int n = order - 1; n >= 0; --n) {
            s.ends[n] = n == 0 ? places : s.ends[n - 1] << 1 & places;
            const uint64_t left = s.ends[n] & ~s.taken[n];
            if (left == 0) continue;
            s.taken[n] |= left & -left;
            row[2 + 2 * n] += weights[(first + std::countr_zero(left) - n) * order + n];
        }
    }
}

}  // namespace

void nist_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, const double* weights, int order,
                     int threads, double* out) {
    const int64_t k = 2 + 2 * order;
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<NistScratch> lease;
        NistScratch& s = *lease;
        for (int64_t i = begin; i < end; ++i) {
            double* row = out + i * k;
            std::fill_n(row, k, 0.0);
            const int64_t hyp = hyps.length(i), first = groups[i], last = groups[i + 1];
            const int64_t ref_words = refs.rows[last] - refs.rows[first];
            row[0] = static_cast<double>(hyp);
            row[1] = first < last ? static_cast<double>(ref_words) / static_cast<double>(last - first) : 0;
            for (int n = 0; n < order; ++n) row[3 + 2 * n] = static_cast<double>(std::max<int64_t>(0, hyp - n));
            if (last - first == 1 && refs.length(first) <= kPlaces) {
                match_one(hyps, i, refs, first, weights, order, s, row);
                continue;
            }
            s.several.count(refs, first, last, order);
            s.several.match(hyps, i, order, [&](uint32_t ngram, size_t n, bool taken) {
                if (taken) row[2 + 2 * n] += weights[s.several.first_word[ngram] * order + static_cast<int64_t>(n)];
            });
        }
    });
}

}  // namespace tercet
