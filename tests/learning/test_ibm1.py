"""Tables of word translations from files: what is learnt, left out, pruned, refused, and written."""

import pathlib

import pytest

from tercet.errors import InputError
from tercet.formats import models
from tercet.learning import ibm1
from tercet.learning.ibm1 import train_ibm1
from tercet.metrics import metric
from tests.oracles import ibm1 as oracle

GERMAN = ["Das Haus ist klein .", "Das Buch ist hier .", "Ein Haus .", "", "Das kleine Buch ist hier ."]
ENGLISH = ["The house is small .", "The book is here .", "A house .", "nothing", "The small book is here ."]


@pytest.fixture
def corpus(tmp_path: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """Two aligned files."""
    paths = tmp_path / "a.de", tmp_path / "a.en"
    for path, lines in zip(paths, (GERMAN, ENGLISH), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return paths


def table_of(found: ibm1.Ibm1Training) -> dict[tuple[str, str], float]:
    """Words and probabilities."""
    columns = (column.tolist() for column in found.entries)
    return {(found.sources[s], found.targets[t]): p for s, t, p in zip(*columns, strict=True)}


def test_it_is_the_em_of_the_oracle(corpus: tuple[pathlib.Path, pathlib.Path]) -> None:
    found = train_ibm1(*corpus, prune=0, tokenize="none", iterations=3)
    pairs = [(s.lower().split(), t.lower().split()) for s, t in zip(GERMAN, ENGLISH, strict=True) if s]
    wanted, likelihoods = oracle.train(pairs, 3)
    assert table_of(found) == pytest.approx(wanted, rel=1e-5)
    words = sum(len(t) for _, t in pairs)
    assert [r.log_likelihood for r in found.rounds] == pytest.approx([each / words for each in likelihoods], rel=1e-6)
    assert [r.iteration for r in found.rounds] == [1, 2, 3]
    assert (found.pairs, found.left_out) == (4, 1)
    assert len(found.notes) == 2
    assert found.signature.startswith("ibm1|iterations:3|empty_word:true|tokenize:none|lowercase:true|")


def test_options_count(corpus: tuple[pathlib.Path, pathlib.Path]) -> None:
    plain = table_of(train_ibm1(*corpus))
    assert any(source == "" for source, _ in plain)
    assert ("haus", "house") in plain
    assert not any(source == "" for source, _ in table_of(train_ibm1(*corpus, empty_word=False)))
    assert ("Haus", "house") in table_of(train_ibm1(*corpus, lowercase=False))
    assert min(table_of(train_ibm1(*corpus, prune=0.2)).values()) >= 0.2
    assert train_ibm1(*corpus, max_length=3).pairs == 1


def test_parts_and_threads_do_not_matter(
    corpus: tuple[pathlib.Path, pathlib.Path], monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    files = [tmp_path / name for name in ("one.gz", "two.gz")]
    train_ibm1(*corpus, threads=1).write(files[0])
    monkeypatch.setattr(ibm1, "PART", 2)
    train_ibm1(*corpus, threads=3).write(files[1])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_what_is_written_is_what_the_metric_reads(
    corpus: tuple[pathlib.Path, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "de-en.gz"
    found = train_ibm1(*corpus, iterations=10)
    found.write(path)
    assert len(models.lexicon(path)) == len(found.entries[0])
    how = metric(f'ibm1(table="{path}")')
    good, bad = how.segments(["the house is here .", "the book is small ."], sources=["Das Haus ist hier ."] * 2)
    assert good > bad
    wanted = oracle.score(["das", "haus", "."], ["the", "house", "."], table_of(found), 1e-7)
    assert how.corpus(["The house ."], sources=["Das Haus ."]) == pytest.approx(wanted / 3, rel=1e-5)


def test_what_cannot_be_learnt_is_refused(
    corpus: tuple[pathlib.Path, pathlib.Path], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty"
    empty.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no pair of sentences"):
        train_ibm1(empty, empty)
    with pytest.raises(InputError, match="has 5 lines"):
        train_ibm1(corpus[0], empty)
    with pytest.raises(InputError, match="named twice"):
        train_ibm1("-", "-")
    for wrong in ({"iterations": 0}, {"max_length": 0}, {"prune": 1.0}, {"prune": -0.1}, {"threads": 0}):
        with pytest.raises(InputError):
            train_ibm1(*corpus, **wrong)
    odd = tmp_path / "odd"
    odd.write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"'a\\tb' cannot stand in a table"):
        train_ibm1(odd, odd, tokenize="spaces").write(tmp_path / "table")
    monkeypatch.setattr(ibm1, "MOST_PAIRS", 3)
    with pytest.raises(InputError, match="no more than 3 are kept"):
        train_ibm1(*corpus)
