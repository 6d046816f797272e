"""Every figure is written in three forms, twice alike, with its names as text, whatever the names and numbers are."""

from __future__ import annotations

import io
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from fontTools.ttLib import TTFont

from tercet.data import Array
from tercet.errors import InputError
from tercet.plots import AnnotatorRow, RangeRow, annotators, canvas, head_to_head, rank_ranges, save
from tercet.plots.intervals import IntervalRow, score_intervals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = ["amber", "在线翻译", "مترجم-آلي", "अनुवाद", "$x_1$ & <b>", "a-system-with-a-name-of-forty-characters"]
HEADERS = {".svg": b"<?xml", ".pdf": b"%PDF-", ".png": b"\x89PNG\r\n"}
KINDS = [".svg", *(pytest.param(kind, marks=pytest.mark.thorough) for kind in (".pdf", ".png"))]  # these take longer
NAN = float("nan")


def ranges(names: list[str]) -> Figure:
    """Clusters of two."""
    return rank_ranges([RangeRow(s, -i / 10, i // 2 * 2 + 1, i // 2 * 2 + 2, i // 2 + 1) for i, s in enumerate(names)])


def duels(names: list[str]) -> Figure:
    """Everybody beat those that come later, with marks and counts."""
    n = len(names)
    shares = np.where(np.tri(n, dtype=bool), 0.875, 0.125)
    return head_to_head(names, shares, [["‡"] * n] * n, np.full((n, n), 17), "title")


def judges(names: list[str]) -> Figure:
    """With intervals and without."""
    return annotators(
        [AnnotatorRow(s, i / 30, 10 + i, *((0.0, 0.5) if i % 2 else ())) for i, s in enumerate(names)], 0.3
    )


FIGURES: dict[str, Callable[[list[str]], Figure]] = {"ranges": ranges, "duels": duels, "judges": judges}


def texts(figure: Figure, path: pathlib.Path) -> list[str]:
    """What the SVG of a figure holds as text."""
    save(figure, path)
    return [e.text or "" for e in ET.parse(path).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314 - our own


@pytest.mark.parametrize("suffix", KINDS)
@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_a_figure_is_written_twice_alike(
    draw: Callable[[list[str]], Figure], suffix: str, tmp_path: pathlib.Path
) -> None:
    figure = draw(NAMES)
    for path in (tmp_path / f"a{suffix}", tmp_path / f"b{suffix.upper()}"):
        save(figure, path)
    save(draw(NAMES), tmp_path / f"c{suffix}")
    pages = [path.read_bytes() for path in tmp_path.iterdir()]
    assert len(pages) == 3
    assert len(set(pages)) == 1
    assert pages[0].startswith(HEADERS[suffix])


@pytest.mark.parametrize("suffix", KINDS)
def test_no_date_and_no_version_is_written(suffix: str, tmp_path: pathlib.Path) -> None:
    save(ranges(NAMES), tmp_path / f"a{suffix}")
    page = (tmp_path / f"a{suffix}").read_bytes()
    assert b"CreationDate" not in page
    assert b"dc:date" not in page
    assert b"Matplotlib v" not in page
    assert b"Matplotlib version" not in page


def test_a_pdf_holds_letters_and_no_tables_that_shape_text(tmp_path: pathlib.Path) -> None:
    save(ranges(["amber"]), tmp_path / "a.pdf")
    streams = re.findall(
        rb"/FlateDecode.*?stream\r?\n(.*?)\r?\nendstream", (tmp_path / "a.pdf").read_bytes(), re.DOTALL
    )
    fonts = [TTFont(io.BytesIO(data)) for data in map(zlib.decompress, streams) if data.startswith(b"\0\1\0\0")]
    assert fonts
    for font in fonts:
        assert "glyf" in font
        assert not set(canvas.SHAPING).intersection(font.keys())


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.svg.gz", "svg"])
def test_other_kinds_are_refused(name: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"\.svg, \.pdf or \.png"):
        save(ranges(["a"]), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_an_input_error(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        save(ranges(["a"]), tmp_path / "no" / "a.svg")


def test_the_readers_own_settings_change_nothing(tmp_path: pathlib.Path) -> None:
    import matplotlib

    save(duels(["a", "b"]), tmp_path / "a.svg")
    with matplotlib.rc_context({"font.size": 20, "svg.fonttype": "path", "axes.facecolor": "black"}):
        save(duels(["a", "b"]), tmp_path / "b.svg")
        assert matplotlib.rcParams["font.size"] == 20
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_other_fonts_are_used_where_ours_has_no_glyph(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "OTHER_FONTS", ("STIXGeneral", "no such font"))  # matplotlib brings the first along
    pages = {}
    for name in "duel", "在线":
        save(duels([name]), tmp_path / "a.svg")
        pages[name] = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "'DejaVu Sans', sans-serif" in pages["duel"]
    assert "'DejaVu Sans', 'STIXGeneral', sans-serif" in pages["在线"]


def test_importing_the_room_does_not_import_matplotlib() -> None:
    program = "import sys, tercet.plots; print(any(m.startswith('matplotlib') for m in sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "False\n"


def test_the_best_system_is_on_top_and_clusters_are_divided(tmp_path: pathlib.Path) -> None:
    from matplotlib.container import BarContainer

    rows = [RangeRow("low", -1, 4, 4, 2), RangeRow("mid", 0.25, 1, 3, 1), RangeRow("top", 0.5, 1, 2, 1)]
    rows.append(RangeRow("none", NAN, 1, 3, 1))
    figure = rank_ranges(rows, "ranks of $1")
    (ax,) = figure.axes
    assert [t.get_text() for t in ax.get_yticklabels()] == ["top", "mid", "none", "low"]
    assert ax.yaxis_inverted()
    bars = [container.patches[0] for container in ax.containers if isinstance(container, BarContainer)]
    assert [(round(b.get_x() + 0.35, 9), round(b.get_x() + b.get_width() - 0.35, 9)) for b in bars] == [
        (1, 2),
        (1, 3),
        (1, 3),
        (4, 4),
    ]
    lines = [line.get_ydata() for line in ax.lines]
    assert [list(np.unique(np.asarray(y))) for y in lines] == [[2.5]]
    assert {"0.500", "0.250", "−1.000", "n/a", "ranks of $1"} <= set(texts(figure, tmp_path / "a.svg"))


def test_all_tied(tmp_path: pathlib.Path) -> None:
    figure = rank_ranges([RangeRow(s, 0, 1, 3, 1) for s in "abc"])
    assert len(figure.axes[0].lines) == 0
    assert texts(figure, tmp_path / "a.svg").count("0.000") == 3


@pytest.mark.parametrize(("low", "high"), [(0, 1), (3, 2), (-1, -1)])
def test_ranks_that_are_none(low: int, high: int) -> None:
    with pytest.raises(InputError, match=f"The ranks of a are given as {low} to {high}"):
        rank_ranges([RangeRow("a", 0, low, high, 1)])


def test_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="no system"):
        rank_ranges([])
    with pytest.raises(InputError, match="no system"):
        head_to_head([], np.empty((0, 0)))
    with pytest.raises(InputError, match="no judge"):
        annotators([], 0.5)


def test_cells_say_how_often_the_column_beat_the_row() -> None:
    shares = np.array([[NAN, 0.25, 1.0], [0.75, NAN, NAN], [0.0, NAN, NAN]])
    marks = [["", "*", "‡"], ["*", "", ""], ["‡", "", ""]]
    counts = np.array([[0, 4, 9], [4, 0, 0], [9, 0, 0]])
    ax = head_to_head(["a", "b", "c"], shares, marks, counts).axes[0]
    cells = {(round(t.get_position()[1]), t.get_position()[0], t.get_text()): t for t in ax.texts}
    assert (0, 1, ".25*") in cells
    assert (0, 2, "1.00‡") in cells
    assert (0, 2, "9") in cells
    assert (1, 0, ".75*") in cells
    assert {key[:2] for key in cells if key[2] == "n/a"} == {(1, 2), (2, 1)}
    assert {key[:2] for key in cells if key[2] == "–"} == {(0, 0), (1, 1), (2, 2)}
    assert sum(patch.get_hatch() == "////" for patch in ax.patches) == 2
    assert {key[2] for key, t in cells.items() if t.get_fontweight() == "bold"} == {"1.00‡", ".75*"}
    assert cells[0, 2, "1.00‡"].get_color() == "white"
    assert cells[1, 0, ".75*"].get_color() != "white"


def luminance(rgb: Array) -> float:
    """WCAG's relative luminance."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def test_text_stands_out_and_winning_is_darker_than_losing() -> None:
    from matplotlib.colors import to_rgb

    steps = np.linspace(0, 1, 21)
    lights = []
    for share in steps:
        ax = head_to_head(["a", "b"], np.array([[NAN, share], [1 - share, NAN]])).axes[0]
        mesh = ax.collections[0]
        mesh.update_scalarmappable()
        ground = luminance(np.asarray(mesh.get_facecolor()).reshape(2, 2, 4)[0, 1, :3])
        (text,) = (t for t in ax.texts if t.get_position() == (1, 0))
        ink = luminance(np.array(to_rgb(text.get_color())))
        assert (max(ground, ink) + 0.05) / (min(ground, ink) + 0.05) > 4
        lights.append(ground)
    assert lights[:11] == sorted(lights[:11])
    assert lights[10:] == sorted(lights[10:], reverse=True)
    assert all(lost > won for lost, won in zip(lights[:10], lights[:10:-1], strict=True))


def test_nobody_ever_met(tmp_path: pathlib.Path) -> None:
    figure = head_to_head(["a", "b", "c"], np.full((3, 3), NAN))
    assert texts(figure, tmp_path / "a.svg").count("n/a") == 6


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"shares": np.zeros((2, 3))}, "The shares are no table of 2 by 2"),
        ({"shares": np.zeros((3, 2))}, "The shares are no table of 2 by 2"),
        ({"shares": np.full((2, 2), 50.0)}, "The shares go from 50 to 50"),
        ({"shares": np.full((2, 2), -0.5)}, "The shares go from -0.5"),
        ({"marks": [["*", "*"]]}, "The marks are no table of 2 by 2"),
        ({"counts": np.ones((2, 1))}, "The counts are no table of 2 by 2"),
    ],
)
def test_tables_that_do_not_fit(given: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        head_to_head(["a", "b"], **{"shares": np.full((2, 2), 0.5), **given})


def test_judges_stand_in_order_with_intervals_and_the_overall_line(tmp_path: pathlib.Path) -> None:
    rows = [
        AnnotatorRow("b", 0.25, 30),
        AnnotatorRow("none", NAN, 0),
        AnnotatorRow("once", 1.0, 1),
        AnnotatorRow("a", 0.5, 4321, -0.125, 0.75),
    ]
    figure = annotators(rows, 0.375, "alpha", "judges")
    (ax,) = figure.axes
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b"]
    drawn = [(list(line.get_xdata()), list(line.get_ydata())) for line in ax.lines]  # type: ignore[arg-type]
    assert ([-0.125, 0.75], [0, 0]) in drawn
    assert ([0.25], [1]) in drawn
    assert ([0.375, 0.375], [0, 1]) in drawn
    low, high = ax.get_xlim()
    assert low < -0.125
    assert high > 1
    assert {
        "alpha",
        "not drawn: 2 judges with fewer than 10 compared",
        "judges",
        "all judges: .38",
        "4321",
        "30",
    } <= set(texts(figure, tmp_path / "a.svg"))


def test_judges_who_cannot_be_compared_are_no_figure() -> None:
    with pytest.raises(InputError, match="Nothing can be drawn of 2 judges"):
        annotators([AnnotatorRow("a", NAN, 0), AnnotatorRow("b", NAN, 0)], NAN)


def test_panels_stand_in_rows_of_a_few() -> None:
    figure = score_intervals([IntervalRow(f"measure {p}", name, p + 0.5) for p in range(6) for name in NAMES[:2]])
    rows = {round(ax.get_position().y0, 6) for ax in figure.axes}
    assert (len(figure.axes), len(rows)) == (6, 2)
    assert [bool(ax.get_yticklabels()[0].get_text()) for ax in figure.axes] == [True, *[False] * 3, True, False]
    widths = {round(ax.get_position().width, 6) for ax in figure.axes}
    assert len(widths) == 1
