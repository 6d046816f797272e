#include "quality/prediction.hpp"

#include <cmath>
#include <vector>

#include "common/clones.hpp"
#include "common/parallel.hpp"

namespace tercet {

namespace {

constexpr int64_t kLanes = 8;

// Supports lie column by column in groups of eight, so that eight distances are worked out at once.
TERCET_CLONES double kernel_sum(const double* row, const double* grouped, const double* coefficients, int64_t supports,
                                int64_t width, double gamma) {
    double sums[kLanes] = {};
    for (int64_t at = 0; at < supports; at += kLanes) {
        const double* group = grouped + at * width;
        double distances[kLanes] = {};
        for (int64_t k = 0; k < width; ++k)
            for (int64_t j = 0; j < kLanes; ++j) {
                const double gap = row[k] - group[k * kLanes + j];
                distances[j] += gap * gap;
            }
        for (int64_t j = 0; j < kLanes; ++j) sums[j] += coefficients[at + j] * std::exp(-gamma * distances[j]);
    }
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
}

}  // namespace

void kernel_predictions(const Rows& rows, const Rows& supports, const double* coefficients, double gamma,
                        double intercept, int threads, double* out) {
    const int64_t room = (supports.size + kLanes - 1) / kLanes * kLanes, width = supports.width;
    std::vector<double> grouped(room * width, 0.0), weights(room, 0.0);
    for (int64_t i = 0; i < supports.size; ++i) {
        weights[i] = coefficients[i];
        for (int64_t k = 0; k < width; ++k)
            grouped[(i / kLanes * kLanes) * width + k * kLanes + i % kLanes] = supports.values[i * width + k];
    }
    parallel_blocks(rows.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        Pace pace;
        for (int64_t i = begin; i < end; ++i) {
            pace.steps(4 * room);
            out[i] = intercept +
                     kernel_sum(rows.values + i * width, grouped.data(), weights.data(), room, width, gamma);
        }
    });
}

void tree_predictions(const Rows& rows, const Trees& trees, double start, double rate, int threads, double* out) {
    parallel_blocks(rows.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        Pace pace;
        std::vector<double> narrow(rows.width);
        for (int64_t i = begin; i < end; ++i) {
            pace.steps(32 * trees.size);
            for (int64_t k = 0; k < rows.width; ++k)
                narrow[k] = static_cast<double>(static_cast<float>(rows.values[i * rows.width + k]));
            double total = 0;
            for (int64_t t = 0; t < trees.size; ++t) {
                int64_t node = trees.roots[t];
                while (trees.lefts[node] > node)
                    node = narrow[trees.features[node]] <= trees.thresholds[node] ? trees.lefts[node]
                                                                                  : trees.rights[node];
                total += trees.leaves[node];
            }
            out[i] = start + rate * total;
        }
    });
}

}  // namespace tercet
