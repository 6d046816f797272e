"""Every writer of files and every form of every verb on names that are more than names: no command, no formula."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import gzip
import html.parser
import io
import json
import pathlib
import re
import sqlite3
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from typing import Any

import click.testing
import polars as pl
import pytest
from fuzz import samples

import tercet
from tercet.campaigns.campaign import Campaign
from tercet.cli.app import app
from tercet.errors import TercetError
from tercet.formats import records
from tercet.options.groups import BY_SUFFIX, PICTURES
from tests.campaigns.build import created
from tests.hostile import writers
from tests.hostile.names import NAMES
from tests.hostile.test_output import ACTS, computes, safe_latex, safe_markdown
from tests.human.build import Task, build_rankings
from tests.server.client import any_answer

FORMATS = [(name, written) for name, several in writers.WRITERS.items() for written in several]


def test_no_writer_is_left_out() -> None:
    known = {*writers.WRITERS, *writers.ELSEWHERE}
    assert writers.walked() - known == set(), "give it to tests/hostile/writers.py"
    assert {name for name in known if name.split(".")[0] != "study"} - writers.walked() <= {"sharding.score_shard"}


def cells(data: bytes, separator: str) -> list[str]:
    """All of a table, those of a TSV as they stand between tabs."""
    text = data.decode()
    if separator == "\t":
        return [cell for line in text.split("\n") for cell in line.split("\t")]
    return [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]


@pytest.mark.parametrize(("called", "written"), FORMATS, ids=[f"{name} {w.file}" for name, w in FORMATS])
def test_a_file_holds_a_name_or_refuses_it(called: str, written: writers.Written, tmp_path: pathlib.Path) -> None:
    """Read again, it is the same name; in a table of names, no spreadsheet computes it."""
    for i, name in enumerate(NAMES.values()):
        path = tmp_path / str(i) / written.file
        path.parent.mkdir()
        try:
            written.write(path, ["plain", name])
        except TercetError:
            assert [*path.parent.rglob("*.score"), *path.parent.glob("*.*")] == []
            continue
        if written.read is not None:
            assert name in written.read(path), name
        named = "formats.table" not in called and "lexicon" not in called  # texts and words are no names
        ending = "".join(path.suffixes).removesuffix(".gz")
        if ending in (".csv", ".tsv") and named:
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            assert [cell for cell in cells(data, "," if ending == ".csv" else "\t") if computes(cell)] == []
        if ending in (".json", ".jsonl", ".xml"):
            assert not ACTS.search(path.read_text(encoding="utf-8"))


class Markup(html.parser.HTMLParser):
    """Elements and attributes of a page that could do something of a stranger's."""

    def __init__(self) -> None:
        super().__init__()
        self.live: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Refuse what our pages do not have."""
        given = {name: (value or "").strip().lower() for name, value in attrs}
        leads = [given.get(name, "") for name in ("href", "src", "action", "formaction", "xlink:href")]
        acting = any(name.startswith("on") for name in given) or any(to.startswith("javascript:") for to in leads)
        if acting or tag in ("iframe", "object", "embed", "base") or "x" in leads:
            self.live.append(f"{tag} {attrs}")


def safe_html(data: bytes) -> None:
    """Nothing that a name brought along."""
    page = Markup()
    text = data.decode()
    page.feed(text)
    assert page.live == []
    assert "<script>alert" not in text
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]", text)


def safe_svg(data: bytes) -> None:
    """A picture, and no page."""
    root = ET.fromstring(data.decode())  # noqa: S314
    assert not any(element.tag.rpartition("}")[2] in ("script", "a", "img", "foreignObject") for element in root.iter())
    assert not ACTS.search("".join(root.itertext()))


def safe_table(data: bytes, separator: str) -> None:
    """No cell is computed."""
    odd = [cell for cell in cells(data, separator) if computes(cell)]
    assert [cell for cell in odd if cell not in ("-inf", "-") and not re.fullmatch(r"-[.\d]+ ± [.\d]+", cell)] == []


def safe_json(data: bytes) -> None:
    """JSON, whose bytes do nothing to a terminal."""
    text = data.decode()
    for line in [text] if text.startswith("{\n") else text.splitlines():
        json.loads(line)
    assert not ACTS.search(text)


SAFE: dict[str, Callable[[bytes], None]] = {
    "table": lambda data: _silent(data.decode()),
    "json": safe_json,
    "jsonl": safe_json,
    "csv": lambda data: safe_table(data, ","),
    "tsv": lambda data: safe_table(data, "\t"),
    "markdown": lambda data: safe_markdown(data.decode()),
    "latex": lambda data: safe_latex(data.decode()),
    "html": safe_html,
    ".svg": safe_svg,
    ".pdf": lambda data: _begins(data, b"%PDF"),
    ".png": lambda data: _begins(data, b"\x89PNG"),
}


def _silent(text: str) -> None:
    assert not ACTS.search(text)


def _begins(data: bytes, start: bytes) -> None:
    assert data.startswith(start)


def test_every_form_and_picture_is_held_to_something() -> None:
    assert set(SAFE) == {*BY_SUFFIX.values(), *PICTURES}, "say how it is held"


SOME = [NAMES[key] for key in ("line break", "latex", "html", "link", "formula", "tab", "title", "bidi", "rich")]
ODD = re.sub(r"[\s=,()\"']", "_", "".join(SOME))  # of one line, where a name may be no other
JUDGED = ["-t", "t.parquet", "-j", "all.jsonl", "--folds", "2", "--model", "m.json"]
WORDS: dict[str, Sequence[str]] = {
    "score": ["-t", "t.parquet", "-m", "bleu"],
    "merge": ["all.part"],
    "compare": ["-t", "t.parquet", "-m", "bleu", "--samples", "40", "--correction", "none"],
    "explain": ["ter", "--hyp", " ".join(SOME), "--ref", " ".join(SOME[1:])],
    "rank": ["j.jsonl", "--samples", "40"],
    "agreement": ["j.jsonl"],
    "choose": ["j.jsonl", "-m", "expected-wins", "--folds", "2"],
    "meta": ["-t", "t.parquet", "-j", "j.jsonl", "-m", "bleu", "--samples", "40"],
    "retrieval": ["a.run", "qrels.txt"],
    "qe evaluate": ["labels.txt", "--gold", "labels.txt", "--samples", "40"],
    "qe predict": ["qe.model", "-s", "texts.txt", "-t", "texts.txt", "--words", "chain.model"],
    "qe decide": ["qe.model", "-s", "texts.txt", "-t", "texts.txt"],
    "plan": ["j.jsonl", "--campaigns", "2", "--samples", "20", "--budget", "100"],
    "tune": ["chrf", "-p", "beta=1:3:1", "-t", "t.parquet", "-j", "all.jsonl", "--folds", "2"],
    "train combine": ["-m", f"{ODD}=bleu", "-m", "chrf", *JUDGED],
    "train beer": ["-m", f"{ODD}=bleu", *JUDGED],
    "train beer-1.1": ["-m", f"{ODD}=bleu", *JUDGED],
    "show": [f'prep(command="echo {ODD}")'],
    "campaign status": ["c.db"],
}
NOBODYS = {
    "list": "names of what is installed",
    "campaign simulate": "counts and times of robots",
    "train neural": "an encoder is needed; the answer is that of train combine",
    "train esim": "an encoder and people's scores are needed; the answer is that of train combine",
    "train uow-lstm": "people's scores are needed; the answer is that of train combine",
}
COMMANDS: dict[str, Any] = {**app.walk()}
ASKED = [
    (verb, suffix)
    for verb in WORDS
    for suffix in (*BY_SUFFIX, *PICTURES)
    if suffix in getattr(COMMANDS[verb].shown, "pictures", ())
    or (suffix not in ("", ".htm") and BY_SUFFIX.get(suffix) in getattr(COMMANDS[verb].shown, "forms", ()))
]


def test_no_verb_is_left_out() -> None:
    forms = {verb for verb, command in COMMANDS.items() if hasattr(command.shown, "forms")}
    assert forms - {*WORDS, *NOBODYS} == set(), "give it names of strangers"


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Files in which everything is called like something else."""
    folder = tmp_path_factory.mktemp("strange")
    texts = {"segment": [f"{SOME[0]}{i}" for i in range(4)], "document": [SOME[i % 2] for i in range(4)]}
    texts |= {"source": ["x"] * 4, "reference": ["the cat", "sat", "on a", "mat"]}
    said = ["the cat", "a", "on a", "mat b", "cat"]
    texts |= {name: [said[(i + k) % 5] for i in range(4)] for k, name in enumerate(SOME)}
    pl.DataFrame(texts).write_parquet(folder / "t.parquet")
    judged = writers.rankings(SOME)
    records.write(dataclasses.replace(judged, pair="", segments=(texts["segment"][0],)), folder / "j.jsonl")
    ranked = [Task("j", str(i), [(f"s{k}", 1 + (i + k) % 5) for k in range(len(SOME))]) for i in range(4)]
    more = dataclasses.replace(build_rankings(ranked), pair="", systems=tuple(SOME), segments=tuple(texts["segment"]))
    records.write(more, folder / "all.jsonl")
    tercet.score_shard(folder / "t.parquet", metrics=["bleu"], part=folder / "all.part")
    odd = [re.sub(r"\s", "_", name) for name in SOME]
    (folder / "a.run").write_text("".join(f"{q} Q0 {d} 1 2.5 {d}\n" for q in odd for d in odd[:1]), encoding="utf-8")
    (folder / "qrels.txt").write_text("".join(f"{q} 0 {odd[0]} 1\n" for q in odd), encoding="utf-8")
    (folder / "labels.txt").write_text(".1\n.2\n.4\n.3\n", encoding="utf-8")
    (folder / "texts.txt").write_text("".join(f"{' '.join(name.split())}\n" for name in SOME), encoding="utf-8")
    samples._quality(folder)
    samples._words(folder)
    _study(folder)
    _campaign(folder / "c.db")
    return folder


