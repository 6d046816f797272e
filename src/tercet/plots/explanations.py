"""Why a segment has its score, as a figure: the same boxes and words that the page paints as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tercet.data.explanation import Explanations
from tercet.plots.canvas import axes, drawing, label
from tercet.plots.explained import COLOURS, SIZE, ColouredBox, PlacedText, explained

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

UNIT = 1 / 96  # inches of a unit
TYPE = 0.9 * SIZE * UNIT * 72  # points; the font of figures is wider than those of screens
ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def explanations_figure(explanations: Explanations) -> Figure:
    """What matched where, edits one by one, n-grams found, or the numbers of the formula."""
    layout = explained(explanations)
    with drawing():
        figure, ax = axes(layout.right * UNIT, layout.height * UNIT)
        figure.set_facecolor(COLOURS["paper"])
        ax.set(xlim=(0, layout.right), ylim=(layout.height, 0))
        ax.set_axis_off()
        for shape in layout.shapes:
            if isinstance(shape, ColouredBox):
                _box(ax, shape)
            else:
                _text(ax, shape)
    return figure


def _box(ax: Axes, box: ColouredBox) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((box.x, box.y), box.width, box.height, facecolor=COLOURS[box.fill], linewidth=0))


def _text(ax: Axes, text: PlacedText) -> None:
    """One line of words; parts that a page would colour apart are one, in the colour of the first."""
    shown = label("".join(part for part, _ in text.parts))
    style: dict[str, Any] = {
        "color": COLOURS[text.parts[0][1]],
        "fontsize": TYPE,
        "weight": "bold" if text.bold else "normal",
        "ha": ANCHORS[text.anchor],
        "va": "baseline",
        "parse_math": False,
    }
    if text.turned:
        style |= {"rotation": 90, "ha": "right", "va": "bottom", "rotation_mode": "default"}
    ax.text(text.x, text.y, shown, **style)
