// METEOR's normaliser (Normalizer of METEOR 1.5, western languages), one pass for each of its substitutions.
//
// A pass consumes exactly the characters that the expression would: `a,b,c` is split at its first comma only, and
// `a-b-c` keeps its second hyphen.
#include "text/meteor_text.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tercet {

namespace {

constexpr std::u32string_view kDot = U"DOT", kMulti = U"MULTI";

bool between(char32_t c, char32_t first, char32_t last) { return c - first <= last - first; }
bool is_digit(char32_t c) { return between(c, '0', '9'); }
bool is_lower(char32_t c) { return between(c, 'a', 'z'); }

// METEOR's letters: Latin, Cyrillic and phonetic ones, by ranges.
bool is_letter(char32_t c) {
    if (c < 0x80) return is_lower(c | 0x20);
    return (between(c, 0xC0, 0x17E) && c != 0xD7 && c != 0xF7) || between(c, 0x400, 0x527) ||
           between(c, 0xA640, 0xA66E) || between(c, 0xA67E, 0xA697) || between(c, 0x1D00, 0x1D7F);
}
bool is_letter_or_digit(char32_t c) { return is_letter(c) || is_digit(c); }

// Java has several: of regular expressions, of its StringTokenizer, and the spaces that METEOR itself lists.
bool is_regex_space(char32_t c) { return c == ' ' || between(c, '\t', '\r'); }
bool separates(char32_t c) { return is_regex_space(c) && c != '\v'; }
bool is_listed_space(char32_t c) {
    return c == ' ' || c == 0xA0 || between(c, 0x2000, 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

class Normalizer {
  public:
    // A rule is left out where the line has nothing for it.
    std::u32string_view run(std::string_view line, const MeteorText& options) {
        read(line);
        if (line.find("..") != line.npos || line.find("DOTMULTI.") != line.npos) hide_runs_of_dots();
        split_commas();
        if (quotes_) unify_quotes();
        if (hyphens_) split_hyphens();
        if (quotes_) split_apostrophes(options.elision);
        split_words();
        split_periods(options.prefixes);
        if (std::search(text_.begin(), text_.end(), kMulti.begin(), kMulti.end()) != text_.end()) show_runs_of_dots();
        const bool bare = options.normalize == Normalize::nopunct;
        std::replace_if(
            text_.begin(), text_.end(),
            [&](char32_t c) { return is_listed_space(c) || (bare && !is_letter_or_digit(c)); }, U' ');
        return trimmed();
    }

  private:
    // Spaces around whatever is no letter, digit, space or mark that has a rule of its own.
    void read(std::string_view line) {
        commas_ = {};
        hyphens_ = quotes_ = false;
        grow(next_, 3 * line.size() + 2);
        out_ = next_.data();
        put(U' ');
        char32_t last = ' ', before = ' ';
        for (size_t i = 0; i < line.size();) {
            const char32_t c = next_char(line, i);
            if (last == ',') commas_[is_digit(before)][is_digit(c)] = true;
            before = last, last = c;
            if (is_letter_or_digit(c) || is_regex_space(c) || c == '.' || c == ',') {
                put(c);
                continue;
            }
            const bool quote = c == '\'' || c == '`' || c == U'‘' || c == U'’';
            hyphens_ |= c == '-' || c == U'–', quotes_ |= quote || c == U'“' || c == U'”';
            quote || c == '-' ? put(c) : put(U' ', c, U' ');
        }
        if (last == ',') commas_[is_digit(before)][0] = true;
        put(U' ');
        swap();
    }

    bool at(size_t i, std::u32string_view word) const {
        return i + word.size() <= text_.size() && std::equal(word.begin(), word.end(), text_.begin() + i);
    }

    // Two dots or more become a word, DOTDOTMULTI, until all other rules have run.
    void hide_runs_of_dots() {
        rewrite(7, [&](size_t i) {
            size_t end = i;
            while (end < text_.size() && text_[end] == '.') ++end;
            const bool after_such = end == i + 1 && i >= 8 && at(i - 8, U"DOTMULTI");
            if (end < i + 2 && !after_such) return put(text_[i]), size_t{1};
            if (after_such) {
                out_ -= kMulti.size();
            } else {
                put(U' ');
            }
            for (size_t k = i; k < end; ++k) put_all(kDot);
            put_all(kMulti);
            put(U' ');
            return end - i;
        });
    }

    // Such words that the text had from the start turn into dots as well.
    void show_runs_of_dots() {
        rewrite(1, [&](size_t i) {
            size_t end = i;
            while (at(end, kDot)) end += kDot.size();
            if (end == i) return put(text_[i]), size_t{1};
            if (!at(end, kMulti)) return put_all({text_.data() + i, end - i}), end - i;
            out_ = std::fill_n(out_, (end - i) / kDot.size(), U'.');
            return end - i + kMulti.size();
        });
    }

    // (left)mark(right): what stands for the mark, where both sides fit.
    template <class Left, class Right>
    void split_at(char32_t mark, const Left& left, const Right& right, std::u32string_view with) {
        rewrite(2, [&](size_t i) {
            if (i + 2 >= text_.size() || text_[i + 1] != mark || !left(text_[i]) || !right(text_[i + 2]))
                return put(text_[i]), size_t{1};
            put(text_[i]);
            put_all(with);
            put(text_[i + 2]);
            return size_t{3};
        });
    }

    void split_commas() {
        const auto other = [](char32_t c) { return !is_digit(c); };
        if (commas_[0][0]) split_at(',', other, other, U" , ");
        if (commas_[1][0]) split_at(',', is_digit, other, U" , ");
        if (commas_[0][1]) split_at(',', other, is_digit, U" , ");
    }

    void unify_quotes() {
        std::replace_if(
            text_.begin(), text_.end(), [](char32_t c) { return c == '`' || c == U'‘' || c == U'’'; }, U'\'');
        rewrite(3, [&](size_t i) {
            if (text_[i] == U'“' || text_[i] == U'”') return put(U' ', U'"', U' '), size_t{1};
            if (at(i, U"''")) return put(U' ', U'"', U' '), size_t{2};
            return put(text_[i]), size_t{1};
        });
    }

    void split_hyphens() {
        std::replace(text_.begin(), text_.end(), U'–', U'-');
        rewrite(1, [&](size_t i) { return put(text_[i]), at(i, U"--") ? size_t{2} : size_t{1}; });
        split_at('-', [](char32_t c) { return is_letter_or_digit(c) || c == '.'; }, is_letter_or_digit, U" ");
    }

    void split_apostrophes(Elision how) {
        if (how == Elision::alone) {
            rewrite(3, [&](size_t i) {
                return text_[i] == '\'' ? put(U' ', U'\'', U' ') : put(text_[i]), size_t{1};
            });
            return;
        }
        const auto other = [](char32_t c) { return !is_letter(c); };
        const auto neither = [](char32_t c) { return !is_letter_or_digit(c); };
        split_at('\'', other, other, U" ' ");
        if (how == Elision::right) {
            split_at('\'', neither, is_letter, U" ' ");
        } else {
            split_at('\'', other, is_letter, U" ' ");
        }
        split_at('\'', is_letter, other, U" ' ");
        split_at('\'', is_letter, is_letter, how == Elision::right ? U" '" : U"' ");
        if (how == Elision::right) split_at('\'', is_digit, [](char32_t c) { return c == 's'; }, U" '");
    }

    void split_words() {
        words_.clear();
        size_t begin = 0;
        for (size_t i = 0; i <= text_.size(); ++i) {
            if (i < text_.size() && !separates(text_[i])) continue;
            if (i > begin) words_.emplace_back(begin, i);
            begin = i + 1;
        }
    }

    // What becomes of the period that ends a word: an acronym loses all of its own.
    enum class Period { goes, stays, splits };

    Period period(size_t w, const std::unordered_map<std::string, int>& prefixes) {
        const auto [begin, end] = words_[w];
        bool dot = false, letter = false;
        prefix_.clear();
        for (size_t i = begin; i + 1 < end; ++i) {
            dot |= text_[i] == '.';
            letter |= is_letter(text_[i]);
            append_utf8(prefix_, text_[i]);
        }
        if (dot && letter) return Period::goes;
        const auto found = prefixes.find(prefix_);
        const int kind = found == prefixes.end() ? 0 : found->second;
        const char32_t next = w + 1 < words_.size() ? text_[words_[w + 1].first] : 0;
        return kind == 1 || is_lower(next) || (kind == 2 && is_digit(next)) ? Period::stays : Period::splits;
    }

    void split_periods(const std::unordered_map<std::string, int>& prefixes) {
        grow(next_, 2 * text_.size());
        out_ = next_.data();
        for (size_t w = 0; w < words_.size(); ++w) {
            const auto [begin, end] = words_[w];
            const std::u32string_view word(text_.data() + begin, end - begin);
            const Period what = word.size() > 1 && word.back() == '.' ? period(w, prefixes) : Period::stays;
            if (what == Period::goes) {
                out_ = std::remove_copy(word.begin(), word.end(), out_, U'.');
            } else {
                put_all(what == Period::stays ? word : word.substr(0, word.size() - 1));
            }
            what == Period::splits ? put(U' ', U'.', U' ') : put(U' ');
        }
        swap();
    }

    // Java's trim: control characters at the ends go with the spaces.
    std::u32string_view trimmed() const {
        const auto kept = [](char32_t c) { return c > ' '; };
        const auto first = std::find_if(text_.begin(), text_.end(), kept);
        const auto last = std::find_if(text_.rbegin(), std::make_reverse_iterator(first), kept).base();
        return {text_.data() + (first - text_.begin()), static_cast<size_t>(last - first)};
    }

    // Builds the next text: `step(i)` puts what stands for the characters from i on, at most `growth` times as many,
    // and returns how many they are.
    template <class Step>
    void rewrite(size_t growth, const Step& step) {
        grow(next_, growth * text_.size());
        out_ = next_.data();
        for (size_t i = 0; i < text_.size();) i += step(i);
        swap();
    }
    template <class... C>
    void put(C... c) {
        ((*out_++ = static_cast<char32_t>(c)), ...);
    }
    void put_all(std::u32string_view text) { out_ = std::copy(text.begin(), text.end(), out_); }
    static void grow(Chars& chars, size_t size) {
        if (chars.size() < size) chars.resize(size);
    }
    // The text is the first so many characters of a buffer that only ever grows.
    void swap() {
        const auto size = static_cast<size_t>(out_ - next_.data());
        now_.swap(next_);
        text_ = {now_.data(), size};
        go_on_after(size);
    }

    Chars now_, next_;
    std::span<char32_t> text_;
    char32_t* out_ = nullptr;
    std::array<std::array<bool, 2>, 2> commas_{};  // whether there is one, by digits before and behind
    bool hyphens_ = false, quotes_ = false;
    std::vector<std::pair<size_t, size_t>> words_;  // [begin, end) in text_
    std::string prefix_;
};

// Java's StringTokenizer.
template <class Add>
void split(std::string_view line, const Add& add) {
    size_t begin = 0;
    for (size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && !separates(static_cast<unsigned char>(line[i]))) continue;
        if (i > begin) add(line.substr(begin, i - begin));
        begin = i + 1;
    }
}

struct Scratch {
    Normalizer normalizer;
    std::string text, lowered;
};

}  // namespace

void tokenize_meteor(std::string_view line, const MeteorText& options, TokenBuffer& out) {
    const OfThread<Scratch> scratch;
    auto& [normalizer, text, lowered] = *scratch;
    if (options.normalize == Normalize::full || options.normalize == Normalize::nopunct) {
        text.clear();
        for (const char32_t c : normalizer.run(line, options)) append_utf8(text, c);
        line = text;
    }
    if (options.normalize != Normalize::none) {
        lowered.clear();
        append_lower(line, Lower::python, lowered);
        line = lowered;
    }
    split(line, [&](std::string_view word) { out.add(word); });
}

}  // namespace tercet
