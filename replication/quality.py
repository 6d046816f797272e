"""Quality estimation end to end on real text: `python -m replication.quality [wmt12] [wmt12-intervals] [wmt14] ...`.

1. The baseline of WMT12 on its own features: the shared task's learner, and the best of ours with intervals, on the
   official test set and on random parts of the data.
2. WMT14 English-German with pseudo-labels, TER against the reference: learnt from half of the systems on some sources,
   predicted for the other half on other sources. Correlation with TER and chrF, against models that see only lengths or
   only the language model, and such as see what two or nine other systems wrote; coverage of 90 % intervals and risk
   of decisions, once and over many draws of the labels to calibrate by.
   The risk over many trainings: `replication.quality_risk`.
3. Models of WMT14 on WMT15, which they have never seen: agreement with people, beside chrF and length.
4. The task "quality estimation as a metric" of WMT19: `replication.quality_metric`.
"""

from __future__ import annotations

import argparse
import gzip
import pathlib
import tempfile
from collections.abc import Callable

import numpy as np
from scipy import stats

import tercet
from replication import quality_risk
from replication.quality_metric import wmt15, wmt19
from replication.quality_study import (
    CONSENSUS,
    DATA_COLUMNS,
    SEED,
    columns,
    drawn,
    human,
    labels,
    others_of,
    parallel,
    texts_of,
    trained,
)
from replication.rows import DATA
from tercet.data import Array, Ints
from tercet.quality import conformal
from tercet.quality.learners import selection
from tercet.quality.learners.fitted import LearntFunction
from tercet.quality.learners.training import export, train_model
from tercet.quality.measures import best_first, deltaavg
from tercet.report import Table, render

SPLITS = 20  # draws of what is held out of WMT12
TAUGHT = 12_000  # outputs that are learnt from
ROWS = 4000  # outputs that are predicted, of each kind
RESAMPLES = 1000
DRAWS = 500  # of labels to calibrate by
GOOD = 0.5  # TER up to which a translation may be published
RISKS = (0.02, 0.05, 0.1)


def interval(one: Array, other: Array, sources: Ints) -> str:
    """A correlation with its 95 % bootstrap interval: source sentences are drawn, with all of their outputs."""
    draw = np.random.default_rng(SEED)
    rows_of = np.split(np.argsort(sources, kind="stable"), np.cumsum(np.bincount(sources))[:-1])
    values = []
    for _ in range(RESAMPLES):
        rows = np.concatenate([rows_of[i] for i in draw.integers(0, len(rows_of), len(rows_of)).tolist()])
        values.append(np.corrcoef(one[rows], other[rows])[0, 1])
    low, high = np.quantile(values, [0.025, 0.975])
    return f"{np.corrcoef(one, other)[0, 1]:.3f} [{low:.3f}, {high:.3f}]"


def wmt12_data() -> tuple[Array, Array, Array, Array]:
    """Features and labels of the training set, and of the test set."""
    folder = DATA / "wmt12-qe-baseline17"

    def features(name: str) -> Array:
        with gzip.open(folder / f"{name}.qe.baseline.tsv.gz", "rt", encoding="utf-8") as file:
            return np.loadtxt(file)

    gold, truth = (np.loadtxt(folder / f"{name}.effort") for name in ("training", "test"))
    return features("training"), gold, features("test"), truth


def wmt12() -> Table:
    """The features that the task gave, with the baseline's learner and with ours."""
    train, gold, test, truth = wmt12_data()
    shift, scale, unit = train.mean(axis=0), train.std(axis=0), float(gold.std())
    rows, others = (train - shift) / scale, (test - shift) / scale
    baseline = fitted_baseline(rows, gold, unit).predict(others) * unit
    low, width_of = train.min(axis=0), np.ptp(train, axis=0)
    wide = {"C": 4 / unit, "gamma": 0.5, "epsilon": 0.25 / unit}
    unscaled = export(train_model("svr", wide, (train - low) / width_of, gold / unit, SEED))
    ranged = unscaled.predict((test - low) / width_of) * unit
    groups = np.arange(len(rows))
    held = selection.split(groups, 0.25, SEED)
    every = ("svr", "ridge", "pls", "extra-trees", "gradient-boosting", "gaussian-process")
    best, *_ = selection.select(
        every, rows[~held], gold[~held] / unit, selection.numbered(groups[~held].tolist()), 5, SEED, lambda: None
    )
    on_all, _ = selection.final(best, rows, gold / unit, groups, SEED)
    chosen = on_all.predict(others) * unit
    table = [
        ("published baseline", "0.69", "0.82", "0.55", "0.58"),
        measures("SVR on standardised features, C 10, gamma .0034, epsilon .18", baseline, truth),
        measures("SVR on features from 0 to 1, C 4, gamma .5, epsilon .25", ranged, truth),
        measures(f"best by cross-validation: {best.learner}", chosen, truth),
    ]
    return Table(("WMT12, effort 1-5", "MAE", "RMSE", "DeltaAvg", "Spearman"), tuple(table))


