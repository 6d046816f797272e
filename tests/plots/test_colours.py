"""Systems look the same in pictures and on pages."""

from __future__ import annotations

import importlib.resources
import re

import pytest
from matplotlib.colors import to_hex

import tercet
from tercet.plots.colours import COLOURS, system_colours
from tercet.sample import campaign


def test_pictures_have_the_colours_of_pages() -> None:
    sheet = importlib.resources.files("tercet.report.html").joinpath("page.css").read_text(encoding="utf-8")
    assert tuple(re.findall(r"--c\d+: light-dark\((#\w+),", sheet)) == COLOURS


def test_every_system_has_a_colour_of_its_own() -> None:
    colours = system_colours([f"s{i}" for i in range(40)])
    assert len(set(colours.values())) == 40
    # as Chromium paints oklch(34% .12 182), whose red is below 0, and oklch(50% .12 319.5)
    assert (colours["s12"], colours["s13"]) == ("#004a3d", "#804a8e")


@pytest.mark.parametrize("metric", ["bleu", "ter"])
@pytest.mark.parametrize("verb", ["score", "compare"])
def test_dots_are_coloured_and_the_best_comes_first(verb: str, metric: str) -> None:
    more = {"samples": 40, "correction": "none"} if verb == "compare" else {}
    answer = getattr(tercet, verb)(campaign("de-en"), metrics=[metric, "chrf"], **more)
    scores = {r["system"]: r["score"] for r in tercet.score(campaign("de-en"), metrics=[metric]).as_records()}
    wanted = sorted(scores, key=lambda name: scores[name], reverse=metric == "bleu")
    figure = answer.plot()
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == wanted
    first = [answer.focus, answer.baseline] if verb == "compare" else []
    colours = system_colours(list(campaign("de-en").systems), first)
    for ax in figure.axes:
        dots = {int(line.get_ydata()[0]): to_hex(line.get_color()) for line in ax.lines if len(line.get_xdata()) == 1}
        assert dots == {i: colours[name] for i, name in enumerate(wanted)}
