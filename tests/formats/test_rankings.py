"""N-way rankings: columns in any order, ids in any case, and everything that may be wrong with a row."""

from __future__ import annotations

import csv
import io
import itertools
import math
import pathlib
import random

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from tercet.data import SKIPPED, UNKNOWN, Rankings
from tercet.errors import InputError
from tercet.formats import judgement_pairs, rankings, read_judgements
from tests.formats.files import put, refused

HEADER = (
    "srclang,trglang,segmentId,judgeId,rankingId,duration,"
    "system1Id,system2Id,system3Id,system1rank,system2rank,system3rank"
)
GOOD = ["ces", "eng", "7", "ann", "1", "", "a", "b", "c", "1", "2", "3"]
ROWS = """\
ces,eng,7,ann,1,00:01:21.500000,a,b+c,d,2,1,2
ces,eng,8,bob,2,,c,a,,-1,1,
ces,eng,7,ann,3,4.5,,,,,,
"""
FULL = f"{HEADER}\n{ROWS}"


def read(folder: pathlib.Path, content: str, pair: str | None = None, name: str = "r.csv") -> Rankings:
    found = read_judgements(put(folder, name, content), pair=pair)
    assert isinstance(found, Rankings)
    return found


def shown(found: Rankings) -> list[tuple[str, str | None, list[tuple[str, int]]]]:
    """Tasks with names in place of numbers."""
    tasks = []
    for task in range(len(found)):
        items = range(found.starts[task], found.starts[task + 1])
        judge = int(found.judge[task])
        tasks.append(
            (
                found.segments[found.segment[task]],
                None if judge == UNKNOWN else found.judges[judge],
                [(found.output_name(int(found.output[i])), int(found.rank[i])) for i in items],
            )
        )
    return tasks


@pytest.mark.parametrize("name", ["r.csv", "r.csv.gz", "unnamed"])
def test_a_full_file(tmp_path: pathlib.Path, name: str) -> None:
    found = read(tmp_path, FULL, name=name)
    assert found.pair == "cs-en"
    assert found.systems == ("a", "b", "c", "d")
    assert found.outputs == ((0,), (1, 2), (3,), (2,))
    assert found.segments == ("7", "8")
    assert found.judges == ("ann", "bob")
    assert shown(found) == [
        ("7", "ann", [("a", 2), ("b+c", 1), ("d", 2)]),
        ("8", "bob", [("c", SKIPPED), ("a", 1)]),
        ("7", "ann", []),
    ]
    assert found.line is not None
    assert found.line.tolist() == [2, 3, 4]
    assert found.seconds is not None
    np.testing.assert_array_equal(found.seconds, [81.5, np.nan, 4.5])
    assert found.notes == ("Tasks without outputs, skipped by their judges: 1 of 3.",)
    assert found.file == str(tmp_path / name)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n",
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace("judgeId", "judgeID").replace("rankingId", "RANKINGID").replace("rank,", "Rank,"),
        lambda text: "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()),
        lambda text: text.replace("segmentId", "srcIndex"),
        lambda text: text.replace("ces,eng", "Czech,English"),
    ],
)
def test_the_same_in_other_clothes(tmp_path: pathlib.Path, change: object) -> None:
    assert callable(change)
    found = read(tmp_path, change(FULL))
    expected = read(tmp_path, FULL)
    assert (found.pair, shown(found), found.systems) == (expected.pair, shown(expected), expected.systems)


def test_a_quoted_cell_may_hold_commas_quotes_and_line_breaks(tmp_path: pathlib.Path) -> None:
    content = (
        'segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n7,"O""Hara, ann","a\nx",b,1,2\n8,bob,c,d,2,1\n'
    )
    found = read(tmp_path, content)
    assert found.judges == ('O"Hara, ann', "bob")
    assert found.systems == ("a\nx", "b", "c", "d")
    assert found.line is not None
    assert found.line.tolist() == [2, 4]


def test_segment_id_counts_before_source_index(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, "srcIndex,segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n1,9,j,a,b,1,2\n")
    assert found.segments == ("9",)
    assert found.notes == ()
    assert found.pair == ""
    assert found.seconds is None


