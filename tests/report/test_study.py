"""A study written: tables, figures, records and the page, whole or not at all, and the same every time."""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools
import pathlib
import re
from typing import Any

import pytest

import tercet
from tercet import running
from tercet.data import MetaEvaluation, MetricAgreement, TopCurve
from tercet.errors import InputError
from tercet.report.study import study_page
from tercet.running import LIST, Run, run
from tercet.study import StudyResult, read_study
from tercet.study.answers import holds, overall, study_answers, task_table
from tests.study.build import FEW, METRICS, SEGMENT, SYSTEM, direction, written

NAN = float("nan")


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A small study with everything, whose judgements are assessments so that there are calibrations."""
    folder = tmp_path_factory.mktemp("study")
    levels = '[system]\nmeasure = "pearson"\nsecondary = ["spearman"]\n[segment]\nmeasure = "acc-eq"\n'
    path = written(folder, 'title = "Two <metrics> & one pair"', METRICS, direction(judged="da.csv"), levels, FEW)
    return run(path, folder / "out")


def bytes_of(folder: pathlib.Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_every_file_is_there(done: Run) -> None:
    folder = done.files[0].parent
    names = [str(p.relative_to(folder)) for p in done.files]
    assert names[:2] == ["report.html", "results.csv"]
    stems = ["tables/system.from-en", "tables/segment.from-en"]
    assert names[2:8] == [f"{stem}{end}" for stem in stems for end in (".md", ".tex", ".csv")]
    best = max(done.result.main["system"], key=lambda r: r.value).metric
    drawn = {f"en-de.scatter.{m}" for m in ("BLEU", best)} | {"en-de.top-n"}
    drawn |= {f"en-de.{level}.significance" for level in ("system", "segment")}
    drawn |= {f"en-de.segment.calibration.{m}" for m in ("BLEU", "chrF")}
    assert set(names[8:]) == {f"figures/{name}{end}" for name in drawn for end in (".svg", ".pdf")}
    assert len(set(names)) == len(names)
    there = {name for name in bytes_of(folder) if not name.startswith("cache/")}
    assert there == {*names, LIST}, "nothing else but the cache, and the list of what was written"
    assert all(p.stat().st_size > 50 for p in done.files)


def test_records_hold_every_figure(done: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(done.files[1].read_text(encoding="utf-8"))))
    assert [(r["gold"], r["metric"], r["level"], r["measure"], r["direction"]) for r in rows] == [
        *(
            ("main", m, level, s, "en-de")
            for level, s in (("system", "pearson"), ("segment", "acc-eq"))
            for m in ("BLEU", "chrF")
        ),
        *(("main", m, "system", "spearman", "en-de") for m in ("BLEU", "chrF")),
    ]
    assert float(rows[0]["value"]) == done.result.main["system"].value("BLEU")
    assert rows[0]["epsilon"] == ""
    assert rows[2]["epsilon"] != ""
    assert {r["winner"] for r in rows} <= {"True", "False", ""}


def test_tables_in_three_formats(done: Run) -> None:
    folder = done.files[0].parent / "tables"
    table = done.tables["system", "from-en"]
    assert table.header == ("metric", "en-de", "Spearman's rho average")
    assert table.subheader == ("systems", "5", "")
    rows = list(csv.reader(io.StringIO((folder / "system.from-en.csv").read_text(encoding="utf-8"))))
    assert rows == [list(line) for line in (table.header, table.subheader, *table.rows)]
    latex = (folder / "system.from-en.tex").read_text(encoding="utf-8")
    assert latex.startswith(r"\begin{tabular}{lrr}")
    assert r"\textbf{" in latex
    markdown = (folder / "system.from-en.md").read_text(encoding="utf-8")
    assert markdown.startswith("| metric | en-de | Spearman's rho average |")
    assert "**" in markdown
    assert done.result.main["system"].signature in markdown


def test_the_page_has_all_of_it(done: Run) -> None:
    page = done.files[0].read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "Two &lt;metrics&gt; &amp; one pair" in page
    assert "<metrics>" not in page
    for text in ("System level", "Segment level", "BLEU", "chrF", "Study file", "en-de"):
        assert text in page
    assert "http://" not in re.sub(r"http://www\.w3\.org/\S+", "", page)
    assert "https://" not in page, "nothing is fetched"


@pytest.mark.thorough
def test_a_second_run_gives_the_same_bytes(done: Run) -> None:
    folder = done.files[0].parent
    before = bytes_of(folder)
    again = run(done.result.study, folder)
    assert again.result.computed == ()
    assert len(again.result.from_cache) == 2
    assert bytes_of(folder) == before
    assert again.files == done.files


def test_another_folder_and_threads_give_the_same_bytes(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, METRICS, direction(), SYSTEM, SEGMENT, FEW)
    for name, threads in (("a", 1), ("b", 2)):
        run(path, tmp_path / name, figures=False, threads=threads)
    one, two = bytes_of(tmp_path / "a"), bytes_of(tmp_path / "b")
    assert one == two
    assert not any(name.startswith("figures/") for name in one)


def test_the_cache_may_stand_elsewhere(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path)
    run(path, tmp_path / "out", cache=tmp_path / "kept", figures=False)
    assert not (tmp_path / "out" / "cache").exists()
    assert len(list((tmp_path / "kept").iterdir())) == 2


@pytest.mark.parametrize("where", ["output", "cache"])
def test_a_file_is_no_folder(where: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    places: Any = {"output": tmp_path / "out", "cache": tmp_path / "kept"} | {where: tmp_path / "file"}
    with pytest.raises(InputError, match="file"):
        run(written(tmp_path), places["output"], cache=places["cache"], figures=False)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_an_interrupted_run_leaves_no_half_file_and_older_ones_alone(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, METRICS, direction(), SYSTEM, FEW)
    out = tmp_path / "out"
    run(path, out, figures=False)
    before = bytes_of(out)
    path = written(tmp_path, METRICS, direction("zh-en"), SYSTEM, FEW)

    def stop(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "study_page", stop)
    with pytest.raises(KeyboardInterrupt):
        run(path, out, figures=False)
    after = bytes_of(out)
    assert {n: b for n, b in after.items() if n in before} == before
    assert all(name.startswith("cache/") and name.endswith(".npz") for name in set(after) - set(before))


def test_names_that_would_share_a_file_do_not(tmp_path: pathlib.Path) -> None:
    groups = '[groups]\n"a b" = ["en-de"]\n"a_b" = ["zh-en"]\n"../A b" = ["zh-en"]'
    found = run(
        written(tmp_path, METRICS, direction(), direction("zh-en"), SYSTEM, FEW, groups),
        tmp_path / "out",
        figures=False,
    )
    tables = [p.name for p in found.files if p.parent.name == "tables" and p.suffix == ".md"]
    assert tables == ["system.a_b.md", "system.a_b-2.md", "system._A_b.md"] or len({t.lower() for t in tables}) == 3
    assert all(tmp_path / "out" in p.parents for p in found.files)
    assert "en-de" in (tmp_path / "out" / "tables" / "system.a_b.md").read_text(encoding="utf-8")


SCORES = """\
LP\tSYSTEM\tHUMAN\tall\tflat\tsome
de-en\tA\t3\t30\t1\t5
de-en\tB\t2\t21\t1\t3
de-en\tC\t1\t12\t1\t4
de-en\tD\t0\t1\t1\t1
cs-en\tA\t3\t1\t3\t
cs-en\tB\t2\t2\t1\t
cs-en\tC\t1\t4\t2\t
cs-en\tD\t0\t4\t1\t
"""


def scored(tmp_path: pathlib.Path, *parts: str) -> Run:
    (tmp_path / "scores.tsv").write_text(SCORES, encoding="utf-8")
    directions = [f'[[direction]]\npair = "{p}"\nscores = "scores.tsv"' for p in ("de-en", "cs-en")]
    top = [p for p in parts if p.startswith("layout")]
    rest = [p for p in parts if not p.startswith("layout")]
    return run(
        written(tmp_path, *top, *directions, '[system]\nmeasure = "pearson"', FEW, *rest),
        tmp_path / "out",
        figures=False,
    )


def test_what_is_missing_and_what_is_not_defined(tmp_path: pathlib.Path) -> None:
    table = scored(tmp_path).tables["system", "into-en"]
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["some"][1] == "n/a"
    assert rows["flat"][0] == "n/a"
    assert rows["flat"][2] == "n/a"
    assert table.rows[-1][0] == "some", "a metric with gaps stands below the line"
    assert table.rules == {1}
    text = (tmp_path / "out" / "tables" / "system.into-en.csv").read_text(encoding="utf-8")
    assert "n/a" in text
    assert "n/a" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_excluded_directions_follow_the_average(tmp_path: pathlib.Path) -> None:
    zh, de, ar = direction("zh-en"), direction("de-en"), direction("ar-en")
    path = written(tmp_path, METRICS, zh, de, ar, SYSTEM, FEW, '[average]\nexclude = ["zh-en"]')
    table = run(path, tmp_path / "out", figures=False).tables["system", "into-en"]
    assert table.header == ("metric", "de-en", "ar-en", "average", "zh-en")
    for row in table.rows:
        two = [float(cell.split(" ")[0]) for cell in row[1:3]]
        assert float(row[3].split(" ")[0]) == pytest.approx(sum(two) / 2, abs=0.001)
    assert "The average leaves out zh-en." in table.notes


@pytest.mark.parametrize("exclude", ['["zh-en", "de-en"]', '["zh-en"]'])
def test_nothing_is_excluded_from_an_average_that_is_not_there(exclude: str, tmp_path: pathlib.Path) -> None:
    path = written(
        tmp_path, METRICS, direction("zh-en"), direction("de-en"), SYSTEM, FEW, f"[average]\nexclude = {exclude}"
    )
    table = run(path, tmp_path / "out", figures=False).tables["system", "into-en"]
    assert not any("leaves out" in note for note in table.notes)
    assert {"zh-en", "de-en"} <= set(table.header)


def result_of(tmp_path: pathlib.Path, records: list[MetricAgreement], *top: str, **others: Any) -> StudyResult:
    """Made-up figures in the place of a study's own."""
    names = dict.fromkeys(r.direction for r in records)
    directions = [f'[[direction]]\npair = "{name}"\nscores = "no.tsv"' for name in names]
    measure = records[0].measure
    text = [*top, *directions, f'[system]\nmeasure = "{measure}"']
    study = read_study(written(tmp_path, *text))
    return StudyResult(study, {"system": MetaEvaluation(tuple(records), "sig")}, {}, {}, (), ())


