#include "metrics/paraphrases.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "common/stop.hpp"
#include "metrics/paraphrase_block.hpp"

namespace tercet {

namespace {

using namespace paraphrase_block;

void require(bool fine, const char* what) {
    if (!fine) throw std::invalid_argument(what);
}

// A quick no for most phrases: 4096 bits, one of them set for each phrase of a sentence.
class Filter {
  public:
    void set(uint32_t node) { bits_[place(node) / 64] |= uint64_t{1} << place(node) % 64; }
    bool may_have(uint32_t node) const { return bits_[place(node) / 64] >> place(node) % 64 & 1; }

  private:
    static uint32_t place(uint32_t node) { return node * 0x9E3779B1u >> 20; }
    std::array<uint64_t, 64> bits_{};
};

// The first place from low to high whose value is not below the wanted one, searched from a guess in ever longer steps.
template <class Value>
uint32_t first_not_below(uint32_t low, uint32_t high, uint32_t guess, uint32_t wanted, const Value& value) {
    uint32_t step = 1;
    if (value(guess) < wanted) {
        low = guess + 1;
        while (high - low > step && value(low + step) < wanted) low += step + 1, step *= 2;
        high = high - low > step ? low + step : high;
    } else {
        high = guess;
        while (high - low > step && value(high - step) >= wanted) high -= step, step *= 2;
        low = high - low > step ? high - step + 1 : low;
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        value(middle) < wanted ? low = middle + 1 : high = middle;
    }
    return low;
}

}  // namespace

ParaphraseTable::ParaphraseTable(const uint8_t* data, size_t size, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)) {
    Header header;
    require(size >= sizeof header && reinterpret_cast<uintptr_t>(data) % 8 == 0, "the block has no header");
    std::memcpy(&header, data, sizeof header);
    require(std::memcmp(header.magic, kMagic, sizeof kMagic) == 0, "the block is no paraphrase table");
    require(header.order == kByteOrder, "the table was written with another byte order");
    require(header.version == kVersion, "the table is of another version");
    require(header.own_checksum == checksum(data, offsetof(Header, own_checksum)), "the table's header is damaged");
    const Layout layout(header);
    require(size == header.size && size == layout.size, "the table is cut short");
    require(header.words > 0 && header.nodes > 0, "the table is empty");
    require(header.body_checksum == checksum(data + sizeof header, size - sizeof header), "the table is damaged");
    const auto numbers = [&](size_t at) { return reinterpret_cast<const uint32_t*>(data + at); };
    source_ = header.source;
    n_words_ = header.words, n_bytes_ = header.bytes, n_nodes_ = header.nodes, n_entries_ = header.entries;
    hashes_ = numbers(layout.hashes), offsets_ = numbers(layout.offsets), roots_ = numbers(layout.roots);
    last_words_ = numbers(layout.last_words), entries_ = numbers(layout.entries);
    links_ = reinterpret_cast<const Link*>(data + layout.links);
    bytes_ = reinterpret_cast<const char*>(data + layout.bytes);
}

// Numbers that come from the block never lead out of it, whatever they are.
int32_t ParaphraseTable::word(std::string_view word) const {
    const uint32_t wanted = hash(word), guess = static_cast<uint32_t>(uint64_t{wanted} * n_words_ >> 32);
    uint32_t at = first_not_below(0, n_words_, guess, wanted, [&](uint32_t i) { return hashes_[i]; });
    for (; at < n_words_ && hashes_[at] == wanted; ++at) {
        const uint32_t begin = offsets_[at], end = std::min(offsets_[at + 1], n_bytes_);
        if (begin <= end && word == std::string_view(bytes_ + begin, end - begin)) return static_cast<int32_t>(at);
    }
    return kUnknown;
}

auto ParaphraseTable::search(const Occurrence& phrase, int32_t word) const -> Search {
    const uint32_t low = links_[phrase.node].first_child,
                   high = std::min(links_[phrase.node + 1].first_child, n_nodes_);
    if (low >= high) return {phrase.start, 0, 0, 0};
    return {phrase.start, low, high, low + static_cast<uint32_t>(uint64_t{hashes_[word]} * (high - low) >> 32)};
}

// The node, or 0.
uint32_t ParaphraseTable::found(const Search& search, int32_t word) const {
    const auto value = [&](uint32_t i) { return last_words_[i] & ~kTarget; };
    const auto wanted = static_cast<uint32_t>(word);
    const uint32_t at = first_not_below(search.low, search.high, search.guess, wanted, value);
    return at < search.high && value(at) == wanted ? at : 0;
}

