// Which words and phrases of a hypothesis may stand for which of a reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "metrics/terp.hpp"

namespace tercet::terp {

using Ids = std::span<const int32_t>;

// How a word is related to a place of the reference; several may hold.
inline constexpr uint8_t kSame = 1, kStem = 2, kSynonym = 4, kBeginsPhrase = 8;

struct Related {
    int32_t ref;
    uint8_t how;
};

// A paraphrase whose side of the reference stands at some place.
struct Phrase {
    int32_t ref, ref_length;
    Ids hyp;
    double cost;
    int32_t length() const { return static_cast<int32_t>(hyp.size()); }
};

// The paraphrases of a task by the first word of the reference's side.
class PhraseIndex {
  public:
    explicit PhraseIndex(const TerpPhrases& phrases) : phrases_(&phrases) {
        for (int64_t row = 0; row < phrases.refs.size; ++row) order_.push_back({phrases.refs[row][0], row});
        std::sort(order_.begin(), order_.end());
    }

    // Calls visit(phrase) for all that the reference has at `place`.
    template <class Visit>
    void at(Ids ref, size_t place, const Visit& visit) const {
        auto one = std::lower_bound(order_.begin(), order_.end(), std::pair{ref[place], int64_t{0}});
        for (; one != order_.end() && one->first == ref[place]; ++one) {
            const Ids phrase = phrases_->refs[one->second];
            if (phrase.size() > ref.size() - place || !std::equal(phrase.begin(), phrase.end(), ref.begin() + place))
                continue;
            visit(Phrase{static_cast<int32_t>(place), static_cast<int32_t>(phrase.size()),
                         phrases_->hyps[one->second], phrases_->costs[one->second]});
        }
    }
    bool empty() const { return order_.empty(); }

  private:
    const TerpPhrases* phrases_;
    std::vector<std::pair<int32_t, int64_t>> order_;
};

// Which words and phrases of one pair of texts may be matched.
class Relations {
  public:
    void find(Ids hyp, Ids ref, const TerpWords& words, const PhraseIndex& index) {
        words_known_ = &words;
        index_reference(ref);
        types_.assign(hyp.begin(), hyp.end());
        sort_paced(types_.begin(), types_.end());
        types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
        type_at_.clear();
        Pace pace;
        for (const int32_t word : hyp) {
            pace.steps(32);
            type_at_.push_back(type_of(word));
        }
        find_phrases(ref, index);
        begin_.assign(1, 0);
        related_.clear();
        auto start = starts_.begin();
        for (size_t type = 0; type < types_.size(); ++type) {
            relate(types_[type]);
            for (; start != starts_.end() && start->first == static_cast<int32_t>(type); ++start)
                related_.push_back({start->second, kBeginsPhrase});
            merge();
            pace.steps(static_cast<int64_t>(32 + 8 * (related_.size() - begin_.back())));
            begin_.push_back(related_.size());
        }
    }

    // Places of the reference related to the hypothesis word that was once at `place`, in their order.
    std::span<const Related> of(int32_t place) const {
        const size_t type = type_at_[place];
        return {related_.data() + begin_[type], begin_[type + 1] - begin_[type]};
    }
    uint8_t between(int32_t place, int32_t ref) const {
        const std::span<const Related> all = of(place);
        const auto one = first_from(all, ref);
        return one != all.end() && one->ref == ref ? one->how : 0;
    }
    static std::span<const Related>::iterator first_from(std::span<const Related> all, int32_t ref) {
        return std::partition_point(all.begin(), all.end(), [&](const Related& one) { return one.ref < ref; });
    }

    // Paraphrases of what the reference has at a place.
    std::span<const Phrase> phrases_at(int32_t ref) const {
        return {phrases_.data() + phrase_begin_[ref], phrase_begin_[ref + 1] - phrase_begin_[ref]};
    }
    const Phrase& phrase(int32_t number) const { return phrases_[number]; }
    int32_t number(const Phrase& phrase) const { return static_cast<int32_t>(&phrase - phrases_.data()); }
    bool has_phrases() const { return !phrases_.empty(); }

  private:
    using Places = std::vector<std::pair<int32_t, int32_t>>;  // (word, stem or synset; place in the reference)

    int32_t type_of(int32_t word) const {
        return static_cast<int32_t>(std::lower_bound(types_.begin(), types_.end(), word) - types_.begin());
    }

    void index_reference(Ids ref) {
        for (Places* places : {&same_, &stems_, &synsets_}) places->clear();
        const TerpWords& known = *words_known_;
        Pace pace;
        for (size_t r = 0; r < ref.size(); ++r) {
            const auto place = static_cast<int32_t>(r);
            pace.steps(8);
            same_.push_back({ref[r], place});
            if (known.stems != nullptr) stems_.push_back({known.stems[ref[r]], place});
            if (known.synset_starts == nullptr) continue;
            pace.steps(4 * (known.synset_starts[ref[r] + 1] - known.synset_starts[ref[r]]));
            for (int64_t s = known.synset_starts[ref[r]]; s < known.synset_starts[ref[r] + 1]; ++s)
                synsets_.push_back({known.synsets[s], place});
        }
        for (Places* places : {&same_, &stems_, &synsets_}) sort_paced(places->begin(), places->end());
    }

    // Paraphrases whose side of the hypothesis may stand there: it has all of their words.
    void find_phrases(Ids ref, const PhraseIndex& index) {
        phrases_.clear();
        starts_.clear();
        phrase_begin_.assign(1, 0);
        Pace pace;
        for (size_t r = 0; r < ref.size(); ++r) {
            if (!index.empty()) {
                pace.steps(64);
                index.at(ref, r, [&](const Phrase& phrase) {
                    pace.steps(64);
                    for (const int32_t word : phrase.hyp)
                        if (!std::binary_search(types_.begin(), types_.end(), word)) return;
                    phrases_.push_back(phrase);
                    starts_.push_back({type_of(phrase.hyp[0]), phrase.ref});
                });
            }
            phrase_begin_.push_back(phrases_.size());
        }
        sort_paced(starts_.begin(), starts_.end());
    }

    void relate(int32_t word) {
        const TerpWords& known = *words_known_;
        add_all(same_, word, kSame);
        if (known.stems != nullptr) add_all(stems_, known.stems[word], kStem);
        if (known.synset_starts == nullptr) return;
        for (int64_t s = known.synset_starts[word]; s < known.synset_starts[word + 1]; ++s)
            add_all(synsets_, known.synsets[s], kSynonym);
    }

    void add_all(const Places& places, int32_t key, uint8_t how) {
        auto one = std::lower_bound(places.begin(), places.end(), std::pair{key, 0});
        for (; one != places.end() && one->first == key; ++one) related_.push_back({one->second, how});
    }

    // The relations of the last word with each place become one.
    void merge() {
        const auto first = related_.begin() + static_cast<std::ptrdiff_t>(begin_.back());
        sort_paced(first, related_.end(), [](const Related& a, const Related& b) { return a.ref < b.ref; });
        auto last = first;
        for (auto one = first; one != related_.end(); ++one) {
            if (last != first && (last - 1)->ref == one->ref) {
                (last - 1)->how |= one->how;
            } else {
                *last++ = *one;
            }
        }
        related_.erase(last, related_.end());
    }

    const TerpWords* words_known_ = nullptr;
    Places same_, stems_, synsets_, starts_;
    std::vector<int32_t> types_, type_at_;
    std::vector<size_t> begin_, phrase_begin_;
    std::vector<Related> related_;
    std::vector<Phrase> phrases_;
};

}  // namespace tercet::terp
