// The search of TER (ter.cpp) with prices, cell by cell: an edit distance inside a beam, in which two words, or two
// phrases, may stand for each other; then greedily the block of words whose shift saves most.
#include "terp.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "ter_search.hpp"
#include "terp_relations.hpp"

namespace tercet {

namespace {

using namespace ter_search;
using namespace terp;

constexpr int64_t unreachable = std::numeric_limits<int64_t>::max() / 4;
constexpr int32_t no_error = std::numeric_limits<int32_t>::max() / 2;

struct Candidate {
    int32_t start, target;
};

struct Shift {
    int64_t gain = 0;
    int32_t length = 0, start = 0, target = 0;
};

struct Result {
    std::array<int64_t, kTerpEdits> edits{};
    int64_t cost = 0;
};

template <class T>
void at_least(std::vector<T>& values, size_t size) {
    if (values.size() < size) values.resize(size);
}

// The cost of turning the hypothesis, as shifted so far, into the reference, for all beginnings of both.
class Matrix {
  public:
    void reset(int32_t hyp_size, int32_t ref_size, const Relations& relations, const TerpCosts& costs) {
        relations_ = &relations;
        costs_ = costs;
        hyp_size_ = hyp_size;
        ref_size_ = ref_size;
        order_.resize(hyp_size);
        for (int32_t i = 0; i < hyp_size; ++i) order_[i] = i;
        runs_.resize(hyp_size);
        trial_order_.resize(hyp_size);
        const Beam beam(hyp_size, ref_size);
        bands_.clear();
        row_begin_.clear();
        int64_t end = 0;
        for (int32_t i = 0; i <= hyp_size; ++i) {
            bands_.push_back(beam.row(i));
            row_begin_.push_back(end);
            end += bands_[i].high - bands_[i].low + 1;
        }
        at_least(cells_, end);
        at_least(trial_, end);
        for (int32_t j = 0; j <= ref_size; ++j) cells_[j] = j * costs[insertion];
    }

    const std::vector<int32_t>& order() const { return order_; }  // the place of each word before any shift
    int32_t run(int32_t i) const { return runs_[i]; }  // words that stand as they stood, up to the one at i

    int64_t refill(int32_t row) {
        for (int32_t i = row; i < hyp_size_; ++i) {
            runs_[i] = i > 0 && order_[i - 1] + 1 == order_[i] ? runs_[i - 1] + 1 : 1;
            fill_row(i + 1, order_[i], runs_[i], [&](int32_t r) { return cells_.data() + row_begin_[r]; });
        }
        return cell(hyp_size_, ref_size_);
    }

    int64_t apply(const Exchange& exchange) {
        const auto words = order_.begin();
        std::rotate(words + exchange.first, words + exchange.mid, words + exchange.last);
        return refill(exchange.first);
    }

    int64_t cost_after(const Exchange& exchange) {
        const auto words = order_.begin();
        const auto trial = trial_order_.begin() + exchange.first;
        std::rotate_copy(words + exchange.first, words + exchange.mid, words + exchange.last, trial);
        const auto row = [&](int32_t r) { return (r <= exchange.first ? cells_ : trial_).data() + row_begin_[r]; };
        int32_t alike = 0, run = exchange.first > 0 ? runs_[exchange.first - 1] : 0;
        int32_t before = exchange.first > 0 ? order_[exchange.first - 1] : -2;
        for (int32_t i = exchange.first; i < hyp_size_; ++i) {
            const int32_t place = i < exchange.last ? trial_order_[i] : order_[i];
            run = before + 1 == place ? run + 1 : 1;
            before = place;
            fill_row(i + 1, place, run, row);
            if (i < exchange.last) continue;
            // Once as many rows as a phrase can reach back over are what they were but for a constant, so is the rest.
            alike = differs_by_constant(i + 1, alike == 0) ? alike + 1 : 0;
            if (alike >= relations_->longest_phrase()) return cell(hyp_size_, ref_size_) + constant_;
        }
        return row(hyp_size_)[ref_size_ - bands_[hyp_size_].low];
    }

