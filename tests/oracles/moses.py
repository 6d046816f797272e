"""The Moses tokenizer, tokenizer.perl: one substitution after the other.

Perl's Alnum is Alphabetic or a decimal digit; the virama of Devanagari is neither.
"""

import regex

ALNUM = r"\p{Alphabetic}\p{Nd}"
ELLIPSIS_DOT = "\U0010ffff"  # stands for a dot that the other rules must not see; no character of any text
ENTITIES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
# What stands left and right of an apostrophe, and what becomes of it: the rules of each family of languages.
APOSTROPHE_RULES = {
    "right": [
        (r"([^\p{Alphabetic}])'([^\p{Alphabetic}])", r"\1 ' \2"),
        (r"([^\p{Alphabetic}\p{N}])'(\p{Alphabetic})", r"\1 ' \2"),
        (r"(\p{Alphabetic})'([^\p{Alphabetic}])", r"\1 ' \2"),
        (r"(\p{Alphabetic})'(\p{Alphabetic})", r"\1 '\2"),
        (r"(\p{N})'(s)", r"\1 '\2"),
    ],
    "left": [
        (r"([^\p{Alphabetic}])'([^\p{Alphabetic}])", r"\1 ' \2"),
        (r"([^\p{Alphabetic}])'(\p{Alphabetic})", r"\1 ' \2"),
        (r"(\p{Alphabetic})'([^\p{Alphabetic}])", r"\1 ' \2"),
        (r"(\p{Alphabetic})'(\p{Alphabetic})", r"\1' \2"),
    ],
    "glottal": [
        (r"([^\p{Alphabetic}])'([^\p{Alphabetic}])", r"\1 ' \2"),
        (r"([^\p{Alphabetic}])'(\p{Alphabetic})", r"\1 ' \2"),
        (r"(\p{Alphabetic})'([^\p{Alphabetic}])", r"\1 ' \2"),
    ],
    "alone": [(r"(')", r" \1 ")],
}


def moses(
    text: str,
    apostrophe: str,
    word_internal: str,
    escape: bool,
    aggressive: bool,
    prefixes: dict[str, int],
) -> list[str]:
    """The tokens of one line; `prefixes` maps an abbreviation to 1 (anywhere) or 2 (before a number)."""
    text = regex.sub(r"\p{White_Space}+", " ", text)
    text = regex.sub(r"[\x00-\x1f]", "", text)
    text = regex.sub(" +", " ", text).strip(" ")
    text = separate_special_characters(text, word_internal)
    if aggressive:
        text = regex.sub(rf"([{ALNUM}])-(?=[{ALNUM}])", r"\1 @-@ ", text)
    text = regex.sub(r"\.{2,}", lambda dots: f" {ELLIPSIS_DOT * len(dots.group())} ", text)
    text = split_commas(text)
    for pattern, replacement in APOSTROPHE_RULES[apostrophe]:
        text = regex.sub(pattern, replacement, text)
    text = " ".join(split_periods(text, prefixes).split(" "))
    text = regex.sub(" +", " ", text).strip(" ")
    text = regex.sub(r"\.'$", " . '", text).replace(ELLIPSIS_DOT, ".")
    if escape:
        text = "".join(ENTITIES.get(char, char) for char in text)
    return [word for word in text.split(" ") if word]


def separate_special_characters(text: str, word_internal: str) -> str:
    """Spaces around what is neither letter nor digit nor one of . ' ` , - (nor the mark of the language)."""
    text = regex.sub(rf"([^{ALNUM}\s.'`,\-{word_internal}])", r" \1 ", text)
    if word_internal in (":", "'"):  # tokenizer.perl means to do this to Catalan's middle dot too, in vain
        text = regex.sub(rf"({word_internal})(?=$|\P{{Ll}})", r" \1 ", text)
    return text


def split_commas(text: str) -> str:
    """Commas go off, unless between numbers."""
    text = regex.sub(r"(\P{N}),", r"\1 , ", text)
    text = regex.sub(r",(\P{N})", r" , \1", text)
    return str(regex.sub(r"(\p{N}),$", r"\1 ,", text))


def split_periods(text: str, prefixes: dict[str, int]) -> str:
    """The period at the end of a word goes off, unless the word is an abbreviation or no sentence starts."""
    words = text.rstrip(" ").split(" ")
    out = []
    for word, following in zip(words, [*words[1:], None], strict=True):
        stem = word[:-1]
        keep = not word.endswith(".") or not stem or (following is not None and keeps(stem, following, prefixes))
        out.append(word if keep else f"{stem} .")
    return " ".join(out)


def keeps(stem: str, following: str, prefixes: dict[str, int]) -> bool:
    """Whether the period after `stem` stays, seeing the word that follows (which may be empty)."""
    if "." in stem and regex.search(r"\p{Alphabetic}", stem):
        return True
    if prefixes.get(stem) == 1 or regex.match(r"\p{Lowercase}", following):
        return True
    return prefixes.get(stem) == 2 and following[:1] in tuple("0123456789")