def record(metric: str, pair: str, value: float, **more: Any) -> MetricAgreement:
    return MetricAgreement(metric, "system", more.pop("measure", "pearson"), pair, value, n=more.pop("n", 8), **more)


BOLD = {"wmt14": {(0, 1), (1, 1)}, "wmt15": {(0, 1), (1, 1)}, "wmt19": {(1, 1), (2, 1)}}


@pytest.mark.parametrize("layout", BOLD)
def test_the_rule_of_the_year_makes_figures_bold(layout: str, tmp_path: pathlib.Path) -> None:
    """The highest as printed in WMT14 and WMT15, winners of the tests in WMT19, however high they are."""
    records = [
        record("a", "de-en", 0.9001, winner=False),
        record("b", "de-en", 0.9, winner=True),
        record("c", "de-en", 0.8, winner=True),
    ]
    result = result_of(tmp_path, records, f'layout = "{layout}"')
    table = task_table(result, "system", ("de-en",))
    assert {(r, c) for r, c in table.best if c == 1} == BOLD[layout]
    assert ("wins" in table.header) == (layout == "wmt19")
    if layout == "wmt19":
        assert [row[-1] for row in table.rows] == ["0", "1", "1"]


def test_accuracy_is_pooled_over_directions(tmp_path: pathlib.Path) -> None:
    records = [
        record("a", "de-en", 0.5, measure="accuracy", n=10),
        record("a", "cs-en", 1.0, measure="accuracy", n=30),
        record("b", "de-en", 0.5, measure="accuracy", n=10),
        record("b", "cs-en", NAN, measure="accuracy", n=0),
    ]
    result = result_of(tmp_path, records)
    table = task_table(result, "system", ("de-en", "cs-en"))
    rows = {row[0]: row for row in table.rows}
    assert rows["a"][3] == ".875", "(5 + 30) / 40"
    assert rows["b"][3] == "n/a"
    assert table.subheader == ("pairs of systems", "10", "30", "")
    assert "a agrees with people, pairwise accuracy .875 on average" in overall(result, "system", "into-en")


