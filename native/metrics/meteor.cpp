#include "metrics/meteor.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "common/ngrams.hpp"
#include "common/parallel.hpp"
#include "text/unicode.hpp"

// METEOR looks at the reference's words from left to right and keeps the 40 best partial alignments. Two things make
// this cheap here without changing what it finds. A match that shares no word with another is taken by every path, so
// words of such matches are no part of a path. And where no path has a choice, all of them change alike, except for
// the chunk that was open before: only their order after the first such step has to be found anew.

namespace tercet {

JavaString java_string(std::string_view text) {
    uint32_t hash = 0;
    int32_t length = 0;
    const auto unit = [&](uint32_t value) {
        hash = 31 * hash + value;
        ++length;
    };
    for (size_t i = 0; i < text.size();) {
        const char32_t c = next_char(text, i);
        if (c < 0x10000) {
            unit(c);
        } else {
            unit(0xD7C0 + (c >> 10));
            unit(0xDC00 + (c & 0x3FF));
        }
    }
    return {static_cast<int32_t>(hash), length};
}

namespace {

constexpr int kBeam = 40;
constexpr size_t kMostCandidates = size_t{1} << 24;  // of one pair: four thousand times the same word on either side
constexpr size_t kMostSynsets = size_t{1} << 18;     // different ones: WordNet has half of that
constexpr int32_t kClosed = -1;  // no chunk is open
constexpr int32_t kNone = -1;

// A partial alignment. Less is better in `rank`, which holds matched words, negated, above the chunks.
struct Path {
    int64_t rank = 0, distance = 0;
    int32_t last = kClosed;  // where in the hypothesis the open chunk ends
    int32_t end = 0;         // where in the reference the last match ends
    int32_t node = kNone;    // the last match that was chosen, and through it all others
    int32_t slot = 0;        // where the beam keeps which words are used

    bool better_than(const Path& other) const {
        return rank != other.rank ? rank < other.rank : distance < other.distance;
    }
};
constexpr int64_t kMatched = int64_t{1} << 32;  // of rank: one matched word

// The best paths in order; among equals, first come, first kept.
class Beam {
  public:
    void clear(size_t bits) {
        stride_ = (bits + 63) / 64;
        used_.resize(kBeam * stride_);
        size_ = 0;
    }

    bool wants(const Path& path) const { return size_ < kBeam || path.better_than(paths_[kBeam - 1]); }

    // A path that is wanted, with the words that it has used, which may be changed then.
    uint64_t* insert(Path path, const uint64_t* used) {
        path.slot = size_ < kBeam ? size_++ : paths_[kBeam - 1].slot;
        place(path, size_ - 1);
        return std::copy_n(used, stride_, this->used(path)) - stride_;
    }

    void sort() {
        for (int i = 1; i < size_; ++i) place(Path(paths_[i]), i);
    }

    int size() const { return size_; }
    Path& operator[](int rank) { return paths_[rank]; }
    uint64_t* used(const Path& path) { return used_.data() + path.slot * stride_; }

  private:
    // Into the first `last` paths, which are in order; the next one is overwritten.
    void place(const Path& path, int last) {
        for (; last > 0 && path.better_than(paths_[last - 1]); --last) paths_[last] = paths_[last - 1];
        paths_[last] = path;
    }

    std::array<Path, kBeam> paths_;
    std::vector<uint64_t> used_;  // which contested words of the hypothesis each path has used
    size_t stride_ = 0;
    int size_ = 0;
};

class Aligner {
  public:
    // The alignment of a hypothesis with reference r, in the order of the reference's words.
    const std::vector<MeteorMatch>& align(const MeteorTask& task, int64_t h, int64_t r) {
        hyp_ = task.hyps[h];
        ref_ = task.refs[r];
        words_ = &task.words;
        collect(task, h, r);
        fix();
        search(task);
        return matches_;
    }

