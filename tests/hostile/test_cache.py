"""What is kept between runs of a study is never stale, and never trusted further than it can be checked."""

from __future__ import annotations

import io
import os
import pathlib
import sys
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.metrics.prep import Prep
from tercet.running import LIST
from tercet.sample import campaign
from tercet.scoring import statistics
from tercet.study import read_study
from tercet.study.cache import Cache, _load
from tests.metrics.test_qe import ARPA
from tests.study.build import FEW, METRICS, SEGMENT, SYSTEM, direction, written

TEXTS = campaign("en-de")
CHRF = tercet.metric("chrf")
SHAPE = (len(TEXTS.systems), len(TEXTS))


def counted(folder: pathlib.Path, metric: Any) -> list[str]:
    cache = Cache(folder, statistics)
    assert np.array_equal(cache.statistics(TEXTS, metric).rows, statistics(TEXTS, metric).rows)
    return cache.computed


def replaced(folder: pathlib.Path, what: str) -> tuple[Any, Any]:
    """A metric before and after the content of a file that it names has changed."""
    path = folder / "file"
    one, two = {
        "a language model": (ARPA, ARPA.replace("-1.", "-2.")),
        "pseudo-references": ("a\tb\n", "a\tc\n"),
        "a filter's model": (ARPA, ARPA.replace("-1.", "-2.")),
        "a part's model": (ARPA, ARPA.replace("-1.", "-2.")),
    }[what]
    spec = {
        "a language model": f'lm(model="{path}")',
        "pseudo-references": f'prep(pseudo="{path}")',
        "a filter's model": f'prep(filter=lm(model="{path}"))',
        "a part's model": f'combine(parts="chrf|lm(model={path})")',
    }[what]
    path.write_text(one, encoding="utf-8")
    before = counted(folder / "kept", tercet.metric(spec))
    path.write_text(two, encoding="utf-8")
    return before, counted(folder / "kept", tercet.metric(spec))


@pytest.mark.parametrize("what", ["a language model", "pseudo-references", "a filter's model", "a part's model"])
def test_another_content_of_a_file_counts_anew(what: str, tmp_path: pathlib.Path) -> None:
    before, after = replaced(tmp_path, what)
    assert len(before) == len(after) == 1


@pytest.mark.parametrize("option", ["wordnet", "resources"])
@pytest.mark.parametrize("name", ["meteor(modules=exact+synonym", "terp(stems=false"])
def test_files_of_meteor_are_part_of_the_key(name: str, option: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "words").write_text("one", encoding="utf-8")
    metric = tercet.metric(f'{name}, {option}="{tmp_path}")')
    before = metric.facts()
    (tmp_path / "words").write_text("another", encoding="utf-8")
    assert metric.facts() != before


