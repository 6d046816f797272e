"""Every answer of a verb in a notebook: its text, its table, its data frame, its picture."""

import functools
import html.parser
import importlib
import pathlib
import subprocess
import sys
import tempfile
import types
import typing
from collections.abc import Callable

import pytest
from matplotlib.image import imread
from matplotlib.text import Text

import tercet
from tercet.data import Rankings
from tercet.data.answer import Answer
from tercet.options.judging import RankedOutputs
from tercet.plots.canvas import PAD, writing
from tercet.ranking.rank import pairs_of
from tercet.report import answers
from tercet.sample import Demo

HOSTILE = "<b>a</b>&"


SAMPLE = pathlib.Path(tercet.__file__).parent / "sample"
RANKINGS, TEXTS = SAMPLE / "de-en.rankings.csv", SAMPLE / "de-en.tsv"
SEARCHING = SAMPLE / "retrieval"
SYSTEMS = {HOSTILE: ["the cat sat on it", "a dog"], "b": ["a cat is on it", "dogs"]}
REFERENCES = ["the cat sat on it", "a dog"]
POST_EDITS = ["the cat sat on it", "the dogs"]
QUALITY = tuple((SAMPLE / "quality" / f"train.{side}").read_text("utf-8").splitlines()[:60] for side in ("en", "mt"))
HTER = [round(len(text) % 7 / 10, 1) for text in QUALITY[1]]
MADE: dict[str, Callable[[pathlib.Path], typing.Any]] = {  # every verb that answers, and each kind of its answers
    "score": lambda _: tercet.score(SYSTEMS, REFERENCES, ci=True, samples=50),
    "merge": lambda folder: tercet.merge([tercet.score_shard(SYSTEMS, REFERENCES, part=folder / "all.part")]),
    "compare": lambda _: tercet.compare(SYSTEMS, REFERENCES, samples=50),
    "rank": lambda _: tercet.rank(RANKINGS, samples=50),
    "rank, two": lambda _: tercet.rank(RANKINGS, method=["expected-wins", "others"], samples=50),
    "head_to_head": lambda _: tercet.head_to_head(RANKINGS),
    "agreement": lambda _: tercet.agreement(RANKINGS),
    "annotators": lambda _: tercet.annotators(RANKINGS),
    "amounts": lambda _: tercet.amounts(RANKINGS),
    "choose": lambda _: tercet.choose(RANKINGS, methods=["expected-wins", "others"], folds=2),
    "plan": lambda _: tercet.plan(systems=3, budget=400, campaigns=4, samples=40),
    "meta": lambda _: tercet.meta(testset=TEXTS, judgements=RANKINGS, metrics=["bleu", "chrf"], samples=50),
    "tune": lambda _: tercet.tune("chrf", testset=TEXTS, judgements=RANKINGS, parameters=["beta=1:3:1"], folds=2),
    "train": lambda _: tercet.train(
        "combine", metrics=["chrf", "ter"], testset=TEXTS, judgements=RANKINGS, folds=2, strengths=[1.0]
    ),
    "retrieval": lambda _: tercet.retrieval(
        {"mt": SEARCHING / "amber.tsv"}, SEARCHING / "qrels.txt", collection=SEARCHING / "pages.tsv"
    ),
    "explain": lambda _: tercet.explain("bleu", f"{HOSTILE} cat sat", "the cat sat"),
    "explain, edits": lambda _: tercet.explain("ter", ["the cat sat", "sat the cat"], "the cat sat"),
    "explain, matches": lambda _: tercet.explain("meteor-2005(modules=exact)", "the cat sat", "there the cat sat"),
    "explain, counts": lambda _: tercet.explain("length-ratio", "the cat sat", source="die Katze"),
    "qe_labels": lambda _: tercet.qe_labels("hter", target=SYSTEMS["b"], post_edits=POST_EDITS),
    "qe_labels, tags": lambda _: tercet.qe_labels("tags", target=SYSTEMS["b"], post_edits=POST_EDITS),
    "qe_evaluate": lambda _: tercet.qe_evaluate({"a": [0.1, 0.4, 0.2]}, [0.2, 0.3, 0.1]),
    "qe_train": lambda folder: tercet.qe_train(
        QUALITY[0], QUALITY[1], labels=HTER, model=folder / "model", learners=["ridge"]
    ),
    "qe_predict": lambda folder: tercet.qe_predict(_model(folder), QUALITY[0], QUALITY[1]),
    "qe_decide": lambda folder: tercet.qe_decide(_model(folder), good=0.3, light=0.5),
    "list": lambda _: tercet.list("metrics"),
    "show": lambda _: tercet.show("bleu"),
    "run": lambda folder: tercet.run(_study(folder), folder / "results", figures=False),
    "demo": lambda _: _demo(),
}
OTHERS = {  # verbs that do something, give a list of names, or something to be written into a file
    *("parse", "train_ibm1", "train_lm", "train_frequencies", "train_function_words", "train_paraphrases"),
    *(
        "annotator_page",
        "propose_next",
        "create_campaign",
        "invite_people",
        "campaign_status",
        "serve_campaign",
        "simulate_campaign",
    ),
    *("export_campaign", "import_answers", "backup_campaign", "publish_campaign", "score_shard"),
}
NAMES = sorted(MADE)


