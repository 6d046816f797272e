"""Asiya's overlap measures: by hand on small trees, and what they refuse."""

import pathlib

import pytest

from tercet.errors import InputError, SpecError
from tercet.formats import conllu
from tercet.metrics import metric
from tests.metrics.test_parsed import sentence

REF, HYP = "The old cats sat", "the cat sat down"


@pytest.fixture
def trees(tmp_path: pathlib.Path) -> str:
    """Two dependency trees."""
    ref = [("The", "the", "DET", 3, "det"), ("old", "old", "ADJ", 3, "amod"), ("cats", "cat", "NOUN", 4, "nsubj")]
    hyp = [("the", "the", "DET", 2, "det"), ("cat", "cat", "NOUN", 3, "nsubj"), ("sat", "sit", "VERB", 0, "root")]
    path = tmp_path / "trees.conllu"
    path.write_text(
        sentence(REF, [*ref, ("sat", "sit", "VERB", 0, "root")])
        + sentence(HYP, [*hyp, ("down", "down", "ADV", 3, "advmod")]),
        encoding="utf-8",
    )
    return str(path)


@pytest.fixture
def phrases(tmp_path: pathlib.Path) -> str:
    """Two trees of phrases."""
    path = tmp_path / "trees.mrg"
    path.write_text(
        f"# text = {REF}\n(S1 (S (NP (DT The) (JJ old) (NNS cats)) (VP (VBD sat))))\n"
        f"# text = {HYP}\n(S1 (S (NP (DT the) (NN cat)) (VP (VBD sat) (ADVP (RB down)))))\n",
        encoding="utf-8",
    )
    return str(path)


@pytest.mark.parametrize(
    ("options", "both", "either"),
    [
        ("", 3, 5),  # the, cat, sit of the, old, cat, sit, down
        ("lemmas=false", 2, 6),
        ("measure=ol", 2, 6),
        ("label=NOUN", 1, 1),
        ("label=ADJ", 0, 1),
    ],
)
def test_shallow_by_hand(trees: str, options: str, both: int, either: int) -> None:
    how = metric(f'sp(parses="{trees}"{", " if options else ""}{options})')
    assert how.statistics(how.batch([HYP], [REF])).tolist() == [[both, either]]
    assert how.segments([HYP], [REF])[0] == both / either


@pytest.mark.parametrize(("share", "whole"), [("precision", 4), ("recall", 4), ("f", 4), ("overlap", 5)])
def test_shares_of_what_either_side_has(trees: str, phrases: str, share: str, whole: int) -> None:
    how = metric(f'sp(parses="{trees}", share={share})')
    assert how.statistics(how.batch([HYP], [REF])).tolist() == [[3, whole]]
    longer = metric(f"sp(measure=ol, share={share})")  # one word of one, and of three
    assert (
        longer.segments(["a"], ["a b c"])[0] == {"precision": 1, "recall": 1 / 3, "f": 1 / 2, "overlap": 1 / 3}[share]
    )
    assert longer.explain("a", "a b c").score == longer.segments(["a"], ["a b c"])[0]
    assert metric(f'cp(parses="{phrases}", share={share}, measure=op)').segments([REF], [REF])[0] == 1.0


def test_a_mean_of_ratios_has_no_shares() -> None:
    for spec in ("dp(measure=or, share=f)", "dp(measure=oc, share=recall)"):
        with pytest.raises(SpecError, match="share must be overlap for a mean of ratios"):
            metric(spec)


