// The tokenisers of sacreBLEU and of mteval, written as passes over a scratch buffer.
//
// The references are chains of global regular-expression substitutions. A pass here consumes exactly the
// characters that the expression would: that is what decides between neighbouring matches.
#include "text/tokenize.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tercet {

namespace {

using unicode::is;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_period_or_comma(char c) { return c == '.' || c == ','; }

// What mteval does with a byte: the ASCII punctuation that it always splits off is all but apostrophe, comma, hyphen and
// period. It puts spaces around spaces, too, which changes nothing.
enum Kind : unsigned char { kSplitOff = 1, kPeriodOrComma = 2, kHyphen = 4 };
constexpr std::array<unsigned char, 256> kKinds = [] {
    std::array<unsigned char, 256> table{};
    const auto range = [&](unsigned char a, unsigned char b) { for (unsigned c = a; c <= b; ++c) table[c] = kSplitOff; };
    range('{', '~'), range('[', '`'), range('!', '&'), range('(', '+'), range(':', '@'), range('/', '/');
    table['.'] = table[','] = kPeriodOrComma;
    table['-'] = kHyphen;
    return table;
}();

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    size_t from = 0, at = text.find(what[0]) == std::string::npos ? std::string::npos : text.find(what);
    if (at == std::string::npos) return;
    std::string out;
    for (; at != std::string::npos; at = text.find(what, from)) {
        out.append(text, from, at - from).append(with);
        from = at + what.size();
    }
    text = out.append(text, from);
}

// In this order, so that &amp;lt; ends as <.
void unescape(std::string& text, bool apostrophe) {
    if (text.find('&') == std::string::npos) return;
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
    if (apostrophe) replace_all(text, "&apos;", "'");
}

// A buffer that is written through a pointer: no pass makes a text more than three times as long.
template <class Char>
class Passes {
  public:
    std::basic_string_view<Char> text() const { return {now_.data(), size_}; }

    void read(std::basic_string_view<Char> text) {
        make_room(text.size());
        std::copy(text.begin(), text.end(), now_.begin());
        size_ = text.size();
    }

    // step(text, i, out): puts what stands for the characters from i on, returns how many they are.
    template <class Step>
    void run(const Step& step) {
        make_room(3 * size_);
        Char* out = next_.data();
        const Char* text = now_.data();
        for (size_t i = 0; i < size_;) i += step(text, i, out);
        size_ = static_cast<size_t>(out - next_.data());
        now_.swap(next_);
        go_on_after(size_);
    }

    // (a)(b) -> "a b " or " a b" for neighbours that match.
    template <class Matches>
    void split_pairs(const Matches& matches, bool around_first) {
        const size_t size = size_;
        run([&](const Char* text, size_t i, Char*& out) {
            if (i + 1 >= size || !matches(text[i], text[i + 1])) return *out++ = text[i], size_t{1};
            if (around_first) *out++ = ' ';
            *out++ = text[i], *out++ = ' ', *out++ = text[i + 1];
            if (!around_first) *out++ = ' ';
            return size_t{2};
        });
    }

    // The same where one of the two, at this place of the pair, must be a mark of which a text has few.
    template <class IsMark, class Matches>
    void split_pairs_at(const IsMark& is_mark, size_t place, const Matches& matches, bool around_first) {
        make_room(3 * size_);
        const Char* text = now_.data();
        Char* out = next_.data();
        size_t done = 0;
        for (size_t mark = 0; mark < size_; ++mark) {
            if (!is_mark(text[mark])) continue;
            const size_t i = mark - place;
            if (mark < done + place || i + 1 >= size_ || !matches(text[i], text[i + 1])) continue;
            out = std::copy(text + done, text + i, out);
            if (around_first) *out++ = ' ';
            *out++ = text[i], *out++ = ' ', *out++ = text[i + 1];
            if (!around_first) *out++ = ' ';
            done = i + 2;
        }
        size_ = static_cast<size_t>(std::copy(text + done, text + size_, out) - next_.data());
        now_.swap(next_);
        go_on_after(size_);
    }

  private:
    void make_room(size_t size) {
        if (now_.size() < size + 2) now_.resize(size + 2);
        if (next_.size() < size + 2) next_.resize(size + 2);
    }
    std::vector<Char> now_, next_;
    size_t size_ = 0;
};

// Bytes will do for the western rules: all that they look for is ASCII.
struct Western {
    std::string text, next;
    Passes<char> passes;

    void run(bool possessive) {
        passes.read(text);
        unsigned char kinds = 0;
        passes.run([&kinds](const char* in, size_t i, char*& out) {
            const unsigned char kind = kKinds[static_cast<unsigned char>(in[i])];
            kinds |= kind;
            if (kind == kSplitOff) {
                *out++ = ' ', *out++ = in[i], *out++ = ' ';
            } else {
                *out++ = in[i];
            }
            return size_t{1};
        });
        if (possessive) {
            text.assign(passes.text());
            replace_all(text, "'s ", " 's ");
            passes.read(text);
        }
        if (kinds & kPeriodOrComma) {
            passes.split_pairs_at([](char c) { return is_period_or_comma(c); }, 1, [](char a, char) { return !is_digit(a); }, false);
            passes.split_pairs_at([](char c) { return is_period_or_comma(c); }, 0, [](char, char b) { return !is_digit(b); }, true);
        }
        if (kinds & kHyphen) passes.split_pairs_at([](char c) { return c == '-'; }, 1, [](char a, char) { return is_digit(a); }, false);
    }
};

