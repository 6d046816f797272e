"""What every verb prints on a terminal of 80 columns: no word is broken, no interval, and nothing is lost."""

from __future__ import annotations

import pathlib
import re

import click.testing
import pytest
from rich.cells import cell_len

from tercet.cli.app import app
from tercet.cli.command import Command
from tercet.cli.examples import in_columns
from tercet.cli.group import Verbs
from tercet.data.table import Table
from tercet.report.fitting import fitted, parts, wrapped
from tests.cli.test_outputs import JUDGED, RANKINGS, TEXTS, WORDS, write_files

LONG = '-m "bleu(lowercase=true, tokenize=intl)" -m "chrf(beta=3, word_order=2)" -m "ter(normalized=true)"'
SHOWN = {
    **{verb: f"{verb} {words}" for verb, words in WORDS.items() if not verb.startswith(("train ", "parse"))},
    "score with intervals": f"score -t {TEXTS} --ci --paired bootstrap --samples 80",
    "compare with intervals": f"compare -t {TEXTS} --samples 200",
    "meta with intervals": f"meta {JUDGED} -m bleu -m chrf -m ter --samples 40",
    "score by long names": f"score -t {TEXTS} -m bleu -m chrf -m ter {LONG}",
    "rank head to head": f"rank {RANKINGS} --samples 40 --head-to-head --counts",
    "rank by several": f"rank {RANKINGS} --samples 40 -m expected-wins -m others -m bradley-terry",
    "judges": f"agreement {RANKINGS} --annotators",
    "one judge": f"agreement {RANKINGS} --annotator judge1",
    "amounts": f"agreement {RANKINGS} --amounts",
    "tests": f"meta {JUDGED} -m bleu -m chrf {LONG} --samples 40 --show tests",
    "all names": "list",
}
GROUPS = [group for name in app.verbs if isinstance(group := app.loaded(name), Verbs)]
EXAMPLES = [command for command in app.walk().values() if isinstance(command, Command)]
_WORD = re.compile(r"[\s|+─-]+")


@pytest.fixture(autouse=True)
def _folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    write_files()


def printed(words: str, monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> str:
    with monkeypatch.context() as patched:
        patched.setattr(click.testing._NamedTextIOWrapper, "isatty", lambda stream: terminal and "out" in stream.name)
        quoted = re.findall(r'"[^"]*"|\S+', words)
        done = click.testing.CliRunner(env={"NO_COLOR": "1", "TERM": "dumb"}).invoke(
            app, [w.strip('"') for w in quoted]
        )
    assert done.exit_code == 0, done.output
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)


