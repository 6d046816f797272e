"""No option is taken in silence where it cannot matter: it is refused without what it needs, and taken with it."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.errors import InputError
from tercet.options import Options, needs_of, settings
from tercet.options.needs import Needs, said
from tests.options.test_options import groups

SAMPLE = pathlib.Path(tercet.__file__).parent / "sample"
HELD = [
    (owner, name)
    for owner in sorted(groups(), key=lambda owner: owner.__name__)
    for name in needs_of(owner)
    if name in owner.__dataclass_fields__
]
IDS = [f"{owner.__name__}-{name}" for owner, name in HELD]


def without(owner: type[Options], needs: Needs) -> dict[str, Any]:
    """Values of what must be given, and of others, beside which the option does nothing."""
    made: dict[str, Any] = {}
    for option in settings(owner):
        refused, wanted = needs.beside.get(option.name), needs.any_of.get(option.name)
        if option.default is dataclasses.MISSING:
            made[option.name] = next((c for c in option.choices if c not in (wanted or ())), "x")
        elif refused is not None and needs.any_of.keys() <= {option.name}:
            made[option.name] = refused[0] if refused else "x"
        elif wanted and option.default in wanted:  # what is usual will do
            made[option.name] = next(c for c in option.choices if c not in wanted)
    return made


def beside(owner: type[Options], needs: Needs) -> dict[str, Any]:
    """The same with the first thing that the option needs."""
    made = {o.name: (o.choices or ("x",))[0] for o in settings(owner) if o.default is dataclasses.MISSING}
    for name, wanted in list(needs.any_of.items())[:1]:
        choices = next(o.choices for o in settings(owner) if o.name == name)
        made[name] = (wanted or choices or ("x",))[0]
    return made


def test_all_verbs_are_here() -> None:
    owners = {owner.__name__ for owner, _ in HELD}
    assert {
        "ScoreOptions",
        "CompareOptions",
        "MetaOptions",
        "AgreementOptions",
        "PlanOptions",
        "ShownRanking",
    } <= owners
    assert {"RetrievalOptions", "LabelsOptions", "QeTrainOptions", "QeDecideOptions", "TuneOptions"} <= owners


@pytest.mark.parametrize(("owner", "name"), HELD, ids=IDS)
def test_an_option_is_refused_without_what_it_needs_and_taken_with_it(owner: type[Options], name: str) -> None:
    needs = needs_of(owner)[name]
    alone, fine = without(owner, needs), beside(owner, needs)
    usual: Any = owner.__dataclass_fields__[name].default
    owner(**alone)  # as usual in Python, it is not asked for
    owner(**fine)
    flag = next(o for o in settings(owner) if o.name == name).flags[-1].rpartition("/")[2]
    with said({owner: {name}}):  # as usual in a shell, it is
        with pytest.raises(InputError, match=rf"^{flag} does nothing with.*eave out {flag}\.$"):
            owner(**alone)
        owner(**fine)
    other = another(owner, name, usual)
    with pytest.raises(InputError, match=rf"^{name} does nothing with(?!.* --).*eave out {name}\.$"):  # no flags
        owner(**alone, **{name: other})
    assert getattr(owner(**fine, **{name: other}), name) == other


def another(owner: type[Options], name: str, usual: Any) -> Any:
    """A value that is allowed, and not the usual one."""
    option = next(o for o in settings(owner) if o.name == name)
    if option.choices and not option.several:
        return next(choice for choice in option.choices if choice != usual)
    if option.scalar is bool:
        return not usual
    if option.scalar in (int, float) and not option.several:
        return 0.3 if option.about.below is not None or option.about.most == 1 else (usual or 40) + 1
    return ["x"] if option.several else "x"


TEXTS, RANKED = f"-t {SAMPLE}/en-de.tsv -m chrf -m ter", f"-j {SAMPLE}/en-de.rankings.csv"
MARKED = f"-j {SAMPLE}/en-de.da.csv"
IDLE = {  # words of a shell that are the usual, or that the data leave nothing to do
    f"score {TEXTS} --samples 1000": "--samples does nothing without --ci or --paired",
    f"score {TEXTS} --unit segment": "--unit does nothing without --ci or --paired",
    f"score {TEXTS} --compat": "--compat does nothing without --ci or --paired",
    f"score {TEXTS} --ci --trials 10000": "--trials does nothing without --paired randomization",
    f"score {TEXTS} --paired randomization --samples 1000": "--samples does nothing with paired randomization",
    f"score {TEXTS} --paired t --seed 12345": "--seed does nothing with paired t",
    f"compare {TEXTS} --trials 10000": "--trials does nothing without --paired randomization",
    f"meta {TEXTS} {RANKED} --draws 1000": "--draws does nothing with the test williams",
    f"meta {TEXTS} {RANKED} --test overlap --draws 1000": "--draws does nothing with --test overlap",
    f"meta {TEXTS} {RANKED} --judged 1": "--judged does nothing without --level document",
    f"meta {TEXTS} {MARKED} --on-skip task": "--on-skip does nothing without rankings",
    f"meta {TEXTS} {RANKED} --level segment --interval none --samples 1000": "--samples does nothing with the interval",
    f"meta {TEXTS} {RANKED} --plot scatter": "--plot does nothing without a picture",
    f"meta {TEXTS} {RANKED} --test none --alpha .05": "--alpha does nothing with --test none",
    f"meta -t {SAMPLE}/en-de.tsv -m chrf {MARKED} --common": "--common does nothing with one metric",
    f"score {TEXTS} --digits 3 -f json": "--digits does nothing in json",
    f"score {TEXTS} -w 3 -o NOWHERE.csv": "--digits does nothing in csv",
    f"campaign create NOWHERE.db -t {SAMPLE}/en-de.tsv --feedback loud": "--feedback does nothing without checks",
    f"campaign create NOWHERE.db -t {SAMPLE}/en-de.tsv --prefilled NO": "--prefilled does nothing with ranking",
    f"rank {SAMPLE}/en-de.rankings.csv --counts": "--counts does nothing without --head-to-head",
    f"agreement {SAMPLE}/en-de.rankings.csv --seed 12345": "--seed does nothing without --ci",
    "plan --method da --ties 0.25": "--ties does nothing with da",
    f"plan {SAMPLE}/en-de.rankings.csv --gap 0.05": "--gap does nothing with judgements",
}


@pytest.mark.parametrize(("words", "sentence"), IDLE.items(), ids=[words.partition(" ")[0] for words in IDLE])
def test_a_shell_hears_of_words_that_do_nothing(words: str, sentence: str) -> None:
    done = click.testing.CliRunner().invoke(app, words.split())
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith(f"tercet: {sentence}"), done.stderr
    assert done.stdout == ""
    assert "eave out --" in done.stderr


TAKEN = [
    f"score {TEXTS} --ci --samples 1000 --seed 12345 --unit segment --compat",
    f"score {TEXTS} --paired randomization --trials 200",
    f"score {TEXTS} --table medical --samples 40".replace(" -m chrf -m ter", ""),
    f"score a={SAMPLE}/README.md a={SAMPLE}/README.md b={SAMPLE}/README.md b={SAMPLE}/README.md "
    f"-r {SAMPLE}/README.md -m chrf --paired randomization --trials 100 --samples 40",
    f"meta {TEXTS} {RANKED} --test perm-system --draws 100 --alpha .05",
]


@pytest.mark.parametrize("words", TAKEN, ids=range(len(TAKEN)))
def test_words_that_matter_are_taken(words: str) -> None:
    done = click.testing.CliRunner().invoke(app, words.split())
    assert done.exit_code == 0, done.output


def test_what_a_shell_said_is_forgotten_after_it() -> None:
    assert click.testing.CliRunner().invoke(app, f"score {TEXTS} --samples 1000".split()).exit_code == 2
    tercet.score({"A": ["a"]}, ["a"], metrics=["chrf"], samples=1000)
