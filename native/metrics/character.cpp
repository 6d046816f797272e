#include "metrics/character.hpp"

#include <algorithm>
#include <compare>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "common/ngrams.hpp"
#include "common/parallel.hpp"
#include "metrics/splices.hpp"
#include "text/symbols.hpp"

namespace tercet {

namespace {

using Words = std::vector<int32_t>;

// A run of words that stands at `hyp` in the hypothesis and at `ref` in the reference; its shift gains `bound` at most.
struct Run {
    int32_t hyp, ref, length, bound;
};

// Hashes of a text's parts, and of parts put together (polynomials modulo 2^61 - 1).
class PartHashes {
  public:
    void read(const Words& text) {
        sums_.assign(1, 0);
        powers_.assign(1, 1);
        for (const int32_t id : text) {
            sums_.push_back(plus(times(sums_.back(), kBase), static_cast<uint64_t>(id) + 1));
            powers_.push_back(times(powers_.back(), kBase));
        }
    }
    // A hash with the words from `begin` to `end` after it.
    uint64_t join(uint64_t hash, size_t begin, size_t end) const {
        const uint64_t part = plus(sums_[end], kModulus - times(sums_[begin], powers_[end - begin]));
        return plus(times(hash, powers_[end - begin]), part);
    }

  private:
    static constexpr uint64_t kModulus = (uint64_t{1} << 61) - 1, kBase = 0x1F3D5B79A2C4E681;
    __extension__ using Wide = unsigned __int128;
    static uint64_t plus(uint64_t a, uint64_t b) { return a + b < kModulus ? a + b : a + b - kModulus; }
    static uint64_t times(uint64_t a, uint64_t b) {
        const Wide product = Wide{a} * b;
        return plus(static_cast<uint64_t>(product) & kModulus, static_cast<uint64_t>(product >> 61));
    }

    std::vector<uint64_t> sums_, powers_;
};

// Shifts of a hypothesis against a reference. Of all runs the one is shifted that lowers the word edit distance most,
// and of several such the one that leaves the lexicographically largest list of words. (The program compares distances
// divided by the reference length in 32 bits, which never makes two of them equal.)
class ShiftSearch {
  public:
    // Shifts `hyp` in place. Throws std::overflow_error where there are too many shifts to try.
    void run(Words& hyp, const Words& ref, const std::vector<std::string_view>& words, int patience,
             std::vector<BlockShift>* shifts) {
        if (hyp == ref || ref.empty()) return;
        hyp_ = &hyp;
        ref_ = &ref;
        words_ = &words;
        long_ = std::max(hyp.size(), ref.size()) > kShort;
        splices_.reset(ref, words.size(), long_, static_cast<size_t>(patience));
        index_reference();
        const int64_t fewest = bag_distance();
        distance_ = splices_.read(hyp, 0);
        while (distance_ > fewest) {
            gain_ = 0;
            most_ = distance_ - fewest;
            if (long_) prepare();
            try_runs();
            if (gain_ == 0) break;
            if (shifts != nullptr) shifts->push_back(chosen_);
            hyp.swap(best_);
            distance_ = splices_.read(hyp, static_cast<size_t>(std::min(chosen_.start, chosen_.place)));
        }
    }

  private:
    static constexpr size_t kShort = 64;                      // words of a text that is quickly tried again
    static constexpr size_t kRunsTogether = size_t{1} << 18;  // so many are held in memory
    static constexpr size_t kRemembered = size_t{1} << 16;    // texts and bounds, then they are forgotten

    void index_reference() {
        begin_.assign(words_->size() + 1, 0);
        for (const int32_t id : *ref_) ++begin_[id + 1];
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        next_.assign(begin_.begin(), begin_.end());
        places_.resize(ref_->size());
        for (size_t r = 0; r < ref_->size(); ++r) places_[next_[(*ref_)[r]]++] = static_cast<int32_t>(r);
    }

