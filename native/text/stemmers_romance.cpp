// Spanish, Portuguese, Italian and Romanian, after the descriptions on snowballstem.org.
#include "text/stemmers.hpp"
#include "text/stemming.hpp"

namespace tercet {

using namespace stemming;

namespace {

// What Spanish, Portuguese and Italian do after -amente, and after -idad and the like.
void take_before_amente(Word& w, const Endings& endings, int iv) {
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p2) return;
    w.cut(found.at);
    if (found.rule == iv) w.cut(u"at", w.p2);
}

void take_from_r2(Word& w, const Endings& endings) {
    const Found found = endings.of(w.text);
    if (found && found.at >= w.p2) w.cut(found.at);
}

const Endings& before_idad() {
    static const Endings endings(u"abil ic iv");
    return endings;
}

namespace spanish {

constexpr View kVowels = u"aeiouáéíóúü";

void take_pronoun(Word& w) {
    enum { gone, yendo, iendo, ando, ar, er, ir };
    static constexpr View kUnaccented[] = {u"", u"", u"iendo", u"ando", u"ar", u"er", u"ir"};
    static const Endings pronouns(u"me se sela selo selas selos la le lo las les los nos");
    static const Endings verbs{{iendo, u"iéndo"}, {ando, u"ándo"}, {ar, u"ár"}, {er, u"ér"}, {ir, u"ír"},
                               {gone, u"ando iendo ar er ir"}, {yendo, u"yendo"}};
    const Found pronoun = pronouns.of(w.text);
    if (!pronoun) return;
    const Found verb = verbs.of(w.before(pronoun.at));
    if (!verb || verb.at < w.pv) return;
    if (verb.rule > yendo) {
        w.put(verb.at, kUnaccented[verb.rule]);
    } else if (verb.rule == gone || w.before(verb.at).ends_with(u'u')) {
        w.cut(pronoun.at);
    }
}

bool take_standard(Word& w) {
    enum { gone, ic_too, log, u, ente, amente, mente, idad, iva };
    enum { plain, iv };
    static const Endings endings{
        {gone, u"anza anzas ico ica icos icas ismo ismos able ables ible ibles ista istas oso osa osos osas amiento "
               u"amientos imiento imientos"},
        {ic_too, u"adora ador ación adoras adores aciones ante antes ancia ancias"},
        {log, u"logía logías"}, {u, u"ución uciones"}, {ente, u"encia encias"}, {amente, u"amente"},
        {mente, u"mente"}, {idad, u"idad idades"}, {iva, u"iva ivo ivas ivos"}};
    static const Endings before_amente{{iv, u"iv"}, {plain, u"os ic ad"}};
    static const Endings before_mente(u"ante able ible");
    const Found found = endings.of(w.text);
    if (!found || found.at < (found.rule == amente ? w.p1 : w.p2)) return false;
    if (found.rule == log) return w.put(found.at, u"log");
    if (found.rule == u) return w.put(found.at, u"u");
    if (found.rule == ente) return w.put(found.at, u"ente");
    w.cut(found.at);
    if (found.rule == ic_too) w.cut(u"ic", w.p2);
    if (found.rule == amente) take_before_amente(w, before_amente, iv);
    if (found.rule == mente) take_from_r2(w, before_mente);
    if (found.rule == idad) take_from_r2(w, before_idad());
    if (found.rule == iva) w.cut(u"at", w.p2);
    return true;
}

bool take_y_verb(Word& w) {
    static const Endings endings(u"ya ye yan yen yeron yendo yo yó yas yes yais yamos");
    const Found found = endings.of(w.text, w.pv);
    return found && w.before(found.at).ends_with(u'u') && w.cut(found.at);
}

void take_verb(Word& w) {
    enum { u_too, gone };
    static const Endings endings{
        {u_too, u"en es éis emos"},
        {gone, u"arían arías arán arás aríais aría aréis aríamos aremos ará aré erían erías erán erás eríais ería "
               u"eréis eríamos eremos erá eré irían irías irán irás iríais iría iréis iríamos iremos irá iré aba ada "
               u"ida ía ara iera ad ed id ase iese aste iste an aban ían aran ieran asen iesen aron ieron ado ido "
               u"ando iendo ió ar er ir as abas adas idas ías aras ieras ases ieses ís áis abais íais arais ierais "
               u"aseis ieseis asteis isteis ados idos amos ábamos íamos imos áramos iéramos iésemos ásemos"}};
    const Found found = endings.of(w.text, w.pv);
    if (!found) return;
    const bool gu = found.rule == u_too && w.before(found.at).ends_with(u"gu");
    w.cut(found.at - (gu ? 1 : 0));
}

void take_residue(Word& w) {
    enum { gone, e };
    static const Endings endings{{gone, u"os a o á í ó"}, {e, u"e é"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.pv) return;
    w.cut(found.at);
    if (found.rule == e && w.ends_with(u"gu")) w.cut(u"u", w.pv);
}

}  // namespace spanish

}  // namespace

void stem_spanish(Text& text) {
    using namespace spanish;
    Word w(text);
    mark_rv(w, kVowels);
    mark_r1_r2(w, kVowels);
    take_pronoun(w);
    if (!take_standard(w) && !take_y_verb(w)) take_verb(w);
    take_residue(w);
    rewrite(text, u"áéíóú", u"aeiou");
}

namespace {

namespace portuguese {

constexpr View kVowels = u"aeiouáéíóúâêô";

// The nasal vowels are written with a tilde of their own while endings are taken.
void split_tildes(Text& text) {
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == u'ã') text.replace(i++, 1, u"a~");
        else if (text[i] == u'õ') text.replace(i++, 1, u"o~");
    }
}

void join_tildes(Text& text) {
    for (size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i + 1] != u'~' || !in(text[i], u"ao")) continue;
        text.replace(i, 2, text[i] == u'a' ? u"ã" : u"õ");
    }
}

