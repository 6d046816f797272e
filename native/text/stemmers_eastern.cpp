// Russian, Finnish and Hungarian, after the descriptions on snowballstem.org.
#include "text/stemmers.hpp"
#include "text/stemming.hpp"

namespace tercet {

using namespace stemming;

namespace {

namespace russian {

constexpr View kVowels = u"аеиоуыэюя";

// All endings lie in RV, which begins behind the first vowel. Some count only behind а or я.
enum { gone, after_a };

bool take(Word& w, const Endings& endings) {
    const Found found = endings.of(w.text, w.pv);
    if (!found || (found.rule == after_a && !ends_in(w.before(found.at), u"ая", w.pv))) return false;
    return w.cut(found.at);
}

void mark_regions(Word& w) {
    const size_t pv = past(w.text, 0, kVowels);
    const size_t p2 = past_syllable(w.text, past(w.text, pv, kVowels, false), kVowels);
    w.pv = std::min(pv, w.text.size());
    w.p2 = std::min(p2, w.text.size());
}

bool take_gerund(Word& w) {
    static const Endings endings{{after_a, u"в вши вшись"}, {gone, u"ив ивши ившись ыв ывши ывшись"}};
    return take(w, endings);
}

bool take_adjective(Word& w) {
    static const Endings adjectives(
        u"ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею");
    static const Endings participles{{after_a, u"ем нн вш ющ щ"}, {gone, u"ивш ывш ующ"}};
    if (!take(w, adjectives)) return false;
    take(w, participles);
    return true;
}

bool take_verb(Word& w) {
    static const Endings endings{
        {after_a, u"ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно"},
        {gone, u"ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь "
               u"ую ю"}};
    return take(w, endings);
}

bool take_noun(Word& w) {
    static const Endings endings(
        u"а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я");
    return take(w, endings);
}

void tidy(Word& w) {
    enum { superlative, n, soft_sign };
    static const Endings endings{{superlative, u"ейш ейше"}, {n, u"н"}, {soft_sign, u"ь"}};
    const Found found = endings.of(w.text, w.pv);
    if (!found) return;
    if (found.rule != n) w.cut(found.at);
    if (found.rule != soft_sign && w.ends_with(u"нн") && w.text.size() >= w.pv + 2) w.text.pop_back();
}

}  // namespace russian

}  // namespace

void stem_russian(Text& text) {
    using namespace russian;
    static const Endings reflexives(u"ся сь");
    static const Endings abstracts(u"ост ость");
    Word w(text);
    mark_regions(w);
    if (!take_gerund(w)) {
        take(w, reflexives);
        take_adjective(w) || take_verb(w) || take_noun(w);
    }
    w.cut(u"и", w.pv);
    const Found found = abstracts.of(text, w.pv);
    if (found && found.at >= w.p2) w.cut(found.at);
    tidy(w);
}

namespace {

namespace finnish {

constexpr View kVowels = u"aeiouyäö";

void take_particle(Word& w) {
    enum { particle, adverb };
    static const Endings endings{{particle, u"kin kaan kään ko kö han hän pa pä"}, {adverb, u"sti"}};
    const Found found = endings.of(w.text, w.p1);
    if (!found) return;
    if (found.rule == adverb ? found.at >= w.p2 : ends_in(w.before(found.at), u"aeiouyäönt")) w.cut(found.at);
}

void take_possessive(Word& w) {
    enum { gone, si, ni, an, än, en };
    static const Endings endings{{si, u"si"}, {ni, u"ni"}, {gone, u"nsa nsä mme nne"},
                                 {an, u"an"}, {än, u"än"}, {en, u"en"}};
    static const Endings before_an(u"ta ssa sta lla lta na"), before_än(u"tä ssä stä llä ltä nä"),
        before_en(u"lle ine");
    const Found found = endings.of(w.text, w.p1);
    if (!found) return;
    const View before = w.before(found.at);
    if ((found.rule == si && before.ends_with(u'k')) || (found.rule == an && !before_an.of(before)) ||
        (found.rule == än && !before_än.of(before)) || (found.rule == en && !before_en.of(before))) {
        return;
    }
    w.cut(found.at);
    if (found.rule == ni && w.ends_with(u"kse")) w.text.back() = u'i';
}

bool ends_in_long_vowel(View text, size_t from = 0) {
    static const Endings longs(u"aa ee ii oo uu ää öö");
    return static_cast<bool>(longs.of(text, from));
}

// METEOR's Java never finds -siin, -seen, -den and -tten: it may not call its own test of what stands before
// them, and takes that for a no. What it finds instead is -n.
bool take_case(Word& w) {
    enum { gone, n, a, tta, illative };
    static const Endings endings{{illative, u"han hen hin hon hän hön"}, {n, u"n"}, {a, u"a ä"}, {tta, u"tta ttä"},
                                 {gone, u"ta tä ssa ssä sta stä lla llä lta ltä lle na nä ksi ine"}};
    const Found found = endings.of(w.text, w.p1);
    if (!found) return false;
    const View before = w.before(found.at);
    size_t at = found.at;
    switch (found.rule) {
        case illative:
            if (!before.ends_with(w.text[found.at + 1])) return false;
            break;
        case n:
            if (ends_in_long_vowel(before) || before.ends_with(u"ie")) --at;
            break;
        case a:
            if (!ends_in(before, kVowels) || !ends_outside(before.substr(0, at - 1), kVowels)) return false;
            break;
        case tta:
            if (!before.ends_with(u'e')) return false;
            break;
        default: break;
    }
    return w.cut(at);
}

void take_comparison(Word& w, const Endings& endings, int not_after_po) {
    const Found found = endings.of(w.text, w.p2);
    if (found && (found.rule != not_after_po || !w.before(found.at).ends_with(u"po"))) w.cut(found.at);
}

void take_t_plural(Word& w) {
    enum { gone, not_after_po };
    static const Endings endings{{not_after_po, u"mma"}, {gone, u"imma"}};
    if (!w.ends_with(u"t") || !ends_in(w.before(w.text.size() - 1), kVowels, w.p1)) return;
    w.text.pop_back();
    take_comparison(w, endings, not_after_po);
}

void tidy(Word& w) {
    Text& text = w.text;
    if (text.size() < w.p1) return;
    if (ends_in_long_vowel(text, w.p1)) text.pop_back();
    if (ends_in(text, u"aäei") && ends_outside(w.before(text.size() - 1), kVowels, w.p1)) text.pop_back();
    const auto cut_last = [&](View ending) {
        if (w.ends_with(ending) && text.size() >= w.p1 + 2) text.pop_back();
    };
    cut_last(u"oj");
    cut_last(u"uj");
    cut_last(u"jo");
    const size_t last = text.find_last_not_of(kVowels);
    if (last != Text::npos && last > 0 && text[last - 1] == text[last]) text.erase(last, 1);
}

}  // namespace finnish

}  // namespace

void stem_finnish(Text& text) {
    using namespace finnish;
    enum { gone, not_after_po };
    static const Endings comparisons{{not_after_po, u"mpi mpa mpä mmi mma mmä"},
                                     {gone, u"impi impa impä immi imma immä eja ejä"}};
    Word w(text);
    mark_r1_r2(w, kVowels);
    take_particle(w);
    take_possessive(w);
    const bool case_taken = take_case(w);
    take_comparison(w, comparisons, not_after_po);
    if (!case_taken) {
        take_t_plural(w);
    } else if (ends_in(text, u"ij", w.p1)) {
        text.pop_back();
    }
    tidy(w);
}

namespace {

namespace hungarian {

// The Java of 2010 has õ and û where Hungarian has ő and ű: its letters went through the wrong Latin alphabet.
constexpr View kVowels = u"aeiouáéíóöõúüû";

// To take the ending off, or to leave its long vowel short.
enum { gone, to_a, to_e };

void mark_regions(Word& w) {
    static constexpr View kDigraphs[] = {u"dzs", u"cs", u"gy", u"ly", u"ny", u"sz", u"ty", u"zs"};
    const View text = w.text;
    w.p1 = text.size();
    if (text.empty()) return;
    if (!in(text[0], kVowels)) {
        w.p1 = std::min(past(text, 1, kVowels), text.size());
        return;
    }
    const size_t first = text.find_first_not_of(kVowels, 1);
    if (first == View::npos) return;
    size_t length = 1;
    for (const View digraph : kDigraphs)
        if (text.substr(first).starts_with(digraph)) length = std::max(length, digraph.size());
    w.p1 = first + length;
}

void take(Word& w, const Endings& endings) {
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p1) return;
    w.put(found.at, found.rule == to_a ? u"a" : found.rule == to_e ? u"e" : u"");
}

// Endings that follow a doubled consonant, which becomes single again.
void take_after_double(Word& w, const Endings& endings) {
    static const Endings doubles(u"bb cc ccs dd ff gg ggy jj kk ll lly mm nn nny pp rr ss ssz tt tty vv zz zzs");
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p1 || !doubles.of(w.before(found.at))) return;
    w.cut(found.at);
    w.text.erase(w.text.size() - 2, 1);
}

void take_case(Word& w) {
    static const Endings endings(
        u"ban ben ba be ra re nak nek val vel tól tõl ról rõl ból bõl hoz hez höz nál nél ig at et ot öt ért képp "
        u"képpen kor ul ül vá vé onként enként anként ként en on an ön n t");
    static const Endings longs{{to_a, u"á"}, {to_e, u"é"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p1) return;
    w.cut(found.at);
    take(w, longs);
}

void take_owner(Word& w) {
    static const Endings singular{
        {gone, u"ünk unk nk juk jük uk ük em om am m od ed ad öd d ja je a e o"},
        {to_a, u"ánk ájuk ám ád á"}, {to_e, u"énk éjük ém éd é"}};
    static const Endings plural{
        {gone, u"jaim jeim aim eim im jaid jeid aid eid id jai jei ai ei i jaink jeink eink aink ink jaitok jeitek "
               u"aitok eitek itek jeik jaik aik eik ik"},
        {to_a, u"áim áid ái áink áitok áik"}, {to_e, u"éim éid éi éink éitek éik"}};
    take(w, singular);
    take(w, plural);
}

}  // namespace hungarian

}  // namespace

void stem_hungarian(Text& text) {
    using namespace hungarian;
    static const Endings instrumental(u"al el"), factive(u"á é");
    static const Endings special{{to_e, u"én"}, {to_a, u"án ánként"}};
    static const Endings other{{gone, u"astul estül stul stül"}, {to_a, u"ástul"}, {to_e, u"éstül"}};
    static const Endings owned{{gone, u"oké öké aké eké ké éi é"}, {to_e, u"éké ééi éé"}, {to_a, u"áké áéi"}};
    static const Endings plural{{to_a, u"ák"}, {to_e, u"ék"}, {gone, u"ök ak ok ek k"}};
    Word w(text);
    mark_regions(w);
    take_after_double(w, instrumental);
    take_case(w);
    take(w, special);
    take(w, other);
    take_after_double(w, factive);
    take(w, owned);
    take_owner(w);
    take(w, plural);
}

}  // namespace tercet
