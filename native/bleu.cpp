// Clipped n-gram matches (Papineni et al. 2002), shared by BLEU in all its dialects.
#include <array>
#include <cstdlib>

#include "metrics.hpp"
#include "parallel.hpp"

namespace tercet {

namespace {

struct Scratch {
    Vocabulary vocabulary;
    NgramIndex index;
    std::vector<int32_t> words;
    std::vector<int32_t> limit;  // for each n-gram of the references: how often a hypothesis may still match it
    std::vector<int32_t> seen;   // the same, in one reference
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

void count_references(const Tokens& refs, int64_t first, int64_t last, int order, Scratch& s) {
    const int64_t total = refs.rows[last] - refs.rows[first];
    s.vocabulary.reset(total);
    s.index.reset(total * order);
    s.limit.assign(total * order + 1, 0);
    for (int64_t r = first; r < last; ++r) {
        s.words.clear();
        for (int64_t w = refs.rows[r]; w < refs.rows[r + 1]; ++w) s.words.push_back(s.vocabulary.add(refs.words[w]));
        std::vector<int32_t>& counts = r == first ? s.limit : s.seen;
        if (r > first) s.seen.assign(s.limit.size(), 0);
        for (size_t i = 0; i < s.words.size(); ++i) {
            uint32_t ngram = 0;
            const size_t end = std::min(s.words.size(), i + order);
            for (size_t k = i; k < end; ++k) ++counts[ngram = s.index.add(ngram, s.words[k])];
        }
        if (r > first)
            for (uint32_t g = 1; g <= s.index.size(); ++g) s.limit[g] = std::max(s.limit[g], s.seen[g]);
    }
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
            count_references(refs, groups[i], groups[i + 1], order, s);
            s.words.clear();
            for (int64_t w = hyps.rows[i]; w < hyps.rows[i + 1]; ++w)
                s.words.push_back(s.vocabulary.find(hyps.words[w]));
            for (int64_t j = 0; j < hyp; ++j) {
                uint32_t ngram = 0;
                const int64_t last = std::min(hyp, j + order);
                for (int64_t w = j; w < last && s.words[w] >= 0; ++w) {
                    ngram = s.index.find(ngram, s.words[w]);
                    if (ngram == 0) break;
                    if (s.limit[ngram] > 0) --s.limit[ngram], ++row[2 + w - j];
                }
            }
        }
    });
}

}  // namespace tercet
