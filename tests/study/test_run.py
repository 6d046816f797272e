"""A study answered: levels, golds, scores instead of texts, and what a second run counts."""

from __future__ import annotations

import dataclasses
import math
import pathlib
from typing import Any

import pytest

import tercet
from tercet.data import MetricAgreement
from tercet.errors import InputError
from tercet.report.study import study_page
from tercet.sample import campaign, judgements
from tercet.study import StudyResult, answer, read_study
from tercet.study.answers import study_answers, task_tables
from tercet.study.file import SAMPLING, LevelPlan, StudyDirection
from tercet.study.run import together
from tests.study.build import FEW, METRICS, SEGMENT, SYSTEM, direction, written

SAMPLED: Any = {"samples": 40}


def asked(tmp_path: pathlib.Path, *parts: str, cache: str | None = None) -> StudyResult:
    """A study answered."""
    return answer(read_study(written(tmp_path, *parts)), None if cache is None else tmp_path / cache)


def values(found: tercet.MetaEvaluation) -> dict[tuple[str, ...], float]:
    return {(r.direction, r.metric, r.measure): r.value for r in found}


def test_a_study_gives_what_meta_gives(tmp_path: pathlib.Path) -> None:
    result = asked(tmp_path, METRICS, direction(), direction("zh-en"), SYSTEM, SEGMENT, FEW)
    assert list(result.main) == ["system", "segment"]
    for pair in ("en-de", "zh-en"):
        for level, gold in (("system", "expected-wins"), ("segment", None)):
            alone = tercet.meta(
                testset=campaign(pair),
                judgements=judgements(pair),
                metrics={"BLEU": "bleu", "chrF": "chrf"},
                level=level,  # type: ignore[arg-type]
                gold=gold,
                draws=40 if level == "segment" else None,
                **SAMPLED,
            )
            own = [r for r in result.main[level] if r.direction == pair]  # type: ignore[index]
            assert tuple(own) == alone.records
            assert set(alone.answers) <= set(result.main[level].answers)  # type: ignore[index]


def test_metrics_take_part_in_their_levels_only(tmp_path: pathlib.Path) -> None:
    metrics = (
        '[metrics]\nA = { spec = "bleu", levels = ["system"] }\nB = "chrf"\nC = { spec = "ter", levels = "segment" }'
    )
    result = asked(tmp_path, metrics, direction(), SYSTEM, SEGMENT, FEW)
    assert [r.metric for r in result.main["system"]] == ["A", "B"]
    assert [r.metric for r in result.main["segment"]] == ["B", "C"]
    assert sorted(result.computed) == ["bleu", "chrf", "ter"], "each is counted once"


def test_languages_of_the_direction_go_into_specs(tmp_path: pathlib.Path) -> None:
    result = asked(tmp_path, '[metrics]\nA = "wer(language={target})"', direction(), direction("zh-en"), SYSTEM, FEW)
    assert result.computed == ("wer(language=de)", "wer")


def test_secondary_measures_and_golds(tmp_path: pathlib.Path) -> None:
    more = 'secondary = ["spearman", "accuracy"]\nsecondary_gold = "others"'
    result = asked(tmp_path, METRICS, direction(), SYSTEM + more, FEW)
    assert [(r.metric, r.measure) for r in result.secondary["system"]] == [
        (m, s) for s in ("spearman", "accuracy") for m in ("BLEU", "chrF")
    ]
    assert all(r.low is None and r.rank is None for r in result.secondary["system"]), "no intervals, no tests"
    other = tercet.meta(
        testset=campaign("en-de"),
        judgements=judgements("en-de"),
        metrics={"BLEU": "bleu", "chrF": "chrf"},
        gold="others",
        interval="none",
        test="none",
        **SAMPLED,
    )
    assert values(result.other_gold["system"]) == values(other)
    assert values(result.main["system"]) != values(other)


def test_documents(tmp_path: pathlib.Path) -> None:
    text = direction(judged="da.csv")
    result = asked(tmp_path, METRICS, text, '[document]\nmeasure = "acc-eq"\nsecondary = ["pearson"]', FEW)
    assert all(r.level == "document" and r.epsilon is not None for r in result.main["document"])
    assert len(result.main["document"].calibrations) == 2


def test_an_average_of_nan_is_nan(tmp_path: pathlib.Path) -> None:
    text = direction(more='without = ["amber", "birch", "cedar", "delta"]')
    result = asked(tmp_path, METRICS, text, SYSTEM, FEW)
    assert all(math.isnan(r.value) and r.n == 1 for r in result.main["system"])


