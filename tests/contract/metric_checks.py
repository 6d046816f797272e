"""The contract of a metric: functions that take one and raise AssertionError where it breaks its word.

They know nothing of any metric but what it declares. A third party may run them over its own.
"""

import contextlib
import dataclasses
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tercet.data import Array, Batch, References, Texts, total
from tercet.errors import MissingExtraError
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.spec import option_docs
from tests.contract.variants import variants

References_ = Sequence[str | Sequence[str | None]]

REFERENCES = [
    "The quick brown fox jumps over the lazy dog .",
    "It was the best of times, it was the worst of times.",
    "In 1990, about 3.5% of the pupils didn't go to school.",
    "A rose is a rose is a rose.",
    "Yesterday the committee refused to say what had been decided behind closed doors.",
    "Nobody knew it then, but everything was about to change.",
]
OUTPUTS = [
    "The fast brown fox jumped over a lazy dog .",
    "It was the best of times and the worst of times.",
    "About 3.5% of pupils did not attend school in 1990.",
    "A rose is a rose.",
    "The committee did not want to say yesterday what was decided behind closed doors.",
    "No one knew it at that time, but everything would soon change.",
]
SECOND = "A quick brown fox leaps over the lazy dog ."
SEVERAL: list[str | list[str | None]] = [
    [REFERENCES[0], SECOND],
    REFERENCES[1],
    [None, REFERENCES[2]],
    [REFERENCES[3], "A rose remains a rose.", "Roses are roses."],
    [REFERENCES[4], None],
    [REFERENCES[5], ""],
]
SCRIPTS = [
    "Съешь ещё этих мягких французских булок, да выпей чаю.",
    "敏捷的棕色狐狸跳过了懒狗。",
    "いろはにほへと　ちりぬるを",
    "다람쥐 헌 쳇바퀴에 타고파.",
    "हिन्दी में एक छोटा वाक्य।",
    "نص عربي قصير، مع علامات ترقيم؟",
    "עברית מימין לשמאל",
    "İstanbul ΟΔΥΣΣΕΥΣ ﬁn e\u0301 \u200b \xa0 \u2028 x",
    "😀 👩\u200d💻 🇫🇮 𝒜 𠀀",
    "\x00 \x07 \x1f \x85",
]
# Texts of few letters and words, whose n-grams meet in every table; long and short, one reference and several, nothing.
NEIGHBOURS: list[tuple[str, str | list[str | None]]] = [
    ("a b c a b", "a b d a b"),
    ("a b d " * 8, "a b a d"),
    ("a a b a a a b", ["a a a a a a a a b", "b b b b b b b b b b"]),
    (OUTPUTS[3], SEVERAL[3]),
    (SCRIPTS[0], [SCRIPTS[0][:30], SCRIPTS[7]]),
    ("", "c b a"),
    ("c b a", ""),
    ("c c c b a d d", "b a d c c c"),
    (" ".join("abcab"[i * i % 5] for i in range(66)), " ".join("abdab"[i * i % 5] for i in range(65))),
]

EMPTY_PAIRS = [("", "a b c"), ("a b c", ""), ("", ""), (" ", "a"), ("a", "\t"), ("\xa0", "\u3000"), (".", "a")]


