"""`choose`: which ranker predicts judgements best that it has not seen (Bojar et al. 2014, section 3.3).

Judgements are split into folds. A ranker is given all folds but one, and its scores predict better, tie or worse for
every pair of systems in the one left out. Systems tie if each lies within the decision radius of the one before it,
in the order of scores; the radius is the one that predicts the training judgements best.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tercet import inputs
from tercet.data import Array, Ints, Outcome, Pairs, Rankings
from tercet.data.planning import Choice
from tercet.errors import InputError
from tercet.human.pairs import cells, n_cells
from tercet.options import verb
from tercet.options.groups import expect
from tercet.options.judging import ChooseOptions
from tercet.ranking.base import checked_point
from tercet.ranking.rank import pair_ranker, pairs_of
from tercet.signing import fingerprint, signature
from tercet.spec import show

RADII = tuple(k / 100 for k in range(26))


@verb(ChooseOptions)
def choose(asked: ChooseOptions) -> Choice:
    """Compare rankers by how well they predict judgements that were held out.

    The oracle predicts the most frequent relation of every two systems in the very judgements that it is tested on:
    no ranking can do better.

    >>> from tercet.sample import judgements
    >>> choose(judgements("en-de"), methods=["expected-wins", "others"], folds=10).as_records()[-1]["method"]
    'oracle'
    """
    data = inputs.judged(asked)
    if not isinstance(data, Rankings):
        raise InputError(f"{data.file} has no rankings to predict.", hint="Rankers are chosen for rankings.")
    rankers = [pair_ranker(m) for m in asked.methods]
    if not rankers:
        raise InputError("There is no ranker to choose from.", hint="Name some with -m.")
    pairs = pairs_of(data, asked)
    folds, seed = asked.folds, asked.seed
    if folds > len(pairs):
        raise InputError(
            f"folds must be at most the {len(pairs)} pairs that are judged, not {folds}.", hint="Ask for fewer."
        )
    parts = np.array_split(np.random.default_rng(seed).permutation(len(pairs)), folds)
    right: dict[str, list[float]] = {str(r): [] for r in rankers}
    radii: dict[str, list[float]] = {str(r): [] for r in rankers}
    oracle = []
    for ranker in rankers:
        expect(asked.progress, f"predicting by {ranker.name}", folds)
    for fold, held_out in enumerate(parts):
        training = np.ones(len(pairs), dtype=bool)
        training[held_out] = False
        known, unknown = pairs.part(training), counted(pairs.part(held_out))
        seen = counted(known)
        for ranker in rankers:
            scores = checked_point(ranker, known, seed + fold, asked.workers)
            radius = best_radius(scores, seen)
            right[str(ranker)].append(accuracy(partial_order(scores, radius), unknown))
            radii[str(ranker)].append(radius)
            if asked.progress:
                asked.progress(f"predicting by {ranker.name}", 1)
        oracle.append(oracle_accuracy(unknown))
    rows = [_record(name, right[name], float(np.mean(radii[name])), pairs, folds) for name in right]
    rows.sort(key=lambda r: -r["accuracy"])
    facts = {
        "methods": ",".join(map(str, rankers)),
        "folds": folds,
        "seed": seed,
        "on_skip": asked.on_skip,
        "references": show(asked.references),
    }
    signed = signature("choose", facts, {"judgements": fingerprint(data)})
    return Choice((*rows, _record("oracle", oracle, None, pairs, folds)), signed, pairs.notes)


def _record(name: str, accuracies: list[float], radius: float | None, pairs: Pairs, folds: int) -> dict[str, Any]:
    return {
        "method": name,
        "accuracy": float(np.mean(accuracies)),
        "radius": radius,
        "folds": folds,
        "judgements": len(pairs),
    }


def partial_order(scores: Array, radius: float) -> Ints:
    """The class of each system, 0 the best: one joins the class of the system before it if it is within the radius.

    >>> partial_order(np.array([0.5, 0.4, 0.26, 0.1, -0.3]), 0.15).tolist()
    [0, 0, 0, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    steps = -np.diff(scores[order])
    opens = ~(steps <= radius)
    classes = np.empty(len(scores), dtype=np.int64)
    classes[order] = np.concatenate([[0], np.cumsum(opens)])
    return classes


def counted(pairs: Pairs) -> Ints:
    """How often each two systems, in the order of their numbers, had each outcome: (pairs of systems, outcomes)."""
    n = len(pairs.systems)
    return np.bincount(cells(pairs), minlength=n_cells(n)).reshape(-1, len(Outcome))


def accuracy(classes: Ints, judged: Ints) -> float:
    """The share of judgements whose outcome the classes predict."""
    low, high = np.triu_indices(len(classes), 1)
    predicted = Outcome.TIE + np.sign(classes[low] - classes[high])
    return float(judged[np.arange(len(judged)), predicted].sum() / judged.sum())


def best_radius(scores: Array, judged: Ints) -> float:
    """The radius that predicts these judgements best, the smallest of equals."""
    return max(RADII, key=lambda radius: (accuracy(partial_order(scores, radius), judged), -radius))


def oracle_accuracy(judged: Ints) -> float:
    """The share of judgements that have the most frequent outcome of their two systems."""
    return float(judged.max(axis=1).sum() / judged.sum())
