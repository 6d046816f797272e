"""METEOR as a metric: options, parameters, the formula, references, sums, alignments, and its two relatives."""

from __future__ import annotations

import dataclasses
import pathlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.data import Batch, References, Texts
from tercet.errors import InputError, SpecError
from tercet.metrics.meteor import gapped, parameters
from tercet.metrics.meteor.lecture import MeteorLecture
from tercet.metrics.meteor.metric import Meteor, first_best
from tercet.metrics.meteor.plus import MeteorPlus
from tests.meteor import files

# needs nothing that is not part of Tercet
PLAIN = Meteor(normalize="lower", modules=("exact", "stem"), function_words=None)


@pytest.fixture(scope="module")
def resources(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Small made-up files in the place of METEOR's."""
    return str(files.folder(tmp_path_factory.mktemp("meteor")))


# ---- options and parameters ----


@pytest.mark.parametrize(
    ("spec", "modules", "values"),
    [
        ("meteor", "exact+stem+synonym+paraphrase", (0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6))),
        ("meteor(language=cs)", "exact+paraphrase", (0.95, 0.2, 0.6, 0.8, (1.0, 0.4))),
        ("meteor(language=fr)", "exact+stem+paraphrase", (0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4))),
        ("meteor(language=es)", "exact+stem+paraphrase", (0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6))),
        ("meteor(language=de)", "exact+stem+paraphrase", (0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2))),
        ("meteor(language=ru)", "exact+stem+paraphrase", (0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5))),
        ("meteor(task=adq)", "exact+stem+synonym+paraphrase", (0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8))),
        ("meteor(task=hter)", "exact+stem+synonym+paraphrase", (0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8))),
        ("meteor(task=util)", "exact+stem+synonym+paraphrase", (0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8))),
        ("meteor(task=li)", "exact+stem+synonym+paraphrase", (0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5))),
        ("meteor(task=tune)", "exact+stem+synonym+paraphrase", (0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5))),
        ("meteor(task=universal)", "exact+paraphrase", (0.7, 1.4, 0.3, 0.7, (1.0, 0.6))),
        ("meteor(language=fi, normalize=lower)", "exact+stem", (0.75, 1.4, 0.7, 0.5, (1.0, 0.5))),
        ("meteor(language=other, normalize=lower)", "exact", (0.75, 1.4, 0.7, 0.5, (1.0,))),
        ("meteor(language=other, normalize=lower, task=adq)", "exact", (0.75, 1.4, 0.7, 0.5, (1.0,))),
        ("meteor(modules=exact+paraphrase)", "exact+paraphrase", (0.85, 0.2, 0.6, 0.75, (1.0, 0.6))),
        ("meteor(alpha=0.5, modules=exact, weights=0.9)", "exact", (0.5, 0.2, 0.6, 0.75, (0.9,))),
        ("meteor(beta=0, gamma=1, delta=0)", "exact+stem+synonym+paraphrase", (0.85, 0, 1, 0, (1.0, 0.6, 0.8, 0.6))),
    ],
)
def test_what_is_in_force(spec: str, modules: str, values: tuple[object, ...]) -> None:
    one = tercet.metric(spec)
    assert isinstance(one, Meteor)
    assert "+".join(one.effective("modules")) == modules
    assert tuple(one.effective(name) for name in ("alpha", "beta", "gamma", "delta", "weights")) == values
    assert one.effective("characters") is False


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("meteor(language=fi)", "normalize must be none or lower for fi"),
        ("meteor(language=xx)", "language must be one of en, cs"),
        ("meteor(language=de, task=adq)", "task must be rank, li, tune or universal for de"),
        ("meteor(language=cs, modules=exact+stem)", "modules must be without stem for the language cs"),
        ("meteor(language=de, modules=synonym)", "modules must be without synonym for the language de"),
        ("meteor(modules=exact+exact)", "modules must be stages that are all different"),
        ("meteor(weights=1+1)", "weights must be 4 numbers, one a stage"),
        ("meteor(modules=exact, weights=-1)", "weights must be numbers from 0"),
        ("meteor(alpha=1.5)", "alpha must be from 0 to 1"),
        ("meteor(beta=-1)", "beta must be from 0 to 100"),
        ("meteor(paraphrases=nowhere.gz)", "paraphrases must be a file or folder that is there"),
        ("meteor(resources=nowhere)", "resources must be a file or folder that is there"),
        ("meteor(wordnet=nowhere)", "wordnet must be a file or folder that is there"),
        ("meteor(function_words=nowhere)", "function_words must be a file or folder that is there"),
        ("meteor++(gapped=nowhere)", "gapped must be a file or folder that is there"),
        ("meteor++(weights=1+1+1+1)", "weights must be 5 numbers"),
        ("meteor-lecture(gamma=2)", "gamma must be from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused(spec: str, says: str) -> None:
    with pytest.raises(SpecError, match=says.replace("(", r"\(")):
        tercet.metric(spec)


def test_every_task_of_every_language_has_parameters_or_is_refused() -> None:
    for language in parameters.LANGUAGES:
        assert parameters.parameters(language, "rank")
        assert (parameters.parameters(language, "hter") is None) == (language not in ("en", "other"))


# ---- the formula ----


def test_by_hand() -> None:
    """Two of three words, in two chunks, of a reference of four."""
    one = dataclasses.replace(PLAIN, modules=("exact",))
    precision, recall = 2 / 3, 2 / 4
    mean = 1 / (0.15 / precision + 0.85 / recall)
    assert one.segments(["a x b"], ["b c a d"])[0] == pytest.approx(mean * (1 - 0.6 * 1**0.2), rel=1e-15)
    assert one.segments(["a b x"], ["a b c d"])[0] == pytest.approx(mean * (1 - 0.6 * 0.5**0.2), rel=1e-15)


def test_stages_weigh() -> None:
    one = dataclasses.replace(PLAIN, weights=(1.0, 0.25), gamma=0.0)
    assert one.segments(["a runs"], ["a running"])[0] == pytest.approx(1.25 / 2)


def test_content_and_function_words(tmp_path: pathlib.Path) -> None:
    """A list of one's own; function words are looked up in lower case, whatever the text."""
    (tmp_path / "words").write_text("the\n\nof\n")
    one = dataclasses.replace(
        PLAIN, normalize="none", modules=("exact",), function_words=str(tmp_path / "words"), delta=0.8, gamma=0.0
    )
    rows = one.statistics(Batch(Texts.of(["The dog"]), References.of(["The cat"])))
    assert rows[0, :8].tolist() == [2, 2, 1, 1, 0, 0, 1, 1]
    assert one.score(rows)[0] == pytest.approx(0.2)


def test_english_function_words_serve_every_language_unless_another_list_is_named(resources: str) -> None:
    one = Meteor(language="de", modules=("exact",), resources=resources)
    batch = Batch(Texts.of(["der Hund of"]), References.of(["die Katze"]))
    assert one.statistics(batch)[0, 2:4].tolist() == [1, 0]
    own = dataclasses.replace(one, function_words="de")
    assert own.statistics(batch)[0, 2:4].tolist() == [1, 1]
    assert dataclasses.replace(one, function_words=None).statistics(batch)[0, 2:4].tolist() == [0, 0]


def test_characters_count_instead_of_words() -> None:
    one = dataclasses.replace(PLAIN, modules=("exact",), characters=True, gamma=0.0, alpha=0.0)
    assert one.segments(["abc d"], ["abc efg"])[0] == pytest.approx(3 / 4)


def test_stages_of_resources(resources: str, tmp_path: pathlib.Path) -> None:
    """Synonyms by synset, irregular form and rule; paraphrases of the user's table."""
    (tmp_path / "table").write_text(files.table(("a lot of", "many")))
    one = Meteor(resources=resources, paraphrases=str(tmp_path / "table"))
    found = one.align("hounds saw geese many times", "a dog saw the goose a lot of times")
    assert [(m.kind, m.hypothesis, m.reference) for m in found.matches] == [
        ("synonym", (0, 1), (1, 2)),
        ("exact", (1, 2), (2, 3)),
        ("synonym", (2, 3), (4, 5)),
        ("paraphrase", (3, 4), (5, 8)),
        ("exact", (4, 5), (8, 9)),
    ]
    assert found.chunks == 2
    assert one.statistic_names()[4] == "exact: content, hypothesis"
    assert len(one.statistic_names()) == 23


def test_an_explanation_tells_content_from_function_words(resources: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "table").write_text(files.table(("a lot of", "many")))
    one = Meteor(resources=resources, paraphrases=str(tmp_path / "table"), normalize="lower")
    found = one.explain("The hounds saw many times now", "the dog saw a lot of times")
    assert found.formula is not None
    notes = {factor.name: factor.note for _, factor in found.formula.walk()}
    weighed = "content × 0.75 + 1 content by synonym × 0.8 × 0.75 + 1 content by paraphrase × 0.6 × 0.75 + 1 function"
    assert notes["precision"] == f"matched: 2 {weighed} × 0.25; words: 5 content × 0.75 + 1 function × 0.25"
    assert notes["recall"].endswith(
        "+ 1 function by paraphrase × 0.6 × 0.25; words: 5 content × 0.75 + 2 function × 0.25"
    )
    assert notes["penalty"] == "0.6 × 0.1667^0.2; 1 chunk, 6 words matched"
    assert found.notes == ("Content words weigh 0.75, function words 0.25. Function words here: the of",)


def test_a_text_that_is_matched_as_a_whole_has_no_penalty_and_says_why() -> None:
    told = "none, by METEOR's exception: every word is matched, and all in one chunk"
    for hyp, ref, excepted in (("a b c", "a b c", True), ("a b c", "a b c d", False), ("a", "b", False)):
        found = PLAIN.explain(hyp, ref)
        assert found.formula is not None
        (note,) = [factor.note for _, factor in found.formula.walk() if factor.name == "penalty"]
        assert (note == told) == excepted
        assert (found.factors()["penalty"] == 0) == (excepted or not found.matches)
    assert "1 chunk, 1 word matched" in str(PLAIN.explain("a", "a d").formula)


@pytest.mark.parametrize(
    ("hyp", "ref", "score"),
    [("a b", "a b", 1.0), ("a", "a", 1.0), ("", "a", 0.0), ("a", "", 0.0), ("", "", 0.0), ("a", "b", 0.0)],
)
def test_ends_of_the_scale(hyp: str, ref: str, score: float) -> None:
    assert PLAIN.segments([hyp], [ref]).tolist() == [score]
    assert PLAIN.corpus([hyp], [ref]) == score


def test_a_text_matched_as_a_whole_adds_no_chunk_to_its_system() -> None:
    hyps, refs = ["a b c", "d x"], ["a b c", "y d"]
    precision = recall = 4 / 5
    mean = 1 / (0.15 / precision + 0.85 / recall)
    assert PLAIN.corpus(hyps, refs) == pytest.approx(mean * (1 - 0.6 * (1 / 4) ** 0.2), rel=1e-14)


def test_the_best_reference_counts_and_the_first_of_equals() -> None:
    refs = ["x y", "a b c", "b a c", "a b d"]
    alone = PLAIN.segments(["a b"] * 4, refs)
    assert PLAIN.segments(["a b"], [refs])[0] == alone.max()
    assert PLAIN.align("a b", refs).number == 1
    rows = PLAIN.statistics(Batch(Texts.of(["a b", "a"]), References.of([refs[:2], ["a", "a"]])))
    assert rows[:, 1].tolist() == [3, 1]


def test_parameters_decide_between_references() -> None:
    refs = ["a b c d e f g h", "a"]
    precise, thorough = (dataclasses.replace(PLAIN, alpha=a, gamma=0.0) for a in (0.0, 1.0))
    assert precise.align("a b c x", refs).number == 0  # three words of four
    assert thorough.align("a b c x", refs).number == 1  # the one word of it


def test_first_best() -> None:
    scores, groups = np.array([1.0, 3, 3, 0, 5, 2]), np.array([0, 3, 4, 6])
    assert first_best(scores, groups).tolist() == [1, 3, 4]
    assert first_best(np.zeros(0), np.array([0])).tolist() == []


words = st.lists(st.sampled_from(["a", "b", "runs", "running", "the", "of"]), max_size=9).map(" ".join)


@given(hyp=words, ref=words, other=words)
def test_the_numbers_of_an_alignment_are_those_of_the_score(hyp: str, ref: str, other: str) -> None:
    for one in (PLAIN, MeteorLecture(modules=("exact", "stem"))):
        found = one.align(hyp, [ref, other])
        assert found.score == one.segments([hyp], [[ref, other]])[0]
        assert 0 <= found.score <= 1
        assert found.reference == tuple([ref, other][found.number].split())
        assert found.score == pytest.approx(found.fmean * (1 - found.penalty), abs=1e-15)
        taken = [i for m in found.matches for i in range(*m.hypothesis)]
        assert len(set(taken)) == len(taken)


@given(hyp=words, ref=words)
def test_factors_give_the_score(hyp: str, ref: str) -> None:
    """What `tune` relies on: three numbers that alpha, beta and gamma do not move."""
    rows = PLAIN.statistics(Batch(Texts.of([hyp]), References.of([ref])))
    for one in (PLAIN, dataclasses.replace(PLAIN, alpha=0.3, beta=1.7, gamma=0.9)):
        precision, recall, broken = (float(f[0]) for f in one.factors(rows))
        alpha, beta, gamma = (one.effective(name) for name in ("alpha", "beta", "gamma"))
        if precision > 0 and recall > 0:
            mean = 1 / ((1 - alpha) / precision + alpha / recall)
            assert one.score(rows)[0] == pytest.approx(mean * (1 - gamma * broken**beta), abs=1e-15)
        else:
            assert one.score(rows)[0] == 0


def test_parameters_do_not_move_statistics_which_are_counted_once() -> None:
    batch = Batch(Texts.of(["a b c"]), References.of(["c a"]))
    rows = PLAIN.statistics(batch)
    kept = dict(batch.hypotheses.memo)
    other = dataclasses.replace(PLAIN, alpha=0.1, weights=(0.5, 0.1))
    assert np.array_equal(other.statistics(batch), rows)
    assert dict(batch.hypotheses.memo) == kept
    assert other.score(rows)[0] != PLAIN.score(rows)[0]


def test_a_line_that_can_be_matched_in_too_many_ways_is_an_error() -> None:
    with pytest.raises(InputError, match="Segment 2 repeats its words so often"):
        PLAIN.segments(["a", "a " * 5000], ["a", "a " * 5000])
    prepared = PLAIN.prepared(Batch(Texts.of(["a", "a " * 5000]), References.of(["a", "a " * 5000])))
    with pytest.raises(InputError, match="Segment 2 repeats its words so often"):
        prepared.alignments(PLAIN.stage_names)


def test_paraphrases_that_stand_everywhere_in_both_texts_are_an_error(tmp_path: pathlib.Path) -> None:
    """Each with each: a line of some thousand words would take all the memory there is."""
    path = tmp_path / "paraphrases"
    path.write_text("0.5\na b\nc d\n", encoding="utf-8")
    metric = dataclasses.replace(PLAIN, modules=("paraphrase",), weights=(1.0,), paraphrases=str(path))
    assert metric.corpus(["a b"], ["c d"]) > 0
    with pytest.raises(InputError, match="Segment 1 repeats its words so often"):
        metric.corpus(["a b " * 5000], ["c d " * 5000])


# ---- the lecture's METEOR ----

IRAQ = (
    "in two weeks Iraq's weapons will give army",
    "the Iraqi weapons are to be handed over to the army within two weeks",
)


@pytest.fixture
def iraqi(tmp_path: pathlib.Path) -> MeteorLecture:
    """The lecture's, which takes Iraq's for Iraqi."""
    path = tmp_path / "table"
    path.write_text(files.table(("iraqi", "iraq's")))
    return MeteorLecture(modules=("exact", "stem", "paraphrase"), paraphrases=str(path))


def test_lecture_example(iraqi: MeteorLecture) -> None:
    found = iraqi.align(*IRAQ)
    assert (len(found.matches), found.chunks, len(found.hypothesis), len(found.reference)) == (5, 3, 8, 14)
    assert found.fragmentation == 0.5
    assert found.score == pytest.approx(0.349813432835821, abs=1e-15)


def test_2005(iraqi: MeteorLecture) -> None:
    """Chunks over matches, also for a text that is its own reference."""
    one = dataclasses.replace(iraqi, fragmentation="chunks")
    assert one.align(*IRAQ).penalty == pytest.approx(0.5 * 0.6**3)
    assert one.segments(["a b"], ["a b"])[0] == pytest.approx(1 - 0.5 * 0.5**3)
    assert tercet.metric("meteor-2005") == MeteorLecture(fragmentation="chunks")


@pytest.mark.parametrize(("hyp", "ref"), [("a b", "a b"), ("a", "a x"), ("a b", "x a b")])
def test_one_chunk_has_no_gaps(hyp: str, ref: str) -> None:
    assert MeteorLecture(modules=("exact",)).align(hyp, ref).penalty == 0


def test_the_lecture_matches_as_many_words_as_it_can() -> None:
    """A stem is worth as much as a word, which it is not in METEOR's search."""
    hyp, ref = "x runs y run", "run running"
    assert len(MeteorLecture(modules=("exact", "stem")).align(hyp, ref).matches) == 2


def test_languages_of_the_lecture() -> None:
    assert MeteorLecture().stages == ("exact", "stem", "synonym")
    assert MeteorLecture(language="fi").stages == ("exact", "stem")
    assert MeteorLecture(language="other").stages == ("exact",)


# ---- Meteor++ ----


@pytest.fixture
def table(tmp_path: pathlib.Path) -> str:
    """Two gapped paraphrases."""
    path = tmp_path / "gapped"
    path.write_text(
        files.table(("protect [X] from", "protect [X] against"), ("both [NP,1] and", "[A] as [1] as well as"))
    )
    return str(path)


def plus(table: str | None) -> MeteorPlus:
    """Meteor++ without what must be installed."""
    return MeteorPlus(normalize="lower", modules=("exact", "stem"), function_words=None, gapped=table)


def test_gapped_paraphrases_match_part_by_part(table: str) -> None:
    found = plus(table).align("we protect the trees against fire", "we protect them from fire")
    assert [(m.kind, m.hypothesis, m.reference) for m in found.matches] == [
        ("exact", (0, 1), (0, 1)),
        ("exact", (1, 2), (1, 2)),
        ("gapped", (4, 5), (3, 4)),
        ("exact", (5, 6), (4, 5)),
    ]
    backwards = plus(table).align("as good as well as cheap", "both good and cheap")
    assert [(m.hypothesis, m.reference) for m in backwards.matches if m.kind == "gapped"] == [
        ((0, 1), (0, 1)),
        ((2, 5), (2, 3)),
    ]


def test_gaps_are_neither_empty_nor_wide(table: str) -> None:
    for between in ("", "1 2 3 4 5 6"):
        found = plus(table).align(f"protect {between} against", "protect x from")
        assert [m.kind for m in found.matches] == ["exact"]
    assert len(plus(table).align("protect 1 2 3 4 5 against", "protect x from").matches) == 2


def test_without_a_table_it_is_meteor() -> None:
    hyps, refs = ["we protect the trees against fire", "a"], ["we protect them from fire", "b"]
    assert plus(None).segments(hyps, refs).tolist() == PLAIN.segments(hyps, refs).tolist()
    assert plus(None).corpus(hyps, refs) == PLAIN.corpus(hyps, refs)


def test_gapped_matches_weigh_as_the_stage_before_unless_told(table: str) -> None:
    one = plus(table)
    assert one.effective("weights") == (1.0, 0.6, 0.6)
    heavy = dataclasses.replace(one, weights=(1.0, 0.6, 1.0), gamma=0.0)
    assert heavy.segments(["protect it against"], ["protect x from"])[0] == pytest.approx(2 / 3)
    assert MeteorPlus.card.exact is False


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0.5\na [X] b\nc\n", "line 3: the paraphrase has 1 parts and the phrase 2"),
        ("0.5\n[X]\nc\n", "line 2: a phrase without words"),
        ("0.5\na\nb\n0.5\n", "ends within an entry, at line 4"),
    ],
)
def test_a_damaged_table_is_refused_with_its_line(tmp_path: pathlib.Path, text: str, says: str) -> None:
    (tmp_path / "bad").write_text(text)
    with pytest.raises(InputError, match=says):
        gapped.read(str(tmp_path / "bad"))


