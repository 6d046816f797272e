"""Do decisions keep their promise? WMT14 English-German over many trainings: `python -m replication.quality risk`.

Each time other sources, with two outputs each by other systems, are learnt from and calibrate; the rest, which no model
has seen, is decided on by `qe_decide`. What is promised is promised on average over such draws (`among="all"`), or for
a share of them (`among="published"`), so that a single training shows nothing.
"""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np

import tercet
from replication.quality_study import DATA_COLUMNS, SEED, columns, human, labels, parallel
from replication.rows import DATA
from tercet.data import Array, Ints
from tercet.options.quality_training import Among
from tercet.report import Table

TRAININGS = 50
OUTPUTS = 2  # of a source
ASKED: tuple[tuple[Among, float, float, float], ...] = (  # of which, risk, TER that is good, TER of a light edit
    ("all", 0.02, 0.5, 0.7),
    ("all", 0.05, 0.5, 0.7),
    ("all", 0.1, 0.5, 0.7),
    ("all", 0.2, 0.5, 0.7),
    ("published", 0.35, 0.8, 0.9),
    ("published", 0.3, 0.8, 0.9),
    ("published", 0.2, 0.9, 0.95),
    ("published", 0.15, 0.9, 0.95),
)
DELTA = 0.1


def risk(folder: pathlib.Path) -> list[Table]:
    """Shares of wrong decisions on what was not seen, over trainings."""
    texts = columns(DATA / "wmt14-news/newstest2014.en-de.tsv.gz")
    later = columns(DATA / "wmt15-news/newstest2015.en-de.tsv.gz")
    systems = [name for name in texts if name not in DATA_COLUMNS]
    true = np.stack([labels(texts[name], texts["reference"]) for name in systems])
    files = resources(folder, [*zip(later["source"], later["reference"], strict=True), *human(2019)])
    draws = [_once(folder / "model", texts, systems, true, files, SEED + i) for i in range(TRAININGS)]
    held = np.array([covered for covered, _ in draws])
    rows: list[tuple[str, ...]] = []
    for i, (among, asked, good, _) in enumerate(ASKED):
        wrong, light, published = np.array([shares[i] for _, shares in draws]).T
        row = (f"{asked:.0%} of {among}", f"{good:g}", mean(published))
        if among == "all":
            rows.append((*row, mean(wrong), mean(light), ""))
        else:
            rows.append((*row, "", "", mean((wrong > asked * published).astype(np.float64))))
    heads = ("risk asked", "good", "published", "wrongly published", "wrongly edited lightly", "promise broken")
    n = len(texts["source"]) - len(texts["source"]) // 2
    notes = (
        f"{TRAININGS} trainings, each decided on {OUTPUTS} outputs of {n} sources that it has not seen. Good: TER up "
        "to which a translation may be published. ±: standard error of the mean.",
        f"Of those published: the promise may be broken in {DELTA:.0%} of trainings.",
        f"90 % intervals hold {mean(held)} of the labels.",
    )
    return [Table(heads, tuple(rows), notes)]


def resources(folder: pathlib.Path, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """What features read, trained once."""
    source, target = parallel(folder, "risk-corpus", pairs)
    how: dict[str, Any] = {"tokenize": "13a", "lowercase": True}
    made = {name: folder / name for name in ("source_lm", "target_lm", "lexicon", "frequencies")}
    tercet.train_lm(source, **how).write(made["source_lm"])
    tercet.train_lm(target, **how).write(made["target_lm"])
    tercet.train_ibm1(source, target, **how).write(made["lexicon"])
    tercet.train_frequencies(source, **how).write(made["frequencies"])
    return made


def _once(
    model: pathlib.Path, texts: dict[str, list[str]], systems: list[str], true: Array, files: dict[str, Any], seed: int
) -> tuple[float, list[tuple[float, float, float]]]:
    """Coverage, and for each of ASKED: wrongly published, wrongly edited lightly, published."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(texts["source"]))
    half = len(order) // 2
    (sources, outputs, said), (new_sources, new, truth) = (
        _drawn(texts, systems, true, rows, draw) for rows in (order[:half], order[half:])
    )
    tercet.qe_train(
        sources,
        outputs,
        labels=said.tolist(),
        model=model,
        learners=("ridge",),
        least=0.0,
        most=1.0,
        seed=seed,
        **files,
    )
    predicted = tercet.qe_predict(model, new_sources, new, why=0).segments
    scores = np.array([entry.score for entry in predicted])
    low, high = np.array([(entry.low, entry.high) for entry in predicted]).T
    shares = []
    for among, asked, good, light in ASKED:
        given: dict[str, Any] = {"delta": DELTA} if among == "published" else {}
        limits = tercet.qe_decide(model, risk=asked, among=among, good=good, light=light, **given)
        publish, lightly = scores <= limits.publish, (scores > limits.publish) & (scores <= limits.light)
        wrong = float((publish & (truth > good)).mean()), float((lightly & (truth > light)).mean())
        shares.append((*wrong, float(publish.mean())))
    return float(((low <= truth) & (truth <= high)).mean()), shares


def _drawn(
    texts: dict[str, list[str]], systems: list[str], true: Array, rows: Ints, draw: np.random.Generator
) -> tuple[list[str], list[str], Array]:
    """Sources, outputs of systems by lot, and their labels."""
    cells = [(which, row) for row in rows.tolist() for which in draw.permutation(len(systems))[:OUTPUTS].tolist()]
    sources, outputs = [texts["source"][row] for _, row in cells], [texts[systems[which]][row] for which, row in cells]
    return sources, outputs, np.array([true[which, row] for which, row in cells])


def mean(values: Array) -> str:
    """A mean with its standard error."""
    return f"{values.mean():.2%} ± {values.std(ddof=1) / np.sqrt(len(values)):.2%}"
