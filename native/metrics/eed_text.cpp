// The preparation of text by EED's program, rule for rule: the rules are regular expressions there, and so an
// occurrence begins where the last one has ended.
#include <algorithm>
#include <iterator>
#include <utility>

#include "metrics/eed.hpp"
#include "text/tokenize.hpp"
#include "text/unicode.hpp"

namespace tercet {

namespace {

// The zeros of Unicode 14; nine more digits follow each.
constexpr char32_t kZeros[] = {
    0x30,    0x660,   0x6F0,   0x7C0,   0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,   0xC66,
    0xCE6,   0xD66,   0xDE6,   0xE50,   0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,  0x1810,  0x1946,
    0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,  0xA620,  0xA8D0,  0xA900,  0xA9D0,
    0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0,
    0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60,
    0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0};

constexpr std::string_view kTitles[] = {"Dr", "Jr", "Prof", "Rev", "Gen", "Mr", "Mt", "Mrs", "Ms"};

bool is_digit(char32_t c) {
    const auto* after = std::upper_bound(std::begin(kZeros), std::end(kZeros), c);
    return after != std::begin(kZeros) && c - after[-1] < 10;
}

bool is_mark(char c) { return c == '.' || c == '!' || c == '?' || c == ','; }

size_t char_before(std::string_view text, size_t end) {
    do --end;
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
    return end;
}

// White space at the end is taken off, marks get a space before them, and runs of white space become one space.
void space_out(std::string_view line, std::string& out) {
    out.clear();
    size_t kept = 0;  // where the last character ends that is no space
    for (size_t i = 0; i < line.size();) {
        const size_t at = i;
        const char32_t c = next_char(line, i);
        const bool space = unicode::is_space(c);
        if ((space || (c < 0x80 && is_mark(static_cast<char>(c)))) && (out.empty() || out.back() != ' ')) out += ' ';
        if (!space) out.append(line.substr(at, i - at)), kept = out.size();
    }
    out.resize(kept);
}

// `0 . 1` becomes `0.1`.
void join_numbers(std::string& text, std::string& out) {
    out.clear();
    size_t done = 0, left = 0;  // copied up to here, and searched: a match may not begin before
    for (size_t p = text.find(' '); p != std::string::npos; p = text.find(' ', p + 1)) {
        if (p == 0 || p + 3 >= text.size() || (text[p + 1] != '.' && text[p + 1] != ',') || text[p + 2] != ' ') continue;
        size_t before = char_before(text, p), next = p + 3;
        const size_t first = before;
        if (first < left || !is_digit(next_char(text, before)) || !is_digit(next_char(text, next))) continue;
        out.append(text, done, p - done);
        out += text[p + 1];
        done = p + 3;
        left = next;
    }
    if (done == 0) return;
    out.append(text, done);
    text.swap(out);
}

// After a title, a space and whatever character follows become a full stop.
void join_titles(std::string& text, std::string& out) {
    out.clear();
    size_t done = 0;
    for (size_t p = text.find(' '); p != std::string::npos; p = text.find(' ', p + 1)) {
        if (p < done || p + 1 >= text.size()) continue;
        const auto before = std::string_view(text).substr(done, p - done);
        const auto ends = [&](std::string_view title) { return before.ends_with(title); };
        if (std::none_of(std::begin(kTitles), std::end(kTitles), ends)) continue;
        out.append(text, done, p - done);
        out += '.';
        done = p + 1;
        next_char(text, done);
    }
    if (done == 0) return;
    out.append(text, done);
    text.swap(out);
}

void replace_all(std::string& text, std::string_view what, std::string_view by, std::string& out) {
    out.clear();
    size_t done = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, done)) {
        out.append(text, done, at - done).append(by);
        done = at + what.size();
    }
    if (done == 0) return;
    out.append(text, done);
    text.swap(out);
}

}  // namespace

TokenBuffer eed_text(const Lines& lines, int threads) {
    return tokenize_lines(lines, threads, [](std::string_view line, TokenBuffer& out) {
        const OfThread<std::pair<std::string, std::string>> scratch;
        auto& [text, other] = *scratch;
        space_out(line, text);
        join_numbers(text, other);
        join_titles(text, other);
        if (text.find(" . ") != std::string::npos) {
            replace_all(text, "e . g .", "e.g.", other);
            replace_all(text, "i . e .", "e.g.", other);  // sic
            replace_all(text, "U . S .", "U.S.", other);
        }
        out.add(text);
    });
}

}  // namespace tercet
