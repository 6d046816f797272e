"""The parameters of TERp's program: its own files, and what may be changed in them (Snover et al. 2009).

Insertions and deletions turn the translation into the reference, as everywhere here: the program's files name them the
other way round.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

Name = Literal[
    "ter",
    "ter_raw",
    "ter_noshift",
    "terp_default",
    "terpa",
    "terpa_nophr",
    "terpa_nophr_nocap",
    "terpa_stem",
    "terpa_syn",
    "terpa_plain",
    "terpa_phr",
    "terph",
    "terph_nophr",
    "terph_exact_nostop",
    "terph_phr",
]
Shifts = Literal["noshift", "exact", "relax"]
EDITS = ("insertion", "deletion", "substitution", "shift", "stem", "synonym")  # in the order of their costs


@dataclasses.dataclass(frozen=True)
class TerpSetting:
    """What the search may do, and what that costs."""

    insertion: float = 1.0
    deletion: float = 1.0
    substitution: float = 1.0
    shift: float = 1.0
    stem: float = 0.0
    synonym: float = 0.0
    beam: int = 20
    cap: bool = False
    shifts: Shifts = "exact"
    normalized: bool = True
    case_sensitive: bool = False
    stems: bool = False
    synonyms: bool = False
    stop_words: bool = False  # whether a list of them counts
    phrases: Literal["none", "if given", "needed"] = "none"
    phrase_costs: tuple[float, ...] = ()

    @property
    def costs(self) -> tuple[float, ...]:
        """The costs in their order."""
        return tuple(getattr(self, name) for name in EDITS)


_TER = TerpSetting()
_TERPA = TerpSetting(
    insertion=1.4269364675533365,
    deletion=0.2588527567630183,
    substitution=1.5565478292505814,
    shift=0.5620538767397316,
    beam=35,
    cap=True,
    shifts="relax",
    stems=True,
    synonyms=True,
    stop_words=True,
    phrases="if given",
    phrase_costs=(-0.2306579294476191, -0.1469465037633749, -0.07843705907022736, 0.17708577297831574),
)
_TERPH = dataclasses.replace(
    _TERPA,
    insertion=0.8897481530721948,
    deletion=0.5160029868027748,
    substitution=1.6362908525843867,
    shift=0.686718582391978,
    stem=0.9574806141940626,
    synonym=0.16474604979800672,
    phrase_costs=(1.0366410752548514, 0.6518645817002747, -0.008317921340980746, 1.1121928362344298),
)
_TERPA_ALONE = dataclasses.replace(_TERPA, phrases="none")

SETTINGS: dict[Name, TerpSetting] = {
    "ter": _TER,
    "ter_raw": dataclasses.replace(_TER, normalized=False, case_sensitive=True),
    "ter_noshift": dataclasses.replace(_TER, shifts="noshift"),
    "terp_default": dataclasses.replace(_TER, normalized=False),
    "terpa": _TERPA,
    "terpa_nophr": _TERPA_ALONE,
    "terpa_nophr_nocap": dataclasses.replace(_TERPA_ALONE, cap=False),
    "terpa_stem": dataclasses.replace(_TERPA_ALONE, synonyms=False),
    "terpa_syn": dataclasses.replace(_TERPA_ALONE, stems=False),
    "terpa_plain": dataclasses.replace(_TERPA_ALONE, stems=False, synonyms=False),
    "terpa_phr": dataclasses.replace(_TERPA, phrases="needed"),
    "terph": _TERPH,
    "terph_nophr": dataclasses.replace(_TERPH, phrases="none"),
    "terph_exact_nostop": dataclasses.replace(_TERPH, phrases="none", shifts="exact", stop_words=False),
    "terph_phr": dataclasses.replace(_TERPH, phrases="needed"),
}
