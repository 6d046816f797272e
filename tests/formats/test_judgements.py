"""Which format a file of judgements has, and the real files of WMT, counted."""

from __future__ import annotations

import contextlib
import gzip
import importlib
import io
import pathlib
import sys
from collections import Counter

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from tercet.data import Assessments, Kind, Rankings
from tercet.errors import InputError
from tercet.formats import JUDGEMENT_FORMATS, detect_judgements, judgement_pairs, read_judgements, records
from tests.formats.files import put, refused, same

SMALL = {
    "rankings": "segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n7,j,a,b,1,2\n",
    "pairs": "segment\tbetter\tworse\n7\ta\tb\n",
    "appraise-rr": (
        '<?xml version="1.0"?>\n<WMT13-results><HIT source-language="ces" target-language="eng"><ranking-task id="7">'
        '<ranking-result user="j"><translation system="a" rank="1"/><translation system="b" rank="2"/>'
        "</ranking-result></ranking-task></HIT></WMT13-results>"
    ),
    "appraise": "j,a,7,TGT,ces,eng,80,1,2\nj,b,7,TGT,ces,eng,70,2,3\n",
    "da": "worker system sid raw\nj a 7 80\nj b 7 70\n",
    "adequacy-fluency": "system,segment,judge,adequacy,fluency\na,7,j,5,4\nb,7,j,3,3\n",
    "mqm": "system\tseg_id\trater\ttarget\tcategory\tseverity\na\t7\tj\tx\tOther\tMajor\nb\t7\tj\tx\tOther\tMajor\n",
    "records": (
        '{"segment": "7", "protocol": "rr", "items": [{"systems": ["a"], "rank": 1}, {"systems": ["b"], "rank": 2}]}'
    ),
}


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("file", ["plain", "packed.gz", "misleading.xml"])
def test_formats_are_known_by_content(tmp_path: pathlib.Path, name: str, start: str, file: str) -> None:
    path = put(tmp_path, file, start + SMALL[name])
    assert detect_judgements(path) == name
    for found in (read_judgements(path, pair="cs-en"), read_judgements(path, name, "ces-eng")):
        assert (found.pair, found.systems, found.segments) == ("cs-en", ("a", "b"), ("7",))


def test_every_format_but_the_database_has_an_example() -> None:
    # a database and a directory: see tests/campaigns and test_ratings
    assert JUDGEMENT_FORMATS.keys() - SMALL.keys() == {"campaign", "ratings"}


@pytest.mark.parametrize("name", JUDGEMENT_FORMATS)
def test_every_format_is_what_its_table_says(name: str) -> None:
    module, summary = JUDGEMENT_FORMATS[name]
    loaded = importlib.import_module(module)
    assert callable(loaded.read)
    assert callable(loaded.pairs)
    assert summary


@pytest.mark.parametrize("name", SMALL)
def test_standard_input_needs_a_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def given() -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(SMALL[name].encode()))

    monkeypatch.setattr(sys, "stdin", given())
    assert read_judgements("-", name).systems == ("a", "b")
    with pytest.raises(InputError, match=r"standard input is not known.*rankings, pairs"):
        read_judgements("-")


def test_what_is_none_of_them(tmp_path: pathlib.Path) -> None:
    refused(put(tmp_path, "x", "segment\tsource\tX\n1\ta\tb\n"), None, "begins 'segment", "rankings, pairs")
    refused(put(tmp_path, "x", ""), None, "is empty")
    with pytest.raises(InputError, match=r"no format of judgements called 'tsv'.*rankings, pairs"):
        read_judgements(put(tmp_path, "x", SMALL["pairs"]), "tsv")
    with pytest.raises(InputError, match="There is no file"):
        read_judgements(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["pairs", "da", "mqm"])
def test_a_file_that_does_not_say_its_pair(tmp_path: pathlib.Path, name: str) -> None:
    path = put(tmp_path, "x", SMALL[name])
    assert judgement_pairs(path) == []
    assert read_judgements(path).pair == ""


