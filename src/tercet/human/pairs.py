"""Rankings to pairwise outcomes, and the counts that every ranking model starts from.

A task with n outputs gives n (n - 1) / 2 pairs, in the order of display. Only the order of ranks matters, not how
far they lie apart. Identical outputs were shown once (WMT15): expanded, every system has the rank of its string.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from tercet.data import SKIPPED, Ints, Outcome, Pairs, Rankings, is_reference
from tercet.limits import Budget
from tercet.options.judging import OnSkip, RankedOutputs
from tercet.stats.agreement import pairs_within

OUTCOMES = len(Outcome)
_PAIR = 80  # bytes of one, while pairs are made


def pairwise(
    rankings: Rankings, *, on_skip: OnSkip = RankedOutputs.on_skip, references: bool = RankedOutputs.references
) -> Pairs:
    """Every pair of systems in every task.

    An output that was not judged takes its whole task with it (`on_skip="task"`, as the ranking scripts of WMT do)
    or only the pairs that it is in. References among the systems are left out, unless they are asked for.
    """
    whole = expand(rankings)
    keep, left_out = judged(whole, on_skip)
    notes = [*rankings.notes, *left_out]
    human = np.array([is_reference(s) for s in whole.systems], dtype=bool)
    if human.any() and not references:
        mine = human[_system(whole)]
        names = ", ".join(s for s in whole.systems if is_reference(s))
        notes.append(f"Ranks of references ({names}) that were left out: {int(mine.sum())}.")
        keep &= ~mine
    items = np.flatnonzero(keep)
    task, system, rank = task_of_items(whole)[items], _system(whole)[items], whole.rank[items]
    n_items = np.bincount(task) if len(task) else np.zeros(1, dtype=np.int64)
    budget = Budget(f"The pairs of systems of {rankings.file}", "Give fewer judgements, or systems in a task.")
    budget.take(_PAIR * int((n_items * (n_items - 1) // 2).sum()))
    left, right = pairs_within(task)
    # rank 1 is the best: the smaller rank wins
    outcome = Outcome.TIE + np.sign(rank[left] - rank[right]).astype(np.int64)
    met = np.unique(system[np.concatenate([left, right])])
    kept = [i for i in met.tolist() if references or not is_reference(whole.systems[i])]
    alone = [s for i, s in enumerate(whole.systems) if i not in kept and (references or not is_reference(s))]
    if alone:
        notes.append(f"Systems that no judgement is left of, and were left out: {', '.join(alone)}.")
    place = np.full(len(whole.systems), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return Pairs(
        tuple(whole.systems[i] for i in kept),
        place[system[left]],
        place[system[right]],
        outcome,
        task[left],
        whole.segment[task[left]],
        tuple(notes),
    )


def expand(rankings: Rankings) -> Rankings:
    """Every system as an item of its own, with the rank of the output that it shares."""
    sizes = np.array([len(o) for o in rankings.outputs], dtype=np.int64)
    if (sizes == 1).all():
        return rankings
    of_item = sizes[rankings.output]
    members = np.concatenate([np.array(o, dtype=np.int64) for o in rankings.outputs])
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    item = np.repeat(np.arange(len(rankings.output)), of_item)
    offset = np.arange(len(item)) - np.repeat(np.cumsum(of_item) - of_item, of_item)
    starts = np.concatenate([[0], np.cumsum(of_item)])[rankings.starts]
    return dataclasses.replace(
        rankings,
        outputs=tuple((i,) for i in range(len(rankings.systems))),
        starts=starts,
        output=members[first[rankings.output[item]] + offset],
        rank=rankings.rank[item],
    )


def counts(pairs: Pairs) -> tuple[Ints, Ints]:
    """wins[i, j]: how often i was better than j; ties[i, j] = ties[j, i]."""
    n = len(pairs.systems)
    return matrices(np.bincount(cells(pairs), minlength=n_cells(n)), n)


def n_cells(n: int) -> int:
    """How many cells the counts of n systems have: three outcomes of every unordered pair."""
    return OUTCOMES * n * (n - 1) // 2


def cells(pairs: Pairs) -> Ints:
    """The cell of each pair: which two systems, in the order of their numbers, and which outcome."""
    n = len(pairs.systems)
    low, high = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    outcome = np.where(pairs.left < pairs.right, pairs.outcome, 2 * Outcome.TIE - pairs.outcome)
    cell: Ints = OUTCOMES * (low * (2 * n - low - 1) // 2 + high - low - 1) + outcome
    return cell


def matrices(counted: Ints, n: int) -> tuple[Ints, Ints]:
    """Counts of cells (..., cells) as matrices of wins and ties (..., n, n)."""
    low, high = np.triu_indices(n, 1)
    by_pair = counted.reshape(*counted.shape[:-1], len(low), OUTCOMES)
    wins = np.zeros((*counted.shape[:-1], n, n), dtype=np.int64)
    ties = np.zeros_like(wins)
    wins[..., low, high] = by_pair[..., Outcome.LEFT_BETTER]
    wins[..., high, low] = by_pair[..., Outcome.RIGHT_BETTER]
    ties[..., low, high] = ties[..., high, low] = by_pair[..., Outcome.TIE]
    return wins, ties


def judged(rankings: Rankings, on_skip: OnSkip) -> tuple[npt.NDArray[np.bool_], tuple[str, ...]]:
    """Which items count, and a note on the others, if there are some."""
    kept: npt.NDArray[np.bool_] = rankings.rank != SKIPPED
    task = task_of_items(rankings)
    n_tasks = len(np.unique(task[~kept]))
    if on_skip == "task":
        kept = ~np.isin(task, task[~kept])
    lost = "tasks" if on_skip == "task" else "pairs of these outputs"
    note = f"Tasks with outputs that were not judged (rank -1): {n_tasks}; the {lost} were left out."
    return kept, (note,) if n_tasks else ()


def task_of_items(rankings: Rankings) -> Ints:
    """The task of each item."""
    return np.repeat(np.arange(len(rankings)), np.diff(rankings.starts))


def _system(expanded: Rankings) -> Ints:
    return np.array([o[0] for o in expanded.outputs], dtype=np.int64)[expanded.output]
