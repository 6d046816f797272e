// YiSi: every n-gram of one side takes the most similar one of the other, word by word, place by place.
//
// Reference words are taken one after the other, and only as many rows of similarities are kept as an n-gram is long,
// so that memory grows with a segment, not with its square.
#include "metrics/yisi.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "common/parallel.hpp"

namespace tercet {

namespace {

constexpr double kUnlike = 1e-5;           // what `exact` gives two different words
constexpr size_t kMaskBits = 64;
constexpr size_t kTableCells = 1 << 20;    // of a table of common ends
constexpr size_t kCachedCells = 1 << 22;   // similarities of a segment that are kept

// The places of each byte of a short word, as bits.
class ByteMasks {
  public:
    void set(std::string_view word) {
        for (const unsigned char c : word_) masks_[c] = 0;
        word_ = word;
        for (size_t i = 0; i < word.size(); ++i) masks_[static_cast<unsigned char>(word[i])] |= uint64_t{1} << i;
    }

    // Longer and longer common strings, by the places in the short word at which they end, for each end in the other.
    size_t longest_in(std::string_view other) {
        ends_.resize(other.size());
        uint64_t any = 0;
        for (size_t j = 0; j < other.size(); ++j) any |= ends_[j] = mask(other[j]);
        size_t longest = 0;
        for (; any != 0; ++longest) {
            any = 0;
            for (size_t j = other.size(); j-- > 1;) any |= ends_[j] = ends_[j - 1] << 1 & mask(other[j]);
            ends_[0] = 0;
        }
        return longest;
    }

  private:
    uint64_t mask(char c) const { return masks_[static_cast<unsigned char>(c)]; }

