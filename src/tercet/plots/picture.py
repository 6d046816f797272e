"""The figure that all pictures are drawn on. Importing this imports matplotlib."""

from __future__ import annotations

import io
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from tercet.plots.canvas import PAD, writing

DPI = 144  # in a notebook: letters as large as those of its text


class ShownFigure(Figure):
    """A figure that a notebook shows, with or without pyplot, and whose page is cut to what is drawn.

    Axes may fill it, with names and numbers around them: what saves it takes them in.
    """

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """As matplotlib does, but with the names around the axes, in our fonts."""
        given = {"bbox_inches": "tight", "pad_inches": PAD, "dpi": matplotlib.rcParams["savefig.dpi"], **kwargs}
        with writing(self):
            super().savefig(fname, **given)

    def _repr_png_(self) -> bytes:
        page = io.BytesIO()
        self.savefig(page, format="png", dpi=DPI)
        return page.getvalue()
