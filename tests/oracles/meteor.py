"""METEOR's matching and search, one path at a time: what the kernel must find, quirks included."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

BEAM = 40
Words = Sequence[str]


@dataclasses.dataclass(frozen=True)
class Found:
    """Words ref to ref + ref_length of the reference, matched by a stage with words of the hypothesis."""

    stage: int
    ref: int
    ref_length: int
    hyp: int
    hyp_length: int


@dataclasses.dataclass(frozen=True)
class Stages:
    """The stages in their order, and what they know; `given` are matches of a stage that somebody else finds."""

    names: tuple[str, ...]
    stem: Callable[[str], str] = str
    synsets: Mapping[str, frozenset[int]] = dataclasses.field(default_factory=dict)
    table: Sequence[tuple[Words, Words]] = ()
    given: Sequence[tuple[int, int, int, int]] = ()
    equal_credit: bool = False


def java_hash(word: str) -> int:
    """String.hashCode: METEOR takes words of the same hash for the same word."""
    units = word.encode("utf-16-le")
    out = 0
    for i in range(0, len(units), 2):
        out = (31 * out + units[i] + 256 * units[i + 1]) % 2**32
    return out


def java_length(word: str) -> int:
    """String.length: units of UTF-16."""
    return len(word.encode("utf-16-le")) // 2


def single(stages: Stages, name: str, hyp_word: str, ref_word: str) -> bool:
    """Whether a stage that looks at single words matches these two."""
    same = java_hash(hyp_word) == java_hash(ref_word)
    if name == "exact":
        return same
    if name == "stem":
        return not same and java_hash(stages.stem(hyp_word)) == java_hash(stages.stem(ref_word))
    none: frozenset[int] = frozenset()
    return not same and bool(stages.synsets.get(hyp_word, none) & stages.synsets.get(ref_word, none))


def occurrences(phrase: Words, text: Words) -> list[int]:
    """Where a phrase stands in a text."""
    n = len(phrase)
    return [i for i in range(len(text) - n + 1) if list(text[i : i + n]) == list(phrase)]


def phrases(table: Sequence[tuple[Words, Words]], keys: Words, targets: Words) -> list[tuple[int, int, int, int]]:
    """Phrases of one text with their paraphrases in another: by place, length, and order in the table."""
    return [
        (at, length, other, len(paraphrase))
        for at in range(len(keys))
        for length in range(1, len(keys) - at + 1)
        for phrase, paraphrase in table
        if list(phrase) == list(keys[at : at + length])
        for other in occurrences(paraphrase, targets)
    ]


def candidates(stages: Stages, hyp: Words, ref: Words) -> list[list[Found]]:
    """All matches by the place in the reference where they start, in METEOR's order."""
    out: list[list[Found]] = [[] for _ in ref]
    same = [java_hash(w) for w in hyp] == [java_hash(w) for w in ref]
    for stage, name in enumerate(stages.names[:1] if same else stages.names):
        if name == "paraphrase":
            forward = phrases(stages.table, ref, hyp)
            backward = [(r, rl, h, hl) for h, hl, r, rl in phrases(stages.table, hyp, ref)]
            found = forward + backward
        elif name == "given":
            found = list(stages.given)
        else:
            pairs = [(j, i) for j in range(len(ref)) for i in range(len(hyp))]
            found = [(j, 1, i, 1) for j, i in pairs if single(stages, name, hyp[i], ref[j])]
        for match in found:
            out[match[0]].append(Found(stage, *match))
    return out


@dataclasses.dataclass
class Path:
    """A partial alignment."""

    matches: dict[int, Found]
    used_hyp: set[int]
    used_ref: set[int]
    hyp_credit: int = 0
    ref_credit: int = 0
    chunks: int = 0
    last: int | None = None  # the end of the open chunk in the hypothesis
    at: int = 0
    distance: int = 0

    def key(self) -> tuple[int, int, int]:
        """Less is better."""
        return -(self.hyp_credit + self.ref_credit), self.chunks, self.distance

    def add(self, match: Found, weight: float) -> None:
        """Take a match; halves of words are cut off after every addition."""
        self.hyp_credit = int(self.hyp_credit + match.hyp_length * weight)
        self.ref_credit = int(self.ref_credit + match.ref_length * weight)
        self.chunks += self.last is not None and match.hyp != self.last
        self.at = match.ref + match.ref_length
        self.last = match.hyp + match.hyp_length

    def close(self) -> None:
        """No chunk is open any more."""
        self.chunks += self.last is not None
        self.last = None