bool take_standard(Word& w) {
    enum { gone, log, u, ente, amente, mente, idade, iva, ira };
    enum { plain, iv };
    static const Endings endings{
        {gone, u"eza ezas ico ica icos icas ismo ismos ável ível ista istas oso osa osos osas amento amentos imento "
               u"imentos adora ador aça~o adoras adores aço~es ante antes ância"},
        {log, u"logía logías"}, {u, u"ución uciones"}, {ente, u"ência ências"}, {amente, u"amente"},
        {mente, u"mente"}, {idade, u"idade idades"}, {iva, u"iva ivo ivas ivos"}, {ira, u"ira iras"}};
    static const Endings before_amente{{iv, u"iv"}, {plain, u"os ic ad"}};
    static const Endings before_mente(u"ante avel ível");
    const Found found = endings.of(w.text);
    if (!found) return false;
    const size_t region = found.rule == amente ? w.p1 : found.rule == ira ? w.pv : w.p2;
    if (found.at < region) return false;
    if (found.rule == ira) return w.before(found.at).ends_with(u'e') && w.put(found.at, u"ir");
    if (found.rule == log) return w.put(found.at, u"log");
    if (found.rule == u) return w.put(found.at, u"u");
    if (found.rule == ente) return w.put(found.at, u"ente");
    w.cut(found.at);
    if (found.rule == amente) take_before_amente(w, before_amente, iv);
    if (found.rule == mente) take_from_r2(w, before_mente);
    if (found.rule == idade) take_from_r2(w, before_idad());
    if (found.rule == iva) w.cut(u"at", w.p2);
    return true;
}

bool take_verb(Word& w) {
    static const Endings endings(
        u"ada ida ia aria eria iria ará ara erá era irá ava asse esse isse aste este iste ei arei erei irei am iam "
        u"ariam eriam iriam aram eram iram avam em arem erem irem assem essem issem ado ido ando endo indo ara~o era~o "
        u"ira~o ar er ir as adas idas ias arias erias irias arás aras erás eras irás avas es ardes erdes irdes ares "
        u"eres ires asses esses isses astes estes istes is ais eis íeis aríeis eríeis iríeis áreis areis éreis ereis "
        u"íreis ireis ásseis ésseis ísseis áveis ados idos ámos amos íamos aríamos eríamos iríamos áramos éramos "
        u"íramos ávamos emos aremos eremos iremos ássemos êssemos íssemos imos armos ermos irmos eu iu ou ira iras");
    const Found found = endings.of(w.text, w.pv);
    return found && w.cut(found.at);
}

void take_residue(Word& w) {
    static const Endings endings(u"os a i o á í ó");
    const Found found = endings.of(w.text);
    if (found && found.at >= w.pv) w.cut(found.at);
}

void take_last_vowel(Word& w) {
    if (w.ends_with(u"ç")) w.text.back() = u'c';
    if (!ends_in(w.text, u"eéê", w.pv)) return;
    w.text.pop_back();
    if (w.ends_with(u"gu")) w.cut(u"u", w.pv);
    else if (w.ends_with(u"ci")) w.cut(u"i", w.pv);
}

}  // namespace portuguese

}  // namespace

