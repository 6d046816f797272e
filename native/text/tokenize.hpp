// Tokenisers: a line in, words out. Each follows the program named beside it, character for character.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "common/parallel.hpp"
#include "text/text.hpp"
#include "text/unicode.hpp"

namespace tercet {

void split_whitespace(std::string_view line, TokenBuffer& out);          // Python's str.split()
void split_spaces(std::string_view line, TokenBuffer& out);              // at U+0020 only, as Moses does
void tokenize_13a(std::string_view line, TokenBuffer& out);              // sacreBLEU, mteval-v13a
void tokenize_intl(std::string_view line, TokenBuffer& out);             // sacreBLEU
void tokenize_zh(std::string_view line, TokenBuffer& out);               // sacreBLEU
void tokenize_char(std::string_view line, TokenBuffer& out);             // sacreBLEU

struct TercomOptions {
    bool normalized = false, no_punct = false, asian_support = false, case_sensitive = false;
    bool twice = false;  // once more over its own output, as sacreBLEU does to references
};
void tokenize_tercom(std::string_view line, const TercomOptions& options, TokenBuffer& out);  // sacreBLEU's TER

struct TerpTextOptions {
    bool normalized = false, case_sensitive = false;
};
void tokenize_terp(std::string_view line, const TerpTextOptions& options, TokenBuffer& out);  // TERp's program

struct MtevalOptions {
    bool international = false, case_sensitive = false, enclose_non_ascii = false;
};
void tokenize_mteval(std::string_view line, const MtevalOptions& options, TokenBuffer& out);  // mteval-v13a, v14

// What the Moses tokeniser does with an apostrophe between letters.
enum class Apostrophe { alone, splits_right, splits_left, glottal };

struct MosesOptions {
    Apostrophe apostrophe = Apostrophe::alone;
    char32_t word_internal = 0;  // a mark that stays inside words before lower case: ':' (fi, sv), '·' (ca)
    bool escape = true, aggressive = false;
    std::unordered_map<std::string, int> prefixes;  // 1: never a sentence end, 2: not before a number
};
void tokenize_moses(std::string_view line, const MosesOptions& options, TokenBuffer& out);  // tokenizer.perl

template <class Tokenize>
TokenBuffer tokenize_lines(const Lines& lines, int threads, const Tokenize& tokenize) {
    constexpr int64_t block = 256;
    std::vector<TokenBuffer> parts(threads > 1 ? (lines.size + block - 1) / block : 1);
    parallel_blocks(lines.size, threads, block, [&](int64_t begin, int64_t end) {
        TokenBuffer& out = parts[threads > 1 ? begin / block : 0];
        const int64_t last = threads > 1 ? end : lines.size;  // of the lines that come here
        if (out.rows.size() == 1) out.reserve(last - begin, lines.offsets[last] - lines.offsets[begin]);
        Pace pace;
        for (int64_t i = begin; i < end; ++i) {
            pace.steps(16 * (lines.offsets[i + 1] - lines.offsets[i]));
            tokenize(lines[i], out);
            out.end_row();
        }
    });
    return parts.size() == 1 ? std::move(parts[0]) : joined(parts, threads);
}

}  // namespace tercet
