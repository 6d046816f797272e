// METEOR's paraphrase table: a trie of all phrases, each with the phrases that may stand for it, in one block of memory
// that can be a mapped file.
//
//     header      Header, with the sizes of what follows and two checksums
//     words       in the order of their hashes: hashes, offsets + 1, bytes
//     roots       the node of each word at the start of a phrase, or 0
//     nodes       the last word of each, and then its first child and its first entry, with one more pair to end them;
//                 node 0 is the empty phrase, the children of a node are neighbours in the order of their words
//     entries     the node of each paraphrase, in the order of the table
//
// Since words are numbered by their hashes, those of any node's children are spread evenly: where one must be is
// guessed well enough to touch one or two lines of the cache, where a binary search would touch many.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tercet {

// Words ref to ref + ref_length of a reference, and hyp to hyp + hyp_length of a hypothesis.
struct PhraseMatch {
    int32_t ref, ref_length, hyp, hyp_length;
};

using Digest = std::array<uint8_t, 32>;

namespace paraphrase_block {
struct Link;
}

class ParaphraseTable {
  public:
    static constexpr uint32_t kVersion = 1;
    static constexpr int32_t kUnknown = -1;

    // Throws std::invalid_argument if the block is no table, of another version, cut short or altered.
    ParaphraseTable(const uint8_t* data, size_t size, std::shared_ptr<const void> owner);

    // The number of a word, or kUnknown.
    int32_t word(std::string_view word) const;

    // Memory of one thread, kept from call to call.
    class Scratch;

    // All matches of two sentences, given as numbers of words: those of one reference position together and in METEOR's
    // order, which is first the table as it stands, then with hypothesis and reference changed over. Throws
    // std::overflow_error where there are more than kMostMatches.
    static constexpr size_t kMostMatches = size_t{1} << 24;
    void matches(const int32_t* hyp, int64_t hyp_length, const int32_t* ref, int64_t ref_length, Scratch& scratch,
                 std::vector<PhraseMatch>& out) const;

    const Digest& source() const { return source_; }
    int64_t size() const { return n_entries_; }

  private:
    struct Occurrence {
        uint32_t node;
        int32_t start, length;
    };
    struct Search {  // for the next word of a phrase that begins at `start`, among its nodes `low` to `high`
        int32_t start;
        uint32_t low, high, guess;
    };
    void find(const int32_t* words, int64_t length, Scratch& scratch, std::vector<Occurrence>& keys,
              std::vector<Occurrence>& targets) const;
    Search search(const Occurrence& phrase, int32_t word) const;
    uint32_t found(const Search& search, int32_t word) const;
    template <class Add>
    void join(const std::vector<Occurrence>& keys, const std::vector<Occurrence>& targets, const Add& add) const;

    std::shared_ptr<const void> owner_;
    Digest source_{};
    uint32_t n_words_ = 0, n_bytes_ = 0, n_nodes_ = 0, n_entries_ = 0;
    const uint32_t *hashes_ = nullptr, *offsets_ = nullptr, *roots_ = nullptr, *last_words_ = nullptr,
                   *entries_ = nullptr;
    const paraphrase_block::Link* links_ = nullptr;
    const char* bytes_ = nullptr;
};

class ParaphraseTable::Scratch {
    friend class ParaphraseTable;
    std::vector<Occurrence> hyp_keys, hyp_targets, ref_keys, ref_targets;
    std::vector<Occurrence> phrases;
    std::vector<Search> searches;
    std::vector<PhraseMatch> found;
    std::vector<int64_t> starts;
};

// A defect of the text, with its line.
struct TableError : std::runtime_error {
    TableError(int64_t at, const std::string& what) : std::runtime_error(what), line(at) {}
    int64_t line;
};

// Reads a table as METEOR's: three lines an entry, a probability (which METEOR does not use), the reference's phrase
// and its paraphrase.
class ParaphraseBuilder {
  public:
    explicit ParaphraseBuilder(uint64_t most_bytes);
    ~ParaphraseBuilder();
    ParaphraseBuilder(const ParaphraseBuilder&) = delete;
    ParaphraseBuilder& operator=(const ParaphraseBuilder&) = delete;

    void add(std::string_view text);                    // the next piece, cut anywhere
    std::vector<uint8_t> finish(const Digest& source);  // the block of a table

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tercet
