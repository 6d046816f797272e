// Word error rates of the Moses scorer: WER (Levenshtein), CDER (Leusch et al. 2006), PER (Tillmann et al. 1997),
// and the two TERs over segments and references.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "common/parallel.hpp"
#include "metrics/metrics.hpp"
#include "metrics/pairs.hpp"
#include "metrics/ter.hpp"
#include "metrics/tercpp.hpp"

namespace tercet {

namespace {

// Memory for the two distances below.
struct DistanceScratch {
    WordPair words;
    std::vector<int32_t> row;                   // CDER: one row of its matrix
    std::vector<int32_t> begin, positions;      // WER: where each word stands in the reference
    std::vector<uint64_t> plus, minus, equal;   // WER: a column of the matrix as differences, 64 rows a word
};

// Levenshtein distance by bits (Myers 1999, Hyyrö 2003): a column of the matrix is kept as the differences between
// neighbouring cells, so that 64 of them are computed at once.
int64_t wer_distance(DistanceScratch& s) {
    const auto &hyp = s.words.hyp, &ref = s.words.ref;
    if (ref.empty()) return static_cast<int64_t>(hyp.size());
    const size_t blocks = (ref.size() + 63) / 64, last_bit = (ref.size() - 1) % 64;
    s.begin.assign(s.words.vocabulary.words().size() + 1, 0);
    for (const int32_t id : ref) ++s.begin[id + 1];
    std::partial_sum(s.begin.begin(), s.begin.end(), s.begin.begin());
    s.positions.resize(ref.size());
    for (size_t r = ref.size(); r-- > 0;) s.positions[--s.begin[ref[r] + 1]] = static_cast<int32_t>(r);
    // begin[id + 1] is now where the positions of id begin, and begin[id + 2] where they end
    s.begin.push_back(static_cast<int32_t>(ref.size()));
    s.plus.assign(blocks, ~uint64_t{0});
    s.minus.assign(blocks, 0);
    s.equal.assign(blocks, 0);
    int64_t distance = static_cast<int64_t>(ref.size());
    Pace pace;
    for (const int32_t id : hyp) {
        pace.steps(static_cast<int64_t>(blocks));
        const auto each_position = [&](const auto& visit) {
            for (int32_t p = s.begin[id + 1]; p < s.begin[id + 2]; ++p) visit(s.positions[p]);
        };
        each_position([&](int32_t r) { s.equal[r / 64] |= uint64_t{1} << r % 64; });
        uint64_t plus_in = 1, minus_in = 0;  // the row above the first one rises with every word
        for (size_t b = 0; b < blocks; ++b) {
            const uint64_t up = s.plus[b], down = s.minus[b], diagonal = s.equal[b] | down;
            const uint64_t equal = s.equal[b] | minus_in;
            const uint64_t zero = (((equal & up) + up) ^ up) | equal;
            const uint64_t rises = down | ~(zero | up), falls = up & zero;
            if (b + 1 == blocks)
                distance += static_cast<int64_t>(rises >> last_bit & 1) - static_cast<int64_t>(falls >> last_bit & 1);
            const uint64_t rises_on = rises << 1 | plus_in, falls_on = falls << 1 | minus_in;
            plus_in = rises >> 63;
            minus_in = falls >> 63;
            s.plus[b] = falls_on | ~(diagonal | rises_on);
            s.minus[b] = rises_on & diagonal;
        }
        each_position([&](int32_t r) { s.equal[r / 64] = 0; });
    }
    return distance;
}

// Distance in which a long jump costs one and may follow any reference word; it lands anywhere in the candidate,
// whose end must be reached.
int64_t cder_distance(DistanceScratch& s) {
    const auto& hyp = s.words.hyp;
    const size_t n = hyp.size();
    auto& row = s.row;
    row.assign(n + 1, 1);
    row[0] = 0;
    Pace pace;
    for (const int32_t word : s.words.ref) {
        pace.steps(static_cast<int64_t>(n));
        int32_t diagonal = row[0], lowest = ++row[0];
        for (size_t i = 1; i <= n; ++i) {
            const int32_t above = row[i];
            const int32_t value = std::min({row[i - 1] + 1, diagonal + (word != hyp[i - 1]), above + 1});
            diagonal = above;
            row[i] = value;
            lowest = std::min(lowest, value);
        }
        for (size_t i = 0; i <= n; ++i) row[i] = std::min(row[i], lowest + 1);
    }
    return row[n];
}

double rate(double edits, double length) { return length > 0 ? edits / length : 0; }

}  // namespace

void edit_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, Distance kind, bool best, int threads,
                     double* out) {
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<DistanceScratch> lease;
        DistanceScratch& s = *lease;
        for (int64_t i = begin; i < end; ++i) {
            double* kept = out + 2 * i;
            kept[0] = kept[1] = 0;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                s.words.read(hyps, i, refs, r);
                const double edits = static_cast<double>(kind == Distance::wer ? wer_distance(s) : cder_distance(s));
                const double length = static_cast<double>(s.words.ref.size());
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
        const Lease<std::pair<WordPair, std::vector<int32_t>>> lease;
        auto& [words, left] = *lease;
        for (int64_t i = begin; i < end; ++i) {
            double* kept = out + 3 * i;
            kept[0] = kept[2] = 0;
            kept[1] = static_cast<double>(hyps.length(i));
            double lowest = 0;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                words.read(hyps, i, refs, r);
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
        const Lease<std::pair<WordPair, TerWorkspace>> lease;
        auto& [words, workspace] = *lease;
        for (int64_t i = begin; i < end; ++i) {
            int64_t fewest = 0, total = 0;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                words.read(hyps, i, refs, r);
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
        const Lease<std::pair<WordPair, TercppWorkspace>> lease;
        auto& [words, workspace] = *lease;
        for (int64_t i = begin; i < end; ++i) {
            const int64_t first = groups[i], last = groups[i + 1];
            const int64_t total = refs.rows[last] - refs.rows[first];
            double fewest = 0;
            for (int64_t r = first; r < last; ++r) {
                words.read(hyps, i, refs, r);
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
