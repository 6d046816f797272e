// The beam search of TERp's program: what it costs to turn a hypothesis, as shifted so far, into the reference.
//
// It goes column by column, a column a word of the hypothesis, and keeps of each the cells that are live: no dearer than
// the best step between two words that led there, plus the beam. Costs are added in the order of the path and compared
// as they are, since the program breaks ties so. A trial is given up when no way on from it can be cheap enough.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/stop.hpp"
#include "metrics/ter_search.hpp"
#include "metrics/terp_relations.hpp"

namespace tercet::terp {

inline constexpr double kNoWay = std::numeric_limits<double>::infinity();

class Matrix {
  public:
    void reset(Ids hyp, int32_t ref_size, const Relations& relations, const TerpTask& task) {
        relations_ = &relations;
        costs_ = task.costs;
        beam_ = task.beam;
        hyp_ = hyp;
        hyp_size_ = static_cast<int32_t>(hyp.size());
        ref_size_ = ref_size;
        width_ = static_cast<int32_t>(std::min<int64_t>(ref_size, kMostCells / (hyp_size_ + 1)));
        order_.resize(hyp.size());
        for (int32_t i = 0; i < hyp_size_; ++i) order_[i] = i;
        next_.assign(static_cast<size_t>(ref_size) + 2, kNoWay);
        kinds_.assign(next_.size(), 0);
        via_.assign(relations.has_phrases() ? next_.size() : 0, 0);
        arcs_.resize(relations.has_phrases() ? hyp.size() + 1 : 0);
        for (auto& buffer : trial_) buffer.resize(next_.size());
        steps_ = 0;
        fill(0);
    }

    double cost() const { return cost_; }
    int64_t steps() const { return steps_; }                       // so far, of all searches
    const std::vector<int32_t>& order() const { return order_; }  // the place of each word before any shift

    void apply(const ter_search::Exchange& exchange) {
        const auto words = order_.begin();
        std::rotate(words + exchange.first, words + exchange.mid, words + exchange.last);
        fill(relations_->has_phrases() ? 0 : exchange.first);
    }

    // The cost after an exchange, or infinity where it is above the limit.
    double cost_after(const ter_search::Exchange& exchange, double limit) {
        const auto words = order_.begin();
        trial_order_.assign(words, order_.end());
        const auto trial = trial_order_.begin() + exchange.first;
        std::rotate_copy(words + exchange.first, words + exchange.mid, words + exchange.last, trial);
        const int32_t from = relations_->has_phrases() ? 0 : exchange.first;
        for (auto& arcs : arcs_) arcs.clear();
        Cells now = column(from);
        for (int32_t j = from; j < hyp_size_; ++j) {
            now = next_column<false>(j, now, trial_order_, trial_[j % 2]);
            if (j + 1 == exchange.last && is_beyond(now, j + 1, limit)) return kNoWay;
        }
        return now.values[ref_size_ - now.first];
    }

    // What is left to pay from each cell on if nothing more is shifted and no beam is in the way: for cost_after.
    void look_ahead() {
        const int64_t size = (int64_t{hyp_size_} + 1) * (ref_size_ + 1);
        ahead_.clear();
        if (relations_->has_phrases() || size > kMostAhead) return;
        ahead_.resize(static_cast<size_t>(size));
        steps_ += size;
        double* here = ahead_.data() + size - 1 - ref_size_;
        here[ref_size_] = 0;
        for (int32_t i = ref_size_; i-- > 0;) here[i] = here[i + 1] + costs_[insertion];
        for (int32_t j = hyp_size_; j-- > 0;) {
            const double* after = here;
            here -= ref_size_ + 1;
            for (int32_t i = 0; i < ref_size_; ++i) here[i] = after[i + 1] + costs_[substitution];
            for (const auto [ref, how] : relations_->of(order_[j]))
                here[ref] = after[ref + 1] + cheapest(how);
            here[ref_size_] = after[ref_size_] + costs_[deletion];
            for (int32_t i = ref_size_; i-- > 0;)
                here[i] = std::min({here[i], after[i] + costs_[deletion], here[i + 1] + costs_[insertion]});
        }
    }

    // Whether the hypothesis, in this order, has the words of a phrase at j.
    bool stands(const Phrase& phrase, int32_t j, const std::vector<int32_t>& order) const {
        if (phrase.length() > hyp_size_ - j) return false;
        for (int32_t k = 0; k < phrase.length(); ++k)
            if (hyp_[order[j + k]] != phrase.hyp[k]) return false;
        return true;
    }