def hyp_words(match: Found) -> set[int]:
    """Its places in the hypothesis."""
    return set(range(match.hyp, match.hyp + match.hyp_length))


def ref_words(match: Found) -> set[int]:
    """Its places in the reference."""
    return set(range(match.ref, match.ref + match.ref_length))


def without_rival(match: Found, everything: Sequence[Found]) -> bool:
    """Whether no other match claims one of its words."""
    return not any(
        other is not match and (hyp_words(match) & hyp_words(other) or ref_words(match) & ref_words(other))
        for other in everything
    )


def align(stages: Stages, hyp: Words, ref: Words) -> list[Found]:
    """The alignment that the beam search ends with, in the order of the reference."""
    options = candidates(stages, hyp, ref)
    everything = [match for here in options for match in here]
    fixed = {here[0].ref: here[0] for here in options if len(here) == 1 and without_rival(here[0], everything)}
    weights = [1.0 if stages.equal_credit or name == "exact" else 0.5 for name in stages.names]
    start = Path(
        dict(fixed),
        {i for match in fixed.values() for i in hyp_words(match)},
        {j for match in fixed.values() for j in ref_words(match)},
    )
    paths = [start]
    for j in range(len(ref)):
        reached: list[Path] = []
        for path in sorted(paths, key=Path.key)[:BEAM]:
            reached += steps(path, j, fixed, options[j], weights)
        paths = reached
    paths = sorted(paths, key=Path.key)[:BEAM]
    for path in paths:
        path.close()
    best = min(paths, key=Path.key)
    return [best.matches[j] for j in sorted(best.matches)]


def steps(
    path: Path, j: int, fixed: Mapping[int, Found], options: Sequence[Found], weights: Sequence[float]
) -> list[Path]:
    """What becomes of a path at word j of the reference."""
    if j in path.used_ref:
        if j >= path.at:
            match = fixed[j]
            path.add(match, weights[match.stage])
            path.distance += abs(match.ref - match.hyp)
        return [path]
    out = []
    for match in options:
        if path.used_hyp & hyp_words(match) or path.used_ref & ref_words(match):
            continue
        child = dataclasses.replace(
            path,
            matches={**path.matches, j: match},
            used_hyp=path.used_hyp | hyp_words(match),
            used_ref=path.used_ref | ref_words(match),
        )
        child.add(match, weights[match.stage])
        path.distance += abs(match.ref - match.hyp)  # to the parent, after the copy was made
        out.append(child)
    path.close()
    path.at = j + 1
    return [*out, path]


def statistics(
    stages: Stages, hyp: Words, ref: Words, function: frozenset[str], *, characters: bool = False, slots: int = 4
) -> list[float]:
    """Lengths, function words, matched words of each stage, chunks, words matched."""

    def size(words: Words, *, function_only: bool = False) -> int:
        kept = [w for w in words if not function_only or w.lower() in function]
        return sum(map(java_length, kept)) if characters else len(kept)

    matches = align(stages, hyp, ref)
    out = [size(hyp), size(ref), size(hyp, function_only=True), size(ref, function_only=True)]
    for stage in range(slots):
        sides = [
            [hyp[i] for m in matches if m.stage == stage for i in sorted(hyp_words(m))],
            [ref[j] for m in matches if m.stage == stage for j in sorted(ref_words(m))],
        ]
        functional = [size(side, function_only=True) for side in sides]
        out += [size(side) - f for side, f in zip(sides, functional, strict=True)] + functional
    chunks = sum(
        i == 0
        or m.ref != matches[i - 1].ref + matches[i - 1].ref_length
        or m.hyp != matches[i - 1].hyp + matches[i - 1].hyp_length
        for i, m in enumerate(matches)
    )
    return [*map(float, out), float(chunks), *(float(sum(len(f(m)) for m in matches)) for f in (hyp_words, ref_words))]
