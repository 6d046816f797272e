"""The directory layout of mt-metrics-eval."""

from __future__ import annotations

import pathlib

import pytest

from tercet.errors import InputError
from tercet.formats import directory


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    files = {
        "sources/en-de.txt": "one\ntwo\n",
        "documents/en-de.docs": "news d1\nnews d2\n",
        "references/en-de.refB.txt": "B1\nB2\n",
        "references/en-de.refA.txt": "A1\nA2\n",
        "references/en-deu.refA.txt": "of another pair\n",
        "system-outputs/en-de/refA.txt": "A1\nA2\n",
        "system-outputs/en-de/Online.X.txt": "X1\nX2\n",
        "human-scores/en-de.mqm.seg.score": "ignored 1\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


@pytest.mark.parametrize("pair", [None, "en-de"])
def test_one_pair(root: pathlib.Path, pair: str | None) -> None:
    found = directory.read(root, pair)
    assert {name: own.strings for name, own in found.systems.items()} == {
        "Online.X": ("X1", "X2"),
        "refA": ("A1", "A2"),
    }
    assert found.reference_names == ("refA", "refB")
    assert found.references is not None
    assert found.references[1] == ("A2", "B2")
    assert found.sources is not None
    assert found.sources.strings == ("one", "two")
    assert found.documents == ("d1", "d2")


def test_only_sources_must_be_there(tmp_path: pathlib.Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "en-de.txt").write_text("one\n")
    found = directory.read(tmp_path)
    assert (len(found), found.references, found.documents, dict(found.systems)) == (1, None, None, {})


def test_several_pairs_must_be_chosen_from(root: pathlib.Path) -> None:
    (root / "sources" / "zh-en.txt").write_text("one\n")
    with pytest.raises(InputError, match="has 2 language pairs") as caught:
        directory.read(root)
    assert "en-de, zh-en" in caught.value.hint
    assert str(root) in str(caught.value)


def test_unknown_pair(root: pathlib.Path) -> None:
    with pytest.raises(InputError, match="has no language pair 'de-en'") as caught:
        directory.read(root, "de-en")
    assert "en-de" in caught.value.hint


def test_not_a_test_set(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"no sources/SRC-TGT\.txt") as caught:
        directory.read(tmp_path)
    assert "system-outputs/" in caught.value.hint
    with pytest.raises(InputError, match=r"no directory .*missing"):
        directory.read(tmp_path / "missing")


def test_misaligned_output(root: pathlib.Path) -> None:
    (root / "system-outputs" / "en-de" / "Online.X.txt").write_text("X1\n")
    with pytest.raises(InputError, match=r"Online\.X\.txt has 1 lines, \S*refA\.txt 2, .*en-de\.docs 2"):
        directory.read(root)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("en-de.mqm.sys.score", directory.HumanName("en-de", "mqm", "sys", "score")),
        ("en-de.a.b-c.domain.rating", directory.HumanName("en-de", "a.b-c", "domain", "rating")),
    ],
)
def test_names_of_human_scores(name: str, expected: directory.HumanName) -> None:
    assert directory.parse_human_name(name) == expected


@pytest.mark.parametrize(
    "name", ["ende.mqm.sys.score", "en-de.sys.score", "en-de.mqm.word.score", "en-de.mqm.sys.txt", ""]
)
def test_names_of_no_human_scores(name: str) -> None:
    with pytest.raises(InputError, match=r"names no human scores.*en-de\.mqm\.seg\.score"):
        directory.parse_human_name(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("BLEU-refA.sys.score", directory.MetricName("BLEU", ("refA",), "sys")),
        ("a-b.c-refA.refB.seg.score", directory.MetricName("a-b.c", ("refA", "refB"), "seg")),
        ("Kiwi-src.doc.score", directory.MetricName("Kiwi", (), "doc")),
        ("X-all.domain.score", directory.MetricName("X", "all", "domain")),
    ],
)
def test_names_of_metric_scores(name: str, expected: directory.MetricName) -> None:
    assert directory.parse_metric_name(name) == expected


@pytest.mark.parametrize(
    "name", ["BLEU.sys.score", "-refA.sys.score", "BLEU-.sys.score", "BLEU-refA.word.score", "BLEU-refA.sys"]
)
def test_names_of_no_metric_scores(name: str) -> None:
    with pytest.raises(InputError, match=r"names no scores of a metric.*BLEU-refA"):
        directory.parse_metric_name(name)