SCORES = """\
LP\tSYSTEM\tHUMAN\tX\tTER
de-en\tA\t3\t30\t1
de-en\tB\t2\t21\t2
de-en\tC\t1\t12\t3.5
de-en\tD\t0\t1\t4
en-de\tA\t3\t1\t1
en-de\tB\t2\t2\t3
en-de\tC\t1\t4\t2
"""


def scored(pair: str, more: str = 'lower = ["TER"]') -> str:
    return f'\n[[direction]]\npair = "{pair}"\nscores = "scores.tsv"\n{more}\n'


PLAIN = '[system]\nmeasure = "pearson"'


def test_directions_of_scores_only(tmp_path: pathlib.Path) -> None:
    (tmp_path / "scores.tsv").write_text(SCORES, encoding="utf-8")
    result = asked(tmp_path, scored("de-en"), scored("en-de"), PLAIN, FEW)
    found = values(result.main["system"])
    assert [(d, m) for d, m, _ in found] == [(d, m) for d in ("de-en", "en-de") for m in ("X", "TER")]
    assert found["de-en", "X", "pearson"] > 0.99
    assert found["de-en", "TER", "pearson"] > 0.9
    assert found["en-de", "X", "pearson"] < -0.9
    assert result.computed == result.from_cache == ()


GAPS = SCORES.replace("B\t2\t21\t2", "B\t2\t21\tNA")


def test_what_a_metric_lacks_is_said_and_marked(tmp_path: pathlib.Path) -> None:
    (tmp_path / "scores.tsv").write_text(GAPS, encoding="utf-8")
    result = asked(tmp_path, scored("de-en"), scored("en-de"), PLAIN, FEW)
    notes = result.main["system"].notes
    assert "TER has no score of 1 of 4 systems of de-en that other metrics have: B." in notes
    assert any(note.startswith("de-en, pearson: not all metrics have the same scores") for note in notes)
    marked = {row[0]: row[1:] for row in task_tables(result)["system", "into-en"].rows}
    assert marked["TER"][0].endswith("*")
    assert not marked["X"][0].endswith("*")
    page = study_page(result, study_answers(result))
    assert set(notes) <= set(page.notes)


def test_notes_name_their_directions_unless_they_are_of_all() -> None:
    def part(pair: str, *notes: str) -> tercet.MetaEvaluation:
        return tercet.MetaEvaluation((MetricAgreement("X", "system", "pearson", pair, 0.5),), "", notes)

    found = together([part("de-en", "all", "2 skipped", "de-en: odd"), part("en-de", "all"), part("cs-en", "all")])
    assert found.notes == ("all", "de-en: 2 skipped", "de-en: odd")


def test_all_metrics_on_what_all_have(tmp_path: pathlib.Path) -> None:
    (tmp_path / "scores.tsv").write_text(GAPS, encoding="utf-8")
    result = asked(tmp_path, scored("de-en"), PLAIN, f"{FEW}common = true")
    assert [r.n for r in result.main["system"]] == [3, 3]
    assert not any("*" in cell for row in task_tables(result)["system", "into-en"].rows for cell in row)


def test_texts_and_scores_of_one_direction(tmp_path: pathlib.Path) -> None:
    """Metrics that are computed, and submitted ones beside them, each as it is alone."""
    alone = asked(tmp_path, METRICS, direction(), SYSTEM, SEGMENT, FEW)
    mine = [dataclasses.replace(s, metric="mine") for s in alone.main["segment"].scores if s.metric == "chrF"]
    tercet.write_scores(mine, tmp_path / "mine.tsv")
    both = asked(tmp_path, METRICS, direction(more='scores = "mine.tsv"'), SYSTEM, SEGMENT, FEW)
    found, before = values(both.main["segment"]), values(alone.main["segment"])
    measure = "kendall(variant=wmt14)"
    assert found == {**before, ("en-de", "mine", measure): before["en-de", "chrF", measure]}
    assert [m for _, m, _ in values(both.main["system"])] == ["BLEU", "chrF", "mine"]
    assert "|metrics:BLEU=bleu+chrF=chrf|scores:mine|" in both.main["system"].signature
    levels = '[metrics]\nBLEU = { spec = "bleu", levels = ["system"] }\nchrF = "chrf"'
    some = asked(tmp_path, levels, direction(more='scores = "mine.tsv"'), SYSTEM, SEGMENT, FEW)
    assert [r.metric for r in some.main["segment"]] == ["chrF", "mine"]


