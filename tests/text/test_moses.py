"""The rules of the Moses tokenizer that depend on the language, by hand."""

import pytest

from tercet.text import tokenizer
from tercet.text.moses import abbreviations

CASES = [
    # English splits before the apostrophe.
    ("en", "don't", ["don", "'t"]),
    ("en", "the 1990's", ["the", "1990", "'s"]),
    ("en", "dogs' tails", ["dogs", "'", "tails"]),
    ("en", "'tis", ["'tis"]),  # at the very start there is no character before it
    ("en", "so 'tis", ["so", "'", "tis"]),
    ("en", "5'4", ["5", "'", "4"]),
    ("en", "5'a", ["5'a"]),  # a number before a letter matches no rule
    # French, Italian, Catalan and Irish split behind it.
    ("fr", "l'ami d'Anne", ["l'", "ami", "d'", "Anne"]),
    ("it", "dell'arte", ["dell'", "arte"]),
    ("ca", "l'illa", ["l'", "illa"]),
    ("ga", "d'oscail", ["d'", "oscail"]),
    ("fr", "aujourd'hui 5'a", ["aujourd'", "hui", "5", "'", "a"]),
    # In Catalan the middle dot stays in words, elsewhere not.
    ("ca", "il·lusió", ["il·lusió"]),
    ("en", "il·lusió", ["il", "·", "lusió"]),
    # Somali and Tetun keep the glottal stop.
    ("so", "lo'da", ["lo'da"]),
    ("so", "lo' da", ["lo", "'", "da"]),
    ("so", "lo'Da", ["lo'Da"]),
    ("tdt", "ha'u", ["ha'u"]),
    ("tdt", "ha'U", ["ha", "'", "U"]),  # in Tetun only before lower case
    # Finnish and Swedish keep the colon before lower case.
    ("fi", "EU:n", ["EU:n"]),
    ("fi", "klo 12:30", ["klo", "12", ":", "30"]),
    ("fi", "näin: EU:N", ["näin", ":", "EU", ":", "N"]),
    ("sv", "USA:s", ["USA:s"]),
    ("en", "EU:n", ["EU", ":", "n"]),
    # All others: the apostrophe stands alone.
    ("fi", "vaa'an", ["vaa", "'", "an"]),
    ("sv", "don't", ["don", "'", "t"]),
    ("de", "geht's", ["geht", "'", "s"]),
    # Abbreviations are those of the language.
    ("en", "Mr. Smith", ["Mr.", "Smith"]),
    ("de", "10 Mrd. Euro", ["10", "Mrd.", "Euro"]),
    ("en", "10 Mrd. Euro", ["10", "Mrd", ".", "Euro"]),
    ("en", "No. 5 No. Five", ["No.", "5", "No", ".", "Five"]),
    ("en", "He came. they saw. Then", ["He", "came.", "they", "saw", ".", "Then"]),
    ("en", "the U.S. The", ["the", "U.S.", "The"]),
    ("en", "Mr.", ["Mr", "."]),
    ("en", "wait...what", ["wait", "...", "what"]),
    ("en", "1,000,000, or a,b", ["1,000,000", ",", "or", "a", ",", "b"]),
    ("en", "he said 'no.'", ["he", "said", "'", "no", ".", "'"]),
    ("xx", "Mr. Smith", ["Mr.", "Smith"]),  # an unknown language has the English list
]


@pytest.mark.parametrize(("language", "text", "tokens"), CASES)
def test_languages(language: str, text: str, tokens: list[str]) -> None:
    assert tokenizer(f"moses(language={language}, escape=false)")(text) == tokens


def test_escaping() -> None:
    entities = ["&amp;", "&#124;", "&lt;", "&gt;", "&apos;", "&quot;", "&#91;", "&#93;"]
    assert tokenizer("moses")("& | < > ' \" [ ]") == entities
    assert tokenizer("moses(escape=false)")("& | < > ' \" [ ]") == ["&", "|", "<", ">", "'", '"', "[", "]"]


def test_aggressive_hyphens() -> None:
    split = tokenizer("moses(aggressive=true)")
    assert split("a-b-c x- -y 1-2") == ["a", "@-@", "b", "@-@", "c", "x-", "-y", "1", "@-@", "2"]
    assert tokenizer("moses")("a-b-c") == ["a-b-c"]


def test_abbreviations_know_those_before_numbers() -> None:
    english = abbreviations("en")
    assert english["Mr"] == 1
    assert english["No"] == 2
    assert abbreviations("xx") == english
    assert abbreviations("de") != english
