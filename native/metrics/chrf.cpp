// Character n-gram F-score (Popović 2015, 2017): counts of the best reference, as sacreBLEU or chrF++.py take them.
#include "common/parallel.hpp"
#include "metrics/metrics.hpp"
#include "text/unicode.hpp"

namespace tercet {

namespace {

constexpr double kEpsilon = 1e-16;

bool is_ascii_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

std::string_view strip(std::string_view text) {
    size_t first = 0, last = 0;
    bool started = false;
    for (size_t i = 0; i < text.size();) {
        const size_t at = i;
        if (unicode::is_space(next_char(text, i))) continue;
        if (!started) first = at, started = true;
        last = i;
    }
    return started ? text.substr(first, last - first) : std::string_view{};
}

struct Side {
    Chars characters;
    std::vector<std::string_view> words;
    std::vector<uint32_t> word_ids;
};

// One mark is taken off a word: the last character, or else the first.
void add_word(std::string_view word, std::vector<std::string_view>& out) {
    size_t first_char = 0;
    next_char(word, first_char);
    if (first_char == word.size()) {
        out.push_back(word);
    } else if (is_ascii_punctuation(word.back())) {
        out.push_back(word.substr(0, word.size() - 1));
        out.push_back(word.substr(word.size() - 1));
    } else if (is_ascii_punctuation(word.front())) {
        out.push_back(word.substr(0, 1));
        out.push_back(word.substr(1));
    } else {
        out.push_back(word);
    }
}

// Characters and, where they are wanted, words of a line.
void read(std::string_view line, const ChrfOptions& options, Side& side) {
    side.characters.clear();
    side.words.clear();
    if (options.original) line = strip(line);
    size_t begin = 0;
    for (size_t i = 0; i < line.size();) {
        const size_t at = i;
        const char32_t c = next_char(line, i);
        const bool space = unicode::is_space(c);
        if (space) {
            if (at > begin && options.word_order > 0) add_word(line.substr(begin, at - begin), side.words);
            begin = i;
        }
        if (options.original ? c != ' ' : !space || options.whitespace) side.characters.push_back(c);
    }
    if (line.size() > begin && options.word_order > 0) add_word(line.substr(begin), side.words);
}

// The symbols of the reference as 1, 2, ...; 0 for all others, which match nothing.
class Alphabet {
  public:
    void reset() {
        std::fill(std::begin(ascii_), std::end(ascii_), uint32_t{0});
        others_.clear();
        size_ = 0;
    }
    uint32_t add(char32_t c) {
        if (c < 128) return ascii_[c] != 0 ? ascii_[c] : ascii_[c] = ++size_;
        for (const auto& [symbol, number] : others_)
            if (symbol == c) return number;
        others_.emplace_back(c, ++size_);
        return size_;
    }
    uint32_t find(char32_t c) const {
        if (c < 128) return ascii_[c];
        for (const auto& [symbol, number] : others_)
            if (symbol == c) return number;
        return 0;
    }
    size_t size() const { return size_; }

