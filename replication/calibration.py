"""Do tests reject as often as they say, and do intervals cover? Simulations over every verb that tests something.

python -m replication.calibration            all designs, as Markdown; status 1 if a default does not hold
python -m replication.calibration --record   write down what came out, design by design
python -m replication.calibration --page     put what was written down into docs/guide/significance.md
python -m replication.calibration --quick    fewer and smaller data sets, as the tests run them
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import itertools
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np

from replication import calibration_metrics as metrics
from replication import calibration_people as people
from replication import calibration_systems as systems
from replication.calibration_figures import LEVELS, Figure, failures, markdown, pooled, recorded, write
from replication.calibration_metrics import ASSESSED, OF_DOCUMENTS, OF_SYSTEMS, RANKED, WITH_TEXTS, Question
from replication.rows import DATA, ROOT
from tercet.options.groups import worker_threads

SEED = 2026
PAGE = ROOT / "docs" / "guide" / "significance.md"
SPECS = ("bleu", "chrf", "ter", "eed")
VERBS = ("score", "compare", "meta", "rank", "agreement")

QUESTIONS = (
    Question(ASSESSED, "pearson", ("perm-item", "boot-item", "perm-both", "boot-both", "williams"), ("items", "both")),
    Question(ASSESSED, "kendall(variant=b,group=item)", ("perm-item", "boot-item", "perm-both"), ("items",)),
    Question(ASSESSED, "acc-eq", ("perm-item", "boot-item", "perm-both"), ("items",)),
    Question(
        ASSESSED,
        "kendall(variant=darr)",
        ("perm-item", "boot-item", "judgements", "overlap"),
        ("items", "judgements"),
        gold="darr",
    ),
    Question(
        RANKED,
        "kendall(variant=wmt14)",
        ("perm-item", "boot-item", "judgements", "overlap"),
        ("items", "judgements"),
    ),
)
DOCUMENTS = Question(OF_DOCUMENTS, "pearson", ("perm-item", "boot-item", "perm-both"), ("items",), level="document")
PAIR_ACCURACY = Question(RANKED, "pair-accuracy", ("perm-item", "boot-item", "judgements"), ("items", "judgements"))
HYBRIDS = Question(
    OF_SYSTEMS, "pearson", ("hybrids",), ("fisher", "systems"), level="system", samples=10_000, covers=False
)
SLOW = {  # with their sizes and numbers of data sets
    "pdp": (Question(ASSESSED, "pdp", ("perm-item", "boot-item"), ("items",)), {200: 150, 1000: 60}),
    "spa": (
        Question(ASSESSED, "spa(draws=100)", ("perm-item",), ("items",), level="system", samples=40, covers=False),
        {200: 200, 1000: 60},
    ),
    "interval of spa": (
        Question(ASSESSED, "spa(draws=100)", (), ("items",), level="system", samples=200, of_size=400),
        {200: 400},
    ),
    "segcor": (
        Question(WITH_TEXTS, "segcor", ("perm-item", "boot-item", "perm-both"), ("items",)),
        {200: 150, 1000: 40},
    ),
}
RANKERS = {
    "trueskill": ("segment", "task", "pair"),
    "expected-wins": ("segment", "task", "pair"),
    "bradley-terry": ("segment", "pair"),
    "others": ("segment", "pair"),
    "hopkins-may": ("segment",),
    "da": ("segment",),
    "esa": ("segment",),
    "mqm": ("segment",),
}
SLOW_RANKERS = {"trueskill": {200: 200, 1000: 60, 3000: 20}, "hopkins-may": {200: 100, 1000: 20, 3000: 10}}
STRICT = {200: 300, 1000: 200, 3000: 100}  # campaigns ranked at .01, and those of slow rankers
SLOW_STRICT = {"trueskill": {200: 100, 1000: 60}, "hopkins-may": {200: 60, 1000: 20}}
KAPPAS = (
    {"kappa": "cohen"},
    {"kappa": "fleiss"},
    {"kappa": "cohen", "weighting": "quadratic"},
    {"kappa": "fleiss", "weighting": "linear"},
)
QUICK_RANKERS = {"expected-wins": 100}
QUICK_ALIKE = {"expected-wins": 100, "trueskill": 40, "da": 60, "mqm": 60, "esa": 200, "bradley-terry": 150}


@dataclasses.dataclass(frozen=True)
class Design:
    """A simulation: how many data sets, and how many where it must be quick (none: it is not run there)."""

    name: str
    figures: Callable[[int, np.random.Generator, bool], list[Figure]]
    runs: int
    quick: int = 0
    defaults: bool = False  # no options and recipes, even if there is time

    def run(self, quick: bool = False, times: float = 1.0) -> list[Figure]:
        """The figures, if it must be quick those of defaults alone; the same whatever else is run before."""
        rng = np.random.default_rng([SEED, zlib.crc32(self.name.encode())])
        return self.figures(self.quick if quick else round(self.runs * times), rng, quick or self.defaults)


def designs() -> list[Design]:
    """All of them, verb by verb."""
    return [*_of_score(), *_of_compare(), *_of_meta(), *_of_rank(), *_of_agreement()]


def _of_score() -> list[Design]:
    null, planted, part = systems.null, systems.planted, functools.partial
    sizes = {200: 1000, 1000: 600, 3000: 300}
    return [
        *(
            Design(f"score {spec} {n}", part(null, spec=spec, n=n), runs, 500 if spec == "ter" and n == 200 else 0)
            for (n, runs), spec in itertools.product(sizes.items(), SPECS)
        ),
        *(Design(f"score {spec} {n}", part(null, spec=spec, n=n), 2000) for spec in ("bleu", "chrf") for n in (20, 50)),
        *(
            Design(f"score few {differ}", part(systems.few_differences, spec="eed", n=1000, differ=differ), 400)
            for differ in (5, 20)
        ),
        *(
            Design(
                f"score segments {spec} {n}",
                part(systems.null_of_segments, spec=spec, n=n),
                runs,
                500 if spec == "ter" and n == 200 else 0,
            )
            for (n, runs), spec in itertools.product({200: 1000, 1000: 500, 3000: 300}.items(), SPECS[:3])
        ),
        *(
            Design(f"score documents {n}", part(systems.documents, spec="bleu", n=n), 1000, 500 if n == 200 else 0)
            for n in (200, 1000, 3000)
        ),
        *(
            Design(f"score runs {n}", part(systems.several_runs, spec="bleu", n=n), runs, 400 if n == 200 else 0)
            for n, runs in ((200, 1000), (1000, 300))
        ),
        Design("score corrections", part(systems.corrections, spec="bleu", n=200), 500, 200),
        *(
            Design(f"score power {spec} {n}", part(planted, spec=spec, n=n), runs)
            for spec, (n, runs) in itertools.product(SPECS[:3], {200: 150, 1000: 150, 3000: 40}.items())
        ),
    ]


def _of_compare() -> list[Design]:
    part = functools.partial
    return [
        *(
            Design(
                f"compare {spec} {n}",
                part(systems.comparison, spec=spec, n=n),
                runs,
                500 if spec == "chrf" and n == 200 else 0,
            )
            for (n, runs), spec in itertools.product({200: 1500, 1000: 600, 3000: 300}.items(), SPECS[:3])
        ),
        *(
            Design(
                f"compare parts {spec} {n}",
                part(systems.parts, spec=spec, n=n),
                runs,
                40 if spec == "bleu" and n == 200 else 0,
            )
            for (n, runs), spec in itertools.product({200: 150, 1000: 50}.items(), ("bleu", "chrf"))
        ),
        Design("compare parts bleu 3000", part(systems.parts, spec="bleu", n=3000), 20),
        *(
            Design(
                f"compare findings {n}",
                part(systems.findings, systems=systems.TWO, n=n),
                runs,
                40 if n == 200 else 0,
            )
            for n, runs in {200: 400, 1000: 100, 3000: 40}.items()
        ),
        *(
            Design(
                f"compare randomisation {spec} {n}",
                part(systems.comparison, spec=spec, n=n, paired="randomization"),
                runs,
            )
            for (n, runs), spec in itertools.product({200: 600, 1000: 300, 3000: 200}.items(), SPECS[:3])
        ),
        Design("compare findings of five 200", part(systems.findings, systems=systems.FIVE, n=200), 100),
        *(Design(f"compare power findings {n}", part(systems.findings_missed, n=n), 50) for n in (200, 1000)),
        *(
            Design(f"compare clusters {n}", part(systems.clusters, spec="bleu", n=n), runs, 30 if n == 200 else 0)
            for n, runs in {200: 400, 1000: 150, 3000: 100}.items()
        ),
        *(
            Design(f"compare documents {n}", part(systems.comparison, spec="bleu", n=n, unit="document"), runs)
            for n, runs in {200: 600, 1000: 300}.items()
        ),
        *(
            Design(f"compare power {spec} {n}", part(systems.differing, spec=spec, n=n), 50 if n > 1000 else 100)
            for spec, n in itertools.product(SPECS[:3], (200, 1000, 3000))
        ),
    ]


def _of_meta() -> list[Design]:
    part = functools.partial
    quick = {"pearson": 250, "acc-eq": 250, "kendall(variant=darr)": 250}
    quick |= {"kendall(variant=wmt14)": 150, "kendall(variant=b,group=item)": 150}
    return [
        *(
            Design(
                f"meta {question.measure} {n}",
                part(metrics.null, question=question, n=n),
                runs,
                quick.get(question.measure, 0) if n == 200 else 0,
                defaults=n > 200,
            )
            for question, (n, runs) in itertools.product(QUESTIONS, {200: 600, 1000: 600, 3000: 300}.items())
        ),
        *(
            Design(
                f"meta {question.measure} others 1000", part(metrics.null, question=question, n=1000, others=True), 100
            )
            for question in QUESTIONS[1:3]  # the others take minutes
        ),
        *(
            Design(
                f"meta {name} {n}",
                part(metrics.null, question=question, n=n),
                runs,
                defaults=n > 200 and name != "spa",  # whose usual test is of systems
            )
            for name, (question, sizes) in SLOW.items()
            for n, runs in sizes.items()
        ),
        *(
            Design(f"meta pair-accuracy {n}", part(metrics.null, question=PAIR_ACCURACY, n=n), runs, defaults=n > 200)
            for n, runs in {200: 300, 1000: 300, 3000: 100}.items()
        ),
        *(
            Design(f"meta documents {n}", part(metrics.null, question=DOCUMENTS, n=n), 600, defaults=n < 100)
            for n in (30, 100)
        ),
        Design("meta hybrids 200", part(metrics.null, question=HYBRIDS, n=200), 300),
        *(
            Design(f"meta systems {n}", part(metrics.known_correlations, systems=n), 1000, 300 if n == 12 else 0)
            for n in (5, 8, 12, 20, 30)
        ),
        *(
            Design(f"meta outliers {n}", part(metrics.known_correlations, systems=n, outliers=far), 1000)
            for n, far in {8: 1, 12: 1, 20: 2, 30: 3}.items()
        ),
        *(Design(f"meta judged {n}", part(metrics.judged, n=n), 500, 200 if n == 200 else 0) for n in (200, 1000)),
        *(
            Design(f"meta corrections {n}", part(metrics.several, systems=12, metrics=n), 500, 400 if n == 2 else 0)
            for n in (2, 5, 10)
        ),
        *(
            Design(f"meta systems {measure}", part(metrics.known_correlations, systems=12, measure=measure), 500, 300)
            for measure in metrics.TRUTH
            if measure != "pearson"
        ),
        *(
            Design(
                f"meta power {question.measure} {n}",
                part(metrics.unlike, question=question, n=n),
                50 if n > 1000 else 100,
                defaults=n > 1000,
            )
            for question, n in itertools.product(QUESTIONS, (200, 1000, 3000))
        ),
        Design("meta power systems", part(metrics.known_correlations, systems=12, r=(0.95, 0.85)), 300),
    ]


def _of_rank() -> list[Design]:
    part = functools.partial
    made = []
    for (method, units), n in itertools.product(RANKERS.items(), (200, 1000, 3000)):
        ranker = people.RankDesign(method, units, n)
        runs = SLOW_RANKERS.get(method, {200: 500, 1000: 100, 3000: 60}).get(n, 0)
        if runs:
            more = n > 200  # defaults alone
            made.append(
                Design(f"rank {method} {n}", ranker.ranges, runs, 0 if more else QUICK_RANKERS.get(method, 0), more)
            )
            alike = 0 if more else QUICK_ALIKE.get(method, 0)
            made.append(Design(f"rank {method} alike {n}", ranker.alike, runs, alike, more))
        if strict := SLOW_STRICT.get(method, STRICT).get(n, 0):
            surer = dataclasses.replace(ranker, level=LEVELS[1])
            made.append(Design(f"rank {method} at .01 {n}", surer.ranges, strict, defaults=True))
            made.append(Design(f"rank {method} alike at .01 {n}", surer.alike, strict, defaults=True))
    return [
        *made,
        *(
            Design(f"rank head to head {n}", part(people.two_alike, n=n), 500, 500 if n == 200 else 0)
            for n in (200, 1000, 3000)
        ),
    ]


def _of_agreement() -> list[Design]:
    part = functools.partial
    return [
        Design("agreement judges 200", part(people.judges, n=200), 500, 500),
        *(Design(f"agreement judges {n}", part(people.judges, n=n), 200) for n in (1000, 3000)),
        *(
            Design(f"agreement intervals {n}", part(people.agreed, n=n), runs, 100 if n == 200 else 0)
            for n, runs in {200: 1000, 1000: 500, 3000: 200}.items()
        ),
        *(
            Design(f"agreement {' '.join(kappa.values())} {n}", part(people.agreed, n=n, kappa=kappa), runs)
            for kappa, (n, runs) in itertools.product(KAPPAS, {200: 500, 1000: 200}.items())
        ),
        *(
            Design(f"agreement scores {n}", part(people.agreed_scores, n=n), runs)
            for n, runs in {200: 2000, 1000: 800, 3000: 300}.items()
        ),
        Design("agreement power", part(people.judges, n=200, lower=(1.0, 15.0)), 200),
    ]


def run(
    chosen: Sequence[Design], *, quick: bool = False, times: float = 1.0, jobs: int = 1
) -> Iterator[tuple[str, list[Figure]]]:
    """Name and figures of each design, as soon as they are there."""
    with ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(design.run, quick, times): design.name for design in chosen}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def tables(figures: Sequence[Figure]) -> dict[str, str]:
    """By name: in short, level and coverage of each verb in full, and power in full."""
    promised = [f for f in figures if f.quantity != "power"]
    parts = {"in short": pooled(promised), **{verb: [f for f in promised if f.verb == verb] for verb in VERBS}}
    parts["power"] = [f for f in figures if f.quantity == "power"]
    return {name: markdown(part) for name, part in parts.items() if part}


def rewritten(page: str, figures: Sequence[Figure]) -> str:
    """A page with the tables between its marks `<!-- table NAME -->` and `<!-- end -->`."""
    for name, table in tables(figures).items():
        before, mark, rest = page.partition(f"<!-- table {name} -->\n")
        if mark:
            page = f"{before}{mark}\n{table}\n\n<!-- end -->{rest.partition('<!-- end -->')[2]}"
    return page


def main() -> None:
    """Simulate, print, complain."""
    parser = argparse.ArgumentParser(prog="python -m replication.calibration", description=__doc__)
    parser.add_argument("designs", nargs="*", help="beginnings of names of designs, in place of all")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller data sets")
    parser.add_argument("--record", action="store_true", help="write down what came out")
    parser.add_argument("--jobs", type=int, default=worker_threads(), help="designs at once; all cores if not said")
    parser.add_argument("--page", action="store_true", help="only put what is written down into the page")
    parser.add_argument("--times", type=float, default=1.0, help="so many times the usual number of data sets")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("The calibration needs ../shared/data beside the project.")
    if options.page:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(rewritten(text, [f for made in recorded().values() for f in made]), encoding="utf-8")
        return
    begins = tuple(options.designs) or ("",)
    chosen = [d for d in designs() if d.name.startswith(begins) and (d.quick if options.quick else d.runs)]
    before = {} if options.quick else recorded()
    now: dict[str, list[Figure]] = {}
    for name, figures in run(chosen, quick=options.quick, times=options.times, jobs=options.jobs):
        now[name] = figures
        print(f"{len(now)} of {len(chosen)}: {name}", file=sys.stderr, flush=True)
        if options.record:  # one by one, as they take long; those that are not run stay as they were
            every = {**before, **now}
            write({design.name: every[design.name] for design in designs() if design.name in every})
    found = [figure for design in chosen for figure in now[design.name]]
    print("\n\n".join(f"{name}\n\n{table}" for name, table in tables(found).items()))
    if wrong := failures(found):
        sys.exit("\n".join(["Defaults that do not hold:", *wrong]))


if __name__ == "__main__":
    main()
