"""CoNLL-U: trees by their texts, and what is wrong with a file."""

import pathlib

import pytest

from tercet.errors import InputError
from tercet.formats import conllu, parses

GOOD = """# sent_id = 1
# text = Vámonos al  mar.
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\tMood=Imp\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
5\tmar\t_\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No
5.1\tnada\t_\t_\t_\t_\t_\t_\t1:x\t_
6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_
"""


def written(folder: pathlib.Path, text: str, name: str = "a.conllu") -> pathlib.Path:
    """A file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_words_heads_and_text(tmp_path: pathlib.Path) -> None:
    (sentence,) = conllu.read(written(tmp_path, GOOD))
    assert sentence.text == "Vámonos al  mar."
    assert [w.form for w in sentence.words] == ["Vamos", "nos", "a", "el", "mar", "."]
    assert [w.head for w in sentence.words] == [-1, 0, 4, 4, 0, 0]
    first, sea = sentence.words[0], sentence.words[4]
    assert (first.lemma, first.pos, first.features, first.relation) == ("ir", "VERB", "Mood=Imp", "root")
    assert sea.lemma == "mar"
    assert list(conllu.parses(tmp_path / "a.conllu")) == ["Vámonos al mar."]


def test_without_its_text_it_is_that_of_the_tokens(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, GOOD.replace("# text = Vámonos al  mar.\n", ""))
    assert list(conllu.parses(path)) == ["Vámonos al mar."]


def test_several_sentences_files_and_line_ends(tmp_path: pathlib.Path) -> None:
    other = "# text = Ja\r\n1\tJa\tja\tINTJ\t_\t_\t0\troot\t_\t_\r\n\r\n\r\n# only a comment\r\n\r\n"
    written(tmp_path, f"\n{other}{GOOD}")
    written(tmp_path, GOOD.replace("mar.", "Mar!"), "b.conllu")
    written(tmp_path, "nothing", "readme.txt")
    assert list(conllu.parses(tmp_path)) == ["Ja", "Vámonos al mar.", "Vámonos al Mar!"]


def test_a_file_that_changes_is_read_anew(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, GOOD)
    assert len(conllu.parses(path)) == 1
    written(tmp_path, GOOD + "\n" + GOOD.replace("mar", "lago"))
    assert len(conllu.parses(path)) == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "wrong"),
    [
        ("\t_\n2\t", "\n2\t", 4, "9 columns, not 10"),
        ("5\tmar", "6\tmar", 9, "numbered '6' where 5 is next"),
        ("5\tmar", "x\tmar", 9, "numbered 'x'"),
        ("5\tmar\t", "5\t\t", 9, "without a form"),
        ("\t5\tcase", "\t_\tcase", 7, "the head is '_'"),
        ("\t5\tcase", "\t-1\tcase", 7, "the head is '-1'"),
        ("\t5\tcase", "\t7\tcase", 1, "a head is word 7, and there are 6"),
        ("\t5\tcase", "\t3\tcase", 1, "go round in a circle"),
        ("\t0\troot", "\t2\troot", 1, "go round in a circle"),
    ],
)
def test_a_defect_is_named_with_its_line(tmp_path: pathlib.Path, old: str, new: str, line: int, wrong: str) -> None:
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(InputError, match=f"a.conllu, line {line}: .*{wrong}") as caught:
        list(conllu.read(path))
    assert caught.value.hint


def test_one_text_has_one_tree(tmp_path: pathlib.Path) -> None:
    assert len(conllu.parses(written(tmp_path, f"{GOOD}\n{GOOD}"))) == 1
    with pytest.raises(InputError, match=r"line 13: 'Vámonos al  mar\.' has another parse"):
        conllu.parses(written(tmp_path, f"{GOOD}\n{GOOD.replace('obj', 'iobj')}"))


def test_sizes_are_bounded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conllu, "MOST_WORDS", 2)
    with pytest.raises(InputError, match="line 9: a sentence of more than 2 words"):
        list(conllu.read(written(tmp_path, GOOD)))
    monkeypatch.undo()
    monkeypatch.setattr(parses, "MOST_SENTENCES", 0)
    with pytest.raises(InputError, match="more than 0 sentences"):
        conllu.parses(written(tmp_path, GOOD, "c.conllu"))


def test_what_is_not_there(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"no file that ends on"):
        conllu.parses(tmp_path)
    with pytest.raises(InputError, match="There is no file"):
        conllu.parses(tmp_path / "x.conllu")
