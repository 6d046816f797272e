// Porter's stemmer (1980) with the changes that NLTK calls its extensions, which rouge_score takes.
#pragma once

#include <string>

namespace tercet {

// Stems a word of lower-case ASCII letters and digits in place.
void stem_porter(std::string& word);

}  // namespace tercet
