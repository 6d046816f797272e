// Predictions of learners from what they have learnt: each row by itself, so that others never move a bit of it.
#pragma once

#include <cstdint>

namespace tercet {

struct Rows {
    const double* values;
    int64_t size, width;
};

// intercept + sum of coefficients * exp(-gamma |row - support|^2).
void kernel_predictions(const Rows& rows, const Rows& supports, const double* coefficients, double gamma,
                        double intercept, int threads, double* out);

// Trees end to end: a node has a feature and a threshold, and goes left where the feature, in 32 bits, is no higher; a
// leaf has no left one after it.
struct Trees {
    const int64_t* roots;
    int64_t size;
    const int64_t *features, *lefts, *rights;
    const double *thresholds, *leaves;
};

// start + rate * the sum of the leaves that a row comes to.
void tree_predictions(const Rows& rows, const Trees& trees, double start, double rate, int threads, double* out);

}  // namespace tercet
