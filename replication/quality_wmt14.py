"""Quality estimation of WMT14, task 1.2: Tables 13 and 14 of the findings, from the submissions."""

from __future__ import annotations

from collections.abc import Iterator

import tercet
from replication.rows import DATA, Row

FILE = DATA / "wmt14-qe-task1.2" / "task-1.2.tsv"
CAMPAIGN = "WMT14 QE 1.2"
SAMPLES = 100_000  # as the paper has it for the ranking variant
# our name of a system: MAE, RMSE of Table 14; DeltaAvg, Spearman of Table 13
SCORING = {
    "FBK-UPV-UEDIN-wp": (12.89, 16.74),
    "DCU-rtm-svr": (13.40, 16.69),
    "USHEFF": (13.61, 17.84),
    "DCU-rtm-tree": (14.03, 17.48),
    "DFKI-svr": (14.32, 17.74),
    "FBK-UPV-UEDIN-nowp": (14.38, 18.10),
    "SHEFF-lite-sparse": (15.04, 18.38),
    "Multilizer": (15.04, 20.86),
    "baseline": (15.23, 19.48),
    "DFKI-svr-xdata": (16.01, 19.52),
    "SHEFF-lite": (18.15, 23.41),
}
RANKING = {
    "DCU-rtm-svr": (9.31, 0.53),
    "DCU-rtm-tree": (8.57, 0.48),
    "USHEFF": (7.93, 0.45),
    "SHEFF-lite-sparse": (7.69, 0.43),
    "baseline": (5.08, 0.31),
    "SHEFF-lite": (0.72, 0.09),
}
WINNERS = {
    "mae": ("FBK-UPV-UEDIN-wp", "DCU-rtm-svr", "USHEFF"),
    "deltaavg": ("DCU-rtm-svr", "DCU-rtm-tree", "USHEFF"),
}
OTHER_FILE = "the released predictions of this system are not those of the paper"
CUT_OFF = "Spearman's coefficient is .487 by ranks and .486 by scores: the printed one is cut off"


def rows() -> Iterator[Row]:
    """Scoring, ranking, and who wins."""
    found = tercet.qe_evaluate({"task": FILE}, FILE, scale=100.0, samples=SAMPLES, baseline="baseline")
    for system, printed in SCORING.items():
        for measure, value in zip(("mae", "rmse"), printed, strict=True):
            why = OTHER_FILE if system == "DFKI-svr-xdata" else ""
            yield Row(CAMPAIGN, f"{system} {measure}", value, _rounded(found, system, measure), digits=2, stated=why)
    for system, (delta, rho) in RANKING.items():
        yield Row(CAMPAIGN, f"{system} deltaavg", delta, _rounded(found, system, "deltaavg"), digits=2)
        why = CUT_OFF if system == "DCU-rtm-tree" else ""
        yield Row(CAMPAIGN, f"{system} spearman", rho, _rounded(found, system, "spearman-ranks"), digits=2, stated=why)
    for measure, names in WINNERS.items():
        yield Row(CAMPAIGN, f"winners by {measure}", "+".join(sorted(names)), "+".join(sorted(found.winners(measure))))


def _rounded(found: tercet.QualityEvaluation, system: str, measure: str) -> float:
    value = found.value(system, measure)
    return float("nan") if value is None else round(value, 2)