def test_a_judge_may_be_unknown(tmp_path: pathlib.Path) -> None:
    content = "segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n7,,a,b,1,2\n7,j,a,b,1,2\n7,,a,b,1,2\n"
    found = read(tmp_path, content)
    assert found.judges == ("j",)
    assert found.judge.tolist() == [UNKNOWN, 0, UNKNOWN]
    assert found.notes == ()  # nobody is known to have judged twice


def test_references_stay_and_other_columns_are_counted(tmp_path: pathlib.Path) -> None:
    header = "documentId,segmentId,judgeId,system1Number,system1Id,system2Id,system1rank,system2rank"
    content = f"{header}\n-1,7,j,-1,ref.x,b,1,2\n"
    found = read(tmp_path, content)
    assert found.systems == ("ref.x", "b")
    assert found.notes == ("Columns left out: 2 (documentId, system1Number).",)


def test_only_a_header(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, HEADER + "\n")
    assert len(found) == 0
    assert found.systems == ()
    assert found.starts.tolist() == [0]


def test_a_repeated_ranking_is_kept_and_counted(tmp_path: pathlib.Path) -> None:
    again = "ces,eng,7,ann,4,,a,b+c,d,2,1,2\nces,eng,7,bob,5,,a,b+c,d,2,1,2\nces,eng,7,ann,6,,a,b+c,d,2,1,1\n"
    found = read(tmp_path, FULL + again)
    assert len(found) == 6
    assert found.notes[1:] == ("Rankings that repeat an earlier one of the same judge and segment exactly, kept: 1.",)


SEVERAL = FULL.replace("ces,eng,8", "deu,eng,8") + "Czech,English,9,bob,4,,a,b,d,1,2,3\n"


def test_several_pairs_need_a_choice(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "r.csv", SEVERAL)
    refused(path, 3, "de-en after cs-en", "cs-en, de-en", "--pair")
    assert judgement_pairs(path) == ["cs-en", "de-en"]
    with pytest.raises(InputError, match=r"has nothing of fr-en.*cs-en, de-en"):
        read_judgements(path, pair="fr-en")


@pytest.mark.parametrize("pair", ["cs-en", "Czech-English", "ces-eng"])
def test_one_of_several_pairs(tmp_path: pathlib.Path, pair: str) -> None:
    found = read(tmp_path, SEVERAL, pair)
    assert found.pair == "cs-en"
    assert found.segments == ("7", "9")
    assert found.line is not None
    assert found.line.tolist() == [2, 4, 5]
    assert found.notes[0] == "Rows of other language pairs than cs-en, left out: 1."


def row(**cells: str) -> str:
    given = dict(zip(HEADER.split(","), GOOD, strict=True)) | cells
    return f"{HEADER}\nces,eng,7,ann,0,,a,b,c,1,2,3\n{','.join(given.values())}\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (row(system2rank=""), ("'b' has no rank (system2rank)",)),
        (row(system2rank="0"), ("the rank of 'b' (system2rank) is '0'", "from 1")),
        (row(system2rank="-2"), ("is '-2'",)),
        (row(system2rank="1.5"), ("is '1.5'",)),
        (row(system2rank="first"), ("is 'first'",)),
        (row(system2rank="9" * 30), ("is '999",)),
        (row(system3Id=""), ("system3rank is '3', but system3Id is empty",)),
        (row(system2Id="a"), ("system 'a' is there twice",)),
        (row(system2Id="x+a"), ("system 'a' is there twice",)),
        (row(system2Id="x+x"), ("'x+x' names a system twice",)),
        (row(system2Id="x+"), ("'x+' names no system",)),
        (row(rankingId="0"), ("rankingId '0' is there already, on line 2",)),
        (row(duration="soon"), ("the duration is 'soon'",)),
        (row(segmentId=""), ("the segment is ''",)),
        (row(segmentId="-1"), ("the segment is '-1'", "srcIndex")),
        (row(srclang=""), ("'-eng' is no language pair",)),
        (row(trglang="a,b"), ("13 cells where line 1 has 12",)),
        (f"{HEADER}\nces,eng,7,ann,0,,a,b,c,1,2,3\nces,eng,7,ann,1,,a,b,c,1,2\n", ("11 cells where line 1 has 12",)),
        (row(judgeId='"ann'), ("not sound CSV",)),
    ],
)
def test_faults_of_rows(tmp_path: pathlib.Path, content: str, words: tuple[str, ...]) -> None:
    refused(put(tmp_path, "r.csv", content), 3, *words)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (HEADER.replace("segmentId", "where"), ("no column segmentId (or segment, srcIndex)", "where", "rankingId")),
        (HEADER.replace("judgeId", "who"), ("no column judgeId", "who")),
        (HEADER.replace("trglang", "tgt"), ("no column trglang", "tgt")),
        (HEADER.replace("system2rank", "rank2"), ("no column system2rank",)),
        (HEADER.replace("system2Id", "two"), ("no column system2Id",)),
        (HEADER.replace("system3", "system4"), ("not those of a ranking",)),
        ("segmentId,judgeId,system1Id,system1rank", ("not those of a ranking",)),
        (HEADER.replace("rankingId", "judgeID"), ("two columns are called",)),
    ],
)
def test_faults_of_the_header(tmp_path: pathlib.Path, header: str, words: tuple[str, ...]) -> None:
    refused(put(tmp_path, "r.csv", f"{header}\n"), 1, *words)


