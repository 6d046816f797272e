"""What all files of quality estimation share: lines with their numbers, cells, segment numbers from 0 or from 1."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from tercet.errors import InputError
from tercet.formats.lines import File, blocks, shown

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf(inity)?)", re.IGNORECASE)
_AHEAD = 3  # lines of WMT21 to WMT23 before the rows: disk footprint, number of parameters, models of an ensemble


@dataclasses.dataclass(frozen=True)
class NumberedLines:
    """The lines of a file that are not empty, each with its number."""

    file: str
    numbers: tuple[int, ...]
    texts: tuple[str, ...]
    total: int  # lines of the file

    def __len__(self) -> int:
        return len(self.texts)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Cells between tabs."""
        for number, text in zip(self.numbers, self.texts, strict=True):
            yield number, [cell.strip() for cell in text.split("\t")]

    def require_no_gap(self) -> None:
        """Refuse an empty line before the last: segments that are known by their place would move up."""
        for place, number in enumerate(self.numbers, 1):
            if number != place:
                raise self.fault(place, "it is empty", "Every line is a segment; say nan for a label that is missing.")

    def fault(self, line: int, what: str, hint: str) -> InputError:
        """An error that names the file and a line."""
        return InputError(f"{self.file}, line {line}: {what}.", hint=hint)


def read_numbered(path: File, *, keep_empty: bool = False) -> NumberedLines:
    """The lines of a file; those without anything are passed over unless they stand for a segment."""
    numbers, texts, total = [], [], 0
    for block in blocks(path):
        for text in block:
            total += 1
            if keep_empty or text.strip():
                numbers.append(total)
                texts.append(text)
    if not any(text.strip() for text in texts):
        raise InputError(f"{shown(path)} is empty.", hint="Check that it is the right file.")
    return NumberedLines(shown(path), tuple(numbers), tuple(texts), total)


def without_preamble(lines: NumberedLines) -> NumberedLines:
    """Without the lines of WMT21 and later that tell the size of a model: numbers alone, before rows with tabs."""
    ahead = 0
    while ahead < min(_AHEAD, len(lines)) and is_number(lines.texts[ahead].strip()):
        ahead += 1
    if not ahead or ahead == len(lines) or "\t" not in lines.texts[ahead]:
        return lines
    return dataclasses.replace(lines, numbers=lines.numbers[ahead:], texts=lines.texts[ahead:])


def is_number(text: str) -> bool:
    """Whether a cell is a number, NaN among them."""
    return _NUMBER.fullmatch(text) is not None


def from_one(
    lines: NumberedLines, segments: Sequence[int], at: Sequence[int], what: str = "segment", whose: str = ""
) -> list[int]:
    """Numbers that begin at 0 or at 1 as numbers from 1; every number once, none left out.

    >>> from_one(NumberedLines("f", (1, 2), ("", ""), 2), [1, 0], [1, 2])
    [2, 1]
    """
    first_line: dict[int, int] = {}
    for line, segment in zip(at, segments, strict=True):
        if segment in first_line:
            raise lines.fault(
                line,
                f"{what} {segment}{whose} is there twice, first on line {first_line[segment]}",
                "Keep one of them.",
            )
        first_line[segment] = line
    base = 0 if 0 in first_line else 1
    missing = next((n for n in range(base, base + len(segments)) if n not in first_line), None)
    if missing is not None:
        beyond = max(first_line)
        raise lines.fault(
            first_line[beyond],
            f"{what} {beyond}{whose} is there, of {len(segments)} in all, and {what} {missing} is not",
            f"Number them from {base} without gaps.",
        )
    return [segment - base + 1 for segment in segments]
