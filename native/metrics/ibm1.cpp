#include "metrics/ibm1.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

namespace tercet {

namespace {

constexpr int64_t kSentenceBlock = 1024;
constexpr int64_t kWordBlock = 1;  // the empty word alone meets every sentence

// Room for a hash table of n words, a third of it empty.
int64_t room(int64_t n) { return n + n / 2 + 1; }

size_t first_slot(int32_t word, int64_t size) {
    const uint64_t mixed = static_cast<uint32_t>(word) * 0x9E3779B97F4A7C15ULL >> 32;
    return static_cast<size_t>(mixed * static_cast<uint64_t>(size) >> 32);
}

}  // namespace

// What one thread needs to go through the sentences of one source word.
struct Ibm1Trainer::Scratch {
    std::vector<float> probabilities;
    std::vector<double> counts;
    std::vector<int32_t> seen;

    void fit(size_t words) {
        if (counts.size() >= words) return;
        probabilities.resize(words);
        counts.resize(words);
    }
};

int64_t Ibm1Trainer::add(const Tokens& source, const Tokens& target) {
    int64_t left_out = 0;
    prepared_ = started_ = false;
    for (int64_t i = 0; i < std::min(source.size, target.size); ++i) {
        const int64_t s = source.length(i), t = target.length(i);
        if (s == 0 || t == 0 || s > longest_ || t > longest_ || pairs() == std::numeric_limits<int32_t>::max()) {
            ++left_out;
            continue;
        }
        if (empty_word_) sources_of_.push_back(0);
        for (int64_t w = source.rows[i]; w < source.rows[i + 1]; ++w)
            sources_of_.push_back(sources_.add(source.words[w]));
        for (int64_t w = target.rows[i]; w < target.rows[i + 1]; ++w)
            targets_of_.push_back(targets_.add(target.words[w]));
        source_rows_.push_back(static_cast<int64_t>(sources_of_.size()));
        target_rows_.push_back(static_cast<int64_t>(targets_of_.size()));
    }
    return left_out;
}

void Ibm1Trainer::index() {
    meeting_starts_.assign(sources_.size() + 1, 0);
    for (const int32_t word : sources_of_) ++meeting_starts_[word + 1];
    std::partial_sum(meeting_starts_.begin(), meeting_starts_.end(), meeting_starts_.begin());
    meetings_.resize(sources_of_.size());
    std::vector<int64_t> next(meeting_starts_.begin(), meeting_starts_.end() - 1);
    for (int64_t k = 0; k < pairs(); ++k)
        for (int64_t i = source_rows_[k]; i < source_rows_[k + 1]; ++i)
            meetings_[next[sources_of_[i]]++] = static_cast<int32_t>(k);
}

int64_t Ibm1Trainer::prepare(int threads) {
    prepared_ = started_ = false;
    index();
    slot_starts_.assign(sources_.size() + 1, 0);
    parallel_blocks(sources_.size(), threads, kWordBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& scratch = *lease;
        scratch.fit(targets_.size());
        for (int64_t s = begin; s < end; ++s) {
            scratch.seen.clear();
            Pace pace;
            for (int64_t m = meeting_starts_[s]; m < meeting_starts_[s + 1]; ++m) {
                const int64_t k = meetings_[m];
                pace.steps(target_rows_[k + 1] - target_rows_[k]);
                for (int64_t j = target_rows_[k]; j < target_rows_[k + 1]; ++j) {
                    if (scratch.counts[targets_of_[j]] == 0) scratch.seen.push_back(targets_of_[j]);
                    scratch.counts[targets_of_[j]] = 1;
                }
            }
            for (const int32_t word : scratch.seen) scratch.counts[word] = 0;
            slot_starts_[s + 1] = static_cast<int64_t>(scratch.seen.size());
        }
    });
    const int64_t distinct = std::accumulate(slot_starts_.begin(), slot_starts_.end(), int64_t{0});
    for (size_t s = 1; s < slot_starts_.size(); ++s) slot_starts_[s] = slot_starts_[s - 1] + room(slot_starts_[s]);
    prepared_ = true;
    return distinct;
}

