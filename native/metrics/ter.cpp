// sacreBLEU 2.6's TER. The reference program fills one beamed edit distance matrix per shift candidate; here only the
// rows that a shift changes are computed again, 64 cells at a time (ter_matrices.hpp).
#include "metrics/ter.hpp"

#include <algorithm>

#include "common/stop.hpp"
#include "metrics/ter_matrices.hpp"
#include "metrics/ter_search.hpp"

namespace tercet {
namespace {

using namespace ter_search;

// Collects the shifts to try in this round, in the reference program's order, and adds their number to
// `checked`. False once the limit is reached: the reference program then throws the round's shift away, so
// none of the candidates needs to be evaluated.
template <class Matrix>
bool collect_candidates(const Matrix& matrix, Words ref, TerWorkspace& ws, int32_t& checked) {
    const auto hyp_size = static_cast<int32_t>(ws.hyp.size());
    const auto ref_size = static_cast<int32_t>(ref.size());
    const int32_t* hyp = ws.hyp.data();
    const int32_t* align = ws.align.data();
    for (auto& list : ws.candidates) list.clear();

    for (int32_t start = 0; start < hyp_size; ++start) {
        // The block needs an error on either side, and shorter blocks that lack one are not counted.
        const int32_t hyp_shortest = ws.next_hyp_error[start] - start + 1;
        if (hyp_shortest > kMostShiftWords) continue;
        const bool go_on = matrix.visit_matches(start, [&](int32_t ref_start) {
            const int32_t shortest = std::max(hyp_shortest, ws.next_ref_error[ref_start] - ref_start + 1);
            int32_t longest = std::min({kMostShiftWords, hyp_size - start, ref_size - ref_start});
            // A block that its own target lies in is not moved.
            if (align[ref_start] >= start) longest = std::min(longest, align[ref_start] - start);
            if (shortest > longest) return true;
            int32_t length = 1;
            while (length < longest && hyp[start + length] == ref[ref_start + length]) ++length;
            longest = length;
            for (length = shortest; length <= longest; ++length) {
                int32_t previous = -1;
                for (int32_t j = ref_start - 1; j < ref_start + length; ++j) {
                    const int32_t target = j < 0 ? 0 : align[j] + 1;
                    if (target == previous) continue;
                    previous = target;
                    ++checked;
                    ws.candidates[length - 1].push_back({start, target});
                }
                if (checked >= kMostCandidates) return false;
            }
            return true;
        });
        if (!go_on) return false;
    }
    return true;
}

struct Shift {
    int32_t gain = 0, length = 0, start = 0, target = 0;
};

// The shift with the largest gain; ties go to the longer block, the earlier block, the earlier target. (The
// reference program compares the shifted words last, but these are the same when all else is.)
// `gain_limit` bounds any gain, `gain_per_word` the gain by block length.
template <class Matrix>
Shift best_shift(const Matrix& matrix, const TerWorkspace& ws, int32_t distance, int32_t gain_limit,
                 int32_t gain_per_word) {
    const auto hyp_size = static_cast<int32_t>(ws.hyp.size());
    Shift best;
    Pace pace;
    for (int32_t length = kMostShiftWords; length > 0; --length) {
        const int32_t limit = std::min(gain_limit, gain_per_word * length);
        if (limit <= best.gain) break;
        for (const auto [start, target] : ws.candidates[length - 1]) {
            if (best.gain == limit && (start > best.start || target >= best.target)) continue;
            const Exchange exchange = shift_as_exchange(start, length, target, hyp_size);
            if (exchange.changes_nothing()) continue;
            pace.steps(matrix.work());
            const int32_t gain = distance - matrix.distance_after(exchange);
            if (gain < best.gain || gain <= 0) continue;
            if (gain == best.gain && (length < best.length || start > best.start
                                      || (start == best.start && target >= best.target))) {
                continue;
            }
            best = {gain, length, start, target};
        }
    }
    return best;
}

// `bag_distance`: no order of the hypothesis words has a smaller distance. `harmless`: see Beam. What is done goes
// into the script, if there is one.
template <class Matrix>
int64_t greedy_edits(Matrix& matrix, Words ref, TerWorkspace& ws, int32_t distance, int32_t bag_distance,
                     int64_t harmless, EditScript* script) {
    const auto hyp_size = static_cast<int32_t>(ws.hyp.size());
    const auto ref_size = static_cast<int32_t>(ref.size());
    int64_t shifts = 0;
    int32_t checked = 0;
    while (distance > bag_distance) {
        matrix.trace(AlignmentWriter(ws, hyp_size, ref_size));
        if (!collect_candidates(matrix, ref, ws, checked)) break;
        // Taking a block out and putting it back are two edits a word, unless the beam inflates the distance.
        const int32_t gain_per_word = distance <= harmless ? 2 : distance;
        const Shift best = best_shift(matrix, ws, distance, distance - bag_distance, gain_per_word);
        if (best.gain <= 0) break;
        const Exchange exchange = shift_as_exchange(best.start, best.length, best.target, hyp_size);
        const auto hyp = ws.hyp.begin();
        std::rotate(hyp + exchange.first, hyp + exchange.mid, hyp + exchange.last);
        distance = matrix.refill(exchange.first);
        ++shifts;
        if (script != nullptr) {
            const bool left = exchange.mid == best.start;
            const int32_t place = left ? exchange.first : exchange.first + exchange.last - exchange.mid;
            script->shifts.push_back({best.start, best.length, place});
        }
    }
    if (script != nullptr) matrix.trace(StepWriter(*script));
    return shifts + distance;
}

int32_t count_common_words(Words hyp, Words ref, std::vector<int32_t>& counts) {
    int32_t common = 0;
    for (const int32_t word : ref) ++counts[word];
    for (const int32_t word : hyp) common += counts[word]-- > 0;
    return common;
}

int64_t search(Words hyp, Words ref, TerWorkspace& ws, EditScript* script) {
    if (hyp.empty() || ref.empty()) {
        if (script != nullptr) {
            StepWriter(*script).finish(static_cast<int32_t>(hyp.size()), static_cast<int32_t>(ref.size()));
        }
        return static_cast<int64_t>(hyp.size() + ref.size());
    }
    const auto hyp_size = static_cast<int32_t>(hyp.size());
    const auto ref_size = static_cast<int32_t>(ref.size());
    const int32_t last_word = std::max(*std::max_element(hyp.begin(), hyp.end()),
                                       *std::max_element(ref.begin(), ref.end()));
    ws.hyp.assign(hyp.begin(), hyp.end());
    ws.counts.assign(static_cast<size_t>(last_word) + 1, 0);
    at_least(ws.word_masks, ws.counts.size());
    at_least(ws.align, ref.size());
    at_least(ws.next_hyp_error, hyp.size() + 1);
    at_least(ws.next_ref_error, ref.size() + 1);
    const int32_t bag_distance = std::max(hyp_size, ref_size) - count_common_words(hyp, ref, ws.counts);
    const Beam beam(hyp_size, ref_size);
    const int64_t harmless = beam.harmless_omissions();

    if (ref_size <= ShortMatrix::max_ref_size) {
        ShortMatrix matrix(ws, ref);
        const int32_t distance = matrix.refill(0);
        if (distance <= harmless) return greedy_edits(matrix, ref, ws, distance, bag_distance, harmless, script);
    }
    if (beam.is_wide()) {
        WideMatrix matrix(ws, ref, beam);
        return greedy_edits(matrix, ref, ws, matrix.refill(0), bag_distance, harmless, script);
    }
    BandMatrix matrix(ws, ref, beam);
    return greedy_edits(matrix, ref, ws, matrix.refill(0), bag_distance, harmless, script);
}

}  // namespace

int64_t ter_edits(std::span<const int32_t> hyp, std::span<const int32_t> ref, TerWorkspace& ws) {
    return search(hyp, ref, ws, nullptr);
}

EditScript ter_script(std::span<const int32_t> hyp, std::span<const int32_t> ref) {
    TerWorkspace ws;
    EditScript script;
    search(hyp, ref, ws, &script);
    return script;
}

}  // namespace tercet
