// The Moses tokeniser (scripts/tokenizer/tokenizer.perl), one pass for each of its substitutions.
//
// Letters are Perl's: the Devanagari virama and nukta are none, so that Hindi words fall apart as they did
// in the baselines of WMT14.
#include "text/tokenize.hpp"

namespace tercet {

namespace {

using namespace unicode;

// A dot of an ellipsis while the other rules run: no character of any text, and without properties.
constexpr char32_t kEllipsisDot = 0x110000;

unsigned short properties(char32_t c) { return c == kEllipsisDot ? 0 : flags(c); }
bool has(char32_t c, unsigned short property) { return (properties(c) & property) != 0; }

class Moses {
  public:
    void run(std::string_view line, const MosesOptions& options, TokenBuffer& out) {
        read(line);
        separate_special_characters(options.word_internal);
        if (options.aggressive) split_hyphens();
        if (periods_) keep_ellipses();
        if (commas_) split_commas();
        if (apostrophes_) split_apostrophes(options.apostrophe);
        split_words();
        split_periods(options.prefixes);
        write(options.escape, out);
    }

  private:
    using Words = std::vector<std::pair<size_t, size_t>>;  // [begin, end) in text_

    // White space becomes one space, control characters go, and so does what then stands at the ends.
    void read(std::string_view line) {
        text_.clear();
        periods_ = commas_ = apostrophes_ = false;
        bool white = false;
        for (size_t i = 0; i < line.size();) {
            const char32_t c = next_char(line, i);
            if (has(c, k_white_space)) {
                white = true;
            } else {
                if (white && !text_.empty() && text_.back() != ' ') text_.push_back(' ');
                white = false;
                if (c > 31) text_.push_back(c);
                periods_ |= c == '.';
                commas_ |= c == ',';
                apostrophes_ |= c == '\'';
            }
        }
        if (!text_.empty() && text_.back() == ' ') text_.pop_back();
    }

    void separate_special_characters(char32_t internal) {
        rewrite([&](size_t i) {
            const char32_t c = text_[i];
            const bool kept = has(c, k_alphanumeric | k_white_space) || c == '.' || c == '\'' || c == '`' || c == ',' ||
                              c == '-' || c == internal;
            return kept ? put(c) : put(U' ', c, U' '), size_t{1};
        });
        // The middle dot of Catalan is never taken off again: tokenizer.perl means to, but its source is read
        // as Latin-1, so that the pattern is two characters long.
        if (internal == ':' || internal == '\'') {
            rewrite([&](size_t i) {
                const bool inside = i + 1 < text_.size() && has(text_[i + 1], k_lower_letter);
                return text_[i] == internal && !inside ? put(U' ', internal, U' ') : put(text_[i]), size_t{1};
            });
        }
    }

    void split_hyphens() {
        rewrite([&](size_t i) {
            if (i + 2 < text_.size() && text_[i + 1] == '-' && has(text_[i], k_alphanumeric) &&
                has(text_[i + 2], k_alphanumeric))
                return put(text_[i], U' ', U'@', U'-', U'@', U' '), size_t{2};
            return put(text_[i]), size_t{1};
        });
    }

    void keep_ellipses() {
        rewrite([&](size_t i) {
            size_t end = i;
            while (end < text_.size() && text_[end] == '.') ++end;
            if (end - i < 2) return put(text_[i]), size_t{1};
            put(U' ');
            for (size_t k = i; k < end; ++k) put(kEllipsisDot);
            put(U' ');
            return end - i;
        });
    }

    void split_commas() {
        rewrite([&](size_t i) {
            if (i + 1 < text_.size() && text_[i + 1] == ',' && !has(text_[i], k_number))
                return put(text_[i], U' ', U',', U' '), size_t{2};
            return put(text_[i]), size_t{1};
        });
        rewrite([&](size_t i) {
            if (i + 1 < text_.size() && text_[i] == ',' && !has(text_[i + 1], k_number))
                return put(U' ', U',', U' ', text_[i + 1]), size_t{2};
            return put(text_[i]), size_t{1};
        });
        const size_t n = text_.size();
        if (n >= 2 && text_[n - 1] == ',' && has(text_[n - 2], k_number)) text_.insert(text_.end() - 1, U' ');
    }

    // (left)'(right) -> left, then the apostrophe with or without a space on each side, then right.
    template <class Left, class Right>
    void apostrophe_pass(Left left, Right right, bool space_before, bool space_after) {
        rewrite([&](size_t i) {
            if (i + 2 >= text_.size() || text_[i + 1] != '\'' || !left(text_[i]) || !right(text_[i + 2]))
                return put(text_[i]), size_t{1};
            put(text_[i]);
            if (space_before) put(U' ');
            put(U'\'');
            if (space_after) put(U' ');
            put(text_[i + 2]);
            return size_t{3};
        });
    }