Ibm1Trainer::Slot& Ibm1Trainer::slot(int32_t source, int32_t target) {
    const int64_t start = slot_starts_[source], size = slot_starts_[source + 1] - start;
    auto at = static_cast<int64_t>(first_slot(target, size));
    while (slots_[start + at].word >= 0 && slots_[start + at].word != target) at = at + 1 == size ? 0 : at + 1;
    return slots_[start + at];
}

float Ibm1Trainer::probability(int32_t source, int32_t target) const {
    const int64_t start = slot_starts_[source], size = slot_starts_[source + 1] - start;
    auto at = static_cast<int64_t>(first_slot(target, size));
    for (;; at = at + 1 == size ? 0 : at + 1) {
        const Slot& found = slots_[start + at];
        if (found.word == target) return found.probability;
        if (found.word < 0) return 0;
    }
}

double Ibm1Trainer::iterate(int threads) {
    if (!prepared_) throw std::invalid_argument("the pairs must be prepared before a round of training");
    if (!started_) {
        slots_.assign(slot_starts_.back(), {});
        sums_.assign(targets_of_.size(), 0);
    }
    prepared_ = false;  // until the round is whole: half of one is nothing to go on from
    const double likelihood = expect(threads);
    maximise(threads);
    prepared_ = started_ = true;
    return likelihood;
}

// The sums of all that may explain each target word. In the first round all words explain all words equally well.
double Ibm1Trainer::expect(int threads) {
    const double uniform = 1.0 / std::max(targets_.size(), 1);
    std::vector<double> parts((pairs() + kSentenceBlock - 1) / kSentenceBlock);
    parallel_blocks(pairs(), threads, kSentenceBlock, [&](int64_t begin, int64_t end) {
        double part = 0;
        Pace pace;
        for (int64_t k = begin; k < end; ++k) {
            const int64_t words = source_rows_[k + 1] - source_rows_[k];
            pace.steps(words);
            for (int64_t i = source_rows_[k]; i < source_rows_[k + 1]; ++i) {
                pace.steps(4 * (target_rows_[k + 1] - target_rows_[k]));
                for (int64_t j = target_rows_[k]; j < target_rows_[k + 1]; ++j) {
                    if (i == source_rows_[k]) sums_[j] = 0;
                    sums_[j] += started_ ? probability(sources_of_[i], targets_of_[j]) : 1.0F;
                }
            }
            for (int64_t j = target_rows_[k]; j < target_rows_[k + 1]; ++j)
                part += std::log(static_cast<double>(sums_[j]) / static_cast<double>(words));
        }
        parts[begin / kSentenceBlock] = part;
    });
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    return started_ ? all : all + std::log(uniform) * static_cast<double>(targets_of_.size());
}

// A source word belongs to one thread, which adds up its counts in the order of the sentences.
void Ibm1Trainer::maximise(int threads) {
    parallel_blocks(sources_.size(), threads, kWordBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        (*lease).fit(targets_.size());
        for (int64_t s = begin; s < end; ++s) maximise(static_cast<int32_t>(s), *lease);
    });
}

