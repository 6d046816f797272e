"""`--resume`: blocks that are kept are not counted again, unless their texts, or the question, are others."""

from __future__ import annotations

import dataclasses
import pathlib
import subprocess
import sys
from typing import Any

import pytest

import tercet
from tercet.data import statistics
from tercet.errors import InputError
from tests.contract.test_shards import QUESTIONS, REFS, TEXTS, as_bytes


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 5)  # four blocks


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "kept"


def files(folder: pathlib.Path) -> set[tuple[str, int]]:
    """Which files there are: one that is written again is another one."""
    return {(path.name, path.stat().st_ino) for path in folder.iterdir()}


@pytest.mark.parametrize("question", QUESTIONS)
def test_kept_blocks_give_the_bytes_of_one_run(question: str, folder: pathlib.Path) -> None:
    options: dict[str, Any] = {"testset": TEXTS, "metrics": ["bleu", "nist", "yisi-0"], **QUESTIONS[question]}
    whole = as_bytes(tercet.score(**options))
    assert as_bytes(tercet.score(**options, resume=folder)) == whole
    assert [path.name for path in sorted(folder.iterdir())] == [f"00000{i}.part" for i in (1, 2, 3, 4)]
    for lost in ((), (1, 3), (2,), (4,)):
        for i in lost:
            (folder / f"00000{i}.part").unlink()
        before = files(folder)
        assert as_bytes(tercet.score(**options, resume=folder)) == whole
        after = files(folder)
        assert before <= after
        assert len(after - before) == len(lost)


def test_a_block_of_other_texts_is_counted_again(folder: pathlib.Path) -> None:
    def changed(place: int) -> tercet.TestSet:
        references: list[Any] = [*REFS]
        references[place] = "other words"
        systems = {name: list(texts) for name, texts in TEXTS.systems.items()}
        return tercet.TestSet.of(systems, references, sources=list(TEXTS.sources or ()), documents=TEXTS.documents)

    for metrics, n_counted in ((["bleu"], 1), (["nist"], 4)):  # whose weights are of all references
        kept = folder / metrics[0]
        tercet.score(testset=TEXTS, metrics=metrics, resume=kept)
        before = files(kept)
        there = tercet.score(testset=changed(6), metrics=metrics, resume=kept)
        assert there == tercet.score(testset=changed(6), metrics=metrics)
        assert len(files(kept) - before) == n_counted


def test_a_longer_test_set_is_counted_on(folder: pathlib.Path) -> None:
    texts = {"a": [f"word {i}" for i in range(12)]}
    first = {"a": texts["a"][:8]}
    tercet.score(first, first["a"], metrics=["wer"], resume=folder)
    before = files(folder)
    there = tercet.score(texts, texts["a"], metrics=["wer"], resume=folder)
    assert there == tercet.score(texts, texts["a"], metrics=["wer"])
    assert {name for name, _ in files(folder) & before} == {"000001.part"}


def test_another_score_is_refused(folder: pathlib.Path) -> None:
    tercet.score(testset=TEXTS, metrics=["bleu"], resume=folder)
    others: dict[str, dict[str, Any]] = {
        "the metrics are others \\(chrf and bleu\\)": {"metrics": ["chrf"]},
        "the options are others \\(level 'segment' and 'corpus'\\)": {"metrics": ["bleu"], "level": "segment"},
    }
    for sentence, question in others.items():
        with pytest.raises(InputError, match=f"000001.part does not belong to this score: {sentence}.*of its own"):
            tercet.score(testset=TEXTS, **question, resume=folder)
    renamed = dataclasses.replace(TEXTS, systems={"uno": TEXTS.systems["one"]})
    with pytest.raises(InputError, match="the systems are others"):
        tercet.score(testset=renamed, metrics=["bleu"], resume=folder)
    (folder / "000002.part").write_bytes(b"PK")
    with pytest.raises(InputError, match="is no part of a score, or breaks off, or is damaged"):
        tercet.score(testset=TEXTS, metrics=["bleu"], resume=folder)


def test_shards_may_share_a_folder(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    options: dict[str, Any] = {"testset": TEXTS, "metrics": ["bleu"]}
    parts = [tercet.score_shard(**options, shard=f"{i}/2", part=tmp_path / f"{i}", resume=folder) for i in (1, 2)]
    assert as_bytes(tercet.merge(parts)) == as_bytes(tercet.score(**options))
    before = files(folder)
    assert as_bytes(tercet.score(**options, resume=folder)) == as_bytes(tercet.score(**options))
    assert files(folder) == before


def test_processes_keep_blocks_as_well(folder: pathlib.Path) -> None:
    options: dict[str, Any] = {"testset": TEXTS, "metrics": ["ter"], "resume": folder}
    tercet.score(**options)
    (folder / "000002.part").unlink()
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert as_bytes(tercet.score(**options, engine="processes:1")) == as_bytes(tercet.score(**options))
    assert {path.name: path.read_bytes() for path in folder.iterdir()}.items() >= kept.items()


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file is no folder that blocks can be kept in"):
        tercet.score({"a": ["x"]}, ["x"], resume=tmp_path / "file")
    with pytest.raises(InputError, match=r"x\.json names a file, and what --resume names is a folder"):
        tercet.score({"a": ["x"]}, ["x"], resume=tmp_path / "x.json")


def test_a_pipe_can_be_gone_on_with(tmp_path: pathlib.Path) -> None:
    (tmp_path / "ref").write_text("a\nb\n", encoding="utf-8")
    words = [
        "score",
        "-",
        "-r",
        f"{tmp_path / 'ref'}",
        "-m",
        "nist",
        "-m",
        "bleu",
        "-b",
        "--resume",
        f"{tmp_path / 'kept'}",
    ]
    run = [sys.executable, "-m", "tercet", *words]
    first, second = (
        subprocess.run(run, input="a\nb\n", cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert first == second
    assert len(files(tmp_path / "kept")) == 1
