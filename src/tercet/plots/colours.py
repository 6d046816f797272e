"""The colours of systems, the same in pictures and on pages: twelve, then hues that lie as far apart as they can."""

from __future__ import annotations

import math
from collections.abc import Sequence

# on light paper; page.css has them with their twins for dark paper
COLOURS = (
    *("#1d5aa6", "#b3450b", "#1a7446", "#7a3fae", "#b01e52", "#0b6b7c"),
    *("#6b5d00", "#5146b8", "#8a4b2a", "#9a2a8c", "#4d6b1c", "#54606c"),
)
FIRST_HUE, GOLDEN_ANGLE, CHROMA = 182, 137.508, 0.12  # degrees; the first hue lies where the twelve leave a gap
LIGHT, DARK = (34, 50), (90, 70)  # lightness on light and on dark paper, by turns: darker and paler than the twelve


def ordered(systems: Sequence[str], first: Sequence[str] = ()) -> list[str]:
    """Systems in the order in which they get their colours: after those that are to have the first ones."""
    return list(dict.fromkeys([*first, *systems]))


def hue(number: int) -> float:
    """The hue of a colour beyond the twelve, in degrees."""
    return (FIRST_HUE + (number - len(COLOURS)) * GOLDEN_ANGLE) % 360


def system_colours(systems: Sequence[str], first: Sequence[str] = ()) -> dict[str, str]:
    """The colour of each system on light paper.

    >>> system_colours(["a", "b"], ["b"])
    {'b': '#1d5aa6', 'a': '#b3450b'}
    """
    return {
        system: COLOURS[i] if i < len(COLOURS) else _rgb(LIGHT[i % len(LIGHT)] / 100, math.radians(hue(i)))
        for i, system in enumerate(ordered(systems, first))
    }


def _rgb(lightness: float, angle: float) -> str:
    """An OKLCH colour as sRGB (Ottosson 2020), cut off where the screen has none."""
    a, b = CHROMA * math.cos(angle), CHROMA * math.sin(angle)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _gamma(min(1.0, max(0.0, part)))):02x}" for part in linear)


def _gamma(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
