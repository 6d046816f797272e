"""Files that are written: their mode, their links, and what killed runs leave behind."""

from __future__ import annotations

import errno
import importlib.resources
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

import pytest

import tercet
from tercet.campaigns.create import invite_people
from tercet.campaigns.log import Log
from tercet.campaigns.status import campaign_status
from tercet.cli.app import app
from tercet.errors import InputError
from tercet.formats import lines
from tests.campaigns.build import created

WRITING = textwrap.dedent(
    """
    import sys, time
    from tercet.formats import lines

    with lines.replacing(sys.argv[1]) as file:
        file.write(b"half")
        file.flush()
        print("writing", flush=True)
        time.sleep(600)
    """
)


def mode(path: pathlib.Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o755, 0o666])
def test_an_overwritten_file_keeps_its_mode(bits: int, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(bits)
    lines.write(path, ["new"])
    assert (path.read_text(encoding="utf-8"), mode(path)) == ("new", bits)


def test_it_is_never_more_readable_than_it_was(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.txt"
    path.touch(mode=0o600)
    with lines.replacing(path) as file:
        file.write(b"secret")
        (part,) = (p for p in tmp_path.iterdir() if p != path)
        assert mode(part) == 0o600


def test_a_new_file_has_the_mode_of_any_other(tmp_path: pathlib.Path) -> None:
    (tmp_path / "other").touch()
    lines.write(tmp_path / "x", ["new"])
    assert mode(tmp_path / "x") == mode(tmp_path / "other")


def test_a_link_stays_a_link(tmp_path: pathlib.Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "x", tmp_path / "link"
    target.touch(mode=0o600)
    link.symlink_to(target)
    lines.write(link, ["new"])
    assert link.is_symlink()
    assert (target.read_text(encoding="utf-8"), mode(target)) == ("new", 0o600)


def writer(path: pathlib.Path) -> subprocess.Popen[str]:
    """Another run, in the middle of its writing."""
    run = subprocess.Popen([sys.executable, "-c", WRITING, str(path)], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "writing\n"
    return run


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.txt"
    (tmp_path / ".x.txt.notes.part").touch()  # somebody else's
    (tmp_path / ".other.txt.0123abcd.part").touch()
    with writer(path) as run:
        run.send_signal(signal.SIGKILL)
    assert len(list(tmp_path.iterdir())) == 3
    lines.write(path, ["new"])
    assert sorted(p.name for p in tmp_path.iterdir()) == [".other.txt.0123abcd.part", ".x.txt.notes.part", "x.txt"]


def test_what_another_run_still_writes_is_not(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.txt"
    with writer(path) as run:
        lines.write(path, ["new"])
        assert len(list(tmp_path.iterdir())) == 2
        run.send_signal(signal.SIGKILL)
    assert path.read_text(encoding="utf-8") == "new"


def stopped(nth: int, write: Callable[[], None]) -> bool:
    """Write, with somebody's Ctrl-C before the nth instruction of our own; whether it came so far."""
    left = nth

    def trace(frame: types.FrameType, event: str, _: object) -> Callable[..., Any] | None:
        nonlocal left
        if frame.f_code.co_filename != lines.__file__:
            return None
        frame.f_trace_opcodes = True
        left -= event == "opcode"
        if left == 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        write()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def fill(path: pathlib.Path) -> None:
    with lines.replacing_folder(path) as part:
        (part / "inside").touch()


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # it is closed when nobody has it any more
@pytest.mark.parametrize("write", [lambda path: lines.write(path, ["new"]), fill], ids=["a file", "a folder"])
def test_whenever_it_is_interrupted_nothing_half_done_is_left(
    write: Callable[[pathlib.Path], None], tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "x"
    nth = 1
    while stopped(nth, lambda: write(path)):
        assert {p.name for p in tmp_path.iterdir()} <= {"x"}
        nth += 1
    assert nth > 100
    assert path.exists()


def fail(path: pathlib.Path) -> None:
    with lines.replacing_folder(path):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_folder_is_all_there_or_not_there(tmp_path: pathlib.Path) -> None:
    """What a killed run left goes with the next one; what somebody still writes to, and a link, stay."""
    path = tmp_path / "model"
    (tmp_path / ".model.0123abcd.part" / "inside").mkdir(parents=True)
    (tmp_path / ".model.0123abce.part").symlink_to(tmp_path)
    with lines.replacing_folder(path) as part:
        (part / "x").write_text("new", encoding="utf-8")
        with pytest.raises(InputError, match="model cannot be written: No space left"):
            fail(path)
        assert part.exists()
        assert not path.exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == [".model.0123abce.part", "model"]
    assert [p.name for p in path.iterdir()] == ["x"]


def test_a_planted_pipe_is_not_waited_for(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / ".x.txt.0123abcd.part")
    (tmp_path / ".x.txt.0123abce.part").symlink_to(tmp_path / "kept")
    (tmp_path / "kept").touch()
    run = "import sys; from tercet.formats import lines; lines.write(sys.argv[1], ['new'])"
    subprocess.run([sys.executable, "-c", run, tmp_path / "x.txt"], check=True, timeout=60)
    assert (tmp_path / "x.txt").read_text(encoding="utf-8") == "new"
    assert (tmp_path / "kept").exists()


def test_a_planted_lock_of_a_campaign_is_not_followed(tmp_path: pathlib.Path) -> None:
    place, _ = created(tmp_path, place=tmp_path / "c.db")
    (tmp_path / "kept").write_text("mine", encoding="utf-8")
    pathlib.Path(f"{place}.lock").symlink_to(tmp_path / "kept")
    with Log(place) as log, pytest.raises(OSError, match="symbolic links"):
        log.hold()
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["中" * 83 + ".csv", "x" * 251 + ".csv", "é" * 125 + ".csv"])
def test_a_name_may_be_as_long_as_names_can_be(name: str, tmp_path: pathlib.Path) -> None:
    lines.write(tmp_path / name, ["new"])
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("style", ["table", "csv"])
def test_a_full_disk_is_said_to_be_full(style: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "h").write_text("a\n", encoding="utf-8")
    words = [sys.executable, "-m", "tercet", "score", "h", "-r", "h", "-f", style]
    with pathlib.Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(words, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("tercet: Standard output cannot be written: No space left on device.")
    with pytest.raises(tercet.InputError, match="/dev/full cannot be written: No space left"):
        lines.write("/dev/full", ["text"])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("words", "code"), [("score none -r none", 2), ("score -m blue", 2), ("score", 2), ("score h -r h --samples 5", 2)]
)
def test_where_no_error_can_be_said_the_exit_code_still_tells(words: str, code: int, tmp_path: pathlib.Path) -> None:
    (tmp_path / "h").write_text("a\n", encoding="utf-8")
    command = [sys.executable, "-m", "tercet", *words.split()]
    with pathlib.Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, text=True, check=False)
    assert done.returncode == code


# Every command in a child of its own, whose output goes to a full disk: its exit code and complaint, as JSON.
FULL = textwrap.dedent(
    """
    import json, os, sys
    from tercet.cli import main

    for words in json.loads(sys.argv[1]):
        read, write = os.pipe()
        if (child := os.fork()) == 0:
            os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
            os.dup2(write, 2)
            sys.argv = ["tercet", *words]
            code = 1
            try:
                main()
                sys.stdout.flush()
                code = 0
            except SystemExit as end:
                code = int(end.code or 0)
            finally:
                sys.stderr.flush()
                os._exit(code)
        os.close(write)
        with os.fdopen(read) as pipe:
            complaint = pipe.read()
        print(json.dumps([words, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), complaint]), flush=True)
    """
)


def commands() -> list[list[str]]:
    """Every command and group of commands, asked for help."""
    verbs = [name.split() for name in app.walk()]
    words = dict.fromkeys(tuple(verb[:n]) for verb in verbs for n in range(len(verb) + 1))
    return [[*before, "--help"] for before in words]


def answering(folder: pathlib.Path) -> list[list[str]]:
    """Verbs that print an answer, on the campaign that ships."""
    texts, judged = folder / "t.tsv", folder / "j.csv"
    sample = importlib.resources.files("tercet.sample")
    texts.write_bytes((sample / "en-de.tsv").read_bytes())
    judged.write_bytes((sample / "en-de.rankings.csv").read_bytes())
    created(folder, place=folder / "c.db")
    verbs = ["score -t T -m bleu", "score -t T -m bleu -f json", "compare -t T -m bleu --samples 200", "rank J", "list"]
    verbs += [
        "agreement J",
        "choose J",
        "plan --gap 0.2",
        "meta -t T -j J -m bleu --samples 40",
        "show bleu",
        "--version",
    ]
    verbs += ["explain bleu --hyp a --ref b", "campaign status C", ""]
    places = {"T": str(texts), "J": str(judged), "C": str(folder / "c.db")}
    return [[places.get(word, word) for word in verb.split()] for verb in verbs]


@pytest.mark.thorough
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_every_command_says_that_the_disk_is_full(tmp_path: pathlib.Path) -> None:
    asked = [*commands(), *answering(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-c", FULL, json.dumps(asked)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked) > 40
    said = (
        "tercet: Standard output cannot be written: No space left on device. Check that there is room where it goes.\n"
    )
    assert [answer for answer in answers if answer[1:] != [2, said]] == []


@pytest.mark.parametrize("place", ["/", "folder", "pipe", "nowhere/links.tsv"])
def test_links_that_cannot_be_kept_are_not_given(place: str, tmp_path: pathlib.Path) -> None:
    """Else the old link would have ended, and nobody would know the new one."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")  # a device, /dev/null among them, is no file either, and stays what it is
    path, made = created(tmp_path, "esa")
    links = pathlib.Path(place) if place == "/" else tmp_path / place
    before = campaign_status(path)["annotators"], made.links_file.read_bytes(), sorted(tmp_path.iterdir())
    with pytest.raises((InputError, OSError), match=r"no file for links|No such file"):
        invite_people(path, annotators=["a1", "new"], links=links)
    assert (campaign_status(path)["annotators"], made.links_file.read_bytes(), sorted(tmp_path.iterdir())) == before
    assert (tmp_path / "pipe").is_fifo()
    with pytest.raises(InputError, match="/ is no file of a campaign"):
        invite_people("/", annotators=["new"])


@pytest.mark.parametrize("own", ["a b\na b\n", "name\tvalue\n"])
def test_links_are_not_added_to_a_file_of_ones_own(own: str, tmp_path: pathlib.Path) -> None:
    path, links = tmp_path / "c.db", tmp_path / "notes.txt"
    created(tmp_path, "esa", path)
    links.write_text(own, encoding="utf-8")
    with pytest.raises(InputError, match=r"notes\.txt is no file of links"):
        invite_people(path, annotators=["new"], links=links)
    assert links.read_text(encoding="utf-8") == own
    assert not [*tmp_path.glob("*.part")]


def test_a_file_of_links_that_cannot_be_written_is_named(tmp_path: pathlib.Path) -> None:
    created(tmp_path, "esa", tmp_path / "c.db")
    with pytest.raises(InputError, match=r"nowhere/links\.tsv cannot be written: No such file or directory"):
        invite_people(tmp_path / "c.db", annotators=["new"], links=tmp_path / "nowhere" / "links.tsv")
