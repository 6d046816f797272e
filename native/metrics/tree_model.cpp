// Word pairs as Jiang and Liu (2010) classify them, a model for each reference; the likeliest tree by Eisner (1996).
#include "metrics/tree_model.hpp"

#include <array>
#include <limits>
#include <span>

#include "common/flat_map.hpp"
#include "common/parallel.hpp"

namespace tercet {

namespace {

// Numbers of words and of tags: what the reference does not have, what stands at its ends, and then its own.
enum : uint64_t { kUnknown, kRoot, kBegin, kEnd, kFirst };
static_assert(kFirst + kTreeWords <= 1 << 10);

// A text behind its root, as the model of one reference numbers it.
struct Sentence {
    std::vector<uint64_t> words, tags;

    size_t size() const { return words.size(); }
    uint64_t tag(size_t place, int step) const {
        if (step < 0 && place == 0) return kBegin;
        return step > 0 && place + 1 == tags.size() ? kEnd : tags[place + step];
    }
};

// The numbers that a reference gives to its own words or tags.
class Numbers {
  public:
    uint64_t add(int32_t word) {
        numbers_.insert(key(word), static_cast<int32_t>(kFirst + numbers_.size()));
        return of(word);
    }
    uint64_t of(int32_t word) const {
        const int32_t* number = numbers_.find(key(word));
        return number ? static_cast<uint64_t>(*number) : uint64_t{kUnknown};
    }

  private:
    static uint64_t key(int32_t word) { return static_cast<uint64_t>(word) + 1; }
    FlatMap<int32_t> numbers_;
};

template <class Number>
Sentence numbered(const TaggedRows& texts, int64_t row, const Number& number) {
    Sentence out{{kRoot}, {kRoot}};
    for (int64_t at = texts.words.rows[row]; at < texts.words.rows[row + 1]; ++at)
        number(texts.words.words[at], texts.tags[at], out);
    return out;
}

// One to four words apart, five to ten, more; to the right or to the left.
uint64_t distance_of(size_t head, size_t word) {
    const size_t apart = head < word ? word - head : head - word;
    const uint64_t group = apart < 5 ? apart : apart <= 10 ? 5 : 6;
    return head < word ? group : group + 6;
}

// Calls visit(key) for everything that is said of a pair: both words and tags alone and together, and the tags beside
// them, each also with the distance; and each tag that stands between the two.
template <class Visit>
void visit_features(const Sentence& text, size_t head, size_t word, std::span<const uint64_t> between,
                    const Visit& visit) {
    const uint64_t wh = text.words[head], wm = text.words[word], th = text.tags[head], tm = text.tags[word];
    const uint64_t before_h = text.tag(head, -1), after_h = text.tag(head, 1);
    const uint64_t before_m = text.tag(word, -1), after_m = text.tag(word, 1);
    const uint64_t distance = distance_of(head, word);
    const auto key = [](uint64_t kind, uint64_t far, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
        return (((((kind << 4 | far) << 10 | a) << 10 | b) << 10 | c) << 10) | d;
    };
    const std::array<std::array<uint64_t, 4>, 15> said{{{wh, 0, 0, 0},
                                                        {th, 0, 0, 0},
                                                        {wm, 0, 0, 0},
                                                        {tm, 0, 0, 0},
                                                        {wh, wm, 0, 0},
                                                        {wh, tm, 0, 0},
                                                        {th, wm, 0, 0},
                                                        {th, tm, 0, 0},
                                                        {wh, th, tm, 0},
                                                        {th, wm, tm, 0},
                                                        {wh, wm, th, tm},
                                                        {th, after_h, before_m, tm},
                                                        {before_h, th, before_m, tm},
                                                        {th, after_h, tm, after_m},
                                                        {before_h, th, tm, after_m}}};
    for (size_t kind = 0; kind < said.size(); ++kind)
        for (const uint64_t far : {uint64_t{0}, distance})
            visit(key(kind + 1, far, said[kind][0], said[kind][1], said[kind][2], said[kind][3]));
    for (const uint64_t tag : between) visit(key(said.size() + 1, 0, th, tag, tm, 0));
}

// Calls visit(head, word, tags between them) for every pair of a text; the root is nobody's dependent.
template <class Visit>
void visit_pairs(const Sentence& text, const Visit& visit) {
    std::vector<uint64_t> between;
    for (size_t low = 0; low < text.size(); ++low) {
        between.clear();
        for (size_t high = low + 1; high < text.size(); ++high) {
            visit(low, high, between);
            if (low > 0) visit(high, low, between);
            const uint64_t tag = text.tags[high];
            if (std::find(between.begin(), between.end(), tag) == between.end()) between.push_back(tag);
        }
    }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// log(1 + exp(z))
double softplus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }

// What is minimised: the loss of all pairs of the reference, and the penalty.
struct Problem {
    std::vector<int32_t> features;  // of all pairs, one after the other
    std::vector<size_t> ends{0};
    std::vector<char> depends;
    double penalty = 0;
    Pace pace;

