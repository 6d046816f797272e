"""What another distribution adds is found, named, scored and held to the same contract; its mistakes are its own."""

import importlib.resources
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT

MODULE = '''
"""A third party's metric and tokenizer."""

import dataclasses
import numpy as np
from tercet.metric_base import Card, Metric
from tercet.spec import option
from tercet.text.base import PythonTokenizer


@dataclasses.dataclass(frozen=True)
class Overlap(Metric):
    """Statistics: [distinct words in common, distinct reference words]."""

    fold: bool = option(False, "fold case")

    name = "x-overlap"
    card = Card("Overlap", "Share of reference words.", "nowhere", "0 to 1", "itself")

    def statistics(self, batch):
        rows = []
        for i, hyp in enumerate(batch.hypotheses):
            found = []
            for ref in batch.references[i]:
                ours, theirs = (set((t.casefold() if self.fold else t).split()) for t in (hyp, ref))
                found.append((len(ours & theirs) - len(ours - theirs), len(theirs)))
            rows.append(max(found, key=lambda row: row[0]))
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def score(self, stats):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(stats[..., 1] > 0, stats[..., 0] / stats[..., 1], 0)


@dataclasses.dataclass(frozen=True)
class Hyphens(PythonTokenizer):
    """Splits at hyphens and white space."""

    mark: str = option("-", "where to split")

    name = "x-hyphens"
    summary = "splits at hyphens"

    def split(self, text):
        return text.replace(self.mark, " ").split()
'''
ENTRY_POINTS = """
[tercet.metrics]
x-overlap = tercet_example_plugin:Overlap

[tercet.tokenizers]
x-hyphens = tercet_example_plugin:Hyphens
"""
PROGRAM = """
import json
from tercet.metrics import METRICS, metric
from tercet.text import TOKENIZERS, tokenizer
from tests.contract import metric_checks, tokenizer_checks

passed = []
for check in metric_checks.CHECKS:
    check(METRICS.make("x-overlap"))
    passed.append(check.__name__)
for check in tokenizer_checks.CHECKS:
    check(TOKENIZERS.make("x-hyphens"))
    passed.append(check.__name__)
print(json.dumps({
    "registered": ["x-overlap" in list(METRICS), "x-hyphens" in list(TOKENIZERS)],
    "spec": str(metric("x-overlap( fold = true )")),
    "scores": [metric("x-overlap").corpus(["a B"], ["a b"]), metric("x-overlap(fold=true)").corpus(["a B"], ["a b"])],
    "words": tokenizer("x-hyphens")("a-b c"),
    "bleu": metric("bleu(tokenize=x-hyphens, order=1)").corpus(["a-b"], ["a b"]),
    "checks": len(passed),
}))
"""


def install(folder: pathlib.Path, package: str, module: str, entry_points: str) -> None:
    """What pip would leave behind."""
    (folder / f"{package}.py").write_text(module, encoding="utf-8")
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {package.replace('_', '-')}\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    (info / "entry_points.txt").write_text(entry_points, encoding="utf-8")


