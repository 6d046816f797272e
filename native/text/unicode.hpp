// UTF-8 and the Unicode properties that tokenisers ask for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tercet {

namespace unicode {
#include "text/unicode_tables.inc"

inline unsigned short flags(char32_t c) { return flag_value[flag_block[c / kBlock] * kBlock + c % kBlock]; }
inline bool is(char32_t c, unsigned short property) { return (flags(c) & property) != 0; }
inline char32_t lower(char32_t c) {
    return c + static_cast<char32_t>(lower_value[lower_block[c / kBlock] * kBlock + c % kBlock]);
}

// Python's str.isspace, quick for what most text is made of.
inline bool is_space(char32_t c) {
    return c < 128 ? c == ' ' || c - 9u < 5u || c - 28u < 4u : is(c, k_python_space);
}
}  // namespace unicode

using Chars = std::vector<char32_t>;

inline constexpr char32_t kNoCharacter = 0xFFFD;

// The code point at `i`, moving `i` past it. The text is UTF-8, as it was made from Python strings; of bytes that are
// not, nothing is read past the end, and nothing comes that is past the last code point.
inline char32_t next_char(std::string_view text, size_t& i) {
    const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
    const char32_t lead = byte(i);
    if (lead < 0x80) return ++i, lead;
    const size_t left = text.size() - i;
    if (left < 2 || (lead >= 0xE0 && left < (lead < 0xF0 ? 3u : 4u))) return i = text.size(), kNoCharacter;
    if (lead < 0xE0) return i += 2, (lead & 0x1F) << 6 | (byte(i - 1) & 0x3F);
    if (lead < 0xF0) return i += 3, (lead & 0x0F) << 12 | (byte(i - 2) & 0x3F) << 6 | (byte(i - 1) & 0x3F);
    i += 4;
    const char32_t c = (lead & 0x07) << 18 | (byte(i - 3) & 0x3F) << 12 | (byte(i - 2) & 0x3F) << 6 | (byte(i - 1) & 0x3F);
    return c <= 0x10FFFF ? c : kNoCharacter;
}

inline void append_utf8(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | c >> 18);
        out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

inline void decode(std::string_view text, Chars& out) {
    out.clear();
    for (size_t i = 0; i < text.size();) out.push_back(next_char(text, i));
}

// Whose idea of lower case: Python's str.lower (with the final sigma), C's tolower in the C locale
// (A to Z), or Perl's lc (no final sigma).
enum class Lower { none, python, ascii, perl };

void append_lower(std::string_view text, Lower how, std::string& out);

}  // namespace tercet