    double value(const std::vector<double>& weights, std::vector<double>& slope) {
        double sum = penalty / 2 * dot(weights, weights);
        for (size_t i = 0; i < weights.size(); ++i) slope[i] = penalty * weights[i];
        for (size_t pair = 0; pair < depends.size(); ++pair) {
            const std::span<const int32_t> said(features.data() + ends[pair], ends[pair + 1] - ends[pair]);
            double z = 0;
            for (const int32_t f : said) z += weights[f];
            sum += softplus(depends[pair] ? -z : z);
            const double pull = 1 / (1 + std::exp(-z)) - depends[pair];
            for (const int32_t f : said) slope[f] += pull;
        }
        pace.steps(static_cast<int64_t>(2 * features.size()));
        return sum;
    }
};

// The least of a strictly convex function by L-BFGS with eight pairs of memory, until no slope is above 1e-8.
std::vector<double> minimised(Problem& problem, size_t n) {
    constexpr size_t kMemory = 8;
    std::vector<double> x(n), slope(n), next(n), next_slope(n), way(n), alphas;
    std::vector<std::pair<std::vector<double>, std::vector<double>>> steps;  // of x, and of its slope; the oldest first
    double value = problem.value(x, slope);
    for (int round = 0; round < 1000; ++round) {
        double steepest = 0;
        for (const double s : slope) steepest = std::max(steepest, std::abs(s));
        if (steepest <= 1e-8) break;
        for (size_t i = 0; i < n; ++i) way[i] = -slope[i];
        alphas.assign(steps.size(), 0);
        for (size_t k = steps.size(); k-- > 0;) {
            const auto& [s, y] = steps[k];
            alphas[k] = dot(s, way) / dot(s, y);
            for (size_t i = 0; i < n; ++i) way[i] -= alphas[k] * y[i];
        }
        const double scale =
            steps.empty() ? 1 / std::max(1.0, std::sqrt(dot(slope, slope)))
                          : dot(steps.back().first, steps.back().second) / dot(steps.back().second, steps.back().second);
        for (double& w : way) w *= scale;
        for (size_t k = 0; k < steps.size(); ++k) {
            const auto& [s, y] = steps[k];
            const double back = alphas[k] - dot(y, way) / dot(s, y);
            for (size_t i = 0; i < n; ++i) way[i] += back * s[i];
        }
        // A step that helps as much as a ten-thousandth of the slope promises, but for what rounding takes.
        const double promised = dot(way, slope), room = 1e-12 * std::abs(value);
        double length = 1, reached = 0;
        do {
            for (size_t i = 0; i < n; ++i) next[i] = x[i] + length * way[i];
            reached = problem.value(next, next_slope);
            if (reached <= value + 1e-4 * length * promised + room) break;
            length /= 2;
        } while (length > 1e-12);
        if (length <= 1e-12) break;
        for (size_t i = 0; i < n; ++i) way[i] = next_slope[i] - slope[i];
        for (size_t i = 0; i < n; ++i) x[i] = next[i] - x[i];  // the step, for a moment
        if (dot(x, way) > 0) {
            if (steps.size() == kMemory) steps.erase(steps.begin());
            steps.emplace_back(x, way);
        }
        x = next;
        slope = next_slope;
        value = reached;
    }
    return x;
}

// The model of one reference.
class TreeModel {
  public:
    TreeModel(const TaggedRows& refs, int64_t row, const int32_t* heads, double penalty) {
        own_ = numbered(refs, row, [&](int32_t word, int32_t tag, Sentence& out) {
            out.words.push_back(words_.add(word));
            out.tags.push_back(tags_.add(tag));
        });
        Problem problem;
        problem.penalty = penalty;
        const int32_t* head_of = heads + refs.words.rows[row];
        visit_pairs(own_, [&](size_t head, size_t word, std::span<const uint64_t> between) {
            visit_features(own_, head, word, between, [&](uint64_t key) {
                features_.insert(key, static_cast<int32_t>(features_.size()));
                problem.features.push_back(*features_.find(key));
            });
            problem.ends.push_back(problem.features.size());
            problem.depends.push_back(static_cast<size_t>(head_of[word - 1] + 1) == head);
            problem.pace.steps(64);
        });
        weights_ = minimised(problem, static_cast<size_t>(features_.size()));
    }