    std::array<uint64_t, 256> masks_{};
    std::string word_;
    std::vector<uint64_t> ends_;
};

size_t longest_by_table(std::string_view one, std::string_view other) {
    std::vector<uint32_t> row(other.size() + 1, 0);
    uint32_t longest = 0;
    for (const char c : one) {
        for (size_t j = other.size(); j > 0; --j) {
            row[j] = other[j - 1] == c ? row[j - 1] + 1 : 0;
            longest = std::max(longest, row[j]);
        }
    }
    return longest;
}

// Hashes of all strings of one length, by Rabin and Karp, modulo 2^61 - 1.
template <class Visit>
bool each_hash(std::string_view text, size_t length, const Visit& visit) {
    constexpr uint64_t modulus = (uint64_t{1} << 61) - 1, base = 0x1F3D5B79A8642CULL;
    const auto times = [](uint64_t a, uint64_t b) {
        const auto product = static_cast<unsigned __int128>(a) * b;
        const uint64_t sum = static_cast<uint64_t>(product & modulus) + static_cast<uint64_t>(product >> 61);
        return sum >= modulus ? sum - modulus : sum;
    };
    uint64_t highest = 1, hash = 0;
    for (size_t i = 1; i < length; ++i) highest = times(highest, base);
    Pace pace;
    for (size_t i = 0; i < text.size(); ++i) {
        pace.steps(64);
        const auto letter = [&](size_t at) { return static_cast<uint64_t>(static_cast<unsigned char>(text[at])) + 1; };
        if (i >= length) hash = (hash + modulus - times(highest, letter(i - length))) % modulus;
        hash = (times(hash, base) + letter(i)) % modulus;
        if (i + 1 >= length && visit(hash, i + 1 - length)) return true;
    }
    return false;
}

bool have_common(std::string_view one, std::string_view other, size_t length) {
    std::unordered_map<uint64_t, size_t> places;  // the first of each hash: 61 bits tell strings apart
    places.reserve(one.size());
    each_hash(one, length, [&](uint64_t hash, size_t at) { return places.emplace(hash, at), false; });
    return each_hash(other, length, [&](uint64_t hash, size_t at) {
        const auto found = places.find(hash);
        return found != places.end() && one.substr(found->second, length) == other.substr(at, length);
    });
}

size_t longest_by_halving(std::string_view one, std::string_view other) {
    size_t low = 0, high = std::min(one.size(), other.size());
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (have_common(one, other, middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

struct Scratch {
    ByteMasks masks;
    std::vector<int32_t> local;           // of each word: its number among those of the hypothesis, -1 for none
    std::vector<int32_t> distinct, hyp;   // words of the hypothesis, each once; and its words by these numbers
    std::vector<int32_t> cached_at;       // of each word: its row in `cache`, -1 for none
    std::vector<int32_t> touched;
    std::vector<double> cache, row;
    std::vector<double> rows;             // similarities of the last reference words with those of the hypothesis
    std::vector<double> hyp_weights, ref_weights, for_ref, for_hyp, best;
    Pace pace;
};

double similarity(const YisiWords& words, int32_t ref, int32_t hyp, Scratch& s) {
    if (ref == hyp) return 1.0;
    if (words.similarity == WordSimilarity::exact) return kUnlike;
    if (words.similarity == WordSimilarity::vectors) {
        if (words.folded[ref] == words.folded[hyp]) return 1.0;
        if (words.vector[ref] < 0 || words.vector[hyp] < 0) return 0.0;
        const double* a = words.vectors + words.vector[ref] * words.dimension;
        const double* b = words.vectors + words.vector[hyp] * words.dimension;
        double sums[4] = {};
        int64_t d = 0;
        for (; d + 4 <= words.dimension; d += 4)
            for (int k = 0; k < 4; ++k) sums[k] += a[d + k] * b[d + k];
        for (; d < words.dimension; ++d) sums[0] += a[d] * b[d];
        return std::max(0.0, sums[0] + sums[1] + sums[2] + sums[3]);
    }
    const std::string_view one = words.texts[ref], other = words.texts[hyp];
    const size_t longest = one.size() <= kMaskBits ? s.masks.longest_in(other) : longest_common_substring(one, other);
    return 2.0 * static_cast<double>(longest) / static_cast<double>(one.size() + other.size());
}

// The similarities of a reference word with every distinct word of the hypothesis.
const double* similarities(const YisiWords& words, int32_t ref, bool cached, Scratch& s) {
    const size_t width = s.distinct.size();
    double* out = s.row.data();
    if (cached) {
        if (s.cached_at[ref] >= 0) return s.cache.data() + static_cast<size_t>(s.cached_at[ref]) * width;
        s.cached_at[ref] = static_cast<int32_t>(s.touched.size());
        s.touched.push_back(ref);
        s.cache.resize(s.touched.size() * width);
        out = s.cache.data() + (s.touched.size() - 1) * width;
    }
    if (words.similarity == WordSimilarity::lcs && words.texts[ref].size() <= kMaskBits) s.masks.set(words.texts[ref]);
    const int64_t work = words.similarity == WordSimilarity::vectors ? words.dimension
                                                                     : static_cast<int64_t>(words.texts[ref].size()) + 8;
    for (size_t d = 0; d < width; ++d) {
        s.pace.steps(work);
        out[d] = similarity(words, ref, s.distinct[d], s);
    }
    return out;
}

void number_hypothesis(std::span<const int32_t> hyp, Scratch& s) {
    s.distinct.clear();
    s.hyp.clear();
    for (const int32_t word : hyp) {
        if (s.local[word] < 0) {
            s.local[word] = static_cast<int32_t>(s.distinct.size());
            s.distinct.push_back(word);
        }
        s.hyp.push_back(s.local[word]);
    }
    for (const int32_t word : s.distinct) s.local[word] = -1;
}

// The weight of each n-gram.
void weigh(const YisiWords& words, std::span<const int32_t> text, int order, std::vector<double>& out) {
    out.clear();
    for (size_t i = 0; i + order <= text.size(); ++i) {
        double sum = 0;
        for (int k = 0; k < order; ++k) sum += words.weights[text[i + k]];
        out.push_back(sum);
    }
}

// How similar the n-gram of the reference that starts at `a` is to each of the hypothesis: for_ref by its own weights,
// for_hyp by those of the other.
void compare(const YisiWords& words, std::span<const int32_t> ref, std::span<const int32_t> hyp, size_t a, int order,
             Scratch& s) {
    const size_t ngrams = s.hyp_weights.size();
    std::fill_n(s.for_ref.begin(), ngrams, 0.0);
    std::fill_n(s.for_hyp.begin(), ngrams, 0.0);
    for (int k = 0; k < order; ++k) {
        const double* row = s.rows.data() + (a + k) % order * hyp.size() + k;
        const double weight = words.weights[ref[a + k]];
        for (size_t b = 0; b < ngrams; ++b) {
            s.for_ref[b] += weight * row[b];
            s.for_hyp[b] += words.weights[hyp[b + k]] * row[b];
        }
    }
}

struct Shares {
    double precision = 0, recall = 0;
};

double mean(const std::vector<double>& values, const std::vector<double>& weights) {
    double sum = 0, total = 0;
    for (size_t i = 0; i < weights.size(); ++i) sum += weights[i] * values[i], total += weights[i];
    return sum / total;
}

// Precision and recall against one reference; `matches`, where it is given, gets the best of each n-gram.
Shares shares(const YisiTask& task, std::span<const int32_t> hyp, std::span<const int32_t> ref, Scratch& s,
              YisiMatches* matches) {
    if (hyp.empty() || ref.empty()) return {};
    const YisiWords& words = task.words;
    const int order = static_cast<int>(std::min({static_cast<size_t>(task.order), hyp.size(), ref.size()}));
    number_hypothesis(hyp, s);
    weigh(words, hyp, order, s.hyp_weights);
    weigh(words, ref, order, s.ref_weights);
    const size_t ngrams = s.hyp_weights.size();
    const bool cached = ref.size() * s.distinct.size() <= kCachedCells;
    s.cache.clear();
    s.touched.clear();
    s.row.resize(s.distinct.size());
    s.rows.resize(hyp.size() * order);
    s.for_ref.resize(ngrams);
    s.for_hyp.resize(ngrams);
    s.best.assign(ngrams, 0.0);
    if (matches != nullptr) matches->order = order, matches->refs.assign(ngrams, -1);
    double sum = 0, total = 0;
    for (size_t i = 0; i < ref.size(); ++i) {
        const double* found = similarities(words, ref[i], cached, s);
        double* row = s.rows.data() + i % order * hyp.size();
        for (size_t j = 0; j < hyp.size(); ++j) row[j] = found[s.hyp[j]];
        if (i + 1 < static_cast<size_t>(order)) continue;
        const size_t a = i + 1 - order;
        s.pace.steps(static_cast<int64_t>(hyp.size()) * order);
        compare(words, ref, hyp, a, order, s);
        double best = 0;
        for (size_t b = 0; b < ngrams; ++b) {
            best = std::max(best, s.for_ref[b] / s.ref_weights[a]);
            const double share = s.for_hyp[b] / s.hyp_weights[b];
            if (share <= s.best[b]) continue;
            s.best[b] = share;
            if (matches != nullptr) matches->refs[b] = static_cast<int32_t>(a);
        }
        sum += s.ref_weights[a] * best;
        total += s.ref_weights[a];
    }
    for (const int32_t word : s.touched) s.cached_at[word] = -1;
    if (matches != nullptr) matches->similarities = s.best;
    return {mean(s.best, s.hyp_weights), sum / total};
}

void prepare(const YisiTask& task, Scratch& s) {
    s.local.assign(static_cast<size_t>(task.words.texts.size), -1);
    s.cached_at.assign(static_cast<size_t>(task.words.texts.size), -1);
}

}  // namespace

size_t longest_common_substring(std::string_view one, std::string_view other) {
    if (one.size() > other.size()) std::swap(one, other);
    if (one.size() <= kMaskBits) {
        ByteMasks masks;
        masks.set(one);
        return masks.longest_in(other);
    }
    return one.size() <= kTableCells / other.size() ? longest_by_table(one, other) : longest_by_halving(one, other);
}

void yisi_shares(const YisiTask& task, int threads, double* out) {
    parallel_blocks(task.hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        prepare(task, s);
        for (int64_t i = begin; i < end; ++i) {
            for (int64_t r = task.groups[i]; r < task.groups[i + 1]; ++r) {
                const Shares found = shares(task, task.hyps[i], task.refs[r], s, nullptr);
                out[2 * r] = found.precision, out[2 * r + 1] = found.recall;
            }
        }
    });
}

YisiMatches yisi_matches(const YisiTask& task, int64_t hyp, int64_t ref) {
    Scratch s;
    prepare(task, s);
    YisiMatches found;
    shares(task, task.hyps[hyp], task.refs[ref], s, &found);
    return found;
}

}  // namespace tercet
