// A paraphrase table from its text, in one pass: words get numbers, phrases become nodes of a trie, and at the end both
// are numbered anew: words by their hashes, and nodes so that the children of each lie together.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "metrics/paraphrase_block.hpp"
#include "metrics/paraphrases.hpp"

namespace tercet {

namespace {

using namespace paraphrase_block;

constexpr size_t kLongestLine = size_t{1} << 16;
constexpr size_t kMostNodes = size_t{1} << 26, kMostEntries = size_t{1} << 27;
constexpr std::string_view kBlanks = " \t\r\f";  // those of Java's StringTokenizer, less the line's end

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(kBlanks);
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Well-formed: no stray or missing bytes, nothing longer than need be, no surrogates, nothing past U+10FFFF.
bool is_utf8(std::string_view text) {
    const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    for (size_t i = 0; i < text.size();) {
        const unsigned lead = byte(i);
        const size_t more = lead < 0x80 ? 0 : lead < 0xC2 ? 9 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 9;
        if (more == 9) return false;
        for (size_t k = 1; k <= more; ++k)
            if ((byte(i + k) & 0xC0) != 0x80) return false;
        const unsigned next = byte(i + 1);
        if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) || (lead == 0xF0 && next < 0x90) ||
            (lead == 0xF4 && next > 0x8F))
            return false;
        i += 1 + more;
    }
    return true;
}

// An open hash table of numbers from 0 on; what they stand for is the caller's.
class Numbers {
  public:
    template <class Same>
    uint32_t* slot(uint32_t hash, const Same& same) {
        uint32_t at = hash & mask();
        while (slots_[at] != 0 && !same(slots_[at] - 1)) at = (at + 1) & mask();
        return &slots_[at];
    }
    template <class Hash>
    void grow_for(size_t count, const Hash& hash) {
        if (3 * count < 2 * slots_.size()) return;
        slots_.assign(2 * slots_.size(), 0);
        for (size_t i = 0; i < count; ++i)
            *slot(hash(static_cast<uint32_t>(i)), [](uint32_t) { return false; }) = static_cast<uint32_t>(i) + 1;
    }

  private:
    uint32_t mask() const { return static_cast<uint32_t>(slots_.size()) - 1; }
    std::vector<uint32_t> slots_ = std::vector<uint32_t>(1 << 10);
};

struct Edge {
    uint32_t parent, word;
};

uint32_t hash_of(const Edge& edge) {
    const uint64_t h = (uint64_t{edge.parent} << 32 | edge.word) * 0x9E3779B185EBCA87;
    return static_cast<uint32_t>(h >> 32);
}

}  // namespace

struct ParaphraseBuilder::State {
    std::string bytes;  // of all words
    std::vector<uint32_t> offsets{0};
    Numbers words, phrases;
    std::vector<Edge> edges{{0, 0}};  // each to a node; that to the root leads from nowhere
    std::vector<std::pair<uint32_t, uint32_t>> entries;  // nodes of phrase and paraphrase
    std::string pending, key_text;
    uint32_t key = 0;
    int64_t line = 0;
    uint64_t most = 0, seen = 0;  // bytes
    bool closed = false;          // by the end of the table, or by a defect

    std::string_view word(uint32_t i) const {
        return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
    }

