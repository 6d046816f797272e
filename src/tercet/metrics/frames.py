"""YiSi's semantic frames (Lo 2019): predicates and arguments of a translation beside those of a reference.

    frames_of       a sentence with semantic roles ──> its frames
    in_pieces       the same in pieces of an encoder
    role_weights    how often references have each kind of role
    structures      frames of both sides ──> precision and recall of each segment

Each predicate takes another one, so that all together are as similar as can be, and within two that took each other so
does each argument.
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tercet.data import Array
from tercet.errors import InputError
from tercet.formats.roles import RoleSentence

MOST_PAIRS = 1_000_000  # of roles that are compared in a segment
_AT_ONCE = 500  # segments
_GROUPS = (("V", "VB", "TARGET"), ("A0",), ("A1",), ("A2", "BNF"), ("TMP",), ("A3", "A4", "DIR", "LOC"))
KINDS: Mapping[str, int] = {
    role: kind for kind, group in enumerate((*_GROUPS, ("CAU", "PNC", "PRP"))) for role in group
}
OTHER = len(_GROUPS) + 1  # manner, extent, negation and whatever else


class Role(NamedTuple):
    """A predicate or an argument: its kind, the places of its words, and how many words it has."""

    kind: int
    start: int
    end: int
    length: int


class Frame(NamedTuple):
    """A predicate with its arguments."""

    predicate: Role
    arguments: tuple[Role, ...]


Frames = tuple[Frame, ...]
Pair = tuple[int, int, Role, Role]  # a hypothesis, a reference, and a role of each
Similar = Callable[[Sequence[Pair]], Array]  # (pairs, 2): precision and recall


def kind_of(role: str) -> int:
    """Which roles are alike: one that goes on or refers is the role itself, and places, times and causes are one kind.

    >>> kind_of("R-A0") == kind_of("ARG0"), kind_of("AM-LOC") == kind_of("A4"), kind_of("AM-NEG") == OTHER
    (True, True, True)
    """
    plain = role.removeprefix("C-").removeprefix("R-").replace("ARG", "A").removeprefix("AM-")
    return KINDS.get(plain, OTHER)


def frames_of(sentence: RoleSentence | None) -> Frames:
    """The frames of a sentence; a predicate is what the role V spans, or its word."""
    out = []
    for _, arguments, place in sentence.predicates if sentence else ():
        spans = [(kind_of(role), start, end) for role, start, end in arguments if role != "V"]
        verb = next(((start, end) for role, start, end in arguments if role == "V"), (place, place + 1))
        roles = tuple(Role(kind, start, end, end - start) for kind, start, end in spans)
        out.append(Frame(Role(KINDS["V"], *verb, verb[1] - verb[0]), roles))
    return tuple(out)


def in_pieces(frames: Frames, text: str, words: Sequence[str], offsets: Sequence[tuple[int, int]]) -> Frames:
    """Frames whose places are those of an encoder's pieces, by what these span in the text; none where it was cut."""
    bounds: list[tuple[int, int]] = []
    for word in words:
        start = text.find(word, bounds[-1][1] if bounds else 0)
        if start < 0:
            raise InputError(
                f"The word {word[:40]!r} of a file with semantic roles is not in its text {text[:60]!r}.",
                hint="An encoder reads the text: keep its words as they are in it, in their order.",
            )
        bounds.append((start, start + len(word)))
    starts, ends = [start for start, _ in offsets], [end for _, end in offsets]

    def moved(role: Role) -> Role:
        first, last = bounds[role.start][0], bounds[role.end - 1][1]
        return role._replace(start=bisect.bisect_right(ends, first), end=bisect.bisect_left(starts, last))

    return tuple(Frame(moved(predicate), tuple(map(moved, arguments))) for predicate, arguments in frames)


def role_weights(sentences: Iterable[Frames]) -> Array:
    """What each kind of role weighs: once, and once more for each argument, or a quarter for each predicate."""
    weights = np.ones(OTHER + 1)
    for frame in itertools.chain.from_iterable(sentences):
        weights[frame.predicate.kind] += 0.25
        for argument in frame.arguments:
            weights[argument.kind] += 1
    return weights


