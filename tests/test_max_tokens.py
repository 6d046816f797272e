"""`--max-tokens`: a segment that is longer than who asks allows is refused, by its number, before it is scored."""

from __future__ import annotations

import pathlib
from typing import Any

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.data import TestSet, statistics
from tercet.errors import InputError
from tercet.formats import table
from tercet.inputs import texts
from tercet.options import settings
from tercet.options.groups import TextOptions
from tercet.options.scoring import CompareOptions, ScoreOptions, ShardOptions

FEW = "a b c"
LONG = "a b c d"  # one word more than is allowed
ALLOWS = "has 4 words, and --max-tokens allows 3. Split it into sentences, or allow more."


def files(folder: pathlib.Path, **columns: list[str]) -> dict[str, pathlib.Path]:
    for name, lines in columns.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return {name: folder / f"{name}.txt" for name in columns}


def said(**given: Any) -> set[str]:
    """What both verbs say of the same texts."""
    answers = set()
    for verb in (tercet.score, tercet.compare):
        with pytest.raises(InputError) as caught:
            verb(**given, metrics="bleu", max_tokens=3)
        answers.add(f"{caught.value}")
    return answers


def test_the_length_is_what_is_between_spaces() -> None:
    allowed = ["a b c", "  a\t b   c  ", "an uncommonly-long-word,-and-another-one 。。。。。。。。", "", "   "]
    asked = TextOptions({"A": allowed}, allowed, sources=allowed, max_tokens=3)
    assert list(texts(asked).systems["A"]) == allowed
    for refused in ("a b c d", " a  b  c  d ", "a\u3000b\u00a0c d"):
        with pytest.raises(InputError, match=r"A: segment 2 has 4 words, and --max-tokens allows 3\."):
            texts(TextOptions({"A": ["a", refused]}, ["a", "b"], max_tokens=3))


def test_scores_do_not_depend_on_it() -> None:
    lists: dict[str, Any] = {"hypotheses": {"A": [FEW, LONG], "B": [LONG, FEW]}, "references": [LONG, LONG]}
    assert tercet.score(**lists, max_tokens=4) == tercet.score(**lists)
    compared = tercet.compare(**lists, samples=40, max_tokens=4)
    assert compared.as_records() == tercet.compare(**lists, samples=40).as_records()