def fitted_baseline(rows: Array, labels: Array, unit: float) -> LearntFunction:
    """The learner of the shared task with its fixed settings, on labels divided by a unit."""
    fixed = {"C": 10 / unit, "gamma": 0.0034, "epsilon": 0.18 / unit}
    return export(train_model("svr", fixed, rows, labels / unit, SEED))


def wmt12_intervals() -> Table:
    """Whether 90 % intervals hold: on the test set, and where training and test set are random parts of one whole."""
    train, gold, test, truth = wmt12_data()
    both, all_labels, n = np.concatenate([train, test]), np.concatenate([gold, truth]), len(test)

    def parts(rows: Array, labels: Array, seed: int) -> tuple[Array, Array, Array, Array]:
        order = np.random.default_rng(seed).permutation(len(rows))
        return rows[order[n:]], labels[order[n:]], rows[order[:n]], labels[order[:n]]

    draws: dict[str, Callable[[int], tuple[Array, Array, Array, Array]]] = {
        "the official test set": lambda seed: (train, gold, test, truth),
        "random parts of the training set": lambda seed: parts(train, gold, seed),
        "random parts of training and test set": lambda seed: parts(both, all_labels, seed),
    }
    table = []
    for name, parts_of in draws.items():
        rows = np.array([_covered(*parts_of(seed), seed) for seed in range(SPLITS)])
        means, errors = rows.mean(axis=0), rows.std(axis=0, ddof=1) / np.sqrt(SPLITS)
        table.append((name, f"{means[0]:.1%} ± {errors[0]:.1%}", f"{means[1]:.3f}", f"{means[2]:.3f}"))
    heads = ("90 % intervals of the baseline for", "hold", "MAE on what calibrates", "MAE on these")
    return Table(heads, tuple(table), (f"Means over {SPLITS} draws of what is held out, ± their standard error.",))


def _covered(rows: Array, labels: Array, others: Array, truth: Array, seed: int) -> tuple[float, float, float]:
    """A quarter of the rows calibrates: share of the others that intervals hold, and mean errors of both."""
    held = selection.split(np.arange(len(rows)), 0.25, seed)
    shift, scale, unit = rows[~held].mean(axis=0), rows[~held].std(axis=0), float(labels[~held].std())
    model = fitted_baseline((rows[~held] - shift) / scale, labels[~held], unit)
    inside, outside = (
        np.abs(model.predict((part - shift) / scale) * unit - true)
        for part, true in ((rows[held], labels[held]), (others, truth))
    )
    width = conformal.conformal_quantile(inside, 0.1)
    return float((outside <= width).mean()), float(inside.mean()), float(outside.mean())


def measures(name: str, predicted: Array, truth: Array) -> tuple[str, ...]:
    """A row of the shared task's table."""
    errors = predicted - truth
    return (
        name,
        f"{np.abs(errors).mean():.3f}",
        f"{np.sqrt((errors**2).mean()):.3f}",
        f"{deltaavg(truth, best_first(predicted, higher=True), higher=True):.3f}",
        f"{stats.spearmanr(predicted, truth).statistic:.3f}",
    )


