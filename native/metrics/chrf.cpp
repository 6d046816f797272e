// Character n-gram F-score (Popović 2015, 2017): counts of the best reference, as sacreBLEU or chrF++.py take them.
#include <array>

#include "common/ngram_places.hpp"
#include "common/parallel.hpp"
#include "metrics/metrics.hpp"
#include "text/unicode.hpp"

namespace tercet {

namespace {

constexpr double kEpsilon = 1e-16;

constexpr auto kAsciiPunctuation = [] {
    std::array<bool, 256> is{};
    for (const char c : std::string_view("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")) is[static_cast<unsigned char>(c)] = true;
    return is;
}();

bool is_ascii_punctuation(char c) { return kAsciiPunctuation[static_cast<unsigned char>(c)]; }

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

void read_words(std::string_view line, std::vector<std::string_view>& words) {
    words.clear();
    size_t begin = 0;
    for (size_t i = 0; i < line.size();) {
        const size_t at = i;
        const char32_t c = next_char(line, i);
        if ((c > ' ' && c < 128) || !unicode::is_space(c)) continue;
        if (at > begin) add_word(line.substr(begin, at - begin), words);
        begin = i;
    }
    if (line.size() > begin) add_word(line.substr(begin), words);
}

// Which characters count.
class Kept {
  public:
    explicit Kept(const ChrfOptions& options) : all_(options.whitespace && !options.original), blanks_(options.original) {
        for (char32_t c = 0; c < 128; ++c) ascii_[c] = keeps(c);
    }
    bool operator()(char32_t c) const { return c < 128 ? ascii_[c] : keeps(c); }

  private:
    bool keeps(char32_t c) const { return blanks_ ? c != ' ' : all_ || !unicode::is_space(c); }

    bool all_, blanks_;
    bool ascii_[128];
};

// Characters and, where they are wanted, words of a line.
void read(std::string_view line, const Kept& kept, const ChrfOptions& options, Side& side) {
    if (options.original) line = strip(line);
    if (options.word_order > 0) read_words(line, side.words);
    if (options.char_order == 0) return;
    side.characters.resize(line.size());
    char32_t* to = side.characters.data();
    for (size_t i = 0; i < line.size();) {
        *to = next_char(line, i);
        to += kept(*to);  // what is not kept is written over
    }
    side.characters.resize(to - side.characters.data());
    go_on_after(line.size());
}

// The symbols of the reference as 1, 2, ...; 0 for all others, which match nothing.
class Alphabet {
  public:
    // For so many symbols at most.
    void reset(size_t most) {
        std::fill(std::begin(ascii_), std::end(ascii_), uint32_t{0});
        if (has_others_) std::fill_n(others_.begin(), mask_ + 1, Other{});
        has_others_ = false;
        mask_ = std::bit_ceil(2 * most) - 1;
        if (others_.size() <= mask_) others_.resize(mask_ + 1);
        size_ = 0;
    }
    uint32_t add(char32_t c) {
        uint32_t& number = c < 128 ? ascii_[c] : other(c);
        has_others_ |= c >= 128;
        size_ += number == 0;
        return number = number == 0 ? size_ : number;
    }
    uint32_t find(char32_t c) const {
        if (c < 128) return ascii_[c];
        return has_others_ ? others_[place(c)].number : 0;
    }
    size_t size() const { return size_; }

  private:
    struct Other {
        char32_t symbol = 0;
        uint32_t number = 0;
    };

    size_t place(char32_t c) const {
        size_t at = hash_of(c) & mask_;
        while (others_[at].number != 0 && others_[at].symbol != c) at = (at + 1) & mask_;
        return at;
    }
    uint32_t& other(char32_t c) {
        Other& found = others_[place(c)];
        found.symbol = c;
        return found.number;
    }

    uint32_t ascii_[128] = {};
    std::vector<Other> others_;
    size_t mask_ = 0;  // of the part of them that is used
    bool has_others_ = false;
    uint32_t size_ = 0;
};

struct Scratch {
    Side hyp, ref;
    Vocabulary vocabulary;
    Alphabet alphabet;
    std::vector<uint32_t> hyp_symbols, ref_symbols;
    NgramPlaces places;
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

void match_places(const std::vector<uint32_t>& hyp, const std::vector<uint32_t>& ref, size_t symbols, int order,
                  Scratch& s, double* row) {
    s.places.match(hyp, ref, symbols, order, [row](size_t n, int matches) { row[3 * n + 2] = matches; });
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
    const bool by_places = NgramPlaces::fits(order, hyp.size(), ref.size());
    if (!by_places && !PackedBag::fits(order, 0, ref.size())) return match_any(hyp, ref, order, s, row);
    const size_t packed = size_t{1} << std::min(PackedBag::symbol_bits(order), 16);
    const size_t most = by_places ? ref.size() + 1 : std::min(packed, ref.size() + 1);
    s.alphabet.reset(most);
    s.ref_symbols.resize(ref.size());
    for (size_t r = 0; r < ref.size(); ++r) {
        s.ref_symbols[r] = s.alphabet.add(ref[r]);
        if (s.alphabet.size() >= most) return match_any(hyp, ref, order, s, row);
    }
    s.hyp_symbols.resize(hyp.size());
    for (size_t i = 0; i < hyp.size(); ++i) s.hyp_symbols[i] = s.alphabet.find(hyp[i]);
    if (by_places) return match_places(s.hyp_symbols, s.ref_symbols, s.alphabet.size(), order, s, row);
    match_packed(s.bag, s.hyp_symbols, s.ref_symbols, s.alphabet.size(), order,
                 [row](size_t n, int taken) { row[3 * n + 2] += taken; });
}

void match_words(Side& hyp, Side& ref, int order, Scratch& s, double* row) {
    count(hyp.words.size(), ref.words.size(), order, row);
    s.vocabulary.reset(ref.words.size());
    ref.word_ids.clear();
    Pace pace;
    for (const auto word : ref.words) {
        pace.steps(16);
        ref.word_ids.push_back(static_cast<uint32_t>(s.vocabulary.add(word)) + 1);
    }
    hyp.word_ids.clear();
    for (const auto word : hyp.words) {
        pace.steps(16);
        hyp.word_ids.push_back(static_cast<uint32_t>(s.vocabulary.find(word) + 1));
    }
    const size_t symbols = s.vocabulary.words().size();
    if (NgramPlaces::fits(order, hyp.words.size(), ref.words.size()))
        return match_places(hyp.word_ids, ref.word_ids, symbols, order, s, row);
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

void score_segment(std::string_view hyp, const Lines& refs, int64_t first, int64_t last, const Kept& kept,
                   const ChrfOptions& options, Scratch& s, double* out) {
    const int orders = options.char_order + options.word_order;
    std::fill_n(out, 3 * orders, 0.0);
    s.row.resize(3 * orders);
    read(hyp, kept, options, s.hyp);
    double best = 0;
    for (int64_t r = first; r < last; ++r) {
        read(refs[r], kept, options, s.ref);
        if (options.char_order > 0)
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
    const Kept kept(options);
    const int64_t k = 3 * (options.char_order + options.word_order);
    parallel_blocks(hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        for (int64_t i = begin; i < end; ++i)
            score_segment(hyps[i], refs, groups[i], groups[i + 1], kept, options, s, out + i * k);
    });
}

}  // namespace tercet
