// English (Porter2), German, Dutch, Danish, Norwegian and Swedish, after the descriptions on snowballstem.org.
#include "text/stemmers.hpp"
#include "text/stemming.hpp"

namespace tercet {

using namespace stemming;

namespace {

namespace english {

constexpr View kVowels = u"aeiouy";

// A vowel between consonants, the last of them none of w, x, Y; or a vowel and a consonant that are all there is.
bool ends_short(View text) {
    const size_t n = text.size();
    if (n < 2 || !in(text[n - 2], kVowels) || in(text[n - 1], kVowels)) return false;
    return n == 2 || (!in(text[n - 3], kVowels) && !in(text[n - 1], u"wxY"));
}

bool has_vowel(View text) { return text.find_first_of(kVowels) != View::npos; }

// Words that the rules would spoil. Whether this was one of them.
bool is_exception(Text& text) {
    static constexpr std::pair<View, View> kChanged[] = {
        {u"skis", u"ski"},     {u"skies", u"sky"},   {u"dying", u"die"},   {u"lying", u"lie"},
        {u"tying", u"tie"},    {u"idly", u"idl"},    {u"gently", u"gentl"}, {u"ugly", u"ugli"},
        {u"early", u"earli"},  {u"only", u"onli"},   {u"singly", u"singl"}};
    static constexpr View kKept[] = {u"sky", u"news", u"howe", u"atlas", u"cosmos", u"bias", u"andes"};
    for (const auto& [word, stem] : kChanged)
        if (text == word) return text = stem, true;
    return std::find(std::begin(kKept), std::end(kKept), text) != std::end(kKept);
}

bool stays_without_s(View text) {
    static constexpr View kWords[] = {u"inning",  u"outing",  u"canning", u"herring",
                                      u"earring", u"proceed", u"exceed",  u"succeed"};
    return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

// Writes y as Y where it is a consonant. Whether there was one.
bool mark_consonant_y(Text& text) {
    bool found = false;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != u'y' || (i > 0 && !in(text[i - 1], kVowels))) continue;
        text[i] = u'Y';
        found = true;
    }
    return found;
}

void mark_regions(Word& w) {
    size_t p1 = kNowhere;
    for (const View start : {View(u"gener"), View(u"commun"), View(u"arsen")})
        if (w.text.starts_with(start)) p1 = start.size();
    if (p1 == kNowhere) p1 = past_syllable(w.text, 0, kVowels);
    const size_t p2 = past_syllable(w.text, p1, kVowels);
    w.p1 = std::min(p1, w.text.size());
    w.p2 = std::min(p2, w.text.size());
}

void take_plural(Word& w) {
    enum { keep, ss, ie, s };
    static const Endings genitives(u"' 's 's'");
    static const Endings plurals{{ss, u"sses"}, {ie, u"ied ies"}, {s, u"s"}, {keep, u"us ss"}};
    if (const Found found = genitives.of(w.text)) w.cut(found.at);
    const Found found = plurals.of(w.text);
    if (!found) return;
    if (found.rule == ss) w.put(found.at, u"ss");
    if (found.rule == ie) w.put(found.at, found.at >= 2 ? u"i" : u"ie");
    if (found.rule == s && found.at >= 1 && has_vowel(w.before(found.at - 1))) w.cut(found.at);
}

void take_past_and_progressive(Word& w) {
    enum { ee, gone };
    enum { add_e, undouble };
    static const Endings endings{{ee, u"eed eedly"}, {gone, u"ed edly ing ingly"}};
    static const Endings rests{{add_e, u"at bl iz"}, {undouble, u"bb dd ff gg mm nn pp rr tt"}};
    const Found found = endings.of(w.text);
    if (!found) return;
    if (found.rule == ee) {
        if (found.at >= w.p1) w.put(found.at, u"ee");
        return;
    }
    if (!has_vowel(w.before(found.at))) return;
    w.cut(found.at);
    const Found rest = rests.of(w.text);
    if (rest && rest.rule == undouble) {
        w.text.pop_back();
    } else if (rest || (w.text.size() == w.p1 && ends_short(w.text))) {
        w.text += u'e';
    }
}

void y_to_i(Word& w) {
    const size_t n = w.text.size();
    if (n > 2 && in(w.text[n - 1], u"yY") && !in(w.text[n - 2], kVowels)) w.text[n - 1] = u'i';
}

void step_2(Word& w) {
    enum { tion, ence, ance, able, ent, ize, ate, al, ful, ous, ive, ble, og, less, li };
    static constexpr View kInstead[] = {u"tion", u"ence", u"ance", u"able", u"ent", u"ize", u"ate", u"al",
                                        u"ful",  u"ous",  u"ive",  u"ble",  u"og",  u"less"};
    static const Endings endings{
        {tion, u"tional"}, {ence, u"enci"}, {ance, u"anci"}, {able, u"abli"}, {ent, u"entli"},
        {ize, u"izer ization"}, {ate, u"ational ation ator"}, {al, u"alism aliti alli"}, {ful, u"fulness fulli"},
        {ous, u"ousli ousness"}, {ive, u"iveness iviti"}, {ble, u"biliti bli"}, {og, u"ogi"}, {less, u"lessli"},
        {li, u"li"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p1) return;
    const View before = w.before(found.at);
    if (found.rule == li) {
        if (ends_in(before, u"cdeghkmnrt")) w.cut(found.at);
    } else if (found.rule != og || before.ends_with(u'l')) {
        w.put(found.at, kInstead[found.rule]);
    }
}

void step_3(Word& w) {
    enum { tion, ate, al, ic, gone, ative };
    static const Endings endings{{tion, u"tional"}, {ate, u"ational"}, {al, u"alize"}, {ic, u"icate iciti ical"},
                                 {gone, u"ful ness"}, {ative, u"ative"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p1) return;
    switch (found.rule) {
        case tion: w.put(found.at, u"tion"); break;
        case ate: w.put(found.at, u"ate"); break;
        case al: w.put(found.at, u"al"); break;
        case ic: w.put(found.at, u"ic"); break;
        case gone: w.cut(found.at); break;
        default: if (found.at >= w.p2) w.cut(found.at);
    }
}

void step_4(Word& w) {
    enum { gone, ion };
    static const Endings endings{
        {gone, u"al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize"}, {ion, u"ion"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p2) return;
    if (found.rule == gone || ends_in(w.before(found.at), u"st")) w.cut(found.at);
}

void step_5(Word& w) {
    if (w.text.empty()) return;
    const size_t at = w.text.size() - 1;
    const View before = w.before(at);
    const bool e = w.ends_with(u"e") && (at >= w.p2 || (at >= w.p1 && !ends_short(before)));
    const bool l = w.ends_with(u"l") && at >= w.p2 && before.ends_with(u'l');
    if (e || l) w.cut(at);
}

}  // namespace english

}  // namespace

void stem_english(Text& text) {
    using namespace english;
    if (is_exception(text) || text.size() < 3) return;
    if (text.front() == u'\'') text.erase(0, 1);
    const bool marked = mark_consonant_y(text);
    Word w(text);
    mark_regions(w);
    take_plural(w);
    if (!stays_without_s(text)) {
        take_past_and_progressive(w);
        y_to_i(w);
        step_2(w);
        step_3(w);
        step_4(w);
        step_5(w);
    }
    if (marked) rewrite(text, u"Y", u"y");
}

namespace {

// R1 of the other languages here does not begin before the third letter; without three letters there is none.
void mark_r1_from_third(Word& w, View vowels) {
    w.p1 = w.p2 = w.text.size();
    if (w.text.size() < 3) return;
    const size_t p1 = past_syllable(w.text, 0, vowels);
    w.p1 = std::min(std::max<size_t>(p1, 3), w.text.size());
    w.p2 = std::min(past_syllable(w.text, p1, vowels), w.text.size());
}

namespace german {

constexpr View kVowels = u"aeiouyäöü";

void spell_out_sharp_s(Text& text) {
    for (size_t i = text.find(u'ß'); i != Text::npos; i = text.find(u'ß', i)) text.replace(i, 1, u"ss");
}

void take_inflection(Word& w) {
    enum { gone, s };
    static const Endings endings{{gone, u"e em en ern er es"}, {s, u"s"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p1) return;
    if (found.rule == gone || ends_in(w.before(found.at), u"bdfghklmnrt")) w.cut(found.at);
}

void take_comparison(Word& w) {
    enum { gone, st };
    static const Endings endings{{gone, u"en er est"}, {st, u"st"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p1) return;
    if (found.rule == gone || (found.at >= 4 && ends_in(w.before(found.at), u"bdfghklmnt"))) w.cut(found.at);
}

void take_derivation(Word& w) {
    enum { ung, ig, lich, keit };
    static const Endings endings{{ung, u"end ung"}, {ig, u"ig ik isch"}, {lich, u"lich heit"}, {keit, u"keit"}};
    static const Endings before_keit(u"lich ig");
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p2) return;
    if (found.rule == ig && w.before(found.at).ends_with(u'e')) return;
    w.cut(found.at);
    if (found.rule == ung && w.ends_with(u"ig") && !w.ends_with(u"eig")) {
        w.cut(u"ig", w.p2);
    } else if (found.rule == lich) {
        w.cut(u"er", w.p1) || w.cut(u"en", w.p1);
    } else if (found.rule == keit) {
        const Found second = before_keit.of(w.text);
        if (second && second.at >= w.p2) w.cut(second.at);
    }
}

}  // namespace german

}  // namespace

void stem_german(Text& text) {
    using namespace german;
    spell_out_sharp_s(text);
    mark_between_vowels(text, kVowels, u"uy", u"UY");
    Word w(text);
    mark_r1_from_third(w, kVowels);
    take_inflection(w);
    take_comparison(w);
    take_derivation(w);
    rewrite(text, u"YUäöü", u"yuaou");
}

namespace {

namespace dutch {

constexpr View kVowels = u"aeiouyè";

// i between vowels, and y at the beginning or after a vowel, are consonants.
void mark_consonants(Text& text) {
    if (text.starts_with(u'y')) text[0] = u'Y';
    for (size_t i = 1; i < text.size(); ++i) {
        if (!in(text[i - 1], kVowels)) continue;
        if (text[i] == u'y') text[i] = u'Y';
        if (text[i] == u'i' && i + 1 < text.size() && in(text[i + 1], kVowels)) text[i] = u'I';
    }
}

void undouble(Word& w) {
    if (w.ends_with(u"kk") || w.ends_with(u"dd") || w.ends_with(u"tt")) w.text.pop_back();
}

bool take_e(Word& w) {
    if (!w.ends_with(u"e") || w.text.size() - 1 < w.p1) return false;
    if (!ends_outside(w.before(w.text.size() - 1), kVowels)) return false;
    w.text.pop_back();
    undouble(w);
    return true;
}

void take_en(Word& w, size_t at) {
    const View before = w.before(at);
    if (at < w.p1 || !ends_outside(before, kVowels) || before.ends_with(u"gem")) return;
    w.cut(at);
    undouble(w);
}

void take_plural(Word& w) {
    enum { heden, en, s };
    static const Endings endings{{heden, u"heden"}, {en, u"en ene"}, {s, u"s se"}};
    const Found found = endings.of(w.text);
    if (!found) return;
    if (found.rule == en) return take_en(w, found.at);
    if (found.at < w.p1) return;
    if (found.rule == heden) w.put(found.at, u"heid");
    if (found.rule == s && ends_outside(w.before(found.at), u"aeiouyèj")) w.cut(found.at);
}

bool take_ig(Word& w) { return !w.ends_with(u"eig") && w.cut(u"ig", w.p2); }

void take_derivation(Word& w, bool e_taken) {
    enum { ing, ig, lijk, baar, bar };
    static const Endings endings{{ing, u"end ing"}, {ig, u"ig"}, {lijk, u"lijk"}, {baar, u"baar"}, {bar, u"bar"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p2) return;
    if (found.rule == ig) {
        take_ig(w);
    } else if (found.rule != bar || e_taken) {
        w.cut(found.at);
        if (found.rule == ing && !take_ig(w)) undouble(w);
        if (found.rule == lijk) take_e(w);
    }
}

// maan -> man: a double vowel before the last consonant, after another one.
void undouble_vowel(Text& text) {
    static const Endings doubles(u"aa ee oo uu");
    if (!ends_outside(text, u"aeiouyèI")) return;
    const View before = View(text).substr(0, text.size() - 1);
    const Found found = doubles.of(before);
    if (found && ends_outside(before.substr(0, found.at), kVowels)) text.erase(text.size() - 2, 1);
}

}  // namespace dutch

}  // namespace

void stem_dutch(Text& text) {
    using namespace dutch;
    rewrite(text, u"äáëéïíöóüú", u"aaeeiioouu");
    mark_consonants(text);
    Word w(text);
    mark_r1_from_third(w, kVowels);
    take_plural(w);
    const bool e_taken = take_e(w);
    if (!w.ends_with(u"cheid") && w.cut(u"heid", w.p2) && w.ends_with(u"en")) take_en(w, text.size() - 2);
    take_derivation(w, e_taken);
    undouble_vowel(text);
    rewrite(text, u"YI", u"yi");
}

namespace {

// The Scandinavian algorithms look at R1 only, and find the longest ending inside it.
struct Scandinavian {
    enum { gone, s, shorten };

    // Takes the ending that `main` finds; an s only where `is_ending` allows it after these letters.
    template <class IsEnding>
    static void take_main(Word& w, const Endings& main, const IsEnding& is_ending) {
        const Found found = main.of(w.text, w.p1);
        if (!found) return;
        if (found.rule == shorten) {
            w.cut(found.at + 2);
        } else if (found.rule == gone || is_ending(w.before(found.at))) {
            w.cut(found.at);
        }
    }

    static void take_from_pair(Word& w, const Endings& pairs) {
        if (pairs.of(w.text, w.p1)) w.text.pop_back();
    }
};

constexpr View kDanoNorwegianVowels = u"aeiouyæåø";

}  // namespace

void stem_danish(Text& text) {
    using S = Scandinavian;
    static const Endings main{
        {S::gone, u"hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes erendes "
                  u"enes ernes eres ens hedens erens ers ets erets et eret"},
        {S::s, u"s"}};
    static const Endings pairs(u"gd dt gt kt");
    static const Endings others{{S::gone, u"ig lig elig els"}, {S::shorten, u"løst"}};
    Word w(text);
    mark_r1_from_third(w, kDanoNorwegianVowels);
    S::take_main(w, main, [](View before) { return ends_in(before, u"abcdfghjklmnoprtvyzå"); });
    S::take_from_pair(w, pairs);
    if (w.ends_with(u"igst")) w.cut(text.size() - 2);
    if (const Found found = others.of(text, w.p1)) {
        if (found.rule == S::shorten) {
            text.pop_back();
        } else {
            w.cut(found.at);
            S::take_from_pair(w, pairs);
        }
    }
    if (!ends_outside(text, kDanoNorwegianVowels, w.p1)) return;
    const size_t last = text.size() - 1;
    if (last > 0 && text[last - 1] == text[last]) text.pop_back();
}

void stem_norwegian(Text& text) {
    using S = Scandinavian;
    static const Endings main{{S::gone, u"a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes "
                                        u"hetenes ens hetens ers ets et het ast"},
                              {S::s, u"s"},
                              {S::shorten, u"erte ert"}};
    static const Endings pairs(u"dt vt");
    static const Endings others(u"leg eleg ig eig lig elig els lov elov slov hetslov");
    Word w(text);
    mark_r1_from_third(w, kDanoNorwegianVowels);
    S::take_main(w, main, [](View before) {
        if (!before.ends_with(u'k')) return ends_in(before, u"bcdfghjlmnoprtvyz");
        return ends_outside(before.substr(0, before.size() - 1), kDanoNorwegianVowels);
    });
    S::take_from_pair(w, pairs);
    if (const Found other = others.of(text, w.p1)) w.cut(other.at);
}

void stem_swedish(Text& text) {
    using S = Scandinavian;
    static const Endings main{
        {S::gone, u"a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as "
                  u"arnas ernas ornas es ades andes ens arens hetens erns at andet het ast"},
        {S::s, u"s"}};
    static const Endings pairs(u"dd gd nn dt gt kt tt");
    static const Endings others{{S::gone, u"lig ig els"}, {S::shorten, u"löst fullt"}};
    Word w(text);
    mark_r1_from_third(w, u"aeiouyäåö");
    S::take_main(w, main, [](View before) { return ends_in(before, u"bcdfghjklmnoprtvy"); });
    S::take_from_pair(w, pairs);
    const Found found = others.of(text, w.p1);
    if (!found) return;
    if (found.rule == S::shorten) {
        text.pop_back();
    } else {
        w.cut(found.at);
    }
}

}  // namespace tercet