def _study(folder: pathlib.Path) -> None:
    """A study whose title and metrics are called so as well; and error spans of such categories."""
    said = json.dumps(ODD)
    study = f'title = {said}\n[metrics]\n{said} = "bleu"\nchrF = "chrf"\n[[direction]]\npair = "en-de"\n'
    study += 'testset = "t.parquet"\njudgements = "all.jsonl"\n[system]\nmeasure = "pearson"\n'
    study += '[segment]\nmeasure = "kendall(variant=wmt14)"\n[sampling]\nsamples = 40\ndraws = 40\n'
    (folder / "study.toml").write_text(study, encoding="utf-8")
    rows = [["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]]
    rows += [[ODD, ODD, "1", "1", ODD, "x", f"<v>{ODD.replace('<', '').replace('>', '')}</v>", ODD, "minor"]]
    (folder / "mqm.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


def _campaign(path: pathlib.Path) -> None:
    """One in which systems, segments, documents and annotators are called so, with answers."""
    texts = {name: [f"the cat {i}{k}" for i in range(4)] for k, name in enumerate(SOME)}
    named: dict[str, Any] = {
        "segments": [f"{SOME[i]}{i}" for i in range(4)],
        "documents": [SOME[i % 2] for i in range(4)],
    }
    testset = tercet.TestSet.of(texts, ["a b"] * 4, sources=["x"] * 4, **named)
    created(path.parent, "esa", path, testset=testset)
    with contextlib.closing(sqlite3.connect(path)) as database:
        rename = "UPDATE events SET body = json_set(body, '$.name', ?) WHERE kind = 'annotator' AND seq = ?"
        for i, (seq,) in enumerate(database.execute("SELECT seq FROM events WHERE kind = 'annotator'").fetchall()):
            database.execute(rename, (f"{ODD}{i}", seq))
        database.commit()
    with Campaign.open(path) as campaign:
        for annotator in campaign.state.annotators.values():
            names, events = campaign.lease(annotator, 4)
            campaign.write(events)
            for item in (campaign.payload(annotator, name) for name in names):
                said = any_answer(list(campaign.protocol.fields), item)
                campaign.write([campaign.answer(annotator, {"key": item["key"], "answer": said, "seconds": 2})])


@pytest.mark.parametrize(("verb", "suffix"), ASKED)
def test_what_a_verb_writes_is_data(
    verb: str, suffix: str, strange: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(strange)
    path = tmp_path / f"out{suffix}"
    done = click.testing.CliRunner().invoke(app, [*verb.split(), *WORDS[verb], "-o", str(path)])
    if done.exit_code == 2 and suffix == ".tsv":
        assert "cannot stand in a TSV" in done.stderr
        return
    assert done.exit_code == 0, done.output
    SAFE[BY_SUFFIX.get(suffix, suffix)](path.read_bytes())


FOLDERS: dict[str, Sequence[str]] = {
    "run": ["run", "study.toml", "-o", "OUT/out"],
    "publish": ["campaign", "publish", "c.db", "-o", "OUT/out"],
    "mt-metrics-eval": ["campaign", "export", "c.db", "-f", "mt-metrics-eval", "-o", "OUT/out"],
    "records": ["campaign", "export", "c.db", "-o", "OUT/x.jsonl"],
    "wmt": ["campaign", "export", "c.db", "-f", "wmt", "-o", "OUT/x.csv"],
    "appraise": ["campaign", "export", "c.db", "-f", "appraise", "-o", "OUT/x.csv"],
    "log": ["campaign", "export", "c.db", "-f", "log", "-o", "OUT/x.jsonl"],
    "labels": ["qe", "labels", "spans", "-j", "mqm.tsv", "-o", "OUT/x.csv"],
    "predictions": ["qe", "predict", *WORDS["qe predict"], "--html", "OUT/x.html"],
    "decisions": ["qe", "decide", *WORDS["qe decide"], "--html", "OUT/x.html", "--figure", "OUT/x.svg"],
    "parses": ["parse", "texts.txt", "--parser", "chain", "-o", "OUT/x.conllu"],
    "lines": ["qe", "labels", "spans", "-j", "mqm.tsv", "-o", "OUT/x.jsonl"],
}


@pytest.mark.parametrize("verb", FOLDERS)
def test_whole_folders_and_exports_are_data(
    verb: str, strange: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file by what its name ends in; what is told on the way does nothing to a terminal."""
    monkeypatch.chdir(strange)
    words = [word.replace("OUT", str(tmp_path)) for word in FOLDERS[verb]]
    done = click.testing.CliRunner().invoke(app, words)
    assert not ACTS.search(done.output)
    if verb == "mt-metrics-eval":  # a format of lines and tabs
        assert done.exit_code == 2
        assert "cannot hold the name" in done.output
        return
    assert done.exit_code == 0, done.output
    files = [path for path in tmp_path.rglob("*") if path.is_file() and not path.name.startswith(".")]
    assert files
    for path in files:
        assert not ACTS.search(path.name)
        if (form := BY_SUFFIX.get(path.suffix, path.suffix)) in SAFE:
            SAFE[form](path.read_bytes())
