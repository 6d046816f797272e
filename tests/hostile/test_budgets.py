"""Memory and disk are bounded in bytes, and the sentence says by what and how to raise it."""

from __future__ import annotations

import gzip
import itertools
import pathlib
import time
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
import pytest

import tercet
from tercet import limits
from tercet.compat import sacrebleu
from tercet.data import MetricScores, TestSet, Texts
from tercet.errors import InputError
from tercet.formats import lines, read_judgements, read_scores, table, text
from tercet.formats.columns import EVERYTHING
from tercet.quality.features import FEATURES, Translations
from tercet.text import tokenizer, tokens
from tests.formats.files import put

RAISED = r"is the limit\. .*TERCET_MEMORY=[0-9]+G\."


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four megabytes for everything."""
    monkeypatch.setenv("TERCET_MEMORY", "4M")


@pytest.mark.parametrize(("said", "n"), [("", 4 << 30), ("7", 7), ("3k", 3072), ("2GiB", 2 << 30), ("1TB", 1 << 40)])
def test_a_budget_is_a_number_of_bytes(said: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_MEMORY", said)
    assert limits.allowed("TERCET_MEMORY") == n


@pytest.mark.parametrize("said", ["much", "-1", "1.5G", "9" * 40])
def test_what_is_no_size_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_MEMORY", said)
    with pytest.raises(InputError, match=r"TERCET_MEMORY is .*, which is no size"):
        limits.allowed("TERCET_MEMORY")


def test_the_advice_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="TERCET_MEMORY=64G") as caught:
        limits.Budget("x", "Do less.", share=4).take(10 << 30)
    assert caught.value.hint.startswith("Do less. Or raise the limit")
    monkeypatch.setenv("TERCET_MEMORY", "64G")
    limits.Budget("x", "Do less.", share=4).take(10 << 30)


FAT = "a " * 20_000


def test_a_block_of_long_lines_is_shorter(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """65 536 lines of 40 KB would be 2.6 GB at once."""
    monkeypatch.setattr(limits, "PART", 1 << 20)
    fat = put(tmp_path, "fat.txt.gz", f"{FAT}\n" * 300 + "b\n" * 70_000)
    thin = put(tmp_path, "thin.txt", "b\n" * 70_300)
    parts = list(text.read_parts({"fat": fat, "thin": thin}, [fat]))
    assert sum(map(len, parts)) == 70_300
    assert [name for part in parts for name in part.segments] == [str(i) for i in range(1, 70_301)]
    assert max(sum(map(len, part.systems["fat"])) for part in parts) < 2 << 20
    assert tercet.score({"fat": fat}, [fat], metrics=["bleu"]).value("fat", "bleu") == pytest.approx(100)
    with pytest.raises(InputError, match=r"70300 lines, .* 70299"):
        list(text.read_parts({"fat": fat}, [put(tmp_path, "short.txt", "b\n" * 70_299)]))


@pytest.mark.parametrize("form", ["tsv", "tsv.gz", "parquet", "parquet.gz"])
def test_a_part_of_a_table_is_bounded(form: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many systems there are, and however long their texts."""
    texts = {"reference": [FAT] * 40 + ["b"] * 500, **{f"s{i}": ["c"] * 540 for i in range(50)}}
    whole = tercet.data.TestSet.of({k: v for k, v in texts.items() if k != "reference"}, texts["reference"])
    path = tmp_path / f"x.{form}"
    table.write(whole, path)
    monkeypatch.setattr(limits, "PART", 1 << 20)
    parts = list(table.read_parts(path))
    assert sum(map(len, parts)) == 540
    assert [name for part in parts for name in part.segments] == list(whole.segments)
    assert max(sum(len(r[0]) for r in part.references) for part in parts if part.references) < 2 << 20
    assert max(map(len, parts)) < 400  # 51 cells of 64 bytes each, beside their texts
    assert [len(part) for part in table.read_parts(path, EVERYTHING)] == [540]


@pytest.mark.usefixtures("little")
def test_what_is_held_whole_is_refused(tmp_path: pathlib.Path) -> None:
    many = put(tmp_path, "many.txt.gz", "a b\n" * 200_000)
    with pytest.raises(InputError, match=rf"The texts: .*4 MiB {RAISED}"):
        text.read({"a": many}, [many])
    for form in ("tsv.gz", "parquet"):
        path = tmp_path / f"x.{form}"
        table.write(tercet.data.TestSet.of({"a": ["a b"] * 100_000}, ["a"] * 100_000), path)
        with pytest.raises(InputError, match=rf"The whole of .*x\.{form}: .*{RAISED}"):
            tercet.read_testset(path)
        assert tercet.score(path, metrics=["bleu"]).value("a", "bleu") < 100  # in parts


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("packed", ["", ".gz"])
def test_a_file_of_judgements_or_scores_is_refused(packed: str, tmp_path: pathlib.Path) -> None:
    judged = put(tmp_path, f"j.csv{packed}", "lp,segment,better,worse\n" + "cs-en,1,a,b\n" * 50_000)
    with pytest.raises(InputError, match=rf"j\.csv{packed}: .*1 MiB {RAISED}"):
        read_judgements(judged)
    scored = put(tmp_path, f"s.seg.score{packed}", "m\tcs-en\tnews\ta\t1\t0.5\n" * 50_000)
    with pytest.raises(InputError, match=RAISED):
        read_scores(scored)
    pl.DataFrame({"system": ["a"] * 300_000, "bleu": [0.5] * 300_000}).write_parquet(tmp_path / "s.parquet")
    with pytest.raises(InputError, match=RAISED):
        read_scores(tmp_path / "s.parquet")