    // Calls pair(i, j, related or null), phrase(i, j, phrase), drop(i) or add(i, j) for each step from the last words
    // to the first; i and j are the words that are left then.
    template <class Writer>
    void trace(Writer& writer) const {
        int32_t i = hyp_size_, j = ref_size_;
        while (i > 0 && j > 0) {
            const int64_t cost = cell(i, j);
            const Related* related = relations_->between(order_[i - 1], j - 1);
            if (cell(i - 1, j - 1) + (related != nullptr ? related->price : costs_[substitution]) == cost) {
                writer.pair(--i, --j, related);
            } else if (const Phrase* found = phrase_before(i, j, cost)) {
                i -= found->length;
                j -= found->ref_length;
                writer.phrase(i, j, *found);
            } else if (cell(i - 1, j) + costs_[deletion] == cost) {
                writer.drop(--i);
            } else {
                writer.add(i, --j);
            }
        }
        while (i > 0) writer.drop(--i);
        while (j > 0) writer.add(i, --j);
    }

  private:
    int64_t cell(int32_t i, int32_t j) const {
        return bands_[i].has(j) ? cells_[row_begin_[i] + j - bands_[i].low] : unreachable;
    }

    template <class Row>
    void fill_row(int32_t row, int32_t place, int32_t run, const Row& row_at) {
        const Band band = bands_[row], above = bands_[row - 1];
        int64_t* here = row_at(row) - band.low;
        const int64_t* up = row_at(row - 1) - above.low;
        const int64_t extra = costs_[deletion], other = costs_[substitution];
        const int32_t first = std::max(band.low, above.low + 1), last = std::min(band.high, above.high);
        if (band.low == above.low) here[band.low] = up[band.low] + extra;
        for (int32_t j = first; j <= last; ++j) here[j] = std::min(up[j] + extra, up[j - 1] + other);
        if (above.high < band.high) here[above.high + 1] = up[above.high] + other;
        for (int32_t j = above.high + 2; j <= band.high; ++j) here[j] = unreachable;

        const std::span<const Related> all = relations_->of(place);
        const int32_t least = std::max(band.low, above.low + 1) - 1, most = std::min(band.high, above.high + 1) - 1;
        for (auto one = Relations::first_from(all, least); one != all.end() && one->ref <= most; ++one)
            here[one->ref + 1] = std::min(here[one->ref + 1], up[one->ref] + one->price);
        for (const Phrase& phrase : relations_->ending_at(place)) {
            const int32_t before = row - phrase.length;
            if (phrase.length > run || !band.has(phrase.ref_end()) || !bands_[before].has(phrase.ref)) continue;
            const int64_t cost = (row_at(before) - bands_[before].low)[phrase.ref] + phrase.price;
            here[phrase.ref_end()] = std::min(here[phrase.ref_end()], cost);
        }
        int64_t left = unreachable;
        for (int32_t j = band.low; j <= band.high; ++j) here[j] = left = std::min(left + costs_[insertion], here[j]);
    }

    bool differs_by_constant(int32_t row, bool any_constant) {
        const int64_t* one = cells_.data() + row_begin_[row];
        const int64_t* other = trial_.data() + row_begin_[row];
        if (any_constant) constant_ = other[0] - one[0];
        const int32_t width = bands_[row].high - bands_[row].low + 1;
        for (int32_t k = 0; k < width; ++k)
            if (other[k] - one[k] != constant_) return false;
        return true;
    }

    const Phrase* phrase_before(int32_t i, int32_t j, int64_t cost) const {
        for (const Phrase& phrase : relations_->ending_at(order_[i - 1])) {
            if (phrase.length > runs_[i - 1] || phrase.ref_end() != j) continue;
            if (cell(i - phrase.length, phrase.ref) + phrase.price == cost) return &phrase;
        }
        return nullptr;
    }

