"""Faults of the machine while something is read or written: no room, a broken disk, no memory.

Whatever fails, and whenever: a sentence, an older file as it was, and nothing beside it.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import pathlib
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.campaigns.create import create_campaign
from tercet.campaigns.exports import export_campaign
from tercet.data import MetricScores, TestSet
from tercet.errors import InputError
from tercet.formats import FORMATS, SCORE_FORMATS, lines, read_judgements, read_scores, write_scores
from tercet.formats import records as records_format
from tercet.formats import table as table_format
from tercet.sample import judgements
from tests.conftest import ROOT
from tests.formats.files import put
from tests.formats.test_judgements import SMALL

TEXTS = TestSet.of({"a": ["the cat", "sat"]}, ["the cat", "sat"])
JUDGED = judgements("en-de")
SCORES = MetricScores("bleu", "de-en", "system", ("a", "b"), ("",), np.array([[1.0], [2.0]]))
WRITERS: dict[str, Callable[[pathlib.Path], None]] = {
    "x.tsv": lambda path: table_format.write(TEXTS, path),
    "x.tsv.gz": lambda path: table_format.write(TEXTS, path),
    "x.parquet": lambda path: table_format.write(TEXTS, path),
    "x.jsonl": lambda path: records_format.write(JUDGED, path),
    "x.sys.score": lambda path: write_scores([SCORES], path, testset="news"),
    "x.scores.tsv": lambda path: write_scores([SCORES], path, "table"),
    "scores.parquet": lambda path: write_scores([SCORES], path),
    "x.txt": lambda path: lines.write(path, ["text\n"] * 10_000),
}
MAYBE = contextlib.suppress(InputError)  # a small file may have been read by then
FAULTS = {"full": errno.ENOSPC, "broken": errno.EIO, "quota": errno.EDQUOT, "large": errno.EFBIG}


class Failing(io.RawIOBase):
    """A file whose n-th reading or writing fails."""

    def __init__(self, file: Any, after: int, fault: int) -> None:
        self.file, self.after, self.fault = file, after, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def _count(self) -> None:
        self.after -= 1
        if self.after < 0:
            raise OSError(self.fault, os.strerror(self.fault))

    def read(self, n: int = -1) -> Any:
        self._count()
        return self.file.read(n)

    def readinto(self, buffer: Any) -> Any:
        self._count()
        return self.file.readinto(buffer)

    def write(self, data: Any) -> Any:
        self._count()
        return self.file.write(data)

    def readable(self) -> bool:
        return bool(self.file.readable())

    def writable(self) -> bool:
        return bool(self.file.writable())

    def close(self) -> None:
        self.file.close()


@pytest.fixture(params=list(FAULTS.values()), ids=list(FAULTS))
def failing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Makes every file that is opened from now on fail after so many readings or writings."""
    sound = io.open
    after = [1 << 30]

    def opened(file: Any, mode: str = "r", *args: Any, **more: Any) -> Any:
        raw = sound(file, mode, *args, **more)
        return Failing(raw, after[0], request.param) if "b" in mode and after[0] < 1 << 30 else raw

    monkeypatch.setattr(io, "open", opened)
    monkeypatch.setattr(builtins, "open", opened)
    yield lambda n: after.__setitem__(0, n)
    monkeypatch.undo()


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("old", [True, False], ids=["old", "new"])
def test_a_writing_that_fails_leaves_what_was_there(
    name: str, old: bool, failing: Callable[[int], None], tmp_path: pathlib.Path
) -> None:
    path = tmp_path / name
    if old:
        path.write_bytes(b"older")
    failing(0)
    with pytest.raises(InputError, match=r"cannot be written: .*Check that"):
        WRITERS[name](path)
    failing(1 << 30)
    assert [p.name for p in tmp_path.iterdir()] == [name] * old
    assert not old or path.read_bytes() == b"older"


@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("name", SMALL)
def test_a_reading_that_fails_is_a_sentence(
    name: str, packed: str, after: int, failing: Callable[[int], None], tmp_path: pathlib.Path
) -> None:
    path = put(tmp_path, f"x{packed}", SMALL[name])
    failing(after)
    with pytest.raises(InputError, match=r"cannot be read: .*Check the disk") if after == 0 else MAYBE:
        read_judgements(path, name)


@pytest.mark.parametrize("form", [*FORMATS, *SCORE_FORMATS])
def test_every_other_reader_says_so(form: str, failing: Callable[[int], None], tmp_path: pathlib.Path) -> None:
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


# A limit on the size of files is what a full disk is to SQLite: of so many bytes, and then no more.
CRAMPED = textwrap.dedent(
    """
    import pathlib, resource, signal, sys
    from tercet.cli import main

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    room = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    sys.argv = ["tercet", *sys.argv[2:]]
    main()
    """
)


@pytest.mark.parametrize(
    ("verb", "room"), [("create", 4096), ("create", 40_000), ("backup", 40_000), ("import", 40_000)]
)
def test_a_campaign_for_which_there_is_no_room(verb: str, room: int, tmp_path: pathlib.Path) -> None:
    texts = put(tmp_path, "t.tsv", "segment\tsource\treference\tA\tB\n" + f"1\t{'x' * 200_000}\ta\tb\tc\n")
    words = ["create", "new.db", "-t", str(texts), "--protocol", "esa"]
    if verb != "create":
        create_campaign(tmp_path / "c.db", testset=texts, protocol="esa")
        export_campaign(tmp_path / "c.db", output=tmp_path / "log.jsonl", form="log")
        words = ["backup", "c.db", "new.db"] if verb == "backup" else ["import", "new.db", "log.jsonl"]
    run = [sys.executable, "-c", CRAMPED, str(room), "campaign", *words]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "cannot be written" in done.stderr or "cannot be opened" in done.stderr
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("new")] == []
