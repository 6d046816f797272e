"""METEOR's normaliser as a chain of global substitutions, from the specification (metrics/04-meteor, section 1)."""

import itertools
import re
from collections.abc import Mapping

LETTER = "A-Za-zÀ-ÖØ-öø-žЀ-ӿԀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ"
SPACES = "[ \u00a0\u2000-\u200a\u202f\u205f\u3000]+"
JAVA_BLANKS = re.compile("[ \t\n\r\f]+")


def words(text: str) -> list[str]:
    """What Java's StringTokenizer gives."""
    return [word for word in JAVA_BLANKS.split(text) if word]


def normalized(text: str, language: str, prefixes: Mapping[str, int], *, punctuation: bool = True) -> list[str]:
    """The tokens of a line."""
    text = re.sub(rf"([^0-9{LETTER} \t\n\v\f\r.'`,\-‘’])", r" \1 ", f" {text} ")
    text = re.sub(r"\.{2,}", lambda found: f" {'DOT' * len(found[0])}MULTI ", text)
    for left, right in (("[^0-9]", "[^0-9]"), ("[0-9]", "[^0-9]"), ("[^0-9]", "[0-9]")):
        text = re.sub(f"({left}),({right})", r"\1 , \2", text)
    text = re.sub("[`‘’]", "'", text)
    text = re.sub("[“”]|''", ' " ', text)
    text = text.replace("–", "-").replace("--", "-")
    text = re.sub(rf"([0-9{LETTER}.])-([0-9{LETTER}])", r"\1 \2", text)
    text = _periods(words(_apostrophes(text, language)), prefixes)
    text = re.sub("((?:DOT)+)MULTI", lambda found: "." * (len(found[1]) // 3), text)
    if not punctuation:
        text = re.sub(f"[^0-9{LETTER}]", " ", text)
    controls = "".join(map(chr, range(33)))
    return words(re.sub(SPACES, " ", text).strip(controls).lower())


def _apostrophes(text: str, language: str) -> str:
    if language not in ("en", "fr"):
        return text.replace("'", " ' ")
    digits = "0-9" if language == "en" else ""
    text = re.sub(f"([^{LETTER}])'([^{LETTER}])", r"\1 ' \2", text)
    text = re.sub(f"([^{LETTER}{digits}])'([{LETTER}])", r"\1 ' \2", text)
    text = re.sub(f"([{LETTER}])'([^{LETTER}])", r"\1 ' \2", text)
    text = re.sub(f"([{LETTER}])'([{LETTER}])", r"\1 '\2" if language == "en" else r"\1' \2", text)
    return re.sub("([0-9])'(s)", r"\1 '\2", text) if language == "en" else text


def _periods(tokens: list[str], prefixes: Mapping[str, int]) -> str:
    out = []
    for word, following in itertools.zip_longest(tokens, tokens[1:], fillvalue=""):
        stem = word[:-1]
        if len(word) == 1 or not word.endswith("."):
            out.append(word)
        elif "." in stem and re.search(f"[{LETTER}]", stem):
            out.append(word.replace(".", ""))
        elif re.match(("[a-z]", "", "[0-9a-z]")[prefixes.get(stem, 0)], following):
            out.append(word)
        else:
            out.append(f"{stem} .")
    return " ".join(out)