    const Relations* relations_ = nullptr;
    TerpCosts costs_{};
    int32_t hyp_size_ = 0, ref_size_ = 0;
    std::vector<int32_t> order_, runs_, trial_order_;
    std::vector<Band> bands_;
    std::vector<int64_t> row_begin_, cells_, trial_;
    int64_t constant_ = 0;
};

// Writes the steps themselves, for an explanation.
class StepWriter {
  public:
    explicit StepWriter(std::vector<TerpScript::Step>& steps) : steps_(steps) {}
    void pair(int32_t i, int32_t j, const Related* related) {
        steps_.push_back({i, 1, j, 1, related == nullptr ? substitution : related->kind});
    }
    void phrase(int32_t i, int32_t j, const Phrase& found) {
        steps_.push_back({i, found.length, j, found.ref_length, paraphrase});
    }
    void drop(int32_t i) { steps_.push_back({i, 1, 0, 0, deletion}); }
    void add(int32_t, int32_t j) { steps_.push_back({0, 0, j, 1, insertion}); }

  private:
    std::vector<TerpScript::Step>& steps_;
};

// Memory and search of one thread.
class Search {
  public:
    Result run(Ids hyp, Ids ref, std::span<const PhraseMatch> matches, const TerpTask& task) {
        hyp_size_ = static_cast<int32_t>(hyp.size());
        ref_size_ = static_cast<int32_t>(ref.size());
        shifts_.clear();
        Result result;
        result.edits[deletion] = hyp_size_;
        result.edits[insertion] = ref_size_;
        if (hyp_size_ > 0 && ref_size_ > 0) result.edits = shifted_edits(hyp, ref, matches, task);
        for (size_t kind = 0; kind < kTerpEdits; ++kind) result.cost += result.edits[kind] * task.costs[kind];
        return result;
    }

    // What the last run did.
    void write(TerpScript& script) const {
        script.shifts = shifts_;
        StepWriter writer(script.steps);
        if (hyp_size_ > 0 && ref_size_ > 0) {
            matrix_.trace(writer);
            return;
        }
        for (int32_t i = hyp_size_; i-- > 0;) writer.drop(i);
        for (int32_t j = ref_size_; j-- > 0;) writer.add(0, j);
    }

    // What the back-trace calls.
    void pair(int32_t i, int32_t j, const Related* related) {
        align_[j] = i;
        if (related == nullptr) {
            ++edits_[substitution];
            hyp_error_[i] = i;
            ref_error_[j] = j;
        } else if (related->kind != same) {
            ++edits_[related->kind];
        }
    }
    void phrase(int32_t i, int32_t j, const Phrase& found) {
        edits_[paraphrase] += std::max(found.length, found.ref_length);
        for (int32_t k = 0; k < found.ref_length; ++k) align_[j + k] = i + std::min(k, found.length - 1);
    }
    void drop(int32_t i) {
        ++edits_[deletion];
        hyp_error_[i] = i;
    }
    void add(int32_t i, int32_t j) {
        ++edits_[insertion];
        ref_error_[j] = j;
        align_[j] = i - 1;
    }

  private:
    std::array<int64_t, kTerpEdits> shifted_edits(Ids hyp, Ids ref, std::span<const PhraseMatch> matches,
                                                  const TerpTask& task) {
        relations_.find(hyp, ref, matches, task);
        matrix_.reset(hyp_size_, ref_size_, relations_, task.costs);
        // To undo a shift costs no more than to break up all that its words are part of, unless the beam forbids it.
        const int64_t per_word = std::max(task.costs[deletion] + task.costs[insertion], relations_.dearest_phrase());
        int64_t cost = matrix_.refill(0);
        int32_t checked = 0;
        while (true) {
            trace();
            if (cost == 0 || !collect_candidates(checked)) break;
            const Shift best = best_shift(cost, stays_in_beam(cost, task.costs) ? per_word : cost);
            if (best.gain <= 0 || best.gain < task.costs[shift]) break;
            const Exchange exchange = shift_as_exchange(best.start, best.length, best.target, hyp_size_);
            cost = matrix_.apply(exchange);
            const bool left = exchange.mid == best.start;
            const int32_t place = left ? exchange.first : exchange.first + exchange.last - exchange.mid;
            shifts_.push_back({best.start, best.length, place});
        }
        edits_[shift] = static_cast<int64_t>(shifts_.size());
        return edits_;
    }

