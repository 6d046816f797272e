"""How an answer is shown: options that only a shell has, and the one place that knows what the name of a file says."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import ClassVar

from tercet.errors import InputError
from tercet.options import Options, setting
from tercet.options.groups import BY_SUFFIX, PICTURES, Form, suffix_of

STDOUT = pathlib.Path("-")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Written(Options):
    """Where an answer goes."""

    output: pathlib.Path | None = setting(None, "Write to this file; - is standard output.", "-o", "--output")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_folder(self.path)

    @property
    def path(self) -> pathlib.Path | None:
        """The file, or none for standard output."""
        return None if self.output == STDOUT else self.output


def require_folder(output: pathlib.Path | None) -> None:
    """Refuse an output whose folder is not there before hours of work, not after."""
    if output is None or output.parent.is_dir():
        return
    from tercet.formats import places  # which waits for other formats, and is rarely needed

    if not places.address(output):
        raise InputError(f"The folder of {output} is not there.", hint=f"Make it first: mkdir -p {output.parent}")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Product(Written):
    """Where something goes that has one format of its own: a table of words, a language model."""

    made: ClassVar[str] = ""  # what it is
    like: ClassVar[str] = ""  # a name that it could have

    def __post_init__(self) -> None:
        super().__post_init__()
        suffix = suffix_of(self.path)
        if suffix in PICTURES or BY_SUFFIX.get(suffix, "table") != "table":
            raise InputError(f"{self.output}: {self.made} is no {suffix} file.", hint=f"Name it, say, {self.like}.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Styled(Options):
    """As what an answer is printed."""

    style: Form | None = setting(
        None, "Output format. Default: what the name of the output says, or table.", "-f", "--format"
    )

    @property
    def form(self) -> Form:
        """The format that is asked for."""
        return self.style or "table"

    @property
    def path(self) -> pathlib.Path | None:
        """The file, or none for standard output."""
        return None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Delivery(Written, Styled):
    """Where an answer goes, and as what: the name of the file says it, or -f."""

    forms: ClassVar[tuple[str, ...]] = tuple(dict.fromkeys(BY_SUFFIX.values()))  # those that the verb has
    pictures: ClassVar[tuple[str, ...]] = ()  # and the kinds of picture

    output: pathlib.Path | None = setting(
        None,
        "Write to this file, as what its name ends in: .json, .csv, .tsv, .md, .tex, .txt, .html, or .svg, .pdf, .png "
        "where there is a picture; - is standard output.",
        "-o",
        "--output",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        suffix = suffix_of(self.path)
        said = BY_SUFFIX.get(suffix)
        if self.picture and self.style is not None:
            raise InputError(f"{self.output} is a picture, and -f {self.style} is none.", hint="Leave out one of them.")
        if suffix in PICTURES and suffix not in self.pictures:
            also = f" but {' and '.join(self.pictures)}" if self.pictures else ""
            raise InputError(f"{self.output}: there is no picture of this{also}.", hint=self._endings())
        if self.form not in self.forms:
            raise InputError(f"There is no {self.form} of this.", hint=self._endings())
        if said is None and self.style is None and not self.picture:
            raise InputError(f"{self.output}: no format is known by {suffix}.", hint=self._endings())
        if suffix not in ("", ".txt") and self.style is not None and said not in (None, self.style):
            raise InputError(
                f"{self.output} says {said}, and -f says {self.style}.", hint="Leave out -f, or give another name."
            )

    @property
    def form(self) -> Form:
        """The format that is asked for, or that the name of the output says."""
        return self.style or BY_SUFFIX.get(suffix_of(self.path), "table")

    @property
    def picture(self) -> bool:
        """Whether a picture is asked for."""
        return suffix_of(self.path) in self.pictures

    def _endings(self) -> str:
        known = [suffix for suffix, form in BY_SUFFIX.items() if suffix and form in self.forms]
        return f"Use a name that ends in one of {', '.join((*known, *self.pictures))}, or name a format with -f."


@dataclasses.dataclass(frozen=True, kw_only=True)
class DigitsOfTables(Options):
    """How exactly numbers are shown in tables."""

    digits: int | None = setting(None, "Digits after the point in tables.", "-w", "--digits", least=0, most=17)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Digits(Styled, DigitsOfTables):
    """How exactly numbers are shown, where there may be no table."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form in ("json", "jsonl", "csv", "tsv"):
            self.refuse_idle({"digits": f"in {self.form}, where programs get all of them"})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Drawn(Delivery):
    """An answer of which there is a picture."""

    pictures: ClassVar[tuple[str, ...]] = PICTURES


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tables(Drawn, Digits):
    """How an answer is shown as a table, and as a picture."""

    figure: pathlib.Path | None = setting(None, "Draw it, too: a file that ends in .svg, .pdf or .png.")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_folder(self.figure)
        if self.figure is not None:
            from tercet.plots.canvas import require_suffix

            require_suffix(self.figure)

    def refuse_undrawn(self, name: str) -> None:
        """Refuse an option of the picture where none is drawn."""
        if self.figure is None and not self.picture:
            self.refuse_idle({name: "without a picture: --figure FILE.svg, or -o FILE.svg"})
