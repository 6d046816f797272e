"""Whatever reads a file: every format, every function that takes a `path`, and what is kept, sent or cached as one."""

from __future__ import annotations

import contextlib
import functools
import inspect
import pathlib
import shutil
import tempfile
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tercet
from fuzz.inputs import Draw
from tercet import formats, sharding
from tercet.campaigns import create
from tercet.campaigns.control import as_expected
from tercet.campaigns.exports import export_campaign, import_answers
from tercet.campaigns.protocol import load_protocol
from tercet.campaigns.status import campaign_status
from tercet.data import TestSet, Texts
from tercet.errors import TercetError
from tercet.options.campaigns import ExportForm
from tercet.quality.tagging.model import load_words
from tercet.scoring import statistics
from tercet.study.cache import Cache

Read = Callable[[Any], Any]
PLACES = ("path", "folder", "where")
FILLED = {"words": ["the", "cat", "THE"], "size": 2, "signed": False}
COMPARED = TestSet.of({"A": ["the cat", "sat"], "B": ["a cat", "sat"]}, ["the cat", "sat"])


class LeftBehindError(Exception):
    """What failed has left something behind."""


def readers(functions: Iterator[tuple[str, Callable[..., Any]]]) -> Iterator[tuple[str, Read]]:
    """Formats by their tables, what `READ` names, and functions of a path or a folder that give something back."""
    for name in formats.formats():
        yield f"testset.{name}", functools.partial(formats.read_testset, format=name)
    for name in formats.JUDGEMENT_FORMATS:
        yield f"judgements.{name}", functools.partial(formats.read_judgements, format=name)
    for name in formats.SCORE_FORMATS:
        yield f"scores.{name}", functools.partial(formats.read_scores, scores_format=name)
    yield from READ.items()
    for name, function in functions:
        parameters, gives = inspect.signature(function).parameters, str(inspect.signature(function).return_annotation)
        reads = next(iter(parameters), "") in PLACES and not name.rpartition(".")[2].startswith("write_")
        if not reads or "IO[" in gives or gives == "None":
            continue
        needed = [p for p, about in list(parameters.items())[1:] if about.default is inspect.Parameter.empty]
        if set(needed) <= set(FILLED):
            yield name, functools.partial(function, **{p: FILLED[p] for p in needed})


def _protocol(path: pathlib.Path) -> None:
    """A file of a protocol, as a server and an annotator see it."""
    protocol = load_protocol(str(path))
    protocol.public("de")
    item = {"source": "a", "outputs": [{"text": "the cat"}] * protocol.n_outputs}
    protocol.problems({"outputs": [{}] * protocol.n_outputs}, item)


def _typology(path: pathlib.Path) -> None:
    """Categories of errors that somebody sent, in the protocol that takes them."""
    load_protocol(f'mqm(typology="{path}")').public("de")


def _campaign(path: pathlib.Path) -> None:
    """A campaign that somebody sent, asked for all that it can tell."""
    campaign_status(path)
    with tempfile.TemporaryDirectory() as folder:
        for form in typing.get_args(ExportForm):
            with contextlib.suppress(TercetError):
                export_campaign(path, output=pathlib.Path(folder, form), form=form)


def _campaign_log(path: pathlib.Path) -> None:
    """A log that somebody sent, as a campaign of its own."""
    with _nothing_left() as target:
        import_answers(target, judgements=path)
        _campaign(target)


def _tutorial(path: pathlib.Path) -> None:
    """Items to begin with, and what is said of answers to them."""
    for item in create._tutorial(path, load_protocol("esa")):
        as_expected(item["expected"], {"outputs": [{"score": 60.0, "spans": []}]})


@contextlib.contextmanager
def _nothing_left() -> Iterator[pathlib.Path]:
    """A place for a campaign; where it is refused, nothing may lie there."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder, "campaign.db")
        try:
            yield target
        except TercetError:
            if names := [path.name for path in target.parent.iterdir()]:
                raise LeftBehindError(", ".join(names)) from None
            raise


def _tags(path: pathlib.Path) -> None:
    """A model of words, on a sentence."""
    load_words(path).tagged(Texts.of(["the cat", ""]), Texts.of(["cat the", "a b"]), 2)


def _earlier(path: pathlib.Path) -> None:
    """An earlier comparison, beside a new one."""
    tercet.compare(COMPARED, metrics=["bleu"], samples=120, baseline=path).to_dict()


def _cache_entry(path: pathlib.Path) -> None:
    """What somebody laid into the cache of a study, where it looks for an entry."""
    metric = tercet.metric("bleu")
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(pathlib.Path(folder), statistics)
        entry = pathlib.Path(folder, f"{cache._key(COMPARED, metric)}.npz")
        (shutil.copytree if path.is_dir() else shutil.copyfile)(path, entry)
        rows = cache.statistics(COMPARED, metric).rows
        if rows.shape[:2] != (2, 2) or not np.isfinite(metric.score(rows)).all():
            raise ValueError(f"an entry of the shape {rows.shape} was trusted")


def _part(path: pathlib.Path) -> None:
    """A shard that somebody sent."""
    sharding.merge([path]).as_records()


READ: dict[str, Read] = {
    "protocol": _protocol,
    "typology": _typology,
    "campaign": _campaign,
    "campaign-log": _campaign_log,
    "tutorial": _tutorial,
    "tags": _tags,
    "earlier": _earlier,
    "cache-entry": _cache_entry,
    "part": _part,
}


def play_reader(read: Read, draw: Draw) -> int:
    """Files of any format, and those that the reader takes, damaged."""
    n = 2 if draw.small else 20
    files = (draw.file(sound=0.1) if draw.random() < 0.5 else draw.damaged(_liked(read, draw)) for _ in range(n))
    draw.answered = sum(_takes(read, file) for file in files)
    return n


_LIKED: dict[int, list[Any]] = {}


def _liked(read: Read, draw: Draw) -> Any:
    """A sample that the reader takes as it is, if there is one."""
    if id(read) not in _LIKED:
        _LIKED[id(read)] = [sample for sample in draw.samples if _takes(read, sample)]
    return draw.choice(_LIKED[id(read)] or list(draw.samples))


def _takes(read: Read, sample: Any) -> bool:
    try:
        consumed(read(sample))
    except TercetError:
        return False
    return True


def consumed(answer: Any) -> None:
    """Readers that give one thing after the other are read to their end."""
    if isinstance(answer, types.GeneratorType | Iterator):
        for _ in answer:
            pass