    // Whether the beam cannot have made this cost higher than it is.
    bool stays_in_beam(int64_t cost, const TerpCosts& costs) const {
        const int64_t harmless = Beam(hyp_size_, ref_size_).harmless_omissions();
        const int64_t omission = std::min(costs[deletion], costs[insertion]);
        if (relations_.has_phrases() || omission == 0) return harmless == std::numeric_limits<int64_t>::max();
        return cost / omission <= harmless;
    }

    // The edits, and the alignment that the search for shifts needs.
    void trace() {
        edits_ = {};
        align_.assign(ref_size_, 0);
        hyp_error_.assign(hyp_size_ + 1, no_error);
        ref_error_.assign(ref_size_ + 1, no_error);
        matrix_.trace(*this);
        for (int32_t i = hyp_size_; i-- > 0;) hyp_error_[i] = std::min(hyp_error_[i], hyp_error_[i + 1]);
        for (int32_t j = ref_size_; j-- > 0;) ref_error_[j] = std::min(ref_error_[j], ref_error_[j + 1]);
    }

    // The shifts to try, by length of the block; false once there are too many, all rounds taken together.
    bool collect_candidates(int32_t& checked) {
        for (auto& list : candidates_) list.clear();
        for (int32_t start = 0; start < hyp_size_; ++start) {
            const int32_t hyp_shortest = hyp_error_[start] - start + 1;
            if (hyp_shortest > kMostShiftWords) continue;
            const std::span<const Related> all = relations_.of(matrix_.order()[start]);
            auto one = Relations::first_from(all, start - kMostShiftDistance);
            for (; one != all.end() && one->ref - start <= kMostShiftDistance; ++one)
                if (!collect_blocks(start, one->ref, hyp_shortest, checked)) return false;
        }
        for (int32_t last = 0; last < hyp_size_; ++last) {
            for (const Phrase& phrase : relations_.ending_at(matrix_.order()[last]))
                if (!collect_phrase(phrase, last - phrase.length + 1, checked)) return false;
        }
        return true;
    }

    // Blocks of words that are all related to those from `ref` on. Either side must hold an error, and a block in which
    // its own target lies is not moved.
    bool collect_blocks(int32_t start, int32_t ref, int32_t hyp_shortest, int32_t& checked) {
        const int32_t shortest = std::max(hyp_shortest, ref_error_[ref] - ref + 1);
        int32_t longest = std::min({kMostShiftWords, hyp_size_ - start, ref_size_ - ref});
        if (align_[ref] >= start) longest = std::min(longest, align_[ref] - start);
        for (int32_t length = 1; length <= longest; ++length) {
            if (!related(start + length - 1, ref + length - 1)) break;
            if (length >= shortest && !add_targets(start, length, ref, length, checked)) return false;
        }
        return true;
    }

    // The same for a phrase at `start`, together with words before and behind it that are related too.
    bool collect_phrase(const Phrase& phrase, int32_t start, int32_t& checked) {
        if (phrase.length > matrix_.run(start + phrase.length - 1)) return true;
        const int32_t most = kMostShiftWords - phrase.length;
        for (int32_t before = 0; before <= most; ++before) {
            if (before > 0 && !related(start - before, phrase.ref - before)) break;
            for (int32_t behind = 0; before + behind <= most; ++behind) {
                if (behind > 0 && !related(start + phrase.length + behind - 1, phrase.ref_end() + behind - 1)) break;
                const int32_t length = before + phrase.length + behind, first = start - before;
                const int32_t ref = phrase.ref - before, ref_length = before + phrase.ref_length + behind;
                if (!may_move(first, length, ref, ref_length)) continue;
                if (!add_targets(first, length, ref, ref_length, checked)) return false;
            }
        }
        return true;
    }

    bool related(int32_t i, int32_t j) const {
        return i >= 0 && j >= 0 && i < hyp_size_ && j < ref_size_ &&
               relations_.between(matrix_.order()[i], j) != nullptr;
    }

