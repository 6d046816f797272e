// NIST's information-weighted n-gram matches (Doddington 2002), as mteval computes them.
#include <cmath>

#include "common/parallel.hpp"
#include "metrics/clipped.hpp"
#include "metrics/metrics.hpp"

namespace tercet {

void InformationTable::add(const Tokens& refs) {
    std::vector<int32_t> words;
    for (int64_t r = 0; r < refs.size; ++r) {
        words.clear();
        for (int64_t w = refs.rows[r]; w < refs.rows[r + 1]; ++w) {
            int32_t id = vocabulary_.find(refs.words[w]);
            if (id < 0) id = vocabulary_.add(kept_.emplace_back(refs.words[w]));
            words.push_back(id);
        }
        words_ += static_cast<int64_t>(words.size());
        for (size_t i = 0; i < words.size(); ++i) {
            uint32_t ngram = 0;
            const size_t end = std::min(words.size(), i + order_);
            for (size_t k = i; k < end; ++k) {
                const uint32_t prefix = ngram;
                ngram = index_.add(prefix, words[k]);
                if (ngram == entries_.size()) entries_.push_back({0, prefix});
                ++entries_[ngram].count;
            }
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

void nist_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, const InformationTable& table, int threads,
                     double* out) {
    const int order = table.order();
    const int64_t k = 2 + 2 * order;
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<ClippedReferences> lease;
        ClippedReferences& counts = *lease;
        for (int64_t i = begin; i < end; ++i) {
            double* row = out + i * k;
            std::fill_n(row, k, 0.0);
            const int64_t hyp = hyps.length(i), first = groups[i], last = groups[i + 1];
            const int64_t ref_words = refs.rows[last] - refs.rows[first];
            row[0] = static_cast<double>(hyp);
            row[1] = first < last ? static_cast<double>(ref_words) / static_cast<double>(last - first) : 0;
            counts.count(refs, first, last, order);
            uint32_t ngram = 0;  // its number among those of all references
            counts.match(hyps, i, order, [&](size_t start, size_t n, bool taken) {
                const auto word = table.word(hyps.words[hyps.rows[i] + static_cast<int64_t>(start + n)]);
                ngram = n == 0 || ngram != 0 ? table.find(n == 0 ? 0 : ngram, word) : 0;
                if (taken && ngram != 0) row[2 + 2 * n] += table.information(ngram);
            });
            for (int n = 0; n < order; ++n) row[3 + 2 * n] = static_cast<double>(std::max<int64_t>(0, hyp - n));
        }
    });
}

}  // namespace tercet
