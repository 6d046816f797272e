// The search of TERp's program: the edits of a beam search (terp_matrix.hpp), then greedily the block of words whose
// shift saves most, as long as one pays.
#include "metrics/terp.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "common/parallel.hpp"
#include "metrics/terp_matrix.hpp"

namespace tercet {

namespace {

using namespace terp;
using ter_search::Exchange;
using ter_search::kMostShiftDistance;
using ter_search::kMostShiftWords;

constexpr int64_t kMostSteps = int64_t{1} << 30;  // cells of one pair of texts, after which nothing more is shifted

// Words start to end go behind the word at `place`, or before all others if that is -1.
struct Move {
    int32_t start, end, place;
    auto operator<=>(const Move&) const = default;
};

Exchange as_exchange(const Move& move, int32_t hyp_size) {
    const auto [start, end, place] = move;
    if (place < start) return {place + 1, start, end + 1};
    if (place > end) return {start, end + 1, place + 1};
    return {start, end + 1, std::min(hyp_size, end + 1 + place - start)};  // a place inside: over as many words
}

struct Result {
    std::array<double, kTerpEdits + 1> edits{};  // of each kind, and what paraphrases cost
    double cost = 0;
};

// Memory and search of one thread.
class Search {
  public:
    Result run(Ids hyp, Ids ref, const TerpTask& task, const PhraseIndex& phrases) {
        hyp_ = hyp;
        ref_ = ref;
        hyp_size_ = static_cast<int32_t>(hyp.size());
        ref_size_ = static_cast<int32_t>(ref.size());
        shifts_.clear();
        if (hyp.empty() || ref.empty()) return without_search(task);
        relations_.find(hyp, ref, task.words, phrases);
        matrix_.reset(hyp, ref_size_, relations_, task);
        Result result;
        double paid = 0;
        trace(task.words);
        while (task.shifts != Shifts::none && make_best_shift(task)) {
            paid += task.costs[shift];
            trace(task.words);
        }
        for (const auto& step : steps_)
            if (step.kind < static_cast<int32_t>(kTerpEdits)) ++result.edits[step.kind];
        result.edits[shift] = static_cast<double>(shifts_.size());
        result.edits[kTerpEdits] = phrase_cost_;
        result.cost = matrix_.cost() + paid;
        return result;
    }

    // What the last run did.
    void write(TerpScript& script) const {
        script.shifts = shifts_;
        script.steps = steps_;
    }

  private:
    Result without_search(const TerpTask& task) {
        Result result;
        steps_.clear();
        for (int32_t i = hyp_size_; i-- > 0;) steps_.push_back({i, 1, 0, 0, deletion});
        for (int32_t i = ref_size_; i-- > 0;) steps_.push_back({0, 0, i, 1, insertion});
        for (const auto& step : steps_) result.cost += task.costs[step.kind];
        result.edits[deletion] = hyp_size_;
        result.edits[insertion] = ref_size_;
        return result;
    }

    // The steps, and what the search for shifts must know of each word.
    void trace(const TerpWords& words) {
        matrix_.trace(steps_, phrase_cost_);
        go_on_after(steps_.size());
        to_hyp_.assign(ref_.size(), 0);
        to_ref_.assign(hyp_.size(), 0);
        hyp_error_.assign(hyp_.size() + 1, hyp_size_);
        ref_error_.assign(ref_.size() + 1, ref_size_);
        for (const auto& [hyp, length, ref, ref_length, kind] : steps_) {
            const bool wrong = kind != static_cast<int32_t>(kTerpEdits);
            for (int32_t k = 0; k < length; ++k) {
                to_ref_[hyp + k] = ref_length > 0 ? ref : ref - 1;
                if (wrong) hyp_error_[hyp + k] = hyp + k;
            }
            for (int32_t k = 0; k < ref_length; ++k) {
                to_hyp_[ref + k] = length > 0 ? hyp : hyp - 1;
                if (wrong) ref_error_[ref + k] = ref + k;
            }
        }
        const auto stops = [&](int32_t word) { return words.stop_words != nullptr && words.stop_words[word] != 0; };
        hyp_content_.assign(hyp_.size() + 1, hyp_size_);
        ref_content_.assign(ref_.size() + 1, ref_size_);
        for (int32_t i = hyp_size_; i-- > 0;) {
            hyp_error_[i] = std::min(hyp_error_[i], hyp_error_[i + 1]);
            hyp_content_[i] = stops(hyp_[matrix_.order()[i]]) ? hyp_content_[i + 1] : i;
        }
        for (int32_t i = ref_size_; i-- > 0;) {
            ref_error_[i] = std::min(ref_error_[i], ref_error_[i + 1]);
            ref_content_[i] = stops(ref_[i]) ? ref_content_[i + 1] : i;
        }
    }