    // What no shift can undercut: it moves words, but brings none.
    int64_t bag_distance() {
        next_.assign(words_->size(), 0);
        for (const int32_t id : *ref_) ++next_[id];
        int64_t common = 0;
        for (const int32_t id : *hyp_)
            if (next_[id] > 0) --next_[id], ++common;
        return static_cast<int64_t>(std::max(hyp_->size(), ref_->size())) - common;
    }

    void prepare() {
        splices_.read_backward();
        hashes_.read(*hyp_);
        seen_.reset(std::max<size_t>(hyp_->size(), seen_.size()));  // as many as before, so that it need not grow again
        is_new(hashes_.join(0, 0, hyp_->size()));
        parts_.reset(std::max<size_t>(hyp_->size(), parts_.size()));
        least_.clear();
    }

    // Runs are the longest that begin at their two places. From the end, so that each is one longer than the next.
    void try_runs() {
        const Words &hyp = *hyp_, &ref = *ref_;
        length_.resize(ref.size());
        for (size_t h = hyp.size(); h-- > 0;) {
            splices_.charge(static_cast<size_t>(begin_[hyp[h] + 1] - begin_[hyp[h]]));
            for (int32_t p = begin_[hyp[h]]; p < begin_[hyp[h] + 1]; ++p) {
                const auto r = static_cast<size_t>(places_[p]);
                const bool goes_on = h + 1 < hyp.size() && r + 1 < ref.size() && hyp[h + 1] == ref[r + 1];
                length_[r] = goes_on ? length_[r + 1] + 1 : 1;
                if (r == h) continue;
                Run run{static_cast<int32_t>(h), static_cast<int32_t>(r), length_[r], 0};
                // out and in again, a word each
                run.bound = static_cast<int32_t>(std::min<int64_t>(2 * int64_t{run.length}, most_));
                if (long_ && run.bound >= gain_) run.bound = std::min(run.bound, bound_out(run));
                if (run.bound > 0 && run.bound >= gain_) runs_.push_back(run);
            }
            if (runs_.size() >= kRunsTogether) try_kept();
        }
        try_kept();
    }

    void try_kept() {
        std::sort(runs_.begin(), runs_.end(), [this](const Run& a, const Run& b) {
            return a.bound != b.bound ? a.bound > b.bound : long_ && Way(a) < Way(b);
        });
        for (const Run& run : runs_) try_run(run);
        runs_.clear();
    }

    // Runs in this order pass over more and more words.
    struct Way {
        bool to_front;
        int32_t start, length, end;
        explicit Way(const Run& run)
            : to_front(run.ref < run.hyp),
              start(std::min(run.hyp, run.ref)),
              length(run.length),
              end(std::max(run.hyp, run.ref)) {}
        auto operator<=>(const Way&) const = default;
    };

    void try_run(const Run& run) {
        if (run.bound < gain_ || gain_ == distance_) return;  // at no distance there is but one text
        const auto out = static_cast<size_t>(run.hyp), length = static_cast<size_t>(run.length);
        const size_t place = std::min(static_cast<size_t>(run.ref), hyp_->size() - length);
        const size_t from = std::min(out, place), to = std::max(out, place) + length;
        int64_t bound = run.bound;
        if (long_) {
            if (4 * length < to - from) bound = std::min(bound, bound_in(run, place));
            splices_.charge(16);
            if (bound <= 0 || bound < gain_ || !is_new(hash_of(run))) return;
        }
        const bool built = !long_ || bound == gain_;
        if (built) shift(out, length, place);
        if (bound == gain_ && !after_best()) return;
        const int64_t gain = distance_ - (long_ ? splices_.shifted(out, length, place)
                                                : splices_.replaced(from, to, {shifted_.data() + from, to - from}));
        if (gain < gain_ || gain <= 0) return;
        if (!built) shift(out, length, place);
        if (gain == gain_ && !after_best()) return;
        gain_ = gain;
        best_.swap(shifted_);
        chosen_ = {run.hyp, run.length, static_cast<int64_t>(place)};
    }

