#include "text/unicode.hpp"

namespace tercet {

namespace {

using unicode::is;

constexpr char32_t kCapitalSigma = 0x3A3, kSigma = 0x3C3, kFinalSigma = 0x3C2, kDottedI = 0x130;

// Unicode's Final_Sigma: a cased letter before, none after, looking past case-ignorable characters.
bool sigma_is_final(const Chars& chars, size_t at) {
    size_t before = at;
    while (before > 0 && is(chars[before - 1], unicode::k_case_ignorable)) --before;
    if (before == 0 || !is(chars[before - 1], unicode::k_cased)) return false;
    size_t after = at + 1;
    while (after < chars.size() && is(chars[after], unicode::k_case_ignorable)) ++after;
    return after == chars.size() || !is(chars[after], unicode::k_cased);
}

bool all_ascii(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    return true;
}

}  // namespace

void append_lower(std::string_view text, Lower how, std::string& out) {
    if (how == Lower::none) {
        out.append(text);
        return;
    }
    if (how == Lower::ascii || all_ascii(text)) {
        for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        return;
    }
    thread_local Chars chars;
    decode(text, chars);
    for (size_t i = 0; i < chars.size(); ++i) {
        const char32_t c = chars[i];
        if (c == kDottedI) {
            out += "i\xCC\x87";  // i and a combining dot, the only lower case of two code points
        } else if (c == kCapitalSigma) {
            append_utf8(out, how == Lower::python && sigma_is_final(chars, i) ? kFinalSigma : kSigma);
        } else {
            append_utf8(out, unicode::lower(c));
        }
    }
}

}  // namespace tercet
