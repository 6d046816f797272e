// The features of BEER 2.0, see beer.hpp.
#include "metrics/beer.hpp"

#include <cmath>

#include "common/ngrams.hpp"
#include "text/unicode.hpp"

namespace tercet {

namespace {

constexpr int kCharOrders = 6, kWordOrders = 4;
constexpr size_t kNear = 5;                  // pairs of words as far apart as this are counted one by one
constexpr int kWindows = kNear;              // up to 2, 3, 4 or 5 words apart, and any number
constexpr double kNothingOnOneSide = 100000;

using Ids = std::vector<uint32_t>;

struct Side {
    std::vector<std::string_view> words;
    std::vector<uint32_t> units;  // UTF-16, of the words joined by single spaces
    Ids ids;                      // of the words, from 1; 0 is a word that the reference does not have
};

// Java's split at runs of spaces: an empty word before leading ones, none after trailing ones, one if there is nothing.
void split(std::string_view line, std::vector<std::string_view>& words) {
    words.clear();
    const size_t last = line.find_last_not_of(' ');
    if (last == std::string_view::npos) {
        if (line.empty()) words.push_back(line);
        return;
    }
    line = line.substr(0, last + 1);
    for (size_t begin = 0; begin <= line.size();) {
        const size_t end = std::min(line.find(' ', begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = end == line.size() ? end + 1 : line.find_first_not_of(' ', end);
    }
}

void read(std::string_view line, Side& side) {
    split(line, side.words);
    go_on_after(line.size());
    side.units.clear();
    for (size_t w = 0; w < side.words.size(); ++w) {
        if (w > 0) side.units.push_back(' ');
        for (size_t i = 0; i < side.words[w].size();) {
            const char32_t c = next_char(side.words[w], i);
            if (c < 0x10000) {
                side.units.push_back(c);
            } else {
                side.units.push_back(0xD800 + ((c - 0x10000) >> 10));
                side.units.push_back(0xDC00 + ((c - 0x10000) & 0x3FF));
            }
        }
    }
}

// What pieces of one kind have in common, how many the hypothesis has and how many the reference, as four numbers.
double* add_piece(double overlap, double hyp, double ref, double* out) {
    const double precision = hyp == 0 ? 0 : overlap / hyp, recall = ref == 0 ? 0 : overlap / ref;
    const double a = std::min(precision, recall), b = std::max(precision, recall);
    *out++ = a;
    *out++ = b;
    *out++ = a + b == 0 ? 0 : 2 * a * b / (a + b);
    *out++ = std::sqrt(a * b);
    return out;
}

double disbalance(size_t one, size_t other) {
    const auto [less, more] = std::minmax(one, other);
    return less == 0 ? kNothingOnOneSide : static_cast<double>(more) / static_cast<double>(less) - 1;
}

double count_of(size_t length, size_t order) {
    return length >= order ? static_cast<double>(length - order + 1) : 0;
}

// How often each word is followed by each other, up to so far away.
struct Followers {
    std::vector<double> any;
    std::vector<double> near[kWindows - 1];

    void reset(size_t words) {
        any.assign(words + 1, 0);
        for (auto& window : near) window.assign(words + 1, 0);
    }
};

struct Scratch {
    Side hyp, ref;
    Vocabulary vocabulary;
    NgramIndex index;
    std::vector<int32_t> left;
    std::vector<char> in_hyp;
    Followers hyp_followers, ref_followers;
};

// Counts the words after every occurrence of `word`, in one pass and without a table of pairs: texts may be long.
void follow(const Ids& ids, uint32_t word, Followers& out) {
    double seen = 0;
    for (size_t j = 0; j < ids.size(); ++j) {
        if (seen > 0) out.any[ids[j]] += seen;
        if (ids[j] != word) continue;
        ++seen;
        const size_t end = std::min(ids.size(), j + kNear + 1);
        for (size_t k = j + 1; k < end; ++k)
            for (size_t window = k - j <= 2 ? 0 : k - j - 2; window < kWindows - 1; ++window)
                ++out.near[window][ids[k]];
    }
}

double common(std::vector<double>& one, std::vector<double>& other) {
    double sum = 0;
    for (size_t word = 1; word < one.size(); ++word) {
        sum += std::min(one[word], other[word]);
        one[word] = other[word] = 0;
    }
    one[0] = other[0] = 0;
    return sum;
}

// Pairs of words that both sides have, [at most 1, 2, 3, 4, any number of words between them].
void match_pairs(Scratch& s, double* overlaps) {
    const size_t words = s.vocabulary.words().size();
    std::fill_n(overlaps, kWindows, 0.0);
    s.hyp_followers.reset(words);
    s.ref_followers.reset(words);
    s.in_hyp.assign(words + 1, 0);
    for (const uint32_t id : s.hyp.ids) s.in_hyp[id] = 1;
    Pace pace;
    for (uint32_t word = 1; word <= words; ++word) {
        if (!s.in_hyp[word]) continue;
        pace.steps(static_cast<int64_t>(s.hyp.ids.size() + s.ref.ids.size() + 8 * words));
        follow(s.hyp.ids, word, s.hyp_followers);
        follow(s.ref.ids, word, s.ref_followers);
        for (int window = 0; window < kWindows - 1; ++window)
            overlaps[window] += common(s.hyp_followers.near[window], s.ref_followers.near[window]);
        overlaps[kWindows - 1] += common(s.hyp_followers.any, s.ref_followers.any);
    }
}

// Pairs that a text of so many words has, so many apart at most.
double pairs_within(size_t length, size_t apart) {
    const double n = static_cast<double>(length), d = static_cast<double>(std::min(apart, length > 0 ? length - 1 : 0));
    return d * n - d * (d + 1) / 2;
}

double* add_characters(const Side& hyp, const Side& ref, Scratch& s, double* out) {
    // the last unit never counts, and order k is made of k - 1 units, as in the program
    const auto cut = [](const Side& side) { return side.units.empty() ? 0 : side.units.size() - 1; };
    double overlaps[kCharOrders] = {static_cast<double>(std::min(hyp.units.size(), ref.units.size()))};
    match_indexed(s.index, s.left, hyp.units.data(), cut(hyp), ref.units.data(), cut(ref), kCharOrders - 1,
                  [&](size_t n, int taken) { overlaps[n + 1] += taken; });
    for (int k = 0; k < kCharOrders; ++k)
        out = add_piece(overlaps[k], count_of(hyp.units.size(), k + 1), count_of(ref.units.size(), k + 1), out);
    return out;
}

// Whether both begin, or end, with the same words, up to so many.
bool same_edge(const Ids& hyp, const Ids& ref, size_t most, bool end) {
    const size_t n = std::min(hyp.size(), most);
    if (n != std::min(ref.size(), most)) return false;
    return end ? std::equal(hyp.end() - n, hyp.end(), ref.end() - n) : std::equal(hyp.begin(), hyp.begin() + n, ref.begin());
}

double* add_words(const Ids& hyp, const Ids& ref, Scratch& s, double* out) {
    double overlaps[kWordOrders] = {};
    match_indexed(s.index, s.left, hyp.data(), hyp.size(), ref.data(), ref.size(), kWordOrders,
                  [&](size_t n, int taken) { overlaps[n] += taken; });
    for (size_t n = 1; n <= kWordOrders; ++n) {
        const double edges = same_edge(hyp, ref, n, false) + same_edge(hyp, ref, n, true);
        out = add_piece(overlaps[n - 1] + edges, count_of(hyp.size(), n) + 2, count_of(ref.size(), n) + 2, out);
    }
    return out;
}

double* add_pairs(Scratch& s, double* out) {
    double overlaps[kWindows];
    match_pairs(s, overlaps);
    const size_t hyp = s.hyp.ids.size(), ref = s.ref.ids.size(), any = std::max(hyp, ref);
    constexpr int order[kWindows] = {0, 4, 1, 2, 3};  // as in the program's list, which is sorted by name
    for (const int window : order) {
        const size_t apart = window == kWindows - 1 ? any : static_cast<size_t>(window) + 2;
        out = add_piece(overlaps[window], pairs_within(hyp, apart), pairs_within(ref, apart), out);
    }
    return out;
}

void number_words(Side& side, Vocabulary& vocabulary, bool add) {
    side.ids.clear();
    Pace pace;
    for (const auto word : side.words) {
        pace.steps(16);
        side.ids.push_back(static_cast<uint32_t>((add ? vocabulary.add(word) : vocabulary.find(word)) + 1));
    }
}

void compare(Scratch& s, double* out) {
    s.vocabulary.reset(s.ref.words.size());
    number_words(s.ref, s.vocabulary, true);
    number_words(s.hyp, s.vocabulary, false);
    out = add_characters(s.hyp, s.ref, s, out);
    *out++ = disbalance(s.hyp.units.size(), s.ref.units.size());
    *out++ = disbalance(s.hyp.ids.size(), s.ref.ids.size());
    out = add_words(s.hyp.ids, s.ref.ids, s, out);
    add_pairs(s, out);
}

}  // namespace

void beer_features(const Lines& hyps, const Lines& refs, Groups groups, int threads, double* out) {
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        for (int64_t i = begin; i < end; ++i) {
            read(hyps[i], s.hyp);
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                read(refs[r], s.ref);
                compare(s, out + r * kBeerFeatures);
            }
        }
    });
}

}  // namespace tercet