def test_chunks_by_hand(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "chunks.conllu"
    marks = {"a b c": ("B-NP", "I-NP", "O"), "a c b": ("B-NP", "B-VP", "I-NP")}
    sides = [
        "\n".join(
            f"{i}\t{word}\t_\t_\t_\t_\t0\troot\t_\t" + ("_" if mark == "O" else f"SpaceAfter=Yes|Chunk={mark}")
            for i, (word, mark) in enumerate(zip(text.split(), chunks, strict=True), 1)
        )
        for text, chunks in marks.items()
    ]
    path.write_text("\n\n".join(sides), encoding="utf-8")
    scores = [
        metric(f'sp(parses="{path}", measure=oc{label})').segments(["a c b"], ["a b c"])[0]
        for label in ("", ", label=NP", ", label=O")
    ]
    assert scores == [2 / 4, 1.0, 0.0]  # NP a b; VP c and O c
    conllu.write(tmp_path / "again.conllu", conllu.read(path))
    assert conllu.parses(tmp_path / "again.conllu") == conllu.parses(path)


def test_one_label_by_hand(trees: str, phrases: str) -> None:
    def score(spec: str) -> float:
        return float(metric(spec).segments([HYP], [REF])[0])

    assert score(f'dp(parses="{trees}", measure=or, label=nsubj)') == 1 / 4
    assert score(f'dp(parses="{trees}", measure=ol, label=2)') == 1 / 2
    assert score(f'dp(parses="{trees}", measure=oc, label=INTJ)') == 0.0
    assert score(f'cp(parses="{phrases}", measure=oc, label=NP)') == 1 / 4
    assert score(f'cp(parses="{phrases}", measure=op, label=VBD)') == 1.0


def test_groups_of_english_tags(phrases: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "tagged.conllu"
    rows = [("went", "go", "VBD"), ("can", "can", "MD"), (",", ",", ","), ("who", "who", "WP")]
    lines = [f"{i}\t{form}\t{lemma}\tX\t{tag}\t_\t0\troot\t_\t_" for i, (form, lemma, tag) in enumerate(rows, 1)]
    path.write_text("\n".join(["# text = went can, who", *lines, ""]), encoding="utf-8")
    sizes = []
    for label in ("V", "F", "W", "MD", "J"):
        how = metric(f'sp(parses="{path}", label={label})')
        sizes.append(how.statistics(how.batch(["went can, who"], ["went can, who"]))[0, 1])
    assert sizes == [2, 1, 1, 1, 0]


def test_chains_by_hand(trees: str) -> None:
    """Of length 1: the, sat in common of six; of length 2: none of six: the-cat, cat-sat, down-sat and three more."""
    how = metric(f'dp(parses="{trees}", length=2)')
    assert how.statistics(how.batch([HYP], [REF])).tolist() == [[2, 12]]
    alone = metric(f'dp(parses="{trees}", length=2, only=true, of=relation)')
    # det-nsubj and nsubj-root are in both; amod-nsubj and advmod-root in one
    assert alone.segments([HYP], [REF])[0] == 2 / 4
    category = metric(f'dp(parses="{trees}", length=1, of=category)')
    assert category.segments([HYP], [REF])[0] == 3 / 5


def test_means_over_labels_by_hand(trees: str) -> None:
    """Categories: DET the and VERB sat match, NOUN cat does not; ADJ and ADV are on one side only."""
    assert metric(f'dp(parses="{trees}", measure=oc)').segments([HYP], [REF])[0] == pytest.approx(2 / 5)
    # relations: root 2 of 6 (all words); nsubj the of the, old, cats, cat; det 1 of 1; amod, advmod 0
    assert metric(f'dp(parses="{trees}", measure=or)').segments([HYP], [REF])[0] == pytest.approx(
        (2 / 6 + 1 / 4 + 1) / 5
    )
    # levels: 0 all words; 1 the of the, old, cats, cat, down; 2 the of the, old
    assert metric(f'dp(parses="{trees}", measure=ol)').segments([HYP], [REF])[0] == pytest.approx(
        (2 / 6 + 1 / 5 + 1 / 2) / 3
    )


def test_phrases_by_hand(phrases: str) -> None:
    assert metric(f'cp(parses="{phrases}", measure=op)').segments([HYP], [REF])[0] == 2 / 6  # DT the, VBD sat
    # S: the, sat of six words; NP: the of the, old, cats, cat; VP: sat of sat, down; ADVP: none of one
    assert metric(f'cp(parses="{phrases}", measure=oc)').segments([HYP], [REF])[0] == (2 + 1 + 1) / (6 + 4 + 2 + 1)
    # one label, without the root: S NP DT the VP VBD sat in common; JJ old NNS cats and NN cat ADVP RB down apart
    assert metric(f'cp(parses="{phrases}", length=1)').segments([HYP], [REF])[0] == 7 / 16
    longer = [metric(f'cp(parses="{phrases}", length={n}, only=true)').segments([HYP], [REF])[0] for n in (2, 4)]
    assert longer == [6 / 15, 2 / 7]  # S-NP NP-DT DT-the S-VP VP-VBD VBD-sat of 10 and 11; two of 4 and 5


def test_several_references_sums_and_copies(phrases: str, trees: str) -> None:
    for spec in (f'cp(parses="{phrases}")', f'dp(parses="{trees}")', f'sp(parses="{trees}")', "dp(measure=or)"):
        how = metric(spec)
        assert how.segments([REF, ""], [REF, ""]).tolist() == [1.0, 0.0]
        assert how.segments([HYP], [[REF, HYP]])[0] == 1.0
        rows = how.statistics(how.batch([HYP, REF], [REF, REF]))
        assert how.corpus([HYP, REF], [REF, REF]) == pytest.approx(rows[:, 0].sum() / rows[:, 1].sum())
        assert how.explain(HYP, REF).score == how.segments([HYP], [REF])[0]


def test_what_cannot_be_is_refused(phrases: str) -> None:
    with pytest.raises(InputError, match="has no tree of the text 'x'"):
        metric(f'cp(parses="{phrases}")').segments(["x"], [REF])
    with pytest.raises(SpecError, match="length must be from 1 to 4"):
        metric("dp(length=5)")
    with pytest.raises(InputError, match="too many for dp"):
        metric("dp(measure=ol)").segments(["a " * 3000], ["b"])