def run(
    program: str, *paths: pathlib.Path, cwd: pathlib.Path | None = None, given: str = ""
) -> subprocess.CompletedProcess[str]:
    """A program with these folders on its path."""
    path = os.pathsep.join([*map(str, paths), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=cwd, input=given)


def test_a_plugin_is_a_metric_like_any_other(tmp_path: pathlib.Path) -> None:
    install(tmp_path, "tercet_example_plugin", MODULE, ENTRY_POINTS)
    done = run(PROGRAM, tmp_path, ROOT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["registered"] == [True, True]
    assert found["spec"] == "x-overlap(fold=true)"
    assert found["scores"] == [0.0, 1.0]
    assert found["words"] == ["a", "b", "c"]
    assert found["bleu"] == pytest.approx(100)
    assert found["checks"] > 15


def test_a_plugin_is_found_in_an_archive_and_beside_a_folder_that_is_not_there(tmp_path: pathlib.Path) -> None:
    install(tmp_path, "tercet_example_plugin", MODULE, ENTRY_POINTS)
    archive = pathlib.Path(shutil.make_archive(str(tmp_path.parent / "packed"), "zip", tmp_path))
    program = "from tercet.metrics import METRICS; print('x-overlap' in list(METRICS))"
    for places, there in (([archive], True), ([tmp_path.parent / "nowhere"], False)):
        assert run(program, *places, ROOT).stdout == f"{there}\n"


BAD = """
import dataclasses
import numpy as np
from tercet.agreeing import Measure
from tercet.metric_base import Card, MeanMetric, Metric
from tercet.ranking import Ranker
from tercet.ranking.base import CountRanker, PairRanker

CARD = Card("Bad", "Nothing.", "nowhere", "0 to 1", "itself")


@dataclasses.dataclass(frozen=True)
class NoCard(Metric):
    name = "no-card"


class NotFrozen(Metric):
    name = "not-frozen"
    card = CARD


@dataclasses.dataclass(frozen=True)
class OtherName(Metric):
    name = "something-else"
    card = CARD


def metric(called, statistics, score):
    body = {"name": called, "card": CARD, "statistics": statistics, "score": score, "__module__": __name__}
    return dataclasses.dataclass(frozen=True)(type("Bad", (Metric,), body))


Flat = metric("flat", lambda self, batch: np.zeros(len(batch.hypotheses)), lambda self, stats: stats[..., 0])
Few = metric("few", lambda self, batch: np.zeros((1, 2)), lambda self, stats: stats[..., 0])
Words = metric("words", lambda self, batch: [["a"]] * len(batch.hypotheses), lambda self, stats: stats[..., 0])
Keeps = metric("keeps", lambda self, batch: np.ones((len(batch.hypotheses), 2)), lambda self, stats: stats)
Sums = metric("sums", lambda self, batch: np.ones((len(batch.hypotheses), 2)), lambda self, stats: stats.sum())
Fails = metric("fails", lambda self, batch: 1 / 0, lambda self, stats: stats[..., 0])


@dataclasses.dataclass(frozen=True)
class OneScore(CountRanker):
    name = "one-score"
    card = CARD

    def score(self, wins, ties):
        return wins.sum()


@dataclasses.dataclass(frozen=True)
class NoPoint(PairRanker):
    name = "no-point"
    card = CARD

    def point(self, pairs, seed, threads=1):
        return np.zeros(2)


@dataclasses.dataclass(frozen=True)
class Nothing(Ranker):
    name = "nothing"
    card = CARD

    def fit(self, data, sampling):
        return None


@dataclasses.dataclass(frozen=True)
class Bare(Measure):
    name = "bare"
    card = CARD

    def found(self, gold, metric):
        return 0.5


@dataclasses.dataclass(frozen=True)
class Breaks(Measure):
    name = "breaks"
    card = CARD

    def found(self, gold, metric):
        return metric["x"]
"""
BAD_ENTRY_POINTS = """
[tercet.metrics]
gone = not_installed_anywhere:Metric
no-class = tercet_bad_plugin:Nowhere
no-metric = tercet_bad_plugin:CARD
no-card = tercet_bad_plugin:NoCard
not-frozen = tercet_bad_plugin:NotFrozen
other-name = tercet_bad_plugin:OtherName
eed = tercet_bad_plugin:Flat
sentbleu = tercet_bad_plugin:Flat
flat = tercet_bad_plugin:Flat
few = tercet_bad_plugin:Few
words = tercet_bad_plugin:Words
keeps = tercet_bad_plugin:Keeps
sums = tercet_bad_plugin:Sums
fails = tercet_bad_plugin:Fails

[tercet.rankers]
one-score = tercet_bad_plugin:OneScore
nothing = tercet_bad_plugin:Nothing
no-point = tercet_bad_plugin:NoPoint

[tercet.measures]
bare = tercet_bad_plugin:Bare
breaks = tercet_bad_plugin:Breaks

[tercet.tokenizers]
gone = not_installed_anywhere:Tokenizer

[tercet.formats]
gone = not_installed_anywhere
"""
LISTED = {  # what `tercet list` says of a name
    ("broken metric", "gone"): "cannot be imported from not_installed_anywhere:Metric: ModuleNotFoundError: No module",
    ("broken metric", "no-class"): "cannot be imported from tercet_bad_plugin:Nowhere: AttributeError",
    ("broken metric", "no-metric"): "(tercet_bad_plugin:CARD) is no metric.",
    ("broken metric", "no-card"): "has no card.",
    ("broken metric", "not-frozen"): "is no frozen dataclass.",
    ("broken metric", "other-name"): "calls itself 'something-else'.",
    ("broken metric", "eed"): "tercet-bad-plugin offers a metric called 'eed', which is the name of one of ours.",
    ("broken metric", "sentbleu"): "offers a metric called 'sentbleu', which is the name of one of ours.",
    ("broken tokenizer", "gone"): "cannot be imported",
    ("broken format", "gone"): "cannot be imported",
}
SAID = {  # what a command says that asks for one
    "score -m gone": "The metric 'gone' of tercet-bad-plugin cannot be imported",
    "score -m no-card": "has no card. Give the class one, a Card: card = ...",
    "score -m eed": "which is the name of one of ours. Give it another name there, or remove the package",
    "score -m sentbleu": "which is the name of one of ours.",
    "score -m flat": "flat (tercet_bad_plugin.Bad) gives the shape (2,) for 2 segments from its method statistics. "
    "It must be an array of numbers of the shape (2, k), a row for each segment.",
    "score -m few": "gives the shape (1, 2) for 2 segments",
    "score -m words": "gives a list for 2 segments",
    "score -m keeps": "gives the shape (2,) for statistics of the shape (2,) from its method score. It must be of the "
    "shape (): all axes but the last one stay, (..., k) -> (...).",
    "score -m sums": "gives the shape () for statistics of the shape (2, 2)",
    "score -m fails": "fails in its method statistics: ZeroDivisionError: division by zero. That is a mistake in its "
    "code, not in Tercet",
    "rank -m one-score": "gives the shape () for counts of the shape (40, 5, 5) from its method score.",
    "rank -m nothing": "gives a NoneType with scores of the shape (0,)",
    "choose -m no-point": "gives the shape (2,) from its method point. It must be scores of the shape (5,), for 5",
    "plan -m nothing": "gives a NoneType with scores of the shape (0,)",
    "tune --objective bare": "gives a float from its method found. It must be a Found",
    "tune --objective breaks": "fails in its method found: IndexError",
    "meta --measure bare": "gives a float from its method found. It must be a Found",
    "meta --measure breaks": "fails in its method found: IndexError",
}


COMMANDS = """
import contextlib, io, json, sys
from tercet.cli.app import app

sys.argv = ["tercet"]
said = {}
for asked, words in json.load(sys.stdin).items():
    out, wrong = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(wrong):
        try:
            app(words)
        except SystemExit as end:
            said[asked] = (end.code, out.getvalue(), wrong.getvalue())
json.dump(said, sys.stdout)
"""
FILES = {
    "score": ("hyp.txt", "-r", "hyp.txt"),
    "rank": ("de-en.rankings.csv", "--samples", "40"),
    "meta": ("-t", "en-de.tsv", "-j", "en-de.rankings.csv"),
    "choose": ("de-en.rankings.csv", "--folds", "2"),
    "plan": ("--systems", "3", "--budget", "20", "--campaigns", "2", "--samples", "40"),
    "tune": ("chrf", "-t", "en-de.tsv", "-j", "en-de.rankings.csv", "-p", "beta", "--level", "system"),
}
LIST, SCORE = "list -f json", "score -t set -m chrf -m bleu(effective_order=true) -f jsonl"


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """What commands say, exit code, stdout and stderr, where packages with every mistake are installed."""
    folder = tmp_path_factory.mktemp("bad")
    install(folder, "tercet_bad_plugin", BAD, BAD_ENTRY_POINTS)
    (folder / "hyp.txt").write_text("a b\nc d\n", encoding="utf-8")
    (folder / "set").write_text("reference\tA\na b\ta b\nc d\tc d\n", encoding="utf-8")
    for name in ("de-en.rankings.csv", "en-de.tsv", "en-de.rankings.csv"):
        text = (importlib.resources.files("tercet.sample") / name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
    words = {LIST: LIST.split(), SCORE: SCORE.split()}
    for asked in SAID:
        verb, *how = asked.split()
        words[asked] = [verb, *FILES[verb], *how]
    done = run(COMMANDS, folder, cwd=folder, given=json.dumps(words))
    assert done.returncode == 0, done.stderr
    answers: dict[str, tuple[int, str, str]] = json.loads(done.stdout)
    return answers


@pytest.mark.thorough
def test_what_is_broken_is_listed_and_the_rest_works(said: dict[str, tuple[int, str, str]]) -> None:
    code, out, wrong = said[LIST]
    assert (code, wrong) == (0, "")
    listed = {(r["kind"], r["name"]): r["what"] for r in json.loads(out)["records"]}
    broken = {key: what for key, what in listed.items() if key[0].startswith("broken")}
    assert broken.keys() == LISTED.keys()
    assert [key for key, what in LISTED.items() if what not in broken[key]] == []
    assert not any("\n" in what for what in broken.values())
    assert ("metric", "chrf") in listed
    code, out, wrong = said[SCORE]
    assert (code, wrong) == (0, "")
    assert [json.loads(line)["score"] for line in out.splitlines()] == pytest.approx([100, 100])


@pytest.mark.thorough
@pytest.mark.parametrize("asked", SAID)
def test_a_mistake_is_said_to_be_the_plugins(said: dict[str, tuple[int, str, str]], asked: str) -> None:
    code, out, wrong = said[asked]
    assert (code, out) == (2, "")
    assert SAID[asked] in wrong
    assert len(wrong.splitlines()) == 1


def test_two_packages_with_one_name(tmp_path: pathlib.Path) -> None:
    for package in ("tercet_one", "tercet_two"):
        install(tmp_path, package, MODULE, f"[tercet.metrics]\nx-overlap = {package}:Overlap\n")
    done = run("from tercet.metrics import metric; metric('chrf'); metric('x-overlap')", tmp_path, ROOT)
    assert "tercet-one and tercet-two each offer a metric called 'x-overlap'." in done.stderr


def test_without_the_plugin_its_name_is_unknown() -> None:
    done = run("from tercet.metrics import metric; metric('x-overlap')", ROOT)
    assert done.returncode != 0
    assert "There is no metric called 'x-overlap'" in done.stderr
