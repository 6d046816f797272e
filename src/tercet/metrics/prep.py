"""PReP: SentBLEU with pseudo-references, filtered by how close they are to the reference (Yoshimura et al. 2019)."""

from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import ClassVar

from tercet import contents
from tercet.data import Array, Batch, Explanation, References
from tercet.errors import InputError
from tercet.metric_base import Card
from tercet.metrics import METRICS
from tercet.metrics.moses_bleu import SentBleu
from tercet.numbers import thousands
from tercet.spec import Spec, option

_LARGEST = 1 << 30  # bytes of a file, or of what a command gives
_SECONDS = 24 * 3600


@dataclasses.dataclass(frozen=True)
class Prep(SentBleu):
    """Statistics: [value, 1]."""

    pseudo: tuple[str, ...] = option(
        (), "files of pseudo-references: lines of source, tab, translation; several of one source all count"
    )
    command: str = option(
        "",
        "program that reads sources, a line each, and writes as many translations; run without a shell, and never from "
        "a file: a model, or a study without --allow-commands",
        runs=True,
    )
    filter: str = option("", "metric that compares a pseudo-reference with the references; without: all are kept")
    threshold: float = option(50.0, "the worst score that the filter lets pass")

    name = "prep"
    files = ("pseudo",)
    within: ClassVar[Mapping[str, str]] = {**Spec.within, "filter": "metric"}
    card = Card(
        title="PReP",
        year=2019,
        group="Tokyo Metropolitan",
        kind="n-grams of words",
        resources="pseudo-references",
        definition=(
            "SentBLEU with more references: translations of the source by other systems, of which those are kept that "
            "are a paraphrase of the reference by some filter. The corpus score is the mean over segments."
        ),
        paper="Yoshimura, Shimanaka, Matsumura, Yamagishi and Komachi 2019, *Filtering pseudo-references by "
        "paraphrasing for automatic evaluation of machine translation*; PReP of the WMT19 metrics task",
        scale="0 to 1",
        reference="none: a reconstruction of the method, without its systems and its classifier",
        differences=(
            "The paper takes its pseudo-references from Google Translate and Bing; here they come from files or a "
            "command, and belong to sources, which are then needed. Without either the score is `sentbleu`. A command "
            "is run once for the same sources.",
            "The paper filters by BERT, fine-tuned on MRPC, at a probability of one half. Here any metric of the "
            "registry filters, also one that another package registers, at a threshold of your own.",
            "A spec with `command` runs that program: do not take one from people whom you do not trust. No model may "
            "name one, and a study only with `--allow-commands`.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for path in self.pseudo:
            self.require(os.path.isfile(path), "pseudo", "files that are there")
        if self.command:
            self.require(self._program() is not None, "command", "a program that is there, with its arguments")
        if self.filter:
            object.__setattr__(self, "filter", str(METRICS.make(self.filter)))
            self.require("sources" not in METRICS.make(self.filter).needs, "filter", "a metric that needs no source")

    def _program(self) -> str | None:
        try:
            words = shlex.split(self.command)
        except ValueError:  # a quote that is not closed
            return None
        return shutil.which(words[0]) if words else None

    def values(self, batch: Batch) -> Array:
        """The score of each segment."""
        return super().values(self.extended(batch))

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """That of SentBLEU, with the references that were used."""
        extended = self.extended(batch)
        told = super().details(plain, extended, row)
        n = len(extended.required_references()[0]) - len(batch.required_references()[0])
        return dataclasses.replace(told, notes=(*told.notes, f"{n} pseudo-references are kept."))

    def extended(self, batch: Batch) -> Batch:
        """The batch with the pseudo-references that pass."""
        if not self.pseudo and not self.command:
            return batch
        if batch.sources is None:
            raise InputError(
                f"{self} needs sources, and there are none.", hint="Pass one a segment; -s names their file."
            )
        gold = batch.required_references()
        offered = [list(known) for known in self._known(batch.sources.strings)]
        kept = self._passed(gold, offered, batch.threads)
        references = References.of([[*given, *more] for given, more in zip(gold, kept, strict=True)])
        return dataclasses.replace(batch, references=references)

    def _known(self, sources: Sequence[str]) -> list[list[str]]:
        """The pseudo-references of each source."""
        tables = [_table(path, contents.state(path)) for path in self.pseudo]
        known = [[line for table in tables for line in table.get(source, ())] for source in sources]
        if self.command:
            for translations, line in zip(known, _translated(self.command, tuple(sources)), strict=True):
                translations.append(line)
        return known

    def _passed(self, gold: References, offered: list[list[str]], threads: int) -> list[list[str]]:
        if not self.filter or not any(offered):
            return offered
        metric = METRICS.make(self.filter)
        flat = [(line, list(gold[i])) for i, lines in enumerate(offered) for line in lines]
        scores = metric.segments([line for line, _ in flat], [references for _, references in flat], threads=threads)
        passed = iter((scores >= self.threshold) if metric.higher_is_better else (scores <= self.threshold))
        return [[line for line in lines if next(passed)] for lines in offered]


@functools.lru_cache(maxsize=16)
def _table(path: str, _state: contents.State) -> dict[str, list[str]]:
    """Pseudo-references by source."""
    if pathlib.Path(path).stat().st_size > _LARGEST:
        raise InputError(
            f"{path} is larger than {thousands(_LARGEST)} bytes.", hint="Split it; `pseudo` takes several files."
        )
    try:
        text = pathlib.Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8, at byte {error.start}.", hint="Convert it, with iconv.") from None
    table: dict[str, list[str]] = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        source, tab, translation = line.partition("\t")
        if not tab or "\t" in translation:
            raise InputError(
                f"{path}, line {number}, has {line.count(chr(9)) + 1} columns.",
                hint="A line is a source, a tab, and its translation.",
            )
        table.setdefault(source, []).append(translation)
    return table


@functools.lru_cache(maxsize=16)
def _translated(command: str, sources: tuple[str, ...]) -> tuple[str, ...]:
    """What a program makes of the sources, line for line."""
    words = shlex.split(command)
    given = "".join(source.replace("\n", " ") + "\n" for source in sources).encode("utf-8")
    try:
        done = subprocess.run(words, input=given, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise InputError(f"The command {command!r} failed: {error}", hint="Run it by itself first.") from None
    try:
        text = done.stdout.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"The command {command!r} does not write UTF-8.", hint="Make it do so.") from None
    lines = text.removesuffix("\n").split("\n") if sources else []
    if len(lines) != len(sources):
        raise InputError(
            f"The command {command!r} gave {len(lines)} lines for {len(sources)} sources.",
            hint="It must write one line a source.",
        )
    return tuple(lines)
