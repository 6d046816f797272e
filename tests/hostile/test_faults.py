"""Faults of the machine while something is read or written: no room, a broken disk, no memory.

Whatever fails, and whenever: a sentence, an older file as it was, and nothing beside it.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import functools
import io
import os
import pathlib
import resource
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fuzz import readers, samples, targets

import tercet
from tercet.campaigns.create import create_campaign
from tercet.campaigns.exports import export_campaign
from tercet.errors import InputError, TercetError
from tercet.formats import FORMATS, SCORE_FORMATS, read_judgements, read_scores
from tests.cli.test_cli import invoke
from tests.conftest import ROOT
from tests.formats.files import put
from tests.formats.test_judgements import SMALL
from tests.hostile import writers

WRITERS = {f"{name} {w.file}": w for name, several in writers.WRITERS.items() for w in several}
MAYBE = contextlib.suppress(InputError)  # a small file may have been read by then
FAULTS = {"full": errno.ENOSPC, "broken": errno.EIO, "quota": errno.EDQUOT, "large": errno.EFBIG}


class Failing:
    """A file whose n-th reading or writing fails."""

    def __init__(self, file: Any, after: int, fault: BaseException) -> None:
        self.file, self.after, self.fault = file, after, fault
        for name in ("read", "read1", "readinto", "readline", "write"):
            if hasattr(file, name):
                setattr(self, name, functools.partial(self._tried, getattr(file, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def _tried(self, call: Callable[..., Any], *args: Any) -> Any:
        self.after -= 1
        if self.after < 0:
            raise self.fault
        return call(*args)

    def __enter__(self) -> Failing:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")


class Machine:
    """Every file of a folder that is opened fails after so many readings or writings, once it is told to."""

    def __init__(self, fault: Callable[[], BaseException], folder: pathlib.Path) -> None:
        self.fault, self.folder, self.after, self.sound = fault, folder, 1 << 30, io.open

    def __call__(self, after: int) -> None:
        self.after = after

    def open(self, file: Any, mode: str = "r", *args: Any, **more: Any) -> Any:
        """In the place of Python's own."""
        if self.after == 1 << 30 or isinstance(file, int) or self.folder not in pathlib.Path(file).parents:
            return self.sound(file, mode, *args, **more)
        if "b" in mode:
            return Failing(self.sound(file, mode, *args, **more), self.after, self.fault())
        failing = Failing(self.sound(file, mode.replace("t", "") + "b"), self.after, self.fault())
        return io.TextIOWrapper(failing, encoding=more.get("encoding"), newline=more.get("newline"))


def machine(fault: Callable[[], BaseException], folder: pathlib.Path, patched: pytest.MonkeyPatch) -> Machine:
    made = Machine(fault, folder)
    patched.setattr(io, "open", made.open)
    patched.setattr(builtins, "open", made.open)
    return made


@pytest.fixture(params=list(FAULTS.values()), ids=list(FAULTS))
def failing(
    request: pytest.FixtureRequest, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Machine]:
    """Each fault of a disk."""
    yield machine(lambda: OSError(request.param, os.strerror(request.param)), tmp_path, monkeypatch)
    monkeypatch.undo()