    double of_itself() const { return likeliest(own_); }

    double of(const TaggedRows& texts, int64_t row) const {
        return likeliest(numbered(texts, row, [&](int32_t word, int32_t tag, Sentence& out) {
            out.words.push_back(words_.of(word));
            out.tags.push_back(tags_.of(tag));
        }));
    }

  private:
    // The log-probability of a text's likeliest projective tree below the root: spans that are complete on one side.
    double likeliest(const Sentence& text) const {
        const size_t n = text.size();
        std::vector<double> arcs(n * n);  // from, to
        Pace pace;
        visit_pairs(text, [&](size_t head, size_t word, std::span<const uint64_t> between) {
            double z = 0;
            visit_features(text, head, word, between, [&](uint64_t key) {
                if (const int32_t* f = features_.find(key)) z += weights_[*f];
            });
            arcs[head * n + word] = -softplus(-z);
            pace.steps(64);
        });
        constexpr double kNever = -std::numeric_limits<double>::infinity();
        // with the head at the right or left end; whole, or still open at the other end
        std::vector<double> whole_left(n * n), whole_right(n * n), open_left(n * n), open_right(n * n);
        for (size_t apart = 1; apart < n; ++apart)
            for (size_t low = 0; low + apart < n; ++low) {
                const size_t high = low + apart, at = low * n + high;
                double both = kNever, left = kNever, right = kNever;
                for (size_t cut = low; cut < high; ++cut)
                    both = std::max(both, whole_right[low * n + cut] + whole_left[(cut + 1) * n + high]);
                open_right[at] = both + arcs[at];
                open_left[at] = low > 0 ? both + arcs[high * n + low] : kNever;
                for (size_t cut = low; cut < high; ++cut) {
                    left = std::max(left, whole_left[low * n + cut] + open_left[cut * n + high]);
                    right = std::max(right, open_right[low * n + cut + 1] + whole_right[(cut + 1) * n + high]);
                }
                whole_left[at] = left;
                whole_right[at] = right;
                pace.steps(static_cast<int64_t>(2 * apart));
            }
        return whole_right[n - 1];
    }

    Numbers words_, tags_;
    Sentence own_;
    FlatMap<int32_t> features_;
    std::vector<double> weights_;
};

}  // namespace

void tree_models(const TaggedRows& hyps, const TaggedRows& refs, const int32_t* heads, Groups groups, double penalty,
                 int threads, double* out) {
    parallel_blocks(hyps.words.size, threads, 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                const TreeModel model(refs, r, heads, penalty);
                out[2 * r] = model.of(hyps, i);
                out[2 * r + 1] = model.of_itself();
            }
    });
}

}  // namespace tercet