def test_bad_utf8_and_nothing(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "r.csv", FULL.encode().replace(b"bob", b"b\xffb"))
    with pytest.raises(InputError, match=r"line 3, byte .*not UTF-8"):
        read_judgements(path)
    for nothing in ("", "\n\n", "\ufeff"):
        refused(put(tmp_path, "r.csv", nothing), None, "is empty")
        refused(put(tmp_path, "r.csv", nothing), None, "is empty", format="rankings")


TWO_WAY = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"


def test_pairs_of_one_ranking_are_put_together(tmp_path: pathlib.Path) -> None:
    content = TWO_WAY + (
        "deu,eng,7,7,j1,a,1,b+c,3,1\n"
        "deu,eng,7,7,j2,a,1,d,1,1\n"  # another judge: another ranking, whatever the id
        "deu,eng,7,7,j1,a,1,d,2,1\n"
        "deu,eng,7,7,j1,b+c,3,d,2,1\n"
        "deu,eng,7,7,j1,d,2,a,1,1\n"
        "deu,eng,7,7,j1,a,2,b,1,\n"
        "deu,eng,7,7,j1,a,1,d,2,\n"
    )
    found = read(tmp_path, content)
    assert shown(found) == [
        ("7", "j1", [("a", 1), ("b+c", 3), ("d", 2)]),
        ("7", "j2", [("a", 1), ("d", 1)]),
        ("7", "j1", [("a", 2), ("b", 1)]),
        ("7", "j1", [("a", 1), ("d", 2)]),
    ]
    assert found.line is not None
    assert found.line.tolist() == [2, 3, 7, 8]
    assert found.notes == ("Rows that repeat a pair of their ranking, counted once: 1.",)


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        (("a,1,b,2", "b,3,c,3"), 3, ("'b' has rank 3, but 2 on line 2", "rankingId")),
        (("a,1,b,2", "a,1,a,1"), 3, ("system 'a' is there twice",)),
        (("a,1,b,2", "a+b,1,c,1"), 2, ("is there twice",)),
    ],
)
def test_pairs_that_do_not_agree(
    tmp_path: pathlib.Path, rows: tuple[str, str], line: int, words: tuple[str, ...]
) -> None:
    content = TWO_WAY + "".join(f"deu,eng,7,7,j,{each},1\n" for each in rows)
    refused(put(tmp_path, "r.csv", content), line, *words)


def test_two_systems_without_ranking_id_are_tasks(tmp_path: pathlib.Path) -> None:
    content = "segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n7,j,a,b,1,2\n7,j,b,c,2,1\n"
    assert [items for *_, items in shown(read(tmp_path, content))] == [[("a", 1), ("b", 2)], [("b", 2), ("c", 1)]]


def test_durations() -> None:
    from tercet.formats.cells import duration

    assert duration("01:00:01") == 3601
    assert duration("7") == 7
    assert all(
        math.isnan(duration(text))
        for text in ("", "1:2", "-3", "1e3", "00:00:00:01", "9" * 5000 + ":00:00", "9" * 5000)
    )


names = st.sampled_from(["a", "b", "c", "d", "e+f", "ref", "g", "h+i+j"])


