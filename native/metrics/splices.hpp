// Edit distances of texts that are a hypothesis with a part of it replaced: columns of the hypothesis are kept, on
// request from both of its ends, so that only what is new is followed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/columns.hpp"
#include "common/stop.hpp"

namespace tercet {

class Splices {
  public:
    // The reference, whose symbols are below n_symbols, and how many times the usual work may be done for it. Two ends
    // are dear to prepare, and worth it for a long text.
    void reset(const std::vector<int32_t>& ref, size_t n_symbols, bool both_ends, size_t patience);

    // Reads a hypothesis that is as the last one up to a place; gives its distance.
    int64_t read(const std::vector<int32_t>& hyp, size_t same);

    // To be called after `read` where both ends are wanted.
    void read_backward();

    // The distance of the hypothesis whose part between two places is replaced.
    int64_t replaced(size_t from, size_t to, std::span<const int32_t> part) {
        const std::vector<int32_t>& hyp = *hyp_;
        charge((part.size() + (both_ends_ ? 4 : hyp.size() - to)) * blocks_);
        int64_t distance = recall(from, column_);
        for (const int32_t symbol : part) distance += forward_.step(symbol, column_.data());
        if (both_ends_) return joined(column_.data(), from + part.size(), to);
        for (; to < hyp.size(); ++to) distance += forward_.step(hyp[to], column_.data());
        return distance;
    }

    // The distance after a shift, from both ends. Quick where the shift before is the same but for the words that are
    // passed over, and passes fewer of them; a block that is put in at the same place must have the same words.
    int64_t shifted(size_t out, size_t length, size_t place);

    // Counts work that is done for this reference. Throws std::overflow_error where it becomes too much.
    void charge(size_t work) {
        work_ += work;
        pace_.steps(static_cast<int64_t>(work));
        if (work_ > most_work_) refuse();
    }

  private:
    static constexpr size_t kKept = size_t{1} << 20;      // words of memory for the columns of one end
    static constexpr size_t kUsualWork = size_t{1} << 30;  // steps of 64 rows: some five seconds

    // Columns with their distances, of every so many places.
    struct Columns {
        std::vector<uint64_t> columns;
        std::vector<int64_t> distances;

        uint64_t* at(size_t place, size_t size) { return columns.data() + place * size; }
        int64_t get(size_t place, std::vector<uint64_t>& column) {
            std::copy_n(at(place, column.size()), column.size(), column.begin());
            return distances[place];
        }
        void put(size_t place, const std::vector<uint64_t>& column, int64_t distance) {
            std::copy(column.begin(), column.end(), at(place, column.size()));
            distances[place] = distance;
        }
    };

    // The column at a place of the hypothesis.
    int64_t recall(size_t place, std::vector<uint64_t>& column) {
        size_t i = place / stride_ * stride_;
        int64_t distance = ahead_.get(i / stride_, column);
        charge((place - i) * blocks_);
        for (; i < place; ++i) distance += forward_.step((*hyp_)[i], column.data());
        return distance;
    }

    [[noreturn]] static void refuse();
    void mirror(uint64_t* column);
    int64_t joined(const uint64_t* column, size_t length, size_t to);

    const std::vector<int32_t>* hyp_ = nullptr;
    LevenshteinColumns forward_, backward_;
    Columns ahead_, behind_;  // those of the end are kept upside down, as columns of the whole matrix
    std::vector<uint64_t> column_, other_, turned_;
    std::vector<uint64_t> under_way_;  // the column of a text that is shifted so far
    size_t start_ = 0, length_ = 0, reached_ = 0;
    bool to_front_ = false;
    size_t ref_size_ = 0, blocks_ = 0, stride_ = 1, work_ = 0, most_work_ = kUsualWork;
    bool both_ends_ = false;
    Pace pace_;
};

}  // namespace tercet
