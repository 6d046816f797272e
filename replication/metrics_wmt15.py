"""The metrics task of WMT15 (Stanojević et al. 2015): its baselines, in the five directions whose texts are at hand.

BLEU and NIST are mteval's; WER, PER, CDER, TER and SENTBLEU those of Moses on its tokens, lower-cased from A to Z.
Two recipes differ in little. The paper comes out where the tokenizer takes every language for English and outputs are
as they are. What the reference programs gave later has the tokenizer of the language, and for mteval a text whose
entities are escaped once more. Truth are the official TrueSkill means, and their ± the runs of TrueSkill themselves.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from typing import cast

import numpy as np

import tercet
from replication.metrics import changed, published
from replication.rankings import as_converted, official
from replication.rows import DATA, Row, read_lines
from tercet.data import MetricScores, Rankings, TestSet
from tercet.human.names import match_systems

FOLDER = DATA / "wmt15-news"
PAIRS = {"de-en": "deu-eng", "en-de": "eng-deu", "fi-en": "fin-eng", "en-fi": "eng-fin", "ru-en": "rus-eng"}
MTEVAL = {"BLEU": "mteval-bleu(international=true)", "NIST": "nist(international=true)"}
CHRF = {"CHRF": "chrf(beta=1)", "CHRF3": "chrf(beta=3)"}
# The same recipe gives the others, whose ± are .011 for SENTBLEU here and .010 to .012 in the other directions.
WIDE = "the printed interval is wider than resampled judgements make it"


def moses(language: str) -> dict[str, str]:
    """Metrics of systems by Moses."""
    names = {"WER": "wer", "PER": "per", "CDER": "cder", "TER": "moses-ter"}
    return {name: f"{spec}(language={language}, lowercase=ascii)" for name, spec in names.items()}


def of_segments(language: str) -> dict[str, str]:
    """Metrics of segments."""
    return {"SENTBLEU": f"sentbleu(language={language}, lowercase=ascii)", **CHRF}


def truth(pair: str, texts: TestSet) -> MetricScores:
    """The official TrueSkill means, systems called as in the texts."""
    means, _ = official(f"wmt15-news/official-trueskill.{PAIRS[pair]}.txt")
    systems = tuple(s.removeprefix("newstest2015.").removesuffix(f".{pair}.txt") for s in means)
    assert set(systems) == set(texts.systems)  # noqa: S101
    return MetricScores("HUMAN", pair, "system", systems, ("",), np.array([[m] for m, _, _ in means.values()]))


def escaped(text: str) -> str:
    """A text as it was put into SGML."""
    return html.escape(text, quote=False)


def reference_programs(pair: str, texts: TestSet, judgements: Rankings) -> Iterator[Row]:
    """What the reference programs give, within .0005."""
    language, human = pair[-2:], truth(pair, texts)
    systems = {
        r.metric: r.value
        for own, metrics in ((texts, moses(language) | CHRF), (changed(texts, escaped), MTEVAL))
        for r in tercet.meta(testset=own, metrics=metrics, human=human, interval="none", test="none")
    }
    segments = tercet.meta(
        testset=texts,
        metrics=of_segments(language),
        judgements=judgements,
        level="segment",
        interval="none",
        test="none",
    )
    for line in read_lines(FOLDER / "attainable.tsv")[1:]:
        direction, level, metric, wanted, _ = line.split("\t")
        if direction == pair:
            value = systems[metric] if level == "system" else segments.value(metric)
            yield Row(f"WMT15 {pair} {level}", f"{metric}, reference programs", float(wanted), value, 0.0005, digits=4)


def in_print(pair: str, texts: TestSet, judgements: Rankings) -> Iterator[Row]:
    """The paper, within .001, and its ± within .002."""
    cells = published(2015)
    metrics = MTEVAL | moses("en") | CHRF
    official_means = tercet.meta(testset=texts, metrics=metrics, human=truth(pair, texts), interval="none", test="none")
    runs = tercet.meta(
        testset=texts,
        metrics=metrics,
        judgements=as_converted(judgements),
        gold="trueskill(compat=true)",
        interval="judgements",  # as the tables have it
        test="none",
    )
    segments = tercet.meta(
        testset=texts,
        metrics=of_segments("en"),
        judgements=judgements,
        level="segment",
        interval="judgements",
        test="none",
    )
    for record in (*runs, *segments):
        level, metric = record.level, record.metric
        cell = cells[level, metric, pair, "pearson" if level == "system" else "kendall-wmt14"]
        value = official_means.value(metric) if level == "system" else record.value
        stated = WIDE if pair == "ru-en" and level == "segment" else ""
        campaign, half_width = f"WMT15 {pair} {level}", record.half_width or math.nan
        yield Row(campaign, f"{metric}, printed", float(cell.value), value, 0.001)
        yield Row(campaign, f"± of {metric}, printed", float(cell.half_width), half_width, 0.002, stated=stated)


def rows() -> Iterator[Row]:
    """All of it."""
    for pair, name in PAIRS.items():
        texts = tercet.read_testset(FOLDER / f"newstest2015.{pair}.tsv.gz")
        judgements = tercet.read_judgements(FOLDER / f"wmt15.rankings.{name}.csv.gz")
        own = match_systems(cast(Rankings, judgements), texts.systems)
        yield from reference_programs(pair, texts, own)
        yield from in_print(pair, texts, own)