bool is_perl_space(char32_t c) { return is(c, unicode::k_white_space); }

// Words between what `is_blank`, Python or Perl, takes for white space.
template <class IsBlank>
void split(std::string_view text, const IsBlank& is_blank, TokenBuffer& out) {
    size_t begin = 0;
    for (size_t i = 0; i < text.size();) {
        const size_t at = i;
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte > ' ' && byte < 0x80) {  // never blank
            ++i;
        } else if (is_blank(next_char(text, i))) {
            if (at > begin) out.add(text.substr(begin, at - begin));
            begin = i;
        }
    }
    if (text.size() > begin) out.add(text.substr(begin));
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Without Python's white space at the end, and at the beginning if `left`.
std::string_view strip(std::string_view text, bool left) {
    while (!text.empty()) {
        size_t last = text.size() - 1;
        while (last > 0 && is_continuation(text[last])) --last;
        size_t at = last;
        if (!unicode::is_space(next_char(text, at))) break;
        text = text.substr(0, last);
    }
    while (left && !text.empty()) {
        size_t at = 0;
        if (!unicode::is_space(next_char(text, at))) break;
        text = text.substr(at);
    }
    return text;
}

struct International {
    Chars chars;
    Passes<char32_t> passes;
};

// (not Number)(Punctuation), (Punctuation)(not Number), Symbol: the three rules of international tokenisation.
void split_international(std::string_view line, std::string& out) {
    using namespace unicode;
    const OfThread<International> scratch;
    auto& [chars, passes] = *scratch;
    decode(line, chars);
    passes.read({chars.data(), chars.size()});
    passes.split_pairs([](char32_t a, char32_t b) { return is(b, k_punctuation) && !is(a, k_number); }, false);
    passes.split_pairs([](char32_t a, char32_t b) { return is(a, k_punctuation) && !is(b, k_number); }, true);
    passes.run([](const char32_t* text, size_t i, char32_t*& to) {
        const char32_t c = text[i];
        if (is(c, k_symbol)) {
            *to++ = ' ', *to++ = c, *to++ = ' ';
        } else {
            *to++ = c;
        }
        return size_t{1};
    });
    out.clear();
    for (const char32_t c : passes.text()) append_utf8(out, c);
}

struct Range {
    char32_t first, last;
};

template <size_t N>
bool within(char32_t c, const std::array<Range, N>& ranges) {
    for (const Range& r : ranges)
        if (r.first <= c && c <= r.last) return true;
    return false;
}

// sacreBLEU's list. Two of its ranges were meant for the supplementary planes but are written with a
// four-digit escape, so that they cover 2001-2A6D and 2F81-2FA1: general punctuation, arrows, signs.
constexpr std::array<Range, 22> kChinese{{{0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0x9FA6, 0x9FBB}, {0xF900, 0xFA2D},
                                          {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0x2001, 0x2A6D}, {0x2F81, 0x2FA1},
                                          {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF},
                                          {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
                                          {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0x2600, 0x26FF}, {0x2700, 0x27BF},
                                          {0x3200, 0x32FF}, {0x3300, 0x33FF}}};

constexpr std::array<Range, 8> kTercomAsian{{{0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x31C0, 0x31EF}, {0x2E80, 0x2EFF},
                                             {0x3300, 0x33FF}, {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}, {0x3200, 0x3F22}}};
constexpr std::array<Range, 11> kAsianPunctuation{{{0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F},
                                                   {0xFF61, 0xFF65}, {0x30FB, 0x30FB}, {0xFF0E, 0xFF0E},
                                                   {0xFF0C, 0xFF0C}, {0xFF1F, 0xFF1F}, {0xFF1A, 0xFF1B},
                                                   {0xFF01, 0xFF02}, {0xFF08, 0xFF09}}};

// Puts spaces around the characters that `chosen` picks.
template <class Chosen>
void space_around(std::string& text, std::string& scratch, const Chosen& chosen) {
    scratch.clear();
    for (size_t i = 0; i < text.size();) {
        const size_t at = i;
        const bool hit = chosen(next_char(text, i));
        if (hit) scratch += ' ';
        scratch.append(text, at, i - at);
        if (hit) scratch += ' ';
    }
    text.swap(scratch);
    go_on_after(text.size());
}

template <class Chosen>
void remove_characters(std::string& text, std::string& scratch, const Chosen& chosen) {
    scratch.clear();
    for (size_t i = 0; i < text.size();) {
        const size_t at = i;
        if (!chosen(next_char(text, i))) scratch.append(text, at, i - at);
    }
    text.swap(scratch);
}

// What sacreBLEU's 13a and mteval share, up to the last split at white space.
void mteval_western(std::string_view line, Western& w) {
    w.text.assign(1, ' ').append(line).append(1, ' ');
    replace_all(w.text, "<skipped>", "");
    replace_all(w.text, "-\n", "");
    replace_all(w.text, "\n", " ");
    unescape(w.text, false);
    w.run(false);
}

}  // namespace

