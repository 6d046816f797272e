// The assignment problem: every row gets a column of its own so that the sum of costs is lowest (Kuhn 1955, with the
// shortest augmenting paths of Jonker and Volgenant 1987).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "common/stop.hpp"

namespace tercet {

class Assignment {
  public:
    // The column of each row; there are at least as many columns as rows. cost(row, column) must not be negative.
    template <class Cost>
    const std::vector<int32_t>& solve(int32_t rows, int32_t columns, const Cost& cost) {
        row_of_.assign(columns + 1, -1);
        row_price_.assign(rows, 0);
        column_price_.assign(columns + 1, 0);
        for (int32_t row = 0; row < rows; ++row) augment(row, columns, cost);
        column_of_.assign(rows, -1);
        for (int32_t column = 0; column < columns; ++column)
            if (row_of_[column] >= 0) column_of_[row_of_[column]] = column;
        return column_of_;
    }

  private:
    template <class Cost>
    void augment(int32_t row, int32_t columns, const Cost& cost) {
        const double infinite = std::numeric_limits<double>::infinity();
        distance_.assign(columns, infinite);
        before_.assign(columns, columns);
        done_.assign(columns + 1, false);
        int32_t here = columns;  // a column that is not there, for the row that is still without one
        row_of_[here] = row;
        while (row_of_[here] >= 0) {
            pace_.steps(4 * int64_t{columns});
            done_[here] = true;
            const int32_t from = row_of_[here];
            int32_t next = 0;
            double nearest = infinite;
            for (int32_t column = 0; column < columns; ++column) {
                if (done_[column]) continue;
                const double reduced = cost(from, column) - row_price_[from] - column_price_[column];
                if (reduced < distance_[column]) distance_[column] = reduced, before_[column] = here;
                if (distance_[column] < nearest) nearest = distance_[column], next = column;
            }
            for (int32_t column = 0; column <= columns; ++column) {
                if (done_[column]) {
                    row_price_[row_of_[column]] += nearest;
                    column_price_[column] -= nearest;
                } else if (column < columns) {
                    distance_[column] -= nearest;
                }
            }
            here = next;
        }
        for (; here != columns; here = before_[here]) row_of_[here] = row_of_[before_[here]];
    }

    std::vector<int32_t> row_of_, column_of_, before_;
    std::vector<double> row_price_, column_price_, distance_;
    std::vector<char> done_;
    Pace pace_;
};

}  // namespace tercet
