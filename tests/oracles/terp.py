"""Slow, plain TERp: the search of TER with a cost for each kind of edit, and words and phrases that may be matched."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from tests.oracles.ter import INFINITE

KINDS = ("insertion", "deletion", "substitution", "shift", "stem", "synonym", "paraphrase")
Phrase = tuple[int, int, int, int]  # start and length in the reference, then in the hypothesis
Step = tuple[str, int, int, int, int]  # kind; where it begins in hypothesis and reference, and words of either


def moved(order: list[int], start: int, length: int, target: int) -> list[int]:
    """The words with the block moved to the target position."""
    rest = order[:start] + order[start + length :]
    place = target - length if target > start + length else target
    return rest[:place] + order[start : start + length] + rest[place:]


@dataclasses.dataclass(frozen=True)
class Pair:
    """A hypothesis, a reference, and what is known of their words. A shifted hypothesis is a list of old places."""

    hyp: Sequence[str]
    ref: Sequence[str]
    costs: Mapping[str, int]
    stems: Mapping[str, str]
    synsets: Mapping[str, Sequence[int]]
    phrases: Sequence[Phrase]

    def relation(self, place: int, r: int) -> str:
        """How a word of the hypothesis is related to one of the reference."""
        one, other = self.hyp[place], self.ref[r]
        if one == other:
            return "same"
        kinds = []
        if one in self.stems and self.stems[one] == self.stems.get(other):
            kinds.append("stem")
        if set(self.synsets.get(one, ())) & set(self.synsets.get(other, ())):
            kinds.append("synonym")
        if any(p[1] == p[3] == 1 and p[0] == r and self.hyp[p[2]] == one for p in self.phrases):
            kinds.append("paraphrase")
        kind = min(kinds, key=lambda each: self.costs[each], default="substitution")
        return kind if self.costs[kind] <= self.costs["substitution"] else "substitution"

    @functools.cached_property
    def relations(self) -> list[list[str]]:
        """The relations of all words."""
        return [[self.relation(place, r) for r in range(len(self.ref))] for place in range(len(self.hyp))]

    @functools.cached_property
    def longer_phrases(self) -> list[Phrase]:
        """Those of more than one word on either side, each once, shorter ones first."""
        return sorted({p for p in self.phrases if (p[1], p[3]) != (1, 1)}, key=lambda p: (p[3], p[0], p[1], p[2]))

    def stands(self, order: Sequence[int], start: int, place: int, length: int) -> bool:
        """Whether the words that once stood at `place` now stand at `start`, in their old order."""
        return start >= 0 and list(order[start : start + length]) == list(range(place, place + length))

    def steps_to(self, order: Sequence[int], i: int, j: int) -> list[Step]:
        """The last steps that may lead to `i` words of the hypothesis and `j` of the reference, best liked first."""
        steps: list[Step] = []
        if i > 0 and j > 0:
            steps.append((self.relations[order[i - 1]][j - 1], i - 1, j - 1, 1, 1))
        for r, ref_length, place, length in self.longer_phrases:
            if r + ref_length == j and self.stands(order, i - length, place, length):
                steps.append(("paraphrase", i - length, r, length, ref_length))
        if i > 0:
            steps.append(("deletion", i - 1, j, 1, 0))
        if j > 0:
            steps.append(("insertion", i, j - 1, 0, 1))
        return steps

    def cost(self, step: Step) -> int:
        """What a step costs."""
        kind, _, _, length, ref_length = step
        return 0 if kind == "same" else self.costs[kind] * max(length, ref_length)

    def matrix(self, order: Sequence[int]) -> list[list[int]]:
        """Costs of all beginnings; cells outside the beam stay infinite."""
        n, m = len(order), len(self.ref)
        ratio = m / n
        half = 25 if ratio / 2 <= 25 else math.ceil(ratio / 2 + 25)
        cells = [[INFINITE] * (m + 1) for _ in range(n + 1)]
        cells[0][0] = 0
        for i in range(n + 1):
            centre = math.floor(i * ratio)
            end = m + 1 if i in (0, n) else min(m + 1, centre + half)
            for j in range(max(0, centre - half) if i else 0, end):
                for step in self.steps_to(order, i, j):
                    cells[i][j] = min(cells[i][j], cells[step[1]][step[2]] + self.cost(step))
        return cells

    def script(self, order: Sequence[int]) -> list[Step]:
        """The steps of the best way, from the end on."""
        cells, steps = self.matrix(order), []
        i, j = len(order), len(self.ref)
        while i > 0 or j > 0:
            fitting = (s for s in self.steps_to(order, i, j) if cells[s[1]][s[2]] + self.cost(s) == cells[i][j])
            steps.append(next(fitting))
            i, j = steps[-1][1:3]
        return steps

    def related(self, order: Sequence[int], i: int, r: int) -> bool:
        """Whether two words match in any way."""
        inside = 0 <= i < len(order) and 0 <= r < len(self.ref)
        return inside and self.relations[order[i]][r] != "substitution"

    def related_run(self, order: Sequence[int], i: int, r: int, step: int) -> int:
        """How many words match one after the other, in steps forward or back."""
        return next(k for k in itertools.count() if not self.related(order, i + k * step, r + k * step))

    def blocks(self, order: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
        """Blocks (start, length, start and length in the reference) that match: words; phrases with words around."""
        for start in range(len(order)):
            for r in range(max(0, start - 50), min(len(self.ref), start + 51)):
                for length in range(1, min(10, self.related_run(order, start, r, 1)) + 1):
                    yield start, length, r, length
        for end in range(1, len(order) + 1):
            for r, ref_length, place, length in self.longer_phrases:
                start, ref_end = end - length, r + ref_length
                if not self.stands(order, start, place, length):
                    continue
                most_before = self.related_run(order, start - 1, r - 1, -1)
                most_behind = self.related_run(order, end, ref_end, 1)
                for before, behind in itertools.product(range(most_before + 1), range(most_behind + 1)):
                    if before + length + behind <= 10 and abs(start - r) <= 50:
                        yield start - before, before + length + behind, r - before, before + ref_length + behind

    def best_shift(self, order: list[int], checked: int) -> tuple[int, list[int], int]:
        """Gain and result of the best shift; the number of candidates so far."""
        align = [-1] * len(self.ref)
        hyp_error, ref_error = [False] * len(order), [False] * len(self.ref)
        for kind, i, j, length, ref_length in self.script(order):
            for k in range(ref_length):
                align[j + k] = i + min(k, length - 1)
            if kind in ("insertion", "deletion", "substitution"):
                hyp_error[i : i + length] = [True] * length
                ref_error[j : j + ref_length] = [True] * ref_length
        before = self.matrix(order)[-1][-1]
        tried: list[tuple[int, int, int, int, list[int]]] = []
        for start, length, r, ref_length in self.blocks(order):
            end, ref_end = start + length, r + ref_length
            if not any(hyp_error[start:end]) or not any(ref_error[r:ref_end]) or start <= align[r] < end:
                continue
            for target in sorted({0 if k < 0 else align[k] + 1 for k in range(r - 1, ref_end)}):
                after = moved(order, start, length, target)
                tried.append((before - self.matrix(after)[-1][-1], length, -start, -target, after))
            if checked + len(tried) >= 1000:
                return 0, order, 1000
        best = max(tried, default=(0, 0, 0, 0, order))
        return best[0], best[4], checked + len(tried)

    def edits(self) -> list[int]:
        """How many edits of each kind; of paraphrases, words of the longer side."""
        if not self.hyp or not self.ref:
            return [len(self.ref), len(self.hyp), 0, 0, 0, 0, 0]
        counts = dict.fromkeys(KINDS, 0)
        order, checked = list(range(len(self.hyp))), 0
        while self.matrix(order)[-1][-1] > 0:
            gain, after, checked = self.best_shift(order, checked)
            if checked >= 1000 or gain <= 0 or gain < self.costs["shift"]:
                break
            order = after
            counts["shift"] += 1
        for kind, _, _, length, ref_length in self.script(order):
            if kind != "same":
                counts[kind] += max(length, ref_length)
        return list(counts.values())
