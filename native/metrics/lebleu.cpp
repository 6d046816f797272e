// One scan of the reference from one place, along the letters of a hypothesis from another, gives the edit distances of
// all n-grams that begin at the two: those of the reference are its columns at the ends of words, those of the
// hypothesis rows of the bit-parallel matrix (Hyyrö 2003). Eight places of the hypothesis go side by side.
#include "metrics/lebleu.hpp"

#include <bit>
#include <cstring>

#include "common/clones.hpp"
#include "common/ngrams.hpp"
#include "common/parallel.hpp"
#include "text/symbols.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // everything that takes a vector is inlined

namespace tercet {

namespace {

constexpr size_t kVectors = 2, kLanes = 4 * kVectors, kBits = 64;
typedef uint64_t Lanes __attribute__((vector_size(32)));
typedef int32_t Sizes __attribute__((vector_size(4 * kLanes)));

struct Ratio {
    int64_t edits, length;  // of the longer of two n-grams
    bool below(const Ratio& other) const { return edits * other.length < other.edits * length; }
    double similarity() const { return 1.0 - static_cast<double>(edits) / static_cast<double>(length); }
};

struct Side {
    std::vector<int32_t> words, letters;
    std::vector<int64_t> begin, end;  // of each word, among the letters
    int64_t length(size_t first, size_t n) const { return end[first + n - 1] - begin[first]; }
};

// An n-gram of the hypothesis at its first place.
struct Gram {
    size_t place, order;
    int64_t length, count;
    Ratio best;
    bool found = false;
    std::vector<std::pair<Ratio, int64_t>> all;  // where it stands more than once: everything like it, and how often
};

// An n-gram of the reference: how often it stands there, at its first place; 0 at any other.
using Counts = std::vector<int64_t>;

struct Reading {
    size_t orders;  // of the reference's n-grams
    double threshold;
    int64_t longest(int64_t length) const {
        return threshold > 0 ? static_cast<int64_t>(static_cast<double>(length) / threshold) + 1 : INT64_MAX;
    }
};

// n-grams of up to eight places that are compared together: that of order n in lane l is number (n - 1) * kLanes + l,
// so that those of one order, which are of much the same length, stand side by side.
struct Lineup {
    struct Slot {
        Gram* gram;
        uint64_t mask;  // of its letters
        int64_t length;
        Ratio best;
    };
    size_t lanes = 0, first = 0, last = 0;  // and their places
    const int32_t* letters[kLanes] = {};
    size_t sizes[kLanes] = {};
    std::vector<Slot> slots;
    // how short and how long an n-gram of the reference is that cannot be more like one than what was found
    std::vector<int32_t> low, high;

