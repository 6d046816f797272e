"""Shards: what is merged is what one run gives, and what does not belong together is refused."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

import tercet
from tercet import part_files
from tercet.data import TestSet, statistics
from tercet.errors import InputError
from tercet.formats import table
from tercet.sample import campaign

METRICS = ["bleu", "chrf", "nist"]


@pytest.fixture(scope="module")
def testset() -> TestSet:
    return campaign("en-de")


@pytest.fixture
def texts(testset: TestSet, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A file of 48 segments, in five blocks."""
    monkeypatch.setattr(statistics, "BLOCK", 10)
    table.write(testset, tmp_path / "texts.tsv")
    return tmp_path / "texts.tsv"


def shards(folder: pathlib.Path, n: int, **options: Any) -> list[pathlib.Path]:
    """All shards, as files."""
    options = {"metrics": METRICS, **options}
    return [tercet.score_shard(**options, shard=f"{i}/{n}", part=folder / f"{i}.part") for i in range(1, n + 1)]


RUNS = {"base#1": "amber", "base#2": "birch", "new#1": "cedar", "new#2": "delta"}


@pytest.mark.parametrize(
    "question",
    [
        {"ci": True, "compat": True, "samples": 60},
        {"paired": "wilcoxon"},
        {"paired": "t", "correction": "holm", "baseline": "cedar"},
        {"paired": "randomization", "trials": 99, "seed": 3, "ci": True, "samples": 50},
        {"paired": "bootstrap", "unit": "document", "samples": 80},
    ],
)
def test_every_test_is_that_of_one_run(texts: pathlib.Path, tmp_path: pathlib.Path, question: dict[str, Any]) -> None:
    parts = shards(tmp_path, 3, testset=texts, **question)
    assert tercet.merge(parts) == tercet.score(testset=texts, metrics=METRICS, **question)


