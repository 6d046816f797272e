#include "learning/ngram_counts.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>

#include "common/flat_map.hpp"

namespace tercet {

namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;
constexpr int64_t kShards = 16;  // whatever the threads, so that numbers of n-grams are always the same
constexpr int64_t kBlock = 1 << 16;
constexpr std::string_view kNoWord("\0\t\n\v\f\r ", 7);

uint64_t key_of(uint32_t history, int32_t word) {
    return static_cast<uint64_t>(history) << 32 | (static_cast<uint64_t>(word) + 1);
}

// Not by the seeds of the process: they must not move numbers of n-grams.
int64_t shard_of(uint32_t history) { return static_cast<int64_t>(history * 0x9E3779B97F4A7C15ULL >> 60); }

bool fits(std::string_view word, bool sentences) {
    if (word.empty() || word.find_first_of(kNoWord) != word.npos) return false;
    return !sentences || (word != "<s>" && word != "</s>" && word != "<unk>");
}

// n-grams of some histories, in the order in which they first stand in the text.
struct Shard {
    NgramCounter::Order ngrams;
    FlatMap<uint32_t> numbers;
};

void append(std::vector<uint32_t>& to, const std::vector<uint32_t>& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

NgramCounter::NgramCounter(int order, bool sentences) : order_(order), sentences_(sentences) {
    if (order < 1 || order > 16) throw std::invalid_argument("the order must be from 1 to 16");
    if (sentences) {
        vocabulary_.add("<unk>");
        vocabulary_.add("<s>");
        vocabulary_.add("</s>");
    }
}

int64_t NgramCounter::add(const Tokens& text) {
    if (counted()) throw std::invalid_argument("the n-grams are counted already");
    int64_t left_out = 0;
    Pace pace;
    for (int64_t i = 0; i < text.size; ++i) {
        const size_t before = text_.size();
        text_.push_back(-1);
        if (sentences_) text_.push_back(kBegin);
        const size_t first = text_.size();
        pace.steps(16 * text.length(i));
        for (int64_t w = text.rows[i]; w < text.rows[i + 1]; ++w) {
            if (fits(text.words[w], sentences_)) {
                text_.push_back(vocabulary_.add(text.words[w]));
            } else {
                ++left_out;
            }
        }
        if (text_.size() == first) {
            text_.resize(before);
            continue;
        }
        ++lines_;
        words_ += static_cast<int64_t>(text_.size() - first);
        if (sentences_) text_.push_back(kEnd);
    }
    return left_out;
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
    std::vector<Shard> shards(kShards);
    std::vector<uint32_t> next(ends.size(), kNone);
    parallel_blocks(kShards, threads, 1, [&](int64_t s, int64_t) {
        Shard& shard = shards[s];
        Order& ngrams = shard.ngrams;
        Pace pace;
        for (size_t i = 1; i < text_.size(); ++i) {
            const uint32_t history = ends[i - 1];
            pace.steps(1);
            if (text_[i] < 0 || history == kNone || shard_of(history) != s) continue;
            const auto number = static_cast<uint32_t>(ngrams.size());
            const uint64_t key = key_of(history, text_[i]);
            if (shard.numbers.insert(key, number)) {
                ngrams.history.push_back(history);
                ngrams.word.push_back(text_[i]);
                ngrams.suffix.push_back(ends[i]);
                ngrams.count.push_back(1);
                next[i] = number;
            } else {
                next[i] = *shard.numbers.find(key);
                ++ngrams.count[next[i]];
            }
        }
        shard.numbers = {};
    });
    Order all;
    std::vector<uint32_t> starts;
    for (Shard& shard : shards) {
        starts.push_back(static_cast<uint32_t>(all.size()));
        append(all.history, shard.ngrams.history);
        append(all.suffix, shard.ngrams.suffix);
        append(all.count, shard.ngrams.count);
        all.word.insert(all.word.end(), shard.ngrams.word.begin(), shard.ngrams.word.end());
        shard = {};
    }
    if (all.size() >= int64_t{kNone}) throw std::invalid_argument("there are more n-grams than can be numbered");
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
