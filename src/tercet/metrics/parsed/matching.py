"""METEOR's matches for metrics over trees: a hypothesis read as the reference has it, word by word."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tercet.data import Batch, Ints, References, Texts
from tercet.formats.conllu import Tree
from tercet.metrics.meteor.parameters import TABLE, Language, Module
from tercet.metrics.meteor.rewritten import MTer
from tercet.spec import Spec

WORTH: dict[str, float] = dict(
    zip(("exact", "stem", "synonym", "paraphrase"), TABLE["rank", "en"].weights, strict=True)
)
Reading = tuple[list[str], list[float]]  # words, and what each is worth


@dataclasses.dataclass(frozen=True)
class TreeMatching:
    """Stages of METEOR, and where its files are."""

    stages: tuple[Module, ...]
    language: Language
    resources: str | None

    def check(self, owner: Spec) -> None:
        """Refuse stages that the language has not, in the words of the owner."""
        owner.require(len(set(self.stages)) == len(self.stages), "stages", "all different")
        _ = self.matcher  # which refuses the rest

    @property
    def matcher(self) -> MTer:
        """What aligns words that are split at spaces."""
        return MTer(language=self.language, normalize="none", modules=self.stages, resources=self.resources)

    def readings(self, hyps: Sequence[Tree], refs: Sequence[Tree], groups: Ints, threads: int) -> list[Reading]:
        """Of every reference: the words of the hypothesis as that reference has them."""
        joined = [[" ".join(word.form for word in tree) for tree in side] for side in (hyps, refs)]
        bounds = list(zip(groups[:-1].tolist(), groups[1:].tolist(), strict=True))
        texts = References.of([joined[1][first:end] for first, end in bounds])
        batch = Batch(Texts.of(joined[0]), texts, threads=threads)
        matcher = self.matcher
        aligned = matcher.prepared(batch).alignments(matcher.stage_names)
        out = []
        for i, (first, end) in enumerate(bounds):
            for k in range(first, end):
                words: Reading = ([], [])
                at = 0
                for match in sorted(aligned[k], key=lambda match: match.hypothesis):
                    _append(words, joined[0][i].split()[at : match.hypothesis[0]], 1.0)
                    _append(words, joined[1][k].split()[slice(*match.reference)], WORTH[match.kind])
                    at = match.hypothesis[1]
                _append(words, joined[0][i].split()[at:], 1.0)
                out.append(words)
        return out


def _append(reading: Reading, words: Sequence[str], worth: float) -> None:
    reading[0].extend(words)
    reading[1].extend([worth] * len(words))
