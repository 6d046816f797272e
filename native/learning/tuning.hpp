// The agreement of a metric with comparisons at every point of a grid of its parameters.
//
// The metric is a harmonic mean with a penalty, as METEOR: score = (1 - gamma * f) / ((1 - alpha) / P + alpha / R),
// where f is the fragmentation to the power of beta. Of two scores the first is the higher one where
//
//     d(gamma) = (h2 - h1) + gamma * (f2 * h1 - f1 * h2) > 0,    h = (1 - alpha) / P + alpha / R,
//
// which needs no division and is linear in gamma: a comparison whose ends along gamma agree is decided for all of them.
#pragma once

#include <cstdint>

namespace tercet {

// Two cells (outputs) of a comparison, and what it counts where the left or the right one scores higher.
struct Comparisons {
    const int64_t* left;
    const int64_t* right;
    const int64_t* up;
    const int64_t* down;
    const int64_t* starts;  // groups + 1
    int64_t groups;
};

// Cells: 1 / P and 1 / R, and penalties (betas x cells). A score of 0 is a cell whose 1 / P and 1 / R are huge.
struct Cells {
    const double* inverse_precision;
    const double* inverse_recall;
    const double* penalties;
    int64_t count;
};

// Alphas, and gammas that rise.
struct Grid {
    int64_t betas;
    const double* alphas;
    int64_t n_alphas;
    const double* gammas;
    int64_t n_gammas;
};

// Sums of what comparisons count, (betas x alphas x gammas x groups).
void harmonic_grid(const Cells& cells, const Comparisons& comparisons, const Grid& grid, int threads, int64_t* out);

}  // namespace tercet
