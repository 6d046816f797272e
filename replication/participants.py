"""Participants whose programs we have, from texts: `python -m replication.participants`.

WMT19: Pearson's r of systems with people, from texts and from the scores that were submitted, and how far the scores
themselves lie apart. Texts are as released, or Moses' tokens, whichever is nearer to what was submitted; nobody wrote
down which was used. WMT15: LeBLEU and BEER at both levels beside print, USAAR-ZWICKEL-METEOR of systems. BS and
TOTAL-BS, which are reconstructions, stand in `replication.participants_reconstructed`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

import tercet
from replication import metrics_wmt15, metrics_wmt19
from replication.metrics import changed, published
from replication.rows import DATA, read_lines
from tercet.data import Array, MetaLevel, Rankings, TestSet
from tercet.human.names import match_systems
from tercet.options.groups import Aggregate
from tercet.report import Table, render
from tercet.scoring import statistics

PAIRS = ("de-en", "fi-en", "lt-en", "kk-en", "de-fr", "en-de", "en-fi")
BEER_MODEL = DATA.parent / "spec" / "metrics" / "data" / "beer_default_model.json"
BEER11_MODEL = DATA.parent / "golden" / "programs" / "beer11" / "weights.json"
SUBMITTED = {
    "EED": "eed(version=wmt19)",
    "CharacTER": "character",
    "YiSi-0": "yisi-0",
    "BEER": f'beer(model="{BEER_MODEL}", fixed=true)',
    "hLEPORa_baseline": "hlepor(tokenize=none)",
    "hLEPORb_baseline": "hlepor(tokenize=none, system=b)",
}
OURS = {"BEER": "beer"}  # the model that Tercet comes with
AGGREGATED: dict[str, Aggregate] = {
    "MEAN": "mean",
    "MEDIAN": "median",
    "RMS": "rms",
    "HARMONIC": "harmonic",
    "ARIGEO": "agm",
}
PRINTED = {
    "LEBLEU-DEFAULT": "lebleu",
    "BEER 2.0": f'beer(model="{BEER_MODEL}")',
}
INTO_ENGLISH = {"BEER 1.1": f'beer-1.1(model="{BEER11_MODEL}", which=en_func_exact_para_stem_syn)'}


def columns(pair: str) -> tuple[tuple[str, ...], dict[str, Array]]:
    """The systems of a file of submitted scores, and its columns."""
    header, *lines = [line.split("\t") for line in read_lines(metrics_wmt19.FOLDER / metrics_wmt19.score_file(pair))]
    systems = tuple(line[1] for line in lines)
    return systems, {
        name: np.array([float(line[i]) if line[i] else np.nan for line in lines])
        for i, name in enumerate(header)
        if i > 1
    }


def wmt19(pair: str) -> Iterator[tuple[str, ...]]:
    """A line for every metric that took part in a direction."""
    texts = tercet.read_testset(metrics_wmt19.FOLDER / f"newstest2019.{pair}.tsv.gz")
    split = tercet.tokenizer(f"moses(language={pair[-2:]})")
    tokens = changed(texts, lambda text: " ".join(split(text)))
    systems, given = columns(pair)
    people = given["HUMAN"]
    order = [list(texts.systems).index(system) for system in systems]
    for name, spec in SUBMITTED.items():
        if name not in given:
            continue
        metric = tercet.metric(spec)
        sign = 1 if metric.higher_is_better else -1
        tried = {form: sign * statistics(own, metric).corpus()[order] for form, own in forms(texts, tokens)}
        apart = {form: float(np.abs(scores - given[name]).max()) for form, scores in tried.items()}
        nearest = min(apart, key=lambda form: apart[form])
        r, submitted = correlation(tried[nearest], people), correlation(given[name], people)
        shipped = ""
        if name in OURS:
            own = texts if nearest == "texts" else tokens
            shipped = shown(correlation(statistics(own, tercet.metric(OURS[name])).corpus()[order], people))
        yield (
            name,
            pair,
            shown(submitted),
            shown(r),
            f"{r - submitted:+.4f}",
            f"{apart[nearest]:.2g}",
            nearest,
            shipped,
        )


def forms(texts: TestSet, tokens: TestSet) -> Iterator[tuple[str, TestSet]]:
    """The texts as released, and as tokens."""
    yield "texts", texts
    yield "tokens", tokens


def correlation(scores: Array, people: Array) -> float:
    """Pearson's r over systems that have both."""
    both = ~(np.isnan(scores) | np.isnan(people))
    return float(np.corrcoef(scores[both], people[both])[0, 1])


