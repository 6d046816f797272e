// The inversion edit distance (Leusch et al. 2003): Levenshtein's, in which two neighbouring blocks may also change
// places, within blocks again, as a bracketing transduction grammar allows.
//
// The grammar takes (words^3)^2 steps. Here blocks are bounded, and only those whose inversion can pay off are cut in
// two: where Levenshtein's distance is no larger than what the bags of words differ by, plus an inversion, none can.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/clones.hpp"
#include "metrics/pairs.hpp"
#include "metrics/participants.hpp"

namespace tercet {

namespace {

constexpr double kCells = 1 << 26;        // of each of the two tables of all bounded blocks, a byte each
constexpr double kCuts = 442.0 * kCells;  // of blocks in two: as many as blocks of 20 words need that fill the tables

struct Block {
    int32_t hyp, ref;  // where it begins
    int32_t cost;
};

// The lowest sum of two neighbours; no cost is above 100, so that nothing overflows.
TERCET_CLONES uint8_t lowest_sum(const uint8_t* one, const uint8_t* other, int64_t count) {
    uint8_t lowest = std::numeric_limits<uint8_t>::max();
    for (int64_t k = 0; k < count; ++k) lowest = std::min(lowest, static_cast<uint8_t>(one[k] + other[k]));
    return lowest;
}

struct Scratch {
    WordPair words;
    std::vector<uint8_t> cost;                 // of every pair of bounded blocks: by where they begin, then by lengths
    std::vector<uint8_t> by_end;               // the same by where the reference's block ends, the longest first
    std::vector<std::vector<Block>> inverted;  // blocks that are worth inverting, by where they end
    std::vector<int32_t> hyp_count, ref_count, full;
};

class Search {
  public:
    Search(Scratch& scratch, int block, int price) : s_(scratch), price_(price) {
        n_ = static_cast<int64_t>(s_.words.hyp.size());
        m_ = static_cast<int64_t>(s_.words.ref.size());
        const double places = static_cast<double>(n_ + 1) * static_cast<double>(m_ + 1);
        const double by_room = std::sqrt(kCells / places), by_time = std::sqrt(std::sqrt(kCuts / places));
        longest_ = std::min<int64_t>(
            {block, std::max(n_, m_), static_cast<int64_t>(std::min(by_room, by_time)) - 1});
        width_ = longest_ + 1;
    }

    int64_t distance() {
        if (std::min({longest_, n_, m_}) < 2) return straight();
        const auto places = static_cast<size_t>((n_ + 1) * (m_ + 1));
        if (s_.inverted.size() < places) s_.inverted.resize(places);
        for (size_t at = 0; at < places; ++at) s_.inverted[at].clear();
        s_.hyp_count.assign(s_.words.vocabulary.words().size(), 0);
        s_.ref_count.assign(s_.words.vocabulary.words().size(), 0);
        s_.cost.resize(places * static_cast<size_t>(width_ * width_));
        s_.by_end.resize(s_.cost.size());
        for (int64_t i = n_; i >= 0; --i)
            for (int64_t j = m_; j >= 0; --j) fill(i, j);
        return whole();
    }

  private:
    uint8_t* blocks(int64_t i, int64_t j) { return s_.cost.data() + (i * (m_ + 1) + j) * width_ * width_; }

    // Blocks of `a` words from i, against those that end at j; the shortest stands last.
    uint8_t* ending(int64_t i, int64_t a, int64_t j) {
        return s_.by_end.data() + ((i * width_ + a) * (m_ + 1) + j) * width_;
    }

    // Levenshtein's distance, in one row: texts in which nothing may be inverted may be long.
    int64_t straight() {
        auto& row = s_.full;
        row.resize(static_cast<size_t>(m_ + 1));
        std::iota(row.begin(), row.end(), 0);
        for (int64_t i = 0; i < n_; ++i) {
            pace_.steps(m_);
            int32_t diagonal = row[0]++;
            for (int64_t j = 1; j <= m_; ++j) {
                const int32_t above = row[j];
                row[j] = std::min({row[j - 1] + 1, above + 1, diagonal + (s_.words.hyp[i] != s_.words.ref[j - 1])});
                diagonal = above;
            }
        }
        return row.back();
    }

