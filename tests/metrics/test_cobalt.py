"""UPF-Cobalt: the scores and alignments of its authors' program, hand-made parses, files that are wrong."""

import os
import pathlib

import numpy as np
import pytest

from tercet.errors import InputError, SpecError
from tercet.formats import corenlp
from tercet.metrics import metric
from tercet.metrics.parsed.cobalt import UpfCobalt, penalty
from tercet.metrics.parsed.cobalt_alignment import Side, align, common_runs
from tercet.metrics.parsed.cobalt_words import canonical, opposite, weight
from tests.text.test_golden import table

# The function words of the texts below: with other lists of stop words, other words count.
FUNCTION_WORDS = """
a an the this that these such some any all both few more most other own no not
he she it we they you him her them his its our their your who whom which what when where how
am is are was were be been being do did has have had having will should s
about after against at between by down during for from in into of off on through to under up with
and as because but if or so than then there while now
"""


def parsed(text: str, words: str, arcs: str) -> str:
    """A sentence as CoreNLP prints it: `form/lemma/tag` of each word, and its dependencies."""
    tokens = [word.split("/") for word in words.split()]
    shown = " ".join(f"[Text={form} PartOfSpeech={tag} Lemma={lemma} NamedEntityTag=O]" for form, lemma, tag in tokens)
    return (
        f"Sentence #1 ({len(tokens)} tokens):\n{text}\n{shown}\n(ROOT\n  (S ...))\n\n"
        + "\n".join(arcs.split("; "))
        + "\n\n"
    )


CAT = parsed(
    "The cat sleeps.",
    "The/the/DT cat/cat/NN sleeps/sleep/VBZ ././.",
    "root(ROOT-0, sleeps-3); det(cat-2, The-1); nsubj(sleeps-3, cat-2)",
)
CATS = parsed("Cats slept.", "Cats/cat/NNS slept/sleep/VBD ././.", "root(ROOT-0, slept-2); nsubj(slept-2, Cats-1)")
DOG = parsed(
    "A dog saw cats",
    "A/a/DT dog/dog/NN saw/see/VBD cats/cat/NNS",
    "root(ROOT-0, saw-3); det(dog-2, A-1); nsubj(saw-3, dog-2); dobj(saw-3, cats-4)",
)


@pytest.fixture
def cobalt(tmp_path: pathlib.Path) -> UpfCobalt:
    """A metric with three parses and a list of stop words."""
    (tmp_path / "three.parse").write_text(CAT + CATS + DOG, encoding="utf-8")
    (tmp_path / "stop.txt").write_text("\n".join(FUNCTION_WORDS.split()), encoding="utf-8")
    return UpfCobalt(parses=str(tmp_path / "three.parse"), stop_words=str(tmp_path / "stop.txt"))


def test_a_copy_scores_one(cobalt: UpfCobalt) -> None:
    texts = ["The cat sleeps.", "Cats slept.", "A dog saw cats"]
    assert cobalt.segments(texts, texts).tolist() == [1.0, 1.0, 1.0]


def test_a_score_by_hand(cobalt: UpfCobalt) -> None:
    """Cats and slept are aligned by stem and lemma, with all that they depend on; `the` is missed by `cat` alone."""
    cats = 0.9 - penalty(0, 0.2, 1.0, 1.2)
    precision = (0.7 * cats + 0.7 * 0.9 + 0.3) / 1.7
    recall = (0.7 * cats + 0.7 * 0.9 + 0.3) / 2.0
    assert cobalt.segments(["Cats slept."], ["The cat sleeps."])[0] == pytest.approx(
        1 / (0.25 / precision + 0.75 / recall)
    )


def test_several_references_and_none(cobalt: UpfCobalt) -> None:
    alone = cobalt.segments(["Cats slept."] * 2, ["The cat sleeps.", "A dog saw cats"])
    assert cobalt.segments(["Cats slept."], [["A dog saw cats", "The cat sleeps."]])[0] == alone[0] > alone[1] > 0
    assert cobalt.segments(["", "Cats slept.", ""], ["Cats slept.", "", ""]).tolist() == [0.0, 0.0, 0.0]


