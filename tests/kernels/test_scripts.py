"""The scripts of both TERs: done step by step, they turn one text into the other at the cost that the kernel counts."""

from __future__ import annotations

import pathlib

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet import kernels
from tercet.data import EditScript
from tercet.metrics import explained
from tests.kernels.packing import pack_tokens
from tests.oracles.edits import distance

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "the"]), max_size=16)
ONE = np.array([0, 1], dtype=np.int64)


def edits(kernel: str, hyp: list[str], ref: list[str]) -> float:
    """What the kernel counts."""
    found: npt.NDArray[np.float64] = getattr(kernels, kernel)(pack_tokens([hyp]), pack_tokens([ref]), ONE, 1)
    return float(found[0, 0])


def replayed(script: EditScript, hyp: list[str], ref: list[str]) -> int:
    """The cost of doing what a script says, which must lead from one text to the other."""
    moved = list(range(len(hyp if script.shifted == "hypothesis" else ref)))
    for shift in script.shifts:
        block = moved[shift.start : shift.start + len(shift.words)]
        assert block == list(shift.words)
        rest = [word for word in moved if word not in block]
        moved = [*rest[: shift.place], *block, *rest[shift.place :]]
    ours = [edit.hypothesis for edit in script.edits if edit.hypothesis is not None]
    theirs = [edit.reference for edit in script.edits if edit.reference is not None]
    orders = (moved, list(range(len(ref)))) if script.shifted == "hypothesis" else (list(range(len(hyp))), moved)
    assert (ours, theirs) == orders
    for edit in script.edits:
        same = None not in (edit.hypothesis, edit.reference) and hyp[edit.hypothesis] == ref[edit.reference]  # type: ignore[index]
        assert same == (edit.kind == "match")
    return len(script.shifts) + sum(edit.kind != "match" for edit in script.edits)


@given(hyp=WORDS, ref=WORDS)
def test_ter_does_what_it_counts(hyp: list[str], ref: list[str]) -> None:
    script = explained.ter_script(hyp, ref)
    assert replayed(script, hyp, ref) == script.cost == edits("ter", hyp, ref)


@given(hyp=WORDS, ref=WORDS)
def test_the_ter_of_moses_does_what_it_counts(hyp: list[str], ref: list[str]) -> None:
    ours, theirs = hyp or [""], ref or [""]  # an empty text is one empty word to Moses
    script = explained.moses_ter_script(ours, theirs)
    assert replayed(script, ours, theirs) == script.cost == edits("moses_ter", hyp, ref) / 100


@given(hyp=WORDS, ref=WORDS)
def test_wer_does_what_it_counts(hyp: list[str], ref: list[str]) -> None:
    script = explained.wer_script(hyp, ref)
    assert script is not None
    assert replayed(script, hyp, ref) == script.cost == distance(hyp, ref, jumps=False)


@given(hyp=WORDS, ref=WORDS)
def test_cder_jumps_where_it_says(hyp: list[str], ref: list[str]) -> None:
    script = explained.cder_script(hyp, ref)
    assert script is not None
    place, read = 0, []
    for edit in script.edits:
        if edit.kind == "jump":
            place = len(hyp) if edit.hypothesis is None else edit.hypothesis
            continue
        if edit.hypothesis is not None:
            assert edit.hypothesis == place
            place += 1
        if edit.reference is not None:
            read.append(edit.reference)
        pair = (edit.hypothesis, edit.reference)
        same = None not in pair and hyp[pair[0]] == ref[pair[1]]  # type: ignore[index]
        assert same == (edit.kind == "match")
    assert read == list(range(len(ref)))
    assert place == len(hyp)
    assert script.cost == distance(hyp, ref, jumps=True)


@pytest.mark.parametrize(
    ("hyp", "ref"),
    [
        ([str(i) for i in range(90)], [str(i) for i in [*range(60, 90), *range(60)]]),  # a reference over 64 words
        (["x", "y", "z"], [*map(str, range(300)), "x"]),  # a wide beam
        ([], ["a"]),
        (["a"], []),
        ([], []),
    ],
    ids=["long", "wide beam", "no hypothesis", "no reference", "nothing"],
)
def test_every_matrix_gives_its_script(hyp: list[str], ref: list[str]) -> None:
    assert replayed(explained.ter_script(hyp, ref), hyp, ref) == edits("ter", hyp, ref)
    if hyp and ref:
        assert replayed(explained.moses_ter_script(hyp, ref), hyp, ref) == edits("moses_ter", hyp, ref) / 100


def test_words_out_of_range_are_refused() -> None:
    for wrong in ([5], [-1]):
        with pytest.raises(ValueError, match="out of range"):
            kernels.ter_script(np.array(wrong, dtype=np.int32), np.array([0], dtype=np.int32))


def test_long_texts_are_not_written_out() -> None:
    long = ["a"] * 1001
    assert explained.wer_script(long, long) is None
    assert explained.cder_script(long, long) is None
    found = tercet.metric("wer(tokenize=none)").explain(" ".join(long), " ".join([*long, "b"]))
    assert found.edits is None
    assert found.score == pytest.approx(100 / 1002)
    assert found.notes == ("The texts are too long for their edits to be listed.",)


@pytest.mark.parametrize("metric", ["ter", "ter(normalized=true)", "moses-ter", "wer", "cder"])
def test_real_segments(shared: pathlib.Path, metric: str) -> None:
    """Segments of newstest2014, with their many shifts."""
    texts = tercet.read_testset(shared / "data" / "wmt14-news" / "newstest2014.de-en.tsv.gz")
    assert texts.references is not None
    system = next(iter(texts.systems.values()))
    chosen = tercet.metric(metric)
    rows = chosen.statistics(chosen.batch(system.strings[:300], [*texts.references][:300]))
    shifts = 0
    for i, row in enumerate(rows):
        script = chosen.explain(system[i], texts.references[i]).edits
        assert script is not None
        assert script.cost == row[0] / (100 if metric == "moses-ter" else 1)
        shifts += len(script.shifts)
    assert (shifts > 100) == ("ter" in metric)
