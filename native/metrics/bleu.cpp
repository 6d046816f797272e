// Clipped n-gram matches (Papineni et al. 2002), shared by BLEU in all its dialects.
#include <array>
#include <cstdlib>

#include "common/ngram_places.hpp"
#include "common/parallel.hpp"
#include "metrics/clipped.hpp"
#include "metrics/metrics.hpp"

namespace tercet {

namespace {

struct Scratch {
    Vocabulary vocabulary;
    NgramPlaces places;
    PackedBag bag;
    std::vector<uint32_t> hyp, ref;  // words, from 1; 0 for a word that the reference does not have
    ClippedReferences several;
};

int64_t reference_length(const Tokens& refs, int64_t first, int64_t last, int64_t hyp, ReferenceLength how) {
    if (first == last) return 0;
    int64_t best = refs.length(first), sum = 0;
    for (int64_t r = first; r < last; ++r) {
        const int64_t length = refs.length(r);
        sum += length;
        const int64_t gain = std::abs(best - hyp) - std::abs(length - hyp);
        const bool closer = gain > 0 || (gain == 0 && length < best);
        if (how == ReferenceLength::shortest ? length < best : closer) best = length;
    }
    return how == ReferenceLength::average ? sum / (last - first) : best;
}

// Gives in matches[n], 0 before, what one reference has in common, if it is short enough; else false.
bool match_one(const Tokens& hyps, int64_t i, const Tokens& refs, int64_t r, int order, Scratch& s, double* matches) {
    s.vocabulary.reset(refs.length(r));
    read_row(refs, r, [&](std::string_view word) { return s.vocabulary.add(word) + 1; }, s.ref);
    const size_t symbols = s.vocabulary.words().size();
    const bool by_places = NgramPlaces::fits(order, static_cast<size_t>(hyps.length(i)), s.ref.size());
    if (!by_places && !PackedBag::fits(order, symbols, s.ref.size())) return false;
    read_row(hyps, i, [&](std::string_view word) { return s.vocabulary.find(word) + 1; }, s.hyp);
    if (by_places) {
        s.places.match(s.hyp, s.ref, symbols, order, [&](size_t n, int found) { matches[n] = found; });
        return true;
    }
    match_packed(s.bag, s.hyp, s.ref, symbols, order, [&](size_t n, int taken) { matches[n] += taken; });
    return true;
}

}  // namespace

void bleu_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int order, ReferenceLength length,
                     int threads, double* out) {
    const int64_t k = 2 + 2 * order;
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        for (int64_t i = begin; i < end; ++i) {
            double* row = out + i * k;
            std::fill_n(row, k, 0.0);
            const int64_t hyp = hyps.length(i);
            row[0] = static_cast<double>(hyp);
            row[1] = static_cast<double>(reference_length(refs, groups[i], groups[i + 1], hyp, length));
            for (int n = 0; n < order; ++n) row[2 + order + n] = static_cast<double>(std::max<int64_t>(0, hyp - n));
            const int64_t first = groups[i], last = groups[i + 1];
            if (last - first == 1 && match_one(hyps, i, refs, first, order, s, row + 2)) continue;
            s.several.count(refs, first, last, order);
            s.several.match(hyps, i, order, [row](uint32_t, size_t n, bool taken) { row[2 + n] += taken; });
        }
    });
}

}  // namespace tercet
