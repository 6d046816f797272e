// TER of the Moses scorer. Its matrix has a beam that depends on the costs met so far and is reproduced cell
// by cell; but a distance in the beam is never below the true edit distance, which takes a few bit operations
// a word (Myers 1999, Hyyro 2003), so shift candidates that cannot be accepted never see that matrix.
#include "metrics/tercpp.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "common/stop.hpp"

namespace tercet {
namespace {

constexpr int32_t beam = 10;
constexpr int32_t max_shift_words = 10;
constexpr int32_t max_shift_distance = 25;
constexpr int32_t max_candidates = 10;
constexpr int32_t infinite = std::numeric_limits<int32_t>::max() / 2;
constexpr size_t max_mask_words = size_t{1} << 20;  // 8 MB; longer pairs do without the quick distance

using Words = std::span<const int32_t>;
using Column = TercppWorkspace::Column;

template <class T>
void at_least(std::vector<T>& values, size_t size) {
    if (values.size() < size) values.resize(size);
}

// Exchange of the neighbouring blocks [first, mid) and [mid, last): what every shift comes down to.
struct Exchange {
    int32_t first, mid, last;
};

inline Exchange shift_as_exchange(int32_t start, int32_t length, int32_t target, int32_t size) {
    const int32_t end = start + length;
    target = std::min(target, size - 1);
    if (target < start) return {std::max(target, 0), start, end};
    if (target >= end) return {start, end, target + 1};
    // A target inside the block counts from the block's start in what remains behind the block.
    return {start, end, std::min(size, end + target - start)};
}

// The true edit distance to the fixed words, 64 of them a machine word.
class QuickDistance {
public:
    QuickDistance(TercppWorkspace& ws, Words fixed)
        : ws_(ws), fixed_size_(static_cast<int32_t>(fixed.size())), blocks_((fixed.size() + 63) / 64) {
        // Row 0 of the table is for all words that the fixed sequence lacks.
        ws.mask_rows.assign(ws.counts.size(), 0);
        size_t rows = 1;
        for (const int32_t word : fixed) {
            if (ws.mask_rows[word] == 0) ws.mask_rows[word] = static_cast<int32_t>(rows++);
        }
        usable_ = rows <= max_mask_words / blocks_;
        if (!usable_) return;
        ws.masks.assign(rows * blocks_, 0);
        at_least(ws.blocks, blocks_);
        for (size_t i = 0; i < fixed.size(); ++i) {
            ws.masks[ws.mask_rows[fixed[i]] * blocks_ + i / 64] |= uint64_t{1} << (i % 64);
        }
    }

    bool usable() const { return usable_; }

    int32_t after(const Exchange& exchange) const {
        for (size_t b = 0; b < blocks_; ++b) ws_.blocks[b] = {~uint64_t{0}, 0};
        distance_ = fixed_size_;
        const Words words = ws_.words;
        for (const int32_t word : words.first(exchange.first)) add_word(word);
        for (int32_t j = exchange.mid; j < exchange.last; ++j) add_word(words[j]);
        for (int32_t j = exchange.first; j < exchange.mid; ++j) add_word(words[j]);
        for (const int32_t word : words.subspan(exchange.last)) add_word(word);
        return distance_;
    }

private:
    void add_word(int32_t word) const {
        pace_.steps(static_cast<int64_t>(blocks_));
        const uint64_t* masks = ws_.masks.data() + ws_.mask_rows[word] * blocks_;
        uint64_t carry_plus = 1, carry_minus = 0;  // difference to the column before, at the block's edge
        uint64_t last_plus = 0, last_minus = 0;
        for (size_t b = 0; b < blocks_; ++b) {
            auto& [plus, minus] = ws_.blocks[b];
            // A step down at the edge has the effect of a match in the first cell.
            const uint64_t match = masks[b] | carry_minus;
            const uint64_t same = (((match & plus) + plus) ^ plus) | match | minus;
            last_plus = minus | ~(same | plus);
            last_minus = same & plus;
            const uint64_t right_plus = (last_plus << 1) | carry_plus;
            const uint64_t right_minus = (last_minus << 1) | carry_minus;
            plus = right_minus | ~(same | right_plus);
            minus = right_plus & same;
            carry_plus = last_plus >> 63;
            carry_minus = last_minus >> 63;
        }
        const auto last_bit = static_cast<uint32_t>(fixed_size_ - 1) % 64;
        distance_ += static_cast<int32_t>((last_plus >> last_bit) & 1);
        distance_ -= static_cast<int32_t>((last_minus >> last_bit) & 1);
    }

