// Porter 1980, *An algorithm for suffix stripping*, as nltk.stem.PorterStemmer follows it by default. A step has a list
// of endings; the first that the word has decides, whether or not its condition then holds.
#include "text/porter.hpp"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace tercet {

namespace {

using View = std::string_view;

bool is_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

// A y is a consonant at the start and after a vowel.
bool is_consonant(View word, size_t at) {
    bool turned = false;
    for (; at > 0 && word[at] == 'y'; --at) turned = !turned;
    return is_vowel(word[at]) == turned;
}

// How often a consonant follows a vowel: Porter's m.
int measure(View stem) {
    int changes = 0;
    bool vowel_before = false;
    for (size_t i = 0; i < stem.size(); ++i) {
        const bool vowel = is_vowel(stem[i]) || (stem[i] == 'y' && i > 0 && !vowel_before);
        changes += vowel_before && !vowel;
        vowel_before = vowel;
    }
    return changes;
}

bool has_vowel(View stem) {
    for (size_t i = 0; i < stem.size(); ++i)  // a y behind a consonant is one, and only the first consonant can matter
        if (is_vowel(stem[i]) || (stem[i] == 'y' && i > 0)) return true;
    return false;
}

bool ends_in_double_consonant(View word) {
    const size_t size = word.size();
    return size >= 2 && word[size - 1] == word[size - 2] && is_consonant(word, size - 1);
}

// Consonant, vowel, consonant, the last not w, x or y; or a word of a vowel and a consonant.
bool ends_short(View word) {
    const size_t size = word.size();
    if (size == 2) return !is_consonant(word, 0) && is_consonant(word, 1);
    if (size < 3) return false;
    const char last = word[size - 1];
    return is_consonant(word, size - 3) && !is_consonant(word, size - 2) && is_consonant(word, size - 1) &&
           last != 'w' && last != 'x' && last != 'y';
}

View without(const std::string& word, View ending) { return View(word).substr(0, word.size() - ending.size()); }

void put(std::string& word, View ending, View instead) { word.replace(word.size() - ending.size(), ending.size(), instead); }

struct Rule {
    View ending, instead;
};

// The first rule whose ending the word has; it changes the word only if what is left has a measure above `least`.
void apply(std::string& word, std::initializer_list<Rule> rules, int least) {
    for (const auto& [ending, instead] : rules) {
        if (!word.ends_with(ending)) continue;
        if (measure(without(word, ending)) > least) put(word, ending, instead);
        return;
    }
}

bool irregular(std::string& word) {
    static constexpr Rule forms[] = {
        {"sky", "sky"},         {"skies", "sky"},      {"dying", "die"},         {"lying", "lie"},
        {"tying", "tie"},       {"news", "news"},      {"innings", "inning"},    {"inning", "inning"},
        {"outings", "outing"},  {"outing", "outing"},  {"cannings", "canning"},  {"canning", "canning"},
        {"howe", "howe"},       {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"}};
    for (const auto& [form, stem] : forms)
        if (word == form) return word = stem, true;
    return false;
}

void plurals(std::string& word) {  // 1a
    if (word.ends_with("ies")) return put(word, "ies", word.size() == 4 ? "ie" : "i");
    if (word.ends_with("sses")) return put(word, "sses", "ss");
    if (word.ends_with("s") && !word.ends_with("ss")) word.pop_back();
}

void past_and_ing(std::string& word) {  // 1b
    if (word.ends_with("ied")) return put(word, "ied", word.size() == 4 ? "ie" : "i");
    if (word.ends_with("eed")) {
        if (measure(without(word, "eed")) > 0) word.pop_back();
        return;
    }
    const View ending = word.ends_with("ed") ? "ed" : "ing";
    if (!word.ends_with(ending) || !has_vowel(without(word, ending))) return;
    put(word, ending, "");
    if (word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz")) {
        word += 'e';
    } else if (ends_in_double_consonant(word)) {
        const char last = word.back();
        if (last != 'l' && last != 's' && last != 'z') word.pop_back();
    } else if (measure(word) == 1 && ends_short(word)) {
        word += 'e';
    }
}

void last_y(std::string& word) {  // 1c
    if (word.size() > 2 && word.ends_with("y") && is_consonant(word, word.size() - 2)) word.back() = 'i';
}

void long_endings(std::string& word) {  // 2
    while (word.ends_with("alli") && measure(without(word, "alli")) > 0) put(word, "alli", "al");
    for (const Rule& rule : {Rule{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},    {"anci", "ance"},
                             {"izer", "ize"},        {"bli", "ble"},     {"alli", "al"},      {"entli", "ent"},
                             {"eli", "e"},           {"ousli", "ous"},   {"ization", "ize"},  {"ation", "ate"},
                             {"ator", "ate"},        {"alism", "al"},    {"iveness", "ive"},  {"fulness", "ful"},
                             {"ousness", "ous"},     {"aliti", "al"},    {"iviti", "ive"},    {"biliti", "ble"},
                             {"fulli", "ful"},       {"logi", "log"}}) {
        if (!word.ends_with(rule.ending)) continue;
        const size_t cut = rule.ending == "logi" ? 3 : rule.ending.size();  // the l counts with what is before it
        if (measure(View(word).substr(0, word.size() - cut)) > 0) put(word, rule.ending, rule.instead);
        return;
    }
}

void ion_and_others(std::string& word) {  // 4
    const size_t size = word.size();
    if (word.ends_with("ion")) {
        const bool fits = size > 3 && (word[size - 4] == 's' || word[size - 4] == 't');
        if (fits && measure(without(word, "ion")) > 1) put(word, "ion", "");
        return;
    }
    apply(word,
          {{"al", ""},    {"ance", ""}, {"ence", ""}, {"er", ""},  {"ic", ""},  {"able", ""}, {"ible", ""},
           {"ant", ""},   {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ou", ""},  {"ism", ""},  {"ate", ""},
           {"iti", ""},   {"ous", ""},  {"ive", ""},  {"ize", ""}},
          1);
}

void last_e_and_l(std::string& word) {  // 5
    if (word.ends_with("e")) {
        const View stem = without(word, "e");
        const int m = measure(stem);
        if (m > 1 || (m == 1 && !ends_short(stem))) word.pop_back();
    }
    if (word.ends_with("ll") && measure(View(word).substr(0, word.size() - 1)) > 1) word.pop_back();
}

}  // namespace

void stem_porter(std::string& word) {
    if (word.size() <= 2 || irregular(word)) return;
    plurals(word);
    past_and_ing(word);
    last_y(word);
    long_endings(word);
    apply(word,
          {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""}},
          0);
    ion_and_others(word);
    last_e_and_l(word);
}

}  // namespace tercet