  private:
    struct Node {
        int32_t before, candidate;
    };
    // What a match adds to the rank: half of its words where METEOR halves, each side cut to whole ones.
    struct Credit {
        int halved;
        int64_t of(const PhraseMatch& match) const {
            return kMatched * ((match.hyp_length >> halved) + (match.ref_length >> halved));
        }
    };

    int32_t hyp_size() const { return static_cast<int32_t>(hyp_.size()); }
    int32_t ref_size() const { return static_cast<int32_t>(ref_.size()); }

    // ---- what may be matched ----

    void collect(const MeteorTask& task, int64_t h, int64_t r) {
        look_up(words_->hashes, hyp_, hashes_);
        const bool same = std::equal(hashes_.begin(), hashes_.end(), ref_.begin(), ref_.end(),
                                     [&](int32_t hash, int32_t word) { return hash == words_->hashes[word]; });
        // of a text like its reference only the first stage is asked
        const size_t stages = same ? std::min<size_t>(1, task.stages.size()) : task.stages.size();
        phrases_.resize(task.stages.size());
        for (size_t s = 0; s < stages; ++s) {
            const MeteorStage& stage = task.stages[s];
            if (stage.module == MeteorModule::stem) look_up(words_->stems, hyp_, stems_);
            if (stage.module == MeteorModule::synonym) index_synsets();
            if (stage.module == MeteorModule::paraphrase) sort_phrases(paraphrases(*stage.table, h), phrases_[s]);
            if (stage.module == MeteorModule::given)
                sort_phrases({stage.matches + stage.starts[r], stage.matches + stage.starts[r + 1]}, phrases_[s]);
        }
        candidates_.clear();
        starts_.clear();
        for (int32_t j = 0; j < ref_size(); ++j) {
            starts_.push_back(static_cast<int32_t>(candidates_.size()));
            for (size_t s = 0; s < stages; ++s) candidates_of(task.stages[s].module, static_cast<int32_t>(s), j);
            pace_.steps(static_cast<int64_t>(stages) * hyp_size());
            if (candidates_.size() > kMostCandidates) throw std::overflow_error(std::to_string(h));
        }
        starts_.push_back(static_cast<int32_t>(candidates_.size()));
    }

    static void look_up(const int32_t* of_word, std::span<const int32_t> words, std::vector<int32_t>& out) {
        out.resize(words.size());
        std::transform(words.begin(), words.end(), out.begin(), [&](int32_t word) { return of_word[word]; });
    }

    void candidates_of(MeteorModule module, int32_t stage, int32_t j) {
        const int32_t hash = words_->hashes[ref_[j]];
        const auto where = [&](const auto& matched) {
            bool any = false;  // asked first, of several words at once
            for (int32_t i = 0; i < hyp_size(); ++i) any |= matched(i);
            if (!any) return;
            for (int32_t i = 0; i < hyp_size(); ++i)
                if (matched(i)) candidates_.push_back({{j, 1, i, 1}, stage});
        };
        if (module == MeteorModule::exact) {
            where([&](int32_t i) { return hashes_[i] == hash; });
        } else if (module == MeteorModule::stem) {
            const int32_t stem = words_->stems[ref_[j]];
            where([&](int32_t i) { return (stems_[i] == stem) & (hashes_[i] != hash); });
        } else if (module == MeteorModule::synonym) {
            if (mark_synonyms(j)) where([&](int32_t i) { return (marked_[i] == j) & (hashes_[i] != hash); });
        } else {
            const Phrases& found = phrases_[stage];
            for (int32_t p = found.starts[j]; p < found.starts[j + 1]; ++p)
                candidates_.push_back({found.sorted[p], stage});
        }
    }