    // The shifts to try, by length of the longer side of the block.
    void collect(const TerpTask& task) {
        for (auto& list : moves_) list.clear();
        const uint8_t alike = task.shifts == Shifts::relax ? kSame | kStem | kSynonym : kSame;
        const bool phrases = task.shifts == Shifts::relax && relations_.has_phrases();
        const uint8_t begins = phrases ? alike | kBeginsPhrase : alike;
        for (int32_t start = 0; start < hyp_size_; ++start) {
            pace_.steps(64);
            if (hyp_error_[start] - start >= kMostShiftWords) continue;
            // The alignment never goes back, so the places near enough are neighbours.
            const auto near = std::lower_bound(to_hyp_.begin(), to_hyp_.end(), start - kMostShiftDistance);
            const std::span<const Related> all = relations_.of(matrix_.order()[start]);
            auto one = Relations::first_from(all, static_cast<int32_t>(near - to_hyp_.begin()));
            for (; one != all.end() && to_hyp_[one->ref] <= start + kMostShiftDistance; ++one) {
                if ((one->how & begins) == 0 || to_hyp_[one->ref] == start) continue;
                if (phrases) {
                    add_blocks_of_phrases(start, one->ref, alike);
                } else {
                    add_blocks(start, one->ref, alike);
                }
            }
        }
        for (auto& list : moves_) {
            sort_paced(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    }

    bool are_alike(int32_t hyp, int32_t ref, uint8_t alike) const {
        return (relations_.between(matrix_.order()[hyp], ref) & alike) != 0;
    }

    void add_blocks(int32_t start, int32_t ref, uint8_t alike) {
        const int32_t longest = std::min({kMostShiftWords, hyp_size_ - start, ref_size_ - ref});
        for (int32_t length = 1; length <= longest; ++length) {
            if (!are_alike(start + length - 1, ref + length - 1, alike)) break;
            add_moves(start, length, ref, length);
        }
    }

    // Blocks may hold paraphrases as well, but end with words that are alike: so the program has it.
    void add_blocks_of_phrases(int32_t start, int32_t ref, uint8_t alike) {
        seen_.assign(1, {0, 0});
        for (size_t at = 0; at < seen_.size(); ++at) {
            const auto [length, ref_length] = seen_[at];
            const int32_t hyp_at = start + length, ref_at = ref + ref_length;
            if (length >= kMostShiftWords || hyp_at >= hyp_size_ || ref_at >= ref_size_) continue;
            const auto go_to = [&](int32_t one, int32_t other) {
                const std::pair next{one, other};
                if (std::find(seen_.begin(), seen_.end(), next) == seen_.end()) seen_.push_back(next);
            };
            const uint8_t how = relations_.between(matrix_.order()[hyp_at], ref_at);
            if (how & kBeginsPhrase && is_near(hyp_at, ref_at)) {
                for (const Phrase& phrase : relations_.phrases_at(ref_at))
                    if (matrix_.stands(phrase, hyp_at, matrix_.order()))
                        go_to(length + phrase.length(), ref_length + phrase.ref_length);
            }
            if (how & alike) {
                add_moves(start, length + 1, ref, ref_length + 1);
                go_to(length + 1, ref_length + 1);
            }
        }
    }

    // Whether a paraphrase there is looked at: so far words are aligned that are near enough.
    bool is_near(int32_t hyp, int32_t ref) const {
        return to_ref_[std::max(hyp - kMostShiftDistance, 0)] <= ref &&
               ref <= to_ref_[std::min(hyp + kMostShiftDistance, hyp_size_ - 1)];
    }

    // A block moves behind the words that are aligned with the reference's, if either side has an error and a word that
    // is no stop word, and if it is not there already.
    void add_moves(int32_t start, int32_t length, int32_t ref, int32_t ref_length) {
        const int32_t end = start + length - 1, place = to_hyp_[ref];
        if (hyp_error_[start] > end || ref_error_[ref] >= ref + ref_length) return;
        if (hyp_content_[start] > end || ref_content_[ref] >= ref + ref_length) return;
        if (start <= place && place <= end) return;
        auto& moves = moves_[std::min(std::max(length, ref_length), kMostShiftWords + 1) - 1];
        for (int32_t k = ref - 1; k < std::min(ref + length, ref_size_); ++k) {
            if (k < 0) {
                moves.push_back({start, end, -1});
            } else if (to_hyp_[k] != start && (k == ref || to_hyp_[k] != place)) {
                moves.push_back({start, end, to_hyp_[k]});
            }
        }
        pace_.steps(4 * length);
    }

    // Makes the shift that saves most, long blocks first; of equals the first, even if it only pays for itself.
    bool make_best_shift(const TerpTask& task) {
        collect(task);
        matrix_.look_ahead();
        const double before = matrix_.cost();
        double best = before;
        Move chosen{};
        bool any = false;
        for (int32_t length = kMostShiftWords + 1; length > 0; --length) {
            for (const Move& move : moves_[length - 1]) {
                const double saved = before - best;
                if (saved > 2 * length || (any && saved == 2 * length)) break;
                if (matrix_.steps() > kMostSteps) return false;
                const Exchange exchange = as_exchange(move, hyp_size_);
                if (exchange.changes_nothing()) continue;
                const double after = matrix_.cost_after(exchange, best - task.costs[shift]);
                // What costs no less would be shifted back and forth for ever if shifts are free.
                if (!(after < before)) continue;
                const double gain = best - (after + task.costs[shift]);
                if (gain > 0 || (!any && gain == 0)) {
                    best = after + task.costs[shift];
                    chosen = move;
                    any = true;
                }
            }
        }
        if (!any) return false;
        const Exchange exchange = as_exchange(chosen, hyp_size_);
        matrix_.apply(exchange);
        const bool left = exchange.mid == chosen.start;
        const int32_t place = left ? exchange.first : exchange.first + exchange.last - exchange.mid;
        shifts_.push_back({chosen.start, chosen.end - chosen.start + 1, place});
        return true;
    }

    Ids hyp_, ref_;
    int32_t hyp_size_ = 0, ref_size_ = 0;
    Relations relations_;
    Matrix matrix_;
    std::vector<EditScript::Shift> shifts_;
    std::vector<TerpScript::Step> steps_;
    double phrase_cost_ = 0;
    std::vector<int32_t> to_hyp_, to_ref_;            // the place on the other side, or the one before it
    std::vector<int32_t> hyp_error_, ref_error_;      // the next word from each on that is wrong,
    std::vector<int32_t> hyp_content_, ref_content_;  // and that is no stop word
    std::vector<std::pair<int32_t, int32_t>> seen_;
    std::array<std::vector<Move>, kMostShiftWords + 1> moves_;
    Pace pace_;
};

// The cheapest reference of a row, the first of equals, and what it costs.
std::pair<int64_t, Result> closest(Search& search, const TerpTask& task, const PhraseIndex& phrases, int64_t row) {
    std::pair<int64_t, Result> best{task.groups[row], {}};
    for (int64_t r = task.groups[row]; r < task.groups[row + 1]; ++r) {
        const Result result = search.run(task.hyps[row], task.refs[r], task, phrases);
        if (r == task.groups[row] || result.cost < best.second.cost) best = {r, result};
    }
    return best;
}

}  // namespace

void terp_statistics(const TerpTask& task, int threads, double* out) {
    const PhraseIndex phrases(task.phrases);
    parallel_blocks(task.hyps.size, threads, 16, [&](int64_t begin, int64_t end) {
        const Lease<Search> lease;
        for (int64_t i = begin; i < end; ++i) {
            const Result best = closest(*lease, task, phrases, i).second;
            int64_t words = 0;
            for (int64_t r = task.groups[i]; r < task.groups[i + 1]; ++r)
                words += static_cast<int64_t>(task.refs[r].size());
            double* row = out + kTerpColumns * i;
            std::copy(best.edits.begin(), best.edits.end(), row);
            const int64_t references = std::max<int64_t>(1, task.groups[i + 1] - task.groups[i]);
            row[kTerpColumns - 1] = static_cast<double>(words) / static_cast<double>(references);
        }
    });
}

TerpScript terp_script(const TerpTask& task, int64_t row) {
    const PhraseIndex phrases(task.phrases);
    Search search;
    TerpScript script;
    if (task.groups[row] == task.groups[row + 1]) return script;
    script.reference = closest(search, task, phrases, row).first;
    search.run(task.hyps[row], task.refs[script.reference], task, phrases);
    search.write(script);
    return script;
}

}  // namespace tercet
