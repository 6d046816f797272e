// Word error rates of the Moses scorer: WER (Levenshtein), CDER (Leusch et al. 2006), PER (Tillmann et al. 1997),
// and the two TERs over segments and references.
#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics.hpp"
#include "parallel.hpp"
#include "ter.hpp"
#include "tercpp.hpp"

namespace tercet {

namespace {

// The words of one segment as small numbers.
struct Numbered {
    Vocabulary vocabulary;
    std::vector<int32_t> hyp, ref;

    void read(const Tokens& side, int64_t row, std::vector<int32_t>& out) {
        out.clear();
        for (int64_t w = side.rows[row]; w < side.rows[row + 1]; ++w) out.push_back(vocabulary.add(side.words[w]));
    }

    void read_pair(const Tokens& hyps, int64_t i, const Tokens& refs, int64_t r) {
        vocabulary.reset(hyps.length(i) + refs.length(r));
        read(hyps, i, hyp);
        read(refs, r, ref);
    }
};

// Distance of the whole candidate after the whole reference. A long jump of CDER costs one and may follow any
// reference word; it lands anywhere in the candidate.
int64_t distance(const std::vector<int32_t>& hyp, const std::vector<int32_t>& ref, Distance kind,
                 std::vector<int32_t>& row) {
    const size_t n = hyp.size();
    row.resize(n + 1);
    for (size_t i = 0; i <= n; ++i) row[i] = static_cast<int32_t>(kind == Distance::wer ? i : std::min<size_t>(i, 1));
    for (const int32_t word : ref) {
        int32_t diagonal = row[0], lowest = ++row[0];
        for (size_t i = 1; i <= n; ++i) {
            const int32_t above = row[i];
            const int32_t value = std::min({row[i - 1] + 1, diagonal + (word != hyp[i - 1]), above + 1});
            diagonal = above;
            row[i] = value;
            lowest = std::min(lowest, value);
        }
        if (kind == Distance::cder)
            for (size_t i = 0; i <= n; ++i) row[i] = std::min(row[i], lowest + 1);
    }
    return row[n];
}

double rate(double edits, double length) { return length > 0 ? edits / length : 0; }

}  // namespace

void edit_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, Distance kind, bool best, int threads,
                     double* out) {
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<std::pair<Numbered, std::vector<int32_t>>> lease;
        auto& [words, row] = *lease;
        for (int64_t i = begin; i < end; ++i) {
            double* kept = out + 2 * i;
            kept[0] = kept[1] = 0;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                words.read_pair(hyps, i, refs, r);
                const double edits = static_cast<double>(distance(words.hyp, words.ref, kind, row));
                const double length = static_cast<double>(words.ref.size());
                // Moses compares the scores after cutting them to whole numbers, so that the first reference
                // stays unless a later one is perfect or the first is below -1.
                const auto score = [&](double e, double l) {
                    return best ? 1 - rate(e, l) : std::trunc(1 - rate(e, l));
                };
                if (r == groups[i] || score(edits, length) > score(kept[0], kept[1])) kept[0] = edits, kept[1] = length;
            }
        }
    });
}

void per_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int threads, double* out) {
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<std::pair<Numbered, std::vector<int32_t>>> lease;
        auto& [words, left] = *lease;
        for (int64_t i = begin; i < end; ++i) {
            double* kept = out + 3 * i;
            kept[0] = kept[2] = 0;
            kept[1] = static_cast<double>(hyps.length(i));
            double lowest = 0;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                words.read_pair(hyps, i, refs, r);
                left.assign(words.vocabulary.words().size(), 0);
                for (const int32_t id : words.ref) ++left[id];
                double common = 0;
                for (const int32_t id : words.hyp)
                    if (left[id] > 0) --left[id], ++common;
                const double length = static_cast<double>(words.ref.size());
                const double error = length > 0 ? (std::max(length, kept[1]) - common) / length : 1;
                if (r == groups[i] || error < lowest) lowest = error, kept[0] = common, kept[2] = length;
            }
        }
    });
}

void ter_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int threads, double* out) {
    parallel_blocks(hyps.size, threads, 16, [&](int64_t begin, int64_t end) {
        const Lease<std::pair<Numbered, TerWorkspace>> lease;
        auto& [words, workspace] = *lease;
        for (int64_t i = begin; i < end; ++i) {
            int64_t fewest = 0, total = 0;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                words.read_pair(hyps, i, refs, r);
                const int64_t edits = ter_edits(words.hyp, words.ref, workspace);
                if (r == groups[i] || edits < fewest) fewest = edits;
                total += static_cast<int64_t>(words.ref.size());
            }
            const int64_t n = std::max<int64_t>(1, groups[i + 1] - groups[i]);
            out[2 * i] = static_cast<double>(fewest);
            out[2 * i + 1] = static_cast<double>(total) / static_cast<double>(n);
        }
    });
}

void moses_ter_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int threads, double* out) {
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<std::pair<Numbered, TercppWorkspace>> lease;
        auto& [words, workspace] = *lease;
        for (int64_t i = begin; i < end; ++i) {
            const int64_t first = groups[i], last = groups[i + 1];
            const int64_t total = refs.rows[last] - refs.rows[first];
            double fewest = 0;
            for (int64_t r = first; r < last; ++r) {
                words.read_pair(hyps, i, refs, r);
                // An empty line is one empty word to Moses.
                const int32_t empty = words.vocabulary.add("");
                if (words.hyp.empty()) words.hyp.push_back(empty);
                if (words.ref.empty()) words.ref.push_back(empty);
                const double edits = static_cast<double>(tercpp_edits(words.ref, words.hyp, workspace));
                if (r == first || edits < fewest || (fewest == 0 && total == 0)) fewest = edits;
            }
            out[2 * i] = fewest * 100;
            out[2 * i + 1] = first < last ? static_cast<double>(total * 100 / (last - first)) : 0;
        }
    });
}

}  // namespace tercet