    void read(std::string_view text) {
        ++line;
        if (text.size() > kLongestLine) fail("the line is longer than 64 KiB");
        if (line == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        switch (line % 3) {
            case 1: read_probability(trimmed(text)); break;
            case 2:
                // One phrase has many paraphrases.
                if (key == 0 || text != key_text) key = node_of(text), key_text = text;
                break;
            default:
                if (entries.size() == kMostEntries) fail("the table has more than 134 million entries");
                entries.emplace_back(key, node_of(text));
        }
    }

    void read_probability(std::string_view text) const {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
            fail("there is no number where the probability of an entry should stand");
    }

    uint32_t node_of(std::string_view phrase) {
        uint32_t node = 0;
        for (size_t at = phrase.find_first_not_of(kBlanks); at < phrase.size();
             at = phrase.find_first_not_of(kBlanks, at)) {
            const size_t end = std::min(phrase.find_first_of(kBlanks, at), phrase.size());
            node = child(node, number_of(phrase.substr(at, end - at)));
            at = end;
        }
        if (node == 0) fail("the phrase is empty");
        return node;
    }

    uint32_t number_of(std::string_view text) {
        uint32_t* slot = words.slot(hash(text), [&](uint32_t i) { return word(i) == text; });
        if (*slot != 0) return *slot - 1;
        if (!is_utf8(text)) fail("the line is not UTF-8");
        bytes.append(text);
        offsets.push_back(static_cast<uint32_t>(bytes.size()));
        const auto count = static_cast<uint32_t>(offsets.size()) - 1;
        *slot = count;
        words.grow_for(count, [&](uint32_t i) { return hash(word(i)); });
        return count - 1;
    }

    uint32_t child(uint32_t parent, uint32_t word) {
        const Edge wanted{parent, word};
        const auto same = [&](uint32_t i) { return i != 0 && edges[i].parent == parent && edges[i].word == word; };
        uint32_t* slot = phrases.slot(hash_of(wanted), same);
        if (*slot != 0) return *slot - 1;
        if (edges.size() == kMostNodes) fail("the table has more than 67 million phrases");
        edges.push_back(wanted);
        *slot = static_cast<uint32_t>(edges.size());
        phrases.grow_for(edges.size(), [&](uint32_t i) { return hash_of(edges[i]); });
        return static_cast<uint32_t>(edges.size()) - 1;
    }

    [[noreturn]] void fail(const std::string& what) const { throw TableError(line, what); }

    // To be called first of all that goes on with the table; it stays closed unless that ends well.
    void open() {
        if (std::exchange(closed, true)) throw std::invalid_argument("the table has ended");
    }

    // Words in the order of their hashes.
    std::vector<uint32_t> word_order() const {
        std::vector<std::pair<uint32_t, uint32_t>> order;
        for (uint32_t i = 0; i + 1 < offsets.size(); ++i) order.emplace_back(hash(word(i)), i);
        std::sort(order.begin(), order.end());
        std::vector<uint32_t> out;
        for (const auto& [place, i] : order) out.push_back(i);
        return out;
    }

    // Old number of a node to new: level by level, children in the order of their parents and words.
    std::vector<uint32_t> node_numbers() const {
        std::vector<uint32_t> depth(edges.size()), number(edges.size());
        for (size_t i = 1; i < edges.size(); ++i) depth[i] = depth[edges[i].parent] + 1;
        std::vector<std::vector<uint32_t>> levels(1 + *std::max_element(depth.begin(), depth.end()));
        for (size_t i = 0; i < edges.size(); ++i) levels[depth[i]].push_back(static_cast<uint32_t>(i));
        uint32_t next = 0;
        std::vector<std::pair<uint64_t, uint32_t>> order;
        for (const auto& level : levels) {
            order.clear();
            for (const uint32_t i : level)
                order.emplace_back(uint64_t{number[edges[i].parent]} << 32 | edges[i].word, i);
            std::sort(order.begin(), order.end());
            for (const auto& [place, i] : order) number[i] = next++;
        }
        return number;
    }

    // Also gives the words of all edges their new numbers.
    void write_words(uint8_t* block, const Layout& layout) {
        auto* hashes = reinterpret_cast<uint32_t*>(block + layout.hashes);
        auto* starts = reinterpret_cast<uint32_t*>(block + layout.offsets);
        uint8_t* out = block + layout.bytes;
        std::vector<uint32_t> number(offsets.size());
        for (uint32_t at = 0; const uint32_t i : word_order()) {
            const std::string_view text = word(i);
            hashes[at] = hash(text);
            std::memcpy(out + starts[at], text.data(), text.size());
            starts[at + 1] = starts[at] + static_cast<uint32_t>(text.size());
            number[i] = at++;
        }
        for (Edge& edge : edges) edge.word = number[edge.word];
    }

    void write_nodes(uint8_t* block, const Layout& layout, const std::vector<uint32_t>& number) const {
        auto* roots = reinterpret_cast<uint32_t*>(block + layout.roots);
        auto* last_words = reinterpret_cast<uint32_t*>(block + layout.last_words);
        auto* links = reinterpret_cast<Link*>(block + layout.links);
        for (size_t i = 1; i < edges.size(); ++i) {
            if (edges[i].parent == 0) roots[edges[i].word] = number[i];
            last_words[number[i]] = edges[i].word;
            ++links[number[edges[i].parent] + 1].first_child;
        }
        for (const auto& [phrase, paraphrase] : entries) {
            last_words[number[paraphrase]] |= kTarget;
            ++links[number[phrase] + 1].first_entry;
        }
        links[0].first_child = 1;  // the root is nobody's child
        for (size_t i = 0; i < edges.size(); ++i) {  // counts become places
            links[i + 1].first_child += links[i].first_child;
            links[i + 1].first_entry += links[i].first_entry;
        }
    }

    void write_entries(uint8_t* block, const Layout& layout, const std::vector<uint32_t>& number) const {
        const auto* links = reinterpret_cast<const Link*>(block + layout.links);
        auto* out = reinterpret_cast<uint32_t*>(block + layout.entries);
        std::vector<uint32_t> next(edges.size());
        for (size_t i = 0; i < edges.size(); ++i) next[i] = links[i].first_entry;
        for (const auto& [phrase, paraphrase] : entries) out[next[number[phrase]]++] = number[paraphrase];
    }

    std::vector<uint8_t> block(const Digest& source) {
        Header h{};
        std::memcpy(h.magic, kMagic, sizeof kMagic);
        h.version = ParaphraseTable::kVersion, h.order = kByteOrder, h.source = source;
        h.words = static_cast<uint32_t>(offsets.size()) - 1, h.bytes = static_cast<uint32_t>(bytes.size());
        h.nodes = static_cast<uint32_t>(edges.size()), h.entries = static_cast<uint32_t>(entries.size());
        const Layout layout(h);
        h.size = layout.size;
        std::vector<uint8_t> out(layout.size);
        write_words(out.data(), layout);
        const std::vector<uint32_t> number = node_numbers();
        write_nodes(out.data(), layout, number);
        write_entries(out.data(), layout, number);
        h.body_checksum = checksum(out.data() + sizeof h, out.size() - sizeof h);
        h.own_checksum = checksum(reinterpret_cast<const uint8_t*>(&h), offsetof(Header, own_checksum));
        std::memcpy(out.data(), &h, sizeof h);
        return out;
    }
};

ParaphraseBuilder::ParaphraseBuilder(uint64_t most_bytes) : state_(std::make_unique<State>()) {
    state_->most = std::min(most_bytes, uint64_t{UINT32_MAX});  // words are found by numbers of 32 bits
}
ParaphraseBuilder::~ParaphraseBuilder() = default;

void ParaphraseBuilder::add(std::string_view text) {
    State& s = *state_;
    s.open();
    if ((s.seen += text.size()) > s.most) s.fail("the table is larger than " + std::to_string(s.most) + " bytes");
    for (size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
        if (s.pending.empty()) {
            s.read(text.substr(0, end));
        } else {
            s.pending.append(text.substr(0, end));
            s.read(s.pending);
            s.pending.clear();
        }
    }
    s.pending.append(text);
    if (s.pending.size() > kLongestLine) s.read(s.pending);  // which refuses it
    s.closed = false;
}

std::vector<uint8_t> ParaphraseBuilder::finish(const Digest& source) {
    State& s = *state_;
    s.open();
    if (!s.pending.empty()) s.read(s.pending);
    s.pending.clear();
    if (s.line % 3 != 0) s.fail("the table breaks off inside an entry");
    if (s.line == 0) s.fail("the table is empty");
    return s.block(source);
}

}  // namespace tercet
