// Extended edit distance. Costs of 0.2 do not add up exactly, and which of two nearly equal cells is the lowest of its
// row depends on the last bits; so the sums are those of the programs, one after the other, and what runs side by side
// are segments of about the same size, one in each lane of a vector.
#include "metrics/eed.hpp"

#include <cstring>
#include <type_traits>

#include "common/clones.hpp"
#include "common/parallel.hpp"
#include "text/unicode.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // everything that takes a vector is inlined

namespace tercet {

namespace {

constexpr int64_t kBlock = 512;           // segments, among which those of the same size are looked for
constexpr size_t kLong = size_t{1} << 16;  // characters of a hypothesis that runs alone, to spare memory

struct Text {
    size_t begin = 0, size = 0;  // in the characters of the block, a space at both ends
};

struct Pair {
    int64_t reference = 0;
    Text hyp, ref;
};

template <class T>
struct Costs {
    T alpha, deletion, insertion, substitution, rho;
    explicit Costs(const EedCosts& c)
        : alpha(static_cast<T>(c.alpha)),
          deletion(static_cast<T>(c.deletion)),
          insertion(static_cast<T>(c.insertion)),
          substitution(static_cast<T>(c.substitution)),
          rho(static_cast<T>(c.rho)) {}
};

// Memory for one group of pairs; a cell of all lanes stands together.
template <class T>
struct Group {
    std::vector<T> hyp, miss, row;  // characters, what a substitution costs there, and a row of the grid
    std::vector<int32_t> visits;    // how often a cell was the lowest of its row
};

struct Scratch {
    Chars characters;
    std::vector<Pair> pairs;
    std::vector<double> results;
    Group<float> single;
    Group<double> twice;
};

// Never reached, and small enough to be added to itself.
template <class T>
constexpr T kFar = static_cast<T>(1e30);

// The score of a pair from its errors and visits.
template <class T>
void finish(const Pair& pair, T errors, const int32_t* visits, EedVersion version, const Costs<T>& costs, double* out) {
    int64_t covered = 0;
    for (size_t i = version == EedVersion::python ? 0 : 1; i <= pair.hyp.size; ++i) {
        const int32_t v = visits[i];
        covered += version == EedVersion::wmt19 ? (v > 1 ? v : 0) : (v < 0 ? 1 : v);
    }
    const T coverage = static_cast<T>(covered), length = static_cast<T>(pair.ref.size);
    const T score = (errors + costs.rho * coverage) / (length + costs.rho * coverage);
    out[0] = std::min(1.0, static_cast<double>(score));
    out[1] = static_cast<double>(errors);
    out[2] = static_cast<double>(coverage);
    out[3] = static_cast<double>(length);
}

// T itself for one lane, or as many as 32 bytes hold.
template <class T, bool wide>
struct Vectors {
    using Index = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    static constexpr int kWidth = 1, kCount = 1;
    using Values = T;
    using Places = Index;
    static T whole(T value) { return static_cast<T>(static_cast<int32_t>(value)); }
};
template <class T>
struct Vectors<T, true> {
    using Index = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    static constexpr int kWidth = 32 / sizeof(T), kCount = 2;  // two of them: while one waits for a sum the other adds
    typedef T Values __attribute__((vector_size(32)));
    typedef Index Places __attribute__((vector_size(32)));
    [[gnu::always_inline]] static Values whole(const Values& values) {
        return __builtin_convertvector(__builtin_convertvector(values, Places), Values);
    }
};

template <class V, class T>
[[gnu::always_inline]] inline V load(const T* from) {
    V values;
    std::memcpy(&values, from, sizeof values);
    return values;
}

// One row of the grid in all lanes: `at` is where it is lowest. `cap` is the price of a jump within the row before.
// In 32 bits the lowest value is remembered without its fraction, as the C++ library does.
template <class T, bool wide>
[[gnu::always_inline]] inline void advance(size_t width, const T* hyp, const T* miss, T* row, const T* ref,
                                           const T* cap, const Costs<T>& costs,
                                           typename Vectors<T, wide>::Index* at) {
    using Kind = Vectors<T, wide>;
    using V = typename Kind::Values;
    using P = typename Kind::Places;
    constexpr int N = Kind::kCount, W = Kind::kWidth, L = N * W;
    constexpr bool whole = sizeof(T) == 4;
    const V zero{}, deletion = zero + costs.deletion, insertion = zero + costs.insertion;
    V diagonal[N], left[N], lowest[N], letter[N], most[N];
    P where[N] = {};
    for (int n = 0; n < N; ++n) {
        letter[n] = load<V>(ref + n * W);
        most[n] = load<V>(cap + n * W);
        diagonal[n] = load<V>(row + n * W);
        diagonal[n] = diagonal[n] < most[n] ? diagonal[n] : most[n];
        left[n] = diagonal[n] + T{1};
        if constexpr (whole) lowest[n] = Kind::whole(left[n]);
        else lowest[n] = left[n];
        std::memcpy(row + n * W, &left[n], sizeof(V));
    }
    for (size_t i = 1; i <= width; ++i) {
        const P place = P{} + static_cast<typename Kind::Index>(i);
        for (int n = 0; n < N; ++n) {
            T* cell = row + i * L + n * W;
            const V own = load<V>(hyp + (i - 1) * L + n * W), other = load<V>(miss + (i - 1) * L + n * W);
            V above = load<V>(cell);
            above = above < most[n] ? above : most[n];
            const V step = diagonal[n] + (own == letter[n] ? zero : other);
            const V stay = above + insertion, skip = left[n] + deletion;
            const V both = step < stay ? step : stay;
            const V value = skip < both ? skip : both;
            const auto lower = value < lowest[n];
            if constexpr (whole) lowest[n] = lower ? Kind::whole(value) : lowest[n];
            else lowest[n] = lower ? value : lowest[n];
            where[n] = lower ? place : where[n];
            diagonal[n] = above;
            left[n] = value;
            std::memcpy(cell, &value, sizeof value);
        }
    }
    std::memcpy(at, where, sizeof where);
}

// As many pairs at once as there are lanes. Cells beyond the end of a shorter hypothesis are never lower than the one
// at its end, because nothing matches there and nothing is substituted; rows beyond the end of a shorter reference are
// not looked at.
template <class T, bool wide>
[[gnu::always_inline]] inline void sweep(const Chars& characters, const Pair* pairs, int n, EedVersion version,
                                         const Costs<T>& costs, Group<T>& g, double* out) {
    constexpr int L = Vectors<T, wide>::kCount * Vectors<T, wide>::kWidth;
    size_t width = 0, height = 0;
    for (int l = 0; l < n; ++l) width = std::max(width, pairs[l].hyp.size), height = std::max(height, pairs[l].ref.size);
    g.hyp.assign(width * L, T{-1});
    g.miss.assign(width * L, kFar<T>);
    g.row.assign((width + 1) * L, T{1});
    g.visits.assign((width + 1) * L, version == EedVersion::wmt19 ? 0 : -1);
    std::fill_n(g.row.begin(), L, T{0});
    for (int l = 0; l < n; ++l) {
        for (size_t i = 0; i < pairs[l].hyp.size; ++i) {
            g.hyp[i * L + l] = static_cast<T>(characters[pairs[l].hyp.begin + i]);
            g.miss[i * L + l] = costs.substitution;
        }
    }
    T ref[L], cap[L];
    typename Vectors<T, wide>::Index at[L];
    std::fill_n(cap, L, kFar<T>);
    std::fill_n(ref, L, T{-2});
    Pace pace;
    for (size_t w = 0; w < height; ++w) {
        pace.steps(static_cast<int64_t>(4 * width));
        for (int l = 0; l < n; ++l)
            if (w < pairs[l].ref.size) ref[l] = static_cast<T>(characters[pairs[l].ref.begin + w]);
        advance<T, wide>(width, g.hyp.data(), g.miss.data(), g.row.data(), ref, cap, costs, at);
        for (int l = 0; l < n; ++l) {
            const Pair& pair = pairs[l];
            if (w >= pair.ref.size) continue;
            int32_t* visits = g.visits.data() + l * (width + 1);
            ++visits[at[l]];
            cap[l] = ref[l] == T{' '} ? costs.alpha + g.row[at[l] * L + l] : kFar<T>;
            if (w + 1 < pair.ref.size) continue;
            const T last = g.row[pair.hyp.size * L + l];
            finish(pair, std::min(last, cap[l]), visits, version, costs, out + kEedColumns * l);
        }
    }
}

// Not templates, which have no clones.
TERCET_CLONES std::exception_ptr sweep_lanes(const Chars& c, const Pair* pairs, int n, EedVersion version,
                                             const Costs<double>& costs, Group<double>& g, double* out) noexcept try {
    sweep<double, true>(c, pairs, n, version, costs, g, out);
    return nullptr;
} catch (...) {
    return std::current_exception();
}
TERCET_CLONES std::exception_ptr sweep_lanes(const Chars& c, const Pair* pairs, int n, EedVersion version,
                                             const Costs<float>& costs, Group<float>& g, double* out) noexcept try {
    sweep<float, true>(c, pairs, n, version, costs, g, out);
    return nullptr;
} catch (...) {
    return std::current_exception();
}

template <class T>
void score_pairs(Scratch& s, EedVersion version, const Costs<T>& costs, Group<T>& group) {
    constexpr size_t lanes = Vectors<T, true>::kCount * Vectors<T, true>::kWidth;
    s.results.resize(s.pairs.size() * kEedColumns);
    for (size_t first = 0, n; first < s.pairs.size(); first += n) {
        const Pair* pairs = s.pairs.data() + first;
        double* out = s.results.data() + first * kEedColumns;
        n = 1;
        if (pairs->hyp.size > kLong) {
            sweep<T, false>(s.characters, pairs, 1, version, costs, group, out);
            continue;
        }
        while (n < lanes && first + n < s.pairs.size() && pairs[n].hyp.size <= kLong) ++n;
        rethrow(sweep_lanes(s.characters, pairs, static_cast<int>(n), version, costs, group, out));
    }
}

Text read(std::string_view line, Chars& out) {
    const size_t begin = out.size();
    out.push_back(' ');
    for (size_t i = 0; i < line.size();) out.push_back(next_char(line, i));
    out.push_back(' ');
    return {begin, out.size() - begin};
}

}  // namespace

void eed_scores(const Lines& hyps, const Lines& refs, Groups groups, EedVersion version, const EedCosts& costs,
                int threads, double* out) {
    parallel_blocks(hyps.size, threads, kBlock, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& s = *lease;
        s.characters.clear();
        s.pairs.clear();
        for (int64_t i = begin; i < end; ++i) {
            const Text hyp = read(hyps[i], s.characters);
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) s.pairs.push_back({r, hyp, read(refs[r], s.characters)});
        }
        std::stable_sort(s.pairs.begin(), s.pairs.end(), [](const Pair& a, const Pair& b) {
            return a.hyp.size + a.ref.size < b.hyp.size + b.ref.size;
        });
        if (version == EedVersion::python) score_pairs(s, version, Costs<double>(costs), s.twice);
        else score_pairs(s, version, Costs<float>(costs), s.single);
        std::vector<const double*> found(static_cast<size_t>(groups[end] - groups[begin]));
        for (size_t p = 0; p < s.pairs.size(); ++p)
            found[static_cast<size_t>(s.pairs[p].reference - groups[begin])] = s.results.data() + p * kEedColumns;
        for (int64_t i = begin; i < end; ++i) {
            const double* best = nullptr;
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                const double* row = found[static_cast<size_t>(r - groups[begin])];
                if (best == nullptr || row[0] < best[0]) best = row;
            }
            if (best != nullptr) std::copy_n(best, kEedColumns, out + i * kEedColumns);
        }
    });
}

}  // namespace tercet