def test_each_section_has_its_winners(tmp_path: pathlib.Path) -> None:
    """A metric without references is not beaten by one that has them, where it stands apart."""
    metrics = '[metrics]\nlength = "length-ratio"\nTER = "ter"\nchrF = "chrf"'
    given = (metrics, direction(), '[segment]\nmeasure = "kendall(variant=wmt14)"', FEW)
    result = asked(tmp_path, 'layout = "wmt19"', *given)
    assert {r.metric for r in result.main["segment"] if r.winner} == {"chrF"}
    table = task_tables(result)["segment", "from-en"]
    assert [(row[0], row[-1]) for row in table.rows] == [("chrF", "1"), ("TER", "0"), ("length †", "1")]
    assert {row for row, _ in table.best} == {0, 2}


def test_metrics_without_references(tmp_path: pathlib.Path) -> None:
    """Those of texts are known, those of files are named; one layout has a section for them."""
    (tmp_path / "scores.tsv").write_text(SCORES, encoding="utf-8")
    metrics = '[metrics]\nlength = "length-ratio"\nTER = "ter"\nX = "chrf"'
    both = (metrics, direction(), scored("de-en"), PLAIN, FEW, '[groups]\nall = ["en-de", "de-en"]')
    plain = asked(tmp_path, *both)
    assert {(r.metric, r.direction) for r in plain.main["system"] if r.reference_free} == {("length", "en-de")}
    result = asked(tmp_path, 'layout = "wmt19"\nreference_free = ["X"]', *both)
    table = task_tables(result)["system", "all"]
    assert [row[0] for row in table.rows] == ["TER", "X †", "length †"]
    assert table.rules == {0}
    with pytest.raises(InputError, match=r"reference_free names Y, which is no metric here\. There are TER, X, length"):
        asked(tmp_path, 'reference_free = ["Y"]', *both)


def test_texts_and_scores_in_one_study(tmp_path: pathlib.Path) -> None:
    """A ranker is for those directions that have judgements."""
    (tmp_path / "scores.tsv").write_text(SCORES, encoding="utf-8")
    result = asked(tmp_path, METRICS, direction(), scored("de-en"), SYSTEM + 'secondary_gold = "others"', FEW)
    assert {(r.direction, r.metric) for r in result.main["system"]} == {
        ("en-de", "BLEU"),
        ("en-de", "chrF"),
        ("de-en", "X"),
        ("de-en", "TER"),
    }
    assert {r.direction for r in result.other_gold["system"]} == {"en-de"}, "there is no other gold of scores"
    assert "en-de: " in result.main["system"].signature, "directions with other golds have other signatures"
    assert "gold:HUMAN" in result.main["system"].signature


def test_scores_of_a_file_that_does_not_say_its_direction(tmp_path: pathlib.Path) -> None:
    lines = [line.split("\t", 1)[1] for line in SCORES.splitlines() if not line.startswith("en-de")]
    (tmp_path / "scores.tsv").write_text("\n".join(lines).replace("SYSTEM", "system") + "\n", encoding="utf-8")
    result = asked(tmp_path, scored("cs-fr"), PLAIN, FEW)
    assert {r.direction for r in result.main["system"]} == {"cs-fr"}


def test_scores_without_the_direction_are_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "scores.tsv").write_text(SCORES, encoding="utf-8")
    with pytest.raises(InputError, match=r"cs-fr: The files have no scores of this direction\. They have de-en, en-de"):
        asked(tmp_path, scored("cs-fr"), PLAIN, FEW)


def test_scores_with_judgements(tmp_path: pathlib.Path) -> None:
    texts = campaign("en-de")
    found = tercet.meta(testset=texts, judgements=judgements("en-de"), metrics=["chrf"], gold="others", **SAMPLED)
    tercet.write_scores(found.scores, tmp_path / "scores.tsv")
    judged = direction().replace("testset", "# testset")
    text = judged + '\nscores = "scores.tsv"'
    result = asked(tmp_path, text, '[system]\nmeasure = "pearson"\ngold = "others"', FEW)
    assert [dataclasses.astuple(r) for r in result.main["system"]] == [dataclasses.astuple(r) for r in found]