    void index_synsets() {
        size_t entries = 0;
        for (const int32_t word : hyp_) entries += words_->synset_starts[word + 1] - words_->synset_starts[word];
        synsets_.reset(std::min(entries, kMostSynsets));  // grows, if they are ever more
        heads_.assign(1, kNone);
        positions_.clear();
        for (int32_t i = 0; i < hyp_size(); ++i) {
            pace_.steps(8 * (words_->synset_starts[hyp_[i] + 1] - words_->synset_starts[hyp_[i]] + 1));
            for (int64_t s = words_->synset_starts[hyp_[i]]; s < words_->synset_starts[hyp_[i] + 1]; ++s) {
                const uint32_t number = synsets_.add(0, static_cast<uint32_t>(words_->synsets[s]));
                if (number == heads_.size()) heads_.push_back(kNone);
                positions_.push_back({i, heads_[number]});
                heads_[number] = static_cast<int32_t>(positions_.size()) - 1;
            }
        }
        marked_.assign(hyp_.size(), kNone);
    }

    // Marks the words of the hypothesis that share a synset with word j of the reference; whether there are any.
    bool mark_synonyms(int32_t j) {
        bool any = false;
        for (int64_t s = words_->synset_starts[ref_[j]]; s < words_->synset_starts[ref_[j] + 1]; ++s) {
            const uint32_t number = synsets_.find(0, static_cast<uint32_t>(words_->synsets[s]));
            for (int32_t p = number == 0 ? kNone : heads_[number]; p != kNone; p = positions_[p].next) {
                pace_.steps(2);
                marked_[positions_[p].at] = j;
                any = true;
            }
        }
        return any;
    }

    std::span<const PhraseMatch> paraphrases(const ParaphraseTable& table, int64_t h) {
        look_up(words_->in_table, hyp_, hyp_in_table_);
        look_up(words_->in_table, ref_, ref_in_table_);
        found_.clear();
        try {
            table.matches(hyp_in_table_.data(), hyp_size(), ref_in_table_.data(), ref_size(), scratch_, found_);
        } catch (const std::overflow_error&) {
            throw std::overflow_error(std::to_string(h));
        }
        return found_;
    }

    struct Phrases {
        std::vector<int32_t> starts;
        std::vector<PhraseMatch> sorted;  // by where they start in the reference, otherwise as they came
    };

    void sort_phrases(std::span<const PhraseMatch> given, Phrases& out) const {
        out.starts.assign(ref_.size() + 2, 0);
        out.sorted.resize(given.size());
        for (const PhraseMatch& match : given) ++out.starts[match.ref + 2];
        for (size_t j = 2; j < out.starts.size(); ++j) out.starts[j] += out.starts[j - 1];
        for (const PhraseMatch& match : given) out.sorted[out.starts[match.ref + 1]++] = match;
    }

    // ---- matches without a rival, and words that several claim ----

    void fix() {
        hyp_cover_.assign(hyp_.size(), 0);
        ref_cover_.assign(ref_.size(), 0);
        for (const MeteorMatch& match : candidates_) {
            for (int32_t i = 0; i < match.hyp_length; ++i) ++hyp_cover_[match.hyp + i];
            for (int32_t j = 0; j < match.ref_length; ++j) ++ref_cover_[match.ref + j];
        }
        fixed_.assign(ref_.size(), 0);
        for (int32_t j = 0; j < ref_size(); ++j) {
            if (starts_[j + 1] - starts_[j] != 1 || !alone(candidates_[starts_[j]])) continue;
            const MeteorMatch& match = candidates_[starts_[j]];
            fixed_[j] = 1;
            std::fill_n(hyp_cover_.begin() + match.hyp, match.hyp_length, 0);
        }
        contested_ = 0;
        bits_.clear();
        for (const int32_t cover : hyp_cover_) bits_.push_back(cover > 0 ? contested_++ : kNone);
    }

    bool alone(const MeteorMatch& match) const {
        const auto once = [](int32_t cover) { return cover == 1; };
        return std::all_of(hyp_cover_.begin() + match.hyp,
                           hyp_cover_.begin() + match.hyp + match.hyp_length, once) &&
               std::all_of(ref_cover_.begin() + match.ref,
                           ref_cover_.begin() + match.ref + match.ref_length, once);
    }

    // ---- the search ----