def test_a_file_of_many_blocks(tmp_path: pathlib.Path) -> None:
    """Names keep the order of their first appearance, and lines their numbers, from one block to the next."""
    n = 150_000
    rows = (f"{i % 1000}\ts{i // 50_000}\ts{7 + i % 3}\n" for i in range(n))
    found = read_judgements(put(tmp_path, "p.tsv", "segment\tbetter\tworse\n" + "".join(rows)))
    assert isinstance(found, Rankings)
    assert found.systems == ("s0", "s7", "s8", "s9", "s1", "s2")
    assert found.line is not None
    np.testing.assert_array_equal(found.line, np.arange(2, n + 2))
    np.testing.assert_array_equal(found.segment, np.arange(n) % 1000)
    late = "segment\tbetter\tworse\n" + "1\ta\tb\n" * 100_000 + "1\ta\n"
    refused(put(tmp_path, "p.tsv", late), 100_002, "2 cells where line 1 has 3")


def test_quotes_that_begin_late(tmp_path: pathlib.Path) -> None:
    content = "segment,better,worse\n" + "1,a,b\n" * 100_000 + '1,"c\nd",b\n1,e,b\n'
    found = read_judgements(put(tmp_path, "p.csv", content))
    assert isinstance(found, Rankings)
    assert found.systems == ("a", "b", "c\nd", "e")
    assert found.line is not None
    assert found.line[-2:].tolist() == [100_002, 100_004]


SCRAPS = [b"", b",", b"\t", b"\n", b"\r", b'"', b"+", b"-1", b"9" * 30, b"\xff", b"nan", b"[]", b"null", b"<", b"\0"]


@hypothesis.given(
    st.sampled_from(list(SMALL)),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 5), st.sampled_from(SCRAPS)), min_size=1, max_size=3),
    st.booleans(),
)
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, damage: list[tuple[int, int, bytes]], named: bool
) -> None:
    content = SMALL[name].encode()
    for start, length, scrap in damage:
        at = start % (len(content) + 1)
        content = content[:at] + scrap + content[at + length :]
    path = put(tmp_path_factory.mktemp("damaged"), "x", content)
    with contextlib.suppress(InputError):
        judgement_pairs(path, name if named else None)
        read_judgements(path, name if named else None)


# What follows is counted in the notes that come with the data.

WMT15 = {  # rankings, systems, judges, pairs of outputs, pairs of systems
    "ces-eng": (2568, 16, 60, 24473, 85877),
    "deu-eng": (2091, 13, 53, 19468, 40535),
    "eng-ces": (5973, 15, 22, 58956, 136890),
    "eng-deu": (3092, 16, 15, 29752, 54447),
    "eng-fin": (2520, 10, 5, 24399, 32694),
    "fin-eng": (1863, 14, 47, 17309, 31577),
    "rus-eng": (2528, 13, 45, 23614, 44539),
}
WMT16 = {"ron-eng": (1308, 7, 43, 11978, 15822), "eng-tur": (1096, 9, 6, 10095, 11184)}
FILES = [
    *(("wmt15-news", "wmt15", pair, counts) for pair, counts in WMT15.items()),
    *(("wmt16-rr", "wmt16", pair, counts) for pair, counts in WMT16.items()),
]


