"""Slow, plain TERp: the search that the authors' program makes (Snover et al. 2009), in words of our own.

Cells are (words of the hypothesis, words of the reference). An insertion is a word that only the reference has, a
deletion one that only the hypothesis has: the program calls them the other way round.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

KINDS = ("insertion", "deletion", "substitution", "shift", "stem", "synonym", "paraphrase")
LONGEST, FARTHEST = 10, 50  # words of a block, and how far it may move

Words = Sequence[str]
Phrases = Mapping[tuple[tuple[str, ...], tuple[str, ...]], float]  # of the reference, of the hypothesis: what it costs
Move = tuple[int, int, int]  # first and last word of a block, and the word behind which it goes, or -1


@dataclasses.dataclass(frozen=True)
class Step:
    """One edit or match, which ends at so many words of either side."""

    kind: str
    hyp: int
    ref: int
    length: int = 1
    ref_length: int = 1
    cost: float = 0.0


@dataclasses.dataclass(frozen=True)
class Alignment:
    """The cheapest way from one text to the other that the beam has left."""

    cost: float
    steps: list[Step]


@dataclasses.dataclass(frozen=True)
class Result:
    """What was done to the hypothesis: shifts, in their order, and the edits that are left."""

    cost: float
    moves: list[Move]
    steps: list[Step]

    def counts(self) -> list[float]:
        """Edits of each kind, and what the paraphrases cost."""
        kinds = [step.kind for step in self.steps] + ["shift"] * len(self.moves)
        paid = sum(step.cost for step in self.steps if step.kind == "paraphrase")
        return [*(float(kinds.count(kind)) for kind in KINDS), paid]


def never(one: str, other: str) -> bool:
    """No two words are alike."""
    return False


@dataclasses.dataclass(frozen=True)
class Search:
    """How edits are searched: what they cost, which words are alike, and which blocks may move."""

    costs: Mapping[str, float]
    beam: float = 20
    shifts: str = "exact"  # or noshift, relax
    stems: Callable[[str, str], bool] = never
    synonyms: Callable[[str, str], bool] = never
    stop_words: frozenset[str] = frozenset()
    phrases: Phrases = dataclasses.field(default_factory=dict)

    def phrases_at(self, hyp: Words, j: int, ref: Words, i: int) -> Iterator[tuple[int, int, float]]:
        """Paraphrases that begin at two places: words of the hypothesis, of the reference, cost."""
        for (ours, theirs), cost in self.phrases.items():
            if tuple(ref[i : i + len(ours)]) == ours and tuple(hyp[j : j + len(theirs)]) == theirs:
                yield len(theirs), len(ours), cost

    def align(self, hyp: Words, ref: Words) -> Alignment:
        """A beam search, column by column of the hypothesis."""
        n, m = len(hyp), len(ref)
        cells: dict[tuple[int, int], tuple[float, Step]] = {(0, 0): (0.0, Step("match", 0, 0))}

        def reach(cost: float, step: Step) -> bool:
            better = (step.hyp, step.ref) not in cells or cost < cells[step.hyp, step.ref][0]
            if better:
                cells[step.hyp, step.ref] = cost, step
            return better

        best, first, last = math.inf, 0, 0
        for j in range(n + 1):
            limit, best = best + self.beam, math.inf
            live = []
            i = first
            while i <= m and (j == n or i <= last):
                if (j, i) in cells and (j == n or cells[j, i][0] <= limit):
                    live.append(i)
                    cost = cells[j, i][0]
                    if i < m and j < n:
                        for kind, price in self.pairings(hyp[j], ref[i]):
                            better = reach(cost + price, Step(kind, j + 1, i + 1, cost=price))
                            if better or kind == "match":
                                best = min(best, cost + price)
                    if i < m and j < n:
                        for length, ref_length, price in self.phrases_at(hyp, j, ref, i):
                            reach(
                                cost + price, Step("paraphrase", j + length, i + ref_length, length, ref_length, price)
                            )
                    if j < n:
                        reach(cost + self.costs["deletion"], Step("deletion", j + 1, i, 1, 0))
                    if i < m and reach(cost + self.costs["insertion"], Step("insertion", j, i + 1, 0, 1)) and i >= last:
                        last = i + 1
                i += 1
            first, last = live[0], live[-1] + 1
        steps = []
        j, i = n, m
        while j > 0 or i > 0:
            step = cells[j, i][1]
            steps.append(step)
            j, i = j - step.length, i - step.ref_length
        return Alignment(cells[n, m][0], steps[::-1])

    def pairings(self, one: str, other: str) -> list[tuple[str, float]]:
        """How two words may stand beside each other, best liked first."""
        if one == other:
            return [("match", 0.0)]
        kinds = ["substitution"]
        kinds += ["stem"] if self.stems(one, other) else []
        kinds += ["synonym"] if self.synonyms(one, other) else []
        return [(kind, self.costs[kind]) for kind in kinds]

    def alike(self, one: str, other: str) -> bool:
        """Whether two words may lie in a block that moves."""
        return one == other or (self.shifts == "relax" and (self.stems(one, other) or self.synonyms(one, other)))

    def moves(self, hyp: Words, ref: Words, steps: Sequence[Step]) -> list[list[Move]]:
        """The shifts to try, by length of the longer side less one; what is longer than ten words comes last."""
        known = _Errors(len(hyp), len(ref), steps)
        tried: list[set[Move]] = [set() for _ in range(LONGEST + 1)]
        for h in range(len(hyp)):
            for r in range(len(ref)):
                for length, ref_length in self.blocks(hyp, ref, h, r, known):
                    if not self.may_move(hyp[h : h + length], ref[r : r + ref_length]):
                        continue
                    for move in known.targets(h, length, r, ref_length):
                        tried[min(max(length, ref_length), LONGEST + 1) - 1].add(move)
        return [sorted(moves) for moves in tried]

    def may_move(self, ours: Words, theirs: Words) -> bool:
        """Whether neither side is made of stop words alone."""
        return not any(all(word in self.stop_words for word in side) for side in (ours, theirs))

    def blocks(self, hyp: Words, ref: Words, h: int, r: int, known: _Errors) -> set[tuple[int, int]]:
        """Lengths of blocks that begin here: paraphrases and words that are alike, of which the last is a word."""
        seen, found, waiting = {(0, 0)}, set(), [(0, 0)]
        while waiting:
            a, b = waiting.pop()
            if a >= LONGEST or h + a >= len(hyp) or r + b >= len(ref):
                continue
            following = []
            if self.shifts == "relax" and known.near(h + a, r + b):
                following += [(a + x, b + y) for x, y, _ in self.phrases_at(hyp, h + a, ref, r + b)]
            if self.alike(hyp[h + a], ref[r + b]):
                following.append((a + 1, b + 1))
                found.add((a + 1, b + 1))
            waiting += [state for state in following if state not in seen]
            seen.update(following)
        return found

    def run(self, given: Words, ref: Words) -> Result:
        """Shifts as long as they pay, then edits."""
        hyp = list(given)
        if not hyp or not ref:
            ours = [Step("deletion", j + 1, 0, 1, 0) for j in range(len(hyp))]
            theirs = [Step("insertion", 0, i + 1, 0, 1) for i in range(len(ref))]
            costs = [self.costs[step.kind] for step in ours + theirs]
            return Result(sum(costs), [], ours + theirs)
        now, moves, paid = self.align(hyp, ref), [], 0.0
        while self.shifts != "noshift" and (chosen := self.best_move(hyp, ref, now)):
            move, now = chosen
            hyp = moved(hyp, *move)
            moves.append(move)
            paid += self.costs["shift"]
        return Result(now.cost + paid, moves, now.steps)

    def best_move(self, hyp: list[str], ref: Words, now: Alignment) -> tuple[Move, Alignment] | None:
        """The shift that saves most, long blocks first; of equals the first, even if it only pays for itself."""
        best, chosen = now.cost, None
        for length, moves in reversed(list(enumerate(self.moves(hyp, ref, now.steps), start=1))):
            for move in moves:
                saved = now.cost - best
                if saved > 2 * length or (chosen is not None and saved == 2 * length):
                    return chosen
                after = self.align(moved(hyp, *move), ref)
                # without the second condition a shift that costs nothing would be made for ever
                gain = best - (after.cost + self.costs["shift"])
                if (gain > 0 or (chosen is None and gain == 0)) and after.cost < now.cost:
                    best, chosen = after.cost + self.costs["shift"], (move, after)
        return chosen


class _Errors:
    """What an alignment says of each word: whether it is wrong, and where it stands on the other side."""

    def __init__(self, n: int, m: int, steps: Sequence[Step]) -> None:
        self.hyp, self.ref = [False] * n, [False] * m
        self.to_hyp, self.to_ref = [-1] * m, [-1] * n
        for step in steps:
            j, i = step.hyp - step.length, step.ref - step.ref_length  # where it begins
            wrong = step.kind != "match"
            self.hyp[j : step.hyp] = [wrong] * step.length
            self.ref[i : step.ref] = [wrong] * step.ref_length
            self.to_hyp[i : step.ref] = [j if step.length else j - 1] * step.ref_length
            self.to_ref[j : step.hyp] = [i if step.ref_length else i - 1] * step.length

    def near(self, h: int, r: int) -> bool:
        """Whether a paraphrase that begins here is looked at."""
        start, end = self.to_ref[max(h - FARTHEST, 0)], self.to_ref[min(h + FARTHEST, len(self.hyp) - 1)]
        return start <= r <= end

    def targets(self, h: int, length: int, r: int, ref_length: int) -> Iterator[Move]:
        """Where a block may go."""
        end, place = h + length - 1, self.to_hyp[r]
        if not any(self.hyp[h : end + 1]) or not any(self.ref[r : r + ref_length]):
            return
        if h <= place <= end or abs(place - h) > FARTHEST:
            return
        for k in range(r - 1, min(r + length, len(self.ref))):
            if k < 0:
                yield h, end, -1
            elif self.to_hyp[k] != h and (k == r or self.to_hyp[k] != place):
                yield h, end, self.to_hyp[k]


def moved(words: list[str], start: int, end: int, place: int) -> list[str]:
    """The words with a block behind the word at `place`; if that lies inside, it jumps over as many words."""
    block = words[start : end + 1]
    if place < start:
        return words[: place + 1] + block + words[place + 1 : start] + words[end + 1 :]
    stop = place + 1 if place > end else end + 1 + place - start
    return words[:start] + words[end + 1 : stop] + block + words[stop:]


def phrase_cost(parameters: Sequence[float], probability: float, edits: float) -> float:
    """What a paraphrase costs: TERp's standard function of its probability and of the edits within."""
    p0, p1, p2, p3 = parameters
    logarithm = math.log(probability) / math.log(10)
    return max(0.0, p0 + p1 * logarithm * edits + p2 * probability * edits + p3 * edits)


def words(text: str, normalized: bool = True, case_sensitive: bool = False) -> list[str]:
    """The words that TERp sees."""
    text = simple(text)
    if not case_sensitive:
        text = text.lower()
    if normalized:
        for entity, char in (("<skipped>", ""), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, char)
        text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", f" {text} ")
        text = text.replace("'s ", " 's ")
        # this takes the blank before the word, too
        text = re.sub(r"[ \t\n\x0b\f\r]([^,. \t]+)([.,])[ \t\n\x0b\f\r]", r"\1 \2 ", text)
        text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return [word for word in simple(text).split(" ") if word]


def simple(text: str) -> str:
    """Java's idea of white space: controls at the ends, six characters between."""
    return re.sub(r"[ \t\n\x0b\f\r]+", " ", text.strip("".join(map(chr, range(33)))))
