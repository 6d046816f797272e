"""The tokenizers of sacreBLEU and mteval: chains of global substitutions, as the programs have them.

Each takes a text and gives its tokens. "\\s" means what it means in the program's language: Python's includes
U+001C to U+001F, Perl's is Unicode's White_Space.
"""

import re

import regex

from tests.oracles.case import lower


def whitespace(text: str) -> list[str]:
    """The tokenizer `none`."""
    return text.split()


def spaces(text: str) -> list[str]:
    """At U+0020 and nowhere else."""
    return [word for word in text.split(" ") if word]


def characters(text: str) -> list[str]:
    """Every character that is not white space."""
    return " ".join(text).split()


def western_13a(text: str) -> list[str]:
    """sacreBLEU's 13a."""
    return mteval_western(text.rstrip()).split()


def international(text: str) -> list[str]:
    """sacreBLEU's intl."""
    return split_international(text.rstrip()).split()


def chinese(text: str) -> list[str]:
    """sacreBLEU's zh."""
    spaced = re.sub(f"([{CHINESE}])", r" \1 ", text.strip())
    return split_periods(split_punctuation(spaced)).split()


# Ranges of sacreBLEU. 2001-2A6D and 2F81-2FA1 were meant for the planes above but are written with four digits.
CHINESE = (
    "\u3400-\u4db5\u4e00-\u9fa5\u9fa6-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\u2001-\u2a6d\u2f81-\u2fa1"
    "\uff00-\uffef\u2e80-\u2eff\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff\u3100-\u312f\u31a0-\u31bf"
    "\ufe10-\ufe1f\ufe30-\ufe4f\u2600-\u26ff\u2700-\u27bf\u3200-\u32ff\u3300-\u33ff"
)


def unescape(text: str, *more: tuple[str, str]) -> str:
    """Entities, in this order: &amp;lt; ends as <."""
    for entity, char in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), *more):
        text = text.replace(entity, char)
    return text


def split_punctuation(text: str) -> str:
    """Spaces around ASCII punctuation other than apostrophe, comma, hyphen and period."""
    return re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", text)


def split_periods(text: str) -> str:
    """Periods and commas go off, unless between digits; a hyphen goes off a digit before it."""
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text)


def mteval_western(text: str) -> str:
    """The western rules that 13a and mteval share."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    return split_periods(split_punctuation(f" {unescape(text)} "))


def split_international(text: str) -> str:
    """Punctuation goes off what is no number; symbols stand alone."""
    text = regex.sub(r"(\P{N})(\p{P})", r"\1 \2 ", text)
    text = regex.sub(r"(\p{P})(\P{N})", r" \1 \2", text)
    return str(regex.sub(r"(\p{S})", r" \1 ", text))


def tercom(
    text: str,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    twice: bool = False,
) -> list[str]:
    """What sacreBLEU's TER does before it counts."""
    text = text.rstrip()
    if not case_sensitive:
        text = text.lower()
    if normalized:
        text = unescape(text.replace("\n-", "").replace("\n", " "))
        text = split_punctuation(f" {text} ").replace("'s ", " 's ")
        text = split_periods(text)
        if asian_support:
            text = re.sub(f"([{TERCOM_CJK}{ASIAN_PUNCTUATION}])", r" \1 ", text)
    if no_punct:
        text = re.sub(r'[.,?:;!"()]', "", text)
        if asian_support:
            text = re.sub(f"[{ASIAN_PUNCTUATION}]", "", text)
    words = text.split()
    return tercom(" ".join(words), normalized, no_punct, asian_support, case_sensitive) if twice else words


TERCOM_CJK = "\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f\u3200-\u3f22"
ASIAN_PUNCTUATION = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
)


def mteval(
    text: str,
    international: bool = False,
    case_sensitive: bool = False,
    enclose_non_ascii: bool = False,
) -> list[str]:
    """mteval's normalisation of a segment, whose white space its reader has collapsed already."""
    text = regex.sub(r"\p{White_Space}+", " ", text)
    if international:
        text = text.replace("<skipped>", "")
        text = unescape(text.replace("\u2028", " "), ("&apos;", "'"))
        if not case_sensitive:
            text = lower(text, "perl")
        if enclose_non_ascii:
            text = re.sub(r"([^\x00-\x7f])", r" \1 ", text)
        text = split_international(text)
    else:
        text = mteval_western(text)
        if not case_sensitive:
            text = lower(text, "ascii")
    return [word for word in regex.split(r"\p{White_Space}+", text) if word]