    // The steps of the best way, from its end to its beginning.
    void trace(std::vector<TerpScript::Step>& steps, double& phrase_cost) const {
        steps.clear();
        phrases_met_.clear();
        int32_t j = hyp_size_, i = ref_size_;
        while (i > 0 || j > 0) {
            const size_t cell = static_cast<size_t>(columns_[j].begin + i - columns_[j].first);
            const int32_t kind = stored_kinds_[cell];
            int32_t length = kind != insertion, ref_length = kind != deletion;
            if (kind == paraphrase) {
                const Phrase& phrase = relations_->phrase(stored_via_[cell]);
                length = phrase.length();
                ref_length = phrase.ref_length;
                phrases_met_.push_back(phrase.cost);
            }
            j -= length;
            i -= ref_length;
            steps.push_back({j, length, i, ref_length, kind});
        }
        phrase_cost = 0;
        for (auto cost = phrases_met_.rbegin(); cost != phrases_met_.rend(); ++cost) phrase_cost += *cost;
    }

  private:
    static constexpr int64_t kMostCells = 1 << 24;  // that are kept, 9 bytes each; beyond, those near the diagonal are
    static constexpr int64_t kMostAhead = 1 << 20;

    struct Column {
        int32_t first, end;  // live cells, and dead ones between
        int64_t begin;
    };
    struct Cells {
        int32_t first, end;
        const double* values;  // of `first` and what follows; infinite where dead
    };
    struct Arc {  // a paraphrase that ends in a later column
        int32_t ref, number;
        double cost;
    };

    Cells column(int32_t j) const {
        return {columns_[j].first, columns_[j].end, stored_.data() + columns_[j].begin};
    }

    double cheapest(uint8_t how) const {
        if (how & kSame) return 0;
        double cost = costs_[substitution];
        if (how & kStem) cost = std::min(cost, costs_[stem]);
        if (how & kSynonym) cost = std::min(cost, costs_[synonym]);
        return cost;
    }

    // Columns from a word on.
    void fill(int32_t from) {
        columns_.resize(static_cast<size_t>(from) + (from > 0));
        for (auto& arcs : arcs_) arcs.clear();
        if (from == 0) {
            stored_.clear();
            stored_kinds_.clear();
            stored_via_.clear();
            next_[0] = 0;
            low_ = high_ = 0;
            keep(settle<true>(0, 0, 0, kNoWay, trial_[0]));
        }
        const auto size = static_cast<size_t>(columns_.back().begin + columns_.back().end - columns_.back().first);
        stored_.resize(size);
        stored_kinds_.resize(size);
        if (!via_.empty()) stored_via_.resize(size);
        for (int32_t j = from; j < hyp_size_; ++j) keep(next_column<true>(j, column(j), order_, trial_[0]));
        const Cells last = column(hyp_size_);
        cost_ = last.values[ref_size_ - last.first];
    }

    void keep(const Cells& cells) {
        columns_.push_back({cells.first, cells.end, static_cast<int64_t>(stored_.size())});
        stored_.insert(stored_.end(), cells.values, cells.values + (cells.end - cells.first));
        stored_kinds_.insert(stored_kinds_.end(), kinds_.begin() + cells.first, kinds_.begin() + cells.end);
        if (!via_.empty()) stored_via_.insert(stored_via_.end(), via_.begin() + cells.first, via_.begin() + cells.end);
    }

    // The live cells behind word j, from those before it.
    template <bool kPath>
    Cells next_column(int32_t j, const Cells& now, const std::vector<int32_t>& order, std::vector<double>& out) {
        low_ = now.first;
        high_ = now.end;
        if (!arcs_.empty()) {
            for (const auto& [ref, number, cost] : arcs_[j + 1]) {
                reach<kPath>(ref, cost, paraphrase, number);
                low_ = std::min(low_, ref);
                high_ = std::max(high_, ref);
            }
        }
        const std::span<const Related> all = relations_->of(order[j]);
        auto one = Relations::first_from(all, now.first);
        double best = kNoWay;
        for (int32_t i = now.first; i < now.end; ++i) {
            const uint8_t how = one != all.end() && one->ref == i ? (one++)->how : 0;
            const double cost = now.values[i - now.first];
            if (cost == kNoWay) continue;
            if (how & kSame) {
                reach<kPath>(i + 1, cost, kTerpEdits);
                best = std::min(best, cost);
            } else if (i < ref_size_) {
                const auto pair = [&](double price, int kind) {
                    if (reach<kPath>(i + 1, cost + price, kind)) best = std::min(best, cost + price);
                };
                pair(costs_[substitution], substitution);
                if (how & kStem) pair(costs_[stem], stem);
                if (how & kSynonym) pair(costs_[synonym], synonym);
            }
            if (how & kBeginsPhrase) begin_phrases<kPath>(j, i, cost, order);
            reach<kPath>(i, cost + costs_[deletion], deletion);
        }
        return settle<kPath>(j + 1, now.first, now.end, best + beam_, out);
    }

