#include "learning/tuning.hpp"

#include <algorithm>
#include <memory>

#include "common/clones.hpp"
#include "common/parallel.hpp"

namespace tercet {

namespace {

constexpr int64_t kBlock = 512;  // comparisons that are worked on together: what is kept of them fits a near cache
constexpr int64_t kAlphas = 8;   // that share what is looked up of a block

// d = (x + alpha * y) + gamma * (z + alpha * t) of the comparisons of a block, and what each counts.
struct Block {
    double x[kBlock], y[kBlock], z[kBlock], t[kBlock];
    int64_t up[kBlock], down[kBlock];
};

// d = u + gamma * v of the comparisons of a block at some alpha, and of those of them that some gamma may turn.
struct Lines {
    double u[kBlock], v[kBlock];
    int64_t open[kBlock];
    double open_u[kBlock], open_v[kBlock];
    int64_t open_up[kBlock], open_down[kBlock];
};

inline int64_t mask(bool set) { return -static_cast<int64_t>(set); }

void look_up(const Cells& cells, const double* f, const Comparisons& pairs, int64_t begin, int64_t n, Block& out) {
    for (int64_t i = 0; i < n; ++i) {
        const int64_t a = pairs.left[begin + i], b = pairs.right[begin + i];
        const double pa = cells.inverse_precision[a], pb = cells.inverse_precision[b];
        const double ra = cells.inverse_recall[a] - pa, rb = cells.inverse_recall[b] - pb;
        out.x[i] = pb - pa;
        out.y[i] = rb - ra;
        out.z[i] = f[b] * pa - f[a] * pb;
        out.t[i] = f[b] * ra - f[a] * rb;
        out.up[i] = pairs.up[begin + i];
        out.down[i] = pairs.down[begin + i];
    }
}

// The lines of a block, and the sum of those that both ends of gamma decide alike.
TERCET_CLONES int64_t decided(const Block& block, int64_t n, double alpha, double low, double high, Lines& lines) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double u = block.x[i] + alpha * block.y[i], v = block.z[i] + alpha * block.t[i];
        const double first = u + low * v, last = u + high * v;
        const int64_t up = mask(first > 0) & mask(last > 0), down = mask(first < 0) & mask(last < 0);
        sum += (up & block.up[i]) + (down & block.down[i]);
        lines.u[i] = u;
        lines.v[i] = v;
        lines.open[i] = 1 + up + down;
    }
    return sum;
}

// The others, moved together; their number.
int64_t undecided(const Block& block, int64_t n, Lines& lines) {
    int64_t left = 0;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t open = lines.open[i];
        lines.open[left] = i;
        left += open;
    }
    for (int64_t k = 0; k < left; ++k) {
        const int64_t i = lines.open[k];
        lines.open_u[k] = lines.u[i];
        lines.open_v[k] = lines.v[i];
        lines.open_up[k] = block.up[i];
        lines.open_down[k] = block.down[i];
    }
    return left;
}

TERCET_CLONES int64_t counted(const Lines& lines, int64_t n, double gamma) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double d = lines.open_u[i] + gamma * lines.open_v[i];
        sum += (d > 0 ? lines.open_up[i] : 0) + (d < 0 ? lines.open_down[i] : 0);
    }
    return sum;
}

}  // namespace

void harmonic_grid(const Cells& cells, const Comparisons& pairs, const Grid& grid, int threads, int64_t* out) {
    if (grid.n_gammas == 0 || grid.n_alphas == 0) return;
    const double low = grid.gammas[0], high = grid.gammas[grid.n_gammas - 1];
    const int64_t chunks = (grid.n_alphas + kAlphas - 1) / kAlphas;
    parallel_blocks(grid.betas * chunks, threads, 1, [&](int64_t task, int64_t) {
        const int64_t beta = task / chunks, first = task % chunks * kAlphas;
        const int64_t last = std::min(first + kAlphas, grid.n_alphas);
        const auto block = std::make_unique<Block>();
        const auto lines = std::make_unique<Lines>();
        Pace pace;
        for (int64_t g = 0; g < pairs.groups; ++g) {
            for (int64_t begin = pairs.starts[g]; begin < pairs.starts[g + 1]; begin += kBlock) {
                const int64_t n = std::min(kBlock, pairs.starts[g + 1] - begin);
                look_up(cells, cells.penalties + beta * cells.count, pairs, begin, n, *block);
                for (int64_t a = first; a < last; ++a) {
                    pace.steps(kBlock * (2 + grid.n_gammas / 4));
                    int64_t* sums = out + (beta * grid.n_alphas + a) * grid.n_gammas * pairs.groups + g;
                    const int64_t sum = decided(*block, n, grid.alphas[a], low, high, *lines);
                    const int64_t left = undecided(*block, n, *lines);
                    for (int64_t k = 0; k < grid.n_gammas; ++k)
                        sums[k * pairs.groups] += sum + counted(*lines, left, grid.gammas[k]);
                }
            }
        }
    });
}

}  // namespace tercet