def test_synonyms_count_only_where_they_should(cobalt: UpfCobalt, tmp_path: pathlib.Path) -> None:
    (tmp_path / "pairs.txt").write_text("dog cat\n", encoding="utf-8")
    hyps, refs = ["A dog saw cats"], ["The cat sleeps."]
    both = [
        UpfCobalt(cobalt.parses, "stored" if stored else "wmt15", cobalt.stop_words, str(tmp_path / "pairs.txt"))
        for stored in (True, False)
    ]
    plain = cobalt.segments(hyps, refs)[0]
    assert both[0].segments(hyps, refs)[0] == plain
    shown = both[1].explain(hyps[0], refs[0])
    assert {match.kind for match in shown.matches} <= {"exact", "stem", "paraphrase"}


def test_a_file_that_was_replaced_is_read_again(cobalt: UpfCobalt, tmp_path: pathlib.Path) -> None:
    """Also one of the same size and time."""
    before = cobalt.segments(["Cats slept."], ["The cat sleeps."])[0]
    path = tmp_path / "three.parse"
    about = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace("Lemma=sleep ", "Lemma=dream ", 1), encoding="utf-8")
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert path.stat().st_size == about.st_size
    assert cobalt.segments(["Cats slept."], ["The cat sleeps."])[0] != before


def test_runs_in_common() -> None:
    assert common_runs(["a", "B", "c", "d"], ["x", "b", "C", "y", "a"]) == [(1, 1, 2), (0, 4, 1)]
    assert common_runs([], ["a"]) == []
    assert common_runs(["a", "b", "a", "b"], ["a", "b"]) == [(0, 0, 2), (2, 0, 2)]


def test_labels_and_words() -> None:
    assert [weight(label) for label in ("conj_and", "prep_of", "aux", "root")] == [1.0, 0.8, 0.2, 1.0]
    assert opposite("dobj", "rcmod", "noun")
    assert not opposite("dobj", "rcmod", "verb")
    assert [canonical(word) for word in ("U.S.", "19th-century", ",", "A")] == ["us", "19thcentury", ",", "a"]
    assert penalty(0, 0, 3, 3) == penalty(1, 1, 0, 3) == 0.0 < penalty(3, 0, 3, 3) < 1


def test_dependencies_before_that_of_the_root_are_not_read(tmp_path: pathlib.Path) -> None:
    arcs = "nsubj(sleeps-3, cat-2); root(ROOT-0, sleeps-3); det(cat-2, The-1); dep(cat-2, sleeps-3')"
    path = tmp_path / "one.parse"
    path.write_text(parsed("The cat sleeps.", "The/the/DT cat/cat/NN sleeps/sleep/VBZ ././.", arcs), encoding="utf-8")
    (parse,) = corenlp.read(path)
    assert [arc.relation for arc in parse.arcs] == ["nsubj", "root", "det", "dep"]
    assert [arc.relation for arc in Side.of(parse).arcs] == ["root", "det"]


