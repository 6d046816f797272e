// French, after the description on snowballstem.org.
#include "text/stemmers.hpp"
#include "text/stemming.hpp"

namespace tercet {

using namespace stemming;

namespace {

namespace french {

constexpr View kVowels = u"aeiouyâàëéêèïîôûù";

// u and i between vowels, u after q, and y beside a vowel are consonants.
void mark_consonants(Text& text) {
    const auto vowel = [&](size_t i) { return i < text.size() && in(text[i], kVowels); };
    for (size_t i = 0; i + 1 < text.size(); ++i) {
        const char16_t next = text[i + 1];
        if (vowel(i) && (next == u'u' || next == u'i') && vowel(i + 2)) {
            text[i + 1] = next == u'u' ? u'U' : u'I';
        } else if (vowel(i) && next == u'y') {
            text[i + 1] = u'Y';
        } else if (text[i] == u'y' && vowel(i + 1)) {
            text[i] = u'Y';
        } else if (text[i] == u'q' && next == u'u') {
            text[i + 1] = u'U';
        }
    }
}

void mark_regions(Word& w) {
    const View text = w.text;
    mark_r1_r2(w, kVowels);
    const bool three = text.size() >= 3 && in(text[0], kVowels) && in(text[1], kVowels);
    if (three || text.starts_with(u"par") || text.starts_with(u"col") || text.starts_with(u"tap")) {
        w.pv = 3;
    } else {
        w.pv = std::min(past(text, 1, kVowels), text.size());
    }
}

bool cut_or_put(Word& w, Found found, size_t from, View instead) {
    return found.at >= from ? w.cut(found.at) : w.put(found.at, instead);
}

bool cut_ic(Word& w) {
    return w.ends_with(u"ic") && cut_or_put(w, {w.text.size() - 2}, w.p2, u"iqU");
}

bool cut_or_eux(Word& w, size_t at) {
    return at >= w.p2 ? w.cut(at) : at >= w.p1 && w.put(at, u"eux");
}

void take_before_ement(Word& w) {
    enum { iv, eus, abl, ier };
    static const Endings endings{{iv, u"iv"}, {eus, u"eus"}, {abl, u"abl iqU"}, {ier, u"ièr Ièr"}};
    const Found found = endings.of(w.text);
    if (!found) return;
    if (found.rule == eus) {
        cut_or_eux(w, found.at);
    } else if (found.rule == ier) {
        if (found.at >= w.pv) w.put(found.at, u"i");
    } else if (found.at >= w.p2) {
        w.cut(found.at);
        if (found.rule == iv) w.cut(u"at", w.p2);
    }
}

void take_before_ite(Word& w) {
    enum { abil, ic, iv };
    static const Endings endings{{abil, u"abil"}, {ic, u"ic"}, {iv, u"iv"}};
    const Found found = endings.of(w.text);
    if (!found) return;
    if (found.rule == abil) cut_or_put(w, found, w.p2, u"abl");
    if (found.rule == ic) cut_ic(w);
    if (found.rule == iv) w.cut(u"iv", w.p2);
}

enum Standard { ance, atrice, logie, usion, ence, ement, ite, ive, eaux, aux, euse, issement, amment, emment, ment };

// What is to be done about an ending that lies in R2.
bool take_from_r2(Word& w, Found found) {
    switch (found.rule) {
        case logie: return w.put(found.at, u"log");
        case usion: return w.put(found.at, u"u");
        case ence: return w.put(found.at, u"ent");
        default: w.cut(found.at);
    }
    if (found.rule == atrice) cut_ic(w);
    if (found.rule == ite) take_before_ite(w);
    if (found.rule == ive && w.cut(u"at", w.p2)) cut_ic(w);
    return true;
}

// Whether it did all that is to be done: -ment mostly follows a participle, whose ending is taken next.
bool take_standard(Word& w) {
    static const Endings endings{
        {ance, u"ance iqUe isme able iste eux ances iqUes ismes ables istes"},
        {atrice, u"atrice ateur ation atrices ateurs ations"},
        {logie, u"logie logies"}, {usion, u"usion ution usions utions"}, {ence, u"ence ences"},
        {ement, u"ement ements"}, {ite, u"ité ités"}, {ive, u"if ive ifs ives"}, {eaux, u"eaux"}, {aux, u"aux"},
        {euse, u"euse euses"}, {issement, u"issement issements"}, {amment, u"amment"}, {emment, u"emment"},
        {ment, u"ment ments"}};
    const Found found = endings.of(w.text);
    if (!found) return false;
    const size_t at = found.at;
    const View before = w.before(at);
    switch (found.rule) {
        case ement:
            if (at < w.pv) return false;
            w.cut(at);
            take_before_ement(w);
            return true;
        case eaux: return w.put(at, u"eau");
        case aux: return at >= w.p1 && w.put(at, u"al");
        case euse: return cut_or_eux(w, at);
        case issement: return at >= w.p1 && ends_outside(before, kVowels) && w.cut(at);
        case amment:
            if (at >= w.pv) w.put(at, u"ant");
            return false;
        case emment:
            if (at >= w.pv) w.put(at, u"ent");
            return false;
        case ment:
            if (ends_in(before, kVowels) && at - 1 >= w.pv) w.cut(at);
            return false;
        default: return at >= w.p2 && take_from_r2(w, found);
    }
}

bool take_i_verb(Word& w) {
    static const Endings endings(
        u"îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez irions irons iront is issaIent "
        u"issais issait issant issante issantes issants isse issent isses issez issiez issions issons it");
    const Found found = endings.of(w.text, w.pv);
    return found && ends_outside(w.before(found.at), kVowels, w.pv) && w.cut(found.at);
}

bool take_verb(Word& w) {
    enum { ions, gone, e_too };
    static const Endings endings{
        {ions, u"ions"},
        {gone, u"é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez iez"},
        {e_too, u"âmes ât âtes a ai aIent ais ait ant ante antes ants as asse assent asses assiez assions"}};
    const Found found = endings.of(w.text, w.pv);
    if (!found || (found.rule == ions && found.at < w.p2)) return false;
    w.cut(found.at);
    if (found.rule == e_too) w.cut(u"e", w.pv);
    return true;
}

void take_residue(Word& w) {
    enum { ion, ier, e, gue };
    static const Endings endings{{ion, u"ion"}, {ier, u"ier ière Ier Ière"}, {e, u"e"}, {gue, u"ë"}};
    if (w.ends_with(u"s") && ends_outside(w.before(w.text.size() - 1), u"aiouès")) w.text.pop_back();
    const Found found = endings.of(w.text, w.pv);
    if (!found) return;
    const View before = w.before(found.at);
    if (found.rule == ier) {
        w.put(found.at, u"i");
    } else if (found.rule == e || (found.rule == ion && found.at >= w.p2 && ends_in(before, u"st", w.pv)) ||
               (found.rule == gue && before.ends_with(u"gu") && found.at >= w.pv + 2)) {
        w.cut(found.at);
    }
}

void undouble(Text& text) {
    static const Endings doubles(u"enn onn ett ell eill");
    if (doubles.of(text)) text.pop_back();
}

// é and è before the last consonants lose their accent.
void take_accent(Text& text) {
    const size_t last = text.find_last_of(kVowels);
    if (last != Text::npos && last + 1 < text.size() && in(text[last], u"éè")) text[last] = u'e';
}

}  // namespace french

}  // namespace

void stem_french(Text& text) {
    using namespace french;
    mark_consonants(text);
    Word w(text);
    mark_regions(w);
    if (take_standard(w) || take_i_verb(w) || take_verb(w)) {
        if (w.ends_with(u"Y")) text.back() = u'i';
        else if (w.ends_with(u"ç")) text.back() = u'c';
    } else {
        take_residue(w);
    }
    undouble(text);
    take_accent(text);
    rewrite(text, u"IUY", u"iuy");
}

}  // namespace tercet
