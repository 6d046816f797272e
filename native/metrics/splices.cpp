#include "metrics/splices.hpp"

#include <bit>
#include <stdexcept>

#include "common/clones.hpp"

namespace tercet {

namespace {

uint64_t reversed(uint64_t x) {
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
    return __builtin_bswap64(x);
}

// The least sum of two columns' cells; `sum` is that of their first cells.
TERCET_CLONES int64_t least_sum(const uint64_t* one, const uint64_t* other, size_t blocks, uint64_t last, int64_t sum) {
    int64_t least = sum;
    for (size_t b = 0; b < blocks; ++b) {
        const uint64_t rows = b + 1 < blocks ? ~uint64_t{0} : last;
        const uint64_t up = one[b] & rows, down = one[blocks + b] & rows, up2 = other[b], down2 = other[blocks + b];
        const uint64_t rises = up & ~down2, rises2 = up2 & ~down, falls = down & ~up2, falls2 = down2 & ~up;
        const int64_t lower = std::popcount(falls) + std::popcount(falls2);
        if (sum - lower < least) {
            for (uint64_t at = falls | falls2; at != 0; at &= at - 1) {
                const uint64_t before = at ^ (at - 1);  // up to this fall
                const int64_t here = sum + std::popcount(rises & before) + std::popcount(rises2 & before) -
                                     std::popcount(falls & before) - std::popcount(falls2 & before);
                least = std::min(least, here);
            }
        }
        sum += std::popcount(rises) + std::popcount(rises2) - lower;
    }
    return least;
}

}  // namespace

void Splices::reset(const std::vector<int32_t>& ref, size_t n_symbols, bool both_ends, size_t patience) {
    ref_size_ = ref.size();
    both_ends_ = both_ends;
    work_ = 0;
    most_work_ = patience * kUsualWork;
    forward_.reset(ref.data(), ref.size(), n_symbols);
    blocks_ = forward_.column_size() / 2;
    if (!both_ends) return;
    const std::vector<int32_t> turned(ref.rbegin(), ref.rend());
    backward_.reset(turned.data(), ref.size(), n_symbols);
}

void Splices::refuse() { throw std::overflow_error("too much work"); }

int64_t Splices::read(const std::vector<int32_t>& hyp, size_t same) {
    hyp_ = &hyp;
    length_ = 0;  // nothing is under way
    const size_t size = 2 * blocks_, n = hyp.size();
    stride_ = 1 + n * size / kKept;
    ahead_.columns.resize((n / stride_ + 1) * size);
    ahead_.distances.resize(n / stride_ + 1);
    column_.resize(size);
    size_t i = same / stride_ * stride_;
    charge((n - i) * blocks_);
    int64_t distance = i == 0 ? forward_.start(column_.data()) : ahead_.get(i / stride_, column_);
    for (;; ++i) {
        if (i % stride_ == 0) ahead_.put(i / stride_, column_, distance);
        if (i == n) return distance;
        distance += forward_.step(hyp[i], column_.data());
    }
}

void Splices::read_backward() {
    const size_t n = hyp_->size();
    behind_.columns.resize(ahead_.columns.size());
    behind_.distances.resize(ahead_.distances.size());
    charge(2 * n * blocks_);
    int64_t distance = backward_.start(column_.data());
    for (size_t i = n;; --i) {
        if (i % stride_ == 0) {
            behind_.put(i / stride_, column_, distance);
            mirror(behind_.at(i / stride_, column_.size()));
        }
        if (i == 0) return;
        distance += backward_.step((*hyp_)[i - 1], column_.data());
    }
}

// Turns a column upside down: what rises then falls. Done twice, it is as before.
void Splices::mirror(uint64_t* column) {
    const size_t beyond = 64 * blocks_ - ref_size_;
    turned_.resize(2 * blocks_);
    // the halves change places, and so rises and falls
    for (size_t b = 0; b < 2 * blocks_; ++b) turned_[b] = reversed(column[2 * blocks_ - 1 - b]);
    for (const size_t half : {size_t{0}, blocks_})
        for (size_t b = 0; b < blocks_; ++b) {
            const uint64_t next = b + 1 < blocks_ ? turned_[half + b + 1] : 0;
            column[half + b] = beyond == 0 ? turned_[half + b] : turned_[half + b] >> beyond | next << (64 - beyond);
        }
}

int64_t Splices::shifted(size_t out, size_t length, size_t place) {
    const int32_t *words = hyp_->data(), *block = words + out;
    const bool to_front = place < out;
    const size_t start = std::min(out, place), end = to_front ? out : place + length;
    if (to_front != to_front_ || start != start_ || length != length_ || reached_ > end) {
        under_way_.resize(column_.size());
        recall(start, under_way_);
        charge(to_front ? length * blocks_ : 0);
        if (to_front)
            for (size_t i = 0; i < length; ++i) forward_.step(block[i], under_way_.data());
        to_front_ = to_front;
        start_ = start;
        length_ = length;
        reached_ = to_front ? place : out + length;
    }
    charge((end - reached_ + length + 4) * blocks_);
    for (; reached_ < end; ++reached_) forward_.step(words[reached_], under_way_.data());
    if (to_front) return joined(under_way_.data(), out + length, out + length);
    column_ = under_way_;
    for (size_t i = 0; i < length; ++i) forward_.step(block[i], column_.data());
    return joined(column_.data(), end, end);
}

// The distance of a text that has so many words up to a column, and then goes on as the hypothesis does.
int64_t Splices::joined(const uint64_t* column, size_t length, size_t to) {
    const size_t size = 2 * blocks_, n = hyp_->size();
    const uint64_t last = ~uint64_t{0} >> (64 * blocks_ - ref_size_);
    if (to % stride_ == 0) {
        const int64_t sum = static_cast<int64_t>(length) + behind_.distances[to / stride_];
        return least_sum(column, behind_.at(to / stride_, size), blocks_, last, sum);
    }
    other_.resize(size);
    size_t i = std::min((to / stride_ + 1) * stride_, n);
    int64_t distance;
    if (i % stride_ == 0) {
        distance = behind_.get(i / stride_, other_);
        mirror(other_.data());
    } else {
        distance = backward_.start(other_.data());
    }
    charge((i - to) * blocks_);
    for (; i > to; --i) distance += backward_.step((*hyp_)[i - 1], other_.data());
    mirror(other_.data());
    return least_sum(column, other_.data(), blocks_, last, static_cast<int64_t>(length) + distance);
}

}  // namespace tercet