    void shift(size_t out, size_t length, size_t place) {
        const auto first = hyp_->begin() + static_cast<std::ptrdiff_t>(out);
        const auto last = first + static_cast<std::ptrdiff_t>(length);
        shifted_.assign(hyp_->begin(), first);
        shifted_.insert(shifted_.end(), last, hyp_->end());
        shifted_.insert(shifted_.begin() + static_cast<std::ptrdiff_t>(place), first, last);
        splices_.charge(hyp_->size() / 8);
    }

    // What can be gained where a run's words are taken out: putting them in again gains one each at most.
    int32_t bound_out(const Run& run) {
        const auto out = static_cast<size_t>(run.hyp);
        return bound_of(3 * static_cast<uint32_t>(run.hyp), run, out, out + static_cast<size_t>(run.length), {});
    }

    // What can be gained where they are put in: taking them out gains one each at most.
    int64_t bound_in(const Run& run, size_t place) {
        const bool on = place >= static_cast<size_t>(run.hyp);
        const size_t in = place + (on ? static_cast<size_t>(run.length) : 0);
        const uint32_t key = 3 * static_cast<uint32_t>(run.ref) + 1 + static_cast<uint32_t>(on);
        return bound_of(key, run, in, in, {hyp_->data() + run.hyp, static_cast<size_t>(run.length)});
    }

    int32_t bound_of(uint32_t key, const Run& run, size_t from, size_t to, std::span<const int32_t> part) {
        if (parts_.size() >= kRemembered) parts_.reset(kRemembered), least_.clear();
        const uint32_t number = parts_.add(key, static_cast<uint32_t>(run.length));
        if (number > least_.size())
            least_.push_back(static_cast<int32_t>(distance_ + run.length - splices_.replaced(from, to, part)));
        return least_[number - 1];
    }

    // Texts that repeat themselves become the same by many shifts: each is looked at once.
    bool is_new(uint64_t hash) {
        if (seen_.size() >= kRemembered) seen_.reset(kRemembered);
        const uint32_t known = seen_.size();
        return seen_.add(static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(hash)) > known;
    }

    uint64_t hash_of(const Run& run) const {
        const auto n = hyp_->size(), from = static_cast<size_t>(run.hyp), to = from + static_cast<size_t>(run.length);
        const size_t place = std::min(static_cast<size_t>(run.ref), n - (to - from));
        if (place < from) {
            const uint64_t front = hashes_.join(hashes_.join(0, 0, place), from, to);
            return hashes_.join(hashes_.join(front, place, from), to, n);
        }
        const size_t after = place + (to - from);
        const uint64_t front = hashes_.join(hashes_.join(0, 0, from), to, after);
        return hashes_.join(hashes_.join(front, from, to), after, n);
    }

    // Bytes of UTF-8 are in the order of code points.
    bool after_best() const {
        const auto [one, other] = std::mismatch(shifted_.begin(), shifted_.end(), best_.begin());
        return one != shifted_.end() && (*words_)[*one] > (*words_)[*other];
    }

