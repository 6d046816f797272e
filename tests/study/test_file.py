"""The study file: every key, and every mistake as one sentence that names the file and the key."""

from __future__ import annotations

import pathlib
import re

import pytest

from tercet.agreeing.gold import DaRR
from tercet.errors import InputError, TercetError
from tercet.options.agreeing import Certainty
from tercet.study import answer, read_study
from tests.conftest import ROOT
from tests.study.build import FEW, METRICS, SAMPLE, SEGMENT, SYSTEM, direction, written


def test_every_key(tmp_path: pathlib.Path) -> None:
    (tmp_path / "people.tsv").write_text("system\tHUMAN\nA\t1\n", encoding="utf-8")
    path = written(
        tmp_path,
        """
        title = "All of it"
        layout = "wmt19"
        [metrics]
        BLEU = "bleu(tokenize=intl)"
        WER = { spec = "wer(language={target})", levels = ["system"] }
        [[direction]]
        pair = "en-de"
        testset = "texts/en-de.tsv"
        judgements = "en-de.csv"
        testset_format = "tsv"
        judgements_format = "rankings"
        names = { "A.1" = "A" }
        without = ["B"]
        [[direction]]
        pair = "Czech-English"
        scores = ["a.tsv", "b.tsv"]
        scores_format = "table"
        human = "HUMAN"
        lower = ["TER"]
        [[direction]]
        pair = "de-fr"
        scores = "a.tsv"
        human = "people.tsv"
        [system]
        measure = "pearson"
        gold = "trueskill"
        secondary = ["spearman", "kendall"]
        secondary_gold = "expected-wins"
        interval = "judgements"
        test = "williams"
        [segment]
        measure = "kendall(variant=darr)"
        gold = "darr(least=10)"
        [average]
        exclude = ["en-de"]
        [groups]
        some = ["ces-eng", "en-de"]
        other = "de-fr"
        [sampling]
        samples = 50
        draws = 60
        seed = 7
        alpha = 0.1
        correction = "holm"
        unit = "task"
        on_skip = "pair"
        references = true
        judged = 1
        """,
    )
    study = read_study(path)
    assert (study.title, study.layout, study.file) == ("All of it", "wmt19", path)
    assert study.text == path.read_text(encoding="utf-8")
    assert [d.pair for d in study.directions] == ["en-de", "cs-en", "de-fr"]
    first, second, third = study.directions
    assert first.testset == tmp_path / "texts/en-de.tsv", "beside the study, wherever that is run from"
    assert first.judgements == tmp_path / "en-de.csv"
    assert (first.testset_format, first.judgements_format) == ("tsv", "rankings")
    assert (first.names, first.without) == ({"A.1": "A"}, ("B",))
    assert second.scores == (tmp_path / "a.tsv", tmp_path / "b.tsv")
    assert (second.human, second.lower, second.scores_format) == ("HUMAN", ("TER",), "table")
    assert third.human == str(tmp_path / "people.tsv"), "a file where there is one"
    system, segment = study.levels["system"], study.levels["segment"]
    assert str(system.measure) == "pearson"
    assert list(map(str, system.secondary)) == ["spearman", "kendall"]
    assert (str(system.gold), str(system.secondary_gold)) == ("trueskill", "expected-wins")
    assert (system.interval, system.test) == ("judgements", "williams")
    assert segment.gold == DaRR(least=10)
    assert (segment.interval, segment.test) == ("auto", "auto")
    assert study.exclude == ("en-de",)
    assert study.groups == {"some": ("cs-en", "en-de"), "other": ("de-fr",)}
    asked = study.asked
    sampling = (asked.samples, asked.draws, asked.seed, asked.alpha, asked.correction, asked.unit, asked.on_skip)
    assert sampling == (50, 60, 7, 0.1, "holm", "task", "pair")
    assert (asked.references, asked.judged) == (True, 1.0)
    assert study.metrics_at("segment") == ["BLEU"]
    assert str(study.metrics_of("en-de")["WER"]) == "wer(language=de)"
    assert str(study.metrics_of("de-fr")["WER"]) == "wer(language=fr)"


def test_what_is_not_said(tmp_path: pathlib.Path) -> None:
    study = read_study(written(tmp_path, METRICS, direction(), direction("de-en"), direction("zh-en"), SYSTEM))
    assert (study.title, study.layout, study.exclude) == ("study", "wmt15", ())
    assert study.asked == Certainty()
    assert study.groups == {"into-en": ("de-en", "zh-en"), "from-en": ("en-de",)}


