#include "stats/random.hpp"

#include <cmath>

namespace tercet {

namespace {

constexpr double kTail = 3.6541528853610088;  // where the tail begins, for 256 layers

double curve(double x) { return std::exp(-0.5 * x * x); }

// log k! less Stirling's approximation to it.
double stirling_rest(double k) {
    static constexpr double kFirst[] = {0.08106146679532726,  0.04134069595540929,  0.02767792568499834,
                                        0.02079067210376509,  0.01664469118982119,  0.01387612882307075,
                                        0.01189670994589177,  0.01041126526197209,  0.009255462182712733,
                                        0.008330563433362871};
    if (k < 10) return kFirst[static_cast<int>(k)];
    const double next = k + 1, square = next * next;
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / next;
}

}  // namespace

Random::Layers::Layers() {
    const double tail = std::sqrt(std::acos(0.0)) * std::erfc(kTail / std::sqrt(2.0));
    const double area = kTail * curve(kTail) + tail;
    edge[0] = area / curve(kTail);  // the base with its tail, as wide as a box of the same area
    edge[1] = kTail;
    for (int i = 2; i < 256; ++i) edge[i] = std::sqrt(-2 * std::log(area / edge[i - 1] + curve(edge[i - 1])));
    edge[256] = 0;
    for (int i = 0; i < 256; ++i) safe[i] = edge[i + 1] / edge[i];
}

const Random::Layers Random::kLayers;

double Random::beside(int layer, double x, bool negative) {
    if (layer == 0) {  // Marsaglia's tail
        for (;;) {
            const double beyond = -std::log1p(-uniform()) / kTail, height = -std::log1p(-uniform());
            if (2 * height >= beyond * beyond) return negative ? -(kTail + beyond) : kTail + beyond;
        }
    }
    const double low = curve(kLayers.edge[layer]), high = curve(kLayers.edge[layer + 1]);
    return low + uniform() * (high - low) < curve(x) ? x : normal();
}

int64_t Random::binomial(int64_t n, double p) {
    if (n <= 0 || p <= 0) return 0;
    if (p >= 1) return n;
    if (p > 0.5) return n - binomial(n, 1 - p);
    return static_cast<double>(n) * p < 10 ? few_successes(n, p) : many_successes(n, p);
}

// Goes through the probabilities of 0, 1, 2, ... successes.
int64_t Random::few_successes(int64_t n, double p) {
    const double odds = p / (1 - p), none = std::exp(static_cast<double>(n) * std::log1p(-p));
    for (;;) {
        double left = uniform(), chance = none;
        for (int64_t k = 0; k <= n; ++k) {
            if (left < chance) return k;
            left -= chance;
            chance *= odds * static_cast<double>(n - k) / static_cast<double>(k + 1);
        }
    }
}

// Transformed rejection: algorithm BTRS of Hörmann (1993), with its constants.
int64_t Random::many_successes(int64_t trials, double p) {
    const double n = static_cast<double>(trials), odds = p / (1 - p), deviation = std::sqrt(n * p * (1 - p));
    const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double alpha = (2.83 + 5.1 / b) * deviation, certain = 0.92 - 4.2 / b;
    const double middle = std::floor((n + 1) * p), above = n - middle;
    for (;;) {
        const double u = uniform() - 0.5, v = uniform(), side = 0.5 - std::abs(u);
        const double k = std::floor((2 * a / side + b) * u + n * p + 0.5);
        if (side >= 0.07 && v <= certain) return static_cast<int64_t>(k);
        if (!(k >= 0 && k <= n)) continue;
        const double bound = (middle + 0.5) * std::log((middle + 1) / (odds * (above + 1))) +
                             (n + 1) * std::log((above + 1) / (n - k + 1)) +
                             (k + 0.5) * std::log(odds * (n - k + 1) / (k + 1)) + stirling_rest(middle) +
                             stirling_rest(above) - stirling_rest(k) - stirling_rest(n - k);
        if (std::log(v * alpha / (a / (side * side) + b)) <= bound) return static_cast<int64_t>(k);
    }
}

void Random::multinomial(const int64_t* counts, int64_t kinds, int64_t total, int64_t* out) {
    int64_t draws = total, items = total;  // that are left
    for (int64_t c = 0; c < kinds; ++c) {
        out[c] = binomial(draws, static_cast<double>(counts[c]) / static_cast<double>(items > 0 ? items : 1));
        draws -= out[c];
        items -= counts[c];
    }
}

}  // namespace tercet