def test_a_gigantic_table_is_refused(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "big").write_text(files.table(("a", "b"), ("c", "d")))
    monkeypatch.setattr(gapped, "MOST_ENTRIES", 1)
    with pytest.raises(InputError, match="more than 1 entries"):
        gapped.read(str(tmp_path / "big"))


@pytest.mark.parametrize(
    ("spec", "weights"),
    [
        ("language=other, modules=exact+paraphrase", (1.0, 0.0)),
        ("language=fi, modules=exact+stem+paraphrase", (1.0, 0.5, 0.0)),
        ("language=fi, modules=exact+paraphrase", (1.0, 0.5)),
        ("language=fi, task=tune, modules=exact+stem+paraphrase", (1.0, 0.5, 0.0)),
        ("language=fi, task=universal, modules=exact+stem+paraphrase", (1.0, 0.6, 0.0)),
        ("language=de, modules=exact+paraphrase", (1.0, 0.8)),
        ("language=other, modules=exact+paraphrase, weights=1+0.5", (1.0, 0.5)),
    ],
)
def test_weights_belong_to_places_and_end_with_the_language(
    spec: str, weights: tuple[float, ...], tmp_path: pathlib.Path
) -> None:
    """As METEOR's program writes them into its eval id."""
    paraphrases = tmp_path / "paraphrases"
    paraphrases.write_text(files.table(("a b", "c d")))
    metric = tercet.metric(f'meteor({spec}, normalize=lower, paraphrases="{paraphrases}")')
    assert isinstance(metric, Meteor)
    assert metric.weighting().weights == weights
