"""The pages of newstest2014, German into English and English into Hindi, each built by one command, in a browser."""

from __future__ import annotations

import functools
import importlib.resources
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

import tercet
from tercet.data import Scores, TestSet
from tercet.numbers import p_told
from tests.browser.conftest import Open
from tests.browser.test_compare import count, differences, names, opened, shut, state
from tests.browser.test_report import overflow
from tests.conftest import absent

SYSTEMS = {"de-en": 13, "en-hi": 12}
SAMPLES = 100
CHECKED = {"de-en": ("#answer", "#segments"), "en-hi": ("dialog[open]",)}  # by axe, which takes its time


class Built(NamedTuple):
    """A page, what it was built from, and what `tercet score` says of that."""

    pair: str
    text: str
    testset: TestSet
    scores: Scores


Builds = Callable[[str], Built]


@pytest.fixture(scope="module")
def builds(shared: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Builds:
    """Makes a page when it is first asked for, whatever the order of the tests."""
    return functools.cache(lambda pair: build(pair, shared, tmp_path_factory.mktemp("newstest")))


@pytest.fixture(params=SYSTEMS)
def built(request: pytest.FixtureRequest, builds: Builds) -> Built:
    """Each page is built once."""
    return builds(request.param)


def build(pair: str, shared: pathlib.Path, folder: pathlib.Path) -> Built:
    """The page of a language pair, and its scores."""
    file, page = shared / "data" / "wmt14-news" / f"newstest2014.{pair}.tsv.gz", folder / "page.html"
    command = [sys.executable, "-m", "tercet", "compare", "--testset", str(file), "--samples", str(SAMPLES)]
    subprocess.run([*command, "--correction", "none", "-o", str(page)], check=True, capture_output=True)
    testset = tercet.read_testset(file)
    assert len(testset.systems) == SYSTEMS[pair]
    scores = tercet.score(testset=testset, ci=True, paired="bootstrap", samples=SAMPLES, correction="none")
    return Built(pair, page.read_text(encoding="utf-8"), testset, scores)


def test_a_page_is_small_and_every_number_is_that_of_score(built: Built, visit: Open) -> None:
    assert len(built.text.encode()) < 5_000_000
    page_ = opened(visit, built.text).page
    page_.locator("#answer summary").first.click()
    table = page_.locator("#answer table").first
    lines = table.locator("tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText.split('\\n').filter(Boolean)))"
    )
    shown = {line[0][0]: line[1:] for line in lines}
    assert set(shown) == set(built.testset.systems)
    metrics = list(built.scores.scales)
    for each in built.scores:
        digits, m = built.scores.scales[each.metric][1], metrics.index(each.metric)
        score, difference = shown[each.system][2 * m : 2 * m + 2]
        assert score == [f"{each.score:.{digits}f}", f"[{each.low:.{digits}f}, {each.high:.{digits}f}]"]
        if each.p_value is None:
            assert difference == ["–"]
        else:
            assert difference[-1].rstrip("*") == p_told(each.p_value)
            assert difference[-1].endswith("*") == (each.p_value < 0.05)


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (400, "dark"), (1400, "light"), (1400, "dark")])
def test_segments_are_sorted_filtered_opened_and_linked(built: Built, visit: Open, width: int, scheme: str) -> None:
    seen = opened(visit, built.text, width, color_scheme=scheme)
    page_, n = seen.page, len(built.testset)
    assert overflow(page_) == 0
    page_.locator("#metric").select_option("ter")
    page_.locator("#sort").select_option("gain")
    assert differences(page_) == sorted(differences(page_))
    word = next(iter(built.testset.systems.values()))[5].split()[0].lower()
    page_.locator("#q").fill(word)
    columns = (built.testset.sources or (), *built.testset.systems.values())
    references = [" \n ".join(texts).lower() for texts in built.testset.references or ()]
    held = {i for i in range(n) if word in references[i] or any(word in column[i].lower() for column in columns)}
    assert count(page_) == f"{len(held)} of {n} segments"
    assert set(names(page_)) <= {built.testset.segments[i] for i in held}
    page_.locator("#list a").first.click()
    page_.locator("dialog[open]").wait_for()
    assert page_.locator("dialog[open] .output").count() == len(built.testset.systems)
    told = page_.locator("dialog .output.chosen .figures").first.inner_text()
    row = built.testset.segments.index(state(page_)["seg"])
    baseline = next(iter(built.testset.systems))
    given = built.testset.references
    assert given is not None
    script = tercet.metric("ter").explain(built.testset.systems[baseline][row], given[row]).edits
    assert script is not None
    assert (f"{script.cost} edit" if script.cost else "no edits") in told
    assert overflow(page_) == 0
    link = page_.url
    page_.locator("#close").click()
    shut(page_)
    page_.locator(".findings details[open] a").first.click()
    assert state(page_)["set"].startswith("f")
    assert page_.locator("#list li").count() > 0
    page_.goto(link)
    page_.reload()
    page_.locator("dialog[open] .output").first.wait_for()
    assert page_.locator("#segment-title").inner_text() == f"Segment {built.testset.segments[row]}"
    assert seen.complaints == []


def test_edits_of_the_first_two_systems_are_those_of_ter(built: Built, visit: Open) -> None:
    page_ = opened(visit, built.text).page
    found = page_.evaluate(
        """async () => {
            const data = await comparison.inflated(document.getElementById("segments-data"));
            const how = data.metrics.find((metric) => metric.name === "ter");
            return Object.entries(how.scripts).map(([s, scripts]) => [Number(s), scripts.map((packed, row) => {
              const [, references, outputs] = data.texts[row];
              const lengths = references.map((text) => marks.words(text, how).length);
              const own = marks.unpacked(packed, marks.words(outputs[s], how).length, lengths);
              return own && own.shifts + own.steps.filter((step) => step.kind !== "match").length;
            })]);
        }"""
    )
    metric = tercet.metric("ter")
    assert len(found) >= 2
    for s, edits in found:
        texts = list(built.testset.systems.values())[s]
        rows = metric.statistics(metric.batch(texts.strings, list(built.testset.references or ())))
        assert edits == rows[:, 0].tolist()


def test_axe_finds_no_serious_barrier(built: Built, visit: Open) -> None:
    try:
        axe = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        absent("the extra test (axe-playwright-python) is not installed")
    page_ = opened(visit, built.text, bypass_csp=True).page  # or the policy would stop axe
    page_.add_style_tag(content=".scroll { background: none !important; }")  # axe cannot judge contrast over gradients
    page_.evaluate(axe)
    if "dialog[open]" in CHECKED[built.pair]:
        page_.locator("#list a").first.click()
    for selector in CHECKED[built.pair]:
        found = page_.evaluate("(where) => axe.run(where, { resultTypes: ['violations'] })", selector)
        assert [v["id"] for v in found["violations"] if v["impact"] in ("serious", "critical")] == []
        assert len(found["passes"]) > 5  # it did look