FAULTS = {
    "stands before the first": "The cat sleeps.\n" + CAT,
    "has another parse than before": CAT + CAT.replace("det(", "dep("),
    "names a word after the last": CAT.replace("cat-2)", "cat-9)"),
    "without text or words": "Sentence #1 (0 tokens):\n\n",
    "0 words": "Sentence #1 (1 tokens):\na\nb\n",
    "no lemma": CAT.replace("Lemma=cat", "Lemma="),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_file_is_named_with_its_line(fault: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "wrong.parse"
    path.write_text(FAULTS[fault], encoding="utf-8")
    with pytest.raises(InputError, match=fault) as error:
        corenlp.parses(path)
    assert "wrong.parse, line" in str(error.value)
    assert error.value.hint


def test_what_is_missing_is_said(cobalt: UpfCobalt, tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="has no tree of the text 'Birds'"):
        cobalt.segments(["Birds"], ["The cat sleeps."])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no file that ends on"):
        UpfCobalt(parses=str(tmp_path / "empty")).segments(["a"], ["b"])
    (tmp_path / "pairs.txt").write_text("one two\nthree\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"pairs\.txt, line 2: 'three' is no pair"):
        UpfCobalt(paraphrases=str(tmp_path / "pairs.txt")).segments(["a"], ["b"])
    with pytest.raises(SpecError, match="parses"):
        metric('upf-cobalt(parses="nothing.parse")')
    with pytest.raises(InputError, match="too many"):
        metric("upf-cobalt").segments(["a " * 501], ["a"])


def golden(shared: pathlib.Path, pair: str, column: str) -> tuple[list[Side], list[Side], list[str], list[float]]:
    """Parses of translations and references, the program's alignments and scores."""
    start = shared / "golden" / "programs" / "upf-cobalt" / f"wmt14-news.{pair}"
    refs = [Side.of(parse) for parse in corenlp.read(f"{start}.reference.parse.gz")]
    rows = table(pathlib.Path(f"{start}.segments.tsv.gz"))
    hyps = {
        s: [Side.of(p) for p in corenlp.read(f"{start}.{s}.parse.gz")] for s in dict.fromkeys(r["system"] for r in rows)
    }
    known = {
        (r["system"], r["segment"]): r["alignment"]
        for r in table(pathlib.Path(f"{start}.alignments.tsv.gz"))
        if r["variant"] == column
    }
    places = [(row["system"], int(row["segment"]) - 1) for row in rows]
    alignments = [known[row["system"], row["segment"]] for row in rows]
    return (
        [hyps[s][k] for s, k in places],
        [refs[k] for _, k in places],
        alignments,
        [float(row[f"cobalt_{column}"]) for row in rows],
    )


def pairs_of(alignment: str) -> list[tuple[int, int]]:
    """The pairs of a golden alignment, `1-2:0.10 3-4:0.00`."""
    return sorted((int(i), int(j)) for i, j in (item.partition(":")[0].split("-") for item in alignment.split()))


@pytest.mark.parametrize("pair", ["cs-en", "de-en"])
def test_scores_of_the_program(shared: pathlib.Path, cobalt: UpfCobalt, pair: str) -> None:
    stored = UpfCobalt(setting="stored", stop_words=cobalt.stop_words)
    lexicon = stored.lexicon()
    hyps, refs, alignments, scores = golden(shared, pair, "as_stored")
    assert len(hyps) == 100
    for hyp, ref, alignment, score in zip(hyps, refs, alignments, scores, strict=True):
        assert sorted(align(hyp, ref, lexicon)) == pairs_of(alignment)
        assert stored.mean(stored.compared(hyp, ref, lexicon)) == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize(("pair", "without", "wanted"), [("cs-en", 43, 99), ("de-en", 44, 99)])
def test_scores_of_the_program_with_synonyms(
    shared: pathlib.Path, cobalt: UpfCobalt, tmp_path: pathlib.Path, pair: str, without: int, wanted: int
) -> None:
    """The program's paraphrases are not at hand: those are taken that its alignments show."""
    hyps, refs, alignments, scores = golden(shared, pair, "resources_on")
    stop_words, path = cobalt.stop_words, tmp_path / "pairs.txt"
    plain = UpfCobalt(stop_words=stop_words)
    lexicon = plain.lexicon()
    shown = set()
    for hyp, ref, alignment in zip(hyps, refs, alignments, strict=True):
        for i, j in pairs_of(alignment):
            one, other = hyp.words[i - 1], ref.words[j - 1]
            if lexicon.similarity(one, other) < 0.5 and "-" not in one.form + other.form:
                shown.add(f"{canonical(one.form)} {canonical(other.form)}\n")
    path.write_text("".join(sorted(shown)), encoding="utf-8")
    for how, number in ((plain, without), (UpfCobalt(stop_words=stop_words, paraphrases=str(path)), wanted)):
        lexicon = how.lexicon()
        values = [how.mean(how.compared(hyp, ref, lexicon)) for hyp, ref in zip(hyps, refs, strict=True)]
        assert int(np.sum(np.abs(np.array(values) - scores) < 1e-9)) == number


def test_texts_find_their_parses(shared: pathlib.Path, cobalt: UpfCobalt) -> None:
    folder = shared / "golden" / "programs" / "upf-cobalt"
    how = UpfCobalt(parses=str(folder), setting="stored", stop_words=cobalt.stop_words)
    rows = [r for r in table(folder / "wmt14-news.de-en.segments.tsv.gz") if r["system"] == "CMU.3461"]
    texts = table(shared / "data" / "wmt14-news" / "newstest2014.de-en.tsv.gz")[: len(rows)]
    scores = how.segments([t["CMU.3461"] for t in texts], [t["reference"] for t in texts])
    np.testing.assert_allclose(scores, [float(row["cobalt_as_stored"]) for row in rows], rtol=0, atol=1e-9)