    // The costs of all blocks that begin at i and j. Blocks that begin later are done.
    void fill(int64_t i, int64_t j) {
        const int64_t tall = std::min(longest_, n_ - i), wide = std::min(longest_, m_ - j);
        uint8_t* cost = blocks(i, j);
        for (int64_t a = 0; a <= tall; ++a) {
            pace_.steps(4 * wide);
            if (a > 0) ++s_.hyp_count[s_.words.hyp[i + a - 1]];
            int64_t common = 0;
            for (int64_t b = 0; b <= wide; ++b) {
                if (b > 0) {
                    const int32_t word = s_.words.ref[j + b - 1];
                    common += ++s_.ref_count[word] <= s_.hyp_count[word];
                }
                const int64_t straight = a == 0 || b == 0 ? a + b : monotone(i, j, a, b);
                int64_t lowest = straight;
                const int64_t bound = std::max(a, b) - common + price_;
                if (a > 1 && b > 1 && bound < straight) lowest = std::min(straight, invert(i, j, a, b, bound));
                if (lowest < straight)
                    s_.inverted[(i + a) * (m_ + 1) + j + b].push_back(
                        {static_cast<int32_t>(i), static_cast<int32_t>(j), static_cast<int32_t>(lowest)});
                cost[a * width_ + b] = ending(i, a, j + b)[longest_ - b] = static_cast<uint8_t>(lowest);
            }
            for (int64_t b = 0; b < wide; ++b) s_.ref_count[s_.words.ref[j + b]] = 0;
        }
        for (int64_t a = 0; a < tall; ++a) s_.hyp_count[s_.words.hyp[i + a]] = 0;
    }

    // Without an inversion of the whole: an edit at the end, or a block there that is inverted.
    int64_t monotone(int64_t i, int64_t j, int64_t a, int64_t b) {
        const uint8_t* cost = blocks(i, j);
        const auto known = [&](int64_t p, int64_t q) { return static_cast<int64_t>(cost[p * width_ + q]); };
        const bool differ = s_.words.hyp[i + a - 1] != s_.words.ref[j + b - 1];
        int64_t lowest = std::min({known(a - 1, b) + 1, known(a, b - 1) + 1, known(a - 1, b - 1) + differ});
        const auto& ending_here = s_.inverted[(i + a) * (m_ + 1) + j + b];
        pace_.steps(static_cast<int64_t>(ending_here.size()));
        for (const Block& block : ending_here)
            if (block.ref >= j) lowest = std::min(lowest, known(block.hyp - i, block.ref - j) + block.cost);
        return lowest;
    }

    // The best way to cut the two blocks and to match crosswise; nothing is cheaper than `bound`.
    int64_t invert(int64_t i, int64_t j, int64_t a, int64_t b, int64_t bound) {
        int64_t lowest = std::numeric_limits<int64_t>::max();
        for (int64_t p = 1; p < a && lowest > bound; ++p) {
            const uint8_t *first = ending(i, p, j + b) + longest_ - b, *second = blocks(i + p, j) + (a - p) * width_;
            lowest = std::min(lowest, lowest_sum(first + 1, second + 1, b - 1) + price_);
        }
        pace_.steps(8 * a);
        return lowest;
    }

    int64_t whole() {
        auto& full = s_.full;
        const int64_t width = m_ + 1;
        full.resize(static_cast<size_t>((n_ + 1) * width));
        for (int64_t i = 0; i <= n_; ++i) {
            pace_.steps(width);
            for (int64_t j = 0; j <= m_; ++j) {
                const int64_t at = i * width + j;
                if (i == 0 || j == 0) {
                    full[at] = static_cast<int32_t>(i + j);
                    continue;
                }
                const bool differ = s_.words.hyp[i - 1] != s_.words.ref[j - 1];
                int32_t lowest = std::min({full[at - width] + 1, full[at - 1] + 1, full[at - width - 1] + differ});
                for (const Block& block : s_.inverted[at])
                    lowest = std::min(lowest, full[block.hyp * width + block.ref] + block.cost);
                full[at] = lowest;
                pace_.steps(static_cast<int64_t>(s_.inverted[at].size()));
            }
        }
        return full.back();
    }

    Scratch& s_;
    int64_t price_, n_ = 0, m_ = 0, longest_ = 0, width_ = 1;
    Pace pace_;
};

}  // namespace

void inversion_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int block, int cost, int threads,
                          double* out) {
    each_reference<Scratch>(hyps, refs, groups, threads, [&](Scratch& s, int64_t r) {
        out[2 * r] = static_cast<double>(Search(s, block, cost).distance());
        out[2 * r + 1] = static_cast<double>(s.words.ref.size());
    });
}

}  // namespace tercet
