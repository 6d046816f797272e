"""Everything that is registered has its page, and every verb and option its mention."""

from __future__ import annotations

import dataclasses
import pathlib
import re
from typing import Any, get_args

import pytest

import tercet
from tercet.agreeing import MEASURES
from tercet.agreeing.beside import beside
from tercet.agreeing.gold import GOLDS
from tercet.agreeing.kendall import OfPairs
from tercet.agreeing.published import PUBLISHED, standings
from tercet.cli.app import app
from tercet.data.meta import RECORDED
from tercet.formats import FORMATS, JUDGEMENT_FORMATS, SCORE_FORMATS
from tercet.formats.submissions import LAYOUTS
from tercet.metrics import METRICS
from tercet.options.agreeing import Interval, Test
from tercet.ranking import RANKERS
from tercet.report import FORMATS as OUTPUTS
from tercet.report.meta import among_records, beside_records, curve_records, p_records
from tercet.sample import PROTOCOLS, campaign, judgements
from tercet.spec import option_docs, options, read
from tercet.study import LevelPlan, StudyDirection, read_study
from tercet.study.file import SAMPLING, Layout
from tercet.text import TOKENIZERS
from tests.conftest import ROOT
from tests.docs.blocks import of_release, pages
from tests.docs.conftest import PageAt
from tests.docs.hooks import HOOKS

# The pages on which the options of a verb are explained, its own one first; without any, all of the guide.
GUIDE = {
    "score": (),
    "merge": ("scale", "output", "scoring", "medical"),
    "compare": ("compare", "scale"),
    "rank": ("ranking", "judgements", "output"),
    "agreement": ("agreement", "judgements", "output"),
    "choose": ("planning", "judgements", "output"),
    "plan": ("planning", "judgements", "output"),
    "meta": ("meta", "scale"),
    "run": ("study", "scale"),
    "explain": ("explain",),
    "tune": ("tuning", "scale"),
    "train beer": ("training",),
    "train beer-1.1": ("training",),
    "train combine": ("training",),
    "train neural": ("training",),
    "train esim": ("training",),
    "train uow-lstm": ("training",),
    "train ibm1": ("qe",),
    "train lm": ("qe",),
    "train frequencies": ("qe",),
    "qe train": ("quality-training",),
    "qe predict": ("quality-training", "output", "scale"),
    "qe decide": ("quality-training", "output"),
    "parse": ("qe", "output"),
    "train function-words": ("meteor",),
    "train paraphrases": ("meteor",),
    "retrieval": ("retrieval",),
    "campaign create": ("campaigns",),
    "campaign invite": ("campaigns",),
    "campaign serve": ("campaigns",),
    "campaign status": ("campaigns",),
    "campaign export": ("campaigns",),
    "campaign publish": ("campaigns",),
    "campaign simulate": ("campaigns",),
    "qe evaluate": ("qe-evaluate", "output"),
    "qe labels": ("qe-evaluate", "output"),
}


