// Greedy matching: all cosines of two texts, and the highest of each row and column.
#include "metrics/soft_matching.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/clones.hpp"
#include "common/parallel.hpp"

namespace tercet {

namespace {

constexpr int kLanes = 8;
constexpr int64_t kFewSegments = 8;  // of a block: a segment takes long

// Rows are padded with zeros to whole lanes, so that sums have one order.
TERCET_CLONES double dot(const double* a, const double* b, int64_t width) {
    double sums[kLanes] = {};
    for (int64_t d = 0; d < width; d += kLanes)
        for (int k = 0; k < kLanes; ++k) sums[k] += a[d + k] * b[d + k];
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

struct SoftScratch {
    std::vector<double> hyp, ref, best;
    Pace pace;
};

// A text's rows at length 1; a row of zeros stays one.
void scale(const TokenVectors& texts, int64_t text, int64_t dimension, int64_t width, std::vector<double>& out) {
    const int64_t begin = texts.offsets[text], tokens = texts.offsets[text + 1] - begin;
    out.assign(static_cast<size_t>(tokens * width), 0.0);
    for (int64_t t = 0; t < tokens; ++t) {
        double* row = out.data() + t * width;
        std::copy_n(texts.rows + (begin + t) * dimension, dimension, row);
        const double length = std::sqrt(dot(row, row, width));
        if (length > 0)
            for (int64_t d = 0; d < dimension; ++d) row[d] /= length;
    }
}

double weighted_mean(const double* values, const double* weights, int64_t n) {
    double sum = 0, total = 0;
    for (int64_t i = 0; i < n; ++i) sum += weights[i] * values[i], total += weights[i];
    return total > 0 ? sum / total : 0.0;
}

void match(const SoftTask& task, int64_t hyp, int64_t ref, int64_t width, SoftScratch& s, double* out) {
    const int64_t h = task.hyps.offsets[hyp], r = task.refs.offsets[ref];
    const int64_t n = task.hyps.offsets[hyp + 1] - h, m = task.refs.offsets[ref + 1] - r;
    if (n == 0 || m == 0) return;
    scale(task.refs, ref, task.dimension, width, s.ref);
    const double lowest = task.floored ? 0.0 : -1.0;
    s.best.assign(static_cast<size_t>(n + m), lowest);
    double* for_hyp = s.best.data();
    double* for_ref = for_hyp + n;
    for (int64_t i = 0; i < n; ++i) {
        s.pace.steps(m * width);
        for (int64_t j = 0; j < m; ++j) {
            const double cosine = dot(s.hyp.data() + i * width, s.ref.data() + j * width, width);
            for_hyp[i] = std::max(for_hyp[i], cosine);
            for_ref[j] = std::max(for_ref[j], cosine);
        }
    }
    out[0] = weighted_mean(for_hyp, task.hyps.weights + h, n);
    out[1] = weighted_mean(for_ref, task.refs.weights + r, m);
}

}  // namespace

void soft_shares(const SoftTask& task, int threads, double* out) {
    const int64_t width = (task.dimension + kLanes - 1) / kLanes * kLanes;
    parallel_blocks(task.hyps.size, threads, kFewSegments, [&](int64_t begin, int64_t end) {
        const Lease<SoftScratch> lease;
        for (int64_t i = begin; i < end; ++i) {
            scale(task.hyps, i, task.dimension, width, (*lease).hyp);
            for (int64_t ref = task.groups[i]; ref < task.groups[i + 1]; ++ref)
                match(task, i, ref, width, *lease, out + 2 * ref);
        }
    });
}

}  // namespace tercet
