"""Quality estimation as a metric: models of pseudo-labels of earlier years against people of WMT15 and WMT19.

The task of WMT19 (Fonseca et al. 2019; Ma et al. 2019) asked of metrics without references what is asked of all others:
agreement with people. Systems: Pearson's r with direct assessments, beside what the participants of the task submitted.
One model learns TER against the reference, another one how people ranked the outputs of WMT15, and a table says which
features tell systems apart, by the weight that ridge gives them.
Segments: Kendall's tau of relative rankings, which we have of Lithuanian and Kazakh; as no model of these languages can
be trained here, that is one of the English side alone.
"""

from __future__ import annotations

import functools
import pathlib

import numpy as np

import tercet
from replication.quality_study import (
    CONSENSUS,
    DATA_COLUMNS,
    Cell,
    Pair,
    columns,
    drawn,
    human,
    others_of,
    parallel,
    texts_of,
    trained,
)
from replication.rows import DATA
from tercet.data import Array, MetricScores, Rankings, Texts
from tercet.data.meta import MetaLevel
from tercet.quality.features import FEATURES, Translations
from tercet.quality.features.sets import feature_name
from tercet.quality.model import load
from tercet.report import Table

RESAMPLES = 200
ROWS = 6000  # outputs that are learnt from
FOLDER = DATA / "wmt19-metrics"
TRAINING = {"en-de": ("wmt14-news/newstest2014", "wmt15-news/newstest2015"), "fi-en": ("wmt15-news/newstest2015",)}
TRAINING |= {"de-en": TRAINING["en-de"], "en-fi": TRAINING["fi-en"]}
SUBMITTED = ("LASIM", "LP", "UNI", "UNI+", "USFD", "USFD-TL", "YiSi-2", "YiSi-2_srl", "ibm1-morpheme", "ibm1-pos4gram")
ENGLISH = ("lt-en", "kk-en")
THREE = {"en": "eng", "de": "deu", "fi": "fin"}
TOLD = 3  # features of each model


def outputs_of(texts: dict[str, list[str]], first: int, last: int) -> list[Cell]:
    """Outputs of rows, all systems; some of them by lot."""
    return drawn([name for name in texts if name not in DATA_COLUMNS], range(first, last), ROWS)


def wmt15(folder: pathlib.Path) -> list[Table]:
    """Agreement with people on a test set that the model has never seen."""
    texts = columns(DATA / "wmt14-news/newstest2014.en-de.tsv.gz")
    half, n = len(texts["source"]) // 2, len(texts["source"])
    told = [*zip(texts["source"][:half], texts["reference"][:half], strict=True), *human(2019)]
    cells, corpus = outputs_of(texts, half, n), parallel(folder, "nt14", told)
    model = trained(folder, "wmt14", texts_of(texts, cells), corpus, ("full",))
    systems = [name for name in texts if name not in DATA_COLUMNS]
    others = others_of(texts, cells, systems, len(systems) - 1)
    among = trained(folder, "wmt14-among", texts_of(texts, cells), corpus, ("full", *CONSENSUS), others)
    lm = f"lm(model={folder}/wmt14/target_lm.gz, tokenize=13a, lowercase=true)"
    ibm1 = f"ibm1(table={folder}/wmt14/lexicon.gz)"
    metrics = [f"qe(model={model})", "length-ratio", lm, ibm1, "chrf"]
    path, tables = DATA / "wmt15-news/newstest2015.en-de.tsv.gz", []
    levels: tuple[MetaLevel, ...] = ("system", "segment")
    for level in levels:
        answer = tercet.meta(
            testset=path,
            judgements=DATA / "wmt15-news/wmt15.rankings.eng-deu.csv.gz",
            metrics=metrics,
            scores=_among_others(path, among, level),
            level=level,
            samples=RESAMPLES,
        )
        rows = tuple(
            (
                str(record["metric"]).partition("(")[0],
                str(record["measure"]),
                f"{record['value']:.3f} [{record['low']:.3f}, {record['high']:.3f}]",
            )
            for record in answer.as_records()
        )
        tables.append(Table((f"WMT15, {level}s", "measure", "agreement"), rows))
    return tables


@functools.cache
def _predicted_among(path: pathlib.Path, model: str) -> tuple[tuple[str, ...], tuple[str, ...], Array, Array]:
    """Systems, segments, what a model says of each output beside the others, and chrF against these."""
    texts = columns(path)
    systems = [name for name in texts if name not in DATA_COLUMNS]
    said, chrf = [], []
    for system in systems:
        cells = [(system, row) for row in range(len(texts["source"]))]
        sources, outputs, _ = texts_of(texts, cells)
        others = others_of(texts, cells, systems, len(systems) - 1)
        said.append(
            [entry.score for entry in tercet.qe_predict(model, sources, outputs, why=0, others=others).segments]
        )
        pairs = Translations(
            Texts.of(sources), Texts.of(outputs), others={name: Texts.of(rows) for name, rows in others.items()}
        )
        chrf.append(FEATURES.make("consensus(metric=chrf)").values(pairs))
    return tuple(systems), tuple(texts["segment"]), np.array(said), np.array(chrf)