def test_what_is_unpacked_is_bounded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A packed Parquet file goes to the disk before it is read."""
    path = tmp_path / "x.parquet.gz"
    path.write_bytes(gzip.compress(b"PAR1" + bytes(3 << 20)))
    monkeypatch.setenv("TERCET_DISK", "2M")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(InputError, match=r"x\.parquet\.gz, unpacked: .*2 MiB is the limit.*TERCET_DISK=[0-9]+G"):
        tercet.read_testset(path)
    assert [p.name for p in tmp_path.iterdir()] == ["x.parquet.gz"]


def rankings(systems: Sequence[str]) -> str:
    first = "srclang,trglang,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n"
    return f"{first}cs,en,1,j,{'+'.join(systems)},1,other,2\n"


def test_a_hundred_thousand_names_in_one_cell(tmp_path: pathlib.Path) -> None:
    """Every two of them would be five billion pairs."""
    path = put(tmp_path, "plus.csv", rankings([f"s{i}" for i in range(100_000)]))
    with pytest.raises(InputError, match=rf"The pairs of systems of .*plus\.csv: 373 GiB .*4 GiB {RAISED}"):
        tercet.rank(path)


def test_ten_thousand_systems(tmp_path: pathlib.Path) -> None:
    names = [f"s{i}" for i in range(10_001)]
    rows = "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(itertools.pairwise(names)))
    with pytest.raises(InputError, match=rf"Tables of 10001 × 10001 systems: .*{RAISED}"):
        tercet.rank(put(tmp_path, "pairs.csv", "segment,better,worse\n" + rows))
    texts = {name: ["a", "b"] for name in names[:3000]}
    with pytest.raises(InputError, match=rf"Tests of every two of 3000 systems: .*{RAISED}"):
        tercet.compare(texts, ["a", "b"], metrics=["bleu"])


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("more", [{"level": "segment"}, {"ci": True}, {"paired": "bootstrap"}])
def test_what_is_kept_of_the_segments_is_refused(more: dict[str, object]) -> None:
    texts = ["a b c d"] * 30_000
    with pytest.raises(InputError, match=rf"What is kept of the segments: .*{RAISED}"):
        tercet.score({"a": texts, "b": texts}, texts, metrics=["bleu"], **more)  # type: ignore[arg-type]
    assert tercet.score({"a": texts}, texts, metrics=["bleu"]).value("a", "bleu") == pytest.approx(100)


def test_names_of_segments_are_kept_within_bounds(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "x.tsv", "segment\treference\ta\n" + "".join(f"n{i}\ta\ta\n" for i in range(70_000)))
    monkeypatch.setenv("TERCET_MEMORY", "6M")
    with pytest.raises(InputError, match=rf"The names of the segments of .*{RAISED}"):
        tercet.score(path, metrics=["bleu"])


def test_parts_do_not_move_a_score(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(1)
    texts = [" ".join(chance.choice(list("abcdef"), size=n)) for n in chance.integers(0, 30, 2000)]
    path = tmp_path / "x.tsv"
    table.write(tercet.data.TestSet.of({"a": texts[::-1]}, texts), path)
    whole = tercet.score(path, metrics=["bleu", "chrf", "nist"])
    monkeypatch.setattr(limits, "PART", 1 << 14)
    assert len(list(table.read_parts(path))) > 10
    assert tercet.score(path, metrics=["bleu", "chrf", "nist"]) == whole


def test_the_blocks_that_readers_get_stay_whole(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "x", "a\n" * 200_000)
    assert [len(block) for block in lines.blocks(path)] == [65_536, 65_536, 65_536, 3392]


def test_systems_of_score_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = {f"s{i}": ["a b"] for i in range(700)}
    monkeypatch.setenv("TERCET_MEMORY", "4M")
    with pytest.raises(InputError, match=rf"What 700 systems take: .* would be held, and 4 MiB {RAISED}"):
        tercet.score(systems, references=["a b"], metrics=["bleu"])
    monkeypatch.setenv("TERCET_MEMORY", "5M")
    assert len(tercet.score(systems, references=["a b"], metrics=["bleu"]).records) == 700


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_a_long_segment_has_a_budget(monkeypatch: pytest.MonkeyPatch, metric: str) -> None:
    line = "." * 10_000
    monkeypatch.setenv("TERCET_MEMORY", "4M")
    with pytest.raises(InputError, match=rf"What a segment takes: .* would be held, and 4 MiB {RAISED}"):
        tercet.score({"a": ["x", line]}, references=["x", line], metrics=[metric])
    monkeypatch.setenv("TERCET_MEMORY", "5M")
    assert tercet.score({"a": ["x", line]}, references=["x", line], metrics=[metric]).records[0].score > 99


LONG = ["x", "." * 10_000]
PEOPLE = [MetricScores("HUMAN", "", "system", ("a", "b"), ("",), np.array([[1.0], [2.0]]))]
VERBS: dict[str, Callable[[], object]] = {
    "score": lambda: tercet.score({"a": LONG}, LONG, metrics=["bleu"]),
    "compare": lambda: tercet.compare({"a": LONG, "b": LONG}, LONG, metrics=["bleu"], samples=40),
    "meta": lambda: tercet.meta(testset=TestSet.of({"a": LONG, "b": LONG}, LONG), metrics=["bleu"], scores=PEOPLE),
    "explain": lambda: tercet.explain("chrf", LONG[1], LONG[1]),
    "a metric": lambda: tercet.metric("ter").corpus(LONG, LONG),
    "sacreBLEU's": lambda: sacrebleu.corpus_bleu(LONG, [LONG]),
    "a feature": lambda: FEATURES.make("tokens").values(Translations(Texts.of(LONG * 2), Texts.of(LONG * 2))),
    "tags of words": lambda: require_tokens(["." * 20_000]),
}


def require_tokens(texts: list[str]) -> object:
    return tokens(Texts.of(texts), tokenizer("13a"), 1)


@pytest.mark.parametrize("verb", VERBS)
def test_a_long_segment_has_a_budget_whoever_asks(monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    monkeypatch.setenv("TERCET_MEMORY", "2M")
    with pytest.raises(InputError, match=rf"What a segment takes: .* would be held, and 2 MiB {RAISED}"):
        VERBS[verb]()


def test_words_that_are_compared_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [". " * 100] * 100
    monkeypatch.setenv("TERCET_MEMORY", "5M")
    with pytest.raises(InputError, match=rf"The words of all texts: .* would be held, and 5 MiB {RAISED}"):
        tercet.compare({"a": texts, "b": texts}, texts, metrics=["bleu"], samples=40)


def test_resamples_have_a_budget() -> None:
    """Also where a study asks for them: refused before the first is drawn."""
    with pytest.raises(InputError, match=rf"Scores of 2147483648 resamples of 1 system: 32 GiB .*4 GiB {RAISED}"):
        tercet.score({"a": ["a b"] * 2}, ["a b"] * 2, metrics=["bleu"], ci=True, samples=1 << 31)


def test_draws_that_are_streamed_have_a_budget() -> None:
    with pytest.raises(InputError, match=rf"Sums of 1000000000 draws of 1 system: .*4 GiB {RAISED}"):
        tercet.score({"a": ["a"]}, ["a"], metrics=["bleu"], ci=True, samples=10**9, resampling="streamed")


def spent(work: Callable[[], object]) -> float:
    """Seconds of a core."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def test_what_many_metrics_take_of_segments_grows_with_them() -> None:
    """As the two hundred that did not end in four minutes."""
    texts = ["the cat sat on the mat"] * 300

    def scored(n: int) -> None:
        metrics = [f"bleu(smooth=add-k, smooth_value={i + 1})" for i in range(n)]
        assert len(tercet.score({"a": texts}, texts, metrics=metrics, level="segment").as_records()) == n * len(texts)

    scored(1)
    assert spent(lambda: scored(200)) < 60 * spent(lambda: scored(10))


def test_what_reference_sets_of_one_name_take_grows_with_them(tmp_path: pathlib.Path) -> None:
    """As the four thousand in SGML that took minutes."""
    one = '<{0}set setid="s" srclang="de" trglang="en" {1}><doc docid="d"><seg id="1">x</seg></doc></{0}set>\n'
    source, output, reference = one.format("src", ""), one.format("tst", 'sysid="a"'), one.format("ref", 'refid="r"')

    def read(n: int) -> None:
        path = put(tmp_path, f"{n}.sgm", f"<mteval>{source}{output}{reference * n}</mteval>")
        references = tercet.read_testset(path).references
        assert references is not None
        assert references.counts == (n, n)

    read(1)
    assert spent(lambda: read(4000)) < 60 * spent(lambda: read(400))