void stem_portuguese(Text& text) {
    using namespace portuguese;
    split_tildes(text);
    Word w(text);
    mark_rv(w, kVowels);
    mark_r1_r2(w, kVowels);
    if (take_standard(w) || take_verb(w)) {
        if (w.ends_with(u"ci")) w.cut(u"i", w.pv);
    } else {
        take_residue(w);
    }
    take_last_vowel(w);
    join_tildes(text);
}

namespace {

namespace italian {

constexpr View kVowels = u"aeiouàèìòù";

void mark_consonants(Text& text) {
    rewrite(text, u"áéíóú", u"àèìòù");
    for (size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i] == u'q' && text[i + 1] == u'u') text[i + 1] = u'U';
    mark_between_vowels(text, kVowels, u"ui", u"UI");
}

void take_pronoun(Word& w) {
    enum { gone, e };
    static const Endings pronouns(
        u"ci gli la le li lo mi ne si ti vi sene gliela gliele glieli glielo gliene mela mele meli melo mene tela tele "
        u"teli telo tene cela cele celi celo cene vela vele veli velo vene");
    static const Endings verbs{{gone, u"ando endo"}, {e, u"ar er ir"}};
    const Found pronoun = pronouns.of(w.text);
    if (!pronoun) return;
    const Found verb = verbs.of(w.before(pronoun.at));
    if (!verb || verb.at < w.pv) return;
    w.put(pronoun.at, verb.rule == e ? u"e" : u"");
}

bool take_standard(Word& w) {
    enum { gone, ic_too, log, u, ente, amento, amente, ita, ivo };
    enum { plain, iv };
    static const Endings endings{
        {gone, u"anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti istà istè istì "
               u"oso osi osa ose mente atrice atrici ante anti"},
        {ic_too, u"azione azioni atore atori"}, {log, u"logia logie"}, {u, u"uzione uzioni usione usioni"},
        {ente, u"enza enze"}, {amento, u"amento amenti imento imenti"}, {amente, u"amente"}, {ita, u"ità"},
        {ivo, u"ivo ivi iva ive"}};
    static const Endings before_amente{{iv, u"iv"}, {plain, u"os ic abil"}};
    const Found found = endings.of(w.text);
    if (!found) return false;
    const size_t region = found.rule == amento ? w.pv : found.rule == amente ? w.p1 : w.p2;
    if (found.at < region) return false;
    if (found.rule == log) return w.put(found.at, u"log");
    if (found.rule == u) return w.put(found.at, u"u");
    if (found.rule == ente) return w.put(found.at, u"ente");
    w.cut(found.at);
    if (found.rule == ic_too) w.cut(u"ic", w.p2);
    if (found.rule == amente) take_before_amente(w, before_amente, iv);
    if (found.rule == ita) take_from_r2(w, before_idad());
    if (found.rule == ivo && w.cut(u"at", w.p2)) w.cut(u"ic", w.p2);
    return true;
}

void take_verb(Word& w) {
    static const Endings endings(
        u"ammo ando ano are arono asse assero assi assimo ata ate ati ato ava avamo avano avate avi avo emmo enda ende "
        u"endi endo erà erai eranno ere erebbe erebbero erei eremmo eremo ereste eresti erete erò erono essero ete eva "
        u"evamo evano evate evi evo Yamo iamo immo irà irai iranno ire irebbe irebbero irei iremmo iremo ireste iresti "
        u"irete irò irono isca iscano isce isci isco iscono issero ita ite iti ito iva ivamo ivano ivate ivi ivo ono "
        u"uta ute uti uto ar ir");
    if (const Found found = endings.of(w.text, w.pv)) w.cut(found.at);
}

void take_vowels(Word& w) {
    if (ends_in(w.text, u"aeioàèìò", w.pv)) {
        w.text.pop_back();
        w.cut(u"i", w.pv);
    }
    if ((w.ends_with(u"ch") || w.ends_with(u"gh")) && w.text.size() - 2 >= w.pv) w.text.pop_back();
}

}  // namespace italian

}  // namespace

void stem_italian(Text& text) {
    using namespace italian;
    mark_consonants(text);
    Word w(text);
    mark_rv(w, kVowels);
    mark_r1_r2(w, kVowels);
    take_pronoun(w);
    if (!take_standard(w)) take_verb(w);
    take_vowels(w);
    rewrite(text, u"IU", u"iu");
}

