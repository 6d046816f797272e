// What TERp's program makes of a text: Java's idea of white space, and a normaliser that is neither tercom's nor
// sacreBLEU's.
#include <array>
#include <string>
#include <string_view>

#include "text/tokenize.hpp"

namespace tercet {

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_mark(char c) { return c == '.' || c == ','; }

// Set off by blanks, which is done to blanks as well.
bool is_set_off(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
           (c >= ':' && c <= '@') || c == '/';
}

// Without blanks and controls at the ends.
std::string_view trim(std::string_view text) {
    const auto drops = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!text.empty() && drops(text.front())) text.remove_prefix(1);
    while (!text.empty() && drops(text.back())) text.remove_suffix(1);
    return text;
}

// `other` is memory.
void replace_all(std::string& text, std::string_view from, std::string_view to, std::string& other) {
    size_t at = text.find(from), done = 0;
    if (at == std::string::npos) return;
    other.clear();
    for (; at != std::string::npos; at = text.find(from, done)) {
        other.append(text, done, at - done).append(to);
        done = at + from.size();
    }
    other.append(text, done);
    text.swap(other);
    go_on_after(text.size());
}

void set_off_symbols(std::string_view text, std::string& out) {
    out = ' ';
    for (const char c : text) {
        if (is_set_off(c)) {
            out += ' ';
            out += c;
            out += ' ';
        } else {
            out += c;
        }
    }
    out += "   ";  // the blank that is added at the end, set off
    out.insert(0, 2, ' ');
}

// A mark at the end of a word that has no other: the blank before the word is lost, so that a symbol set off from it
// may come back to it.
void set_off_marks(std::string_view text, std::string& out) {
    out.clear();
    for (size_t i = 0; i < text.size();) {
        size_t end = i + 1;
        if (is_blank(text[i]))
            while (end < text.size() && !is_mark(text[end]) && text[end] != ' ' && text[end] != '\t') ++end;
        const bool marked = end > i + 1 && end + 1 < text.size() && is_mark(text[end]) && is_blank(text[end + 1]);
        if (!marked) {
            out += text[i++];
            continue;
        }
        out.append(text, i + 1, end - i - 1).append(1, ' ').append(1, text[end]).append(1, ' ');
        i = end + 2;
    }
}

void set_off_hyphens(std::string_view text, std::string& out) {
    out.clear();
    for (size_t i = 0; i < text.size(); ++i) {
        const bool after_digit = text[i] == '-' && i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9';
        if (after_digit) out += ' ';
        out += text[i];
        if (after_digit) out += ' ';
    }
}

}  // namespace

void tokenize_terp(std::string_view line, const TerpTextOptions& options, TokenBuffer& out) {
    const OfThread<std::array<std::string, 3>> scratch;
    auto& [text, next, other] = *scratch;
    text.clear();
    append_lower(trim(line), options.case_sensitive ? Lower::none : Lower::python, text);
    if (options.normalized) {
        for (char& c : text)
            if (is_blank(c)) c = ' ';
        replace_all(text, "<skipped>", "", other);
        replace_all(text, "&quot;", "\"", other);
        replace_all(text, "&amp;", "&", other);
        replace_all(text, "&lt;", "<", other);
        replace_all(text, "&gt;", ">", other);
        set_off_symbols(text, next);
        go_on_after(next.size());
        replace_all(next, "'s ", " 's ", other);
        set_off_marks(next, text);
        set_off_hyphens(text, next);
        text.swap(next);
    }
    const std::string_view words = trim(text);
    for (size_t begin = 0; begin < words.size();) {
        size_t end = begin;
        while (end < words.size() && !is_blank(words[end])) ++end;
        if (end > begin) out.add(words.substr(begin, end - begin));
        begin = end + 1;
    }
}

}  // namespace tercet
