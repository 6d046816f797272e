#include "text/stemmers.hpp"

#include "text/tokenize.hpp"

namespace tercet {

namespace {

// What is longer is no word, and its own stem: the algorithms are made for words, and some look back at all of it.
constexpr size_t kLongestWord = 1000;

void read_utf16(std::string_view word, std::u16string& out) {
    out.clear();
    for (size_t i = 0; i < word.size();) {
        const char32_t c = next_char(word, i);
        if (c >= 0x10000) out += static_cast<char16_t>(0xD7C0 + (c >> 10));
        out += static_cast<char16_t>(c < 0x10000 ? c : 0xDC00 | (c & 0x3FF));
    }
}

// No stemmer takes one half of a surrogate pair: what they take are letters of their alphabets.
void write_utf8(std::u16string_view word, std::string& out) {
    out.clear();
    for (size_t i = 0; i < word.size(); ++i) {
        const char32_t c = word[i];
        const bool pair = (c & 0xFC00) == 0xD800;
        append_utf8(out, pair ? (c - 0xD7C0) << 10 | (word[++i] & 0x3FFu) : c);
    }
}

}  // namespace

TokenBuffer stem_words(const Lines& words, Stemmer stemmer, int threads) {
    return tokenize_lines(words, threads, [&](std::string_view word, TokenBuffer& out) {
        const OfThread<std::pair<std::u16string, std::string>> scratch;
        auto& [letters, stem] = *scratch;
        read_utf16(word, letters);
        if (letters.size() <= kLongestWord) stemmer(letters);
        write_utf8(letters, stem);
        out.add(stem);
    });
}

}  // namespace tercet
