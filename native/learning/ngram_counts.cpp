#include "learning/ngram_counts.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "common/flat_map.hpp"

namespace tercet {

namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;
constexpr int64_t kShards = 16;  // whatever the threads, so that numbers of n-grams are always the same
constexpr int64_t kBlock = 1 << 16;
constexpr int64_t kLeastLines = 1 << 10;  // that are worth a part of their own
constexpr std::array<std::string_view, 3> kMarks{"<unk>", "<s>", "</s>"};
constexpr std::string_view kNoWord("\0\t\n\v\f\r ", 7);

uint64_t key_of(uint32_t history, int32_t word) {
    return static_cast<uint64_t>(history) << 32 | (static_cast<uint64_t>(word) + 1);
}

// Not by the seeds of the process: they must not move numbers of n-grams.
int64_t shard_of(uint32_t history) { return static_cast<int64_t>(history * 0x9E3779B97F4A7C15ULL >> 60); }

bool fits(std::string_view word, bool sentences) {
    if (word.empty() || word.find_first_of(kNoWord) != word.npos) return false;
    return !sentences || std::find(kMarks.begin(), kMarks.end(), word) == kMarks.end();
}

// n-grams of some histories, in the order in which they first stand in the text.
struct Shard {
    NgramCounter::Order ngrams;
    FlatMap<uint32_t> numbers;
};

// Where n-grams of each shard end in the text: block by block of it, in two bytes a place.
class ShardedPlaces {
  public:
    ShardedPlaces(const std::vector<int32_t>& text, const std::vector<uint32_t>& ends, int threads)
        : places_(text.size()), bounds_(text.size() / kBlock + 1) {
        parallel_blocks(static_cast<int64_t>(text.size()), threads, kBlock, [&](int64_t begin, int64_t end) {
            Bounds& bounds = bounds_[begin / kBlock];
            const auto each = [&](const auto& visit) {
                for (int64_t i = std::max<int64_t>(begin, 1); i < end; ++i)
                    if (text[i] >= 0 && ends[i - 1] != kNone) visit(i, shard_of(ends[i - 1]));
            };
            each([&](int64_t, int64_t shard) { ++bounds[shard + 1]; });
            for (int64_t s = 0; s < kShards; ++s) bounds[s + 1] += bounds[s];
            Bounds at = bounds;
            each([&](int64_t i, int64_t shard) { places_[begin + at[shard]++] = static_cast<uint16_t>(i - begin); });
        });
    }

    template <class Visit>
    void visit(int64_t shard, const Visit& visit) const {
        for (size_t b = 0; b < bounds_.size(); ++b)
            for (uint32_t k = bounds_[b][shard]; k < bounds_[b][shard + 1]; ++k)
                visit(b * kBlock + places_[b * kBlock + k]);
    }

  private:
    using Bounds = std::array<uint32_t, kShards + 1>;  // of shards within a block
    static_assert(kBlock <= 1 << 16);

    std::vector<uint16_t> places_;
    std::vector<Bounds> bounds_;
};

// A column of all shards, one after the other.
template <class T>
void gather(std::vector<Shard>& shards, std::vector<T> NgramCounter::Order::* column, NgramCounter::Order& all,
            int64_t size) {
    (all.*column).reserve(size);
    for (Shard& shard : shards) {
        std::vector<T>& from = shard.ngrams.*column;
        (all.*column).insert((all.*column).end(), from.begin(), from.end());
        from = {};
    }
}

}  // namespace

NgramCounter::NgramCounter(int order, bool sentences) : order_(order), sentences_(sentences) {
    if (order < 1 || order > 16) throw std::invalid_argument("the order must be from 1 to 16");
    if (sentences)
        for (const std::string_view word : kMarks) vocabulary_.add(word);
}

// Lines of a text that one thread numbers by itself: its words in the order in which they first stand there.
struct NgramCounter::Part {
    Vocabulary words;
    std::vector<int32_t> text;
    int64_t lines = 0, n_words = 0, left_out = 0;
};

int64_t NgramCounter::add(const Tokens& text, int threads) {
    if (counted()) throw std::invalid_argument("the n-grams are counted already");
    const int64_t lines = std::max<int64_t>((text.size + std::max(threads, 1) - 1) / std::max(threads, 1), kLeastLines);
    std::vector<Part> parts(text.size / lines + (text.size % lines != 0));
    parallel_blocks(text.size, threads, lines,
                    [&](int64_t begin, int64_t end) { number(text, begin, end, parts[begin / lines]); });
    // first words of the first part, then what the next one has beside: the numbers are those of the text as a whole
    std::vector<std::vector<int32_t>> numbers;
    std::vector<size_t> starts{text_.size()};
    int64_t left_out = 0;
    for (const Part& part : parts) {
        Pace pace;
        std::vector<int32_t>& to = numbers.emplace_back();
        for (const std::string_view word : part.words.words()) {
            pace.steps(16);
            to.push_back(vocabulary_.add(word));
        }
        starts.push_back(starts.back() + part.text.size());
        lines_ += part.lines;
        words_ += part.n_words;
        left_out += part.left_out;
    }
    text_.resize(starts.back());
    parallel_blocks(static_cast<int64_t>(parts.size()), threads, 1, [&](int64_t p, int64_t) {
        int32_t* to = text_.data() + starts[p];
        for (const int32_t word : parts[p].text) *to++ = word < 0 ? word : numbers[p][word];
    });
    return left_out;
}