def wmt14(folder: pathlib.Path) -> list[Table]:
    """Half of the systems on some sources; the other half on the others; two by lot are looked at beside them."""
    texts = columns(DATA / "wmt14-news/newstest2014.en-de.tsv.gz")
    systems = [name for name in texts if name not in DATA_COLUMNS]
    draw = np.random.default_rng(SEED)
    order = [systems[i] for i in draw.permutation(len(systems)).tolist()]
    beside, known, unseen = order[:2], order[2 : len(order) // 2 + 1], order[len(order) // 2 + 1 :]
    rows = draw.permutation(len(texts["source"])).tolist()
    inside, outside = rows[: int(0.6 * len(rows))], rows[int(0.6 * len(rows)) :]
    corpus = parallel(folder, "corpus", human(2015, 2019))
    language_model = folder / "all-features/target_lm.gz"
    pools = {"all, and two other systems": (beside, 2), "all, and nine other systems": (beside + known, 9)}
    sets: dict[str, tuple[str, ...]] = {
        "all features": ("full",),
        **dict.fromkeys(pools, ("full", *CONSENSUS)),
        "only lengths": ("tokens(side=source)", "tokens(side=target)", "token-ratio(form=log)"),
        "only language model": tuple(
            f"lm-probability(model={language_model}, form={form})" for form in ("word", "sentence")
        ),
    }
    taught = drawn(known, inside, TAUGHT)
    asked = {"the other systems": drawn(unseen, outside, ROWS), "the same systems": drawn(known, outside, ROWS)}
    answers, covered, risks = [], [], []
    for name, features in sets.items():
        pool, n = pools.get(name, ([], 0))
        beside_these = others_of(texts, taught, pool, n)
        path = name.replace(" ", "-").replace(",", "")
        model = trained(folder, path, texts_of(texts, taught), corpus, features, beside_these, learners=("ridge",))
        for what, cells in asked.items():
            sources, outputs, references = texts_of(texts, cells)
            predictions = tercet.qe_predict(model, sources, outputs, why=0, others=others_of(texts, cells, pool, n))
            scores = np.array([entry.score for entry in predictions.segments])
            truth, chrf = labels(outputs, references), tercet.metric("chrf").segments(outputs, references)
            mae = float(np.abs(scores - truth).mean())
            numbered = selection.numbered(sources)
            agree = (interval(scores, other, numbered) for other in (truth, -chrf))
            answers.append((name, what, *agree, f"{mae:.4f}"))
            if name.startswith("only"):
                continue
            ends = np.array([(entry.low, entry.high) for entry in predictions.segments])
            held = float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean())
            limits = [tercet.qe_decide(model, risk=risk, good=GOOD, light=0.7).publish for risk in RISKS]
            wrong = [float(((scores <= limit) & (truth > GOOD)).mean()) for limit in limits]
            covered.append((name, what, "once, as trained", f"{held:.1%}", *(f"{share:.2%}" for share in wrong)))
            covered.append((name, what, f"{DRAWS} draws", *over_draws(scores, truth, numbered)))
            risks.append((name, what, *(f"{(scores <= limit).mean():.1%}" for limit in limits)))
    heads = ("features", "predicted for", "labels to calibrate by", "90 % intervals hold")
    return [
        Table(("features", "predicted for", "Pearson with TER", "with -chrF", "MAE"), tuple(answers)),
        Table(
            (*heads, *(f"risk {r:.0%}" for r in RISKS)),
            tuple(covered),
            ("Risk: published and not good. ±: standard error of the mean.",),
        ),
        Table(("published, by", "of", *(f"at risk {r:.0%}" for r in RISKS)), tuple(risks)),
    ]


def over_draws(scores: Array, truth: Array, sources: Ints) -> list[str]:
    """Coverage and risks where half of the sources calibrates, and the other half is what they hold for."""
    errors, bad = np.abs(truth - scores), (truth > GOOD).astype(np.float64)
    n = int(sources.max()) + 1
    sizes = np.bincount(sources)
    draw = np.random.default_rng(SEED)
    shares = []
    for _ in range(DRAWS):
        calibrates = np.zeros(n, dtype=bool)
        calibrates[draw.permutation(n)[: n // 2]] = True
        inside = calibrates[sources]
        weights = (1 / sizes[sources])[~inside]  # every source counts once
        width = conformal.conformal_quantile(errors[inside], 0.1, sources[inside])
        row = [np.average(errors[~inside] <= width, weights=weights)]
        for risk in RISKS:
            limit = conformal.risk_threshold(scores[inside], bad[inside], risk, sources=sources[inside])
            row.append(np.average((scores[~inside] <= limit) * bad[~inside], weights=weights))
        shares.append(row)
    means, spread = np.mean(shares, axis=0), np.std(shares, axis=0, ddof=1) / np.sqrt(DRAWS)
    return [f"{mean:.2%} ± {error:.2%}" for mean, error in zip(means, spread, strict=True)]


PARTS: dict[str, Callable[[pathlib.Path], list[Table]]] = {
    "wmt12": lambda folder: [wmt12()],
    "wmt12-intervals": lambda folder: [wmt12_intervals()],
    "wmt14": wmt14,
    "risk": quality_risk.risk,
    "wmt15": wmt15,
    "wmt19": wmt19,
}


def main() -> None:
    """Train, predict, print."""
    parser = argparse.ArgumentParser(prog="python -m replication.quality", description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS), choices=PARTS)
    with tempfile.TemporaryDirectory() as name:
        for part in parser.parse_args().parts:
            for table in PARTS[part](pathlib.Path(name)):
                print(render(table, "table"), flush=True)


if __name__ == "__main__":
    main()