def sources_for(metric: Metric, texts: Sequence[str]) -> list[str] | None:
    """Sources, where the metric asks for them: texts with some of the same words, and of other lengths."""
    return [text[: 2 * len(text) // 3] for text in texts] if "sources" in metric.needs else None


def references_for(metric: Metric, references: References_) -> References_ | None:
    """References, where the metric asks for them."""
    return references if "references" in metric.needs else None


def corpus(metric: Metric, hyps: Sequence[str], refs: References_, **more: Any) -> float:
    """The corpus score, with what the metric needs."""
    return metric.corpus(hyps, references_for(metric, refs), sources_for(metric, hyps), **more)


def segments(metric: Metric, hyps: Sequence[str], refs: References_, **more: Any) -> Array:
    """The segment scores, with what the metric needs."""
    return metric.segments(hyps, references_for(metric, refs), sources_for(metric, hyps), **more)


def statistics(metric: Metric, hyps: Sequence[str], refs: References_, learnt: Any = None, threads: int = 1) -> Array:
    """The statistics, with what the metric needs and what it learnt before."""
    sources = sources_for(metric, hyps)
    wanted = references_for(metric, refs)
    return metric.statistics(
        Batch(
            Texts.of(hyps),
            None if wanted is None else References.of(wanted),
            None if sources is None else Texts.of(sources),
            learnt=learnt,
            threads=threads,
        )
    )


def learn(metric: Metric, *parts: References_) -> Any:
    """What the metric learns from its references, given in parts."""
    return metric.learn([References.of(part) for part in parts], threads=1) if metric.learns else None


def rows_of(metric: Metric) -> Array:
    """Statistics of the small corpus."""
    return statistics(metric, OUTPUTS, REFERENCES, learn(metric, REFERENCES))


def same(found: Array | float, wanted: Array | float) -> None:
    """Equal to the bit; NaN where NaN is."""
    np.testing.assert_array_equal(found, wanted)


def check_spec_round_trip(metric: Metric) -> None:
    """A metric is its string."""
    for one in [metric, *variants(metric)]:
        again = METRICS.make(str(one))
        assert again == one
        assert hash(again) == hash(one)
        assert str(again) == str(one)
        assert type(again) is type(one)
    strings = [str(one) for one in variants(metric)]
    assert str(metric) not in strings


def check_frozen(metric: Metric) -> None:
    """Nothing can be assigned."""
    for name in [*metric.parameters(), "anything"]:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(metric, name, getattr(metric, name, None))


def check_card(metric: Metric) -> None:
    """The card is complete, and every option has its sentence."""
    for field in ("title", "definition", "paper", "scale", "reference"):
        assert getattr(metric.card, field).strip(), field
    for difference in metric.card.differences:
        assert difference.strip()
    assert isinstance(metric.higher_is_better, bool)
    assert metric.needs <= {"references", "sources"}
    for name, doc in option_docs(type(metric)).items():
        assert doc.strip(), f"the option {name} has no sentence"


def check_statistics_are_a_table(metric: Metric) -> None:
    """One row of float64 a segment."""
    rows = rows_of(metric)
    assert rows.dtype == np.float64
    assert rows.ndim == 2
    assert len(rows) == len(OUTPUTS)


def check_ordinary_text_has_a_score(metric: Metric) -> None:
    """No NaN where nothing is unusual, and not the same for everything."""
    assert math.isfinite(corpus(metric, OUTPUTS, REFERENCES))
    found = segments(metric, OUTPUTS, REFERENCES)
    assert found.shape == (len(OUTPUTS),)
    assert np.isfinite(found).all()
    assert len(set(found.tolist())) > 1


def worse_outputs() -> list[list[str]]:
    """Outputs that are not the references: other words, another order, less, more, another case, nothing."""
    words = [reference.split() for reference in REFERENCES]
    return [
        OUTPUTS,
        [" ".join(reversed(line)) for line in words],
        [" ".join(line[::2]) for line in words],
        [" ".join([*line, "and", "so", "on"]) for line in words],
        [" ".join(["well", *line[1:]]) for line in words],
        [line.upper() for line in REFERENCES],
        REFERENCES[1:] + REFERENCES[:1],
        [*REFERENCES[:-1], OUTPUTS[-1]],
        [*REFERENCES[:-1], ""],
        [""] * len(REFERENCES),
    ]


def check_identity_scores_best(metric: Metric) -> None:
    """No other output scores better than the references themselves, and some score worse."""
    if "references" not in metric.needs:
        return
    sign = 1 if metric.higher_is_better else -1
    best = sign * corpus(metric, REFERENCES, REFERENCES)
    scores = [sign * corpus(metric, other, REFERENCES) for other in worse_outputs()]
    assert max(scores) <= best + 1e-9 * abs(best), (scores, best)
    assert sum(score < best for score in scores) >= len(scores) // 2
    for script in SCRIPTS[:7]:
        assert sign * corpus(metric, [script], [script]) >= sign * corpus(metric, ["x y z"], [script])


def check_one_segment_is_a_corpus(metric: Metric) -> None:
    """A corpus of one segment scores as the segment."""
    for hyp, ref in [*zip(OUTPUTS, SEVERAL, strict=True), ("", "a b"), ("a b", ""), ("", ""), (SCRIPTS[0], SCRIPTS[7])]:
        same(corpus(metric, [hyp], [ref]), segments(metric, [hyp], [ref])[0])
    rows = rows_of(metric)
    same(metric.score(rows), segments(metric, OUTPUTS, REFERENCES))
    same(metric.score(rows[2]), metric.score(rows)[2])


def check_concatenation(metric: Metric) -> None:
    """The statistics of two parts are those of the whole, and so are the sums; to the bit."""
    learnt = learn(metric, SEVERAL)
    whole = statistics(metric, OUTPUTS, SEVERAL, learnt)
    for cut in (1, 3, len(OUTPUTS)):
        in_parts = learn(metric, SEVERAL[:cut], SEVERAL[cut:])
        first = statistics(metric, OUTPUTS[:cut], SEVERAL[:cut], in_parts)
        second = statistics(metric, OUTPUTS[cut:], SEVERAL[cut:], in_parts)
        assert second.shape == (len(OUTPUTS) - cut, whole.shape[1])
        assert np.array_equal(np.concatenate([first, second]), whole, equal_nan=True)
        continued = total(np.concatenate([total(first)[None], second]))
        assert np.array_equal(continued, total(whole), equal_nan=True)
        np.testing.assert_allclose(total(first) + total(second), total(whole), rtol=1e-12)
    same(metric.score(total(whole)), corpus(metric, OUTPUTS, SEVERAL))


def check_several_references(metric: Metric) -> None:
    """Any number of references, different from segment to segment."""
    if "references" not in metric.needs:
        return
    for refs in (SEVERAL, [[r, SECOND, "x"] for r in REFERENCES], [[r] for r in REFERENCES]):
        assert math.isfinite(corpus(metric, OUTPUTS, refs))
        assert segments(metric, OUTPUTS, refs).shape == (len(OUTPUTS),)
    same(corpus(metric, OUTPUTS, [[r] for r in REFERENCES]), corpus(metric, OUTPUTS, REFERENCES))
    same(corpus(metric, OUTPUTS, [[None, r] for r in REFERENCES]), corpus(metric, OUTPUTS, REFERENCES))


def check_empty_texts(metric: Metric) -> None:
    """Nothing gives a number or NaN, never an exception, a warning or an infinity."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for hyp, ref in EMPTY_PAIRS:
            for refs in ([ref], [[ref, ""]], [["", ref]]):
                assert not math.isinf(corpus(metric, [hyp], refs)), (hyp, refs)
        assert np.isfinite(segments(metric, [*OUTPUTS, ""], [*REFERENCES, "a"])[:-1]).all()
        nothing = statistics(metric, [], [], learn(metric, REFERENCES))
        assert nothing.shape == (0, rows_of(metric).shape[1])
        assert not math.isinf(metric.score(total(nothing)))
        assert metric.score(nothing).shape == (0,)


def check_all_scripts(metric: Metric) -> None:
    """Text of any script has a score, and order and neighbours do not matter to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        turned = SCRIPTS[1:] + SCRIPTS[:1]
        assert segments(metric, SCRIPTS, turned).shape == (len(SCRIPTS),)
        assert not np.isinf(segments(metric, SCRIPTS, turned)).any()
        assert math.isfinite(corpus(metric, SCRIPTS, turned))


def check_permutation(metric: Metric) -> None:
    """Segments in another order have the same statistics in that order."""
    learnt = learn(metric, SEVERAL)
    rows = statistics(metric, OUTPUTS, SEVERAL, learnt)
    for order in ([5, 4, 3, 2, 1, 0], [2, 0, 5, 1, 4, 3]):
        found = statistics(metric, [OUTPUTS[i] for i in order], [SEVERAL[i] for i in order], learnt)
        assert np.array_equal(found, rows[order], equal_nan=True)


def check_threads(metric: Metric) -> None:
    """The number of threads does not change a bit."""
    hyps, refs = (OUTPUTS + SCRIPTS) * 40, (SEVERAL + SCRIPTS[1:] + SCRIPTS[:1]) * 40
    learnt = learn(metric, refs)
    alone = statistics(metric, hyps, refs, learnt, threads=1)
    for threads in (2, 5):
        assert np.array_equal(statistics(metric, hyps, refs, learnt, threads=threads), alone, equal_nan=True)
    some = len(OUTPUTS)
    assert corpus(metric, hyps[:some], refs[:some], threads=1) == corpus(metric, hyps[:some], refs[:some], threads=3)


def check_segments_stand_alone(metric: Metric) -> None:
    """With any options, a segment's numbers are the same alone, first, last, after any other, and again; to the bit."""
    for one in [metric, *variants(metric)]:
        with contextlib.suppress(MissingExtraError):
            stands_alone(one)


def stands_alone(metric: Metric) -> None:
    """A segment's numbers do not depend on what was scored before it, nor on how many threads do it.

    With the kernel of 0.1, whose bags of n-grams kept what longer orders left behind, this fails for `bleu`, `chrf`,
    `chrf-original` and `bleu-nrc`.
    """
    n = len(NEIGHBOURS)
    learnt = learn(metric, [ref for _, ref in NEIGHBOURS])

    def rows(order: Sequence[int], threads: int = 1) -> Array:
        pairs = [NEIGHBOURS[i] for i in order]
        return statistics(metric, [hyp for hyp, _ in pairs], [ref for _, ref in pairs], learnt, threads)

    alone = np.concatenate([rows([i]) for i in range(n)])
    # each after each, the long one after some, and more segments than a block of work holds
    walk = [
        i for first in range(n - 1) for i in [first, *(j for last in range(first + 1, n - 1) for j in (first, last))]
    ]
    walk += [n - 1, 0, n - 1, 1, n - 1]
    for order, threads in [*(([i, i, i], 1) for i in range(n)), (walk, 1), (walk, 2)]:
        assert np.array_equal(rows(order, threads), alone[order], equal_nan=True), (str(metric), order, threads)


def check_score_is_vectorised(metric: Metric) -> None:
    """Scores of many sums at once are the scores of each."""
    rows = rows_of(metric)
    k = rows.shape[1]
    sums = np.stack([[total(rows[: i + j + 1]) for j in range(3)] for i in range(2)])
    assert sums.shape == (2, 3, k)
    before = sums.copy()
    found = metric.score(sums)
    assert found.shape == (2, 3)
    assert np.isfinite(found).all()
    for i in range(2):
        for j in range(3):
            same(found[i, j], metric.score(sums[i, j]))
    assert np.array_equal(sums, before), "score changed its input"
    weights = np.array([[1.0, 0, 2, 0, 1, 3], [0, 0, 0, 0, 0, 1]])
    drawn = weights @ rows
    same(metric.score(drawn), np.array([metric.score(one) for one in drawn]))


def check_options_score(metric: Metric) -> None:
    """Other options score ordinary text too, unless they need what is not installed."""
    for one in variants(metric):
        with contextlib.suppress(MissingExtraError):
            assert math.isfinite(corpus(one, OUTPUTS, SEVERAL)), str(one)
            same(metric_sum(one), corpus(one, OUTPUTS, REFERENCES))


def metric_sum(metric: Metric) -> float:
    """The corpus score from summed statistics."""
    return float(metric.score(total(rows_of(metric))))


CHECKS: list[Callable[[Metric], None]] = [
    check_spec_round_trip,
    check_frozen,
    check_card,
    check_statistics_are_a_table,
    check_ordinary_text_has_a_score,
    check_identity_scores_best,
    check_one_segment_is_a_corpus,
    check_concatenation,
    check_several_references,
    check_empty_texts,
    check_all_scripts,
    check_permutation,
    check_threads,
    check_segments_stand_alone,
    check_score_is_vectorised,
    check_options_score,
]
OF_EVERY_OPTION = [check_spec_round_trip, check_options_score, check_segments_stand_alone]  # an alias adds nothing
