// Which words and phrases of a hypothesis may stand for which of a reference, and what that costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "terp.hpp"

namespace tercet::terp {

using Ids = std::span<const int32_t>;

inline constexpr uint8_t same = kTerpEdits;  // the kind of a word that stands for itself

// A place of the reference that a word may be matched with.
struct Related {
    int32_t ref;
    uint8_t kind;
    int64_t price;
};

// A phrase of the hypothesis, named by the first place of its words before any shift, that may stand for one of the
// reference.
struct Phrase {
    int32_t hyp, length, ref, ref_length;
    int64_t price;
    int32_t end() const { return hyp + length; }
    int32_t ref_end() const { return ref + ref_length; }
};

// Which words and phrases of one pair of texts may be matched.
class Relations {
  public:
    void find(Ids hyp, Ids ref, std::span<const PhraseMatch> matches, const TerpTask& task) {
        task_ = &task;
        index_reference(ref);
        types_.assign(hyp.begin(), hyp.end());
        std::sort(types_.begin(), types_.end());
        types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
        type_at_.clear();
        for (const int32_t word : hyp) {
            const auto type = std::lower_bound(types_.begin(), types_.end(), word) - types_.begin();
            type_at_.push_back(static_cast<int32_t>(type));
        }
        sort_phrases(matches, static_cast<int32_t>(hyp.size()));
        begin_.assign(1, 0);
        related_.clear();
        auto pair = pairs_.begin();
        for (size_t type = 0; type < types_.size(); ++type) {
            relate(types_[type]);
            for (; pair != pairs_.end() && pair->first == static_cast<int32_t>(type); ++pair)
                add(pair->second, paraphrase);
            keep_cheapest();
            begin_.push_back(related_.size());
        }
    }

    // Places of the reference related to the hypothesis word that was once at `place`, in their order.
    std::span<const Related> of(int32_t place) const {
        const size_t type = type_at_[place];
        return {related_.data() + begin_[type], begin_[type + 1] - begin_[type]};
    }
    const Related* between(int32_t place, int32_t ref) const {
        const std::span<const Related> all = of(place);
        const auto found = first_from(all, ref);
        return found != all.end() && found->ref == ref ? &*found : nullptr;
    }
    static std::span<const Related>::iterator first_from(std::span<const Related> all, int32_t ref) {
        return std::partition_point(all.begin(), all.end(), [&](const Related& one) { return one.ref < ref; });
    }

    // Phrases whose last word was once at `place`.
    std::span<const Phrase> ending_at(int32_t place) const {
        return {phrases_.data() + phrase_begin_[place], phrase_begin_[place + 1] - phrase_begin_[place]};
    }
    bool has_phrases() const { return !phrases_.empty(); }
    int32_t longest_phrase() const { return longest_phrase_; }  // in words of the hypothesis; 1 without phrases
    int64_t dearest_phrase() const { return dearest_phrase_; }  // to break up

  private:
    using Places = std::vector<std::pair<int32_t, int32_t>>;  // (word, stem or synset; place in the reference)

    void index_reference(Ids ref) {
        for (Places* places : {&words_, &stems_, &synsets_}) places->clear();
        const TerpWords& known = task_->words;
        for (size_t r = 0; r < ref.size(); ++r) {
            const auto place = static_cast<int32_t>(r);
            words_.push_back({ref[r], place});
            if (known.stems != nullptr) stems_.push_back({known.stems[ref[r]], place});
            if (known.synset_starts == nullptr) continue;
            for (int64_t s = known.synset_starts[ref[r]]; s < known.synset_starts[ref[r] + 1]; ++s)
                synsets_.push_back({known.synsets[s], place});
        }
        for (Places* places : {&words_, &stems_, &synsets_}) std::sort(places->begin(), places->end());
    }

    void relate(int32_t word) {
        const TerpWords& known = task_->words;
        add_all(words_, word, same);
        if (known.stems != nullptr) add_all(stems_, known.stems[word], stem);
        if (known.synset_starts == nullptr) return;
        for (int64_t s = known.synset_starts[word]; s < known.synset_starts[word + 1]; ++s)
            add_all(synsets_, known.synsets[s], synonym);
    }

    void add_all(const Places& places, int32_t key, uint8_t kind) {
        auto found = std::lower_bound(places.begin(), places.end(), std::pair{key, 0});
        for (; found != places.end() && found->first == key; ++found) add(found->second, kind);
    }

    void add(int32_t ref, uint8_t kind) {
        const int64_t price = kind == same ? 0 : task_->costs[kind];
        if (price <= task_->costs[substitution]) related_.push_back({ref, kind, price});
    }

    // Of the relations of the last word with a place, the cheapest; the same word before all others.
    void keep_cheapest() {
        const auto first = related_.begin() + static_cast<std::ptrdiff_t>(begin_.back());
        std::sort(first, related_.end(), [](const Related& a, const Related& b) {
            const auto rank = [](const Related& r) { return std::tuple(r.ref, r.kind != same, r.price, r.kind); };
            return rank(a) < rank(b);
        });
        const auto last = std::unique(first, related_.end(), [](const Related& a, const Related& b) {
            return a.ref == b.ref;
        });
        related_.erase(last, related_.end());
    }

    // Pairs of single words become relations of the words; the rest is kept by last word.
    void sort_phrases(std::span<const PhraseMatch> matches, int32_t hyp_size) {
        pairs_.clear();
        phrases_.clear();
        longest_phrase_ = 1;
        dearest_phrase_ = 0;
        const TerpCosts& costs = task_->costs;
        for (const auto& [ref, ref_length, hyp, length] : matches) {
            if (ref_length == 1 && length == 1) {
                pairs_.push_back({type_at_[hyp], ref});
                continue;
            }
            phrases_.push_back({hyp, length, ref, ref_length, costs[paraphrase] * std::max(length, ref_length)});
            longest_phrase_ = std::max(longest_phrase_, length);
            dearest_phrase_ = std::max(dearest_phrase_, length * costs[deletion] + ref_length * costs[insertion]);
        }
        std::sort(pairs_.begin(), pairs_.end());
        const auto key = [](const Phrase& p) { return std::tuple(p.end(), p.length, p.ref, p.ref_length); };
        std::sort(phrases_.begin(), phrases_.end(), [&](const Phrase& a, const Phrase& b) { return key(a) < key(b); });
        const auto last = std::unique(phrases_.begin(), phrases_.end(),
                                      [&](const Phrase& a, const Phrase& b) { return key(a) == key(b); });
        phrases_.erase(last, phrases_.end());
        phrase_begin_.assign(static_cast<size_t>(hyp_size) + 1, 0);
        for (const Phrase& p : phrases_) ++phrase_begin_[p.end()];
        for (int32_t i = 0; i < hyp_size; ++i) phrase_begin_[i + 1] += phrase_begin_[i];
    }

    const TerpTask* task_ = nullptr;
    Places words_, stems_, synsets_, pairs_;
    std::vector<int32_t> types_, type_at_;
    std::vector<size_t> begin_, phrase_begin_;
    std::vector<Related> related_;
    std::vector<Phrase> phrases_;
    int32_t longest_phrase_ = 1;
    int64_t dearest_phrase_ = 0;
};

}  // namespace tercet::terp
