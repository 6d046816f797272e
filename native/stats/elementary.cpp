#include "stats/elementary.hpp"

#include <algorithm>
#include <cmath>

namespace tercet {

void logarithms(const double* values, int64_t n, double* out) {
    std::transform(values, values + n, out, [](double x) { return std::log(x); });
}

void exponentials(const double* values, int64_t n, double* out) {
    std::transform(values, values + n, out, [](double x) { return std::exp(x); });
}

void powers(const double* bases, const double* exponents, int64_t n, double* out) {
    std::transform(bases, bases + n, exponents, out, [](double x, double y) { return std::pow(x, y); });
}

}  // namespace tercet