    template <bool kPath>
    bool reach(int32_t i, double cost, int kind, int32_t phrase = 0) {
        if (!(cost < next_[i])) return false;
        next_[i] = cost;
        if constexpr (kPath) {
            kinds_[i] = static_cast<uint8_t>(kind);
            if (!via_.empty()) via_[i] = phrase;
        }
        return true;
    }

    template <bool kPath>
    void begin_phrases(int32_t j, int32_t i, double cost, const std::vector<int32_t>& order) {
        for (const Phrase& phrase : relations_->phrases_at(i)) {
            if (!stands(phrase, j, order)) continue;
            const int32_t end = i + phrase.ref_length, number = relations_->number(phrase);
            if (phrase.length() > 1) {
                arcs_[j + phrase.length()].push_back({end, number, cost + phrase.cost});
            } else {
                reach<kPath>(end, cost + phrase.cost, paraphrase, number);
                high_ = std::max(high_, end);
            }
        }
    }

    // Ends a column: insertions within it, and which cells are live. Those from `first` to `last` are looked at, and
    // those that insertions lead to; in the last column all.
    template <bool kPath>
    Cells settle(int32_t j, int32_t first, int32_t last, double limit, std::vector<double>& out) {
        const bool is_last = j == hyp_size_;
        int32_t low = first, high = ref_size_;
        if (width_ < ref_size_ && !is_last) {
            const auto centre = static_cast<int32_t>(int64_t{j} * ref_size_ / hyp_size_);
            low = std::max(low, centre - width_ / 2);
            high = std::min(high, centre + width_ / 2);
        }
        Cells live = live_cells<kPath>(low, high, last, is_last ? kNoWay : limit, is_last, out);
        if (live.first < 0) live = live_cells<kPath>(first, ref_size_, last, limit, is_last, out);
        std::fill(next_.begin() + low_, next_.begin() + std::min(high_, ref_size_ + 1) + 1, kNoWay);
        return live;
    }

    template <bool kPath>
    Cells live_cells(int32_t low, int32_t high, int32_t last, double limit, bool is_last, std::vector<double>& out) {
        int32_t begin = -1, end = -1, i = low;
        for (; i <= high && (is_last || i <= last); ++i) {
            const double cost = next_[i];
            const bool dead = cost == kNoWay || cost > limit;
            if (begin >= 0) out[i - begin] = dead ? kNoWay : cost;
            if (dead) continue;
            if (begin < 0) {
                begin = i;
                out[0] = cost;
            }
            end = i + 1;
            if (i < ref_size_ && reach<kPath>(i + 1, cost + costs_[insertion], insertion)) last = std::max(last, i + 1);
        }
        high_ = std::max({high_, i, last});
        steps_ += i - low;
        pace_.steps(4 * (i - low + 1));
        return {begin, end, out.data()};
    }

    bool is_beyond(const Cells& now, int32_t j, double limit) const {
        if (ahead_.empty()) return false;
        const double* ahead = ahead_.data() + static_cast<int64_t>(j) * (ref_size_ + 1);
        double least = kNoWay;
        for (int32_t i = now.first; i < now.end; ++i) least = std::min(least, now.values[i - now.first] + ahead[i]);
        return least > limit + 1e-6 * (1 + std::abs(limit));  // sums of another order differ by far less
    }

    const Relations* relations_ = nullptr;
    std::array<double, kTerpEdits> costs_{};
    double beam_ = 0, cost_ = 0;
    Ids hyp_;
    int32_t hyp_size_ = 0, ref_size_ = 0, width_ = 0;
    std::vector<int32_t> order_, trial_order_;
    std::vector<Column> columns_;
    std::vector<double> stored_;          // live cells of all columns,
    std::vector<uint8_t> stored_kinds_;   // the last steps to them
    std::vector<int32_t> stored_via_;     // and the paraphrases that these are
    std::vector<double> next_;            // the column that is made: infinite outside of low_ to high_
    std::vector<uint8_t> kinds_;
    std::vector<int32_t> via_;
    int32_t low_ = 0, high_ = 0;
    std::vector<std::vector<Arc>> arcs_;  // by the column in which they end
    std::array<std::vector<double>, 2> trial_;
    std::vector<double> ahead_;
    mutable std::vector<double> phrases_met_;
    int64_t steps_ = 0;
    Pace pace_;
};

}  // namespace tercet::terp
