// Snowball stemmers (snowballstem.org), in the state of 2010 that METEOR 1.5 carries, for fifteen languages; and
// Porter's English one, as he changed it himself, which TERp takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/text.hpp"

namespace tercet {

// Takes a word in UTF-16, whose units are the letters that the algorithms count, to its stem in place.
using Stemmer = void (*)(std::u16string&);

void stem_danish(std::u16string& word);
void stem_dutch(std::u16string& word);
void stem_english(std::u16string& word);
void stem_finnish(std::u16string& word);
void stem_french(std::u16string& word);
void stem_german(std::u16string& word);
void stem_hungarian(std::u16string& word);
void stem_italian(std::u16string& word);
void stem_norwegian(std::u16string& word);
void stem_porter(std::u16string& word);
void stem_portuguese(std::u16string& word);
void stem_romanian(std::u16string& word);
void stem_russian(std::u16string& word);
void stem_spanish(std::u16string& word);
void stem_swedish(std::u16string& word);
void stem_turkish(std::u16string& word);

// The stems of the words, one a row.
TokenBuffer stem_words(const Lines& words, Stemmer stemmer, int threads);

}  // namespace tercet