    void search(const MeteorTask& task) {
        matches_.clear();
        nodes_.clear();
        credits_.clear();
        for (const MeteorStage& stage : task.stages)
            credits_.push_back({task.equal_credit || stage.module == MeteorModule::exact ? 0 : 1});
        now_->clear(contested_);
        nothing_.assign(contested_ / 64 + 1, 0);
        now_->insert({}, nothing_.data());
        alike_ = true;
        last_ = kClosed;
        for (int32_t j = 0; j < ref_size();) {
            if (fixed_[j]) {
                const MeteorMatch& match = candidates_[starts_[j]];
                matches_.push_back(match);
                step_together(match.hyp, match.hyp + match.hyp_length);
                j += match.ref_length;
            } else if (ref_cover_[j] == 0) {
                step_together(kClosed, kClosed);
                ++j;
            } else {
                branch(j++);
            }
        }
        step_together(kClosed, kClosed);
        for (int32_t n = (*now_)[0].node; n != kNone; n = nodes_[n].before)
            matches_.push_back(candidates_[nodes_[n].candidate]);
        std::sort(matches_.begin(), matches_.end(),
                  [](const MeteorMatch& a, const MeteorMatch& b) { return a.ref < b.ref; });
    }

    // Every path takes the same match, which starts at `start` of the hypothesis, or none.
    void step_together(int32_t start, int32_t last) {
        if (!alike_) {
            for (int rank = 0; rank < now_->size(); ++rank) {
                Path& path = (*now_)[rank];
                path.rank += path.last != kClosed && path.last != start;
            }
            now_->sort();
        }
        alike_ = true;
        last_ = last;
    }

    // Every path takes each match that starts at word j of the reference and is still free, or none of them.
    void branch(int32_t j) {
        next_->clear(contested_);
        pace_.steps(int64_t{now_->size()} * (starts_[j + 1] - starts_[j] + contested_ / 64));
        int64_t most = 0;
        for (int32_t c = starts_[j]; c < starts_[j + 1]; ++c)
            most = std::max(most, credits_[candidates_[c].stage].of(candidates_[c]));
        for (int rank = 0; rank < now_->size(); ++rank) {
            Path path = (*now_)[rank];
            Path ideal = path;
            ideal.rank -= most;
            if (!next_->wants(ideal)) break;  // nothing that this path, or a worse one, leads to is among the best
            const uint64_t* used = now_->used(path);
            if (alike_) path.last = last_;
            if (j >= path.end) {
                for (int32_t c = starts_[j]; c < starts_[j + 1]; ++c) {
                    if (is_used(used, candidates_[c])) continue;
                    take(path, used, c);
                    // METEOR adds the way to the path that it has just copied: to those that come later
                    path.distance += std::abs(candidates_[c].ref - candidates_[c].hyp);
                }
                path.rank += path.last != kClosed;
                path.last = kClosed;
                path.end = j + 1;
            }
            if (next_->wants(path)) next_->insert(path, used);
        }
        std::swap(now_, next_);
        alike_ = false;
    }

    void take(const Path& path, const uint64_t* used, int32_t c) {
        const MeteorMatch& match = candidates_[c];
        Path child = path;
        child.rank += (path.last != kClosed && path.last != match.hyp) - credits_[match.stage].of(match);
        if (!next_->wants(child)) return;
        child.last = match.hyp + match.hyp_length;
        child.end = match.ref + match.ref_length;
        child.node = static_cast<int32_t>(nodes_.size());
        nodes_.push_back({path.node, c});
        uint64_t* mine = next_->insert(child, used);
        for (int32_t i = 0; i < match.hyp_length; ++i) {
            const int32_t bit = bits_[match.hyp + i];
            mine[bit >> 6] |= uint64_t{1} << (bit & 63);
        }
    }

    bool is_used(const uint64_t* used, const MeteorMatch& match) const {
        for (int32_t i = 0; i < match.hyp_length; ++i) {
            const int32_t bit = bits_[match.hyp + i];
            if (used[bit >> 6] >> (bit & 63) & 1) return true;
        }
        return false;
    }