@dataclasses.dataclass
class Aligned:
    """What one side found on the other: similarities by the place of a frame, and of an argument in it."""

    predicates: dict[tuple[int, int], float] = dataclasses.field(default_factory=dict)
    arguments: dict[tuple[int, int, int], float] = dataclasses.field(default_factory=dict)

    def structure(self, text: int, frames: Frames, weights: Array) -> float:
        """The mean of the frames of a text, each as much as it has words; 0 without frames."""
        top = bottom = 0.0
        for place, (predicate, arguments) in enumerate(frames):
            shares = [weights[role.kind] for role in (predicate, *arguments)]
            similar = [self.predicates.get((text, place), 0.0)]
            similar += [self.arguments.get((text, place, number), 0.0) for number in range(len(arguments))]
            words = predicate.length + sum(role.length for role in arguments)
            top += words * sum(w * s for w, s in zip(shares, similar, strict=True)) / sum(shares)
            bottom += words
        return top / bottom if bottom else 0.0


def structures(
    hyps: Sequence[Frames], refs: Sequence[Frames], groups: Sequence[int], weights: Array, similar: Similar
) -> Array:
    """Precision and recall of the frames of each segment, each of the reference that is best for it."""
    rows = np.zeros((len(hyps), 2))
    for start in range(0, len(hyps), _AT_ONCE):
        some = range(start, min(start + _AT_ONCE, len(hyps)))
        precision, recall = (_aligned(hyps, refs, groups, some, side, similar) for side in (0, 1))
        for i in some:
            references = range(groups[i], groups[i + 1])
            rows[i, 0] = precision.structure(i, hyps[i], weights)
            rows[i, 1] = max((recall.structure(k, refs[k], weights) for k in references), default=0.0)
    return rows


def _aligned(
    hyps: Sequence[Frames], refs: Sequence[Frames], groups: Sequence[int], some: range, side: int, similar: Similar
) -> Aligned:
    """What hypotheses find (side 0), of all references the best and only of the same kind; or each reference (1)."""
    out = Aligned()
    texts = [(i, k) for i in some for k in range(groups[i], groups[i + 1])]
    verbs = [(i, k, [f.predicate for f in hyps[i]], [f.predicate for f in refs[k]]) for i, k in texts]
    taken = [
        (i, k, h, r, float(table[h, r, side]))
        for (i, k), table in zip(texts, _compared(verbs, similar), strict=True)
        for h, r in matched(table[..., side])
    ]
    inner = _compared([(i, k, hyps[i][h].arguments, refs[k][r].arguments) for i, k, h, r, _ in taken], similar)
    for (i, k, h, r, worth), table in zip(taken, inner, strict=True):
        frame = (k, r) if side else (i, h)
        out.predicates[frame] = max(worth, out.predicates.get(frame, 0.0))
        for pair in matched(table[..., side]):
            alike = hyps[i][h].arguments[pair[0]].kind == refs[k][r].arguments[pair[1]].kind
            if side or alike:
                place = (*frame, pair[side])
                out.arguments[place] = max(float(table[*pair, side]), out.arguments.get(place, 0.0))
    return out


def _compared(sides: Sequence[tuple[int, int, Sequence[Role], Sequence[Role]]], similar: Similar) -> Iterator[Array]:
    """For each two lists of roles all similarities, (of the hypothesis, of the reference, 2)."""
    for _, _, hyp, ref in sides:
        if len(hyp) * len(ref) > MOST_PAIRS:
            raise InputError(
                f"A segment has {len(hyp)} times {len(ref)} roles to compare: too many for YiSi, which takes "
                f"{MOST_PAIRS}.",
                hint="Split it into sentences, or leave `srl` out.",
            )
    values = similar([(i, k, h, r) for i, k, hyp, ref in sides for h in hyp for r in ref])
    ends = np.cumsum([0, *(len(hyp) * len(ref) for _, _, hyp, ref in sides)])
    for (_, _, hyp, ref), first, end in zip(sides, ends[:-1], ends[1:], strict=True):
        yield values[first:end].reshape(len(hyp), len(ref), 2)


def matched(similarities: Array) -> list[tuple[int, int]]:
    """Places of rows and columns that take each other, so that their sum is largest.

    >>> matched(np.array([[0.9, 0.8], [0.7, 0.1]]))
    [(0, 1), (1, 0)]
    """
    if not similarities.size:
        return []
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(similarities, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