void NgramCounter::number(const Tokens& text, int64_t begin, int64_t end, Part& part) const {
    if (sentences_)
        for (const std::string_view word : kMarks) part.words.add(word);
    Pace pace;
    for (int64_t i = begin; i < end; ++i) {
        const size_t before = part.text.size();
        part.text.push_back(-1);
        if (sentences_) part.text.push_back(kBegin);
        const size_t first = part.text.size();
        pace.steps(16 * text.length(i));
        for (int64_t w = text.rows[i]; w < text.rows[i + 1]; ++w) {
            if (fits(text.words[w], sentences_)) {
                part.text.push_back(part.words.add(text.words[w]));
            } else {
                ++part.left_out;
            }
        }
        if (part.text.size() == first) {
            part.text.resize(before);
            continue;
        }
        ++part.lines;
        part.n_words += static_cast<int64_t>(part.text.size() - first);
        if (sentences_) part.text.push_back(kEnd);
    }
}

void NgramCounter::count(int threads) {
    if (counted()) return;
    std::vector<uint32_t> ends(text_.size());  // the n-gram that ends at each place, of the order that was counted last
    Order words;
    const auto n = static_cast<size_t>(vocabulary_.size());
    words.history.assign(n, 0);
    words.suffix.assign(n, 0);
    words.count.assign(n, 0);
    for (int32_t w = 0; w < vocabulary_.size(); ++w) words.word.push_back(w);
    for (size_t i = 0; i < text_.size(); ++i) {
        ends[i] = text_[i] < 0 ? kNone : static_cast<uint32_t>(text_[i]);
        if (text_[i] >= 0) ++words.count[text_[i]];
    }
    std::vector<Order> orders;
    orders.push_back(std::move(words));
    orders_.swap(orders);
    try {
        while (static_cast<int>(orders_.size()) < order_) next_order(ends, threads);
    } catch (...) {
        orders_.clear();  // half of them are nothing to go on from
        throw;
    }
}

void NgramCounter::next_order(std::vector<uint32_t>& ends, int threads) {
    const ShardedPlaces places(text_, ends, threads);
    std::vector<Shard> shards(kShards);
    std::vector<uint32_t> next(ends.size(), kNone);
    parallel_blocks(kShards, threads, 1, [&](int64_t s, int64_t) {
        Shard& shard = shards[s];
        Order& ngrams = shard.ngrams;
        Pace pace;
        places.visit(s, [&](size_t i) {
            pace.steps(1);
            const auto [number, fresh] =
                shard.numbers.added(key_of(ends[i - 1], text_[i]), static_cast<uint32_t>(ngrams.size()));
            next[i] = number;
            if (fresh) {
                ngrams.history.push_back(ends[i - 1]);
                ngrams.word.push_back(text_[i]);
                ngrams.suffix.push_back(ends[i]);
                ngrams.count.push_back(1);
            } else {
                ++ngrams.count[number];
            }
        });
        shard.numbers = {};
    });
    std::vector<uint32_t> starts;
    int64_t size = 0;
    for (const Shard& shard : shards) {
        starts.push_back(static_cast<uint32_t>(size));
        size += shard.ngrams.size();
    }
    Order all;
    parallel_blocks(4, threads, 1, [&](int64_t column, int64_t) {
        if (column == 0) gather(shards, &Order::history, all, size);
        if (column == 1) gather(shards, &Order::suffix, all, size);
        if (column == 2) gather(shards, &Order::count, all, size);
        if (column == 3) gather(shards, &Order::word, all, size);
    });
    if (size >= int64_t{kNone}) throw std::invalid_argument("there are more n-grams than can be numbered");
    parallel_blocks(static_cast<int64_t>(next.size()), threads, kBlock, [&](int64_t begin, int64_t end) {
        for (int64_t i = std::max<int64_t>(begin, 1); i < end; ++i)
            if (next[i] != kNone) next[i] += starts[shard_of(ends[i - 1])];
    });
    ends.swap(next);
    orders_.push_back(std::move(all));
}

void NgramCounter::write(int n, uint32_t ngram, std::string& out) const {
    std::array<int32_t, 16> words{};
    for (int k = n; k >= 1; --k) {
        words[k - 1] = of(k).word[ngram];
        ngram = of(k).history[ngram];
    }
    for (int k = 0; k < n; ++k) {
        if (k > 0) out.push_back(' ');
        out.append(vocabulary_[words[k]]);
    }
}