def test_what_a_program_gave_is_not_kept(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys; sys.stdout.write(sys.stdin.read())", encoding="utf-8")
    metric = Prep(command=f"{sys.executable} {program}")
    assert len(counted(tmp_path / "kept", metric)) == 1
    assert len(counted(tmp_path / "kept", metric)) == 1


def entry(rows: Any, name: str = "rows") -> bytes:
    page = io.BytesIO()
    np.savez_compressed(page, **{name: rows})
    return page.getvalue()


def lying(header: bytes, body: bytes = b"") -> bytes:
    """An entry whose header says something that its body is not."""
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w", zipfile.ZIP_DEFLATED) as packed:
        text = header.ljust(117) + b"\n"
        packed.writestr("rows.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + body)
    return page.getvalue()


def says(shape: tuple[int, ...], kind: str = "<f8") -> bytes:
    return repr({"descr": kind, "fortran_order": False, "shape": shape}).encode()


PLANTED: dict[str, Callable[[], bytes]] = {
    "too few numbers a row": lambda: entry(np.ones((*SHAPE, 1))),
    "no numbers a row": lambda: entry(np.ones((*SHAPE, 0))),
    "other segments": lambda: entry(np.ones((SHAPE[0], SHAPE[1] + 1, 18))),
    "flat": lambda: entry(np.ones(7)),
    "one number": lambda: entry(np.float64(1)),
    "complex": lambda: entry(np.ones((*SHAPE, 18), complex)),
    "words": lambda: entry(np.full((*SHAPE, 18), "x")),
    "dates": lambda: entry(np.full((*SHAPE, 18), "2020-01-01", "M8[D]")),
    "big-endian": lambda: entry(np.ones((*SHAPE, 18), ">f8")),
    "another name": lambda: entry(np.ones((*SHAPE, 18)), "other"),
    "a gigantic header": lambda: lying(says((*SHAPE, 1 << 40))),
    "a negative header": lambda: lying(says((*SHAPE, -1))),
    "a header of pickles": lambda: lying(says((*SHAPE, 18), "|O")),
    "a header that is a program": lambda: lying(b"__import__('os').getpid()"),
    "a header too deep": lambda: lying(b"(" * 90),
    "more than it says": lambda: lying(says((*SHAPE, 18)), bytes(SHAPE[0] * SHAPE[1] * 18 * 8 + (200 << 20))),
    "less than it says": lambda: lying(says((*SHAPE, 18)), bytes(8)),
    "nothing": lambda: b"",
    "no zip": lambda: b"PK\x03\x04" + bytes(100),
}


@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_entry_is_counted_anew(what: str, tmp_path: pathlib.Path) -> None:
    counted(tmp_path, CHRF)
    (path,) = tmp_path.iterdir()
    path.write_bytes(PLANTED[what]())
    assert counted(tmp_path, CHRF) == ["chrf"]
    assert counted(tmp_path, CHRF) == []


def test_a_planted_pipe_or_folder_is_not_waited_for(tmp_path: pathlib.Path) -> None:
    counted(tmp_path, CHRF)
    (path,) = tmp_path.iterdir()
    path.unlink()
    os.mkfifo(path)
    assert _load(path, SHAPE) is None


def test_a_planted_link_leads_nowhere(tmp_path: pathlib.Path) -> None:
    counted(tmp_path / "kept", CHRF)
    (path,) = (tmp_path / "kept").iterdir()
    path.unlink()
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    path.symlink_to(tmp_path / "precious")
    assert counted(tmp_path / "kept", CHRF) == ["chrf"]
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "mine"
    assert not path.is_symlink()


def test_paths_in_specs_are_relative_to_the_study(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "far"
    folder.mkdir()
    (folder / "m.arpa").write_text(ARPA, encoding="utf-8")
    specs = ["lm(model=m.arpa)", 'prep(filter="lm(model=m.arpa)")', 'combine(parts="lm(model=m.arpa)|chrf")']
    lines = "\n".join(f"m{i} = '{spec}'" for i, spec in enumerate(specs))
    written(folder, f"[metrics]\n{lines}\n", direction(), SYSTEM, FEW)
    monkeypatch.chdir(tmp_path)
    study = read_study("far/study.toml")
    assert [str(m) for m in study.metrics_of("en-de").values()] == [
        "lm(model=far/m.arpa)",
        "prep(filter=lm(model=far/m.arpa))",
        'combine(parts="lm(model=far/m.arpa)|chrf")',
    ]
    monkeypatch.chdir(folder)
    assert str(read_study("study.toml").metrics["m0"].metric("en-de")) == "lm(model=m.arpa)"


def names(folder: pathlib.Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and "cache" not in p.parts}


def test_an_old_folder_has_no_table_of_an_earlier_run(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    tercet.run(written(tmp_path, METRICS, direction(), SYSTEM, SEGMENT, FEW), out, figures=False)
    (out / "tables" / "mine.md").write_text("mine", encoding="utf-8")
    assert "tables/segment.from-en.tex" in names(out)
    done = tercet.run(written(tmp_path, METRICS, direction(), SYSTEM, FEW), out, figures=False)
    assert names(out) == {*(str(p.relative_to(out)) for p in done.files), "tables/mine.md", LIST}


def test_tables_of_a_run_without_a_list_are_moved_and_nothing_of_ones_own(tmp_path: pathlib.Path) -> None:
    """Version 0.1 kept no list: what is called like its files goes into a folder of its own, and is not removed."""
    out, own = tmp_path / "out", {"tables/mine.md", "tables/system.txt", "figures/mine.svg", "earlier/mine.md"}
    before = tercet.run(written(tmp_path, METRICS, direction(), SYSTEM, SEGMENT, FEW), out)
    kept = {name: (out / name).read_bytes() for name in names(out) if name.startswith(("tables/", "figures/"))}
    (out / LIST).unlink()
    (out / "earlier").mkdir()
    for name in own:
        (out / name).write_text("mine", encoding="utf-8")
    done = tercet.run(written(tmp_path, METRICS, direction(), SYSTEM, FEW), out, figures=False)
    assert (before.aside, done.aside) == (None, out / "earlier-2")
    there = {str(path.relative_to(out)) for path in done.files} | own | {LIST}
    assert names(out) == there | {f"earlier-2/{name}" for name in kept}
    assert {name: (out / "earlier-2" / name).read_bytes() for name in kept} == kept
    assert {(out / name).read_text(encoding="utf-8") for name in own} == {"mine"}
    assert tercet.run(written(tmp_path, METRICS, direction(), SYSTEM, FEW), out, figures=False).aside is None


def test_tables_of_a_run_that_was_interrupted_are_removed_by_the_next(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr("tercet.running.table_csv", interrupted)
        with pytest.raises(KeyboardInterrupt):
            tercet.run(written(tmp_path, METRICS, direction(), SEGMENT, FEW), out, figures=False)
    assert "tables/segment.from-en.tex" in names(out)
    done = tercet.run(written(tmp_path, METRICS, direction(), SYSTEM, FEW), out, figures=False)
    assert names(out) == {*(str(p.relative_to(out)) for p in done.files), LIST}


def interrupted(_: object) -> str:
    """Ctrl-C in the middle of writing."""
    raise KeyboardInterrupt


def test_a_planted_list_removes_nothing_else(tmp_path: pathlib.Path) -> None:
    out, away = tmp_path / "out", tmp_path / "away"
    (out / "tables").mkdir(parents=True)
    away.mkdir()
    kept = [tmp_path / "precious.md", out / "notes.md", out / "tables" / "notes.txt", away / "linked.svg"]
    for path in kept:
        path.write_text("mine", encoding="utf-8")
    (out / "figures").symlink_to(away)
    planted = [
        "../precious.md",
        "notes.md",
        "tables/../../precious.md",
        "tables/notes.txt",
        "figures/linked.svg",
        "/etc",
    ]
    (out / LIST).write_text("".join(f"{name}\n" for name in planted), encoding="utf-8")
    tercet.run(written(tmp_path), out, figures=False)
    assert all(path.read_text(encoding="utf-8") == "mine" for path in kept)