    TercppWorkspace& ws_;
    int32_t fixed_size_;
    size_t blocks_;
    bool usable_ = false;
    mutable int32_t distance_ = 0;
    mutable Pace pace_;
};

// The beamed matrix: one column a word of the sequence to shift, one row a fixed word.
class BeamMatrix {
public:
    BeamMatrix(TercppWorkspace& ws, Words fixed)
        : ws_(ws), fixed_(fixed), fixed_size_(static_cast<int32_t>(fixed.size())),
          size_(static_cast<int32_t>(ws.words.size())) {
        at_least(ws.columns, ws.words.size() + 1);
        at_least(ws.column, fixed.size() + 1);
        at_least(ws.next_column, fixed.size() + 1);
        at_least(ws.cells, fixed.size() + 1);
        // Nothing limits the first column.
        ws.columns[0] = {0, fixed_size_ + 1, 0};
        for (int32_t i = 0; i <= fixed_size_; ++i) ws.cells[i] = i;
    }

    // Computes the columns behind `column` again and returns the distance.
    int32_t refill(int32_t column) {
        for (int32_t j = column; j < size_; ++j) {
            const Column& now = ws_.columns[j];
            Column& next = ws_.columns[j + 1];
            next.begin = now.begin + (now.end - now.first);
            const size_t needed = static_cast<size_t>(next.begin) + (fixed_size_ + 1 - now.first);
            if (ws_.cells.size() < needed) ws_.cells.resize(std::max(needed, 2 * ws_.cells.size()));
            fill_column(now, ws_.cells.data() + now.begin, ws_.words[j], j + 1 == size_, next,
                        ws_.cells.data() + next.begin);
        }
        return distance_ = cell(fixed_size_, size_);
    }

    int32_t distance_after(const Exchange& exchange) const {
        Column now = ws_.columns[exchange.first];
        const int32_t* cells = ws_.cells.data() + now.begin;
        int32_t* next_cells = ws_.next_column.data();
        int32_t* spare = ws_.column.data();
        int32_t filled = exchange.first;
        const auto add_word = [&](int32_t j) {
            Column next{};
            fill_column(now, cells, ws_.words[j], ++filled == size_, next, next_cells);
            now = next;
            cells = next_cells;
            std::swap(next_cells, spare);
        };
        for (int32_t j = exchange.mid; j < exchange.last; ++j) add_word(j);
        for (int32_t j = exchange.first; j < exchange.mid; ++j) add_word(j);
        for (int32_t j = exchange.last; j < size_; ++j) {
            // The words are the same from here on: a column that differs by a constant goes on to do so.
            const Column& old = ws_.columns[j];
            const int32_t* old_cells = ws_.cells.data() + old.begin;
            const int32_t lead = cells[0] - old_cells[0];
            const auto keeps_lead = [&](int32_t a, int32_t b) { return a == (b == infinite ? b : b + lead); };
            if (now.first == old.first && now.end == old.end
                && std::equal(cells, cells + (now.end - now.first), old_cells, keeps_lead)) {
                return distance_ + lead;
            }
            add_word(j);
        }
        return cells[fixed_size_ - now.first];
    }

    // The alignment that the search for shifts needs.
    void trace() const {
        int32_t* word_error = ws_.next_word_error.data();
        int32_t* fixed_error = ws_.next_fixed_error.data();
        word_error[size_] = fixed_error[fixed_size_] = infinite;
        walk_back([&](int32_t i, int32_t j, bool word, bool fixed, bool match) {
            if (word) word_error[j] = match ? word_error[j + 1] : j;
            if (fixed) fixed_error[i] = match ? fixed_error[i + 1] : i;
            if (fixed) ws_.align[i] = j;
        });
    }

    // Visits the steps of the best path from its end: which words they use, and whether these match. The preference
    // on equal cost is diagonal, step along the words, step along the fixed words.
    template <class Visit>
    void walk_back(const Visit& visit) const {
        int32_t i = fixed_size_, j = size_;
        while (i > 0 || j > 0) {
            const int32_t cost = cell(i, j);
            const bool match = i > 0 && j > 0 && fixed_[i - 1] == ws_.words[j - 1];
            if (i > 0 && j > 0 && cell(i - 1, j - 1) + !match == cost) {
                visit(--i, --j, true, true, match);
            } else if (j > 0 && cell(i, j - 1) + 1 == cost) {
                visit(i, --j, true, false, false);
            } else {
                visit(--i, j, false, true, false);
            }
        }
    }

private:
    int32_t cell(int32_t i, int32_t j) const {
        const Column& column = ws_.columns[j];
        return i < column.first || i >= column.end ? infinite : ws_.cells[column.begin + i - column.first];
    }

