"""Whether judges saw the same systems: where they did not, means over judges compare judges as much as systems.

The z-scores of a judge are 0 on average whichever systems the judge saw: who saw bad ones only makes them look average.
Raw scores keep how strict a judge is. Both are fair where every judge saw all systems equally often. Elsewhere, a model
of scores as a system's part plus a judge's, fitted by least squares, takes the judges out; between systems that no
chain of judges links, it has no answer either, and nothing has.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import scipy.sparse
import scipy.sparse.csgraph

from tercet.data import Array, Assessments

Bools = npt.NDArray[np.bool_]
SURE = 0.975  # of resamples that have one system above another, before it is said that judges turn the two round
FEW = 5  # pairs that are named


def unequally_judged(assessments: Assessments, values: Array, sampled: Array) -> Iterator[str]:
    """Notes where who judged what decides the order: groups that no judge links, and systems that are turned round.

    `sampled` has the means of resamples, (samples, systems): what they leave open, judges need not have done.
    """
    link, systems = linked(assessments, values), assessments.systems
    groups = groups_of(link, systems)
    if len(groups) > 1:
        named = "; ".join(", ".join(group) for group in groups)
        yield (
            f"No judge saw systems of two of these groups: {named}. How groups stand to each other is a matter of who "
            "judged them: the ranking holds within a group only."
        )
    alone = without_judges(assessments, values)
    turned = [
        (systems[b], systems[a])
        for a, b in np.argwhere(link & (alone[:, None] < alone)).tolist()
        if (sampled[:, a] > sampled[:, b]).mean() >= SURE
    ]
    if turned:
        named = "; ".join(f"{b} above {a}" for b, a in turned[:FEW])
        more = f"; {len(turned) - FEW} more" if len(turned) > FEW else ""
        yield (
            "Judges did not see the same systems equally often. With a part for each judge taken out of the scores, "
            f"the order turns round: {named}{more}."
        )


def linked(assessments: Assessments, values: Array) -> Bools:
    """Which systems were scored by the same judges, or by ones who share others with them, (systems, systems)."""
    seen = scipy.sparse.csr_array(_sums(assessments, values)[0] > 0)
    _, group = scipy.sparse.csgraph.connected_components(scipy.sparse.block_array([[None, seen], [seen.T, None]]))
    of_system = group[: len(assessments.systems)]
    there: Bools = of_system[:, None] == of_system
    return there


def groups_of(link: Bools, systems: tuple[str, ...]) -> list[list[str]]:
    """Systems that are linked, group by group, in their order.

    >>> groups_of(np.array([[True, False, True], [False, True, False], [True, False, True]]), ("A", "B", "C"))
    [['A', 'C'], ['B']]
    """
    first = link.argmax(axis=1)
    return [[systems[i] for i in np.flatnonzero(first == group)] for group in np.unique(first)]


def without_judges(assessments: Assessments, values: Array) -> Array:
    """The systems' parts of the scores, (systems,); only differences of systems that are linked mean something."""
    n, sums = _sums(assessments, values)
    of_judge = np.maximum(n.sum(axis=0), 1.0)
    normal = np.diag(n.sum(axis=1)) - (n / of_judge) @ n.T
    scores: Array = np.linalg.pinv(normal, hermitian=True) @ (sums.sum(axis=1) - n @ (sums.sum(axis=0) / of_judge))
    return scores


def _sums(assessments: Assessments, values: Array) -> tuple[Array, Array]:
    """How many scores each judge gave to each system, and their sums; who is not known is one judge more."""
    kept = np.isfinite(values)
    shape = (len(assessments.systems), len(assessments.judges) + 1)
    cell = assessments.system[kept] * shape[1] + assessments.judge[kept] + 1
    size = shape[0] * shape[1]
    n = np.bincount(cell, minlength=size).reshape(shape).astype(np.float64)
    return n, np.bincount(cell, values[kept], size).reshape(shape).astype(np.float64)
