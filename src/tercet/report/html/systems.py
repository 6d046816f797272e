"""How the systems of a page look, the same in every plot, table and mark: a short name and a colour of its own.

What all names begin or end with is cut, up to a point, dash or the like; the whole name shows on hover.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from tercet.numbers import score
from tercet.plots.colours import CHROMA, COLOURS, DARK, LIGHT, hue, ordered
from tercet.report.html.markup import Html, colour, element, joined, name, prose
from tercet.report.html.text import clipped
from tercet.report.naming import short_names

DASHES = 3  # of lines, another for every twelve systems


@dataclasses.dataclass(frozen=True)
class Looks:
    """The short name of each system, and the class of its colour."""

    short: Mapping[str, str]
    colours: Mapping[str, str]

    @classmethod
    def of(cls, systems: Sequence[str], first: Sequence[str] = ()) -> Looks:
        """Colours are given in the order of the systems, after those that are to have the first ones."""
        colours = {s: f"c{i} d{i // len(COLOURS) % DASHES}" for i, s in enumerate(ordered(systems, first))}
        return cls(dict(zip(systems, short_names(systems), strict=True)), colours)

    @property
    def sheet(self) -> Html:
        """The colours that page.css has not.

        >>> Looks.of([f"system-{i}" for i in range(13)]).sheet
        Html('.c12 { --c: light-dark(oklch(34% .12 182.0), oklch(90% .12 182.0)); }\\n')
        """
        return Html().join(map(_further, range(len(COLOURS), len(self.colours))))

    def title(self, system: str) -> str | None:
        """The whole name, where it is not what is shown."""
        return None if self.short[system] == system else clipped(system, 500)

    def name(self, system: str) -> Html:
        """A system's name behind a dot of its colour."""
        shown = name(self.short[system])
        return element("span", shown, class_=f"system {self.colours[system]}", title=self.title(system))

    def sentence(self, text: str) -> Html:
        """A sentence in which systems have their short names, with the whole ones on hover.

        >>> looks = Looks.of(["set.base.de", "set.large.de"])
        >>> looks.sentence("set.base.de < set.larger")
        Html('<span title="set.base.de"><bdi>base</bdi></span> &lt; set.larger')
        """
        return joined(
            *(
                element("span", name(self.short[piece]), title=self.title(piece)) if i % 2 else prose(piece)
                for i, piece in enumerate(self._pieces(text))
            )
        )

    def plain(self, text: str) -> str:
        """The same as text alone."""
        return "".join(self.short[piece] if i % 2 else piece for i, piece in enumerate(self._pieces(text)))

    def _pieces(self, text: str) -> list[str]:
        """A sentence cut at the names of systems that are shortened: every second piece is one."""
        longest_first = sorted((s for s, short in self.short.items() if s != short), key=len, reverse=True)
        names = "|".join(map(re.escape, longest_first))
        return re.split(r"(?<!\w)(" + names + r")(?!\w)", text) if names else [text]


def _further(number: int) -> Html:
    """One more colour, readable as text on either paper."""
    rest, turn = f"{score(CHROMA, 2).lstrip('0')} {score(hue(number), 1)}", number % len(LIGHT)
    light, dark = (f"oklch({lightness[turn]}% {rest})" for lightness in (LIGHT, DARK))
    return colour(number, light, dark)