    // A column from the one before. `now` begins and ends with a live cell; dead ones between are infinite.
    void fill_column(const Column& now, const int32_t* cells, int32_t word, bool is_last, Column& next,
                     int32_t* next_cells) const {
        const int32_t* fixed = fixed_.data() + now.first;
        const int32_t size = now.end - now.first;
        pace_.steps(size);
        const int32_t room = fixed_size_ + 1 - now.first;
        int32_t best = infinite;  // of the diagonal steps
        next_cells[0] = cells[0] + 1;
        const int32_t diagonals = std::min(size, room - 1);
        for (int32_t i = 0; i < size - 1; ++i) {
            const int32_t diagonal = cells[i] + (fixed[i] != word);
            best = std::min(best, diagonal);
            next_cells[i + 1] = std::min(diagonal, cells[i + 1] + 1);
        }
        if (diagonals == size) {
            next_cells[size] = cells[size - 1] + (fixed[size - 1] != word);
            best = std::min(best, next_cells[size]);
        }
        // Without a diagonal step only the last row is left, which nothing may cut off.
        const int32_t limit = is_last || best >= infinite ? infinite - 1 : best + beam;
        int32_t above = infinite, first = -1, end = 0;
        for (int32_t i = 0; i <= diagonals; ++i) {
            const int32_t cost = std::min(next_cells[i], above + 1);
            above = cost > limit ? infinite : cost;
            next_cells[i] = above;
            if (cost <= limit) {
                if (first < 0) first = i;
                end = i + 1;
            }
        }
        if (end == diagonals + 1) {
            while (end < room && above < limit) next_cells[end++] = ++above;
        }
        if (first > 0) std::copy(next_cells + first, next_cells + end, next_cells);
        next.first = now.first + first;
        next.end = now.first + end;
    }