def written(name: str) -> str:
    """A page that is written by hand."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def assert_card(name: str, owner: Any, page: str) -> None:
    """The card stands on the page, and its options with what they do."""
    for fact in (owner.card.title, owner.card.definition, owner.card.paper, owner.card.scale, owner.card.reference):
        assert fact in page
    for difference in owner.card.differences:
        assert f"- {difference}" in page
    for option, sentence in option_docs(owner).items():
        assert f"| `{option}` |" in page
        assert sentence, f"{name} does not say what {option} does"
        assert sentence.replace("|", "\\|") in page


@pytest.mark.parametrize("name", list(METRICS))
def test_a_metric_has_its_page(name: str, page_at: PageAt) -> None:
    owner, page = METRICS.load(name), page_at(f"metrics/{name}.md")
    assert_card(name, owner, page)
    assert f"[`{name}`]({name}.md)" in page_at("metrics/index.md")
    assert f"metrics/{name}.md" in HOOKS.metrics.titles()
    assert owner.card.kind, "nobody says what it looks at"
    assert f"| [`{name}`]({name}.md) |" in page_at("metrics/gallery.md")


@pytest.mark.parametrize("alias", list(METRICS.aliases))
def test_an_alias_has_its_line(alias: str, page_at: PageAt) -> None:
    assert f"[`{alias}`]" in page_at("metrics/index.md")
    family = read(METRICS.aliases[alias])[0]
    assert f"| `{alias}` |" in page_at(f"metrics/{family}-aliases.md")


@pytest.mark.parametrize("name", list(RANKERS))
def test_a_ranker_has_its_page(name: str, page_at: PageAt) -> None:
    owner, page = RANKERS.load(name), page_at(f"rankers/{name}.md")
    assert_card(name, owner, page)
    assert f"$ tercet rank demo/{HOOKS.rankers.DEMO.get(name, HOOKS.rankers.RANKINGS)} -m {name}\n" in page
    assert f"[`{name}`]({name}.md)" in page_at("rankers/index.md")
    assert f"rankers/{name}.md" in HOOKS.rankers.titles()
    assert f"| [`{name}`](../rankers/{name}.md) |" in written("guide/ranking.md"), "nobody says when to use it"


@pytest.mark.parametrize("name", list(MEASURES))
def test_a_measure_has_its_page(name: str, page_at: PageAt) -> None:
    owner, page = MEASURES.load(name), page_at(f"measures/{name}.md")
    assert_card(name, owner, page)
    assert f"$ {HOOKS.measures.asked(HOOKS.measures.SHOWN.get(name, name))[0]}\n" in page
    assert f"[`{name}`]({name}.md)" in page_at("measures/index.md")
    assert f"measures/{name}.md" in HOOKS.measures.titles()
    assert f"| [`{name}`](../measures/{name}.md) |" in written("guide/meta.md"), "nobody says when to use it"


@pytest.mark.parametrize("name", list(GOLDS))
def test_a_gold_has_its_section(name: str, page_at: PageAt) -> None:
    card = GOLDS.load(name).card
    explained = section(page_at("measures/index.md"), f"### `{name}` {{ #{name} }}")
    for fact in (card.title, card.definition, card.paper, *card.differences):
        assert fact in explained
    for option in options(GOLDS.load(name)):
        assert f"| `{option}` |" in explained
    assert f"](../measures/index.md#{name})" in written("guide/meta.md"), "nobody says when to use it"


@pytest.mark.parametrize(
    ("heading", "values"),
    [
        ("## How sure is it?", Interval),
        ("## Is one metric better than another?", Test),
        ("### Ties of Kendall's tau", OfPairs),
    ],
)
def test_every_choice_is_explained(heading: str, values: Any) -> None:
    explained = section(written("guide/meta.md"), heading)
    assert [value for value in get_args(values) if f"`{value}`" not in explained] == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_table_is_named(name: str) -> None:
    assert f"`--among {name}`" in section(written("guide/meta.md"), "## Among published metrics")


def study_keys() -> list[str]:
    """Every key that a study file may have below a table of its own."""
    return [
        *("title", "layout", "spec", "levels", "exclude"),
        *(f.name for f in dataclasses.fields(StudyDirection)),
        *(f.name for f in dataclasses.fields(LevelPlan)),
        *SAMPLING,
    ]


@pytest.mark.parametrize("key", study_keys())
def test_a_key_of_the_study_file_is_explained(key: str) -> None:
    assert f"\n| `{key}` |" in section(written("guide/study.md"), "## The file, key by key")


def test_a_study_file_takes_the_keys_of_its_page(tmp_path: pathlib.Path) -> None:
    explained = section(written("guide/study.md"), "### `[sampling]`")
    usual = dict(re.findall(r"^\| `(\w+)` \| `?([^ `|]+)`? \|", explained, re.MULTILINE))
    assert len(usual) > 5
    lines = "\n".join(f"{key} = {value}" for key, value in usual.items())
    page = '[[direction]]\npair = "de-en"\nscores = "a.tsv"\n[system]\nmeasure = "pearson"\n[sampling]\n'
    plain, full = tmp_path / "plain.toml", tmp_path / "full.toml"
    plain.write_text(page, encoding="utf-8")
    full.write_text(f"{page}{lines}\n", encoding="utf-8")
    assert read_study(full).asked == read_study(plain).asked


@pytest.mark.parametrize("layout", get_args(Layout))
def test_a_layout_is_explained(layout: str) -> None:
    assert f"`{layout}`" in section(written("guide/study.md"), "## The file, key by key")


@pytest.mark.parametrize("name", list(TOKENIZERS))
def test_a_tokenizer_has_its_section(name: str, page_at: PageAt) -> None:
    _, found, section = page_at("metrics/tokenizers.md").partition(f"\n## `{name}` ")
    assert found
    section = section.partition("\n## ")[0]
    for option in options(TOKENIZERS.load(name)):
        assert f"| `{option}` |" in section


@pytest.mark.parametrize("verb", app.walk())
def test_a_verb_has_its_section(verb: str, page_at: PageAt) -> None:
    command: Any = app.walk()[verb]
    section = page_at("reference/cli.md").partition(f"\n## tercet {verb}\n")[2].partition("\n## ")[0]
    assert section
    for parameter in command.params:
        assert parameter.help, f"{parameter.name} of {verb} has no help"
        assert parameter.help.partition(" Default:")[0].replace("|", "\\|") in section
        if parameter.param_type_name == "option":
            assert ", ".join(f"`{name}`" for name in parameter.opts) in section
    assert hasattr(tercet, verb) or " " in verb, "a verb is a function of the same name"


@pytest.mark.parametrize("name", tercet.__all__)
def test_a_public_name_has_its_section(name: str, page_at: PageAt) -> None:
    page = page_at("reference/python.md")
    assert f"### `tercet.{name}`" in page or name == "__version__"
    thing = getattr(tercet, name)
    if name != "__version__":
        assert (thing.__doc__ or "").strip().partition("\n")[0] in page


@pytest.mark.parametrize("verb", GUIDE)
def test_every_option_is_in_the_guide(verb: str) -> None:
    files = [ROOT / "docs" / "guide" / f"{name}.md" for name in GUIDE[verb]]
    guide = "".join(p.read_text(encoding="utf-8") for p in files or (ROOT / "docs" / "guide").glob("*.md"))
    options_of = [p.names for p in HOOKS.commands.parameters(HOOKS.commands.commands()[verb]) if p.is_option]
    assert options_of
    assert [names for names in options_of if not any(mentioned(name, guide) for name in names)] == []


def mentioned(option: str, guide: str) -> bool:
    """Whether an option is named, not only as the beginning of a longer one."""
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", guide) is not None


def test_a_longer_option_is_no_mention() -> None:
    assert mentioned("-o", "`-o FILE`")
    assert mentioned("--unit", "`--unit`")
    assert not mentioned("--annotator", "`--annotators`")
    assert not mentioned("--skip", "`--on-skip`")


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_format_is_explained(name: str) -> None:
    assert f"`{name}`" in written("guide/formats.md")


@pytest.mark.parametrize("name", JUDGEMENT_FORMATS)
def test_a_format_of_judgements_is_explained(name: str) -> None:
    page = written("guide/judgements.md")
    row = re.search(rf"^\| \[`{name}`\]\(#([\w-]+)\) \| (.+?) \|", page, re.MULTILINE)
    assert row, "it is not in the table"
    # the section that the table leads to says what is checked
    titles = {re.sub(r"\W+", "-", title.lower()): title for title in re.findall(r"^## (.+)$", page, re.MULTILINE)}
    assert "\nChecked: " in section(page, f"## {titles[row[1]]}")


@pytest.mark.parametrize("name", [*SCORE_FORMATS, *LAYOUTS])
def test_a_format_of_scores_is_explained(name: str) -> None:
    assert f"\n| `{name}` |" in section(written("guide/formats.md"), "## Files of scores")


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_format_is_explained(name: str) -> None:
    assert f"`{name}`" in written("guide/output.md")


def test_every_column_is_explained() -> None:
    page = written("guide/output.md")
    fields = [f.name for f in dataclasses.fields(tercet.data.Score)]
    assert [name for name in fields if f"| `{name}` |" not in page] == []


def section(page: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    level = len(heading) - len(heading.lstrip("#"))
    found = re.search(rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{level}}} |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found, f"there is no {heading!r}"
    return found[1]


def columns_of(verb: str) -> set[str]:
    """Every column that the records of a verb can have, as the demo campaign shows them."""
    people = [judgements("en-de", protocol) for protocol in PROTOCOLS]
    ranked = judgements("en-de")
    if verb == "rank":
        found = [tercet.rank(each, samples=2) for each in people]
        records = [*(r for each in found for r in each.as_records()), *tercet.head_to_head(ranked).as_records()]
        records += tercet.rank(ranked, method=["others", "trueskill"], samples=2).as_records()
    elif verb == "agreement":
        names = {f.name for f in dataclasses.fields(tercet.data.AgreementRecord)}
        return names | {key for each in people for r in tercet.annotators(each).as_records() for key in r}
    elif verb == "choose":
        records = tercet.choose(ranked, folds=2, methods=["expected-wins"]).as_records()
    elif verb == "meta":
        metrics = ["bleu", "chrf", "length-ratio"]  # the last one without references
        systems = tercet.meta(testset=campaign("en-de"), judgements=ranked, metrics=metrics, samples=40)
        segments = tercet.meta(testset=campaign("en-de"), judgements=people[1], level="segment", samples=40)
        records = [*systems.as_records(), *segments.as_records(), *p_records(systems.tests)]
        chrf = next(s for s in systems.scores if s.metric == "chrf")
        fewer = dataclasses.replace(chrf, metric="fewer", systems=chrf.systems[1:], values=chrf.values[1:])
        records += tercet.meta(
            testset=campaign("en-de"), judgements=ranked, metrics=["chrf"], scores=[fewer], samples=40
        ).as_records()
        hybrids = tercet.meta(testset=campaign("en-de"), judgements=people[1], test="hybrids", draws=10, samples=40)
        records += [
            dict.fromkeys(RECORDED),
            *curve_records(systems.curves),
            *among_records(standings(systems, PUBLISHED[0])),
            *beside_records(beside(systems, [])),
            *hybrids.as_records(),
        ]
    else:
        records = tercet.plan(budget=10, campaigns=1, samples=2).as_records()
    return {key for record in records for key in record}


@pytest.mark.parametrize("verb", ["rank", "agreement", "choose", "plan", "meta"])
def test_every_column_of_a_verb_is_explained(verb: str) -> None:
    explained = section(written("guide/output.md"), f"### {verb}")
    columns = columns_of(verb)
    assert sorted(name for name in columns if f"| `{name}` |" not in explained) == []
    rows = set(re.findall(r"^\| `(\w+)` \|", explained, re.MULTILINE))
    assert rows == columns, "a column is explained that is not there"


def test_the_spec_of_an_option_says_its_type_in_words() -> None:
    assert HOOKS.cards.type_words(int | None) == "whole number or `none`"
    assert HOOKS.cards.type_words(tuple[str, ...]) == "words joined by `+`"


def test_an_example_that_needs_a_package_is_left_out_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*args: object, **options: object) -> None:
        raise tercet.MissingExtraError("The package x is not installed.", hint="Install it.")

    monkeypatch.setattr(tercet, "score", missing)
    assert HOOKS.metrics.example("bleu").startswith("!!! note\n    Not shown here: The package x is not installed.")


def test_signatures_of_all_pages_are_of_one_version() -> None:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        assert text == of_release(text), f"{page}: python -m tests.docs.rewrite {page}"