namespace {

namespace romanian {

constexpr View kVowels = u"aeiouâîă";

void take_article(Word& w) {
    enum { gone, a, e, i, ile, at, ati };
    static const Endings endings{{gone, u"ul ului"}, {a, u"aua"}, {e, u"ea ele elor"},
                                 {i, u"ii iua iei iile iilor ilor"}, {ile, u"ile"}, {at, u"atei"}, {ati, u"aţie aţia"}};
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p1) return;
    if (found.rule == ile && w.before(found.at).ends_with(u"ab")) return;
    static constexpr View kInstead[] = {u"", u"a", u"e", u"i", u"i", u"at", u"aţi"};
    w.put(found.at, kInstead[found.rule]);
}

// Shortens compound endings until there is none. Whether there was one.
bool shorten_compounds(Word& w) {
    enum { abil, ibil, iv, ic, at, it };
    static constexpr View kInstead[] = {u"abil", u"ibil", u"iv", u"ic", u"at", u"it"};
    static const Endings endings{
        {abil, u"abilitate abilitati abilităi abilităţi"}, {ibil, u"ibilitate"},
        {iv, u"ivitate ivitati ivităi ivităţi"},
        {ic, u"icitate icitati icităi icităţi icator icatori iciv iciva icive icivi icivă ical icala icale icali "
             u"icală"},
        {at, u"ativ ativa ative ativi ativă aţiune atoare ator atori ătoare ător ători"},
        {it, u"itiv itiva itive itivi itivă iţiune itoare itor itori"}};
    bool any = false;
    for (Found found = endings.of(w.text); found && found.at >= w.p1; found = endings.of(w.text))
        any = w.put(found.at, kInstead[found.rule]);
    return any;
}

// Whether it took an ending.
bool take_standard(Word& w) {
    enum { gone, t, ist };
    static const Endings endings{
        {gone, u"at ata ată ati ate ut uta ută uti ute it ita ită iti ite ic ica ice ici ică abil abila abile abili "
               u"abilă ibil ibila ibile ibili ibilă oasa oasă oase os osi oşi ant anta ante anti antă ator atori itate "
               u"itati ităi ităţi iv iva ive ivi ivă"},
        {t, u"iune iuni"}, {ist, u"ism isme ist ista iste isti istă işti"}};
    const bool compound = shorten_compounds(w);
    const Found found = endings.of(w.text);
    if (!found || found.at < w.p2) return compound;
    if (found.rule == gone) return w.cut(found.at);
    if (found.rule == ist) return w.put(found.at, u"ist");
    return (w.before(found.at).ends_with(u'ţ') && w.put(found.at - 1, u"t")) || compound;
}

void take_verb(Word& w) {
    enum { after_consonant, gone };
    static const Endings endings{
        {after_consonant,
         u"are ere ire âre ind ând indu ându eze ească ez ezi ează esc eşti eşte ăsc ăşti ăşte am ai au eam eai ea "
         u"eaţi eau iam iai ia iaţi iau ui aşi arăm arăţi ară uşi urăm urăţi ură işi irăm irăţi iră âi âşi ârăm "
         u"ârăţi âră asem aseşi ase aserăm aserăţi aseră isem iseşi ise iserăm iserăţi iseră âsem âseşi âse âserăm "
         u"âserăţi âseră usem useşi use userăm userăţi useră"},
        {gone, u"ăm aţi em eţi im iţi âm âţi seşi serăm serăţi seră sei se sesem seseşi sese seserăm seserăţi seseră"}};
    const Found found = endings.of(w.text, w.pv);
    if (!found) return;
    const View before = w.before(found.at);
    if (found.rule == gone || ends_outside(before, kVowels, w.pv) || ends_in(before, u"u", w.pv)) w.cut(found.at);
}

void take_vowel(Word& w) {
    static const Endings endings(u"a e i ie ă");
    const Found found = endings.of(w.text);
    if (found && found.at >= w.pv) w.cut(found.at);
}

}  // namespace romanian

}  // namespace

void stem_romanian(Text& text) {
    using namespace romanian;
    mark_between_vowels(text, kVowels, u"ui", u"UI");
    Word w(text);
    mark_rv(w, kVowels);
    mark_r1_r2(w, kVowels);
    take_article(w);
    if (!take_standard(w)) take_verb(w);
    take_vowel(w);
    rewrite(text, u"IU", u"iu");
}

}  // namespace tercet