@st.composite
def tasks(draw: st.DrawFn) -> list[tuple[str, str, list[tuple[str, int]]]]:
    """Tasks of at most four outputs, none of them sharing a system."""
    found = []
    for _ in range(draw(st.integers(0, 6))):
        items = draw(st.lists(names, unique=True, max_size=4))
        ranks = draw(st.lists(st.sampled_from([SKIPPED, 1, 2, 5]), min_size=len(items), max_size=len(items)))
        segment, judge = draw(st.sampled_from("789")), draw(st.sampled_from(["ann", "bob", ""]))
        found.append((segment, judge, list(zip(items, ranks, strict=True))))
    return found


def as_csv(given: list[tuple[str, str, list[tuple[str, int]]]], seed: int) -> str:
    """Tasks as a table of four ways, whose columns come in any order, quoted or not."""
    columns = ["segmentId", "judgeID", *(f"system{k}{what}" for k in range(1, 5) for what in ("Id", "rank"))]
    random.Random(seed).shuffle(columns)  # noqa: S311
    text = io.StringIO()
    dialect = "unix" if seed % 2 else "excel"  # all cells quoted, or only where needed
    writer = csv.DictWriter(text, columns, restval="", dialect=dialect)
    writer.writeheader()
    for segment, judge, items in given:
        cells = {f"system{k}Id": name for k, (name, _) in enumerate(items, 1)}
        cells |= {f"system{k}rank": str(rank) for k, (_, rank) in enumerate(items, 1)}
        writer.writerow({"segmentId": segment, "judgeID": judge, **cells})
    return text.getvalue()


@hypothesis.given(tasks(), st.integers(0, 99))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, given: list[tuple[str, str, list[tuple[str, int]]]], seed: int
) -> None:
    found = read(tmp_path_factory.mktemp("r"), as_csv(given, seed))
    assert shown(found) == [(segment, judge or None, items) for segment, judge, items in given]
    flat = [name for *_, items in given for name, _ in items]
    assert [found.output_name(o) for o in range(len(found.outputs))] == list(dict.fromkeys(flat))
    assert found.systems == tuple(dict.fromkeys(system for name in flat for system in name.split("+")))
    assert found.judges == tuple(dict.fromkeys(judge for _, judge, _ in given if judge))
    kept = [(s, j, tuple(i)) for s, j, i in given if j and i]
    repeats = len(kept) - len(set(kept))
    assert any("repeat" in note for note in found.notes) == (repeats > 0)
    assert not repeats or any(note.endswith(f"kept: {repeats}.") for note in found.notes)


@hypothesis.given(tasks(), st.integers(0, 99), st.booleans())
def test_two_ways_and_back(
    tmp_path_factory: pytest.TempPathFactory,
    given: list[tuple[str, str, list[tuple[str, int]]]],
    seed: int,
    expand: bool,
) -> None:
    folder = tmp_path_factory.mktemp("r")
    found = read(folder, as_csv(given, seed), "de-en")
    rankings.write_two_way(found, folder / "two.csv", expand=expand, include_ref=True)
    again = read(folder, (folder / "two.csv").read_text())
    judges = {judge: f"judge{i}" for i, judge in enumerate(dict.fromkeys(j for _, j, _ in given if j), 1)}
    expected = []
    for segment, judge, items in given:
        split = [(each, rank) for name, rank in items for each in (name.split("+") if expand else [name])]
        if len(split) > 1:
            expected.append((segment, judges.get(judge), split))
    assert shown(again) == expected
    assert again.pair == ("de-en" if expected else "")


def test_two_way_rows_need_a_pair(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, "segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n7,j,a,b,1,2\n")
    with pytest.raises(InputError, match="does not say its language pair"):
        list(rankings.two_way(found))


def test_references_leave_two_way_rows(tmp_path: pathlib.Path) -> None:
    content = f"{HEADER}\nces,eng,7,ann,1,,a,ref.x+b,ref,2,1,1\n"
    found = read(tmp_path, content)
    kept = [(r["system1Id"], r["system2Id"]) for r in rankings.two_way(found)]
    assert kept == [("a", "b")]
    both = [(r["system1Id"], r["system2Id"]) for r in rankings.two_way(found, include_ref=True, expand=True)]
    assert both == list(itertools.combinations(["a", "ref.x", "b", "ref"], 2))
