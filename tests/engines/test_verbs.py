"""Verbs that take an engine give the same answers by any: here by one that sends function and parts as bytes."""

from __future__ import annotations

import pathlib
import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

import pytest

import tercet
from tercet import counting, scoring
from tercet.data import statistics
from tercet.errors import InputError
from tercet.options.groups import Engined
from tercet.quality import predict
from tercet.running import run
from tercet.sample import campaign, judgements, write_exercise
from tercet.stats import resampling
from tests.contract.test_shards import TEXTS, as_bytes, usable
from tests.quality.models import example, train
from tests.study.build import FEW, METRICS, SEGMENT, SYSTEM, direction, written


def copied(thing: Any) -> Any:
    """What arrives of something that is sent."""
    return pickle.loads(pickle.dumps(thing))  # noqa: S301


class Bytes:
    """What processes and clusters do with functions and parts, done here."""

    elsewhere: ClassVar[bool] = True
    workers, told = 2, ""

    def __init__(self) -> None:
        self.parts: list[Any] = []

    def threads(self, cores: int) -> int:
        return 1

    def map(self, function: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[Any]:
        sent = copied(function)
        for part in parts:
            self.parts.append(part)
            yield copied(sent(copied(part)))


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Bytes:
    """The engine that `processes:2` is meanwhile."""
    there, real = Bytes(), tercet.engine
    for module in (counting, scoring, predict):
        monkeypatch.setattr(module, "engine", lambda spec, **_: there if spec == "processes:2" else real(spec))
    monkeypatch.setattr(statistics, "BLOCK", 5)
    monkeypatch.chdir(tmp_path)
    return there


def test_compare(used: Bytes) -> None:
    options: dict[str, Any] = {"testset": TEXTS, "metrics": ["bleu", "nist"], "samples": 40}
    here, there = tercet.compare(**options), tercet.compare(**options, engine="processes:2")
    assert (there.as_records(), there.signature, there.answers) == (here.as_records(), here.signature, here.answers)
    assert len(used.parts) == 2 * 4 * 2  # metrics, blocks, systems


def test_meta(used: Bytes) -> None:
    options: dict[str, Any] = {"metrics": ["chrf", "nist"], "interval": "none", "test": "none", "level": "segment"}
    options |= {"testset": campaign("en-de"), "judgements": judgements("en-de")}
    here, there = tercet.meta(**options), tercet.meta(**options, engine="processes:2")
    assert (there.as_records(), there.signature, there.notes) == (here.as_records(), here.signature, here.notes)
    assert used.parts


def test_tune(used: Bytes) -> None:
    write_exercise()
    options: dict[str, Any] = {"parameters": ["beta=1:3:0.5"], "folds": 2, "objective": "pair-accuracy"}
    options |= {"testset": "exercise.tsv", "judgements": "exercise.pairs.tsv"}
    assert tercet.tune("chrf", **options, engine="processes:2") == tercet.tune("chrf", **options)
    assert used.parts


def test_run(used: Bytes, tmp_path: pathlib.Path) -> None:
    study = written(tmp_path, METRICS, direction(), SYSTEM, SEGMENT, FEW)
    for engine in ("threads", "processes:2"):
        run(study, tmp_path / engine, figures=False, engine=engine)
    assert used.parts
    here, there = ({p.name: p.read_bytes() for p in (tmp_path / e).glob("*.*")} for e in ("threads", "processes:2"))
    assert here == there
    assert here


def test_qe_predict(used: Bytes, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predict, "PART", 7)
    files = example(tmp_path)
    train(files, tmp_path / "model")
    given = ("model", files["test.en"], files["test.mt"])
    here, there = tercet.qe_predict(*given), tercet.qe_predict(*given, engine="processes:2")
    assert (there.segments, there.signature, there.notes) == (here.segments, here.signature, here.notes)
    assert len(used.parts) > 1


@pytest.mark.parametrize("paired", ["bootstrap", "randomization"])
def test_workers_redraw_the_stream_and_skip_to_their_chunk(
    paired: str, used: Bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resampling, "_CHUNK_BYTES", 8 * len(TEXTS) * 11)  # eleven resamples a chunk
    options: dict[str, Any] = {"testset": TEXTS, "metrics": ["bleu", "yisi-0"], "samples": 100}
    options |= {"trials": 300} if paired == "randomization" else {}
    for compat in (False, True):
        options |= {"paired": paired, "ci": True, "compat": compat}
        here = as_bytes(tercet.score(**options))
        used.parts.clear()
        assert as_bytes(tercet.score(**options, engine="processes:2")) == here
        numbers = [part for part in used.parts if isinstance(part, int)]
        assert numbers[:5] == list(range(5))


def test_a_worker_goes_on_or_begins_again() -> None:
    drawn = resampling._Redrawn(resampling._Indices(1 << 20, 64, 5), lambda chunk: chunk.indices[:, :2])
    numbers = [0, 3, 4, 1, 7]
    whole = [chunk.indices[:, :2] for chunk in resampling._Indices(1 << 20, 64, 5)]
    for number in numbers:
        assert drawn(number).tolist() == whole[number].tolist()


@pytest.mark.thorough
def test_statistics_are_the_same_for_every_metric(used: Bytes) -> None:
    """With what is noted of texts that a metric cut."""
    for spec in usable():
        metric = tercet.metric(spec)
        fresh, other = copied(TEXTS), copied(TEXTS)
        here = scoring.statistics(fresh, metric)
        there = scoring.statistics(other, metric, where=Engined(engine="processes:2"))
        assert here.rows.tobytes() == there.rows.tobytes(), spec
        assert scoring.remarks(fresh, [metric]) == scoring.remarks(other, [metric])


def test_what_score_sends_can_be_sent(used: Bytes) -> None:
    options: dict[str, Any] = {"testset": TEXTS, "metrics": ["nist", "bleu"], "ci": True, "samples": 40}
    assert as_bytes(tercet.score(**options, engine="processes:2")) == as_bytes(tercet.score(**options))
    assert len(used.parts) == 4


def test_every_verb_refuses_an_engine_that_there_is_not() -> None:
    judged: dict[str, Any] = {"testset": campaign("en-de"), "judgements": judgements("en-de")}
    with pytest.raises(InputError, match="There is no engine 'clouds'"):
        tercet.compare(testset=TEXTS, engine="clouds")
    with pytest.raises(InputError, match="There is no engine 'clouds'"):
        tercet.meta(**judged, engine="clouds")
    with pytest.raises(InputError, match="There is no engine 'clouds'"):
        tercet.tune("chrf", **judged, parameters=["beta=1:3:1"], engine="clouds")