def test_source_and_target(tmp_path: pathlib.Path) -> None:
    metrics = '[metrics]\nodd = "wer(language={source})"'
    study = read_study(written(tmp_path, metrics, direction("de-en"), direction("zh-en"), SYSTEM))
    assert str(study.metrics_of("de-en")["odd"]) == "wer(language=de)"
    assert str(study.metrics_of("zh-en")["odd"]) == "wer(language=zh)"


def test_studies_that_ship_can_be_read() -> None:
    assert len(read_study(SAMPLE / "study.toml").directions) == 5
    directions = {"wmt14": 5, "wmt15": 5, "wmt19": 12, "wmt20": 3}
    assert {p.stem: len(read_study(p).directions) for p in (ROOT / "replication").glob("*.toml")} == directions


def test_a_byte_order_mark_is_nothing(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_study(path).title == "study"


def whole(
    *, top: str = "", metrics: str = METRICS, directions: str = direction(), system: str = SYSTEM, end: str = ""
) -> str:
    return "\n".join([top, metrics, directions, system, end])


def bare(*lines: str) -> str:
    return "\n".join(["[[direction]]", *lines])


TEXTS = f'testset = "{SAMPLE / "en-de.tsv"}"'
JUDGED = f'judgements = "{SAMPLE / "en-de.rankings.csv"}"'
PAIR = 'pair = "en-de"'

# what is wrong, and what the sentence must name besides the file
WRONG = {
    "a key": (whole(top='titel = "x"'), "'titel'", "title"),
    "title": (whole(top="title = 3"), "title", "3"),
    "layout": (whole(top='layout = "wmt16"'), "layout", "wmt14, wmt15, wmt19"),
    "layout list": (whole(top='layout = ["wmt15"]'), "layout", "wmt15"),
    "metric": (whole(metrics='[metrics]\nBLEU = "blue"'), "[metrics] BLEU", "bleu"),
    "option of a metric": (whole(metrics='[metrics]\nBLEU = "bleu(tok=13a)"'), "[metrics] BLEU", "'tok'"),
    "metric that is a number": (whole(metrics="[metrics]\nBLEU = 3"), "[metrics] BLEU", "a spec"),
    "metric without spec": (whole(metrics='[metrics]\nBLEU = { levels = ["system"] }'), "[metrics] BLEU", "a spec"),
    "spec that is a number": (whole(metrics="[metrics]\nBLEU = { spec = 3 }"), "[metrics] BLEU", "a string"),
    "key of a metric": (whole(metrics='[metrics]\nA = { spec = "bleu", level = "system" }'), "[metrics] A", "levels"),
    "level of a metric": (whole(metrics='[metrics]\nA = { spec = "bleu", levels = ["word"] }'), "levels", "'word'"),
    "no level of a metric": (whole(metrics='[metrics]\nA = { spec = "bleu", levels = [] }'), "[system]", "no metric"),
    "brace": (whole(metrics='[metrics]\nA = "wer(language={trg})"'), "[metrics] A", "{trg}"),
    "metrics": (whole(top="metrics = 3", metrics=""), "[metrics]", "a table"),
    "no metric": (whole(metrics=""), "no metric"),
    "no direction": (whole(directions=""), "no direction"),
    "direction that is a table": (whole(directions='[direction]\npair = "en-de"'), "[[direction]]", "tables"),
    "key of a direction": (whole(directions=direction(more='judgments = "x"')), "en-de", "'judgments'", "judgements"),
    "no pair": (whole(directions=bare(TEXTS, JUDGED)), "direction 1", "pair"),
    "pair that is a number": (whole(directions=bare("pair = 3", TEXTS, JUDGED)), "pair", "a string"),
    "empty pair": (whole(directions=bare('pair = ""', TEXTS, JUDGED)), "pair", "no language pair"),
    "pair that is none": (whole(directions=bare('pair = "deen"', TEXTS, JUDGED)), "pair", "'deen'"),
    "pair twice": (whole(directions=direction() + direction()), "direction twice", "en-de"),
    "pair twice in other words": (
        whole(directions=direction() + bare('pair = "eng-deu"', TEXTS, JUDGED)),
        "direction twice",
    ),
    "neither texts nor scores": (whole(directions=bare(PAIR, JUDGED)), "en-de", "no testset and no scores"),
    "no judgements": (whole(directions=bare(PAIR, TEXTS)), "en-de", "no judgements"),
    "lower of texts": (whole(directions=direction(more='lower = ["BLEU"]')), "en-de", "lower"),
    "testset": (whole(directions=bare(PAIR, "testset = 3", JUDGED)), "testset", "a string"),
    "judgements": (whole(directions=bare(PAIR, TEXTS, "judgements = 3")), "judgements", "a string"),
    "scores": (whole(directions=bare(PAIR, "scores = 3")), "scores", "a list of strings"),
    "human": (whole(directions=bare(PAIR, TEXTS, "human = 3")), "human", "a string"),
    "lower": (whole(directions=bare(PAIR, 'scores = "x"', "lower = 3")), "lower", "a list of strings"),
    "names": (whole(directions=direction(more='names = ["a"]')), "names", "a table"),
    "names of a number": (whole(directions=direction(more="names = { a = 3 }")), "names", "a string"),
    "without": (whole(directions=direction(more="without = 3")), "without", "a list of strings"),
    "without at a level": (whole(directions=direction(more="without = { system = 3 }")), "without system", "strings"),
    "without at no level": (whole(directions=direction(more='without = { word = ["A"] }')), "without", "'word'"),
    "testset_format": (whole(directions=direction(more="testset_format = 3")), "testset_format", "a string"),
    "judgements_format": (whole(directions=direction(more="judgements_format = 3")), "judgements_format", "a string"),
    "scores_format": (whole(directions=direction(more="scores_format = 3")), "scores_format", "a string"),
    "no level": (whole(system=""), "no level"),
    "level that is no table": (whole(top='system = "pearson"', system=""), "[system]", "a table"),
    "key of a level": (whole(system=SYSTEM + 'intervall = "none"'), "[system]", "interval"),
    "no measure": (whole(system='[system]\ngold = "trueskill"'), "[system]", "no measure"),
    "measure": (whole(system='[system]\nmeasure = "peerson"'), "[system] measure", "pearson"),
    "measure that is a number": (whole(system="[system]\nmeasure = 3"), "[system] measure", "a string"),
    "measure of another level": (whole(system='[system]\nmeasure = "acc-eq"'), "[system] measure", "segment"),
    "measure of groups": (whole(system='[system]\nmeasure = "pearson(group=item)"'), "[system] measure", "group"),
    "measure of comparisons": (whole(system='[system]\nmeasure = "kendall(variant=wmt14)"'), "[system] measure"),
    "gold": (whole(system='[system]\nmeasure = "pearson"\ngold = "trueskil"'), "[system] gold", "trueskill"),
    "gold that is a number": (whole(system='[system]\nmeasure = "pearson"\ngold = 3'), "[system] gold", "a string"),
    "gold for nothing": (whole(system='[system]\nmeasure = "pearson"\ngold = "pairs"'), "[system]", "needs scores"),
    "gold of the other kind": (
        whole(end='[segment]\nmeasure = "kendall(variant=wmt14)"\ngold = "trueskill"'),
        "[segment]",
        "needs comparisons",
    ),
    "gold without judgements": (whole(directions=bare(PAIR, 'scores = "x"')), "[system] gold", "judgements"),
    "secondary": (whole(system=SYSTEM + 'secondary = ["x"]'), "[system] secondary", "'x'"),
    "secondary that is a number": (whole(system=SYSTEM + "secondary = 3"), "[system] secondary", "a list"),
    "secondary of another level": (whole(system=SYSTEM + 'secondary = ["acc-eq"]'), "[system] secondary", "segment"),
    "secondary gold": (whole(system=SYSTEM + 'secondary_gold = "pairs"'), "secondary_gold", "a ranker"),
    "interval": (whole(system=SYSTEM + 'interval = "x"'), "[system] interval", "judgements"),
    "test": (whole(system=SYSTEM + 'test = "x"'), "[system] test", "williams"),
    "key of the average": (whole(end='[average]\nexcluded = ["en-de"]'), "[average]", "exclude"),
    "exclude": (whole(end="[average]\nexclude = 3"), "[average] exclude", "a list"),
    "exclude nobody": (whole(end='[average]\nexclude = ["fr-de"]'), "[average] exclude", "'fr-de'"),
    "group of nobody": (whole(end='[groups]\na = ["fr-de"]'), "[groups] a", "'fr-de'"),
    "group of none": (whole(end="[groups]\na = []"), "[groups] a", "no direction"),
    "group with one twice": (whole(end='[groups]\na = ["en-de", "en-de"]'), "[groups] a", "twice"),
    "group": (whole(end="[groups]\na = 3"), "[groups] a", "a list"),
    "key of sampling": (whole(end="[sampling]\nsample = 3"), "[sampling]", "samples"),
    "samples": (whole(end='[sampling]\nsamples = "3"'), "[sampling]: samples must be", "a whole number"),
    "samples that are true": (whole(end="[sampling]\nsamples = true"), "[sampling]: samples must be", "a whole number"),
    "few samples": (whole(end="[sampling]\nsamples = 3"), "[sampling]", "samples", "40 or more"),
    "no draws": (whole(end="[sampling]\ndraws = 0"), "[sampling]", "draws"),
    "seed": (whole(end="[sampling]\nseed = -1"), "[sampling]", "seed"),
    "alpha": (whole(end="[sampling]\nalpha = 2"), "[sampling]", "alpha"),
    "alpha that is a string": (whole(end='[sampling]\nalpha = "x"'), "[sampling]: alpha must be", "a number"),
    "correction": (whole(end='[sampling]\ncorrection = "x"'), "[sampling]: correction must be", "holm"),
    "unit": (whole(end='[sampling]\nunit = "x"'), "[sampling]: unit must be", "pair, task, segment"),
    "on_skip": (whole(end='[sampling]\non_skip = "x"'), "[sampling]: on_skip must be", "task, pair"),
    "references": (whole(end="[sampling]\nreferences = 1"), "[sampling] references", "true or false"),
    "judged": (whole(end="[sampling]\njudged = 5.0"), "[sampling]", "judged"),
    "sampling": (whole(end="[[sampling]]\nsamples = 3"), "[sampling]", "a table"),
    "no TOML": ("x = = 3", "TOML", "line 1"),
    "empty": ("", "no direction"),
}


@pytest.mark.parametrize(("text", "named"), [(t, n) for t, *n in WRONG.values()], ids=WRONG)
def test_a_mistake_is_one_sentence_with_file_and_key(text: str, named: list[str], tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_study(path)
    message = str(error.value)
    assert str(path) in message
    for each in named:
        assert each in message
    assert message.count(str(path)) == 1
    assert "\n" not in message


# What shows only when files are read: the sentence names the study, the direction and the file.
LATER = {
    "no test set": (bare(PAIR, 'testset = "no.tsv"', JUDGED), "no.tsv"),
    "no judgements": (bare(PAIR, TEXTS, 'judgements = "no.csv"'), "no.csv"),
    "no scores": (bare(PAIR, 'scores = "no.csv"'), "no.csv"),
    "no people": (bare(PAIR, TEXTS, 'human = "no.csv"'), "no.csv"),
    "another direction": (bare('pair = "de-en"', TEXTS, JUDGED), "nothing of de-en"),
    "format of the test set": (direction(more='testset_format = "x"'), "no format called 'x'"),
    "format of the judgements": (direction(more='judgements_format = "x"'), "no format of judgements called 'x'"),
    "map of names": (direction(more='names = { nobody = "amber" }'), "nobody=amber"),
    "system to leave out": (direction(more='without = ["nobody"]'), "no system nobody"),
}


@pytest.mark.parametrize(("directions", "named"), LATER.values(), ids=LATER)
def test_a_file_that_cannot_be_used_is_named_with_its_direction(
    directions: str, named: str, tmp_path: pathlib.Path
) -> None:
    path = written(tmp_path, METRICS, directions, '[system]\nmeasure = "pearson"\n', FEW)
    pair = re.search('pair = "(.*)"', directions)
    assert pair is not None
    with pytest.raises(TercetError) as error:
        answer(read_study(path))
    assert str(error.value).startswith(f"{path}, {pair[1]}: ")
    assert named in str(error.value)


def test_files_are_looked_for_beside_the_study(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    text = bare(PAIR, 'testset = "no.tsv"', JUDGED)
    with pytest.raises(InputError, match=re.escape(str(tmp_path / "no.tsv"))):
        answer(read_study(written(tmp_path, METRICS, text, SYSTEM)))


def test_what_is_no_file(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_study(tmp_path / "no.toml")
    with pytest.raises(InputError, match="is a directory"):
        read_study(tmp_path)
    path = tmp_path / "latin.toml"
    path.write_bytes(b'title = "\xe9"')
    with pytest.raises(InputError, match="line 1"):
        read_study(path)


def test_a_level_that_no_metric_takes_part_in(tmp_path: pathlib.Path) -> None:
    metrics = '[metrics]\nA = { spec = "bleu", levels = ["system"] }'
    with pytest.raises(InputError, match=r"no metric takes part in \[segment\]"):
        read_study(written(tmp_path, metrics, direction(), SYSTEM, SEGMENT))