void Ibm1Trainer::maximise(int32_t source, Scratch& scratch) {
    for (int64_t at = slot_starts_[source]; at < slot_starts_[source + 1]; ++at)
        if (slots_[at].word >= 0) scratch.probabilities[slots_[at].word] = slots_[at].probability;
    scratch.seen.clear();
    double total = 0;
    Pace pace;
    for (int64_t m = meeting_starts_[source]; m < meeting_starts_[source + 1]; ++m) {
        const int64_t k = meetings_[m];
        pace.steps(target_rows_[k + 1] - target_rows_[k]);
        for (int64_t j = target_rows_[k]; j < target_rows_[k + 1]; ++j) {
            const int32_t target = targets_of_[j];
            const double share = (started_ ? scratch.probabilities[target] : 1.0F) / static_cast<double>(sums_[j]);
            if (share == 0) continue;
            if (scratch.counts[target] == 0) scratch.seen.push_back(target);
            scratch.counts[target] += share;
            total += share;
        }
    }
    for (int64_t at = slot_starts_[source]; at < slot_starts_[source + 1]; ++at) slots_[at].probability = 0;
    for (const int32_t target : scratch.seen) {
        slot(source, target) = {target, static_cast<float>(scratch.counts[target] / total)};
        scratch.counts[target] = 0;
        scratch.probabilities[target] = 0;
    }
}

