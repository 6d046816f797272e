// Porter 1980, *An algorithm for suffix stripping*, with the two changes of his own program: -bli for -abli, and -logi.
// A step has a list of endings; the first that the word has decides, whether or not its condition then holds.
#include <initializer_list>

#include "text/stemmers.hpp"
#include "text/stemming.hpp"

namespace tercet {

namespace {

using namespace stemming;

// A y is a consonant at the start and after a vowel; whatever is no Latin letter is one.
bool is_consonant(View word, size_t at) {
    bool turned = false;
    for (; at > 0 && word[at] == u'y'; --at) turned = !turned;
    return in(word[at], u"aeiou") == turned;
}

// How often a consonant follows a vowel: Porter's m.
int measure(View stem) {
    int changes = 0;
    bool vowel_before = false;
    for (size_t i = 0; i < stem.size(); ++i) {
        const bool vowel = in(stem[i], u"aeiou") || (stem[i] == u'y' && i > 0 && !vowel_before);
        changes += vowel_before && !vowel;
        vowel_before = vowel;
    }
    return changes;
}

bool has_vowel(View stem) {
    for (size_t i = 0; i < stem.size(); ++i)
        if (!is_consonant(stem, i)) return true;
    return false;
}

bool ends_double(View word) {
    const size_t size = word.size();
    return size >= 2 && word[size - 1] == word[size - 2] && is_consonant(word, size - 1);
}

// Consonant, vowel, consonant, the last not w, x or y.
bool ends_short(View word) {
    const size_t size = word.size();
    return size >= 3 && is_consonant(word, size - 3) && !is_consonant(word, size - 2) &&
           is_consonant(word, size - 1) && !in(word.back(), u"wxy");
}

struct Rule {
    View ending, instead;
};

View without(const Text& word, View ending) { return View(word).substr(0, word.size() - ending.size()); }

void put(Text& word, View ending, View instead) {
    word.replace(word.size() - ending.size(), ending.size(), instead);
}

// The first rule whose ending the word has; it changes the word only if what is left has a measure above `least`.
void apply(Text& word, std::initializer_list<Rule> rules, int least) {
    for (const auto& [ending, instead] : rules) {
        if (!word.ends_with(ending)) continue;
        if (measure(without(word, ending)) > least) put(word, ending, instead);
        return;
    }
}

void plurals(Text& word) {  // 1a
    if (word.ends_with(u"sses")) return put(word, u"sses", u"ss");
    if (word.ends_with(u"ies")) return put(word, u"ies", u"i");
    if (word.ends_with(u"s") && !word.ends_with(u"ss")) word.pop_back();
}

void past_and_ing(Text& word) {  // 1b
    if (word.ends_with(u"eed")) {
        if (measure(without(word, u"eed")) > 0) word.pop_back();
        return;
    }
    const View ending = word.ends_with(u"ed") ? u"ed" : u"ing";
    if (!word.ends_with(ending) || !has_vowel(without(word, ending))) return;
    put(word, ending, u"");
    if (word.ends_with(u"at") || word.ends_with(u"bl") || word.ends_with(u"iz")) {
        word += u'e';
    } else if (ends_double(word)) {
        if (!in(word.back(), u"lsz")) word.pop_back();
    } else if (measure(word) == 1 && ends_short(word)) {
        word += u'e';
    }
}

void last_y(Text& word) {  // 1c
    if (word.ends_with(u"y") && has_vowel(without(word, u"y"))) word.back() = u'i';
}

void ion_and_others(Text& word) {  // 4
    if (word.ends_with(u"ion")) {
        const View stem = without(word, u"ion");
        if (ends_in(stem, u"st") && measure(stem) > 1) put(word, u"ion", u"");
        return;
    }
    apply(word,
          {{u"al", u""},    {u"ance", u""}, {u"ence", u""}, {u"er", u""},  {u"ic", u""}, {u"able", u""}, {u"ible", u""},
           {u"ant", u""},   {u"ement", u""}, {u"ment", u""}, {u"ent", u""}, {u"ou", u""}, {u"ism", u""},  {u"ate", u""},
           {u"iti", u""},   {u"ous", u""},  {u"ive", u""},  {u"ize", u""}},
          1);
}

void last_e_and_l(Text& word) {  // 5
    if (word.ends_with(u"e")) {
        const View stem = without(word, u"e");
        const int m = measure(stem);
        if (m > 1 || (m == 1 && !ends_short(stem))) word.pop_back();
    }
    if (word.ends_with(u"ll") && measure(word) > 1) word.pop_back();
}

}  // namespace

void stem_porter(Text& word) {
    if (word.size() <= 2) return;
    plurals(word);
    past_and_ing(word);
    last_y(word);
    apply(word,
          {{u"ational", u"ate"}, {u"tional", u"tion"}, {u"enci", u"ence"},   {u"anci", u"ance"},  {u"izer", u"ize"},
           {u"bli", u"ble"},     {u"alli", u"al"},     {u"entli", u"ent"},   {u"eli", u"e"},      {u"ousli", u"ous"},
           {u"ization", u"ize"}, {u"ation", u"ate"},   {u"ator", u"ate"},    {u"alism", u"al"},   {u"iveness", u"ive"},
           {u"fulness", u"ful"}, {u"ousness", u"ous"}, {u"aliti", u"al"},    {u"iviti", u"ive"},  {u"biliti", u"ble"},
           {u"logi", u"log"}},
          0);
    apply(word,
          {{u"icate", u"ic"}, {u"ative", u""}, {u"alize", u"al"}, {u"iciti", u"ic"}, {u"ical", u"ic"}, {u"ful", u""},
           {u"ness", u""}},
          0);
    ion_and_others(word);
    last_e_and_l(word);
}

}  // namespace tercet
