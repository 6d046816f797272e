"""The peer: sacreBLEU 2.6, called as its documentation says, with fresh objects so that no cache is warm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest, Result

MAKERS: dict[str, Callable[..., Any]] = {
    "bleu": BLEU,
    "chrf": CHRF,
    "chrf++": partial(CHRF, word_order=2),
    "ter": TER,
}


def corpus(name: str, hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """One corpus score."""
    return float(MAKERS[name]().corpus_score(hypotheses, [references]).score)


def anew(name: str, systems: Sequence[Sequence[str]], references: Sequence[str]) -> list[float]:
    """One corpus score a system, by an object for each."""
    return [corpus(name, hypotheses, references) for hypotheses in systems]


def corpora(name: str, systems: Sequence[Sequence[str]], references: Sequence[str]) -> list[float]:
    """One corpus score a system, by one object that has counted the references."""
    metric = MAKERS[name](references=[references])
    return [float(metric.corpus_score(hypotheses, None).score) for hypotheses in systems]


def segments(name: str, hypotheses: Sequence[str], references: Sequence[str]) -> list[float]:
    """One score a segment, as `sacrebleu --sentence-level` gives them."""
    metric = BLEU(effective_order=True) if name == "bleu" else MAKERS[name]()
    return [metric.sentence_score(h, [r]).score for h, r in zip(hypotheses, references, strict=True)]


def paired(
    name: str, systems: dict[str, Sequence[str]], references: Sequence[str], test: str, samples: int
) -> list[float]:
    """The p-values of a paired test against the first system."""
    run = PairedTest(list(systems.items()), {name: MAKERS[name]()}, [references], test_type=test, n_samples=samples)
    _, scores = run()
    (results,) = (column for key, column in scores.items() if key != "System")
    return [r.p_value for r in results if isinstance(r, Result) and r.p_value is not None]
