// METEOR 1.5's own idea of words.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "text/tokenize.hpp"

namespace tercet {

enum class Normalize { none, lower, full, nopunct };

// Where a word is cut at an apostrophe between letters: the apostrophe alone, with what follows, with what is before.
enum class Elision { alone, right, left };

struct MeteorText {
    Normalize normalize = Normalize::full;
    Elision elision = Elision::right;
    std::unordered_map<std::string, int> prefixes;  // 1: never a sentence end, 2: not before a number
};

void tokenize_meteor(std::string_view line, const MeteorText& options, TokenBuffer& out);

}  // namespace tercet