// All phrases of a sentence, those of one word first, then those of two ... The memory that a step needs is asked for a
// step ahead for all of them: the time goes by waiting for it, and so they wait together.
void ParaphraseTable::find(const int32_t* words, int64_t length, Scratch& scratch, std::vector<Occurrence>& keys,
                           std::vector<Occurrence>& targets) const {
    std::vector<Occurrence>& phrases = scratch.phrases;
    std::vector<Search>& searches = scratch.searches;
    keys.clear();
    targets.clear();
    phrases.clear();
    const auto add = [&, this](uint32_t node, int32_t start, int32_t size) {
        if (node == 0 || node >= n_nodes_) return;
        __builtin_prefetch(links_ + node);
        __builtin_prefetch(last_words_ + node);
        phrases.push_back({node, start, size});
    };
    Pace pace;
    for (int64_t i = 0; i < length; ++i) {
        pace.steps(8);
        if (words[i] != kUnknown) add(roots_[words[i]], static_cast<int32_t>(i), 1);
    }
    for (int32_t size = 1; !phrases.empty(); ++size) {
        searches.clear();
        for (const Occurrence& phrase : phrases) {
            pace.steps(32);
            const Link& link = links_[phrase.node];
            if (link.first_entry < links_[phrase.node + 1].first_entry) {
                __builtin_prefetch(entries_ + link.first_entry);
                keys.push_back(phrase);
            }
            if (last_words_[phrase.node] & kTarget) targets.push_back(phrase);
            const int64_t end = phrase.start + size;
            if (end == length || words[end] == kUnknown) continue;
            const Search next = search(phrase, words[end]);
            if (next.low == next.high) continue;
            __builtin_prefetch(last_words_ + next.guess);
            searches.push_back(next);
        }
        phrases.clear();
        for (const Search& one : searches) {
            pace.steps(64);
            add(found(one, words[one.start + size]), one.start, size + 1);
        }
    }
    sort_paced(keys.begin(), keys.end(), [](const Occurrence& a, const Occurrence& b) {
        return a.start != b.start ? a.start < b.start : a.length < b.length;
    });
    sort_paced(targets.begin(), targets.end(), [](const Occurrence& a, const Occurrence& b) {
        return a.node != b.node ? a.node < b.node : a.start < b.start;
    });
}

// Each phrase of `keys` with each of its paraphrases that is among `targets`.
template <class Add>
void ParaphraseTable::join(const std::vector<Occurrence>& keys, const std::vector<Occurrence>& targets,
                           const Add& add) const {
    Filter filter;
    Pace pace;
    for (const Occurrence& target : targets) filter.set(target.node);
    for (const Occurrence& key : keys) {
        const uint32_t end = std::min(links_[key.node + 1].first_entry, n_entries_);
        pace.steps(16 + 2 * (int64_t{end} - links_[key.node].first_entry));
        for (uint32_t entry = links_[key.node].first_entry; entry < end; ++entry) {
            const uint32_t node = entries_[entry];
            if (!filter.may_have(node)) continue;
            auto at = std::lower_bound(targets.begin(), targets.end(), node,
                                       [](const Occurrence& o, uint32_t wanted) { return o.node < wanted; });
            for (; at != targets.end() && at->node == node; ++at) {
                pace.steps(8);
                add(key, *at);
            }
        }
    }
}

void ParaphraseTable::matches(const int32_t* hyp, int64_t hyp_length, const int32_t* ref, int64_t ref_length,
                              Scratch& scratch, std::vector<PhraseMatch>& out) const {
    find(hyp, hyp_length, scratch, scratch.hyp_keys, scratch.hyp_targets);
    find(ref, ref_length, scratch, scratch.ref_keys, scratch.ref_targets);
    std::vector<PhraseMatch>& found = scratch.found;
    found.clear();
    const auto add = [&](const Occurrence& in_ref, const Occurrence& in_hyp) {
        if (found.size() == kMostMatches) throw std::overflow_error("too many matches");
        found.push_back({in_ref.start, in_ref.length, in_hyp.start, in_hyp.length});
    };
    join(scratch.ref_keys, scratch.hyp_targets, add);
    join(scratch.hyp_keys, scratch.ref_targets, [&](const auto& key, const auto& target) { add(target, key); });
    std::vector<int64_t>& starts = scratch.starts;
    starts.assign(static_cast<size_t>(ref_length) + 1, 0);
    for (const PhraseMatch& match : found) ++starts[match.ref + 1];
    for (int64_t j = 0; j < ref_length; ++j) starts[j + 1] += starts[j];
    out.resize(found.size());
    for (const PhraseMatch& match : found) out[starts[match.ref]++] = match;
}

}  // namespace tercet