def test_runs_of_a_system_are_merged_too(testset: TestSet, texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    systems = {run: list(testset.systems[name]) for run, name in RUNS.items()}
    options: dict[str, Any] = {
        "hypotheses": systems,
        "references": list(testset.references or ()),
        "paired": "randomization",
        "trials": 50,
    }
    assert tercet.merge(shards(tmp_path, 2, **options)) == tercet.score(**options, metrics=METRICS)


def test_no_shard_is_one_shard(texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    tercet.score_shard(testset=texts, metrics=METRICS, part=str(tmp_path / "all"))
    assert tercet.merge(str(tmp_path / "all")) == tercet.score(testset=texts, metrics=METRICS)


def test_a_shard_counts_its_own_blocks_alone(texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    heard: dict[str, int] = {}

    def hear(what: str, done: int) -> None:
        heard[what] = heard.get(what, 0) + done

    tercet.score_shard(testset=texts, metrics=["chrf"], shard="2/3", part=tmp_path / "p", progress=hear)
    assert heard == {"chrf": 5 * (10 + 8)}  # of five systems, blocks 1 and 4, the last one shorter


def test_the_same_shard_has_the_same_bytes(texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    one, two = (
        tercet.score_shard(testset=texts, metrics=METRICS, ci=True, shard="1/2", part=tmp_path / name, threads=t)
        for name, t in (("a", 1), ("b", 3))
    )
    assert one.read_bytes() == two.read_bytes()


def test_names_of_segments_and_documents_may_be_anything(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 2)
    names = ["नाम", "=1+1", "‮abc", "a\tb", "../x"]
    odd = TestSet.of({"ما": list("abcde")}, list("abcdd"), documents=names, segments=names[::-1])
    for level in ("segment", "document"):
        options: dict[str, Any] = {"testset": odd, "level": level}
        assert tercet.merge(shards(tmp_path, 4, **options)) == tercet.score(**options, metrics=METRICS)


def changed(path: pathlib.Path, change: Callable[[dict[str, Any]], None]) -> pathlib.Path:
    """A part whose header says something else."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(contents["part.json"])
    change(header)
    contents["part.json"] = json.dumps(header).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return path


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "metrics": ({"metrics": ["bleu", "ter"]}, "the metrics are others (bleu, chrf, nist and bleu, ter)"),
    "options": ({"level": "segment"}, "the options are others (level 'corpus' and 'segment')"),
    "seed": ({"seed": 7, "ci": True}, "the options are others (ci False and True; seed 12345 and 7)"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_shard_of_something_else_is_refused(texts: pathlib.Path, tmp_path: pathlib.Path, case: str) -> None:
    first = shards(tmp_path, 2, testset=texts)[0]
    options, sentence = OTHERS[case]
    given: dict[str, Any] = {"testset": texts, "metrics": METRICS, **options}
    other = tercet.score_shard(**given, shard="2/2", part=tmp_path / "other")
    with pytest.raises(InputError) as error:
        tercet.merge([first, other])
    assert error.value.message == f"{other} does not belong to {first}: {sentence}."


def test_shards_of_other_texts_are_refused(testset: TestSet, texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    first = shards(tmp_path, 2, testset=texts)[0]
    lists = {name: list(column)[:-1] for name, column in testset.systems.items()}
    references = list(testset.references or ())[:-1]
    fewer = tercet.score_shard(lists, references, metrics=METRICS, shard="2/2", part=tmp_path / "fewer")
    with pytest.raises(InputError, match=r"the numbers of segments are others \(48 and 47\)"):
        tercet.merge([first, fewer])
    lists.pop("amber")
    less = tercet.score_shard(lists, references, metrics=METRICS, shard="2/2", part=tmp_path / "less")
    with pytest.raises(InputError, match=r"the systems are others \(amber, birch, .* and birch, "):
        tercet.merge([first, less])
    third = tercet.score_shard(testset=texts, metrics=METRICS, shard="3/3", part=tmp_path / "third")
    with pytest.raises(InputError, match=r"the numbers of shards are others \(2 and 3\)"):
        tercet.merge([first, third])


def test_missing_and_double_shards_are_named(texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    parts = shards(tmp_path, 8, testset=texts)
    with pytest.raises(InputError, match=r"^Of 8 shards, 1 is missing: 3\. Score them, say with --shard 3/8, and"):
        tercet.merge([part for part in parts if part.name != "3.part"])
    with pytest.raises(InputError, match=r"^Of 8 shards, 7 are missing: 1, 2, 3, 4, 5, \.\.\.\."):
        tercet.merge(parts[-1:])
    twice = tmp_path / "twice"
    twice.write_bytes(parts[2].read_bytes())
    with pytest.raises(InputError, match=r"3\.part and .*twice are both shard 3 of 8"):
        tercet.merge([*parts, twice])
    with pytest.raises(InputError, match="There is no part to merge"):
        tercet.merge([])
    with pytest.raises(InputError, match="There is no file nowhere"):
        tercet.merge(["nowhere"])


def test_another_version_is_refused(
    texts: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = shards(tmp_path, 1, testset=texts)
    monkeypatch.setattr(part_files, "version", lambda: "9.9")
    with pytest.raises(
        InputError, match=r"was made by Tercet .*, and this is 9\.9\. Score and merge all shards with one"
    ):
        tercet.merge(parts)


def test_a_model_that_has_changed_is_refused(testset: TestSet, texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model = tmp_path / "lexicon.tsv"
    model.write_text("a\tb\t0.5\n", encoding="utf-8")
    parts = shards(tmp_path, 1, testset=texts, metrics=[f"ibm1(table={model})"])
    model.write_text("a\tb\t0.25\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not what it was when"):
        tercet.merge(parts)


def test_no_part_starts_a_program(texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(tercet.SpecError, match="A shard asks for a program to be run"):
        shards(tmp_path, 1, testset=texts, metrics=['prep(command="touch harm")'])
    (part,) = shards(tmp_path, 1, testset=texts, metrics=["chrf"])
    changed(part, lambda header: header.update(metrics=['prep(command="touch harm")']))
    with pytest.raises(tercet.SpecError, match="asks for a program to be run, which no file may"):
        tercet.merge([part])


HOSTILE: dict[str, Callable[[dict[str, Any]], None]] = {
    "too many segments": lambda h: h.update(segments=10**17),
    "too few segments": lambda h: h.update(segments=30),
    "no segments": lambda h: h.update(segments=0),
    "segments in words": lambda h: h.update(segments="48"),
    "no such shard": lambda h: h.update(shard=2),
    "very many shards": lambda h: h.update(shards=10**12),
    "another kind": lambda h: h.update(kind="a study"),
    "a later layout": lambda h: h.update(layout=2),
    "other blocks": lambda h: h.update(block=10**9),
    "no blocks": lambda h: h.update(blocks=[]),
    "a block twice": lambda h: h["blocks"].__setitem__(1, h["blocks"][0]),
    "no digests": lambda h: h["blocks"][0].pop("digests"),
    "digests of another block": lambda h: h["blocks"][0].update(digests=h["blocks"][1]["digests"]),
    "documents": lambda h: h["blocks"][0].update(documents=["a"]),
    "references in words": lambda h: h["blocks"][0].update(references=["a", "b"]),
    "no metrics": lambda h: h.update(metrics=[], choices=[]),
    "other metrics": lambda h: h.update(metrics=["chrf", "bleu", "nist"]),
    "another system": lambda h: h["systems"].append("more"),
    "an option that is none": lambda h: h["asked"].update(hypotheses="x"),
    "an option without a value": lambda h: h["asked"].pop("level"),
    "a wrong value": lambda h: h["asked"].update(level="word"),
    "rows that are not there": lambda h: h["asked"].update(ci=True),
    "a field more": lambda h: h.update(more=1),
    "a field less": lambda h: h.pop("version"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_part_that_says_what_is_not_so_is_refused(case: str, texts: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (part,) = shards(tmp_path, 1, testset=texts)
    with pytest.raises(InputError):
        tercet.merge([changed(part, HOSTILE[case])])


def test_whatever_byte_is_lost_or_changed_the_answer_is_right_or_refused(tmp_path: pathlib.Path) -> None:
    tiny = TestSet.of({"a": ["one two", "three"]}, ["one two", "four"])
    (part,) = shards(tmp_path, 1, testset=tiny, metrics=["wer"], ci=True, samples=40)
    sound, answer = part.read_bytes(), tercet.score(testset=tiny, metrics=["wer"], ci=True, samples=40)
    damaged = [sound[:n] for n in range(0, len(sound), 7)]
    damaged += [sound[:i] + bytes([sound[i] ^ 1 << i % 8]) + sound[i + 1 :] for i in range(0, len(sound), 2)]
    refused = 0
    for data in damaged:
        part.write_bytes(data)
        try:
            assert tercet.merge([part]) == answer
        except InputError:
            refused += 1
    assert refused > 0.8 * len(damaged)


@pytest.mark.parametrize("shard", ["0/3", "4/3", "3", "a/b", "1/0", "-1/2", "1/2/3", "١/٢", "1/9999999", " 1/2"])
def test_a_shard_that_there_is_not_is_refused(shard: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="shard must be its number and how many there are, not"):
        tercet.score_shard({"a": ["x"]}, ["x"], shard=shard, part=tmp_path / "p")
    assert list(tmp_path.iterdir()) == []


def test_what_fails_leaves_no_part(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="not one segment"):
        tercet.score_shard({"a": []}, [], part=tmp_path / "p")
    with pytest.raises(InputError, match="bleu needs references"):
        tercet.score_shard({"a": ["x"]}, metrics=["bleu"], part=tmp_path / "p")
    with pytest.raises(InputError, match="packed already"):
        tercet.score_shard({"a": ["x"]}, ["x"], part=tmp_path / "p.gz")
    assert list(tmp_path.iterdir()) == []


def test_what_a_part_says_is_all_that_makes_the_answer() -> None:
    """An option that is new, and moves a number, must be among them."""
    texts = {"hypotheses", "references", "testset", "testset_format", "pair", "sources", "documents", "num_refs"}
    here = {"threads", "progress", "cache", "engine", "trusted_network", "resume", "metrics", "max_tokens"}
    fields = {field.name for field in dataclasses.fields(tercet.score.options)}  # type: ignore[attr-defined]
    assert set(part_files.ASKED) == fields - texts - here
