"""Asiya's overlap of semantic roles and of discourse representations: by hand, and what they refuse."""

import pathlib

import pytest

from tercet.errors import InputError, SpecError
from tercet.metrics import metric

REF, HYP = "The cat gave me hope today", "A cat gave me hope and left"
ROLES = f"""# text = {REF}
The   -    (A0*
cat   -    *)
gave  give (V*)
me    -    (A2*)
hope  -    (A1*)
today -    (AM-TMP*)

# text = {HYP}
A     -     (A0*   (A0*
cat   -     *)     *)
gave  give  (V*)   *
me    -     (A1*)  *
hope  -     (C-A1*) *
and   -     *      *
left  leave *      (V*)
"""


@pytest.fixture
def frames(tmp_path: pathlib.Path) -> str:
    """Roles of two sentences."""
    path = tmp_path / "a.roles"
    path.write_text(ROLES, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("options", "both", "either"),
    [
        ("", 2, 9),  # cat and hope of: A0 the, a, a, cat, cat; A1 me, hope; A2 me; AM-TMP today
        ("measure=arguments", 1, 7),  # hope of: the cat, a cat, a cat; me; hope; me; today
        ("measure=roles", 3, 8),  # A0 A0 A1 of: A0 x 4, A1 x 2, A2, AM-TMP
        ("measure=roles, verb=true", 3, 8),
        ("verb=true", 2, 9),
        ("label=A1", 1, 2),
        ("measure=verbs", 1, 2),
        ("measure=number", 1, 1),  # one more, which is as good as none
    ],
)
def test_roles_by_hand(frames: str, options: str, both: int, either: int) -> None:
    how = metric(f'sr(parses="{frames}"{", " if options else ""}{options})')
    row = how.statistics(how.batch([HYP], [REF])).tolist()[0]
    assert row == [both, either]


def test_without_roles_words_are_compared() -> None:
    assert metric("sr").segments([HYP], [REF])[0] == metric("sp(measure=ol)").segments([HYP], [REF])[0]
    assert metric("sr(measure=arguments)").segments([HYP, REF], [REF, REF]).tolist() == [0.0, 1.0]
    assert metric("sr(measure=roles)").segments([HYP], [REF])[0] == 6 / 7
    for wrong in ("measure=verbs", "measure=number"):
        with pytest.raises(SpecError, match="measure must be words, arguments or roles without parses"):
            metric(f"sr({wrong})")


def test_case_counts_where_it_is_asked_for(frames: str, tmp_path: pathlib.Path) -> None:
    upper = tmp_path / "b.roles"
    upper.write_text("a GO (A0*)\n\nA go (A0*)\n", encoding="utf-8")
    scores = [
        metric(f'sr(parses="{upper}", {more})').segments(["a"], ["A"])[0]
        for more in ("verb=true", "verb=true, lowercase=false", "measure=verbs")
    ]
    assert scores == [1.0, 0.0, 0.0]
    with pytest.raises(InputError, match="has no tree of the text 'x'"):
        metric(f'sr(parses="{frames}")').segments(["x"], [REF])
    with pytest.raises(SpecError, match="verb must be false for verbs alone"):
        metric(f'sr(parses="{frames}", measure=verbs, verb=true)')


@pytest.fixture
def structures(tmp_path: pathlib.Path) -> str:
    """Discourse representations of two texts."""
    path = tmp_path / "a.brackets"
    path.write_text(
        "# text = all cats sleep\n(drs (imp (drs (pred.cat Cats)) (drs (pred.sleep sleep) (rel.agent sleep.a1))))\n"
        "# text = a cat sleeps\n(drs (pred.cat cats) (pred.sleep sleep))\n",
        encoding="utf-8",
    )
    return str(path)


def test_discourse_by_hand(structures: str) -> None:
    texts = ["a cat sleeps"], ["all cats sleep"]
    # drs: cats, sleep of three; pred: both of two; imp, drs-1, drs-2 and rel have 3 + 1 + 2 + 1 more
    assert metric(f'dr(parses="{structures}")').segments(*texts)[0] == 4 / (3 + 2 + 3 + 1 + 2 + 1)
    assert metric(f'dr(parses="{structures}", label=pred)').segments(*texts)[0] == 1.0
    # one label: drs, pred.cat, pred.sleep of these and imp, drs-1, drs-2, rel.agent
    assert metric(f'dr(parses="{structures}", measure=stm, length=1)').segments(*texts)[0] == 3 / 7
    # two: drs-pred.cat and drs-pred.sleep of the one side; six others of the other
    assert metric(f'dr(parses="{structures}", measure=stm, length=2, only=true)').segments(*texts)[0] == 0.0
    alike = metric(f'dr(parses="{structures}", measure=stm)').segments(texts[1], texts[1])
    assert alike.tolist() == [1.0]
    assert metric("dr").segments([HYP], [REF])[0] == metric("sr").segments([HYP], [REF])[0]
    with pytest.raises(SpecError, match="measure must be or without parses"):
        metric("dr(measure=stm)")
    with pytest.raises(SpecError, match="length must be from 1 to 9"):
        metric("dr(length=10)")
