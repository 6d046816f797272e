"""The answer in words: who is better by which metric, and whether that may be luck."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tercet import numbers
from tercet.comparing.scores import Scored
from tercet.data import Difference, Track
from tercet.numbers import ALPHA
from tercet.options.groups import CORRECTION_NAMES
from tercet.options.scoring import CompareOptions

_ASSUMED = {
    "bootstrap": "drawing {unit}s anew with replacement (paired bootstrap, {samples} samples) is like drawing a new "
    "test set of the same kind",
    "randomization": "if two systems were alike, their {unit}s could be exchanged at random (approximate "
    "randomisation, {trials} trials)",
}


def answers(metrics: Sequence[Scored], baseline: str, tracks: Sequence[Track]) -> tuple[str, ...]:
    """One sentence for two systems or a track; for more, one for all metrics that say the same."""
    systems = metrics[0].tests.systems
    pairs = [(t.system, t.earlier) for t in tracks]
    if not pairs and len(systems) == 2:
        pairs = [(next(s for s in systems if s != baseline), baseline)]
    told = [_pair([scored.tests.pair(*pair) for scored in metrics], metrics) for pair in pairs]
    told += [_changes(track, metrics[0]) for track in tracks]
    return (*told, *(_of_all(metrics, baseline) if len(systems) > 2 and not tracks else ()))


def assumptions(how: CompareOptions, systems: int, metrics: int) -> str:
    """What the tests assume, in one line."""
    text = _ASSUMED[how.paired].format(unit=how.unit, samples=how.samples, trials=how.trials)
    return (
        f"The tests assume that {how.unit}s are independent of each other, and that {text}"
        f"{_corrected(how, systems * (systems - 1) // 2, metrics)}. An interval leaves out 0 exactly where "
        f"p < {numbers.level(ALPHA)}: both are of one test."
    )


def _corrected(how: CompareOptions, pairs: int, metrics: int) -> str:
    """Whether p-values know how many pairs there are, where there are several."""
    if pairs == 1:
        return ""
    if how.adjusts == "none":
        return f"; p-values and intervals are not adjusted for the {pairs} pairs, as they are with --correction holm"
    apart = ", each metric by itself" if metrics > 1 else ""
    return f"; p-values and intervals are adjusted for the {pairs} pairs ({CORRECTION_NAMES[how.adjusts]}{apart})"


def _pair(differences: Sequence[Difference], metrics: Sequence[Scored]) -> str:
    """B against A by all metrics."""
    system, baseline = differences[0].system, differences[0].baseline
    parts = {
        verdict: [_figures(d, m) for d, m in zip(differences, metrics, strict=True) if d.verdict == verdict]
        for verdict in ("better", "worse", "undecided")
    }
    if not parts["better"] and not parts["worse"]:
        return f"No significant difference between {system} and {baseline}: {'; '.join(parts['undecided'])}."
    told = [f"{v} than {baseline} by {'; '.join(parts[v])}" for v in ("better", "worse") if parts[v]]
    sentence = f"{system} is {', but '.join(told)}"
    if parts["undecided"]:
        sentence += f"; no significant difference by {'; '.join(parts['undecided'])}"
    return f"{sentence}."


def _figures(d: Difference, scored: Scored) -> str:
    digits = scored.metric.digits
    bounds = numbers.interval(d.low, d.high, digits, signed=True)
    return f"{d.metric} ({numbers.difference(d.difference, digits)} {bounds}, {numbers.p_told(d.p_value)})"


def _of_all(metrics: Sequence[Scored], baseline: str) -> list[str]:
    """What metrics say of many systems, once for all metrics that say the same."""
    told: dict[str, list[str]] = {}
    for scored in metrics:
        told.setdefault(_many(scored, baseline), []).append(str(scored.metric))
    return [f"By {_joined(names)}, {sentence}" for sentence, names in told.items()]


def _many(scored: Scored, baseline: str) -> str:
    """The best cluster of many systems, and how many differ from the baseline."""
    names = [s.system for s in sorted(scored.scores, key=lambda s: s.rank) if s.cluster == 1]
    tests = [scored.tests.pair(s.system, baseline) for s in scored.scores if s.system != baseline]
    better, worse = (sum(d.verdict == v for d in tests) for v in ("better", "worse"))
    first = f"{names[0]} is significantly better than all others" if len(names) == 1 else _first_cluster(names, scored)
    if names == [baseline]:
        return f"{first}."
    beside = f"None differs significantly from {baseline}."
    if better or worse:
        beside = (
            f"Of the {len(tests)} systems beside {baseline}, {better or 'none'} {'are' if better > 1 else 'is'} "
            f"significantly better and {worse or 'none'} worse."
        )
    return f"{first}. {beside}"


def _first_cluster(names: Sequence[str], scored: Scored) -> str:
    """Systems that share the first cluster: two of them may differ, where others stand between them."""
    if all(scored.tests.pair(*pair).verdict == "undecided" for pair in itertools.combinations(names, 2)):
        return f"{_listed(names)} are best and not told apart"
    return (
        f"{_listed(names)} share the first cluster: some of these {len(names)} differ significantly, but no line parts "
        "them so that all above are better than all below"
    )


def _listed(names: Sequence[str]) -> str:
    return _joined([*names[:4], *([f"{len(names) - 4} more"] if len(names) > 4 else [])])


def _joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _changes(track: Track, first: Scored) -> str:
    return (
        f"{len(track.changed)} of {first.segments.shape[1]} outputs of {track.system} have changed: by {first.metric} "
        f"{len(track.better)} got better and {len(track.worse)} worse."
    )