  private:
    uint32_t ascii_[128] = {};
    std::vector<std::pair<char32_t, uint32_t>> others_;
    uint32_t size_ = 0;
};

struct Scratch {
    Side hyp, ref;
    Vocabulary vocabulary;
    Alphabet alphabet;
    std::vector<uint32_t> hyp_symbols, ref_symbols;
    PackedBag bag;
    NgramIndex index;
    std::vector<int32_t> left;  // occurrences in the reference that are not matched yet
    std::vector<double> row;
};

// Adds the matches of each order to `row`, for texts of any length in any script.
template <class Symbols>
void match_any(const Symbols& hyp, const Symbols& ref, int order, Scratch& s, double* row) {
    match_indexed(s.index, s.left, hyp.data(), hyp.size(), ref.data(), ref.size(), order,
                  [row](size_t n, int taken) { row[3 * n + 2] += taken; });
}

// [hypothesis count, reference count, matches] for each order, the matches still 0.
void count(size_t hyp, size_t ref, int order, double* row) {
    for (size_t n = 0; n < static_cast<size_t>(order); ++n) {
        row[3 * n] = ref > n && hyp > n ? static_cast<double>(hyp - n) : 0.0;
        row[3 * n + 1] = ref > n ? static_cast<double>(ref - n) : 0.0;
        row[3 * n + 2] = 0;
    }
}

void match_characters(const Chars& hyp, const Chars& ref, int order, Scratch& s, double* row) {
    count(hyp.size(), ref.size(), order, row);
    if (!PackedBag::fits(order, 0, ref.size())) return match_any(hyp, ref, order, s, row);
    s.alphabet.reset();
    const size_t most = size_t{1} << std::min(PackedBag::symbol_bits(order), 16);
    s.ref_symbols.clear();
    for (const char32_t c : ref) {
        s.ref_symbols.push_back(s.alphabet.add(c));
        if (s.alphabet.size() >= most) break;
    }
    if (s.alphabet.size() >= most) return match_any(hyp, ref, order, s, row);
    s.hyp_symbols.clear();
    for (const char32_t c : hyp) s.hyp_symbols.push_back(s.alphabet.find(c));
    match_packed(s.bag, s.hyp_symbols, s.ref_symbols, s.alphabet.size(), order,
                 [row](size_t n, int taken) { row[3 * n + 2] += taken; });
}

void match_words(Side& hyp, Side& ref, int order, Scratch& s, double* row) {
    count(hyp.words.size(), ref.words.size(), order, row);
    s.vocabulary.reset(ref.words.size());
    ref.word_ids.clear();
    for (const auto word : ref.words) ref.word_ids.push_back(static_cast<uint32_t>(s.vocabulary.add(word)) + 1);
    hyp.word_ids.clear();
    for (const auto word : hyp.words) hyp.word_ids.push_back(static_cast<uint32_t>(s.vocabulary.find(word) + 1));
    const size_t symbols = s.vocabulary.words().size();
    if (PackedBag::fits(order, symbols, ref.words.size()))
        return match_packed(s.bag, hyp.word_ids, ref.word_ids, symbols, order,
                            [row](size_t n, int taken) { row[3 * n + 2] += taken; });
    match_any(hyp.word_ids, ref.word_ids, order, s, row);
}

double f_score(double precision, double recall, double factor) {
    const double denominator = factor * precision + recall;
    return denominator > 0 ? (1 + factor) * precision * recall / denominator : kEpsilon;
}

// The segment's score, by which the best reference is chosen.
double segment_score(const double* row, int orders, const ChrfOptions& options) {
    const double factor = options.beta * options.beta;
    double mean = 0, precision = 0, recall = 0;
    int effective = 0;
    for (int n = 0; n < orders; ++n) {
        const double hyp = row[3 * n], ref = row[3 * n + 1], matches = row[3 * n + 2];
        const double p = hyp > 0 ? matches / hyp : kEpsilon, r = ref > 0 ? matches / ref : kEpsilon;
        if (!options.original || matches > 0) mean += f_score(p, r, factor);
        if (hyp > 0 && ref > 0) precision += p, recall += r, ++effective;
    }
    if (options.original || options.eps_smoothing) return mean;
    if (effective == 0 || precision + recall == 0) return 0;
    return f_score(precision / effective, recall / effective, factor);
}

void score_segment(std::string_view hyp, const Lines& refs, int64_t first, int64_t last, const ChrfOptions& options,
                   Scratch& s, double* out) {
    const int orders = options.char_order + options.word_order;
    std::fill_n(out, 3 * orders, 0.0);
    s.row.resize(3 * orders);
    read(hyp, options, s.hyp);
    double best = 0;
    for (int64_t r = first; r < last; ++r) {
        read(refs[r], options, s.ref);
        match_characters(s.hyp.characters, s.ref.characters, options.char_order, s, s.row.data());
        if (options.word_order > 0)
            match_words(s.hyp, s.ref, options.word_order, s, s.row.data() + 3 * options.char_order);
        const double score = last - first > 1 ? segment_score(s.row.data(), orders, options) : 0;
        if (r == first || score > best) {
            best = score;
            std::copy(s.row.begin(), s.row.end(), out);
        }
    }
}

}  // namespace

void chrf_statistics(const Lines& hyps, const Lines& refs, Groups groups, const ChrfOptions& options, int threads,
                     double* out) {
    const int64_t k = 3 * (options.char_order + options.word_order);
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        for (int64_t i = begin; i < end; ++i)
            score_segment(hyps[i], refs, groups[i], groups[i + 1], options, s, out + i * k);
    });
}

}  // namespace tercet
