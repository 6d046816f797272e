"""Where names go so that no two overlap: beside points, and beside the ends of lines. All lengths are in points."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tercet.data import Array
from tercet.plots.canvas import FONT

NEAR = 5.0  # from a point to its name
STEP = 5.0  # from one ring around a point to the next
RINGS = 24  # to begin with
FEW_RINGS = 8  # of names that are left out where there is no room
CHOICE = 300  # free places to choose from
CLEAR = 1.0  # that is kept free around a name
MARGIN = 40.0  # around the axes, for titles and numbers
FAR = 1e4  # farther than any name goes
MARKER = 3.5  # half the width of a marker
PASSES, FEW_PASSES = 3, 2  # in which names look for a better place
# how much farther a name goes rather than have its line cross another's, or a name, or leave the axes
CROSSING, STRIKING, OUTSIDE = 30.0, 90.0, 120.0


class Placed(NamedTuple):
    """A name's lower left corner, and the point of its box that a line leads to, if it lies far off."""

    x: float
    y: float
    lead: tuple[float, float] | None


def extent(text: str, size: float) -> tuple[float, float]:
    """Width and height of a name in our font; in other scripts, about."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path
    from rich.cells import cell_len

    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(family=FONT, size=size), False)
    return max(float(width), 0.5 * size * cell_len(text)), 1.2 * size


def beside_points(points: Array, sizes: Sequence[tuple[float, float]], width: float, height: float) -> list[Placed]:
    """A place for the name of each point (n, 2), as near as may be, free of other names and of points.

    Points in a crowd choose first, and all of them again when the others have chosen. Names stay within the width and
    height of the axes where there is room, and off the title and the numbers along the axes. No two of them ever
    overlap: a name goes as far as it must.
    """
    placed = _placed(points, sizes, width, height, bounded=False)
    return [placed[i] for i in range(len(points))]


def within_axes(
    points: Array, sizes: Sequence[tuple[float, float]], width: float, height: float
) -> list[Placed | None]:
    """The same for names that may not leave the axes: None where there is no room."""
    placed = _placed(points, sizes, width, height, bounded=True)
    return [placed.get(i) for i in range(len(points))]


def _placed(
    points: Array, sizes: Sequence[tuple[float, float]], width: float, height: float, *, bounded: bool
) -> dict[int, Placed]:
    margin = FAR if bounded else MARGIN
    around = [(-margin, height, width + margin, height + margin), (-margin, -margin, 0, height)]
    around += [(-margin, -margin, width + margin, 0), *([(width, -margin, width + margin, height)] if bounded else [])]
    blocked = np.array(around)
    placed: dict[int, Placed] = {}
    crowd = np.exp(-(np.linalg.norm(points[:, None] - points, axis=2) / 30)).sum(axis=1)
    for i in np.argsort(-crowd, kind="stable").tolist() * (FEW_PASSES if bounded else PASSES):
        placed.pop(i, None)
        names = _boxes(np.array([(p.x, p.y) for p in placed.values()]).reshape(-1, 2), np.array(sizes)[list(placed)])
        lines = np.array([(*points[j], *p.lead) for j, p in placed.items() if p.lead]).reshape(-1, 4)
        room = np.array([width, height])
        place = _best_place(points, i, np.array(sizes[i]), room, names, lines, blocked, bounded=bounded)
        if place is not None:
            placed[i] = place
    return placed


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions at least `gap` apart, as near to those wanted as may be (least squares), in the same order.

    They stay between low and high if they fit.

    >>> spread([0.0, 0.0, 10.0], 2.0, -5.0, 20.0)
    [-1.0, 1.0, 10.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    blocks: list[tuple[float, int]] = []  # mean and size: neighbours that touch move as one
    for place, i in enumerate(order):
        mean, size = wanted[i] - place * gap, 1
        while blocks and blocks[-1][0] >= mean:
            other, others = blocks.pop()
            mean, size = (mean * size + other * others) / (size + others), size + others
        blocks.append((mean, size))
    moved = [mean for mean, size in blocks for _ in range(size)]
    last = max(low, high - gap * (len(wanted) - 1))
    out = [0.0] * len(wanted)
    for place, (i, mean) in enumerate(zip(order, moved, strict=True)):
        out[i] = min(max(mean, low), last) + place * gap
    return out


def _best_place(
    points: Array, i: int, size: Array, room: Array, names: Array, lines: Array, blocked: Array, *, bounded: bool
) -> Placed | None:
    """The place with the least cost of those where neither a name nor a point is."""
    taken = np.concatenate([names, points[:, [0, 1, 0, 1]] + MARKER * np.array([-1, -1, 1, 1]), blocked])
    rings = FEW_RINGS if bounded else RINGS
    while True:
        distance, direction = _rings(rings)
        facing = points[i] + distance[:, None] * direction
        corner = facing - size * (1 - direction) / 2
        boxes = _boxes(corner, size)
        free = np.flatnonzero(~_overlaps(boxes, taken).any(axis=1))[:CHOICE]  # the nearest first
        if len(free):
            break
        if bounded:
            return None
        rings *= 2
    leads = np.concatenate([np.broadcast_to(points[i], facing.shape), facing], axis=1)[free]
    leads[distance[free] == NEAR, 2:] = points[i]  # a name that is near needs no line
    boxes = boxes[free]
    outside = (boxes[:, :2] < 0).any(axis=1) | (boxes[:, 2:] > room).any(axis=1)
    struck = _strikes(lines, boxes).sum(axis=0) + _strikes(leads, names).sum(axis=1)
    cost = distance[free] + OUTSIDE * outside + STRIKING * struck + CROSSING * _crosses(leads, lines).sum(axis=1)
    best = free[np.argmin(cost)]
    far = distance[best] > NEAR
    return Placed(float(corner[best, 0]), float(corner[best, 1]), tuple(facing[best].tolist()) if far else None)


@functools.cache
def _rings(rings: int) -> tuple[Array, Array]:
    """Distances and directions around a point: right, left, above and below first, on outer rings ever finer ones."""
    distance, angle = [], []
    for ring in range(rings):
        n = min(16 * (1 + ring // 3), 64)
        turns = [0, 4, 2, 6, 1, 3, 7, 5] if ring == 0 else range(n)
        distance += [NEAR + STEP * ring] * len(turns)
        angle += [2 * math.pi * turn / (8 if ring == 0 else n) for turn in turns]
    return np.array(distance), np.column_stack([np.cos(angle), np.sin(angle)])


def _boxes(corners: Array, sizes: Array) -> Array:
    """Left, bottom, right and top of names, with what is kept free around them."""
    return np.concatenate([corners - CLEAR, corners + sizes + CLEAR], axis=1)


def _overlaps(some: Array, others: Array) -> npt.NDArray[np.bool_]:
    """Which boxes of the one kind overlap which of the other."""
    apart = (some[:, None, 2:] <= others[:, :2]) | (some[:, None, :2] >= others[:, 2:])
    return np.logical_not(apart.any(axis=2))


def _strikes(lines: Array, boxes: Array) -> npt.NDArray[np.bool_]:
    """Which lines meet the inside of which boxes (Liang and Barsky 1984)."""
    start, step = lines[:, None, :2], (lines[:, 2:] - lines[:, :2])[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):  # a line along an axis
        low, high = (boxes[:, :2] - start) / step, (boxes[:, 2:] - start) / step
    begin = np.maximum(np.minimum(low, high).max(axis=2), 0)
    end = np.minimum(np.maximum(low, high).min(axis=2), 1)
    strikes: npt.NDArray[np.bool_] = begin < end
    return strikes


def _crosses(some: Array, others: Array) -> npt.NDArray[np.bool_]:
    """Which lines of the one kind cross which of the other: the ends of each lie on both sides of the other."""

    def side(lines: Array, points: Array) -> Array:
        along, to = lines[..., 2:] - lines[..., :2], points - lines[..., :2]
        out: Array = along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
        return out

    one, other = some[:, None], others[None]
    crosses: npt.NDArray[np.bool_] = (side(one, other[..., :2]) * side(one, other[..., 2:]) < 0) & (
        side(other, one[..., :2]) * side(other, one[..., 2:]) < 0
    )
    return crosses