    void split_apostrophes(Apostrophe how) {
        const auto letter = [](char32_t c) { return has(c, k_alphabetic); };
        const auto other = [](char32_t c) { return !has(c, k_alphabetic); };
        const auto neither = [](char32_t c) { return !has(c, k_alphabetic | k_number); };
        const auto number = [](char32_t c) { return has(c, k_number); };
        const auto letter_s = [](char32_t c) { return c == 's'; };
        if (how == Apostrophe::alone) {
            rewrite([&](size_t i) {
                return text_[i] == '\'' ? put(U' ', U'\'', U' ') : put(text_[i]), size_t{1};
            });
            return;
        }
        apostrophe_pass(other, other, true, true);
        if (how == Apostrophe::splits_right) {
            apostrophe_pass(neither, letter, true, true);
        } else {
            apostrophe_pass(other, letter, true, true);
        }
        apostrophe_pass(letter, other, true, true);
        if (how == Apostrophe::splits_right) {
            apostrophe_pass(letter, letter, true, false);
            apostrophe_pass(number, letter_s, true, false);
        } else if (how == Apostrophe::splits_left) {
            apostrophe_pass(letter, letter, false, true);
        }
    }

    // Empty words between two spaces count: the word after an abbreviation may be one.
    void split_words() {
        words_.clear();
        size_t begin = 0;
        for (size_t i = 0; i <= text_.size(); ++i) {
            if (i < text_.size() && !has(text_[i], k_white_space)) continue;
            words_.emplace_back(begin, i);
            begin = i + 1;
        }
        while (!words_.empty() && words_.back().first == words_.back().second) words_.pop_back();
    }

    bool keeps_period(size_t w, const std::unordered_map<std::string, int>& prefixes) {
        const auto [begin, end] = words_[w];
        bool dot = false, letters = false;
        prefix_.clear();
        for (size_t i = begin; i + 1 < end; ++i) {
            dot |= text_[i] == '.';
            letters |= has(text_[i], k_alphabetic);
            append_utf8(prefix_, text_[i] == kEllipsisDot ? U'.' : text_[i]);
        }
        if (dot && letters) return true;
        const auto found = prefixes.find(prefix_);
        const int kind = found == prefixes.end() ? 0 : found->second;
        const auto [next, next_end] = words_[w + 1];
        const char32_t first = next < next_end ? text_[next] : 0;
        return kind == 1 || has(first, k_lowercase) || (kind == 2 && first >= '0' && first <= '9');
    }

    void split_periods(const std::unordered_map<std::string, int>& prefixes) {
        next_.clear();
        for (size_t w = 0; w < words_.size(); ++w) {
            const auto [begin, end] = words_[w];
            if (begin == end) continue;
            if (!next_.empty()) next_.push_back(U' ');
            const bool period = end - begin >= 2 && text_[end - 1] == '.';
            const bool split = period && (w + 1 == words_.size() || !keeps_period(w, prefixes));
            next_.insert(next_.end(), text_.begin() + begin, text_.begin() + end - (split ? 1 : 0));
            if (split) next_.insert(next_.end(), {U' ', U'.'});
        }
        text_.swap(next_);
        const size_t n = text_.size();
        if (n >= 2 && text_[n - 2] == '.' && text_[n - 1] == '\'') {
            text_.resize(n - 2);
            text_.insert(text_.end(), {U' ', U'.', U' ', U'\''});
        }
    }

    void write(bool escape, TokenBuffer& out) {
        word_.clear();
        for (size_t i = 0; i <= text_.size(); ++i) {
            if (i == text_.size() || text_[i] == ' ') {
                if (!word_.empty()) out.add(word_);
                word_.clear();
            } else {
                append(text_[i], escape);
            }
        }
    }

    void append(char32_t c, bool escape) {
        if (c == kEllipsisDot) {
            word_ += '.';
            return;
        }
        const char* entity = nullptr;
        if (escape) {
            switch (c) {
                case '&': entity = "&amp;"; break;
                case '|': entity = "&#124;"; break;
                case '<': entity = "&lt;"; break;
                case '>': entity = "&gt;"; break;
                case '\'': entity = "&apos;"; break;
                case '"': entity = "&quot;"; break;
                case '[': entity = "&#91;"; break;
                case ']': entity = "&#93;"; break;
                default: break;
            }
        }
        if (entity != nullptr) {
            word_ += entity;
        } else {
            append_utf8(word_, c);
        }
    }

    // Builds the next text: `step(i)` puts what stands for the characters from i on and returns how many.
    template <class Step>
    void rewrite(const Step& step) {
        next_.resize(4 * text_.size());  // no rule makes more than four characters of one
        out_ = next_.data();
        for (size_t i = 0; i < text_.size();) i += step(i);
        next_.resize(static_cast<size_t>(out_ - next_.data()));
        text_.swap(next_);
        go_on_after(text_.size());
    }
    template <class... C>
    void put(C... c) {
        ((*out_++ = static_cast<char32_t>(c)), ...);
    }

    Chars text_, next_;
    char32_t* out_ = nullptr;
    bool periods_ = false, commas_ = false, apostrophes_ = false;
    Words words_;
    std::string word_, prefix_;
};

}  // namespace

void tokenize_moses(std::string_view line, const MosesOptions& options, TokenBuffer& out) {
    const OfThread<Moses> moses;
    (*moses).run(line, options, out);
}

}  // namespace tercet
