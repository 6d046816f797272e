"""Files of quality estimation: every form, numbers from 0 and from 1, and what is wrong with a line."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import pytest

from tercet.errors import InputError
from tercet.formats.qe_files import detect_level
from tercet.formats.qe_sentences import read_sentences
from tercet.formats.qe_spans import read_spans
from tercet.formats.qe_words import check_tokens, read_words
from tercet.label_inputs import times

Write = Callable[[str], pathlib.Path]


@pytest.fixture
def write(tmp_path: pathlib.Path) -> Write:
    def written(text: str) -> pathlib.Path:
        path = tmp_path / "file.txt"
        path.write_bytes(text.encode("utf-8"))
        return path

    return written


SENTENCES = {
    "plain": "0.5\n0.25\n1\n",
    "plain, Windows": "0.5\r\n0.25\r\n1\r\n",
    "WMT14, in any order": "T_x\t2\t0.25\t1\nT_x\t1\t0.5\t2\nT_x\t3\t1\t3\n",
    "WMT14, from 0": "T_x\t0\t0.5\t2\nT_x\t1\t0.25\t1\nT_x\t2\t1e0\t3\n",
    "WMT20": "en-de\tT_x\t0\t0.5\nen-de\tT_x\t1\t0.25\nen-de\tT_x\t2\t1\n",
    "WMT21": "560000000\n12000000\nen-de\tT_x\t0\t0.5\nen-de\tT_x\t1\t.25\nen-de\tT_x\t2\t1\n",
    "WMT23": "560\n120\n1\nen-de\tT_x\t0\t0.5\nen-de\tT_x\t1\t.25\nen-de\tT_x\t2\t1\n",
    "table": "Segment\tScore\n1\t0.5\n2\t0.25\n3\t1\n",
    "table of one column": "prediction\n0.5\n.25\n1\n",
}


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_every_form_of_sentences(text: str, write: Write) -> None:
    path = write(text)
    assert detect_level(path) == "sentence"
    (labels,) = read_sentences(path).values()
    assert labels.scores is not None
    assert labels.scores.tolist() == [0.5, 0.25, 1.0]
    assert labels.segments == ("1", "2", "3")


def test_ranks_and_scores_that_were_not_submitted(write: Write) -> None:
    unranked = read_sentences(write("T_x\t1\t0.5\t0\nT_x\t2\t0.1\t0\n"))["T_x"]
    assert (unranked.ranks, unranked.unranked) == (None, True)
    unscored = read_sentences(write("T_x\t1\t0\t2\nT_x\t2\t0\t1\n"))["T_x"]
    assert unscored.scores is None
    assert unscored.ranks is not None
    assert unscored.ranks.tolist() == [2, 1]


def test_several_systems_and_true_labels_in_one_table(write: Write) -> None:
    path = write(
        "METRIC\tSID\tSCORE\tRANK\tHUMAN\na\t1\t.5\t0\t.4\na\t2\t.6\t0\tnan\nb\t2\t.1\t0\tnan\nb\t1\t.2\t0\t.4\n"
    )
    assert {name: labels.scores.tolist() for name, labels in read_sentences(path).items()} == {  # type: ignore[union-attr]
        "a": [0.5, 0.6],
        "b": [0.2, 0.1],
    }
    gold = read_sentences(path, gold=True)[""].scores
    assert gold is not None
    assert [str(value) for value in gold.tolist()] == ["0.4", "nan"]


WRONG_SENTENCES = {
    "": "is empty",
    "\n\n": "is empty",
    "0.5\n\n0.4\n": r"line 2: it is empty\. Every line is a segment",
    "\n0.5\n0.4\n": "line 1: it is empty",
    "score\n0.5\n \n0.4\n": "line 3: it is empty",
    "score\n": "has a header and nothing below it",
    "T_x\t1\t0.5\t1\nT_x\t2\tabc\t2\n": r"line 2: the score is 'abc'\. It must be a finite number",
    "0.5\nnan\n": "line 2: the score is 'nan'",
    "0.5\ninf\n": "line 2: the score is 'inf'",
    "T_x\t1\t0.5\t1\nT_x\t1\t0.4\t2\n": "line 2: segment 1 of T_x is there twice, first on line 1",
    "T_x\t1\t0.5\t1\nT_x\t4\t0.4\t2\n": "line 2: segment 4 of T_x is there, of 2 in all, and segment 2 is not",
    "T_x\t1\t0.5\t1\nT_x\t2\t0.4\t1\n": "line 2: rank 1 of T_x is there twice, first on line 1",
    "T_x\t1\t0.5\t1\nT_x\t2\t0.4\t7\n": "line 2: rank 7 of T_x, which has 2 segments",
    "T_x\t1\t0.5\t1\nT_x\t2\t0.4\tbest\n": "line 2: the rank is 'best'",
    "T_x\t1\t0.5\t1\nT_x\tone\t0.4\t2\n": "line 2: the segment is 'one'",
    "T_x\t1\t0.5\t1\nT_x\t2\t0.4\n": "line 2: 3 cells where 4 are needed",
    "a\tb\tc\n": "line 1: 'a\\\\tb\\\\tc' is no label of a sentence",
    "en-de\tx\t0\t1\nen-fr\tx\t0\t1\n": r"has the pairs en-de, en-fr\. Choose one: --pair en-de",
}


@pytest.mark.parametrize(("text", "sentence"), WRONG_SENTENCES.items())
def test_a_malformed_submission_is_refused_with_its_line(text: str, sentence: str, write: Write) -> None:
    with pytest.raises(InputError, match=sentence):
        read_sentences(write(text))


@pytest.mark.parametrize("text", ["0.5\n0.4\n", "0.5\n0.4", "0.5\n0.4\n\n", "segment\tscore\n\n2\t0.4\n\n1\t0.5\n"])
def test_empty_lines_where_they_move_nothing(text: str, write: Write) -> None:
    (labels,) = read_sentences(write(text)).values()
    assert labels.scores is not None
    assert labels.scores.tolist() == [0.5, 0.4]


def test_an_empty_line_among_true_labels_or_times_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match="line 2: it is empty"):
        read_sentences(write("0.5\n\n0.4\n"), gold=True)
    with pytest.raises(InputError, match="line 3: it is empty"):
        times(write("5\n4\n\n3\n"))


def test_one_pair_of_several(write: Write) -> None:
    path = write("en-de\tx\t0\t1\nen-fr\tx\t0\t2\n")
    assert read_sentences(path, pair="English-French")["x"].scores.tolist() == [2.0]  # type: ignore[union-attr]
    with pytest.raises(InputError, match="has nothing of de-en"):
        read_sentences(path, pair="de-en")


def test_two_labels_of_one_segment_are_refused(write: Write) -> None:
    with pytest.raises(InputError, match="line 3: segment 1 has the label 2, and 1 on line 2"):
        read_sentences(write("segment\tgold\n1\t1\n1\t2\n"), gold=True)


WORDS = {
    "lines": "OK bad\nGood\n",
    "lines, Windows": "OK BAD\r\nOK\r\n",
    "WMT14": "1\t1\tla\tOK\n1\t2\tcasa\tBAD\n2\t1\tघर\tOK\n",
    "WMT14, from 0": "0\t0\tla\tOK\n0\t1\tcasa\tBAD\n1\t0\t房子\tOK\n",
    "WMT14, with a method": "T_x\t1\t1\tla\tOK\nT_x\t1\t2\tcasa\tBAD\nT_x\t2\t1\tyo\tOK\n",
    "WMT14, a number first": "1\t1\t7\tOK\n1\t2\tcasa\tBAD\n2\t1\tyo\tOK\n",
    "WMT20": "en-es\tT_x\tmt\t0\t0\tla\tOK\nen-es\tT_x\tmt\t0\t1\tcasa\tBAD\nen-es\tT_x\tmt\t1\t0\tyo\tOK\n",
    "WMT21": "9\n8\nen-es\tT\tmt\t0\t0\tla\tOK\nen-es\tT\tMT\t0\t1\tcasa\tBAD\nen-es\tT\tmt\t1\t0\tyo\tgood\n",
}


@pytest.mark.parametrize("text", WORDS.values(), ids=WORDS)
def test_every_form_of_words(text: str, write: Write) -> None:
    path = write(text)
    assert detect_level(path) == "word"
    (tags,) = read_words(path).values()
    assert tags.sides["mt"].columns == ((("OK", "BAD"), ("OK",)),)


def test_sides_gaps_and_granularities(write: Write) -> None:
    both = write("".join(f"en-es\tT\t{side}\t0\t{i}\tx\tOK\n" for side, n in (("mt", 2), ("gap", 3)) for i in range(n)))
    (tags,) = read_words(both).values()
    assert {side: columns.columns for side, columns in tags.sides.items()} == {
        "mt": ((("OK", "OK"),),),
        "gap": ((("OK", "OK", "OK"),),),
    }
    lines = read_words(write("OK BAD OK\n\nOK\n"))[""].sides["mt"]
    assert lines.columns == ((("OK", "BAD", "OK"), (), ("OK",)),)  # an empty line is a sentence
    fine = read_words(write("1\t1\tla\tTerminology\tAccuracy\tBAD\n"))[""].sides["mt"]
    assert fine.columns == ((("Terminology",),), (("Accuracy",),), (("BAD",),))


def test_tags_are_held_against_the_text(write: Write) -> None:
    tags = read_words(write("OK BAD\nOK\n"))[""]
    check_tokens(tags, [["a", "b"], ["c"]], "mt.txt")
    with pytest.raises(InputError, match=r"line 2: 1 tags where line 2 of mt\.txt has 2 words"):
        check_tokens(tags, [["a", "b"], ["c", "d"]], "mt.txt")
    with pytest.raises(InputError, match=r"has tags of 2 sentences, and mt\.txt has 1"):
        check_tokens(tags, [["a", "b"]], "mt.txt")
    gaps = read_words(write("OK BAD OK\n"), gaps=True)[""]
    check_tokens(gaps, [["a"]], "mt.txt")
    with pytest.raises(InputError, match="1 tags where line 1 of"):
        check_tokens(gaps, [["a", "b"]], "mt.txt")
    named = read_words(write("1\t1\tLa\tOK\n"))[""]
    check_tokens(named, [["la"]], "mt.txt")
    with pytest.raises(InputError, match=r"the word 'La' is 'el' in line 1 of mt\.txt"):
        check_tokens(named, [["el"]], "mt.txt")


WRONG_WORDS = {
    "": "is empty",
    "1\t1\tla\tOK\n1\t2\tcasa\n": "line 2: 3 cells where the first line has 4",
    "1\t1\tla\tOK\n1\tx\tcasa\tOK\n": "line 2: the index of the word is 'x'",
    "1\t1\tla\tOK\n1\t1\tcasa\tOK\n": "line 2: word 1 of sentence 1 is there twice, first on line 1",
    "1\t1\tla\tOK\n1\t3\tcasa\tOK\n": "line 2: word 3 of sentence 1 is there, of 2 in all",
    "1\t1\tla\tOK\n3\t1\tcasa\tOK\n": "line 2: sentence 3 is there, of 2 in all, and sentence 2 is not",
    "1\t1\tla\t0.5\n": "line 1: the tag is '0.5'",
    "en\tT\tmt\t0\t0\tla\tOK\nen\tT\tpe\t0\t1\tx\tOK\n": "line 2: the type is 'pe'",
    "en\tT\tmt\t0\t0\tla\tOK\nen\tT\tmt\ta\t1\tx\tOK\n": "line 2: the segment is 'a'",
    "en\tT\tmt\t0\t0\tla\tOK\nen\tT\tmt\t0\t1\tx\t\n": "line 2: the tag is ''",
    "en\tT\tmt\t0\t0\tla\tOK\nen\tT\tgap\t0\t0\t\tOK\n": "line 2: 1 gaps where there are 1 words",
    "en\tT\tmt\t0\t0\tla\tOK\nen\tT\tmt\n": "line 2: 3 cells where 7 are needed",
}


@pytest.mark.parametrize(("text", "sentence"), WRONG_WORDS.items())
def test_malformed_tags_are_refused_with_their_line(text: str, sentence: str, write: Write) -> None:
    with pytest.raises(InputError, match=sentence):
        read_words(write(text))


def test_an_even_number_of_tags_has_no_gaps(write: Write) -> None:
    with pytest.raises(InputError, match="line 2: 2 tags, where gaps and words together are an odd number"):
        read_words(write("OK\nOK OK\n"), gaps=True)
    with pytest.raises(InputError, match="has a word a line, and gaps only where it says so"):
        read_words(write("1\t1\tla\tOK\n"), gaps=True)


HEAD = "segment_id\thypothesis_segment\tstart_indices\tend_indices\terror_types\n"
SPANS = {
    "table": f"{HEAD}1\tabcdef\t0 3\t2 5\tmajor minor\n2\txyz\t-1\t-1\tno-error\n",
    "WMT23": "9\n8\n1\nen-de\tT_x\t0\tabcdef\t0 3\t2 5\tmajor minor\nen-de\tT_x\t1\txyz\t-1\t-1\tno-error\n",
    "JSON lines": '[{"start": 0, "end": 2, "severity": "major"}, {"start": 3, "end_i": 4, "severity": "Minor"}]\n[]\n',
    "objects": '{"spans": [{"start": 0, "end": 2, "severity": "major"}, {"start": 3, "end": 5, "severity": "minor"}]}\n'
    '{"spans": []}\n',
}


@pytest.mark.parametrize("text", SPANS.values(), ids=SPANS)
def test_every_form_of_spans(text: str, write: Write) -> None:
    path = write(text)
    assert detect_level(path) == "span"
    (labels,) = read_spans(path).values()
    assert [[(s.start, s.end, s.severity) for s in spans] for spans in labels.spans] == [
        [(0, 2, "major"), (3, 5, "minor")],
        [],
    ]


def test_what_is_missing_has_no_place(write: Write) -> None:
    (labels,) = read_spans(write(f"{HEAD}1\tabc\tmissing 0\tmissing 9\tmajor minor\n")).values()
    assert [(s.start, s.end) for s in labels.spans[0]] == [(0, 3)]  # and a span ends with its text


WRONG_SPANS = {
    f"{HEAD}1\tabc\t0 1\t2\tmajor\n": "line 2: 2, 1, 1 starts, ends and types",
    f"{HEAD}1\tabc\tx\t2\tmajor\n": "line 2: a span from 'x' to '2'",
    f"{HEAD}1\tabc\t2\t1\tmajor\n": "line 2: a span from 2 to 1 of a text of 3 characters",
    f"{HEAD}1\tabc\t7\t9\tmajor\n": "line 2: a span from 7 to 9",
    f"{HEAD}1\tabc\t0\t1\tmajor\n1\tabc\t0\t1\tmajor\n": "line 3: segment '1' is there twice, first on line 2",
    HEAD: "has a header and nothing below it",
    f"{HEAD}1\tabc\t0\n": "line 2: 3 cells where 5 are needed",
    "start_indices\tend_indices\n0\t1\n": "there is no column error_types",
    '[{"start": 0}]\n': "line 1: an error span has the severity None",
    "[}\n": r"line 1: '\[}' is no JSON",
    "a\tb\n": "is no line of error spans",
}


@pytest.mark.parametrize(("text", "sentence"), WRONG_SPANS.items())
def test_malformed_spans_are_refused_with_their_line(text: str, sentence: str, write: Write) -> None:
    with pytest.raises(InputError, match=sentence):
        read_spans(write(text))


@pytest.mark.parametrize("text", ["the cat sat\n", "a\tb\n", "x\ty\tz\tw\n"])
def test_a_file_that_is_none_of_these_is_said_to_be_none(text: str, write: Write) -> None:
    with pytest.raises(InputError, match="is no file of labels that is known"):
        detect_level(write(text))
    with pytest.raises(InputError, match="standard input"):
        detect_level("-")