def test_what_a_second_run_counts(tmp_path: pathlib.Path) -> None:
    two = direction() + direction("zh-en")
    first = asked(tmp_path, METRICS, two, SYSTEM, SEGMENT, FEW, cache="kept")
    assert (len(first.computed), len(first.from_cache)) == (4, 0)
    second = asked(tmp_path, METRICS, two, SYSTEM, SEGMENT, FEW, cache="kept")
    assert (second.computed, len(second.from_cache)) == ((), 4)
    assert values(second.main["system"]) == values(first.main["system"])
    more = asked(tmp_path, METRICS + 'TER = "ter"', two, SYSTEM, SEGMENT, FEW, cache="kept")
    assert more.computed == ("ter", "ter"), "once a direction"
    third = asked(tmp_path, METRICS, two + direction("de-en"), SYSTEM, FEW, cache="kept")
    assert third.computed == ("bleu", "chrf"), "of the new direction"


def test_a_changed_text_is_counted_again(tmp_path: pathlib.Path) -> None:
    from tests.study.build import SAMPLE

    copy = tmp_path / "en-de.tsv"
    text = (SAMPLE / "en-de.tsv").read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    own = direction().replace(f"{SAMPLE / 'en-de'}.tsv", str(copy))
    assert len(asked(tmp_path, METRICS, own, SYSTEM, FEW, cache="kept").computed) == 2
    head, first, rest = text.split("\n", 2)
    copy.write_text("\n".join([head, first + "!", rest]), encoding="utf-8")
    again = asked(tmp_path, METRICS, own, SYSTEM, FEW, cache="kept")
    assert (again.computed, again.from_cache) == (("bleu", "chrf"), ())


def test_seeds_are_the_study_s(tmp_path: pathlib.Path) -> None:
    drawn = SYSTEM + 'interval = "judgements"\n'
    bounds = [
        [r.low for r in asked(tmp_path, METRICS, direction(), drawn, FEW, f"seed = {seed}").main["system"]]
        for seed in (1, 1, 2)
    ]
    assert bounds[0] == bounds[1] != bounds[2]


def test_threads_must_be_some(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="threads"):
        answer(read_study(written(tmp_path)), threads=0)


def test_progress_is_told(tmp_path: pathlib.Path) -> None:
    heard: list[str] = []
    answer(read_study(written(tmp_path)), progress=lambda what, _: heard.append(what))
    assert "pairs × levels" in heard


OFFICIAL = """\
demo2025.amber.1.en-de 5.0 (1.0, 1.0)
+++
demo2025.birch.2.en-de 3.0 (2.0, 2.0)
demo2025.cedar.3.en-de 2.0 (3.0, 3.0)
demo2025.delta.4.en-de 1.5 (4.0, 4.0)
demo2025.ember.5.en-de 0.0 (5.0, 5.0)
"""


def test_official_scores_beside_judgements(tmp_path: pathlib.Path) -> None:
    """Agreement is with the official scores, intervals and segments are by judgements, and so is another gold."""
    (tmp_path / "official.txt").write_text(OFFICIAL, encoding="utf-8")
    levels = SYSTEM + 'secondary = ["spearman"]\nsecondary_gold = "others"\ninterval = "judgements"\n' + SEGMENT
    both = asked(tmp_path, METRICS, direction(more='human = "official.txt"'), levels, FEW)
    judged = asked(tmp_path, METRICS, direction(), levels, FEW)
    human = tercet.read_scores(tmp_path / "official.txt")
    alone = tercet.meta(testset=campaign("en-de"), human=human, metrics={"BLEU": "bleu", "chrF": "chrf"})
    for record, given, other in zip(both.main["system"], alone, judged.main["system"], strict=True):
        assert record.value == given.value != other.value
        assert (record.low, record.high) == pytest.approx((other.low, other.high), abs=1e-12)
    assert "gold:HUMAN, resampled by expected-wins" in both.main["system"].signature
    assert values(both.secondary["system"]) == {("en-de", m, "spearman"): 1.0 for m in ("BLEU", "chrF")}
    assert both.other_gold["system"].records == judged.other_gold["system"].records
    assert both.main["segment"].records == judged.main["segment"].records


def test_systems_left_out_of_one_level(tmp_path: pathlib.Path) -> None:
    some = direction(more='without = { system = ["ember"] }')
    result = asked(tmp_path, METRICS, some, SYSTEM, SEGMENT, FEW)
    whole = asked(tmp_path, METRICS, direction(), SYSTEM, SEGMENT, FEW)
    assert {r.n for r in result.main["system"]} == {4}
    assert result.main["segment"].records == whole.main["segment"].records
    assert "without:ember" in result.main["system"].signature
    assert "without" not in result.main["segment"].signature


