"""Languages and language pairs, however they are written: Czech, ces, cze and cs are all "cs".

Codes are the two letters of ISO 639-1 where there are any, three of ISO 639-2/T elsewhere. The table holds what the
evaluations of WMT have used; every other code stays as it is, in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from tercet.data import Ints
from tercet.errors import InputError
from tercet.formats.names import Names

# The code, the three letters of ISO 639-2 (and the older ones where they differ), the name in English.
_TABLE = """
af afr Afrikaans|am amh Amharic|ar ara Arabic|as asm Assamese|bg bul Bulgarian|bho bho Bhojpuri|bn ben Bengali
ca cat Catalan|cs ces/cze Czech|da dan Danish|de deu/ger German|el ell/gre Greek|en eng English|es spa Spanish
et est Estonian|eu eus/baq Basque|fa fas/per Persian|fi fin Finnish|fr fra/fre French|gu guj Gujarati|ha hau Hausa
he heb Hebrew|hi hin Hindi|hr hrv Croatian|hsb hsb Upper Sorbian|ht hat Haitian Creole|hu hun Hungarian
id ind Indonesian|is isl/ice Icelandic|it ita Italian|iu iku Inuktitut|ja jpn Japanese|kk kaz Kazakh|km khm Khmer
kn kan Kannada|ko kor Korean|liv liv Livonian|lt lit Lithuanian|lv lav Latvian|mas mas Maasai|mr mar Marathi
mt mlt Maltese|nb nob Norwegian Bokmal|ne nep Nepali|nl nld/dut Dutch|pl pol Polish|ps pus Pashto|pt por Portuguese
ro ron/rum Romanian|ru rus Russian|sah sah Sakha|si sin Sinhala|sk slk/slo Slovak|sl slv Slovenian|sr srp Serbian
sv swe Swedish|sw swa Swahili|ta tam Tamil|te tel Telugu|th tha Thai|tr tur Turkish|uk ukr Ukrainian|ur urd Urdu
vi vie Vietnamese|xh xho Xhosa|zh zho/chi Chinese|zu zul Zulu
"""
_CODES: dict[str, str] = {}
_THREE: dict[str, str] = {}
for _entry in _TABLE.strip().replace("\n", "|").split("|"):
    _code, _letters, _name = _entry.split(" ", 2)
    _CODES.update(dict.fromkeys([_code, *_letters.split("/"), _name.lower()], _code))
    _THREE[_code] = _letters.partition("/")[0]

HINT = "Write a pair as cs-en, ces-eng or Czech-English."


def language(written: str) -> str:
    """The code of a language, which may be written as a name or as another code.

    >>> [language(name) for name in ("Czech", "CES", "cze", "cs", "tlh")]
    ['cs', 'cs', 'cs', 'cs', 'tlh']
    """
    plain = written.strip().lower()
    return _CODES.get(plain, plain)


def three_letters(code: str) -> str:
    """The code of ISO 639-2/T, as the files of WMT15 have it.

    >>> three_letters("de"), three_letters("tlh")
    ('deu', 'tlh')
    """
    return _THREE.get(language(code), code)


def pair(written: str | tuple[str, str]) -> str:
    """A language pair in its usual form, "" if it is none; its languages may come joined by "-" or as two.

    >>> pair("Czech-English"), pair("ces-eng"), pair(("cs", "en")), pair("Czech")
    ('cs-en', 'cs-en', 'cs-en', '')
    """
    both = written.split("-") if isinstance(written, str) else written
    codes = [language(name) for name in both]
    return "-".join(codes) if len(codes) == 2 and all(codes) else ""


def pair_of_name(file: str) -> str:
    """The language pair that the name of a file says, "" if it says none, or several.

    >>> pair_of_name("newstest2014.de-en.tsv.gz"), pair_of_name("cze-eng_A.txt"), pair_of_name("post-edit.tsv")
    ('de-en', 'cs-en', '')
    """
    parts = [part.split("-") for part in re.split(r"[._ ]+", file.lower())]
    said = {pair((part[0], part[1])) for part in parts if len(part) == 2 and all(code in _CODES for code in part)}
    return said.pop() if len(said) == 1 else ""


def wanted_pair(written: str) -> str:
    """A language pair that somebody asked for, in its usual form."""
    direction = pair(written)
    if not direction:
        raise InputError(f"{written!r} is no language pair.", hint=HINT)
    return direction


def nothing_of(wanted: str, file: str, pairs: Sequence[str]) -> InputError:
    """The error where a file has other language pairs than the one that is asked for."""
    are = f"pair is {pairs[0]}" if len(pairs) == 1 else f"pairs are {', '.join(pairs)}"
    return InputError(f"{file} has nothing of {wanted}.", hint=f"Its language {are}.")


class PairChoice:
    """Which rows of a file belong to the language pair that is wanted, or else to the first one of the file."""

    def __init__(self, file: str, wanted: str | None) -> None:
        self.file = file
        self.wanted = wanted_pair(wanted) if wanted else None
        self.spellings: Names[Hashable] = Names()
        self.meaning: list[int] = []  # the pair that each spelling stands for
        self.pairs: Names[str] = Names()
        self.first: list[int] = []  # line of each pair
        self.others = 0  # rows

    def rows(self, written: Sequence[Hashable], lines: Ints) -> npt.NDArray[np.bool_]:
        """Whether to keep each row, by the pair that is written in it."""
        n_known = len(self.spellings)
        ids = self.spellings.numbers(written)
        for spelling, number in list(self.spellings.items())[n_known:]:
            self._learn(spelling, int(lines[int(np.argmax(ids == number))]))
        keep = np.array(self.meaning, dtype=np.int64)[ids] == self._pick() if len(ids) else np.zeros(0, dtype=np.bool_)
        self.others += len(ids) - int(keep.sum())
        return keep

    def row(self, written: Hashable, line: int) -> bool:
        """The same for one row."""
        if written not in self.spellings:
            _ = self.spellings[written]
            self._learn(written, line)
        keep = self.meaning[self.spellings[written]] == self._pick()
        self.others += not keep
        return keep

    def _pick(self) -> int:
        return self.pairs.get(self.wanted, -1) if self.wanted else 0

    def _learn(self, spelling: Hashable, line: int) -> None:
        direction = pair(spelling)  # type: ignore[arg-type]
        if not direction:
            given = spelling if isinstance(spelling, str) else "-".join(spelling)  # type: ignore[arg-type]
            raise InputError(f"{self.file}, line {line}: {given[:60]!r} is no language pair.", hint=HINT)
        if direction not in self.pairs:
            self.first.append(line)
        self.meaning.append(self.pairs[direction])

    def result(self) -> tuple[str, list[str]]:
        """The pair of the rows that were kept, "" if the file does not say, and a note on the others."""
        known = list(self.pairs)
        if self.wanted and known and self.wanted not in known:
            raise nothing_of(self.wanted, self.file, known)
        if not self.wanted and len(known) > 1:
            raise InputError(
                f"{self.file}, line {self.first[1]}: {known[1]} after {known[0]}; the file has {len(known)} language "
                f"pairs: {', '.join(known)}.",
                hint=f"Choose one: --pair {known[0]} (in Python pair={known[0]!r}).",
            )
        chosen = self.wanted or (known[0] if known else "")
        note = f"Rows of other language pairs than {chosen}, left out: {self.others}."
        return chosen, [note] if self.others else []