    std::span<const int32_t> hyp_, ref_;
    const MeteorWords* words_ = nullptr;
    std::vector<int32_t> hashes_, stems_;  // of the hypothesis
    std::vector<Phrases> phrases_;         // one a stage
    std::vector<int32_t> hyp_in_table_, ref_in_table_;
    ParaphraseTable::Scratch scratch_;
    std::vector<PhraseMatch> found_;
    std::vector<MeteorMatch> candidates_;  // in METEOR's order: word of the reference, stage, word of the hypothesis
    std::vector<int32_t> starts_;          // where those of each word of the reference start

    struct Position {
        int32_t at, next;
    };
    NgramIndex synsets_;
    std::vector<int32_t> heads_, marked_;
    std::vector<Position> positions_;

    std::vector<int32_t> hyp_cover_, ref_cover_, bits_;
    std::vector<uint8_t> fixed_;
    int32_t contested_ = 0;

    std::array<Beam, 2> beams_;
    Beam *now_ = &beams_[0], *next_ = &beams_[1];
    std::vector<uint64_t> nothing_;
    std::vector<Credit> credits_;  // one a stage
    std::vector<Node> nodes_;
    bool alike_ = true;        // whether all paths have the same open chunk, which ends at last_
    int32_t last_ = kClosed;
    std::vector<MeteorMatch> matches_;
    Pace pace_;
};

int count_chunks(const std::vector<MeteorMatch>& matches) {
    int chunks = 0;
    int32_t ref_end = -1, hyp_end = -1;
    for (const MeteorMatch& match : matches) {
        chunks += match.ref != ref_end || match.hyp != hyp_end;
        ref_end = match.ref + match.ref_length;
        hyp_end = match.hyp + match.hyp_length;
    }
    return chunks;
}

void count(const MeteorTask& task, int64_t h, int64_t r, const std::vector<MeteorMatch>& matches, int slots,
           double* out) {
    const MeteorWords& words = task.words;
    const std::span<const int32_t> sides[2] = {task.hyps[h], task.refs[r]};
    for (int side = 0; side < 2; ++side) {
        for (const int32_t word : sides[side]) {
            out[side] += words.lengths[word];
            if (words.function[word]) out[2 + side] += words.lengths[word];
        }
    }
    double* total = out + 4 + 4 * slots;
    for (const MeteorMatch& match : matches) {
        double* stage = out + 4 + 4 * match.stage;
        const auto add = [&](int side, int32_t start, int32_t length) {
            for (const int32_t word : sides[side].subspan(start, length))
                stage[(words.function[word] ? 2 : 0) + side] += words.lengths[word];
            total[1 + side] += length;
        };
        add(0, match.hyp, match.hyp_length);
        add(1, match.ref, match.ref_length);
    }
    total[0] = count_chunks(matches);
}

}  // namespace

void meteor_statistics(const MeteorTask& task, int slots, int threads, double* out) {
    const int64_t k = meteor_columns(slots);
    parallel_blocks(task.hyps.size, threads, kSegmentBlock, [&](int64_t begin, int64_t end) {
        const Lease<Aligner> aligner;
        for (int64_t h = begin; h < end; ++h)
            for (int64_t r = task.groups[h]; r < task.groups[h + 1]; ++r)
                count(task, h, r, (*aligner).align(task, h, r), slots, out + r * k);
    });
}

MeteorAlignments meteor_alignments(const MeteorTask& task) {
    MeteorAlignments out;
    const Lease<Aligner> aligner;
    for (int64_t h = 0; h < task.hyps.size; ++h) {
        for (int64_t r = task.groups[h]; r < task.groups[h + 1]; ++r) {
            const std::vector<MeteorMatch>& found = (*aligner).align(task, h, r);
            out.matches.insert(out.matches.end(), found.begin(), found.end());
            out.starts.push_back(static_cast<int64_t>(out.matches.size()));
        }
    }
    return out;
}

}  // namespace tercet