@pytest.mark.parametrize("words", SHOWN.values(), ids=SHOWN)
def test_no_word_is_broken(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, shown = (printed(words, monkeypatch, terminal=terminal) for terminal in (False, True))
    assert shown != ""
    before, after = ({word.rstrip(".,") for word in _WORD.split(text)} for text in (plain, shown))
    assert before - after == set()
    assert [line for line in shown.splitlines() if cell_len(line) > 80] == []


@pytest.mark.parametrize("verb", ["score with intervals", "compare with intervals", "meta with intervals"])
def test_intervals_and_p_values_stay_whole(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, shown = (printed(SHOWN[verb], monkeypatch, terminal=terminal) for terminal in (False, True))
    assert re.search(r"\[[^\]]*\]", plain)
    for pattern in (r"\[[^\]]*\]", r"\bp [=<] \S+", r"\bn = \S+"):
        assert sorted(re.findall(pattern, shown)) == sorted(re.findall(pattern, plain))


def test_a_matrix_of_long_names_has_letters() -> None:
    names = tuple(f"{n}th system of a long name {n}" for n in range(9))
    table = Table(("", *names), tuple((name, *(["1.00"] * 9)) for name in names), best=frozenset({(0, 9)}))
    [shown] = fitted(table, 80)
    assert shown.header == ("", *"ABCDEFGHI")
    assert [row[0].replace("\n", " ") for row in shown.rows][:2] == [f"A {names[0]}", f"B {names[1]}"]
    assert shown.best == table.best


def test_as_few_titles_as_possible_become_letters() -> None:
    table = Table(("kind", "kappa", "comparable", "p_expected", "agree"), (("inter", ".393", "34", ".426", "22"),))
    assert fitted(table, 43) == [table]
    [shown] = fitted(table, 36)
    assert (shown.header, shown.notes) == (("kind", "kappa", "A", "p_expected", "agree"), ("Columns: A comparable.",))
    [shown] = fitted(table, 30)
    assert shown.header == ("kind", "kappa", "A", "B", "agree")
    assert shown.notes == ("Columns: A comparable, B p_expected.",)


def test_systems_lose_what_all_their_names_share_where_there_is_no_room() -> None:
    names = ("newstest.online-A.de-en.txt", "newstest.RWTH.de-en.txt")
    table = Table(("", *names), ((names[0], "–", ".41"), (names[1], ".59", "–"), ("range", "1", "2")), ("note",))
    assert fitted(table, 120) == [table]
    [shown] = fitted(table, 40)
    assert shown.header == ("", "online-A", "RWTH")
    assert [row[0] for row in shown.rows] == ["online-A", "RWTH", "range"]
    assert shown.notes == (
        "All names begin with “newstest.” and end in “.de-en.txt”, which is left out here.",
        "note",
    )


@pytest.mark.parametrize("contents", [app.contents, *(g.contents for g in GROUPS), *(c.example for c in EXAMPLES)])
def test_examples_fit_and_can_be_pasted(contents: str) -> None:
    def pasted(text: str) -> list[str]:
        """The commands, as a shell reads them."""
        words = [re.sub(r"\s{3,}.*", "", line) for line in re.sub(r"\s*\\\n\s*", " ", text).split("\n")]
        return [line.strip() for line in words if line.startswith("  tercet ")]

    shown = in_columns(contents, 80)
    wide = [line for line in shown.splitlines() if cell_len(line) > 80]
    assert [line for line in wide if not re.fullmatch(r' +-m "[^"]*"', line)] == []  # but one spec is too long for any
    assert pasted(shown) == pasted(contents)
    assert set(shown.split()) - {"\\"} == set(contents.split()) - {"\\"}


def test_the_first_screen_fits_as_it_is() -> None:
    assert in_columns(app.contents, 80) == app.contents


def test_what_does_not_fit_stands_below() -> None:
    table = Table(("system", *"abcdefgh"), (("x", *["[10.00, 20.00]"] * 8),), ("note",), frozenset({(0, 8)}))
    shown = fitted(table, 40)
    assert [part.header for part in shown] == [
        ("system", "a", "b"),
        ("system", *"cd"),
        ("system", *"ef"),
        ("system", *"gh"),
    ]
    assert [part.notes for part in shown] == [(), (), (), ("note",)]
    assert [part.best for part in shown] == [frozenset(), frozenset(), frozenset(), {(0, 2)}]


@pytest.mark.parametrize("width", [20, 33, 50, 80, 200])
def test_nothing_is_lost_at_any_width(width: int) -> None:
    table = Table(
        ("system", "bleu ↑", "chrf(word_order=2) ↑"),
        (("a long name", "58.34 [51.97, 63.96] p = .003*", "1.00 (2.00/3.00)"), ("猫", "n/a", "–")),
    )
    shown = fitted(table, width)
    pieces = {part for row in table.rows for cell in row for part in parts(cell)}
    there = " ".join(" ".join(row).replace("\n", " ") for part in shown for row in part.rows)
    assert [piece for piece in pieces if piece not in there] == []


def test_signatures_break_between_their_facts() -> None:
    lines = wrapped("rank|method:trueskill|samples:1000|tercet:0.2.0|data:outputs=1+references=2", 24)
    assert "".join(lines) == "rank|method:trueskill|samples:1000|tercet:0.2.0|data:outputs=1+references=2"
    assert all(len(line) <= 24 for line in lines)