def test_signatures_say_what_metrics_are(tmp_path: pathlib.Path) -> None:
    metrics = '[metrics]\nA = "chrf(beta=3)"\nB = { spec = "wer(language={target})", levels = ["system"] }\nter = "ter"'
    result = asked(tmp_path, metrics, direction(), SYSTEM + 'secondary = ["spearman"]', SEGMENT, FEW)
    assert "|metrics:A=chrf(beta=3)+B=wer(language=de)+ter|" in result.main["system"].signature
    assert "|metrics:A=chrf(beta=3)+B=wer(language=de)+ter|" in result.secondary["system"].signature
    assert "|metrics:A=chrf(beta=3)+ter|" in result.main["segment"].signature


TWO = direction() + direction("zh-en")
DRAWN = SYSTEM + 'test = "perm-system"'
DOCUMENT = direction(judged="da.csv") + '[document]\nmeasure = "acc-eq"' + FEW
# what a study has, and the same with another value of one key
CHANGED: dict[str, tuple[str, str]] = {
    "metrics": (METRICS + direction() + SYSTEM + FEW, METRICS.replace('"bleu"', '"ter"') + direction() + SYSTEM + FEW),
    "levels": (
        METRICS + direction() + SYSTEM + SEGMENT + FEW,
        METRICS.replace('"bleu"', '{ spec = "bleu", levels = ["system"] }') + direction() + SYSTEM + SEGMENT + FEW,
    ),
    "measure": (
        METRICS + direction() + SYSTEM + FEW,
        METRICS + direction() + SYSTEM.replace("pearson", "spearman") + FEW,
    ),
    "gold": (
        METRICS + direction() + SYSTEM + FEW,
        METRICS + direction() + SYSTEM.replace("expected-wins", "others") + FEW,
    ),
    **{
        key: (METRICS + direction() + SYSTEM + FEW, METRICS + direction() + SYSTEM + f"{key} = {value}" + FEW)
        for key, value in {
            "secondary": '["spearman"]',
            "secondary_gold": '"others"',
            "interval": '"systems"',
            "test": '"perm-system"',
        }.items()
    },
    "exclude": (METRICS + TWO + SYSTEM + FEW, METRICS + TWO + SYSTEM + '[average]\nexclude = ["zh-en"]' + FEW),
    **{
        key: (METRICS + direction() + SYSTEM + FEW, METRICS + direction(more=f"{key} = {value}") + SYSTEM + FEW)
        for key, value in {"without": '["ember"]', "names": '{ amber = "amber" }'}.items()
    },
    **{
        key: (METRICS + direction() + DRAWN + FEW, METRICS + direction() + DRAWN + FEW + f"{key} = {value}")
        for key, value in {
            "seed": "1",
            "alpha": "0.1",
            "correction": '"bh"',
            "common": "true",
            "unit": '"pair"',
            "on_skip": '"pair"',
            "references": "true",
        }.items()
    },
    **{
        key: (
            METRICS + direction() + DRAWN + FEW,
            METRICS + direction() + DRAWN + FEW.replace(f"{key} = {n}", f"{key} = 50"),
        )
        for key, n in {"samples": 40, "draws": 40}.items()
    },
    "judged": (METRICS + DOCUMENT, METRICS + DOCUMENT + "judged = 0.5"),
}
# files, how they are read, and what they are about
GIVEN = {
    *("pair", "testset", "judgements", "scores", "human"),
    *("testset_format", "judgements_format", "scores_format"),
}


def signed(folder: pathlib.Path, text: str) -> str:
    """The signatures below the tables of a study."""
    return "\n".join(dict.fromkeys(table.notes[-1] for table in task_tables(asked(folder, text)).values()))


def test_every_key_of_a_study_is_changed_or_given() -> None:
    """A key that is added is held below, or named among what is given."""
    keys = {f.name for kind in (StudyDirection, LevelPlan) for f in dataclasses.fields(kind)} | {*SAMPLING}
    assert keys - GIVEN - {"lower"} == set(CHANGED) - {"metrics", "levels", "exclude"}


@pytest.mark.parametrize("key", CHANGED)
def test_another_value_is_another_signature(tmp_path: pathlib.Path, key: str) -> None:
    usual, changed = CHANGED[key]
    assert signed(tmp_path, changed) != signed(tmp_path, usual)


def test_lower_is_signed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "scores.tsv").write_text(SCORES, encoding="utf-8")
    lower, higher = (signed(tmp_path, scored("de-en", more) + PLAIN + FEW) for more in ('lower = ["TER"]', ""))
    assert "|lower:TER|" in lower
    assert "lower" not in higher
