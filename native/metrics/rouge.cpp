#include "metrics/rouge.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/ngrams.hpp"
#include "text/porter.hpp"
#include "text/unicode.hpp"

namespace tercet {

namespace {

constexpr size_t kShortest = 4;  // letters of a word that is stemmed
constexpr size_t kBits = 64;

using Ids = std::vector<int32_t>;

bool is_plain(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Part of a word: neither space, mark, symbol nor control character. Combining marks are: Hindi has its vowels in them.
bool is_part(char32_t c) {
    if (c < 128) return is_plain(static_cast<unsigned char>(c));
    const unsigned short outside = unicode::k_punctuation | unicode::k_symbol | unicode::k_white_space;
    return c > 0x9F && !unicode::is_space(c) && !unicode::is(c, outside);
}

void add(std::string_view word, bool stem, TokenBuffer& out) {
    const auto plain = [](char c) { return is_plain(static_cast<unsigned char>(c)); };
    if (!stem || word.size() < kShortest || !std::all_of(word.begin(), word.end(), plain)) return out.add(word);
    const OfThread<std::string> stemmed;
    *stemmed = word;
    stem_porter(*stemmed);
    if (!(*stemmed).empty()) out.add(*stemmed);
}

struct Scratch {
    Vocabulary vocabulary;
    Ids hyp, ref;
    NgramIndex index;
    std::vector<int64_t> left;
    Ids starts, next, places;
    std::vector<uint64_t> state, mask;
};

// n-grams in common, each as often as both have it.
int64_t common_ngrams(size_t order, Scratch& s) {
    s.index.reset(s.ref.size() * order);
    s.left.assign(s.ref.size() * order + 1, 0);
    Pace pace;
    for (size_t i = 0; i + order <= s.ref.size(); ++i) {
        pace.steps(static_cast<int64_t>(8 * order));
        uint32_t ngram = 0;
        for (size_t k = i; k < i + order; ++k) ngram = s.index.add(ngram, static_cast<uint32_t>(s.ref[k]));
        ++s.left[ngram];
    }
    int64_t matches = 0;
    for (size_t i = 0; i + order <= s.hyp.size(); ++i) {
        pace.steps(static_cast<int64_t>(8 * order));
        uint32_t ngram = 0;
        for (size_t k = i; k < i + order; ++k) {
            ngram = s.hyp[k] < 0 ? 0 : s.index.find(ngram, static_cast<uint32_t>(s.hyp[k]));
            if (ngram == 0) break;
        }
        if (ngram != 0 && s.left[ngram] > 0) --s.left[ngram], ++matches;
    }
    return matches;
}

// The places of each word of the reference, end to end.
void place_words(size_t distinct, Scratch& s) {
    s.starts.assign(distinct + 1, 0);
    for (const int32_t word : s.ref) ++s.starts[word + 1];
    for (size_t w = 0; w < distinct; ++w) s.starts[w + 1] += s.starts[w];
    s.next = s.starts;
    s.places.resize(s.ref.size());
    for (size_t i = 0; i < s.ref.size(); ++i) s.places[s.next[s.ref[i]]++] = static_cast<int32_t>(i);
}

// The longest common subsequence, 64 reference words at a time (Hyyrö 2004): a bit is 0 where the length goes up.
int64_t common_subsequence(Scratch& s) {
    place_words(s.vocabulary.words().size(), s);
    const size_t blocks = (s.ref.size() + kBits - 1) / kBits;
    s.state.assign(blocks, ~uint64_t{0});
    s.mask.assign(blocks, 0);
    Pace pace;
    for (const int32_t word : s.hyp) {
        if (word < 0) continue;
        pace.steps(static_cast<int64_t>(blocks) + s.starts[word + 1] - s.starts[word]);
        for (int32_t p = s.starts[word]; p < s.starts[word + 1]; ++p)
            s.mask[s.places[p] / kBits] |= uint64_t{1} << s.places[p] % kBits;
        uint64_t carry = 0;
        for (size_t b = 0; b < blocks; ++b) {
            const uint64_t v = s.state[b], u = v & s.mask[b];
            const uint64_t half = v + u, sum = half + carry;
            carry = (half < v) | (sum < half);
            s.state[b] = sum | (v - u);
        }
        for (int32_t p = s.starts[word]; p < s.starts[word + 1]; ++p) s.mask[s.places[p] / kBits] = 0;
    }
    int64_t length = 0;
    for (size_t i = 0; i < s.ref.size(); ++i) length += (s.state[i / kBits] >> i % kBits & 1) == 0;
    return length;
}

void compare(int order, Scratch& s, double* row) {
    const auto count = [&](const Ids& words) {
        const auto n = static_cast<int64_t>(words.size());
        return static_cast<double>(order == 0 ? n : std::max<int64_t>(0, n - order + 1));
    };
    row[0] = static_cast<double>(order == 0 ? common_subsequence(s) : common_ngrams(static_cast<size_t>(order), s));
    row[1] = count(s.hyp), row[2] = count(s.ref);
    const double precision = row[0] / std::max(row[1], 1.0), recall = row[0] / std::max(row[2], 1.0);
    row[3] = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0.0;
}

}  // namespace

void rouge_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int order, int threads, double* out) {
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        for (int64_t i = begin; i < end; ++i) {
            double* best = out + i * kRougeColumns;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                s.vocabulary.reset(static_cast<size_t>(refs.length(r)));
                read_row(refs, r, [&](std::string_view word) { return s.vocabulary.add(word); }, s.ref);
                read_row(hyps, i, [&](std::string_view word) { return s.vocabulary.find(word); }, s.hyp);
                double row[kRougeColumns];
                compare(order, s, row);
                if (r == groups[i] || row[3] > best[3]) std::copy(row, row + kRougeColumns, best);
            }
        }
    });
}

void tokenize_rouge(std::string_view line, const RougeOptions& options, TokenBuffer& out) {
    size_t begin = 0;
    const auto end_word = [&](size_t end) {
        if (end > begin) add(line.substr(begin, end - begin), options.stem, out);
    };
    for (size_t i = 0; i < line.size();) {
        const size_t at = i;
        const bool part = options.unicode ? is_part(next_char(line, i)) : is_plain(static_cast<unsigned char>(line[i++]));
        if (part) continue;
        end_word(at);
        begin = i;
    }
    end_word(line.size());
}

}  // namespace tercet