def shown(r: float) -> str:
    """A coefficient as the tables print it, to the fourth digit."""
    return f"{r:.4f}".replace("0.", ".", 1)


def wmt15(pair: str) -> Iterator[tuple[str, ...]]:
    """Both levels, as texts and as tokens, beside print."""
    texts = tercet.read_testset(metrics_wmt15.FOLDER / f"newstest2015.{pair}.tsv.gz")
    name = metrics_wmt15.PAIRS[pair]
    people = tercet.read_judgements(metrics_wmt15.FOLDER / f"wmt15.rankings.{name}.csv.gz")
    own = match_systems(cast(Rankings, people), texts.systems)
    truths: dict[MetaLevel, dict[str, Any]] = {
        "system": {"human": metrics_wmt15.truth(pair, texts)},
        "segment": {"judgements": own},
    }
    split = tercet.tokenizer(f"moses(language={pair[-2:]})")
    tokens = changed(texts, lambda text: " ".join(split(text)))
    metrics = PRINTED | (INTO_ENGLISH if pair.endswith("-en") else {})
    for level, truth in truths.items():
        statistic = "pearson" if level == "system" else "kendall-wmt14"
        found = {
            form: tercet.meta(testset=each, metrics=metrics, level=level, interval="none", test="none", **truth)
            for form, each in forms(texts, tokens)
        }
        for metric in metrics:
            cell = published(2015).get((level, metric.partition(" ")[0], pair, statistic))
            if cell is None:
                continue
            ours = {form: each.value(metric) for form, each in found.items()}
            nearest = min(ours, key=lambda form: abs(ours[form] - float(cell.value)))
            difference = f"{ours[nearest] - float(cell.value):+.3f}"
            yield (metric, pair, level, cell.value, f"{ours[nearest]:.3f}".replace("0.", ".", 1), difference, nearest)


def zwickel(pair: str) -> Iterator[tuple[str, ...]]:
    """METEOR, its scores of segments made into scores of systems in five ways."""
    texts = tercet.read_testset(metrics_wmt15.FOLDER / f"newstest2015.{pair}.tsv.gz")
    truth = metrics_wmt15.truth(pair, texts)
    for way, by in AGGREGATED.items():
        name = f"USAAR-ZWICKEL-METEOR-{way}"
        cell = published(2015)["system", name, pair, "pearson"]
        found = tercet.meta(testset=texts, metrics="meteor", human=truth, aggregate=by, interval="none", test="none")
        r = found.value("meteor")
        yield name, pair, cell.value, f"{r:.3f}".replace("0.", ".", 1), f"{r - float(cell.value):+.3f}"


def main() -> None:
    """Compute and print."""
    if not DATA.is_dir():
        sys.exit("This needs ../shared/data beside the project.")
    header = ("metric", "direction", "submitted", "from texts", "difference", "scores apart", "text", "our model")
    rows = tuple(sorted(row for pair in PAIRS for row in wmt19(pair)))
    notes = ("WMT19, systems, Pearson's r with people; scores apart: the largest difference of a system's score.",)
    print(render(Table(header, rows, notes), "table"))
    rows = tuple(sorted(row for pair in metrics_wmt15.PAIRS for row in wmt15(pair)))
    header15 = ("metric", "direction", "level", "print", "ours", "difference", "text")
    print(render(Table(header15, rows, ("WMT15, r of systems and Kendall's tau of segments.",)), "table"))
    made = tuple(sorted(row for pair in ("de-en", "fi-en", "ru-en") for row in zwickel(pair)))
    header_made = ("metric", "direction", "print", "ours", "difference")
    print(render(Table(header_made, made, ("WMT15, r of systems, scores of systems made of segments.",)), "table"))


if __name__ == "__main__":
    main()