@pytest.mark.parametrize(
    ("folder", "year", "pair", "counts"), FILES, ids=lambda x: str(x) if isinstance(x, str) else ""
)
def test_rankings_of_wmt15_and_wmt16(
    shared: pathlib.Path, tmp_path: pathlib.Path, folder: str, year: str, pair: str, counts: tuple[int, ...]
) -> None:
    path = shared / "data" / folder / f"{year}.rankings.{pair}.csv.gz"
    found = read_judgements(path)
    assert isinstance(found, Rankings)
    assert found.seconds is not None
    items = np.diff(found.starts)
    sizes = np.array([len(output) for output in found.outputs])[found.output]
    systems = np.add.reduceat(np.append(sizes, 0), found.starts[:-1]) * (items > 0)
    pairs = [int((n * (n - 1) // 2).sum()) for n in (items, systems)]
    assert (len(found), len(found.systems), len(found.judges), *pairs) == counts
    assert judgement_pairs(path) == [found.pair]
    records.write(found, tmp_path / "out.jsonl.gz")
    same(found, read_judgements(tmp_path / "out.jsonl.gz"))


def test_rankings_of_wmt12(shared: pathlib.Path) -> None:
    path = shared / "data" / "wmt12-rr" / "wmt12.rankings.csv.gz"
    expected = {
        "Czech-English": 1294,
        "English-Czech": 2308,
        "German-English": 1427,
        "English-German": 1752,
        "Spanish-English": 1141,
        "English-Spanish": 1475,
        "French-English": 1395,
        "English-French": 1547,
    }
    assert set(judgement_pairs(path)) == {"cs-en", "en-cs", "de-en", "en-de", "es-en", "en-es", "fr-en", "en-fr"}
    judges: set[str] = set()
    for pair, count in expected.items():
        found = read_judgements(path, pair=pair)
        assert isinstance(found, Rankings)
        assert len(found) == count
        judges.update(found.judges)
        if pair == "Czech-English":
            assert set(found.systems) == {"onlineB", "uedin-wmt12", "cu-bojar", "onlineA", "uk-dan-moses", "jhu-heiro"}
    assert len(judges) == 230
    assert sum(expected.values()) == 12339
    refused(path, 95, "en-cs after cs-en", "8 language pairs")


def test_pairs_of_wmt14(shared: pathlib.Path) -> None:
    path = shared / "data" / "wmt14-news" / "rr-pairs.into-english.tsv.gz"
    expected = {
        "cs-en": (15732, 5),
        "de-en": (18310, 13),
        "fr-en": (19620, 8),
        "hi-en": (18603, 9),
        "ru-en": (28838, 13),
    }
    assert judgement_pairs(path) == list(expected)
    assert sum(n for n, _ in expected.values()) == 101103
    for pair, counts in expected.items():
        found = read_judgements(path, pair=pair)
        assert isinstance(found, Rankings)
        assert (len(found), len(found.systems)) == counts
        assert found.notes == (f"Rows of other language pairs than {pair}, left out: {101103 - len(found)}.",)


@pytest.mark.parametrize(
    ("path", "pair", "count"),
    [
        ("wmt19-metrics/daRR.lt-en.tsv.gz", "lt-en", 21862),
        ("wmt19-metrics/daRR.kk-en.tsv.gz", "kk-en", 9728),
        ("wmt20-metrics/daRR-agree.km-en.ssv.gz", "", 3706),
        ("wmt20-metrics/daRR-agree.cs-en.ssv.gz", "", 14018),
        ("wmt20-metrics/daRR-agree.ta-en.ssv.gz", "", 12789),
    ],
)
def test_pairs_of_direct_assessments(shared: pathlib.Path, path: str, pair: str, count: int) -> None:
    found = read_judgements(shared / "data" / path)
    assert isinstance(found, Rankings)
    assert (found.pair, len(found)) == (pair, count)


@pytest.mark.parametrize("pair", ["km-en", "cs-en", "ta-en"])
def test_pairs_are_those_of_the_scores(shared: pathlib.Path, pair: str) -> None:
    """The official pairs are all systems whose raw scores differ by 25 or more: both files name segments alike."""
    scores = read_judgements(shared / "data" / "wmt20-metrics" / f"metrics-da-seg-scores.{pair}.ssv.gz")
    pairs = read_judgements(shared / "data" / "wmt20-metrics" / f"daRR-agree.{pair}.ssv.gz")
    assert isinstance(scores, Assessments)
    assert isinstance(pairs, Rankings)
    raw = {
        (scores.segments[g], scores.systems[s]): score
        for g, s, score in zip(scores.segment, scores.system, scores.score, strict=True)
    }
    names = [pairs.output_name(int(o)) for o in pairs.output]
    for task, segment in enumerate(pairs.segment):
        where = pairs.segments[segment]
        assert raw[where, names[2 * task]] - raw[where, names[2 * task + 1]] >= 25


@pytest.mark.parametrize(
    ("pair", "rows", "workers", "systems"),
    [("ha-en", 21640, 144, 14), ("is-en", 13230, 106, 10), ("cs-en", 13069, 92, 9)],
)
def test_assessments_of_wmt21(
    shared: pathlib.Path, tmp_path: pathlib.Path, pair: str, rows: int, workers: int, systems: int
) -> None:
    found = read_judgements(shared / "data" / "wmt21-da" / f"da-judgements.{pair}.tsv.gz", pair=pair)
    means = read_judgements(shared / "data" / "wmt21-da" / f"official-seg-scores.{pair}.ssv.gz")
    assert isinstance(found, Assessments)
    assert isinstance(means, Assessments)
    assert (len(found), len(found.judges), len(found.systems)) == (rows, workers, systems)
    assert found.pair == pair
    assert found.z is not None
    assert means.z is not None
    assert means.n is not None
    mine: dict[tuple[str, str], list[float]] = {}
    for system, segment, kind, z in zip(found.system, found.segment, found.kind, found.z, strict=True):
        if kind in (Kind.SYSTEM, Kind.REPEAT):
            mine.setdefault((found.systems[system], found.segments[segment]), []).append(z)
    odd = 0
    for row in range(len(means)):
        own = mine.pop((means.systems[means.system[row]], means.segments[means.segment[row]]))
        assert np.mean(own) == pytest.approx(means.z[row], abs=1e-9)
        odd += len(own) != means.n[row]
    assert mine == {}
    assert odd == (1 if pair == "is-en" else 0)  # one judgement of the official file was not published
    records.write(found, tmp_path / "out.jsonl.gz")
    same(found, read_judgements(tmp_path / "out.jsonl.gz"))


def test_errors_of_ted_talks(shared: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The official scores follow from the errors: 5 a major one, 1 a minor one, 0.1 a minor one of punctuation."""
    folder = shared / "data" / "mqm-ted-ende"
    found = read_judgements(folder / "mqm_ted_ende.tsv.gz", pair="en-de")
    assert isinstance(found, Assessments)
    assert found.errors is not None
    assert (len(found), len(found.systems), len(found.segments), len(found.judges)) == (7406, 14, 529, 4)
    errors = found.errors
    assert Counter(errors.severities[s] for s in errors.severity) == {"Minor": 2164, "Major": 1867}
    weights = np.where(errors.severity == errors.severities.index("Major"), 5.0, 1.0)
    weights[(weights == 1) & (errors.category == errors.categories.index("Fluency/Punctuation"))] = 0.1
    penalty = np.bincount(errors.row, weights, minlength=len(found))
    mine: dict[tuple[str, str], list[float]] = {}
    for row in range(len(found)):
        key = found.systems[found.system[row]].replace("ref", "ref-A"), found.segments[found.segment[row]]
        mine.setdefault(key, []).append(float(penalty[row]))
    official = gzip.decompress((folder / "mqm_ted_ende.avg_seg_scores.tsv.gz").read_bytes()).decode().splitlines()[1:]
    scores = {(system, segment): score for system, score, segment in map(str.split, official) if score != "None"}
    assert len(scores) == 7406
    assert {key: -np.mean(own) for key, own in mine.items()} == pytest.approx(
        {key: float(score) for key, score in scores.items()}, abs=1e-6
    )
    records.write(found, tmp_path / "out.jsonl")
    same(found, read_judgements(tmp_path / "out.jsonl"))
