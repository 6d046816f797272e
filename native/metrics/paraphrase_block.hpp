// How a paraphrase table lies in memory: shared by the class that writes it and the one that reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "metrics/paraphrases.hpp"

namespace tercet::paraphrase_block {

inline constexpr char kMagic[8] = {'T', 'E', 'R', 'C', 'E', 'T', 'P', 'P'};
inline constexpr uint32_t kByteOrder = 0x01020304;
inline constexpr uint32_t kTarget = uint32_t{1} << 31;  // of a node's last word: the phrase is some phrase's paraphrase

struct Header {
    char magic[8];
    uint32_t version, order;
    uint64_t size;
    uint32_t words, bytes, nodes, entries;
    Digest source;  // of the file that the table was read from
    uint64_t body_checksum, own_checksum;
};
static_assert(sizeof(Header) == 88);

struct Link {
    uint32_t first_child, first_entry;
};

// Where each part begins.
struct Layout {
    size_t hashes, offsets, bytes, roots, last_words, links, entries, size;

    explicit Layout(const Header& h) {
        size_t at = sizeof(Header);
        const auto part = [&](size_t length) {
            const size_t begin = at;
            at += (length + 7) / 8 * 8;
            return begin;
        };
        const auto numbers = [&](size_t count) { return part(4 * count); };
        hashes = numbers(h.words), offsets = numbers(size_t{h.words} + 1), bytes = part(h.bytes);
        roots = numbers(h.words), last_words = numbers(h.nodes), links = part(sizeof(Link) * (size_t{h.nodes} + 1));
        entries = numbers(h.entries);
        size = at;
    }
};

// FNV-1a, multiplied once more so that the high bits are as good as the low ones.
inline uint32_t hash(std::string_view word) {
    uint64_t h = 0xCBF29CE484222325;
    for (const char c : word) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return static_cast<uint32_t>((h ^ h >> 32) * 0x9E3779B185EBCA87 >> 32);
}

// Four sums at once, so that a table of 60 MB takes milliseconds. The length must be a multiple of 8.
inline uint64_t checksum(const uint8_t* data, size_t size) {
    constexpr uint64_t prime = 0x9E3779B185EBCA87;
    uint64_t sums[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < size / 8; ++i) {
        uint64_t word;
        std::memcpy(&word, data + 8 * i, 8);
        uint64_t& sum = sums[i % 4];
        sum = (sum ^ word) * prime;
        sum ^= sum >> 29;
    }
    uint64_t all = size;
    for (const uint64_t sum : sums) all = (all ^ sum) * prime, all ^= all >> 32;
    return all;
}

}  // namespace tercet::paraphrase_block