void split_whitespace(std::string_view line, TokenBuffer& out) { split(line, unicode::is_space, out); }

void split_spaces(std::string_view line, TokenBuffer& out) {
    for (size_t begin = 0; begin < line.size();) {
        const size_t end = std::min(line.find(' ', begin), line.size());
        if (end > begin) out.add(line.substr(begin, end - begin));
        begin = end + 1;
    }
}

void tokenize_13a(std::string_view line, TokenBuffer& out) {
    const OfThread<Western> scratch;
    Western& w = *scratch;
    mteval_western(strip(line, false), w);
    split_whitespace(w.passes.text(), out);
}

void tokenize_intl(std::string_view line, TokenBuffer& out) {
    const OfThread<std::string> text;
    split_international(strip(line, false), *text);
    split_whitespace(*text, out);
}

void tokenize_zh(std::string_view line, TokenBuffer& out) {
    const OfThread<Western> scratch;
    Western& w = *scratch;
    w.text = strip(line, true);
    space_around(w.text, w.next, [](char32_t c) { return within(c, kChinese); });
    w.run(false);
    split_whitespace(w.passes.text(), out);
}

void tokenize_char(std::string_view line, TokenBuffer& out) {
    for (size_t i = 0; i < line.size();) {
        const size_t at = i;
        if (!unicode::is_space(next_char(line, i))) out.add(line.substr(at, i - at));
    }
}

void tokenize_tercom(std::string_view line, const TercomOptions& options, TokenBuffer& out) {
    if (options.twice) {
        TercomOptions once = options;
        once.twice = false;
        TokenBuffer first;
        tokenize_tercom(line, once, first);
        std::string joined;
        for (size_t i = 0; i + 1 < first.offsets.size(); ++i)
            joined.append(first.data, first.offsets[i], first.offsets[i + 1] - first.offsets[i]) += ' ';
        tokenize_tercom(joined, once, out);
        return;
    }
    const OfThread<Western> scratch;
    Western& w = *scratch;
    w.text.clear();
    append_lower(strip(line, false), options.case_sensitive ? Lower::none : Lower::python, w.text);
    if (options.normalized) {
        replace_all(w.text, "\n-", "");
        replace_all(w.text, "\n", " ");
        unescape(w.text, false);
        w.text.insert(w.text.begin(), ' ');
        w.text += ' ';
        w.run(true);
        w.text.assign(w.passes.text());
        if (options.asian_support) {
            space_around(w.text, w.next, [](char32_t c) { return within(c, kTercomAsian); });
            space_around(w.text, w.next, [](char32_t c) { return within(c, kAsianPunctuation); });
        }
    }
    if (options.no_punct) {
        constexpr std::string_view western_marks = ".,?:;!\"()";
        remove_characters(w.text, w.next, [&](char32_t c) {
            return (c < 0x80 && western_marks.find(static_cast<char>(c)) != std::string_view::npos) ||
                   (options.asian_support && within(c, kAsianPunctuation));
        });
    }
    split_whitespace(w.text, out);
}

void tokenize_mteval(std::string_view line, const MtevalOptions& options, TokenBuffer& out) {
    const OfThread<Western> western;
    const OfThread<std::pair<std::string, std::string>> scratch;
    Western& w = *western;
    auto& [collapsed, text] = *scratch;
    collapsed.clear();
    // The reader of mteval makes one space of any white space before it looks at a segment, so that its rules for
    // the line separator U+2028, in which v13a and v14 differ, never see one.
    bool space = false;
    for (size_t i = 0; i < line.size();) {
        const size_t at = i;
        const bool blank = is(next_char(line, i), unicode::k_white_space);
        if (!blank) {
            collapsed.append(line, at, i - at);
        } else if (!space) {
            collapsed += ' ';
        }
        space = blank;
    }
    if (!options.international) {
        mteval_western(collapsed, w);
        text.clear();
        append_lower(w.passes.text(), options.case_sensitive ? Lower::none : Lower::ascii, text);
        split(text, is_perl_space, out);
        return;
    }
    replace_all(collapsed, "<skipped>", "");
    unescape(collapsed, true);
    text.clear();
    append_lower(collapsed, options.case_sensitive ? Lower::none : Lower::perl, text);
    if (options.enclose_non_ascii) space_around(text, w.next, [](char32_t c) { return c >= 0x80; });
    collapsed = text;
    split_international(collapsed, text);
    split(text, is_perl_space, out);
}

}  // namespace tercet
