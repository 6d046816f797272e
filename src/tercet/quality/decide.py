"""`qe_decide`: publish, edit lightly, edit fully - with a stated share of wrong decisions.

Labels that were held out in training say how often a decision by score is wrong. With `among="all"` thresholds are
those of conformal risk control (Angelopoulos et al. 2024): of all segments, the expected share of those published whose
label is not good, or lightly edited whose label asks for more, is at most the risk, whatever the model, if new segments
are like the old ones. With `among="published"` the share is of those published, and holds but for a probability delta.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tercet import numbers
from tercet.data import Array, Ints
from tercet.data.quality_answers import DECISIONS, CostPoint, Decided, QualityDecision
from tercet.errors import InputError
from tercet.options import verb
from tercet.options.quality_training import QeDecideOptions, QePredictOptions
from tercet.quality import conformal
from tercet.quality.model import QualityModel, load
from tercet.quality.predict import outside_notes, predicted_parts
from tercet.signing import Seen, signature

POINTS = 41  # of the cost curve


@verb(QeDecideOptions)
def qe_decide(asked: QeDecideOptions) -> QualityDecision:
    """Decide what to publish, to edit lightly and to edit fully, with a stated risk of being wrong."""
    model = load(asked.model)
    sign = -1.0 if model.higher else 1.0
    scores, labels = sign * model.calibration.predicted, sign * model.calibration.labels
    good, light, chosen = _limits(asked, labels, sign)
    sources = model.calibration.sources
    thresholds = tuple(_threshold(asked, scores, labels > limit, sources) for limit in (good, light))
    publish, lightly = thresholds[0], max(thresholds)
    decisions = decided(scores, publish, lightly)
    curve = tuple(_curve(asked, scores, labels, good, light, lightly, sign))
    seen = Seen()
    segments = tuple(_segments(asked, model, publish, lightly, sign, seen))
    notes = _notes(asked, model, publish, chosen, (sign * good, sign * light))
    notes += tuple(
        f"{note} They are edited fully." for note in outside_notes((entry.segment, entry.outside) for entry in segments)
    )
    facts = {
        "model": model.signature[:23],
        "risk": numbers.plain(asked.risk),
        "among": asked.among,
        "good": numbers.plain(sign * good),
        "light": numbers.plain(sign * light),
    }
    return QualityDecision(
        publish=sign * publish,
        light=sign * lightly,
        good_label=sign * good,
        light_label=sign * light,
        risk=asked.risk,
        among=asked.among,
        shares=tuple((name, float((decisions == i).mean())) for i, name in enumerate(DECISIONS)),
        wrong=(
            (DECISIONS[0], float(((decisions == 0) & (labels > good)).mean())),
            (DECISIONS[1], float(((decisions == 1) & (labels > light)).mean())),
        ),
        curve=curve,
        segments=segments,
        higher=model.higher,
        signature=signature("qe-decide", facts, seen.fingerprints()),
        notes=notes,
    )


def decided(scores: Array, publish: float, light: float) -> np.ndarray[Any, np.dtype[np.int64]]:
    """0, 1 or 2 for each score, of which lower is better."""
    return np.where(scores <= publish, 0, np.where(scores <= light, 1, 2)).astype(np.int64)


def _limits(asked: QeDecideOptions, labels: Array, sign: float) -> tuple[float, float, bool]:
    """Labels up to which a translation is good, and up to which a light edit will do; whether we chose them."""
    thirds = np.quantile(labels, [1 / 3, 2 / 3])
    good = float(thirds[0]) if asked.good is None else sign * asked.good
    light = float(max(thirds[1], good)) if asked.light is None else sign * asked.light
    if light < good:
        raise InputError(
            f"A label of {numbers.plain(sign * good)} is good, and one of {numbers.plain(sign * light)} needs a light "
            "edit: they are the wrong way round.",
            hint="Exchange --good and --light.",
        )
    return good, light, asked.good is None or asked.light is None


def _threshold(asked: QeDecideOptions, scores: Array, bad: np.ndarray[Any, np.dtype[np.bool_]], sources: Ints) -> float:
    if asked.among == "published":
        return conformal.selective_threshold(scores, bad, asked.risk, asked.delta, sources)
    return conformal.risk_threshold(scores, bad.astype(np.float64), asked.risk, sources=sources)


def _curve(
    asked: QeDecideOptions, scores: Array, labels: Array, good: float, light: float, lightly: float, sign: float
) -> list[CostPoint]:
    points = []
    for threshold in np.unique(np.quantile(scores, np.linspace(0, 1, POINTS))).tolist():
        decisions = decided(scores, threshold, max(threshold, lightly))
        wrong = (decisions == 0) & (labels > good)
        published = float((decisions == 0).mean())
        redone = (decisions == 1) & (labels > light)  # edited lightly, then fully
        cost = asked.error_cost * wrong + asked.light_cost * (decisions == 1)
        cost = cost + asked.full_cost * ((decisions == 2) | redone)
        share = float(wrong.mean())
        among = share / published if published else math.nan
        points.append(CostPoint(sign * threshold, published, share, among, float(cost.mean())))
    return points


def _segments(
    asked: QeDecideOptions, model: QualityModel, publish: float, light: float, sign: float, seen: Seen
) -> list[Decided]:
    if asked.source is None and asked.target is None:
        return []
    if asked.source is None or asked.target is None:
        raise InputError("Sources and translations go together.", hint="Give both --source and --target.")
    given = QePredictOptions(asked.model, asked.source, asked.target, others=asked.others, why=0, threads=asked.threads)
    entries = []
    for part in predicted_parts(given, seen):
        which = decided(sign * np.array([entry.score for entry in part]), publish, light).tolist()
        # what cannot be judged is not decided by a score; to edit more than that is wrong of no promise
        which = [2 if entry.outside else i for entry, i in zip(part, which, strict=True)]
        entries += [Decided(e.segment, DECISIONS[i], e.score, e.outside) for e, i in zip(part, which, strict=True)]
    return entries


def _notes(
    asked: QeDecideOptions, model: QualityModel, publish: float, chosen: bool, limits: tuple[float, float]
) -> tuple[str, ...]:
    n = len(model.calibration.labels)
    notes = []
    if chosen:
        good, light = (numbers.plain(limit, 4) for limit in limits)
        notes.append(
            f"Labels {'from' if model.higher else 'up to'} {good} count as good, and {light} is where "
            "a light edit ends: thirds of the labels that were held out. Say what is good with --good and --light."
        )
    if not math.isfinite(publish):
        notes.append(
            f"Nothing can be published at a risk of {numbers.plain(asked.risk)}, by {n} held-out labels and this model."
        )
    if asked.among == "all":
        notes.append(
            f"Of all segments like these, at most {numbers.plain(100 * asked.risk)} % are published and not good, and "
            "as many edited lightly where that is not enough, on average over labels to calibrate by."
        )
    else:
        notes.append(
            f"Of segments that are published, at most {numbers.plain(100 * asked.risk)} % are not good, with a "
            f"probability of {numbers.percent(1 - asked.delta)} over labels to calibrate by."
        )
    return tuple(notes)