    bool may_move(int32_t start, int32_t length, int32_t ref, int32_t ref_length) const {
        return std::abs(start - ref) <= kMostShiftDistance && hyp_error_[start] < start + length &&
               ref_error_[ref] < ref + ref_length && (align_[ref] < start || align_[ref] >= start + length);
    }

    // Behind any hypothesis word that is aligned with the reference's words, or with the one before them.
    bool add_targets(int32_t start, int32_t length, int32_t ref, int32_t ref_length, int32_t& checked) {
        int32_t previous = -1;
        for (int32_t j = ref - 1; j < ref + ref_length; ++j) {
            const int32_t target = j < 0 ? 0 : align_[j] + 1;
            if (target == previous) continue;
            previous = target;
            ++checked;
            candidates_[length - 1].push_back({start, target});
        }
        return checked < kMostCandidates;
    }

    // The shift with the largest gain; of equals the one of the longer block, the earlier block, the earlier target.
    Shift best_shift(int64_t cost, int64_t gain_per_word) {
        Shift best;
        for (int32_t length = kMostShiftWords; length > 0; --length) {
            const int64_t limit = std::min(cost, gain_per_word * length);
            if (limit <= best.gain) break;
            for (const auto [start, target] : candidates_[length - 1]) {
                if (best.gain == limit && std::tuple(start, target) > std::tuple(best.start, best.target)) continue;
                const Exchange exchange = shift_as_exchange(start, length, target, hyp_size_);
                if (exchange.changes_nothing()) continue;
                const int64_t gain = cost - matrix_.cost_after(exchange);
                const auto rank = [](const Shift& s) { return std::tuple(-s.gain, -s.length, s.start, s.target); };
                const Shift found{gain, length, start, target};
                if (gain > 0 && rank(found) < rank(best)) best = found;
            }
        }
        return best;
    }

    Relations relations_;
    Matrix matrix_;
    int32_t hyp_size_ = 0, ref_size_ = 0;
    std::array<int64_t, kTerpEdits> edits_{};
    std::vector<EditScript::Shift> shifts_;
    std::vector<int32_t> align_, hyp_error_, ref_error_;  // errors: the next one from each word on
    std::array<std::vector<Candidate>, kMostShiftWords> candidates_;
};

Result against(Search& search, const TerpTask& task, int64_t row, int64_t reference) {
    std::span<const PhraseMatch> matches;
    if (task.phrases != nullptr)
        matches = {task.phrases + task.phrase_starts[reference], task.phrases + task.phrase_starts[reference + 1]};
    return search.run(task.hyps[row], task.refs[reference], matches, task);
}

// The cheapest reference of a row, the first of equals, and what it costs.
std::pair<int64_t, Result> closest(Search& search, const TerpTask& task, int64_t row) {
    std::pair<int64_t, Result> best{task.groups[row], {}};
    for (int64_t r = task.groups[row]; r < task.groups[row + 1]; ++r) {
        const Result found = against(search, task, row, r);
        if (r == task.groups[row] || found.cost < best.second.cost) best = {r, found};
    }
    return best;
}

}  // namespace

void terp_statistics(const TerpTask& task, int threads, double* out) {
    parallel_blocks(task.hyps.size, threads, 16, [&](int64_t begin, int64_t end) {
        const Lease<Search> lease;
        for (int64_t i = begin; i < end; ++i) {
            const Result best = closest(*lease, task, i).second;
            int64_t words = 0;
            for (int64_t r = task.groups[i]; r < task.groups[i + 1]; ++r)
                words += static_cast<int64_t>(task.refs[r].size());
            double* row = out + kTerpColumns * i;
            std::copy(best.edits.begin(), best.edits.end(), row);
            const int64_t references = std::max<int64_t>(1, task.groups[i + 1] - task.groups[i]);
            row[kTerpEdits] = static_cast<double>(words) / static_cast<double>(references);
        }
    });
}

TerpScript terp_script(const TerpTask& task, int64_t row) {
    Search search;
    TerpScript script;
    if (task.groups[row] == task.groups[row + 1]) return script;
    script.reference = closest(search, task, row).first;
    against(search, task, row, script.reference);
    search.write(script);
    return script;
}

}  // namespace tercet
