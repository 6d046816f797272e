// What the searches for shifts share: moving a block of words, and the beam around the diagonal (tercom's, as sacreBLEU
// has them).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tercet::ter_search {

inline constexpr int32_t kBeamHalfWidth = 25;
inline constexpr int32_t kMostShiftWords = 10;
inline constexpr int32_t kMostShiftDistance = 50;
inline constexpr int32_t kMostCandidates = 1000;

// Exchange of the neighbouring blocks [first, mid) and [mid, last): what every shift comes down to.
struct Exchange {
    int32_t first, mid, last;
    bool changes_nothing() const { return first == mid || mid == last; }
};

inline Exchange shift_as_exchange(int32_t start, int32_t length, int32_t target, int32_t hyp_size) {
    const int32_t end = start + length;
    if (target < start) return {target, start, end};
    if (target > end) return {start, end, target};
    // A target inside the block counts from the block's start in what remains behind the block.
    return {start, end, std::min(hyp_size, length + target)};
}

struct Band {  // the cells of one matrix row that lie inside the beam
    int32_t low, high;
    bool has(int32_t column) const { return low <= column && column <= high; }
};

// The beam of the reference program: a strip around the line from one corner of the matrix to the other.
// Its centre is computed in floating point there, so it has to be computed in the same way here.
class Beam {
  public:
    Beam(int32_t hyp_size, int32_t ref_size)
        : hyp_size_(hyp_size), ref_size_(ref_size), ratio_(static_cast<double>(ref_size) / hyp_size),
          half_width_(kBeamHalfWidth) {
        if (kBeamHalfWidth < ratio_ / 2) half_width_ = static_cast<int32_t>(std::ceil(ratio_ / 2 + kBeamHalfWidth));
    }

    bool is_wide() const { return half_width_ > kBeamHalfWidth; }

    Band row(int32_t i) const {  // row 0 has no beam
        if (i == 0) return {0, ref_size_};
        const auto centre = static_cast<int32_t>(i * ratio_);
        return {std::max(0, centre - half_width_),
                i == hyp_size_ ? ref_size_ : std::min(ref_size_, centre + half_width_ - 1)};
    }

    // How many words may be left out on either side, all in all, before a path can leave the beam; without prices this
    // is the largest edit distance for which the beam changes neither distance nor back-trace.
    //
    // Let k = j - i be the diagonal of a cell and D = |ref| - |hyp|. A path through the cell needs at least
    // |k| + |D - k| insertions and deletions, so an optimal path of cost d keeps to
    // ceil((D - d) / 2) <= k <= floor((D + d) / 2). If these diagonals lie inside the beam in every row, then
    // so do all optimal paths, every cell on one has its true value, and the same steps tie there. A distance
    // in the beam is never below the true one, so a candidate better than d is measured exactly as well.
    int64_t harmless_omissions() const {
        int64_t limit = std::numeric_limits<int64_t>::max();
        if (ref_size_ < half_width_) return limit;
        const int64_t difference = int64_t{ref_size_} - hyp_size_;
        for (int32_t i = 1; i <= hyp_size_; ++i) {
            const Band band = row(i);
            if (band.high < ref_size_) limit = std::min(limit, 2 * (int64_t{band.high} - i) + 1 - difference);
            if (band.low > 0) limit = std::min(limit, difference - 2 * (int64_t{band.low} - i) + 1);
        }
        return limit;
    }

  private:
    int32_t hyp_size_, ref_size_;
    double ratio_;
    int32_t half_width_;
};

}  // namespace tercet::ter_search
