// What the stemmers are written with: endings by the longest match, regions of a word, letters.
//
// An algorithm takes endings off one after the other. Which ending counts is decided by the longest match, and
// only then is asked whether it begins in the region that the rule wants, and what stands before it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tercet::stemming {

using Text = std::u16string;
using View = std::u16string_view;

inline constexpr size_t kNowhere = View::npos;

inline bool in(char16_t letter, View letters) { return letters.find(letter) != View::npos; }

// Whether the last letter, which stands at `from` or later, is one of these.
inline bool ends_in(View text, View letters, size_t from = 0) {
    return text.size() > from && in(text.back(), letters);
}

// Whether there is a last letter, at `from` or later, and it is none of these.
inline bool ends_outside(View text, View letters, size_t from = 0) {
    return text.size() > from && !in(text.back(), letters);
}

// An ending that was found: where it begins, and what to do about it.
struct Found {
    size_t at = kNowhere;
    int rule = 0;
    explicit operator bool() const { return at != kNowhere; }
};

class Endings {
  public:
    struct Group {
        int rule;
        View endings;  // with single spaces between them; they must outlive the table
    };

    Endings(std::initializer_list<Group> groups) {
        for (const auto& [rule, endings] : groups) {
            for (size_t begin = 0; begin < endings.size();) {
                const size_t end = std::min(endings.find(u' ', begin), endings.size());
                entries_.push_back({endings.substr(begin, end - begin), rule});
                begin = end + 1;
            }
        }
        std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
            const char16_t x = a.ending.back(), y = b.ending.back();
            return x != y ? x < y : a.ending.size() > b.ending.size();
        });
    }
    explicit Endings(View endings) : Endings({{0, endings}}) {}

    // The longest that ends the text and begins at `from` or later.
    Found of(View text, size_t from = 0) const {
        if (text.size() <= from) return {};
        const char16_t last = text.back();
        auto entry = std::partition_point(entries_.begin(), entries_.end(),
                                          [&](const Entry& e) { return e.ending.back() < last; });
        for (; entry != entries_.end() && entry->ending.back() == last; ++entry) {
            const View ending = entry->ending;
            if (ending.size() <= text.size() - from && text.ends_with(ending))
                return {text.size() - ending.size(), entry->rule};
        }
        return {};
    }

  private:
    struct Entry {
        View ending;
        int rule;
    };
    std::vector<Entry> entries_;  // by last letter, then longest first
};

// A word with the places where its regions begin: RV, R1 and R2 in the words of Snowball.
struct Word {
    Text& text;
    size_t pv = 0, p1 = 0, p2 = 0;

    explicit Word(Text& t) : text(t) {}

    View before(size_t end) const { return View(text).substr(0, end); }
    bool ends_with(View ending) const { return text.ends_with(ending); }

    bool cut(size_t at) { return text.resize(at), true; }
    bool put(size_t at, View instead) { return text.replace(at, kNowhere, instead), true; }

    // Take off this ending if the word has it and it begins at `from` or later; say whether.
    bool cut(View ending, size_t from) {
        const size_t begin = text.size() - ending.size();
        return text.ends_with(ending) && begin >= from && cut(begin);
    }
};

// The place behind the first letter from `at` on that is (or is not) one of these.
inline size_t past(View text, size_t at, View letters, bool wanted = true) {
    if (at == kNowhere) return kNowhere;
    while (at < text.size())
        if (in(text[at++], letters) == wanted) return at;
    return kNowhere;
}

// The place behind the first vowel from `at` on and the first consonant after it.
inline size_t past_syllable(View text, size_t at, View vowels) {
    return past(text, past(text, at, vowels), vowels, false);
}

inline void mark_r1_r2(Word& word, View vowels) {
    const size_t p1 = past_syllable(word.text, 0, vowels), p2 = past_syllable(word.text, p1, vowels);
    word.p1 = std::min(p1, word.text.size());
    word.p2 = std::min(p2, word.text.size());
}

// RV of Spanish, Portuguese, Italian and Romanian: behind the next vowel if the second letter is a consonant,
// behind the next consonant if the word begins with two vowels, else behind the third letter.
inline void mark_rv(Word& word, View vowels) {
    const View text = word.text;
    word.pv = text.size();
    if (text.size() < 2) return;
    const bool first = in(text[0], vowels), second = in(text[1], vowels);
    const size_t pv = !second ? past(text, 2, vowels) : first ? past(text, 2, vowels, false) : 3;
    word.pv = std::min(pv, text.size());
}

// Writes the letters `from` between two vowels as their counterparts in `to`, so that they count as consonants.
inline void mark_between_vowels(Text& text, View vowels, View from, View to) {
    for (size_t i = 1; i + 1 < text.size(); ++i) {
        const size_t which = from.find(text[i]);
        if (which != View::npos && in(text[i - 1], vowels) && in(text[i + 1], vowels)) text[i] = to[which];
    }
}

// Writes each letter of `from` as its counterpart in `to`.
inline void rewrite(Text& text, View from, View to) {
    for (char16_t& letter : text) {
        const size_t which = from.find(letter);
        if (which != View::npos) letter = to[which];
    }
}

}  // namespace tercet::stemming