def _among_others(path: pathlib.Path, model: str, level: MetaLevel) -> list[MetricScores]:
    """Scores of outputs beside those of the other systems."""
    systems, segments, said, chrf = _predicted_among(path, model)
    made = []
    for name, values, higher in (("qe with other systems", said, False), ("chrf with other systems", chrf, True)):
        if level == "system":
            made.append(
                MetricScores(name, "en-de", level, systems, ("",), values.mean(axis=1, keepdims=True), higher, True)
            )
        else:
            made.append(MetricScores(name, "en-de", level, systems, segments, values, higher, True))
    return made


def wmt19(folder: pathlib.Path) -> list[Table]:
    """Models of WMT14 and WMT15 outputs on the systems of WMT19."""
    rows, reasons = [], []
    for pair, years in TRAINING.items():
        corpus, labelled = _earlier(pair, years)
        model = trained(folder, f"wmt19-{pair}", labelled, parallel(folder, pair, corpus), ("full",))
        corpus, labelled, said = _ranked(pair, years)
        files = parallel(folder, f"{pair}-ranked", corpus)
        ranked = trained(folder, f"wmt19-{pair}-ranked", labelled, files, ("full",), said=said)
        rows += _systems(pair, {"qe of TER": model, "qe of rankings": ranked}, f"{model}/target_lm.gz")
        reasons += _reasons(pair, {"TER": model, "rankings": ranked})
    heads = ("WMT19, systems", "n", "Pearson of", "r")
    return [
        Table(heads, tuple(rows)),
        Table(("WMT19", "learnt from", "feature", "better with more of it", "r with people"), tuple(reasons)),
        _segments(folder, f"{folder}/wmt19-de-en/target_lm.gz"),
    ]


def _ranked(
    pair: str, years: tuple[str, ...]
) -> tuple[list[Pair], tuple[list[str], list[str], list[str]], list[float]]:
    """A corpus; outputs of WMT15; of each, which share of the others beside it people ranked higher, ties as half."""
    judged = tercet.read_judgements(
        DATA / f"wmt15-news/wmt15.rankings.{'-'.join(THREE[x] for x in pair.split('-'))}.csv.gz"
    )
    texts = columns(DATA / f"wmt15-news/newstest2015.{pair}.tsv.gz")
    half, place = len(texts["source"]) // 2, {name: i for i, name in enumerate(texts["segment"])}
    shares: dict[tuple[str, int], list[float]] = {}
    assert isinstance(judged, Rankings)  # noqa: S101
    for task, segment in enumerate(judged.segment.tolist()):
        shown = slice(judged.starts[task], judged.starts[task + 1])
        ranks, row = judged.rank[shown], place[judged.segments[segment]]
        for output, rank in zip(judged.output[shown].tolist(), ranks.tolist(), strict=True):
            higher = ((ranks < rank).sum() + ((ranks == rank).sum() - 1) / 2) / max(len(ranks) - 1, 1)
            for system in judged.outputs[output]:
                name = judged.systems[system].removeprefix("newstest2015.").removesuffix(f".{pair}.txt")
                if name in texts and row >= half and len(ranks) > 1:
                    shares.setdefault((name, row), []).append(float(higher))
    corpus: list[Pair] = [*zip(texts["source"][:half], texts["reference"][:half], strict=True)]
    for year in years[:-1]:
        earlier = columns(DATA / f"{year}.{pair}.tsv.gz")
        corpus += zip(earlier["source"], earlier["reference"], strict=True)
    labelled = (
        [texts["source"][row] for _, row in shares],
        [texts[name][row] for name, row in shares],
        [texts["reference"][row] for _, row in shares],
    )
    return corpus, labelled, [float(np.mean(values)) for values in shares.values()]


def _reasons(pair: str, models: dict[str, str]) -> list[tuple[str, ...]]:
    """The features that most tell systems apart to a model, which way, and how they stand to people."""
    texts = columns(FOLDER / f"newstest2019.{pair}.tsv.gz")
    people, _ = _submitted(pair)
    systems = [name for name in people if name in texts]
    gold = np.array([people[name] for name in systems])
    rows: list[tuple[str, ...]] = []
    for learnt, path in models.items():
        model = load(path)
        means = []
        for name in systems:
            pairs = model.pairs(Texts.of(texts["source"]), Texts.of(texts[name]), {}, 1)
            means.append(np.nanmean(model.rows(pairs), axis=0))
        table = np.stack(means)
        moved = model.moved(table, model.predict(table, 1), 1)  # by the mean system, each feature
        for column in np.argsort(-moved.std(axis=0))[:TOLD].tolist():
            better = np.corrcoef(table[:, column], -moved[:, column])[0, 1] > 0
            r = float(np.corrcoef(table[:, column], gold)[0, 1])
            rows.append(
                (pair, learnt, feature_name(str(model.features[column])), "yes" if better else "no", f"{r:.2f}")
            )
    return rows


