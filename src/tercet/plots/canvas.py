"""What all figures share: style, size, fonts, and how they are written.

Axes have a size in inches that follows from the data; names and numbers around them take the room that they need,
and the page is cut to fit when the figure is saved. The same figure gives the same bytes.
"""

from __future__ import annotations

import contextlib
import io
import pathlib
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tercet.errors import InputError
from tercet.escaping import one_line
from tercet.formats.lines import File, replacing
from tercet.numbers import plain, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tercet.plots.layout import Axis

INK = "#1a1a1a"
BAR = "#3d6a9e"
BAND = "#f0f0f0"
RULE = "#b8b8b8"
SIZE = 8.0  # points
PAD = 0.05  # inches around what is drawn
DRAWABLE = 1e250  # the largest number that has a place on an axis

FONT = "DejaVu Sans"  # comes with matplotlib
OTHER_FONTS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans Devanagari", "Noto Sans Arabic", "Noto Sans")

STYLE: dict[str, Any] = {
    "font.family": "sans-serif",  # so that an SVG falls back to some other upright font
    "font.size": SIZE,
    "axes.titlesize": SIZE + 1,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": RULE,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": RULE,
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.5,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "tercet",
    "pdf.fonttype": 42,  # publishers refuse Type 3
}
SHAPING = ("GDEF", "GPOS", "GSUB", "kern")  # tables of a font
METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": "Tercet"},
    "pdf": {"CreationDate": None, "Creator": "Tercet", "Producer": None},
    "png": {"Software": None},
}


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """Our style, whatever the reader's own settings are; a script that no font has is drawn as boxes, not refused."""
    import matplotlib.style

    with warnings.catch_warnings(), matplotlib.style.context([STYLE], after_reset=True):
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from")
        warnings.filterwarnings("ignore", r"Matplotlib currently does not support")
        yield


@contextlib.contextmanager
def writing(figure: Figure) -> Iterator[None]:
    """Our style, and the fonts that a figure's letters need."""
    import matplotlib
    from matplotlib.text import Text

    for ax in figure.axes:
        ends = [*ax.get_xlim(), *ax.get_ylim()]
        if max(map(abs, ends)) > DRAWABLE:
            raise InputError(
                f"A picture cannot reach from {plain(min(ends))} to {plain(max(ends))}.",
                hint="Leave out what is no score, or ask for another form: -f table.",
            )
    with drawing():
        matplotlib.rcParams["font.sans-serif"] = _fonts("".join(t.get_text() for t in figure.findobj(Text)))
        yield


def label(name: str) -> str:
    """A name as it is shown: what no font can show and no XML may hold becomes U+FFFD.

    >>> label("a\\tb")
    'a\ufffdb'
    """
    return one_line(name)


def blank(width: float, height: float) -> Figure:
    """A figure without axes, so many inches wide and high; notebooks show it, and its page is cut to fit."""
    from tercet.plots.picture import ShownFigure

    return ShownFigure(figsize=(width, height), facecolor="white")


def axes(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure that is all axes, so many inches wide and high."""
    figure = blank(width, height)
    return figure, figure.add_axes((0, 0, 1, 1))


def scaled(ax: Axes, x: Axis, y: Axis) -> None:
    """The ranges and ticks of a layout."""
    ax.set(xlim=x.span, ylim=y.span)
    ax.set_xticks([value for value, _ in x.ticks], [text for _, text in x.ticks])
    ax.set_yticks([value for value, _ in y.ticks], [text for _, text in y.ticks])


def column(ax: Axes, header: str, cells: Sequence[str]) -> None:
    """Numbers to the right of the rows 0, 1, ... of a figure, flush right under a header."""
    right = 8 + 0.64 * SIZE * max(map(len, [header, *cells]))
    style: dict[str, Any] = {"textcoords": "offset points", "ha": "right"}
    for y, cell in enumerate(cells):
        ax.annotate(typeset(cell), (1, y), (right, 0), ("axes fraction", "data"), va="center_baseline", **style)
    ax.annotate(header, (1, 1), (right, 4), "axes fraction", fontsize=SIZE - 1, **style)


def require_suffix(path: File) -> str:
    """The kind of figure that a name asks for."""
    kind = pathlib.Path(path).suffix.lower().removeprefix(".")
    if kind not in METADATA:
        raise InputError(
            f"{path} does not say what kind of figure to write.", hint="Give it a name that ends in .svg, .pdf or .png."
        )
    return kind


def save(figure: Figure, path: File) -> None:
    """Write a figure as .svg, .pdf or .png, whichever its name ends in; the same figure gives the same bytes."""
    kind = require_suffix(path)
    page = io.BytesIO()
    with writing(figure), _letters_only():
        figure.savefig(page, format=kind, dpi=300, bbox_inches="tight", pad_inches=PAD, metadata=METADATA[kind])
    with replacing(path) as file:
        file.write(page.getvalue())


@contextlib.contextmanager
def _letters_only() -> Iterator[None]:
    """A PDF holds the letters of its fonts, but no tables by which text is shaped: it is by then.

    To cut those tables down to a few letters takes as long as to draw the page.
    """
    from fontTools.subset import Options

    usual = Options._drop_tables_default
    Options._drop_tables_default = [*usual, *SHAPING]
    try:
        yield
    finally:
        Options._drop_tables_default = usual


def _fonts(text: str) -> list[str]:
    """Ours, and those for other scripts only where a text needs them: no other figure depends on what is installed."""
    from matplotlib import font_manager

    covered = font_manager.get_font(font_manager.findfont(FONT)).get_charmap()
    if all(ord(char) in covered or char.isspace() for char in text):
        return [FONT]
    installed = set(font_manager.get_font_names())
    return [FONT, *(name for name in OTHER_FONTS if name in installed)]