def left(folder: pathlib.Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("old", [True, False], ids=["old", "new"])
def test_a_writing_that_fails_leaves_what_was_there(
    name: str, old: bool, failing: Machine, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / WRITERS[name].file
    if old and path.suffix:
        path.write_bytes(b"older")
    failing(0)
    with pytest.raises(InputError, match=r"cannot be written: .*Check that"):
        WRITERS[name].write(path, ["a", "b"])
    failing(1 << 30)
    assert left(tmp_path) == [path.name] * bool(old and path.suffix)
    assert not left(tmp_path) or path.read_bytes() == b"older"


@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("name", WRITERS)
def test_memory_that_fails_while_something_is_written(
    name: str, after: int, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    """The command says so; nothing is there but what is whole."""
    path = tmp_path / WRITERS[name].file
    told = machine(MemoryError, tmp_path, monkeypatch)
    told(after)
    with pytest.raises((MemoryError, InputError)) if after == 0 else contextlib.suppress(MemoryError, InputError):
        WRITERS[name].write(path, ["a", "b"])
        return  # all was written at once
    told(1 << 30)
    assert [file for file in left(tmp_path) if "human" not in name and "folder" not in name] == []


@pytest.fixture(scope="module")
def sound_files(tmp_path_factory: pytest.TempPathFactory) -> list[pathlib.Path]:
    """A file of every format."""
    return samples.write(tmp_path_factory.mktemp("sound"))


@pytest.mark.thorough
@pytest.mark.parametrize("fault", ["disk", "memory"])
@pytest.mark.parametrize("after", [0, 1])
def test_whatever_reads_a_file_says_that_it_cannot(
    after: int, fault: str, sound_files: list[pathlib.Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every reader that the fuzzer finds, on every format: the fault is told, or memory's is passed on."""
    every = dict(readers.readers(targets._functions(tercet, targets.modules())))
    broken: Callable[[], BaseException] = lambda: OSError(errno.EIO, "broken")  # noqa: E731
    told = machine(MemoryError if fault == "memory" else broken, sound_files[0].parent, monkeypatch)
    wrong = []
    for name, read in every.items():
        for path in sound_files:
            told(after)
            try:
                readers.consumed(read(path))
            except (TercetError, MemoryError):
                continue
            except Exception as error:
                wrong.append(f"{name} {path.name}: {error!r}")
            finally:
                told(1 << 30)
    assert wrong == []


@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("name", SMALL)
def test_a_reading_that_fails_is_a_sentence(
    name: str, packed: str, after: int, failing: Machine, tmp_path: pathlib.Path
) -> None:
    path = put(tmp_path, f"x{packed}", SMALL[name])
    failing(after)
    with pytest.raises(InputError, match=r"cannot be read: .*Check the disk") if after == 0 else MAYBE:
        read_judgements(path, name)


@pytest.mark.parametrize("form", [*FORMATS, *SCORE_FORMATS])
def test_every_other_reader_says_so(form: str, failing: Machine, tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "x", "PAR1")
    failing(0)
    for read in (tercet.read_testset, read_scores):
        with pytest.raises(InputError):
            read(path, form)


# Python's own limit on memory makes numpy, polars and our kernels fail where there would be none.
STARVED = textwrap.dedent(
    """
    import pathlib, resource, sys
    from tercet.cli import main

    room, verb = int(sys.argv[1]) << 20, sys.argv[2:]
    for texts in ("few", "many"):
        if texts == "many":  # everything is imported by now, and threads have their stacks
            used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + room,) * 2)
        sys.argv = ["tercet", "score", f"hyp.{texts}", "-r", f"ref.{texts}", "-o", f"{texts}.txt", *verb]
        try:
            main()
        except SystemExit as end:
            if end.code:
                raise
    """
)


@pytest.mark.parametrize("megabytes", [1, 8, 24])
@pytest.mark.parametrize("metric", ["bleu", "ter", "eed", "meteor"])
def test_memory_that_runs_out_is_a_sentence(metric: str, megabytes: int, tmp_path: pathlib.Path) -> None:
    for texts, n in (("few", 3), ("many", 600)):
        text = "\n".join(" ".join(f"w{i * j % 977}" for j in range(300)) for i in range(n))
        for name in ("hyp", "ref"):
            (tmp_path / f"{name}.{texts}").write_text(text + name, encoding="utf-8")
    before = {p.name for p in tmp_path.iterdir()} | {"few.txt"}
    done = subprocess.run(
        [sys.executable, "-c", STARVED, str(megabytes), "-m", metric, "--threads", "2"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
    there = {p.name for p in tmp_path.iterdir()} - before
    if done.returncode:
        assert done.stderr.startswith("tercet: memory ran out, nothing was written."), done.stderr
        assert not there
    else:
        assert there == {"many.txt"}


@contextlib.contextmanager
def cramped(room: int) -> Iterator[None]:
    """A limit on the size of files, which is what a full disk is to SQLite: of so many bytes, and then no more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))  # Python ignores the signal that comes with it
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("verb", "room"), [("create", 4096), ("create", 40_000), ("backup", 40_000), ("import", 40_000)]
)
def test_a_campaign_for_which_there_is_no_room(
    verb: str, room: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = put(tmp_path, "t.tsv", "segment\tsource\treference\tA\tB\n" + f"1\t{'x' * 200_000}\ta\tb\tc\n")
    words = ["create", "new.db", "-t", str(texts), "--protocol", "esa"]
    if verb != "create":
        create_campaign(tmp_path / "c.db", testset=texts, protocol="esa")
        export_campaign(tmp_path / "c.db", output=tmp_path / "log.jsonl", form="log")
        words = ["backup", "c.db", "new.db"] if verb == "backup" else ["import", "new.db", "log.jsonl"]
    with cramped(room):
        code, _, complaint = invoke("campaign", *words)
    assert (code, complaint.count("\n")) == (2, 1), complaint
    assert "cannot be written" in complaint or "cannot be opened" in complaint
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("new")] == []


MODELS = {
    "train lm": "a.txt --order 2 -o new.arpa",
    "train frequencies": "a.txt -o new.txt",
    "train ibm1": "a.txt a.txt -o new.gz",
    "qe train": "-s a.txt -t a.txt -l l.txt -F surface -o new",
    "score": "a.txt -r a.txt -m bleu --shard 1/1 -o new.part",
}


@pytest.mark.parametrize("verb", MODELS)
def test_a_model_for_which_there_is_no_room(verb: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "a.txt", "".join(f"the cat {i} sat on {i % 7}\n" for i in range(60)))
    put(tmp_path, "l.txt", "".join(f"0.{i}\n" for i in range(60)))
    with cramped(100):
        code, _, complaint = invoke(*verb.split(), *MODELS[verb].split())
    assert (code, complaint.count("\n")) == (2, 1), complaint
    assert "cannot be written: " in complaint
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "l.txt"]