def _earlier(pair: str, years: tuple[str, ...]) -> tuple[list[Pair], tuple[list[str], list[str], list[str]]]:
    """The first halves of earlier test sets as a corpus; of the second ones outputs and references."""
    corpus: list[Pair] = []
    labelled: tuple[list[str], list[str], list[str]] = ([], [], [])
    for year in years:
        texts = columns(DATA / f"{year}.{pair}.tsv.gz")
        half = len(texts["source"]) // 2
        corpus += zip(texts["source"][:half], texts["reference"][:half], strict=True)
        for column, more in zip(labelled, texts_of(texts, outputs_of(texts, half, len(texts["source"]))), strict=True):
            column += more
    return corpus, labelled


def _segments(folder: pathlib.Path, lm: str) -> Table:
    """Kendall's tau with people where we have relative rankings: a model of the English side alone."""
    _, labelled = _earlier("de-en", TRAINING["de-en"])
    forms = [f"lm-probability(model={lm}, form={form})" for form in ("word", "sentence")]
    features = ("tokens(side=target)", "token-length(side=target)", "repetition", "token-ratio(form=log)", *forms)
    model = trained(folder, "wmt19-english", labelled, None, features)
    rows = []
    for pair in ENGLISH:
        answer = tercet.meta(
            testset=FOLDER / f"newstest2019.{pair}.tsv.gz",
            judgements=FOLDER / f"daRR.{pair}.tsv.gz",
            metrics=[f"qe(model={model})", "length-ratio", f"lm(model={lm}, tokenize=13a, lowercase=true)", "chrf"],
            level="segment",
            samples=RESAMPLES,
        )
        rows += [
            (
                pair,
                str(record["metric"]).partition("(")[0],
                str(record["measure"]),
                f"{record['value']:.3f} [{record['low']:.3f}, {record['high']:.3f}]",
            )
            for record in answer.as_records()
        ]
    return Table(("WMT19, segments", "metric", "measure", "agreement"), tuple(rows))


def _systems(pair: str, models: dict[str, str], lm: str) -> list[tuple[str, ...]]:
    """|r| of our models, of simple metrics and of what was submitted, with people."""
    texts = columns(FOLDER / f"newstest2019.{pair}.tsv.gz")
    people, submitted = _submitted(pair)
    systems = [name for name in people if name in texts]
    gold = np.array([people[name] for name in systems])
    metrics = {
        **{name: f"qe(model={model})" for name, model in models.items()},
        "length-ratio": "length-ratio",
        "lm": f"lm(model={lm}, tokenize=13a, lowercase=true)",
    }
    answer = tercet.score(
        {name: texts[name] for name in systems}, sources=texts["source"], metrics=list(metrics.values())
    )
    ours = {
        shown: np.array([answer.value(name, str(tercet.metric(spec))) for name in systems])
        for shown, spec in metrics.items()
    }
    for name in models:
        ours[name] *= -1  # lower is better
    theirs = {
        name: np.array([submitted[name][system] for system in systems]) for name in SUBMITTED if name in submitted
    }
    n = str(len(systems))
    rows: list[tuple[str, ...]] = [(pair, n, name, _told(scores, gold)) for name, scores in ours.items()]
    return rows + [
        (pair, n, f"{name} (submitted)", _told(scores, gold, signed=False)) for name, scores in theirs.items()
    ]


def _told(scores: Array, gold: Array, *, signed: bool = True) -> str:
    """r with its interval by Fisher's z; of what was submitted the sign is not known, as in the tables of the task."""
    r = float(np.corrcoef(scores, gold)[0, 1])
    r = r if signed else abs(r)
    low, high = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]) / np.sqrt(len(gold) - 3))
    return f"{r:.3f} [{low:.3f}, {high:.3f}]"


def _submitted(pair: str) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """People's scores of the systems, and those of each metric: go by position, as one is called LP, too."""
    path = FOLDER / f"system-scores/newstest2019.{pair}.sys-scores.tsv"
    head, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n") if line]
    people = {row[1].removeprefix("newstest2019.").removesuffix(f".{pair}"): float(row[2]) for row in rows}
    metrics = {
        name: {system: float(row[i]) for system, row in zip(people, rows, strict=True)}
        for i, name in enumerate(head)
        if i > 2 and all(row[i] not in ("", "NA", "nan") for row in rows)
    }
    return people, metrics