std::vector<Ibm1Entry> Ibm1Trainer::entries(double least, int threads) const {
    if (!prepared_ || !started_) throw std::invalid_argument("there is nothing before a round of training");
    std::vector<std::vector<Ibm1Entry>> parts((sources_.size() + 15) / 16);
    parallel_blocks(sources_.size(), threads, 16, [&](int64_t begin, int64_t end) {
        std::vector<Ibm1Entry>& part = parts[begin / 16];
        for (int64_t s = begin; s < end; ++s) {
            const auto first = static_cast<std::ptrdiff_t>(part.size());
            for (int64_t at = slot_starts_[s]; at < slot_starts_[s + 1]; ++at)
                if (slots_[at].word >= 0 && slots_[at].probability > 0 && slots_[at].probability >= least)
                    part.push_back({static_cast<int32_t>(s), slots_[at].word, slots_[at].probability});
            std::sort(part.begin() + first, part.end(), [](const Ibm1Entry& a, const Ibm1Entry& b) {
                return a.probability != b.probability ? a.probability > b.probability : a.target < b.target;
            });
        }
    });
    std::vector<Ibm1Entry> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

namespace {

uint64_t key_of(int32_t source, int32_t target) {
    return (static_cast<uint64_t>(source) + 1) << 32 | (static_cast<uint64_t>(target) + 1);
}

}  // namespace

std::string Ibm1Table::add(std::string_view line) {
    const char separator = line.find('\t') == std::string_view::npos ? ' ' : '\t';
    const size_t first = line.find(separator), second = first == line.npos ? line.npos : line.find(separator, first + 1);
    if (second == line.npos || line.find(separator, second + 1) != line.npos)
        return "an entry is a source word, a target word and a probability, separated by tabs";
    const std::string_view number = line.substr(second + 1), target = line.substr(first + 1, second - first - 1);
    std::string_view source = line.substr(0, first);
    if (separator == ' ' && source == "NULL") source = "";
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    // what other programs print may be a little more than 1
    if (error != std::errc() || end != number.data() + number.size() || !(value >= 0 && value <= 1.0001))
        return "the probability is no number from 0 to 1";
    if (target.empty() || (separator == ' ' && line.front() == ' ')) return "there is no target word";
    if (value > 0 && !probabilities_.insert(key_of(sources_.add(source), targets_.add(target)),
                                            static_cast<float>(std::min(value, 1.0))))
        return "the two words are there twice";
    return "";
}

std::vector<int32_t> Ibm1Table::translations(float above) const {
    std::vector<int32_t> out(static_cast<size_t>(sources_.size()), 0);
    probabilities_.for_all([&](uint64_t key, float probability) { out[(key >> 32) - 1] += probability > above; });
    return out;
}

float Ibm1Table::probability(int32_t source, int32_t target) const {
    const float* found = probabilities_.find(key_of(source, target));
    return found == nullptr ? 0 : *found;
}

namespace {

struct Counted {
    int32_t word;
    double times;
};

// The words that a table knows, each once with its number, and how many it does not know.
double known_words(const Tokens& tokens, int64_t row, const Ibm1Table& table, std::vector<Counted>& out) {
    std::unordered_map<int32_t, size_t> places;
    double unknown = 0;
    out.clear();
    if (table.has_empty_word()) out.push_back({table.source(""), 1});
    for (int64_t w = tokens.rows[row]; w < tokens.rows[row + 1]; ++w) {
        const int32_t word = table.source(tokens.words[w]);
        if (word < 0) {
            ++unknown;
        } else if (const auto [place, is_new] = places.try_emplace(word, out.size()); is_new) {
            out.push_back({word, 1});
        } else {
            ++out[place->second].times;
        }
    }
    return unknown;
}

double by_table(const Tokens& sources, const Tokens& targets, int64_t row, const Ibm1Table& table, double floor) {
    std::vector<Counted> known;
    std::unordered_map<int32_t, double> done;
    const double unknown = known_words(sources, row, table, known);
    const double words = static_cast<double>(sources.length(row)) + (table.has_empty_word() ? 1 : 0);
    double total = 0;
    Pace pace;
    for (int64_t w = targets.rows[row]; w < targets.rows[row + 1]; ++w) {
        const int32_t target = table.target(targets.words[w]);
        const auto [place, is_new] = done.try_emplace(target, 0.0);
        if (is_new) {
            pace.steps(static_cast<int64_t>(16 * known.size()));
            double sum = unknown * floor;
            for (const Counted& source : known) {
                const double p = target < 0 ? 0.0 : table.probability(source.word, target);
                sum += source.times * std::max(p, floor);
            }
            place->second = std::log10(words > 0 ? sum / words : floor);
        }
        total += place->second;
    }
    return total;
}

double by_spelling(const Tokens& sources, const Tokens& targets, int64_t row, double floor) {
    Vocabulary vocabulary;
    std::vector<double> times;
    Pace pace;
    for (int64_t w = sources.rows[row]; w < sources.rows[row + 1]; ++w) {
        pace.steps(16);
        const auto word = static_cast<size_t>(vocabulary.add(sources.words[w]));
        if (word == times.size()) times.push_back(0);
        ++times[word];
    }
    const auto words = static_cast<double>(sources.length(row));
    double total = 0;
    for (int64_t w = targets.rows[row]; w < targets.rows[row + 1]; ++w) {
        pace.steps(32);
        const int32_t word = vocabulary.find(targets.words[w]);
        const double same = word < 0 ? 0 : times[static_cast<size_t>(word)];
        total += std::log10(words > 0 ? (same + (words - same) * floor) / words : floor);
    }
    return total;
}

}  // namespace

void ibm1_statistics(const Tokens& sources, const Tokens& targets, const Ibm1Table* table, double floor, int threads,
                     double* out) {
    parallel_blocks(targets.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
            out[2 * row] = table == nullptr ? by_spelling(sources, targets, row, floor)
                                            : by_table(sources, targets, row, *table, floor);
            out[2 * row + 1] = static_cast<double>(targets.length(row));
        }
    });
}

void ibm1_links(const Tokens& sources, const Tokens& targets, const Ibm1Table& table, int64_t row, int32_t* places,
                float* probabilities) {
    std::vector<int32_t> known;
    for (int64_t w = sources.rows[row]; w < sources.rows[row + 1]; ++w) known.push_back(table.source(sources.words[w]));
    const int32_t empty = table.source("");
    Pace pace;
    for (int64_t w = targets.rows[row]; w < targets.rows[row + 1]; ++w, ++places, ++probabilities) {
        const int32_t target = table.target(targets.words[w]);
        *places = -1;
        *probabilities = target < 0 || empty < 0 ? 0 : table.probability(empty, target);
        if (target < 0) continue;
        pace.steps(16 * sources.length(row));
        for (size_t s = 0; s < known.size(); ++s) {
            const float probability = known[s] < 0 ? 0 : table.probability(known[s], target);
            if (probability <= *probabilities) continue;
            *probabilities = probability;
            *places = static_cast<int32_t>(s);
        }
    }
}

}  // namespace tercet
