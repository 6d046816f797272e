// Turkish, after the description on snowballstem.org, which follows the automata of Eryiğit and Adalı (2004).
//
// Suffixes are named as there: A is a or e, U one of ı i u ü, D is d or t, s_ is ş; a letter y, n or s in front is
// one that stands there only between vowels.
#include "text/stemmers.hpp"
#include "text/stemming.hpp"

namespace tercet {

using namespace stemming;

namespace {

constexpr View kVowels = u"aeıioöuü";
constexpr View kHigh = u"ıiuü";  // U

// A suffix; the letter that may stand before it is a consonant, or any U, or none.
struct Suffix {
    Endings endings;
    bool harmony;
    char16_t before = 0;
};

constexpr char16_t kAnyHigh = u'U';

struct Suffixes {
    Suffix possessive{Endings(u"mız miz muz müz nız niz nuz nüz m n"), false, kAnyHigh};
    Suffix sU{Endings(u"ı i u ü"), true, u's'}, yU{Endings(u"ı i u ü"), true, u'y'};
    Suffix lAr{Endings(u"ler lar"), true}, lArI{Endings(u"leri ları"), false};
    Suffix nU{Endings(u"nı ni nu nü"), true}, nUn{Endings(u"ın in un ün"), true, u'n'};
    Suffix yA{Endings(u"a e"), true, u'y'}, nA{Endings(u"na ne"), true}, ncA{Endings(u"ca ce"), true, u'n'};
    Suffix DA{Endings(u"da de ta te"), true}, ndA{Endings(u"nda nde"), true};
    Suffix DAn{Endings(u"dan den tan ten"), true}, ndAn{Endings(u"ndan nden"), true};
    Suffix ylA{Endings(u"la le"), true, u'y'}, ki{Endings(u"ki"), false};
    // of nominal verbs
    Suffix yUm{Endings(u"ım im um üm"), true, u'y'}, sUn{Endings(u"sın sin sun sün"), true};
    Suffix yUz{Endings(u"ız iz uz üz"), true, u'y'}, sUnUz{Endings(u"sınız siniz sunuz sünüz"), false};
    Suffix nUz{Endings(u"nız niz nuz nüz"), true}, DUr{Endings(u"tır tir tur tür dır dir dur dür"), true};
    Suffix cAsInA{Endings(u"casına cesine"), false}, yken{Endings(u"ken"), false, u'y'};
    Suffix yDU{Endings(u"tım tim tum tüm dım dim dum düm tın tin tun tün dın din dun dün tık tik tuk tük dık dik duk "
                       u"dük tı ti tu tü dı di du dü"),
               true, u'y'};
    Suffix ysA{Endings(u"sam san sak sem sen sek sa se"), false, u'y'};
    Suffix ymUs_{Endings(u"mış miş muş müş"), true, u'y'};
};

const Suffixes& suffixes() {
    static const Suffixes all;
    return all;
}

// The vowels that may stand somewhere before this one.
View harmonious(char16_t vowel) {
    switch (vowel) {
        case u'a': return u"aıou";
        case u'e': return u"eiöü";
        case u'ı': return u"aı";
        case u'i': return u"ei";
        case u'o': case u'u': return u"ou";
        default: return u"öü";
    }
}

// Reads suffixes from the end of the word to its beginning, and takes them off.
class Reader {
  public:
    explicit Reader(Text& text) : text_(text), at_(text.size()) {}

    // Whether case endings and the like may still follow.
    bool take_verb_suffixes();
    bool take_noun_suffixes();

  private:
    View before() const { return View(text_).substr(0, at_); }

    // From here on, suffixes that are read will be taken together.
    bool begin() { return end_ = at_, true; }
    bool take() { return text_.erase(at_, end_ - at_), true; }

    bool is_harmonious() const {
        const size_t last = before().find_last_of(kVowels);
        return last != View::npos && before().substr(0, last).find_last_of(harmonious(text_[last])) != View::npos;
    }

    // The letter in question is read if it is there, with a letter of the other kind before it; if it is not, one of
    // the other kind must stand before the last letter.
    bool read_before(char16_t letter) {
        const bool high = letter == kAnyHigh;
        const bool there = at_ > 0 && (high ? in(text_[at_ - 1], kHigh) : text_[at_ - 1] == letter);
        if (at_ < 2 || in(text_[at_ - 2], kVowels) == high) return false;
        if (there) --at_;
        return true;
    }

    bool read(const Suffix& suffix) {
        const Found found = suffix.endings.of(before());
        if (!found || (suffix.harmony && !is_harmonious())) return false;
        at_ = found.at;
        return suffix.before == 0 || read_before(suffix.before);
    }

    void go_back(size_t left) { at_ = text_.size() - std::min(left, text_.size()); }

    template <class... Ways>
    bool either(const Ways&... ways) {
        const size_t left = text_.size() - at_;
        return ((go_back(left), ways()) || ...);
    }
    template <class... Others>
    bool read_one(const Others&... others) {
        return either([&] { return read(others); }...);
    }
    template <class Way>
    bool perhaps(const Way& way) {
        const size_t left = text_.size() - at_;
        if (!way()) go_back(left);
        return true;
    }