    void clear(size_t orders) {
        lanes = 0;
        slots.resize(orders * kLanes);
        low.assign(orders * kLanes, INT32_MAX);  // nothing is between the two
        high.assign(orders * kLanes, INT32_MIN);
    }
    void begin(const int32_t* text) {
        letters[lanes] = text;
        sizes[lanes] = 0;
    }
    void add(Gram& gram) {
        const size_t i = (gram.order - 1) * kLanes + lanes;
        const auto length = static_cast<size_t>(gram.length);  // 0 where a word is empty, which only kernels are given
        slots[i] = {&gram, length == 0 ? 0 : ~uint64_t{0} >> (kBits - length), gram.length, gram.best};
        narrow(i);
        first = lanes == 0 ? gram.place : first;
        last = gram.place;
        sizes[lanes] = std::max(sizes[lanes], static_cast<size_t>(gram.length));
    }
    void narrow(size_t i) {
        const auto& [edits, length] = slots[i].best = slots[i].gram->best;
        const int64_t own = slots[i].length, same = length - edits;
        low[i] = same > 0 ? static_cast<int32_t>(own * same / length) : -1;
        const int64_t most = same > 0 ? (own * length + same - 1) / same : INT32_MAX;
        high[i] = static_cast<int32_t>(std::min<int64_t>(most, INT32_MAX));
    }
    int64_t middle(size_t hyp_words, size_t ref_words) const {
        return static_cast<int64_t>((first + last) / 2 * ref_words / hyp_words);
    }
};

struct Scratch {
    Vocabulary vocabulary;
    Symbols symbols;
    Side hyp, ref;
    NgramIndex hyp_index, ref_index;
    std::vector<int64_t> places;  // of each n-gram's first place
    Counts hyp_counts, ref_counts;
    std::vector<Gram> grams;
    std::vector<uint64_t> equal;
    Lineup lineup;
    LevenshteinColumns columns;
    std::vector<uint64_t> column;
    Pace pace;
};

// Which start places are looked at: all, or a regular grid of about `limit`.
struct Grid {
    size_t step = 1;
    bool leaves_out = false;  // the last of every `step`, rather than all but the first
    Grid(size_t n, size_t limit) {
        if (limit == 0 || limit >= n) return;
        leaves_out = 2 * limit >= n;
        step = n / (leaves_out ? n - limit : limit);
    }
    bool takes(size_t i) const { return leaves_out ? i % step < step - 1 : i % step == 0; }
};

void read(const Tokens& side, int64_t row, Scratch& s, Side& out) {
    out.words.clear();
    out.letters.clear();
    out.begin.clear();
    out.end.clear();
    for (int64_t w = side.rows[row]; w < side.rows[row + 1]; ++w) {
        const std::string_view word = side.words[w];
        s.pace.steps(static_cast<int64_t>(32 + 4 * word.size()));
        if (!out.words.empty()) out.letters.push_back(s.symbols.number(' '));
        out.words.push_back(s.vocabulary.add(word));
        out.begin.push_back(static_cast<int64_t>(out.letters.size()));
        for (size_t i = 0; i < word.size();) out.letters.push_back(s.symbols.number(next_char(word, i)));
        out.end.push_back(static_cast<int64_t>(out.letters.size()));
    }
}

// Counts of all n-grams up to `order`, each at place * order + n - 1 of its first place.
void count(const Side& side, size_t order, size_t limit, NgramIndex& index, Scratch& s, Counts& out) {
    std::vector<int64_t>& places = s.places;
    const size_t n = side.words.size();
    const Grid grid(n, limit);
    index.reset(n * order);
    places.assign(1, 0);
    out.assign(n * order, 0);
    for (size_t i = 0; i < n; ++i) {
        if (!grid.takes(i)) continue;
        s.pace.steps(static_cast<int64_t>(8 * order));
        uint32_t gram = 0;
        for (size_t k = 0; k < order && i + k < n; ++k) {
            gram = index.add(gram, static_cast<uint32_t>(side.words[i + k]));
            if (gram == places.size()) places.push_back(static_cast<int64_t>(i * order + k));
            ++out[static_cast<size_t>(places[gram])];
        }
    }
}

// n-grams of the hypothesis that have to be compared; those that stand once and are in the reference are found.
void collect(size_t order, double threshold, Scratch& s, double* totals) {
    s.grams.clear();
    const Ratio worst{static_cast<int64_t>((1 - threshold) * (1 << 20)) + 1, 1 << 20};
    for (size_t i = 0; i < s.hyp.words.size(); ++i) {
        s.pace.steps(static_cast<int64_t>(16 * order));
        uint32_t same = 0;
        bool there = true;
        for (size_t k = 0; k < order && i + k < s.hyp.words.size(); ++k) {
            same = there ? s.ref_index.find(same, static_cast<uint32_t>(s.hyp.words[i + k])) : 0;
            there = same != 0;
            const int64_t times = s.hyp_counts[i * order + k];
            if (times == 0) continue;
            totals[k] += static_cast<double>(times);
            s.grams.push_back({i, k + 1, s.hyp.length(i, k + 1), times, worst, false, {}});
            if (there && times == 1) s.grams.back().best = {0, 1}, s.grams.back().found = true;
        }
    }
}

// A distance between an n-gram and one of the reference, which stands there so many times.
// True if nothing as far away is wanted any more.
bool offer(Gram& gram, Ratio ratio, int64_t times) {
    if (!ratio.below(gram.best)) return false;
    gram.found = true;
    if (gram.count == 1) gram.best = ratio;
    else gram.all.emplace_back(ratio, times);
    return gram.count == 1;
}

// Which of a group a size is between, as bits: most are none, and passed over at once.
[[gnu::always_inline]] inline uint32_t between(const int32_t* lows, int32_t size, const int32_t* highs) {
    Sizes low, high;
    std::memcpy(&low, lows, sizeof low);
    std::memcpy(&high, highs, sizeof high);
    const Sizes bits = (low < size) & (size < high) & Sizes{1, 2, 4, 8, 16, 32, 64, 128};
    Lanes pairs;
    std::memcpy(&pairs, &bits, sizeof pairs);
    const uint64_t both = pairs[0] | pairs[1] | pairs[2] | pairs[3];
    return static_cast<uint32_t>(both | both >> 32);
}

[[gnu::always_inline]] inline void offer_lanes(Lineup& lineup, const uint64_t* plus, const uint64_t* minus,
                                               int64_t length, int64_t times) {
    const int32_t *low = lineup.low.data(), *high = lineup.high.data();
    const auto size = static_cast<int32_t>(length);
    for (size_t first = 0; first < lineup.low.size(); first += kLanes) {
        for (uint32_t fits = between(low + first, size, high + first); fits != 0; fits &= fits - 1) {
            const auto lane = static_cast<size_t>(std::countr_zero(fits));
            const Lineup::Slot& slot = lineup.slots[first + lane];
            const int64_t more = std::popcount(plus[lane] & slot.mask), fewer = std::popcount(minus[lane] & slot.mask);
            const Ratio ratio{length + more - fewer, std::max(slot.length, length)};
            if (ratio.below(slot.best) && offer(*slot.gram, ratio, times)) lineup.narrow(first + lane);
        }
    }
}

// Rises and falls of all lanes.
struct Columns {
    Lanes plus[kVectors], minus[kVectors];
};

// One letter of the reference further, for some lanes; `equal_bits` say where their letters are the same.
[[gnu::always_inline]] inline void advance(const uint64_t* equal_bits, Lanes& plus, Lanes& minus) {
    Lanes equal;
    std::memcpy(&equal, equal_bits, sizeof equal);
    const Lanes zero = (((equal & plus) + plus) ^ plus) | equal | minus;
    const Lanes rises = (minus | ~(zero | plus)) << 1 | 1, falls = (zero & plus) << 1;
    plus = falls | ~(zero | rises);
    minus = rises & zero;
}

// A word of the reference further. By itself, so that the lanes stay in registers.
TERCET_CLONES void advance_word(const int32_t* letter, const int32_t* end, const uint64_t* equals,
                                Columns& at) noexcept {
    Lanes plus0 = at.plus[0], plus1 = at.plus[1], minus0 = at.minus[0], minus1 = at.minus[1];
    for (; letter < end; ++letter) {
        const uint64_t* const equal = equals + static_cast<size_t>(*letter) * kLanes;
        advance(equal, plus0, minus0);
        advance(equal + kLanes / 2, plus1, minus1);
    }
    at = {{plus0, plus1}, {minus0, minus1}};
}

// Compares n-grams that are no longer than the bits of a word.
TERCET_CLONES std::exception_ptr scan(Lineup& lineup, const Reading& how, Scratch& s) noexcept try {
    const auto each_letter = [&](const auto& visit) {
        for (size_t l = 0; l < lineup.lanes; ++l)
            for (size_t i = 0; i < lineup.sizes[l]; ++i)
                visit(s.equal[static_cast<size_t>(lineup.letters[l][i]) * kLanes + l], i);
    };
    each_letter([](uint64_t& bits, size_t i) { bits |= uint64_t{1} << i; });
    const Side& ref = s.ref;
    // from where the translation stands outwards: what is found there leaves little to be looked for elsewhere
    const auto n = static_cast<int64_t>(ref.words.size()), middle = lineup.middle(s.hyp.words.size(), ref.words.size());
    for (int64_t step = 0; step <= 2 * n; ++step) {
        const int64_t place = middle + (step % 2 != 0 ? (step + 1) / 2 : -step / 2);
        if (place < 0 || place >= n) continue;
        s.pace.steps(static_cast<int64_t>(16 * how.orders));
        const auto b = static_cast<size_t>(place);
        const int64_t* counts = s.ref_counts.data() + b * how.orders;
        size_t orders = std::min(how.orders, ref.words.size() - b);
        while (orders > 0 && counts[orders - 1] == 0) --orders;
        int32_t longest = 0;
        for (const int32_t high : lineup.high) longest = std::max(longest, high);
        Columns columns{{~Lanes{}, ~Lanes{}}, {}};
        const int32_t* letter = s.ref.letters.data() + ref.begin[b];
        for (size_t k = 0; k < orders; ++k) {
            const int64_t length = ref.length(b, k + 1);
            if (length >= longest) break;
            const int32_t* const end = s.ref.letters.data() + ref.end[b + k];
            advance_word(letter, end, s.equal.data(), columns);
            letter = end;
            if (counts[k] == 0) continue;
            uint64_t bits[2 * kLanes];
            std::memcpy(bits, &columns, sizeof bits);
            offer_lanes(lineup, bits, bits + kLanes, length, counts[k]);
        }
    }
    each_letter([](uint64_t& bits, size_t) { bits = 0; });
    lineup.clear(lineup.low.size() / kLanes);
    return nullptr;
} catch (...) {
    return std::current_exception();
}

// One n-gram of any length.
void scan_long(Gram& gram, const Reading& how, Scratch& s) {
    const Side& ref = s.ref;
    const int64_t longest = how.longest(gram.length);
    s.columns.reset(s.hyp.letters.data() + s.hyp.begin[gram.place], static_cast<size_t>(gram.length), s.symbols.size());
    s.column.resize(s.columns.column_size());
    for (size_t b = 0; b < ref.words.size(); ++b) {
        s.pace.steps(static_cast<int64_t>(how.orders * s.column.size()));
        const int64_t* counts = s.ref_counts.data() + b * how.orders;
        int64_t edits = s.columns.start(s.column.data()), at = ref.begin[b];
        for (size_t k = 0; k < how.orders && b + k < ref.words.size() && ref.length(b, k + 1) <= longest; ++k) {
            s.pace.steps(static_cast<int64_t>(s.column.size()) * (ref.end[b + k] - at));
            for (; at < ref.end[b + k]; ++at)
                edits += s.columns.step(ref.letters[static_cast<size_t>(at)], s.column.data());
            const int64_t length = ref.length(b, k + 1);
            if (counts[k] > 0) offer(gram, {edits, std::max(gram.length, length)}, counts[k]);
        }
    }
}

void compare(const Reading& how, Scratch& s) {
    s.equal.assign(s.symbols.size() * kLanes, 0);
    s.lineup.clear(how.orders / 2);  // those of the hypothesis
    for (size_t g = 0; g < s.grams.size();) {
        const size_t place = s.grams[g].place;
        s.pace.steps(16);
        s.lineup.begin(s.hyp.letters.data() + s.hyp.begin[place]);
        for (; g < s.grams.size() && s.grams[g].place == place; ++g) {
            Gram& gram = s.grams[g];
            if (gram.found) continue;
            if (gram.length > static_cast<int64_t>(kBits)) scan_long(gram, how, s);
            else s.lineup.add(gram);
        }
        if (s.lineup.sizes[s.lineup.lanes] > 0 && ++s.lineup.lanes == kLanes) rethrow(scan(s.lineup, how, s));
    }
    if (s.lineup.lanes > 0) rethrow(scan(s.lineup, how, s));
}

// What the occurrences of an n-gram get: the best that is left, each as often as the reference has it.
double hits_of(Gram& gram, double threshold) {
    const auto worth = [&](const Ratio& ratio) {
        const double similarity = ratio.similarity();
        return similarity < threshold ? 0.0 : similarity;
    };
    if (!gram.found) return 0;
    if (gram.count == 1) return worth(gram.best);
    std::stable_sort(gram.all.begin(), gram.all.end(), [](const auto& a, const auto& b) { return a.first.below(b.first); });
    double sum = 0;
    int64_t left = gram.count;
    for (const auto& [ratio, times] : gram.all) {
        const int64_t taken = std::min(left, times);
        sum += static_cast<double>(taken) * worth(ratio);
        if ((left -= taken) == 0) break;
    }
    return sum;
}

void score_pair(const Tokens& hyps, int64_t h, const Tokens& refs, int64_t r, const LebleuOptions& options, Scratch& s,
                double* out) {
    const auto order = static_cast<size_t>(options.max_n), sampling = static_cast<size_t>(options.sampling);
    std::fill_n(out, 2 * order, 0.0);
    s.vocabulary.reset(static_cast<size_t>(hyps.length(h) + refs.length(r)));
    s.symbols.reset();
    read(hyps, h, s, s.hyp);
    read(refs, r, s, s.ref);
    count(s.hyp, order, sampling / order, s.hyp_index, s, s.hyp_counts);
    count(s.ref, 2 * order, sampling / (2 * order), s.ref_index, s, s.ref_counts);
    collect(order, options.threshold, s, out + order);
    compare({2 * order, options.threshold}, s);
    for (const bool several : {false, true})  // the program's order of summation
        for (Gram& gram : s.grams) {
            s.pace.steps(static_cast<int64_t>(8 + 64 * gram.all.size()));
            if ((gram.count > 1) == several) out[gram.order - 1] += hits_of(gram, options.threshold);
        }
}

}  // namespace

void lebleu_hits(const Tokens& hyps, const Tokens& refs, const int64_t* owners, const LebleuOptions& options,
                 int threads, double* out) {
    parallel_blocks(refs.size, threads, 16, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        for (int64_t r = begin; r < end; ++r)
            score_pair(hyps, owners[r], refs, r, options, *lease, out + r * 2 * options.max_n);
    });
}

}  // namespace tercet