    TercppWorkspace& ws_;
    Words fixed_;
    int32_t fixed_size_, size_;
    int32_t distance_ = 0;
    mutable Pace pace_;
};

// The first ten shifts worth trying. Moses looks phrases up in a table of all phrases of the fixed sequence
// and drops the far ones later; to look near the alignment at once finds the same shifts in the same order.
void collect_candidates(TercppWorkspace& ws, Words fixed) {
    const auto size = static_cast<int32_t>(ws.words.size());
    const auto fixed_size = static_cast<int32_t>(fixed.size());
    const int32_t* words = ws.words.data();
    const int32_t* align = ws.align.data();
    for (auto& list : ws.candidates) list.clear();
    int32_t stored = 0;

    for (int32_t start = 0; start < size; ++start) {
        const int32_t first_error = ws.next_word_error[start];
        if (first_error - start >= max_shift_words) continue;
        ws.places.clear();
        // The alignment never goes back, so the places near enough are neighbours.
        const int32_t* near = std::lower_bound(align, align + fixed_size, start - max_shift_distance);
        for (auto m = static_cast<int32_t>(near - align); m < fixed_size; ++m) {
            if (align[m] - start > max_shift_distance) break;
            if (fixed[m] == words[start] && align[m] != start) ws.places.push_back(m);
        }
        for (int32_t length = 1; length <= max_shift_words && start + length <= size; ++length) {
            const int32_t end = start + length;
            std::erase_if(ws.places, [&](int32_t m) {
                return m + length > fixed_size || fixed[m + length - 1] != words[end - 1]
                       || (align[m] >= start && align[m] < end);
            });
            if (ws.places.empty()) break;
            if (first_error >= end) continue;
            for (const int32_t m : ws.places) {
                if (ws.next_fixed_error[m] >= m + length) continue;
                for (int32_t offset = -1; offset < length; ++offset) {
                    int32_t target = -1;
                    if (m + offset >= 0) {
                        target = align[m + offset];
                        if (target == start || (offset != 0 && target == align[m])) continue;
                    }
                    ws.candidates[length - 1].push_back({start, target});
                    if (++stored == max_candidates) return;
                }
            }
        }
    }
}

// Finds the shift of this round, if any. Moses accepts a first shift whose gain only pays for its own cost of
// one, later ones only with more gain than the first: both come down to a smaller distance than so far.
bool find_shift(const TercppWorkspace& ws, const BeamMatrix& matrix, const QuickDistance& quick,
                int32_t distance, int32_t bag_distance, Exchange& found, EditScript::Shift& shift) {
    const auto size = static_cast<int32_t>(ws.words.size());
    int32_t best = distance;
    for (int32_t length = max_shift_words; length > 0; --length) {
        for (const auto [start, target] : ws.candidates[length - 1]) {
            if (best <= bag_distance) return best < distance;
            if (best < distance && distance - (best + 1) >= 2 * length) return true;
            const Exchange exchange = shift_as_exchange(start, length, target, size);
            const int32_t lowest = quick.usable() ? quick.after(exchange) : 0;
            if (lowest >= best) continue;
            // No cell on the way to a cost of up to ten is dear enough to fall out of the beam.
            const bool exact = quick.usable() && lowest <= beam;
            const int32_t now = exact ? lowest : matrix.distance_after(exchange);
            if (now < best) {
                best = now;
                found = exchange;
                const bool left = exchange.mid == start;
                shift = {start, length, left ? exchange.first : exchange.first + exchange.last - exchange.mid};
            }
        }
    }
    return best < distance;
}

int32_t count_common_words(Words words, Words fixed, std::vector<int32_t>& counts) {
    int32_t common = 0;
    for (const int32_t word : fixed) ++counts[word];
    for (const int32_t word : words) common += counts[word]-- > 0;
    return common;
}

// What is done goes into the script, if there is one.
int64_t search(Words ref_to_shift, Words fixed, TercppWorkspace& ws, EditScript* script) {
    if (ref_to_shift.empty() || fixed.empty()) {
        if (script != nullptr) {
            for (auto j = static_cast<int32_t>(ref_to_shift.size()); j-- > 0;) script->steps.push_back({j, -1});
            for (auto i = static_cast<int32_t>(fixed.size()); i-- > 0;) script->steps.push_back({-1, i});
        }
        return static_cast<int64_t>(ref_to_shift.size() + fixed.size());
    }
    const int32_t last_word = std::max(*std::max_element(ref_to_shift.begin(), ref_to_shift.end()),
                                       *std::max_element(fixed.begin(), fixed.end()));
    ws.words.assign(ref_to_shift.begin(), ref_to_shift.end());
    ws.counts.assign(static_cast<size_t>(last_word) + 1, 0);
    at_least(ws.align, fixed.size());
    at_least(ws.next_word_error, ws.words.size() + 1);
    at_least(ws.next_fixed_error, fixed.size() + 1);
    // No order of the words has a smaller distance than this.
    const int32_t bag_distance = static_cast<int32_t>(std::max(ws.words.size(), fixed.size()))
                                 - count_common_words(ws.words, fixed, ws.counts);
    BeamMatrix matrix(ws, fixed);
    const QuickDistance quick(ws, fixed);
    int32_t distance = matrix.refill(0);
    int64_t shifts = 0;
    while (distance > bag_distance) {
        matrix.trace();
        collect_candidates(ws, fixed);
        Exchange exchange{};
        EditScript::Shift shift{};
        if (!find_shift(ws, matrix, quick, distance, bag_distance, exchange, shift)) break;
        if (script != nullptr) script->shifts.push_back(shift);
        std::rotate(ws.words.begin() + exchange.first, ws.words.begin() + exchange.mid,
                    ws.words.begin() + exchange.last);
        distance = matrix.refill(exchange.first);
        ++shifts;
    }
    if (script != nullptr) {
        matrix.walk_back([script](int32_t i, int32_t j, bool word, bool fixed_word, bool) {
            script->steps.push_back({word ? j : -1, fixed_word ? i : -1});
        });
    }
    return shifts + distance;
}

}  // namespace

int64_t tercpp_edits(std::span<const int32_t> ref_to_shift, std::span<const int32_t> hyp_fixed,
                     TercppWorkspace& ws) {
    return search(ref_to_shift, hyp_fixed, ws, nullptr);
}

EditScript tercpp_script(std::span<const int32_t> ref_to_shift, std::span<const int32_t> hyp_fixed) {
    TercppWorkspace ws;
    EditScript script;
    search(ref_to_shift, hyp_fixed, ws, &script);
    return script;
}

}  // namespace tercet
