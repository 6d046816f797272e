"""The words behind a fault, segment by segment, for pages that mark them: numbers and names lost, words left over.

They are looked for again with the rules of `surface` and `language` that counted them, in the segments that have the
fault only. Of faults that are no words (an empty output, a missing full stop) there are none.
"""

from __future__ import annotations

from collections.abc import Callable

from tercet.comparing import surface
from tercet.comparing.checks import expected_numbers
from tercet.comparing.language import foreign_words, usual_scripts
from tercet.data import Comparison, FaultWords, TestSet

Finder = Callable[[int, str], list[str]]  # row and output ──> words


def fault_words(comparison: Comparison) -> FaultWords:
    """By the places of check and system, the words of each segment that has the fault."""
    testset = comparison.testset
    if testset.references is None:
        return {}
    finders = _finders(testset)
    by_check = {}
    for place, check in enumerate(comparison.checks):
        if check.kind not in finders:
            continue
        find = finders[check.kind]()
        for s, texts in enumerate(testset.systems.values()):
            words = {row: tuple(find(row, texts[row])) for row in check.rows(s)}
            by_check[place, s] = {row: told for row, told in words.items() if told}
    return by_check


def _finders(testset: TestSet) -> dict[str, Callable[[], Finder]]:
    """By kind of fault, what makes its finder; those of names look through all texts first."""
    references = list(testset.references or ())
    sources = None if testset.sources is None else testset.sources.strings

    def numbers() -> Finder:
        expected = expected_numbers(references, sources)

        def find(row: int, text: str) -> list[str]:
            lost = expected[row] - surface.numbers(text)
            return [number for digits, number in surface.written_numbers(references[row][0]).items() if digits in lost]

        return find

    def names(other_case: bool) -> Finder:
        expected = surface.expected_names(references, sources)

        def find(row: int, text: str) -> list[str]:
            missing = surface.missing_names(expected[row], text)
            lost = sorted(name for name, small in missing.items() if small == other_case)
            folded = {name.casefold() for name in lost} if other_case else ()
            return [*lost, *(word for word in dict.fromkeys(surface.words(text)) if word.casefold() in folded)]

        return find

    def scripts() -> Finder:
        usual = usual_scripts(text for group in references for text in group)
        return lambda row, text: foreign_words(text, usual, references[row])

    def untranslated() -> Finder:
        def find(row: int, text: str) -> list[str]:
            theirs = {word for reference in references[row] for word in surface.words(reference)}
            source = set(surface.words("" if sources is None else sources[row]))
            return [word for word in dict.fromkeys(surface.words(text)) if word in source and word not in theirs]

        return find

    return {
        "numbers": numbers,
        "names": lambda: names(False),
        "case": lambda: names(True),
        "script": scripts,
        "untranslated": untranslated,
    }
