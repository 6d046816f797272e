"""Every file that a verb is given is in its signature: a change of one character in it is another fingerprint."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import pathlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import tercet
from tercet.sample import campaign
from tercet.signing import Seen, apart, fingerprint, fingerprints
from tests.study.build import SAMPLE

TEXTS = campaign("en-de")
REFERENCES = [group[0] for group in TEXTS.references or ()]
SCORES = "system,HUMAN,mine\n" + "".join(f"{name},{9 - i},{i * i}\n" for i, name in enumerate(TEXTS.systems))
STUDY = """
[metrics]
chrF = "chrf"
[[direction]]
pair = "en-de"
testset = "texts.tsv"
judgements = "rankings.csv"
[[direction]]
pair = "de-en"
scores = "scores.csv"
[system]
measure = "pearson"
[sampling]
samples = 40
"""
FEW = {"samples": 200}


def written(folder: pathlib.Path) -> pathlib.Path:
    """A folder with a file of every kind that a verb takes."""
    lines: dict[str, Iterable[str] | None] = {
        "amber.txt": TEXTS.systems["amber"],
        "birch.txt": TEXTS.systems["birch"],
        "references.txt": REFERENCES,
        "sources.txt": TEXTS.sources,
        "documents.txt": TEXTS.documents,
        "corpus.txt": REFERENCES,
    }
    contents = {name: "".join(f"{line}\n" for line in texts or ()) for name, texts in lines.items()}
    for name in ("tsv", "rankings.csv"):
        contents["texts.tsv" if name == "tsv" else name] = (SAMPLE / f"en-de.{name}").read_text(encoding="utf-8")
    contents |= {"scores.csv": SCORES, "human.csv": "\n".join(line.rpartition(",")[0] for line in SCORES.splitlines())}
    contents |= {"study.toml": STUDY, "q.tsv": "1\tcat\n2\tdog\n", "pages.tsv": "a\ta cat\nb\ta dog\n"}
    contents |= {"a.run": "1 Q0 a 1 2.0 a\n1 Q0 b 2 1.0 a\n", "qrels.txt": "1 0 a 1\n1 0 b 0\n"}
    contents |= {"a.scores": "0.25\n0.5\n", "gold.scores": "0.5\n0.75\n", "times.txt": "7\n" * len(TEXTS)}
    contents |= {"a.tags": "OK Typo\n", "gold.tags": "OK OK\n", "train.tags": "Typo Typo\n"}
    contents |= {"tree.json": '{"tree": {"Fluency": {"Typo": {}}}, "severities": {"minor": 1}}'}
    contents |= {"mqm.tsv": (SAMPLE / "en-de.mqm.tsv").read_text(encoding="utf-8")}
    contents |= {"labels.txt": "".join(f"{(7 * i % 11) / 8}\n" for i in range(1, len(TEXTS) + 1))}
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def judged(folder: pathlib.Path) -> dict[str, Any]:
    return {"judgements": folder / "rankings.csv"}


def texts_of(folder: pathlib.Path) -> dict[str, Any]:
    return {
        "hypotheses": {name: folder / f"{name}.txt" for name in ("amber", "birch")},
        "references": [folder / "references.txt"],
        "sources": folder / "sources.txt",
        "documents": folder / "documents.txt",
        "metrics": ["chrf"],
    }


def learnt(folder: pathlib.Path) -> dict[str, Any]:
    return {"testset": folder / "texts.tsv", **judged(folder), "folds": 2}


TEXT_KINDS = {
    "amber.txt": "outputs",
    "birch.txt": "outputs",
    "references.txt": "references",
    "sources.txt": "sources",
    "documents.txt": "segments",
}
JUDGED = {"rankings.csv": "judgements"}
ONE_TABLE = {"texts.tsv": "outputs"}


def quality_model(folder: pathlib.Path) -> pathlib.Path:
    """A model that no file of the folder has to do with."""
    path = folder / "quality"
    if not path.exists():
        labels = [(7 * i % 11) / 8 for i in range(len(TEXTS))]
        outputs = list(TEXTS.systems["cedar"])
        tercet.qe_train(REFERENCES, outputs, labels=labels, model=path, features=("surface",), learners=("ridge",))
    return path


@dataclasses.dataclass(frozen=True)
class Case:
    """A call of a verb on files of a folder, and the kind of input that each of them is."""

    verb: str
    call: Callable[[pathlib.Path], dict[str, Any]]
    kinds: dict[str, str]


CASES = [
    Case("score", texts_of, TEXT_KINDS),
    Case("score", lambda f: {"testset": f / "texts.tsv", "metrics": ["chrf"]}, ONE_TABLE),
    Case("compare", lambda f: texts_of(f) | FEW | {"corpus": f / "corpus.txt"}, TEXT_KINDS | {"corpus.txt": "corpus"}),
    Case("compare", lambda f: texts_of(f) | FEW | {"baseline": f / "earlier.json"}, {"earlier.json": "outputs"}),
    Case(
        "explain",
        lambda f: {"metric": "chrf", "testset": f / "texts.tsv", "segment": "1", "systems": ["amber"]},
        ONE_TABLE,
    ),
    Case("rank", lambda f: judged(f) | FEW | {"method": "expected-wins"}, JUDGED),
    Case("choose", lambda f: judged(f) | {"folds": 2, "methods": ["expected-wins"]}, JUDGED),
    Case("plan", lambda f: judged(f) | {"campaigns": 2, "samples": 10, "budget": 80}, JUDGED),
    Case("agreement", judged, JUDGED),
    Case("annotators", judged, JUDGED),
    Case("amounts", judged, JUDGED),
    Case(
        "meta",
        lambda f: {"testset": f / "texts.tsv", **judged(f), "scores": f / "scores.csv", "metrics": ["chrf"], **FEW},
        ONE_TABLE | JUDGED | {"scores.csv": "scores"},
    ),
    Case(
        "meta",
        lambda f: {"scores": f / "scores.csv", "human": f / "human.csv"},
        {"scores.csv": "scores", "human.csv": "human"},
    ),
    Case(
        "run",
        lambda f: {"study": f / "study.toml", "output": f / "out", "figures": False},
        ONE_TABLE | JUDGED | {"scores.csv": "scores"},
    ),
    Case("tune", lambda f: learnt(f) | {"metric": "chrf", "parameters": "beta=1:2:1"}, ONE_TABLE | JUDGED),
    Case("train", lambda f: learnt(f) | {"kind": "combine", "metrics": ["chrf", "ter"]}, ONE_TABLE | JUDGED),
    Case("parse", lambda f: {"texts": [f / "amber.txt"], "parser": "chain"}, {"amber.txt": "texts"}),
    Case(
        "train_ibm1",
        lambda f: {"source": f / "sources.txt", "target": f / "amber.txt"},
        {"sources.txt": "source", "amber.txt": "target"},
    ),
    Case("train_lm", lambda f: {"corpus": f / "amber.txt"}, {"amber.txt": "corpus"}),
    Case("train_frequencies", lambda f: {"corpus": [f / "amber.txt"]}, {"amber.txt": "corpus"}),
    Case(
        "retrieval",
        lambda f: {"runs": {"a": f / "a.run"}, "qrels": f / "qrels.txt"},
        {"a.run": "runs", "qrels.txt": "qrels"},
    ),
    Case(
        "retrieval",
        lambda f: {"runs": {"a": f / "q.tsv"}, "qrels": f / "qrels.txt", "collection": f / "pages.tsv"},
        {"q.tsv": "queries", "pages.tsv": "collection", "qrels.txt": "qrels"},
    ),
    Case(
        "qe_evaluate",
        lambda f: {"predictions": {"a": f / "a.scores"}, "gold": f / "gold.scores", **FEW},
        {"a.scores": "predictions", "gold.scores": "gold"},
    ),
    Case(
        "qe_evaluate",
        lambda f: {
            "predictions": {"a": f / "a.tags"},
            "gold": f / "gold.tags",
            "training": f / "train.tags",
            "typology": f / "tree.json",
            **FEW,
        },
        {"a.tags": "predictions", "gold.tags": "gold", "train.tags": "training", "tree.json": "typology"},
    ),
    Case(
        "qe_labels",
        lambda f: {"kind": "hter", "target": f / "amber.txt", "post_edits": f / "birch.txt"},
        {"amber.txt": "target", "birch.txt": "post-edits"},
    ),
    Case(
        "qe_labels",
        lambda f: {"kind": "time", "target": f / "amber.txt", "times": f / "times.txt"},
        {"amber.txt": "target", "times.txt": "times"},
    ),
    Case(
        "qe_labels",
        lambda f: {"kind": "mqm", "judgements": f / "mqm.tsv", "system": "amber", "typology": f / "tree.json"},
        {"mqm.tsv": "judgements", "tree.json": "typology"},
    ),
    Case(
        "qe_train",
        lambda f: {
            "source": f / "sources.txt",
            "target": f / "amber.txt",
            "labels": f / "labels.txt",
            "model": f / "model",
            "source_corpus": f / "references.txt",
            "target_corpus": f / "corpus.txt",
            "others": {"b": f / "birch.txt"},
            "learners": ("ridge",),
        },
        {
            "sources.txt": "source",
            "amber.txt": "target",
            "labels.txt": "labels",
            "references.txt": "source-corpus",
            "corpus.txt": "target-corpus",
            "birch.txt": "other-b",
        },
    ),
    Case(
        "qe_predict",
        lambda f: {"model": quality_model(f), "source": f / "sources.txt", "target": f / "amber.txt"},
        {"sources.txt": "source", "amber.txt": "target"},
    ),
    Case(
        "qe_decide",
        lambda f: {"model": quality_model(f), "source": f / "sources.txt", "target": f / "amber.txt"},
        {"sources.txt": "source", "amber.txt": "target"},
    ),
]
# what is shown and not signed, or signed by what it calls
CAMPAIGN = {f"{verb}_campaign" for verb in ("create", "serve", "export", "publish", "backup", "simulate")}
CAMPAIGN |= {"campaign_status", "import_answers", "invite_people"}
# a merged score is held to the bytes of `score`, signature and all, in tests/contract/test_shards.py
LISTS = {"train_function_words", "train_paraphrases"}
UNSIGNED = (
    {"demo", "list", "show", "head_to_head", "annotator_page", "propose_next", "merge", "score_shard"}
    | LISTS
    | CAMPAIGN
)
CHANGES = {
    "a.scores": ("0.25", "0.375"),
    "labels.txt": ("0.875", "0.75"),
    "gold.scores": ("0.75", "0.875"),
    "times.txt": ("7", "8"),
    "a.tags": ("OK Typo", "Typo OK"),
    "gold.tags": ("OK OK", "OK Typo"),
    "train.tags": ("Typo Typo", "Typo OK"),
    "tree.json": ('"minor": 1', '"minor": 2'),
    "mqm.tsv": ("\tMinor", "\tMajor"),
    "rankings.csv": ("en,de,1,judge1,1,00:00:14.743000,delta,amber", "en,de,1,judge1,1,00:00:14.743000,amber,delta"),
    "scores.csv": (",16", ",17"),
    "human.csv": (",9", ",10"),
    "texts.tsv": ("Neue Bäckerei eröffnet in ehemaliger", "Neue Bäckerei ging auf in ehemaliger"),
    "documents.txt": ("bakery-opens", "bakery"),
    "a.run": ("1 Q0 b 2 1.0", "1 Q0 b 2 3.0"),
    "qrels.txt": ("1 0 b 0", "1 0 b 1"),
    "q.tsv": ("cat", "cats"),
    "pages.tsv": ("a dog", "a dog and cat"),
    "earlier.json": ("Neue Bäckerei eröffnet in ehemaliger", "Neue Bäckerei ging auf in ehemaliger"),
}


def signed(case: Case, folder: pathlib.Path) -> tuple[str, dict[str, str]]:
    """How the numbers of a verb were made, and the fingerprints of what went in."""
    verb: Any = getattr(tercet, case.verb)
    answer = verb(**case.call(folder))
    signature: str = answer.result.main["system"].signature if case.verb == "run" else answer.signature
    if case.verb != "run":
        return apart(signature)
    split = [apart(one) for one in signature.split("; ")]  # one for each direction, whose metrics are others
    return "".join(how for how, _ in split), {kind: digits for _, data in split for kind, digits in data.items()}


def change(file: pathlib.Path) -> None:
    text = file.read_text(encoding="utf-8")
    old, new = CHANGES.get(file.name, (text.split()[0], f"{text.split()[0]}x"))
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_every_verb_is_here() -> None:
    """A verb that is added is held below, or named among those that sign nothing."""
    verbs = {name for name in dir(tercet) if hasattr(getattr(tercet, name), "options")}
    assert verbs == {case.verb for case in CASES} | UNSIGNED


@pytest.mark.parametrize("case", CASES, ids=[f"{case.verb}-{i}" for i, case in enumerate(CASES)])
def test_another_file_is_another_signature(case: Case, tmp_path: pathlib.Path) -> None:
    """The fingerprint of its kind changes, and nothing else."""
    folder = written(tmp_path)
    if "earlier.json" in case.kinds:
        earlier = tercet.compare(**texts_of(folder) | FEW).to_dict()
        (folder / "earlier.json").write_text(json.dumps(earlier, ensure_ascii=False), encoding="utf-8")
    how, before = signed(case, folder)
    assert (how, before) == signed(case, folder)
    assert set(case.kinds.values()) <= set(before)
    for name, kind in case.kinds.items():
        unchanged = (folder / name).read_text(encoding="utf-8")
        change(folder / name)
        _, after = signed(case, folder)
        assert {k for k in before if after[k] != before[k]} == {kind}, name
        (folder / name).write_text(unchanged, encoding="utf-8")


def test_files_and_memory_have_the_same_fingerprints(tmp_path: pathlib.Path) -> None:
    """Whatever the parts in which texts are read."""
    folder = written(tmp_path)
    systems = {name: list(TEXTS.systems[name]) for name in ("amber", "birch")}
    lists = tercet.score(systems, REFERENCES, metrics=["chrf"])
    files = tercet.score(
        {name: folder / f"{name}.txt" for name in systems}, [folder / "references.txt"], metrics=["chrf"]
    )
    assert files.signature == lists.signature
    whole = tercet.TestSet.of(systems, REFERENCES)
    assert fingerprints(whole).keys() == {"outputs", "references"}
    seen = Seen()
    for start in range(0, len(whole), 7):
        part = {name: texts[start : start + 7] for name, texts in systems.items()}
        names = whole.segments[start : start + 7]
        seen.add(tercet.TestSet.of(part, REFERENCES[start : start + 7], segments=names))
    assert seen.fingerprints() == fingerprints(whole)


def test_fingerprints_tell_where_texts_and_references_end() -> None:
    one = tercet.TestSet.of({"A": ["ab", "c"]}, [["x", "y"], "z"])
    assert fingerprints(one)["outputs"] != fingerprints(tercet.TestSet.of({"A": ["a", "bc"]}))["outputs"]
    other = tercet.TestSet.of({"A": ["ab", "c"]}, ["x", ["y", "z"]])
    assert fingerprints(one)["outputs"] == fingerprints(other)["outputs"]
    assert fingerprints(one)["references"] != fingerprints(other)["references"]
    assert fingerprints(tercet.TestSet.of({"B": ["ab", "c"]}))["outputs"] != fingerprints(one)["outputs"]


def test_scores_of_one_metric_have_one_signature_whatever_was_scored() -> None:
    """What is comparable looks the same; what was scored stands beside it."""
    first, second = (tercet.score({"A": [text]}, ["a cat"], metrics=["chrf"]) for text in ("a cat", "the cat"))
    assert first.records[0].signature == second.records[0].signature
    assert first.data.startswith("data:outputs=")
    assert first.data != second.data
    assert first.signature.endswith(f"|{first.data}")


@pytest.mark.parametrize("texts", [["a", "b\0", ""], ["\ud800", "\udc00é"], []])
def test_texts_in_a_list_are_told_one_by_one(texts: list[str]) -> None:
    """These bytes stand in signatures that were printed."""
    told = b"".join(b"text " + text.encode("utf-8", "surrogatepass") + b"\0" for text in texts)
    digits = hashlib.sha256(b"list %d\0" % len(texts) + told).hexdigest()[:8]
    assert fingerprint(texts) == digits
    assert fingerprint([type("Name", (str,), {})(text) for text in texts]) == digits
