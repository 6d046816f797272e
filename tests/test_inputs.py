"""Input has one gate: whatever is wrong with a file, every verb that takes it says the same of it."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import shutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tercet
import tercet.sample
from tercet import inputs, label_inputs
from tercet.data import MetricScores, TestSet
from tercet.errors import TercetError
from tercet.sample import campaign, judgements
from tests.study.build import SAMPLE

Verb = Callable[..., Any]
FAST: dict[str, Any] = {"samples": 200, "threads": 1}


def explained(**given: Any) -> Any:
    return tercet.explain("chrf", segment="1", systems=["amber"], **given)


def studied(testset: pathlib.Path, pair: str | None = None, testset_format: str | None = None) -> Any:
    """`run`, which names the direction before what is wrong with its files."""
    study = testset.parent / "study.toml"
    facts = {"pair": pair or "en-de", "testset": testset.name, "judgements": "judgements.csv"}
    facts |= {"testset_format": testset_format} if testset_format else {}
    lines = [
        "[[direction]]",
        *(f'{name} = "{value}"' for name, value in facts.items()),
        "[metrics]",
        'chrF = "chrf"',
        "[system]",
        'measure = "pearson"',
    ]
    study.write_text("\n".join(lines), encoding="utf-8")
    return tercet.run(study, study.parent / "out", figures=False)


def silent_judgements() -> tercet.Judgements:
    """Those of the demo, without the language pair."""
    return dataclasses.replace(judgements("en-de"), pair="")


TEXTS: dict[str, Verb] = {
    "score": lambda **given: tercet.score(metrics="chrf", **given),
    "compare": lambda **given: tercet.compare(metrics="chrf", **given, **FAST),
    "explain": explained,
    "rank": lambda testset, pair=None, testset_format=None: tercet.rank(
        silent_judgements(), testset=testset, pair=pair, method="expected-wins", **FAST
    ),
    "meta": lambda **given: tercet.meta(judgements=silent_judgements(), metrics="chrf", interval="none", **given),
    "tune": lambda **given: tercet.tune(
        "chrf", judgements=silent_judgements(), parameters=["beta"], folds=2, search="grid", **given
    ),
}
PEOPLE: dict[str, Verb] = {
    "rank": lambda **given: tercet.rank(method="expected-wins", **given, **FAST),
    "head_to_head": tercet.head_to_head,
    "agreement": tercet.agreement,
    "annotators": tercet.annotators,
    "choose": lambda **given: tercet.choose(methods=["expected-wins"], folds=2, **given),
    "plan": lambda **given: tercet.plan(budget=20, campaigns=2, samples=40, **given),
    "meta": lambda **given: tercet.meta(testset=campaign("en-de"), metrics="chrf", interval="none", **given),
    "tune": lambda **given: tercet.tune(
        "chrf", testset=campaign("en-de"), parameters=["beta"], folds=2, search="grid", **given
    ),
}
SCORES: dict[str, Verb] = {
    "scores of meta": lambda file, **given: tercet.meta(scores=file, interval="none", **given),
    "people's scores of meta": lambda file, **given: tercet.meta(
        testset=campaign("en-de"), human=file, metrics="chrf", interval="none", **given
    ),
    "people's scores of tune": lambda file, **given: tercet.tune(
        "chrf", testset=campaign("en-de"), human=file, parameters=["beta"], **given
    ),
}


def put(path: pathlib.Path, content: str) -> pathlib.Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    return path


@pytest.fixture
def table(tmp_path: pathlib.Path) -> pathlib.Path:
    """A file of the test set of the demo."""
    from tercet.formats import table as tables

    tables.write(campaign("en-de"), tmp_path / "texts.tsv")
    return tmp_path / "texts.tsv"


def folder(root: pathlib.Path, *pairs: str) -> pathlib.Path:
    """The same as mt-metrics-eval would have it."""
    texts = campaign("en-de")
    assert texts.references is not None
    for pair in pairs:
        put(root / "sources" / f"{pair}.txt", "".join(f"{s}\n" for s in texts.sources or ()))
        put(root / "references" / f"{pair}.refA.txt", "".join(f"{own[0]}\n" for own in texts.references))
        for name, output in texts.systems.items():
            put(root / "system-outputs" / pair / f"{name}.txt", "".join(f"{s}\n" for s in output))
    return root


def complaints(verbs: dict[str, Verb], *args: Any, **given: Any) -> set[str]:
    """What verbs say of an input that is wrong."""
    said = {}
    for name, verb in verbs.items():
        with pytest.raises(TercetError) as caught:
            verb(*args, **given)
        said[name] = str(caught.value)
    return set(said.values())


WRONG_TEXTS: dict[str, tuple[Callable[[pathlib.Path], pathlib.Path], dict[str, str], str]] = {
    "no file": (lambda root: root / "nowhere.tsv", {}, "There is no file"),
    "no file, with a pair": (lambda root: root / "nowhere.tsv", {"pair": "en-de"}, "There is no file"),
    "unknown": (lambda root: put(root / "texts", "a b c\n"), {}, "The format of"),
    "ragged": (lambda root: put(root / "t.tsv", "reference\tA\nx\n"), {}, "line 2: 1 fields where the header has 2"),
    "not UTF-8": (lambda root: put(root / "t.tsv", "reference\tA\nx\t\udcff\n"), {}, "line 2, byte 3: 0xff is not"),
    "several pairs": (
        lambda root: folder(root, "en-de", "de-en"),
        {},
        "has 2 language pairs. Choose one of de-en, ",
    ),
    "another pair": (lambda root: folder(root, "en-de"), {"pair": "cs-en"}, "has no language pair 'cs-en'. Choose"),
    "no test set": (lambda root: put(root / "a" / "b", "").parent, {}, "is no test set: it has no sources/SRC-TGT.txt"),
    "no pair": (lambda root: put(root / "t.tsv", "reference\tA\nx\ty\n"), {"pair": "German"}, "is no language pair"),
    "SGML of another pair": (
        lambda root: put(
            root / "t.sgm",
            '<refset srclang="Czech" trglang="English"><doc docid="d"><seg id="1">x</seg></doc></refset>'
            '<tstset srclang="cs" trglang="en"><doc docid="d" sysid="A"><seg id="1">x</seg></doc></tstset>',
        ),
        {"pair": "en-de"},
        "has nothing of en-de. Its language pair is cs-en.",
    ),
    "XML of another pair": (
        lambda root: put(
            root / "t.xml",
            '<dataset><doc id="d"><src lang="cs"><p><seg id="1">x</seg></p></src>'
            '<hyp system="A" lang="en"><p><seg id="1">x</seg></p></hyp></doc></dataset>',
        ),
        {"pair": "en-de"},
        "has nothing of en-de. Its language pair is cs-en.",
    ),
}


@pytest.mark.parametrize("fault", WRONG_TEXTS)
def test_a_wrong_test_set_is_the_same_to_all(fault: str, tmp_path: pathlib.Path) -> None:
    made, given, sentence = WRONG_TEXTS[fault]
    (said,) = complaints(TEXTS, testset=made(tmp_path), **given)
    assert sentence in said


def test_a_pipe_whose_format_is_not_named(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (said,) = complaints(TEXTS, testset=tmp_path / "pipe")
    assert "is a pipe, and looking at it would use it up" in said


@pytest.mark.parametrize("verb", TEXTS)
def test_a_pair_goes_with_a_file_and_with_a_folder(verb: str, table: pathlib.Path) -> None:
    for pair in ("en-de", "English-German"):
        assert TEXTS[verb](testset=table, pair=pair)
        assert TEXTS[verb](testset=folder(table.parent / "folder", "en-de", "de-en"), pair=pair)


TOGETHER: dict[str, Verb] = {
    "rank": lambda **given: tercet.rank(method="expected-wins", **given, **FAST),
    "meta": lambda **given: tercet.meta(metrics="chrf", interval="none", **given),
    "tune": lambda **given: tercet.tune("chrf", parameters=["beta"], folds=2, search="grid", **given),
}


def judged(path: pathlib.Path, *pairs: str) -> pathlib.Path:
    """The rankings of the demo in a file, as if they were of each of these pairs."""
    header, *rows = (pathlib.Path(tercet.sample.__file__).parent / "en-de.rankings.csv").read_text("utf-8").split("\n")
    lines = [row.replace("en,de", pair.replace("-", ","), 1) for pair in pairs for row in rows if row]
    return put(path, "\n".join([header, *lines]) + "\n")


@pytest.mark.parametrize("verb", TOGETHER)
def test_the_only_pair_that_files_share_is_meant(verb: str, tmp_path: pathlib.Path) -> None:
    several = judged(tmp_path / "several.csv", "en-de", "cs-en")
    assert TOGETHER[verb](testset=folder(tmp_path / "one", "en-de"), judgements=several)
    two = folder(tmp_path / "two", "en-de", "de-en")
    assert TOGETHER[verb](testset=two, judgements=several)
    assert TOGETHER[verb](testset=two, judgements=judgements("en-de"))


def test_pairs_that_files_share_are_listed(tmp_path: pathlib.Path) -> None:
    two = folder(tmp_path / "two", "en-de", "de-en")
    (said,) = complaints(TOGETHER, testset=two, judgements=judged(tmp_path / "j.csv", "en-de", "cs-en", "de-en"))
    assert said == (
        f"What is given together has language pairs in common: de-en, en-de. {two} has de-en, en-de; "
        f"{tmp_path / 'j.csv'} has en-de, cs-en, de-en. Choose one: --pair de-en."
    )
    (said,) = complaints(TOGETHER, testset=two, judgements=judged(tmp_path / "j.csv", "cs-en"))
    assert said.startswith("What is given together has no language pair in common. ")
    (said,) = complaints(TOGETHER, testset=folder(tmp_path / "one", "en-de"), judgements=tmp_path / "j.csv")
    assert said.endswith("j.csv has nothing of en-de. Its language pair is cs-en.")


def test_scores_say_the_pair_of_texts_that_do_not(table: pathlib.Path) -> None:
    several = judged(table.parent / "several.csv", "en-de", "cs-en")
    scores = put(table.parent / "s.tsv", "lp\tsystem\tM\nen-de\tamber\t1\nen-de\tbirch\t2\nen-de\tcedar\t3\n")
    found = tercet.meta(testset=table, judgements=several, scores=scores, metrics="chrf", interval="none")
    assert {(r.metric, r.direction) for r in found} == {("M", "en-de"), ("chrf", "en-de")}


def test_a_study_names_its_direction_and_says_the_same(tmp_path: pathlib.Path, table: pathlib.Path) -> None:
    ranked = judgements("en-de")
    from tercet.formats import records

    records.write(ranked, tmp_path / "judgements.csv")
    assert studied(table)
    shutil.rmtree(tmp_path / "out")
    with pytest.raises(TercetError, match=r"line 2: 1 fields where the header has 2"):
        studied(put(tmp_path / "texts.tsv", "reference\tA\nx\n"))


SEVERAL = "lp,segment,better,worse\nen-de,1,amber,birch\ncs-en,1,amber,birch\n"
ONE = "lp,segment,better,worse\ncs-en,1,amber,birch\n"
WRONG_PEOPLE: dict[str, tuple[str | None, dict[str, str], str]] = {
    "no file": (None, {}, "There is no file"),
    "empty": ("", {}, "is empty"),
    "unknown": ("a b c\n", {}, "The format of"),
    "several pairs": (SEVERAL, {}, "the file has 2 language pairs: en-de, cs-en. Choose one: --pair en-de"),
    "another pair": (ONE, {"pair": "en-de"}, "has nothing of en-de. Its language pair is cs-en."),
    "no pair": (ONE, {"pair": "Czech"}, "'Czech' is no language pair."),
    "unknown format": (ONE, {"judgements_format": "docx"}, "There is no format of judgements called 'docx'."),
}


@pytest.mark.parametrize("fault", WRONG_PEOPLE)
def test_wrong_judgements_are_the_same_to_all(fault: str, tmp_path: pathlib.Path) -> None:
    content, given, sentence = WRONG_PEOPLE[fault]
    file = tmp_path / "judgements.csv" if content is None else put(tmp_path / "judgements.csv", content)
    (said,) = complaints(PEOPLE, judgements=file, **given)
    assert sentence in said


def test_judgements_that_are_there_already() -> None:
    data = judgements("en-de")
    (said,) = complaints(PEOPLE, judgements=data, pair="cs-en")
    assert said.endswith(f"has nothing of cs-en. Its language pair is {data.pair}.")
    (said,) = complaints(
        {name: PEOPLE[name] for name in PEOPLE if name != "tune"}, judgements=data, judgements_format="da"
    )
    assert said == "A format belongs to a file of judgements. Leave it out."
    (said,) = complaints(PEOPLE, judgements=17)
    assert said.startswith("Judgements are a file or what read_judgements gives, not int.")
    assert tercet.rank(data, pair="English-German", method="expected-wins", samples=40).pair == "en-de"


@pytest.mark.parametrize(
    ("content", "given", "sentence"),
    {
        "no file": (None, {}, "There is no file"),
        "empty": ("", {}, "is empty"),
        "unknown": ("a b c\n", {}, "The format of"),
        "another pair": (
            "lp\tsystem\tHUMAN\ncs-en\tA\t1\n",
            {"pair": "en-de"},
            "has nothing of the language pair 'en-de'",
        ),
        "unknown format": (
            "system\tM\nA\t1\n",
            {"scores_format": "docx"},
            "There is no format of scores called 'docx'",
        ),
    }.values(),
)
def test_wrong_scores_are_the_same_to_all(
    content: str | None, given: dict[str, str], sentence: str, tmp_path: pathlib.Path
) -> None:
    file = tmp_path / "scores.txt" if content is None else put(tmp_path / "scores.txt", content)
    (said,) = complaints(SCORES, file, **given)
    assert sentence in said


def test_what_a_submission_lacks_is_named_with_counts() -> None:
    def made(metric: str, direction: str, systems: str, items: str, *missing: tuple[int, int]) -> MetricScores:
        values = np.ones((len(systems), len(items)))
        for place in missing:
            values[place] = np.nan
        return MetricScores(metric, direction, "segment", tuple(systems), tuple(items), values)

    def gaps(scores: list[MetricScores], texts: TestSet | None = None) -> list[str]:
        return [*inputs.missing_directions(scores), *inputs.missing_scores(scores, texts)]

    full = [made("M", "de-en", "ABCD", "1234"), made("M", "cs-en", "AB", "12")]
    assert gaps([*full, made("N", "de-en", "DCBA", "4321"), made("N", "cs-en", "BA", "12")]) == []
    assert gaps(
        [*full, made("N", "de-en", "DCBA", "4321", (1, 0), (1, 2), (3, 3)), made("N", "cs-en", "BA", "12")]
    ) == ["N has no score of 3 of 16 outputs of de-en that other metrics have: 1 of A, 2 of C."]
    nobody = [made(metric, "", "AB", "12", (0, 0)) for metric in "MN"]
    assert gaps(nobody) == [], "what nobody scored is no gap"
    texts = TestSet.of({"A": ["x"] * 3, "B": ["y"] * 3}, ["z"] * 3, segments=("1", "2", "3"))
    assert gaps([made("N", "", "A", "12", (0, 1))], texts) == [
        "N has no score of 1 of 2 systems that other metrics have: B.",
        "N has no score of 2 of 3 segments that other metrics have: 2, 3.",
    ]
    assert gaps(nobody, texts)[-1] == "N has no score of 1 of 4 outputs that other metrics have: 1 of A."
    assert gaps([*full, made("N", "de-en", "AB", "123", (0, 0), (1, 0))]) == [
        "N has no score of 1 of 2 directions that other metrics have: cs-en.",
        "N has no score of 2 of 4 systems of de-en that other metrics have: C, D.",
        "N has no score of 2 of 4 segments of de-en that other metrics have: 1, 4.",
    ]
    translated = dataclasses.replace(made("N", "de-en", "ABCDE", "1234"), systems=(*"ABCD", "Human-A.0"))
    assert gaps([full[0], translated]) == [], "human translations are no systems"
    human = made("HUMAN", "de-en", "A", "1")
    assert gaps([*full, human]) == [], "people need not judge everything"


def test_meta_names_what_a_metric_lacks(tmp_path: pathlib.Path) -> None:
    rows = "system\tHUMAN\tM\tN\nA\t1\t1\t1\nB\t2\t2\tNA\nC\t3\t3\t3\nD\t4\t4\t4\n"
    found = tercet.meta(scores=put(tmp_path / "scores.tsv", rows), interval="none")
    assert "N has no score of 1 of 4 systems that other metrics have: B." in found.notes


def test_big_files_come_in_parts(tmp_path: pathlib.Path) -> None:
    file = put(tmp_path / "t.tsv", "reference\tA\n" + "x\ty\n" * 5)
    parts = inputs.parts_of_testset(file, None, "en-de", 2)
    assert [len(part) for part in parts.read()] == [2, 2, 1]
    assert parts.again
    whole = inputs.whole_testset(file)
    assert isinstance(whole, TestSet)
    assert len(whole) == 5


def test_texts_whose_name_says_another_pair_are_refused(tmp_path: pathlib.Path) -> None:
    """Both directions have the same names of systems and segments, and the answer would look like one."""
    texts = shutil.copy(SAMPLE / "en-de.tsv", tmp_path / "dev.en-de.tsv")
    other: Any = {"judgements": SAMPLE / "de-en.rankings.csv", "metrics": ["chrf"], "samples": 40}
    with pytest.raises(TercetError, match=r"is of en-de, and what people or metrics say is of de-en"):
        tercet.meta(testset=texts, **other)
    assert tercet.meta(testset=texts, pair="de-en", **other).records[0].n == 5, "said, it is taken"
    silent = shutil.copy(texts, tmp_path / "texts.tsv")
    assert tercet.meta(testset=silent, **other).records[0].n == 5, "nothing tells"


def test_texts_beside_each_other_are_read_alike_from_lists_and_files(tmp_path: pathlib.Path) -> None:
    columns = [[f"{name} {i}" for i in range(5)] for name in "ab"]
    files = [tmp_path / name for name in "ab"]
    for file, rows in zip(files, columns, strict=True):
        file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    assert [label_inputs.lines_of(file, "text") for file in files] == columns
    wanted = [(at + 1, [rows[at : at + 2] for rows in columns]) for at in (0, 2, 4)]
    assert list(label_inputs.lines_together(columns, 2)) == wanted
    assert [part for part in label_inputs.lines_together(files, 2) if part[1][0]] == wanted
    assert list(label_inputs.lines_together([files[0], columns[1]], 2)) == wanted
    with pytest.raises(TercetError, match="There are 5, 4 texts"):
        list(label_inputs.lines_together([columns[0], columns[1][:4]], 2))
    with pytest.raises(TercetError, match="named twice"):
        list(label_inputs.lines_together(["-", "-"], 2))


def test_labels_of_quality_as_they_are_and_from_their_files(tmp_path: pathlib.Path) -> None:
    scores, tags = tmp_path / "scores", tmp_path / "tags"
    scores.write_text("0.25\n0.5\n", encoding="utf-8")
    tags.write_text("OK BAD\nOK\n", encoding="utf-8")
    (name, read), *_ = label_inputs.sentence_labels(scores, "mine", gold=True).items()
    given = label_inputs.sentence_labels([0.25, 0.5], "mine")["mine"]
    assert read.scores is not None
    assert (name, read.scores.tolist()) == ("mine", [0.25, 0.5])
    assert label_inputs.sentence_labels(given, "other") == {"other": given}
    assert [label_inputs.quality_level(one) for one in (scores, tags, given)] == ["sentence", "word", "sentence"]
    assert list(label_inputs.word_tags(tags, "mine")) == ["mine"]
    assert label_inputs.times([0.25, 0.5]).tolist() == label_inputs.times(scores).tolist() == [0.25, 0.5]
    for refused in (label_inputs.word_tags, label_inputs.span_labels):
        with pytest.raises(TercetError, match="mine is list where"):
            refused([1], "mine")
    with pytest.raises(TercetError, match="mine is no list of finite numbers"):
        label_inputs.sentence_labels([float("nan")], "mine")