def test_overall_names_the_best_and_who_is_not_beaten(tmp_path: pathlib.Path) -> None:
    records = [
        record("a", "de-en", 0.9, winner=True),
        record("a", "cs-en", 0.7, winner=False),
        record("b", "de-en", 0.8, winner=False),
        record("b", "cs-en", 0.75, winner=True),
        record("some", "de-en", 0.99, winner=True),
    ]
    assert overall(result_of(tmp_path, records), "system", "into-en") == (
        "System level, into-en: a agrees best with people, Pearson's r .800 on average over de-en and cs-en. "
        "Not significantly beaten by any other metric: a in 1 and b in 1 of 2 directions."
    )


def test_long_lists_are_counted_and_the_most_frequent_come_first(tmp_path: pathlib.Path) -> None:
    names = "abcdefgh"
    records = [
        record(name, pair, 0.9 - i / 100, winner=pair == "de-en" or name == "h")
        for i, name in enumerate(names)
        for pair in ("de-en", "cs-en")
    ]
    assert overall(result_of(tmp_path, records), "system", "into-en").endswith(
        "any other metric: h in both directions, a in 1, b in 1, c in 1, d in 1, e in 1 and 2 others."
    )


def curve(metric: str, pair: str, among_the_best: float) -> TopCurve:
    return TopCurve(pair, "pearson", metric, (4, 5, 6, 7, 8), (among_the_best, 0.6, 0.7, 0.8, 0.9))


