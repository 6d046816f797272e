"""Reconstructed participants of WMT14 and WMT15 beside print: how far our agreement with people is from theirs.

`python -m replication.participants_reconstructed` prints one line a figure, then, for each option setting
that was tried, the mean distance from print. Systems of WMT14 are held against TrueSkill over the released preferences,
which lack ties; printed r and ours differ for that alone by up to .015 (see `metrics_wmt14`).
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

import tercet
from replication import metrics_wmt14, metrics_wmt15
from replication.metrics import published
from tercet.data import MetaLevel, Rankings, TestSet
from tercet.human.names import match_systems
from tercet.report import Table, render

# Every participant's settings, the default first.
WMT14 = {
    "BLEU_NRC": ["bleu-nrc", *(f"bleu-nrc(smooth=chen-{k})" for k in range(1, 7)), "bleu-nrc(lowercase=false)"],
    "TBLEU": ["tbleu", "tbleu(lowercase=true)", "tbleu(affix=longest)", "tbleu(shortest=1)", "tbleu(penalty=2)"],
    "APAC": ["apac", "apac(lowercase=unicode)", "apac(prize=0)", "apac(beta=2)", "apac(repetitions=0)"],
    "AMBER": [
        "amber",
        "amber(lowercase=unicode)",
        "amber(forms=words)",
        "amber(precision=0.3)",
        "amber(character_brevity=0.1)",
    ],
}
WMT15 = {
    "BS": [
        "bs",
        "bs(combine=sum-of-logs)",
        "bs(per_word=false)",
        "bs(lowercase=unicode)",
        "bs(tokenize=moses, lowercase=unicode)",
        "bs(sides=reference)",
        "bs(sides=reference, per_word=false)",
        "bs(lowercase=unicode, combine=count)",
        "bs(tokenize=moses, lowercase=unicode, combine=log-sum, per_word=false)",
    ],
    "TOTAL-BS": [
        "total-bs",
        "total-bs(lowercase=false)",
        "total-bs(tokenize=none)",
        "total-bs(counted=true)",
        "total-bs(cut=0)",
    ],
}


class Figure(NamedTuple):
    """One figure of one setting."""

    metric: str
    spec: str
    direction: str
    level: MetaLevel
    printed: float
    ours: float


def wmt14(wanted: list[str], kept: slice) -> Iterator[Figure]:
    """Into English, both levels."""
    specs = [spec for name in wanted for spec in WMT14.get(name, [])[kept]]
    for pair in metrics_wmt14.TAUS if specs else ():
        texts = tercet.read_testset(metrics_wmt14.FOLDER / f"newstest2014.{pair}.tsv.gz")
        judgements = tercet.read_judgements(metrics_wmt14.PREFERENCES, pair=pair)
        gold = {"judgements": judgements, "gold": "trueskill", "samples": 100, "unit": "pair"}
        yield from _figures(2014, pair, texts, specs, WMT14, "system", gold)
        yield from _figures(2014, pair, texts, specs, WMT14, "segment", {"judgements": judgements})


def wmt15(wanted: list[str], kept: slice) -> Iterator[Figure]:
    """Five directions, both levels."""
    specs = [spec for name in wanted for spec in WMT15.get(name, [])[kept]]
    for pair, name in metrics_wmt15.PAIRS.items() if specs else ():
        texts = tercet.read_testset(metrics_wmt15.FOLDER / f"newstest2015.{pair}.tsv.gz")
        judgements = tercet.read_judgements(metrics_wmt15.FOLDER / f"wmt15.rankings.{name}.csv.gz")
        own = match_systems(cast(Rankings, judgements), texts.systems)
        yield from _figures(2015, pair, texts, specs, WMT15, "system", {"human": metrics_wmt15.truth(pair, texts)})
        yield from _figures(2015, pair, texts, specs, WMT15, "segment", {"judgements": own})


def _figures(
    year: int,
    pair: str,
    texts: TestSet,
    specs: list[str],
    table: dict[str, list[str]],
    level: MetaLevel,
    truth: Mapping[str, object],
) -> Iterator[Figure]:
    cells = published(year)
    statistic = "pearson" if level == "system" else "kendall-wmt14"
    names = {spec: metric for metric, settings in table.items() for spec in settings}
    asked = [spec for spec in specs if (level, names[spec], pair, statistic) in cells]
    if not asked:
        return
    given = {spec: spec for spec in asked}
    found = tercet.meta(testset=texts, metrics=given, level=level, interval="none", test="none", **truth)  # type: ignore[arg-type]
    print(f"WMT {year} {pair} {level}: {len(asked)} figures", file=sys.stderr, flush=True)
    for spec in asked:
        cell = cells[level, names[spec], pair, statistic]
        yield Figure(names[spec], spec, pair, level, float(cell.value), found.value(spec))


def main() -> None:
    """Compute and print."""
    parser = argparse.ArgumentParser(prog="python -m replication.participants_reconstructed", description=__doc__)
    parser.add_argument("metrics", nargs="*", default=[*WMT14, *WMT15], help="participants, as printed; without: all")
    parser.add_argument("--defaults", action="store_true", help="leave the other settings out")
    options = parser.parse_args()
    kept = slice(0, 1 if options.defaults else None)
    found = [*wmt14(options.metrics, kept), *wmt15(options.metrics, kept)]
    defaults = {settings[0] for settings in (WMT14 | WMT15).values()}
    rows = [
        (f.metric, f.direction, f.level, f"{f.printed:.3f}", f"{f.ours:.3f}", f"{f.ours - f.printed:+.3f}")
        for f in found
        if f.spec in defaults
    ]
    print(
        render(Table(("reconstruction", "direction", "level", "print", "ours", "difference"), tuple(rows), ()), "table")
    )
    apart: dict[tuple[str, str, MetaLevel], list[float]] = {}
    for f in found:
        apart.setdefault((f.metric, f.spec, f.level), []).append(abs(f.ours - f.printed))
    tried = sorted(
        (
            (m, level, spec, f"{statistics.mean(gaps):.4f}", f"{max(gaps):.3f}")
            for (m, spec, level), gaps in apart.items()
        ),
        key=lambda row: (row[0], row[1], row[3]),
    )
    print(render(Table(("reconstruction", "level", "setting", "mean distance", "largest"), tuple(tried), ()), "table"))


if __name__ == "__main__":
    main()