PLACES: dict[str, tuple[dict[str, Any], str]] = {
    "system": ({"hypotheses": {"A": [FEW, FEW], "B": [FEW, LONG]}, "references": [FEW, FEW]}, "B: segment 2"),
    "source": (
        {"hypotheses": {"A": [FEW], "B": [FEW]}, "references": [FEW], "sources": [LONG]},
        "source: segment 1",
    ),
    "reference": (
        {"hypotheses": {"A": [FEW, FEW], "B": [FEW, FEW]}, "references": [FEW, LONG]},
        "reference: segment 2",
    ),
    "several references": (
        {
            "hypotheses": {"A": [FEW] * 4, "B": [FEW] * 4},
            "references": [[FEW, None], [FEW, FEW], [FEW, LONG], [LONG, FEW]],
        },
        "reference: segment 3",
    ),
    "the first column": (
        {"hypotheses": {"A": [FEW, FEW, LONG], "B": [FEW, LONG, FEW]}, "references": [LONG, FEW, FEW]},
        "A: segment 3",
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_lists(place: str) -> None:
    given, where = PLACES[place]
    assert said(**given) == {f"{where} {ALLOWS}"}


def test_files_are_named(tmp_path: pathlib.Path) -> None:
    names = files(tmp_path, A=[FEW, FEW], B=[FEW, FEW], long=[FEW, LONG], ref=[FEW, FEW])
    two = {"A": names["A"], "B": names["B"]}
    told = f"{names['long']}: segment 2 {ALLOWS}"
    assert said(hypotheses={"A": names["A"], "B": names["long"]}, references=[names["ref"]]) == {told}
    assert said(hypotheses=two, references=[names["long"]]) == {told}
    assert said(hypotheses=two, references=[names["ref"]], sources=names["long"]) == {told}
    several = {f"reference: segment 2 {ALLOWS}"}  # of which file is known no more
    assert said(hypotheses=two, references=[names["ref"], names["long"]]) == several


@pytest.mark.parametrize("suffix", ["tsv", "parquet"])
def test_test_sets_are_named_with_the_column(suffix: str, tmp_path: pathlib.Path) -> None:
    texts = TestSet.of(
        {"A": [FEW, FEW], "B": [FEW, LONG]}, [FEW, FEW], sources=[FEW, FEW], segments=["monday-1", "monday-2"]
    )
    path = tmp_path / f"texts.{suffix}"
    table.write(texts, path)
    told = {f"{path}, B: segment monday-2 {ALLOWS}"}
    assert said(testset=path) == told
    assert said(hypotheses=str(path)) == told
    assert said(testset=texts) == {f"B: segment monday-2 {ALLOWS}"}


def test_every_block_of_a_shard_and_no_other(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 2)
    names = files(tmp_path, A=[FEW, FEW, FEW, LONG, FEW], ref=[FEW] * 5)
    given: dict[str, Any] = {"hypotheses": {"A": names["A"]}, "references": [names["ref"]], "max_tokens": 3}
    part = tmp_path / "1.part"
    assert tercet.score_shard(**given, metrics="bleu", shard="1/2", part=part).exists()
    with pytest.raises(InputError, match=r"A\.txt: segment 4 has 4 words"):
        tercet.score_shard(**given, metrics="bleu", shard="2/2", part=tmp_path / "2.part")
    given |= {"hypotheses": {"ref": names["ref"]}, "references": [names["A"]]}
    with pytest.raises(InputError, match=r"A\.txt: segment 4 has 4 words"):  # NIST reads the references of all shards
        tercet.score_shard(**given, metrics="nist", shard="1/2", part=tmp_path / "2.part")
    assert not (tmp_path / "2.part").exists()


def test_a_limit_makes_no_other_part(tmp_path: pathlib.Path) -> None:
    given: dict[str, Any] = {"hypotheses": {"A": [FEW]}, "references": [FEW], "metrics": "bleu"}
    one = tercet.score_shard(**given, shard="1/1", part=tmp_path / "one.part")
    other = tercet.score_shard(**given, shard="1/1", part=tmp_path / "other.part", max_tokens=3)
    assert one.read_bytes() == other.read_bytes()
    assert tercet.score(**given, resume=tmp_path / "kept") == tercet.score(
        **given, resume=tmp_path / "kept", max_tokens=3
    )


def test_processes_refuse_it_as_well(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 2)
    names = files(tmp_path, A=[FEW, FEW, LONG], ref=[FEW] * 3)
    given: dict[str, Any] = {"hypotheses": {"A": names["A"]}, "references": [names["ref"]], "metrics": ["bleu", "nist"]}
    with pytest.raises(InputError, match=r"A\.txt: segment 3 has 4 words"):
        tercet.score(**given, max_tokens=3, engine="processes:1")


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_a_shell_says_the_same(verb: str, tmp_path: pathlib.Path) -> None:
    names = files(tmp_path, A=[FEW, LONG], B=[FEW, FEW], ref=[FEW, FEW])
    words = [verb, f"{names['A']}", f"{names['B']}", "-r", f"{names['ref']}", "-m", "bleu", "--max-tokens"]
    refused, wrong = (click.testing.CliRunner().invoke(app, [*words, most]) for most in ("3", "0"))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == f"tercet: {names['A']}: segment 2 {ALLOWS}\n"
    assert wrong.exit_code == 2
    assert "max_tokens must be a whole number of 1 or more, not 0." in wrong.stderr


def test_no_limit_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tercet.inputs._require_short", lambda *_: pytest.fail("nobody asked"))
    assert tercet.score({"A": [LONG]}, [LONG], metrics="bleu")


def test_who_takes_it() -> None:
    for options in (ScoreOptions, ShardOptions, CompareOptions):
        assert "max_tokens" in {option.name for option in settings(options)}
