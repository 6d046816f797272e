"""What a strict reader gave to every gate: each is answered in one sentence, which says what was wrong."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
from collections.abc import Callable

import pytest

import tercet
from tercet import contents
from tercet.campaigns.exports import export_campaign, import_answers
from tercet.campaigns.log import Event, Log
from tercet.errors import InputError, SpecError
from tercet.formats import frequencies, lines
from tercet.formats.trec import read_qrels
from tercet.formats.vectors import read_vectors
from tercet.metrics.meteor import synonyms
from tercet.metrics.neural.bertscore import baseline_table
from tests.campaigns.build import created
from tests.cli.test_judgements import here
from tests.hostile.test_sentences import PACKED

LONG = "9" * 5000


@pytest.mark.parametrize("head", [f"{LONG} 2", f"2 {LONG}"], ids=["words", "numbers"])
def test_a_number_of_thousands_of_digits_promises_too_much(head: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "big.vec"
    path.write_text(f"{head}\nthe 1 2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: '.{40}' promises more than can be read"):
        read_vectors(path, ["the"])


def test_other_numbers_of_thousands_of_digits(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "f.txt"
    table.write_text(f"{frequencies.ABOVE}{LONG}\n", encoding="utf-8")
    with pytest.raises(InputError, match="there must be whole numbers"):
        frequencies.read(table)
    scores = tmp_path / "long.seg.score"
    rows = [f"M\tde-en\tnews\t{system}\t{segment}\t0.5\n" for system in "AB" for segment in ("1", LONG)]
    scores.write_text("".join(rows), encoding="utf-8")
    with contextlib.suppress(InputError):
        tercet.formats.read_scores(scores)
    (tmp_path / "index.noun").write_text(f"cat n {LONG} 0 1 0 0000001\n", encoding="utf-8")
    with pytest.raises(InputError, match="no entry of WordNet's index"):
        list(synonyms.index(str(tmp_path), "noun"))


@pytest.mark.parametrize("line", ["inf,0.1,0.1,0.1", "1.5,0.1,0.1,0.1", "-1,0,0,0", "1,0.1,nan,0.1", "1,0,-inf,0"])
def test_a_baseline_that_is_no_layer(line: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "base.csv"
    path.write_text(f"LAYER,P,R,F\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="is no layer with three numbers"):
        baseline_table(str(path), contents.state(path))


@pytest.mark.parametrize("option", ["tutorial", "prefilled"])
@pytest.mark.parametrize("text", ["[" * 100_000, '{"start": 1e999}', '{"start": NaN}'], ids=["deep", "1e999", "NaN"])
def test_json_of_a_new_campaign(option: str, text: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="line 1 is no JSON"):
        created(tmp_path, "esa", **{option: tmp_path / "x.jsonl"})


LESSONS = {
    "expected": [1],
    "expected of outputs": {"outputs": 5},
    "expected of an output": {"outputs": [5]},
    "source": {},
    "feedback": ["no text"],
}


@pytest.mark.parametrize("wrong", LESSONS)
def test_a_tutorial_that_could_not_be_opened_is_refused_before(wrong: str, tmp_path: pathlib.Path) -> None:
    """And one whose expectations nobody could be held to."""
    item = {"source": "x", "outputs": ["a text"], wrong.partition(" ")[0]: LESSONS[wrong]}
    (tmp_path / "x.jsonl").write_text(json.dumps(item), encoding="utf-8")
    with pytest.raises(InputError, match=rf"x\.jsonl, line 1 is no item of a tutorial, {wrong.partition(' ')[0]}: "):
        created(tmp_path, "esa", tutorial=tmp_path / "x.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


@pytest.mark.parametrize(("start", "end"), [(0, 10**6), (-1, 2), (2, 2), (0, True), (0, None), (0.0, 2)])
def test_prefilled_spans_lie_in_the_text(start: object, end: object, tmp_path: pathlib.Path) -> None:
    span = {"start": start, "end": end, "severity": "minor"}
    (tmp_path / "x.jsonl").write_text(json.dumps({"system": "amber", "segment": "2", "spans": [span]}))
    with pytest.raises(InputError, match="is no span of the text"):
        created(tmp_path, "esa", prefilled=tmp_path / "x.jsonl")


def test_no_log_holds_a_number_that_is_not_finite(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "esa")
    with Log(path) as log, pytest.raises(InputError, match="holds a number that is not finite"):
        log.append([Event("x", "system", "paused", {"n": float("inf")})])
    told = tmp_path / "told.jsonl"
    export_campaign(path, output=told, form="log")
    sound = told.read_text(encoding="utf-8")
    damaged = re.sub(r'"lease": *3600.0', '"lease": Infinity', sound, count=1)
    assert damaged != sound
    told.write_text(damaged, encoding="utf-8")
    with pytest.raises(InputError, match="is no line of a campaign's log"):
        import_answers(tmp_path / "other.db", told)


@pytest.mark.parametrize("verb", [("rank",), ("campaign", "status"), ("campaign", "serve")], ids=" ".join)
@pytest.mark.parametrize("address", ["postgresql://x..y/", "postgresql://[::1", "postgresql://h:port/x"])
def test_an_address_that_is_none(verb: tuple[str, ...], address: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = here(capsys, *verb, address)
    assert code == 2
    assert re.search(r"is no address of a database|cannot be opened", said)


@pytest.mark.parametrize("name", ["j.csv", "j.csv.xz", "s.scores", "t.xml", "t.tsv", "t.sgm", "t.unknown", "r.qrels"])
@pytest.mark.parametrize("kind", ["compressed by xz", "compressed by bzip2", "compressed by zstd", "a zip archive"])
def test_every_reader_calls_packed_files_what_they_are(kind: str, name: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / name
    path.write_bytes(PACKED[kind][0])
    readers: dict[str, Callable[..., object]] = {
        "j": tercet.formats.read_judgements,
        "s": tercet.formats.read_scores,
        "r": read_qrels,
    }
    with pytest.raises(InputError, match=rf"is {kind}.*, not text\."):
        readers.get(name[0], tercet.formats.read_testset)(path)


def test_a_text_that_begins_like_bzip2(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.txt").write_text("BZh9 is how it begins\n", encoding="utf-8")
    assert list(lines.blocks(tmp_path / "x.txt")) == [["BZh9 is how it begins"]]


def test_no_message_is_longer_than_can_be_read(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.qrels"
    path.write_text(f"q1 0 d7 {'x' * (1 << 20)}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: the level is 'x+ \.\.\. x+'\.") as told:
        read_qrels(path)
    assert len(str(told.value)) < 4000
    with pytest.raises(SpecError) as told_of_spec:
        tercet.metric(f"bleu(order={LONG})")
    assert len(str(told_of_spec.value)) < 4000


def test_the_upper_bound_is_told(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "h").write_text("a\n", encoding="utf-8")
    words = ("compare", tmp_path / "h", "-r", tmp_path / "h", "--samples", "999999999999")
    code, _, said = here(capsys, *words)
    assert code == 2
    assert "samples must be a whole number of at most 2147483648, not 999999999999" in said


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="there is no /proc")
def test_what_cannot_be_read_is_not_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = here(capsys, "campaign", "status", "/proc/self/mem")
    assert code == 2
    assert said.startswith("tercet: /proc/self/mem cannot be read")


NO_NAME = "x" * 300  # which no file can have


@pytest.mark.parametrize(
    "opening",
    [
        lambda: tercet.formats.read_testset(NO_NAME),
        lambda: tercet.formats.read_judgements(NO_NAME),
        lambda: tercet.formats.read_scores(NO_NAME),
        lambda: tercet.score(testset=NO_NAME, metrics="bleu"),
        lambda: tercet.rank(NO_NAME),
        lambda: tercet.run(NO_NAME),
    ],
)
def test_a_name_that_is_too_long_for_a_file(opening: Callable[[], object]) -> None:
    with pytest.raises(InputError, match=r"x{300} cannot be read: File name too long"):
        opening()


def test_an_option_of_a_metric_that_is_too_long_for_a_file() -> None:
    with pytest.raises(SpecError, match="model must be a file that is there"):
        tercet.metric(f"lm(model={NO_NAME})")
