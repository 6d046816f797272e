"""METEOR-WSD: synonyms of a sense alone, in English and elsewhere; files of senses, and what is no such file."""

import pathlib

import pytest

import tercet
from tercet.errors import InputError, SpecError
from tercet.formats import senses
from tercet.metrics.meteor import senses as wsd
from tercet.metrics.meteor.synonyms import Synonyms
from tests.meteor.files import folder

REF = "A dog dog barks at gas"
# the first dog is synset 2, which hound has, too; the second is none of METEOR's; gas is named by words
SENSES = f"""# text = {REF}
A     -
dog   2
Dog   77
barks -
at    -
gas   petrol|Fuel
"""


@pytest.fixture
def options(tmp_path: pathlib.Path) -> str:
    """Senses of one reference, and small files of METEOR."""
    (tmp_path / "a.senses").write_text(SENSES, encoding="utf-8")
    return f'senses="{tmp_path}/a.senses", resources="{folder(tmp_path / "resources")}", function_words=none'


def matches(spec: str, hypothesis: str, reference: str = REF) -> list[tuple[str, int, int]]:
    """Kinds and places of what is matched."""
    metric = tercet.metric(spec)
    alignment = metric.align(hypothesis, reference)  # type: ignore[attr-defined]
    return [(match.kind, match.hypothesis[0], match.reference[0]) for match in alignment.matches]


def test_synonyms_of_the_sense_alone(options: str) -> None:
    spec = f"meteor-wsd(modules=exact+synonym, {options})"
    hypothesis = "a hounds hound barks at fuel"  # hounds is in the synset by its base form
    kinds = dict.fromkeys(range(6), "exact") | {1: "synonym", 5: "synonym"}
    del kinds[2]
    assert matches(spec, hypothesis) == [(kind, place, place) for place, kind in kinds.items()]
    plain = spec.replace("meteor-wsd", "meteor").replace(options.split(",")[0] + ", ", "")
    assert [m[1] for m in matches(plain, hypothesis) if m[0] == "synonym"] == [1, 2]  # any sense of both


def test_pairs_by_hand() -> None:
    sentence = senses.SenseSentence("", (("Dog", ("2",)), ("dog", ("Hound", "1234567890")), ("cat", ())), 1)
    known = Synonyms({"hound": "2 3"}, {})
    assert list(wsd.pairs(["hound", "Hounds", "cat"], ["dog", "dog", "dog", "cat"], sentence, known)) == [
        (0, 0),
        (0, 1),
        (1, 0),
    ]
    assert list(wsd.pairs(["hound"], ["dog"], sentence, None)) == []
    assert list(wsd.pairs(["hound"], ["dog"], None, known)) == []


def test_without_senses_it_is_meteor(options: str) -> None:
    resources = options.split(", ", 1)[1]
    texts = ["a hound barks", "gas"], [REF, REF]
    scores = [tercet.metric(f"{name}(modules=exact+stem+synonym, {resources})") for name in ("meteor", "meteor-wsd")]
    assert scores[0].segments(*texts).tolist() == scores[1].segments(*texts).tolist()


def test_other_languages_get_synonyms(tmp_path: pathlib.Path) -> None:
    (tmp_path / "de.senses").write_text("Das -\nAuto Wagen|PKW\n", encoding="utf-8")
    spec = (
        f'meteor-wsd(language=de, normalize=lower, modules=exact, function_words=none, senses="{tmp_path}/de.senses")'
    )
    assert matches(spec, "das wagen", "Das Auto") == [("exact", 0, 0), ("synonym", 1, 1)]
    metric = tercet.metric(spec)
    assert metric.effective("weights") == (1.0, 0.8)
    assert metric.segments(["das Wagen", "das Haus"], ["Das Auto", ""])[1] == 0.0
    with pytest.raises(InputError, match="has no tree of the text 'Ein Auto'"):
        metric.segments(["x"], ["Ein Auto"])


def test_what_is_refused(options: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SpecError, match="senses must be a file or folder that is there"):
        tercet.metric("meteor-wsd(senses=nowhere)")
    monkeypatch.setattr(wsd, "MOST_MATCHES", 1)
    with pytest.raises(InputError, match="A segment has more than 1 pairs of words that mean the same"):
        tercet.metric(f"meteor-wsd(modules=synonym, {options})").segments(["hound hound"], [REF])
    for text, told in (("a\n", "line 1: 1 columns"), ("a b c\n", "line 1: 3 columns"), ("a b\nc\n", "line 2: 1")):
        path = tmp_path / "bad.senses"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=told):
            list(senses.read(path))


def test_files_of_senses(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.senses").write_text(f"{SENSES}\n\n# sent_id = 1\n\nx y||z\n", encoding="utf-8")
    first, second = senses.parses(tmp_path).values()
    assert (first.text, first.words[1:3], first.line) == (REF, (("dog", ("2",)), ("Dog", ("77",))), 1)
    assert (second.text, second.words) == ("x", (("x", ("y", "z")),))