@functools.cache
def _folder() -> pathlib.Path:
    return pathlib.Path(tempfile.mkdtemp(prefix="answers"))


@functools.cache
def made(name: str) -> typing.Any:
    """An answer of each kind, from the sample or from a few words."""
    return MADE[name](_folder())


def _model(folder: pathlib.Path) -> pathlib.Path:
    made("qe_train")
    return folder / "model"


def _demo() -> Demo:
    scores, ranking, agreed = ({"de-en": made(name)} for name in ("score", "rank", "agreement"))
    return Demo(scores, ranking, agreed, made("run"), (TEXTS,))


def _study(folder: pathlib.Path) -> pathlib.Path:
    study = folder / "study.toml"
    study.write_text(
        f'''[metrics]\nBLEU = "bleu"\nchrF = "chrf"\n[[direction]]\npair = "de-en"\ntestset = "{TEXTS}"\n'''
        f'''judgements = "{RANKINGS}"\n[segment]\nmeasure = "kendall(variant=wmt14)"\ninterval = "none"\n''',
        encoding="utf-8",
    )
    return study


class Reader(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_every_verb_that_answers_and_every_kind_of_answer_is_here() -> None:
    verbs = {name for name in dir(tercet) if hasattr(getattr(tercet, name), "options")}
    assert {name.partition(",")[0] for name in MADE} | OTHERS == verbs
    assert {kind for name in MADE for kind in type(made(name)).__mro__} >= set(Answer.__subclasses__())


@pytest.mark.parametrize("name", NAMES)
def test_text_and_table_say_the_same(name: str) -> None:
    answer = made(name)
    text, reader = repr(answer), Reader()
    reader.feed(answer._repr_html_())
    assert "table" in reader.tags
    assert reader.tags <= {"table", "thead", "tbody", "tr", "th", "td", "b", "p", "small", "img"}
    words = " ".join(reader.texts).split()
    assert words
    if name in ("list", "show"):  # sentences, wrapped, without a header
        words = [word for word in words if word not in answer.as_records()[0]]
        assert max(map(len, text.splitlines())) <= answers.COLUMNS
    else:
        assert len(text.splitlines()) <= answers.MOST + 20
    assert set(words) <= set(text.split())
    assert len(text.splitlines()) > 2


def test_a_card_is_shown_as_on_a_terminal() -> None:
    lines = repr(made("show")).splitlines()
    assert lines[0].split() == ["spec", "bleu"]
    place = lines[0].index("bleu")
    assert all(line[place - 1] == " " != line[place] for line in lines)  # all values begin in one column


@pytest.mark.parametrize("name", NAMES)
def test_a_frame_has_the_records(name: str) -> None:
    answer = made(name)
    frame = answer.frame()
    if name not in ("compare", "train") and not name.startswith("explain"):
        assert frame.columns == list(answer.as_records()[0])
    assert len(frame) > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_or_a_sentence(name: str, tmp_path: pathlib.Path) -> None:
    if name in ("list", "show"):
        with pytest.raises(tercet.InputError, match="no number in Catalogue"):
            made(name).plot()
        return
    figure = made(name).plot()
    figure.savefig(tmp_path / "picture.png", dpi=100)
    with writing(figure):
        figure.draw_without_rendering()
        whole = figure.get_tightbbox()
        unseen = {
            label
            for ax in figure.axes
            for axis in (ax.xaxis, ax.yaxis)
            for tick in axis.get_major_ticks()
            for label in (tick.label1, tick.label2)
            if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
        }  # matplotlib draws no ticks beyond the ends of an axis
        texts = [t for t in figure.findobj(Text) if t not in unseen and t.get_visible() and t.get_text().strip()]
        boxes = [text.get_window_extent().transformed(figure.dpi_scale_trans.inverted()) for text in texts]
    assert len(boxes) > 2
    for box in boxes:  # all words are on the page that was saved
        assert whole.x0 - 0.01 <= box.x0 <= box.x1 <= whole.x1 + 0.01
        assert whole.y0 - 0.01 <= box.y0 <= box.y1 <= whole.y1 + 0.01
    high, wide = imread(tmp_path / "picture.png").shape[:2]
    assert (wide, high) == pytest.approx((100 * (whole.width + 2 * PAD), 100 * (whole.height + 2 * PAD)), abs=1.5)


def test_a_notebook_shows_a_picture_without_pyplot() -> None:
    program = """
import sys, tercet
figure = tercet.score({"a": ["the cat"]}, ["the cat sat"], metrics=["chrf"]).plot()
png = figure._repr_png_()
assert "matplotlib.pyplot" not in sys.modules
sys.stdout.buffer.write(png[:8])
"""
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert shown.stdout == b"\x89PNG\r\n\x1a\n"


def test_what_is_large_is_one_line() -> None:
    texts = tercet.read_testset(TEXTS)
    wanted = "<TestSet: 48 segments, 5 systems (amber, birch, cedar, delta, ...), 1-2 references a segment, sources"
    assert repr(texts).startswith(wanted)
    assert repr(texts.sources) == "<Texts: 48 texts>"
    judged = typing.cast(Rankings, tercet.read_judgements(RANKINGS))
    pairs = pairs_of(judged, RankedOutputs(on_skip="pair", references=True))
    assert repr(judged).startswith("<Rankings: de-en, ")
    assert all(len(repr(large)) < 200 for large in (texts, texts.references, judged, pairs))


def test_markup_in_names_is_text() -> None:
    reader = Reader()
    reader.feed(made("score")._repr_html_())
    assert HOSTILE in " ".join(reader.texts)


def test_long_answers_are_cut_and_say_so() -> None:
    many = [f"line {i}" for i in range(200)]
    scores = tercet.score({"a": many}, many, metrics="chrf", level="segment")
    assert f"and {200 - answers.MOST} more rows" in repr(scores)
    assert len(scores.frame()) == 200


def test_pandas_where_there_is_no_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = types.SimpleNamespace(DataFrame=lambda records: ("pandas", list(records)))
    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.setitem(sys.modules, "pandas", taken)
    assert made("score").frame()[0] == "pandas"
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(tercet.MissingExtraError, match="Polars or pandas"):
        made("score").frame()


def test_unknown_names_get_a_sentence() -> None:
    with pytest.raises(AttributeError, match=r"tercet has no 'scor'. Did you mean score"):
        importlib.import_module("tercet").scor  # noqa: B018
    with pytest.raises(AttributeError, match=r"dir\(tercet\) lists"):
        tercet.qqqqq  # type: ignore[attr-defined]  # noqa: B018
    assert {"score", "compare", "explain", "rank", "meta", "tune", "run"} <= set(dir(tercet))