def test_how_often_metrics_fail_and_are_carried(tmp_path: pathlib.Path) -> None:
    more = {"n_without_outliers": 7}
    records = [
        record("a", "de-en", 0.9, without_outliers=0.7, **more),
        record("b", "de-en", 0.9, without_outliers=0.85, **more),
        record("a", "en-de", 0.9, without_outliers=0.89, **more),
        record("b", "en-de", 0.9, without_outliers=NAN, **more),
    ]
    result = result_of(tmp_path, records)
    assert holds(result, "system") == ["System level: outliers carry the agreement of a in 1 of 2 directions."]
    curves = (curve("a", "de-en", 0.6), curve("b", "de-en", 0.1), curve("a", "en-de", -0.5), curve("b", "en-de", 0.3))
    main = dataclasses.replace(result.main["system"], curves=curves)
    assert holds(dataclasses.replace(result, main={"system": main}), "system") == [
        "System level: among the better half of the systems, agreement fails for b in both directions, and a in 1.",
        "System level: outliers carry the agreement of a in 1 of 2 directions.",
    ]
    fine = [record("a", "de-en", 0.9, without_outliers=0.88, **more)]
    assert holds(result_of(tmp_path, fine), "system") == []


@pytest.mark.parametrize("measure", ["pearson", "pearson(abs=true)"])
def test_what_abs_means_is_said_where_it_is_used(measure: str, tmp_path: pathlib.Path) -> None:
    result = result_of(tmp_path, [record("a", "de-en", 0.9, measure=measure)])
    table = task_table(result, "system", ("de-en",))
    section = study_page(result, study_answers(result)).sections[0]
    for text in (" ".join(table.notes), section.intro):
        assert ("without their sign (abs)" in text) == ("abs" in measure)


def test_overall_without_tests_or_figures(tmp_path: pathlib.Path) -> None:
    two = [record("a", d, -0.25) for d in ("de-en", "cs-en")]
    said = overall(result_of(tmp_path, two), "system", "into-en")
    assert said.endswith("a agrees with people, Pearson's r -.250 on average over de-en and cs-en.")
    beaten = [record("a", "de-en", 0.5, winner=False), record("a", "cs-en", 0.5, winner=False)]
    only = [*beaten, record("some", "de-en", 0.9, winner=True)]
    assert "significantly" not in overall(result_of(tmp_path, only), "system", "into-en")
    nothing = [record("a", "de-en", NAN), record("b", "cs-en", 0.9)]
    assert "no metric has a figure for every direction" in overall(result_of(tmp_path, nothing), "system", "into-en")


def test_names_of_metrics_are_hostile(tmp_path: pathlib.Path) -> None:
    metrics = '[metrics]\n"</script><script>alert(1)</script>" = "bleu"\n"../../x" = "chrf"\n"\\u202eabc" = "ter"'
    found = run(written(tmp_path, metrics, direction(), SYSTEM, FEW), tmp_path / "out", figures=False)
    page = found.files[0].read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "study.toml"]


def test_figures_of_hostile_names_stay_in_their_folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "KINDS", (".svg",))
    metrics = '[metrics]\n"../../x" = "chrf"\n"..x" = "bleu"'
    found = run(written(tmp_path, metrics, direction(), SYSTEM, FEW, "[average]\nexclude = []"), tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "study.toml"]
    figures = [p for p in found.files if p.suffix == ".svg"]
    assert len(figures) == len(set(figures)) >= 3
    assert all(p.parent == tmp_path / "out" / "figures" for p in figures)


def test_tables_of_every_level_and_group(tmp_path: pathlib.Path) -> None:
    groups = '[groups]\none = ["en-de"]\nboth = ["zh-en", "en-de"]'
    path = written(tmp_path, METRICS, direction(), direction("zh-en"), SYSTEM, SEGMENT, FEW, groups)
    found = run(path, tmp_path / "out", figures=False)
    assert list(found.tables) == list(itertools.product(("system", "segment"), ("one", "both")))
    assert found.tables["segment", "both"].header == ("metric", "zh-en", "en-de", "average")
    assert found.tables["segment", "both"].subheader[0] == "comparisons"


def test_run_is_a_function_of_the_package() -> None:
    assert tercet.run is run


def test_prose_has_no_flags(tmp_path: pathlib.Path) -> None:
    done = run(written(tmp_path, f'{METRICS}TER = "ter"\n', direction(), SYSTEM, SEGMENT, FEW), tmp_path / "out")
    told = [text for answers in study_answers(done.result).told.values() for text in answers]
    assert any("corrected for" in text for text in told)
    page = re.sub(r"<(script|style).*?</\1>", "", done.files[0].read_text(encoding="utf-8"), flags=re.DOTALL)
    assert "corrected for" in page
    assert all(gone not in text for text in [*told, page] for gone in ("--correction", "unlike ranks"))