namespace {

constexpr std::array<double, 3> kUsual{0.5, 1, 1.5};  // discounts where there are too few n-grams to tell; KenLM's

void estimate_discounts(KneserNey::Discounts& made) {
    const auto& t = made.counts;
    made.estimated = t[0] > 0 && t[1] > 0 && t[2] > 0;
    if (made.estimated) {
        const auto of = [&](int k) { return static_cast<double>(t[k]); };
        const double y = of(0) / (of(0) + 2 * of(1));
        for (int k = 0; k < 3; ++k) {
            made.values[k] = k + 1 - (k + 2) * y * of(k + 1) / of(k);
            made.estimated = made.estimated && made.values[k] > 0 && made.values[k] <= k + 1;
        }
    }
    if (!made.estimated) made.values = kUsual;
}

void write_number(float value, std::string& out) {
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), end);
}

}  // namespace

KneserNey::KneserNey(const NgramCounter& counts, int threads) : counts_(&counts) {
    if (!counts.counted() || counts.lines() == 0) throw std::invalid_argument("there are no n-grams");
    if (!counts.sentences()) throw std::invalid_argument("the n-grams must be those of sentences");
    std::vector<uint32_t> adjusted;
    for (int n = 1; n <= counts.order(); ++n) {
        adjust(n, adjusted);
        estimate(n, adjusted, threads);
    }
}

// Of the highest order, and of n-grams that begin a sentence, how often they occur; of others, after how many words.
void KneserNey::adjust(int n, std::vector<uint32_t>& out) const {
    const NgramCounter::Order& here = counts_->of(n);
    out = here.count;
    if (n < counts_->order()) {
        std::vector<uint32_t> before(out.size(), 0);
        for (const uint32_t suffix : counts_->of(n + 1).suffix) ++before[suffix];
        for (size_t i = 0; i < out.size(); ++i)
            if (before[i] > 0) out[i] = before[i];  // nothing stands before those that begin a sentence
    }
    if (n == 1) out[NgramCounter::kBegin] = out[NgramCounter::kUnknown] = 0;
}

void KneserNey::estimate(int n, const std::vector<uint32_t>& adjusted, int threads) {
    const NgramCounter::Order& here = counts_->of(n);
    Discounts made;
    for (const uint32_t count : adjusted)
        if (count >= 1 && count <= 4) ++made.counts[count - 1];
    estimate_discounts(made);
    discounts_.push_back(made);
    const auto discount = [&](uint32_t count) { return count == 0 ? 0.0 : made.values[std::min(count, 3U) - 1]; };
    // of each history: the sum of its counts, and what is taken from them
    const size_t histories = n == 1 ? 1 : static_cast<size_t>(counts_->of(n - 1).size());
    std::vector<uint64_t> total(histories, 0);
    std::vector<std::array<uint32_t, 3>> kinds(histories);
    for (size_t i = 0; i < adjusted.size(); ++i) {
        if (adjusted[i] == 0) continue;
        total[here.history[i]] += adjusted[i];
        ++kinds[here.history[i]][std::min(adjusted[i], 3U) - 1];
    }
    std::vector<float> backoff(histories, 1);
    for (size_t h = 0; h < histories; ++h) {
        if (total[h] == 0) continue;
        double taken = 0;
        for (int k = 0; k < 3; ++k) taken += made.values[k] * kinds[h][k];
        backoff[h] = static_cast<float>(taken / static_cast<double>(total[h]));
    }
    std::vector<float> probability(adjusted.size());
    const double uniform = 1.0 / (counts_->vocabulary().size() - 1);  // all words but <s>
    parallel_blocks(static_cast<int64_t>(adjusted.size()), threads, kBlock, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const uint32_t h = here.history[i];
            const double lower = n == 1 ? uniform : probabilities_[n - 2][here.suffix[i]];
            const double share = (adjusted[i] - discount(adjusted[i])) / static_cast<double>(total[h]);
            probability[i] = static_cast<float>(share + backoff[h] * lower);
        }
    });
    probabilities_.push_back(std::move(probability));
    if (n > 1) backoffs_.push_back(std::move(backoff));
}

std::string KneserNey::lines(int n, int64_t begin, int64_t end) const {
    std::string out;
    for (int64_t i = begin; i < end; ++i) {
        const bool first = n == 1 && i == NgramCounter::kBegin;  // which nothing predicts
        write_number(first ? -99 : std::log10(probabilities_[n - 1][i]), out);
        out.push_back('\t');
        counts_->write(n, static_cast<uint32_t>(i), out);
        if (n < counts_->order()) {
            out.push_back('\t');
            write_number(std::log10(backoffs_[n - 1][i]), out);
        }
        out.push_back('\n');
    }
    return out;
}

}  // namespace tercet