    bool take_before_ki();
    bool take_lAr_and_ki() { return begin() && read(s.lAr) && take() && take_before_ki(); }
    bool take_possessive_chain() {
        return begin() && read_one(s.possessive, s.sU) && take() && perhaps([&] { return take_lAr_and_ki(); });
    }
    // After a suffix of which `begin` was said: -lArI, or -sU and what may stand before it.
    bool take_lArI() { return read(s.lArI) && take(); }
    bool take_sU_chain() { return read(s.sU) && take() && perhaps([&] { return take_lAr_and_ki(); }); }
    bool take_lAr_chain() { return read(s.lAr) && take() && perhaps([&] { return take_before_ki(); }); }
    bool take_owned_chain() { return read(s.possessive) && take() && perhaps([&] { return take_lAr_and_ki(); }); }

    Text& text_;
    size_t at_, end_ = 0;
    const Suffixes& s = suffixes();
};

bool Reader::take_verb_suffixes() {
    bool nouns_may_follow = true;
    const auto person = [&] { return perhaps([&] { return read_one(s.sUnUz, s.lAr, s.yUm, s.sUn, s.yUz); }); };
    begin();
    const bool found = either(
        [&] { return read_one(s.ymUs_, s.yDU, s.ysA, s.yken); },
        [&] { return read(s.cAsInA) && person() && read(s.ymUs_); },
        [&] {
            if (!read(s.lAr)) return false;
            take();
            perhaps([&] { return begin() && read_one(s.DUr, s.yDU, s.ysA, s.ymUs_); });
            nouns_may_follow = false;
            return true;
        },
        [&] { return read(s.nUz) && read_one(s.yDU, s.ysA); },
        [&] {
            return read_one(s.sUnUz, s.yUz, s.sUn, s.yUm) && take() &&
                   perhaps([&] { return begin() && read(s.ymUs_); });
        },
        [&] {
            return read(s.DUr) && take() && perhaps([&] { return begin() && person() && read(s.ymUs_); });
        });
    if (found) take();
    at_ = text_.size();
    return nouns_may_follow;
}

// A chain of noun suffixes that ends in -ki.
bool Reader::take_before_ki() {
    begin();
    if (!read(s.ki)) return false;
    return either(
        [&] {
            return read(s.DA) && take() && perhaps([&] {
                       begin();
                       return either([&] { return take_lAr_chain(); }, [&] { return take_owned_chain(); });
                   });
        },
        [&] {
            return read(s.nUn) && take() && perhaps([&] {
                       begin();
                       return either([&] { return take_lArI(); }, [&] { return take_possessive_chain(); },
                                     [&] { return take_before_ki(); });
                   });
        },
        [&] {
            return read(s.ndA) && either([&] { return take_lArI(); }, [&] { return take_sU_chain(); },
                                         [&] { return take_before_ki(); });
        });
}

bool Reader::take_noun_suffixes() {
    return either(
        [&] { return begin() && take_lAr_chain(); },
        [&] {
            return begin() && read(s.ncA) && take() && perhaps([&] {
                       return either([&] { return begin() && take_lArI(); }, [&] { return take_possessive_chain(); },
                                     [&] { return take_lAr_and_ki(); });
                   });
        },
        [&] {
            return begin() && read_one(s.ndA, s.nA) &&
                   either([&] { return take_lArI(); }, [&] { return take_sU_chain(); },
                          [&] { return take_before_ki(); });
        },
        [&] {
            return begin() && read_one(s.ndAn, s.nU) &&
                   either([&] { return take_sU_chain(); }, [&] { return read(s.lArI); });
        },
        [&] {
            return begin() && read(s.DAn) && take() && perhaps([&] {
                       begin();
                       return either([&] { return take_owned_chain(); }, [&] { return take_lAr_chain(); },
                                     [&] { return take_before_ki(); });
                   });
        },
        [&] {
            return begin() && read_one(s.nUn, s.ylA) && take() && perhaps([&] {
                       return either([&] { return take_lAr_and_ki(); }, [&] { return take_possessive_chain(); },
                                     [&] { return take_before_ki(); });
                   });
        },
        [&] { return begin() && take_lArI(); }, [&] { return take_before_ki(); },
        [&] {
            const auto lAr = [&] { return read(s.lAr); };
            return begin() && read_one(s.DA, s.yU, s.yA) && take() && perhaps([&] {
                       begin();
                       const bool owned = either(
                           [&] {
                               return read(s.possessive) && take() && perhaps([&] { return begin() && lAr(); });
                           },
                           lAr);
                       return owned && take() && take_before_ki();
                   });
        },
        [&] { return take_possessive_chain(); });
}

// A stem does not end in d or g: it has lost a vowel, which is put back.
void append_vowel(Text& text) {
    const size_t last = text.find_last_of(kVowels);
    if (last == Text::npos || !ends_in(text, u"dg")) return;
    switch (text[last]) {
        case u'a': case u'ı': text += u'ı'; break;
        case u'e': case u'i': text += u'i'; break;
        case u'o': case u'u': text += u'u'; break;
        default: text += u'ü';
    }
}

}  // namespace

void stem_turkish(Text& text) {
    if (past(text, past(text, 0, kVowels), kVowels) == kNowhere) return;
    Reader reader(text);
    if (!reader.take_verb_suffixes()) return;
    reader.take_noun_suffixes();
    if (text == u"ad" || text == u"soyad") return;
    append_vowel(text);
    constexpr View soft = u"bcdğ", hard = u"pçtk";
    if (ends_in(text, soft)) text.back() = hard[soft.find(text.back())];
}

}  // namespace tercet