    const Words* ref_ = nullptr;
    Words* hyp_ = nullptr;
    const std::vector<std::string_view>* words_ = nullptr;
    bool long_ = false;
    Splices splices_;
    std::vector<int32_t> begin_, next_, places_;  // where each word stands in the reference
    int64_t distance_ = 0, most_ = 0, gain_ = 0;
    PartHashes hashes_;
    NgramIndex seen_, parts_;
    std::vector<int32_t> least_, length_;
    std::vector<Run> runs_;
    Words shifted_, best_;
    BlockShift chosen_{};
};

// What the shifts cost: of each block that stands elsewhere than it did, the mean length of its words. How blocks are
// found again is the program's rule, which counts some twice and some not at all.
double shift_cost(const Words& shifted, const Words& original, const std::vector<int64_t>& lengths) {
    const size_t n = original.size();
    double cost = 0;
    Pace pace;
    for (size_t p = 0; p < n; ++p) {
        if (original[p] == shifted[p]) continue;
        const auto found = std::find(shifted.begin() + static_cast<std::ptrdiff_t>(p) + 1, shifted.end(), original[p]);
        if (found == shifted.end()) {
            pace.steps(static_cast<int64_t>(n - p));
            continue;
        }
        const size_t first = p, there = static_cast<size_t>(found - shifted.begin());
        pace.steps(static_cast<int64_t>(there - first));
        size_t size = 1;
        int64_t characters = lengths[original[first]];
        while (there + size < n && original[first + size] == shifted[there + size]) {
            characters += lengths[original[first + size]];
            ++size;
            if (p + 1 < n) ++p;
        }
        cost += static_cast<double>(characters) / static_cast<double>(size);
    }
    return cost;
}

struct Scratch {
    Vocabulary vocabulary;
    Words hyp, ref, shifted;
    std::vector<int64_t> lengths;  // of each word, in characters
    ShiftSearch search;
    Chars hyp_text, ref_text;
    CharacterDistance distance;
};

void read(const Tokens& side, int64_t row, Vocabulary& vocabulary, Words& out) {
    out.clear();
    for (int64_t w = side.rows[row]; w < side.rows[row + 1]; ++w) out.push_back(vocabulary.add(side.words[w]));
}

void read_pair(const Tokens& hyps, int64_t i, const Tokens& refs, int64_t r, Scratch& s) {
    s.vocabulary.reset(static_cast<size_t>(hyps.length(i) + refs.length(r)));
    read(hyps, i, s.vocabulary, s.hyp);
    read(refs, r, s.vocabulary, s.ref);
}

// The words with a space between them, as characters.
void join(const Words& words, const std::vector<std::string_view>& strings, Chars& out) {
    out.clear();
    for (size_t w = 0; w < words.size(); ++w) {
        if (w > 0) out.push_back(' ');
        const std::string_view word = strings[words[w]];
        for (size_t i = 0; i < word.size();) out.push_back(next_char(word, i));
    }
}

// [score, edits, shift cost, hypothesis characters] of one pair.
void score_pair(Scratch& s, int patience, double* out) {
    const auto& words = s.vocabulary.words();
    s.shifted = s.hyp;
    s.search.run(s.shifted, s.ref, words, patience, nullptr);
    s.lengths.clear();
    for (const std::string_view word : words)
        s.lengths.push_back(std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    join(s.shifted, words, s.hyp_text);
    join(s.ref, words, s.ref_text);
    out[1] = static_cast<double>(s.distance(s.hyp_text, s.ref_text));
    out[2] = shift_cost(s.shifted, s.hyp, s.lengths);
    out[3] = static_cast<double>(s.hyp_text.size());
    out[0] = s.hyp_text.empty() ? 1.0 : std::min(1.0, (out[1] + out[2]) / out[3]);
}

}  // namespace

void character_scores(const Tokens& hyps, const Tokens& refs, Groups groups, int patience, int threads, double* out) {
    parallel_blocks(hyps.size, threads, 16, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        double row[kCharacterColumns];
        for (int64_t i = begin; i < end; ++i) {
            double* kept = out + i * kCharacterColumns;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                read_pair(hyps, i, refs, r, s);
                try {
                    score_pair(s, patience, row);
                } catch (const std::overflow_error&) {
                    throw std::overflow_error(std::to_string(i));
                }
                if (r == groups[i] || row[0] < kept[0]) std::copy_n(row, kCharacterColumns, kept);
            }
        }
    });
}

std::vector<BlockShift> character_shifts(const Tokens& hyps, const Tokens& refs, int patience) {
    const Lease<Scratch> lease;
    Scratch& s = *lease;
    std::vector<BlockShift> shifts;
    read_pair(hyps, 0, refs, 0, s);
    s.search.run(s.hyp, s.ref, s.vocabulary.words(), patience, &shifts);
    return shifts;
}

}  // namespace tercet
