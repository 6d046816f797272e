"""What there is to be fuzzed, found by walking over the package: what is registered later is there without being told.

    metric/ tokenizer/ ranker/ measure/ gold/ ...   every entry of every `Registry`, with any options
    stemmer/    every language                      kernel/      every function, class and method that is compiled
    statistic/  every function of `tercet.stats`    reader/      every format, and every function that takes a `path`

A registry of a new kind has its specs made and printed; `PLAYS` says what more is done with those of a kind.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import itertools
import pkgutil
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from tests.human.build import Row, Task, build_assessments, build_rankings
from tests.kernels import hostile

import tercet
from fuzz import readers
from fuzz.inputs import THREADS, Draw
from fuzz.kernel_calls import play_kernel
from fuzz.statistic_calls import play_statistic
from tercet import kernels, stats
from tercet.agreeing.base import Measure
from tercet.agreeing.gold import Comparing
from tercet.data import Batch, MetaLevel, MetricScores, References, Texts, total
from tercet.errors import TercetError
from tercet.metric_base import Metric
from tercet.options.judging import RankedOutputs
from tercet.quality.features import Feature, Translations
from tercet.ranking.base import Ranker
from tercet.spec import Registry, Spec, options, read, write
from tercet.text import Tokenizer
from tercet.text.base import pack
from tercet.text.stemmers import LANGUAGES

Play = Callable[[Draw], int]  # gives how many inputs there were


class DependsError(Exception):
    """A result depends on what it must not depend on."""


def modules() -> list[types.ModuleType]:
    """Every module of the package that can be imported here."""
    names = [m.name for m in pkgutil.walk_packages(tercet.__path__, "tercet.") if "__main__" not in m.name]
    loaded = []
    for name in names:
        try:
            loaded.append(importlib.import_module(name))
        except ImportError:  # of an extra that is not installed
            continue
    return loaded


def every() -> dict[str, Play]:
    """All targets by name."""
    package = modules()
    registries = {id(r): r for m in package for r in vars(m).values() if isinstance(r, Registry)}.values()
    names = sorted({name for r in registries for name in (*r.working(), *r.aliases)} | set(LANGUAGES))
    found: dict[str, Play] = {}
    for registry in registries:
        for name in (*registry.working(), *registry.aliases):
            found[f"{registry.kind}/{name}"] = functools.partial(_play_spec, registry, name, names)
    found |= {f"stemmer/{language}": functools.partial(_play_stemmer, language) for language in LANGUAGES}
    found |= {f"kernel/{kernel.name}": functools.partial(play_kernel, kernel) for kernel in hostile.kernels()}
    found |= {f"statistic/{name}": functools.partial(play_statistic, f) for name, f in _functions(stats, package)}
    files = readers.readers(_functions(tercet, package))
    found |= {f"reader/{name}": functools.partial(readers.play_reader, read) for name, read in files}
    return found


def same(one: Any, other: Any, on: str) -> None:
    """Both are equal to the bit; NaN where NaN is."""
    if not np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind == "f"):
        raise DependsError(f"the result depends on {on}:\n{one}\n{other}")


def drawn_spec(registry: Registry[Any], name: str, draw: Draw) -> Spec | None:
    """The spec with some options changed, or None where all of several attempts were refused."""
    for attempt in range(12):
        try:
            spec = _plain_spec(registry, name, draw)
            known = options(type(spec))
            fields = {field.name: field.metadata for field in dataclasses.fields(spec)}
            chosen = draw.sample(list(known), min(len(known), draw.choice([0, 1, 1, 2, 3]) if attempt < 10 else 0))
            files, runs = type(spec).files, {o for o in known if fields[o].get("runs")}
            values = {o: draw.value(known[o], o, file=o in files, runs=o in runs) for o in chosen}
            for option in files:  # what cannot be left out is a file that is there
                if draw.random() < 0.4 and draw.has_sample(option):
                    values.setdefault(option, draw.value(known[option], option, file=True))
            return typing.cast(Spec, dataclasses.replace(spec, **values))
        except TercetError:
            continue
    return None


def _plain_spec(registry: Registry[Any], name: str, draw: Draw) -> Any:
    """The spec as it is, with files of the samples where it cannot be without."""
    owner = registry.load(read(registry.aliases.get(name, name))[0])
    files = {option: str(draw.file(option, sound=0.9)) for option in owner.files if draw.has_sample(option)}
    try:
        return registry.make(name)
    except TercetError:
        return registry.make(write(name, files))


def _play_spec(registry: Registry[Any], name: str, names: list[str], draw: Draw) -> int:
    draw.names, draw.kind = names, name
    spec = drawn_spec(registry, name, draw)
    if spec is None:
        return 0
    same(str(registry.make(str(spec))), str(spec), "being printed and read")
    for kind, play in PLAYS.items():
        if isinstance(spec, kind):
            return play(spec, draw)
    return 1


def _play_metric(metric: Metric, draw: Draw) -> int:
    return draw.growing(lambda: _score_segments(metric, draw))


def _score_segments(metric: Metric, draw: Draw) -> int:
    hyps, refs, sources = draw.segments()
    given = References.of(refs)
    learnt = metric.learn([given], 1) if metric.learns else None

    def rows(order: list[int], threads: int = 1) -> Any:
        return metric.statistics(
            Batch(
                Texts.of([hyps[i] for i in order]),
                References.of([refs[i] for i in order]) if "references" in metric.needs else None,
                Texts.of([sources[i] for i in order]) if "sources" in metric.needs else None,
                learnt,
                threads,
            )
        )

    first, other = list(range(len(hyps))), draw.order(len(hyps))
    alone = rows(first)
    same(rows(first, THREADS), alone, "threads")
    same(rows(other), alone[other], "the order of segments")
    for one in other[:2]:
        same(rows([one])[0], alone[one], "what was scored before")
    metric.score(alone)
    metric.score(total(alone))
    if not draw.many and draw.random() < 0.2:
        metric.explain(hyps[0], refs[0], sources[0], learnt=learnt)
    return len(hyps)


def _play_tokenizer(tokenizer: Tokenizer, draw: Draw) -> int:
    return draw.growing(lambda: _split_texts(tokenizer, draw))


def _split_texts(tokenizer: Tokenizer, draw: Draw) -> int:
    texts = draw.texts()

    def tokens(order: list[int], threads: int = 1) -> list[list[str]]:
        data, ends, rows = tokenizer.tokenize(pack([texts[i] for i in order]), threads)
        words = kernels.unpack((data, ends))
        return [words[a:b] for a, b in itertools.pairwise(rows)]

    alone, other = tokens(list(range(len(texts)))), draw.order(len(texts))
    same(str(tokens(list(range(len(texts))), THREADS)), str(alone), "threads")
    same(str(tokens(other)), str([alone[i] for i in other]), "the order of segments")
    return len(texts)


def _play_stemmer(language: str, draw: Draw) -> int:
    return draw.growing(lambda: _stem_words(language, draw))


def _stem_words(language: str, draw: Draw) -> int:
    words = [word for text in draw.texts() for word in text.split()] or [""]
    alone = kernels.unpack(kernels.stem(pack(words), language, 1))
    same(str(kernels.unpack(kernels.stem(pack(words), language, THREADS))), str(alone), "threads")
    same(str(kernels.unpack(kernels.stem(pack(words[::-1]), language, 1))), str(alone[::-1]), "the order of words")
    return len(set(words))


def drawn_judgements(draw: Draw, *, ranked: bool) -> Any:
    """Rankings or scores of some systems by some judges, with ties, gaps and repeats."""
    systems = [f"s{i}" for i in range(draw.choice([1, 2, 3, 6]))] + draw.choice([[], ["ref"], ["human-A"]])
    n = draw.choice([1, 2, 10, 40])
    judges = ["j", "k", "", draw.text().split(" ")[0]]
    if ranked:
        tasks = [
            Task(draw.choice(judges), str(draw.randrange(5)), [(s, draw.choice([1, 1, 2, 3, 5, -1])) for s in shown])
            for _ in range(n)
            for shown in [draw.sample(systems, draw.randrange(len(systems) + 1))]
        ]
        return build_rankings(tasks, systems)
    scores = [float(draw.choice([0, 50, 50.5, 99, 100, float("nan")])) for _ in range(n)]
    rows = [Row(draw.choice(judges) or "j", draw.choice(systems), str(draw.randrange(5)), score) for score in scores]
    return build_assessments(rows)


def _play_ranker(ranker: Ranker, draw: Draw) -> int:
    data = drawn_judgements(
        draw, ranked=draw.random() < 0.9 if ranker.takes.__name__ == "Pairs" else draw.random() < 0.1
    )
    more: dict[str, Any] = {
        "samples": draw.choice([1, 40]),
        "seed": draw.randrange(9),
        "confidence": draw.choice([0.5, 0.95]),
    }
    one, other = (tercet.rank(data, method=ranker, threads=threads, **more) for threads in (1, THREADS))
    same(str(one.as_records()), str(other.as_records()), "threads")
    return 1


def _play_measure(measure: Measure, draw: Draw) -> int:
    n, level = draw.choice([1, 2, 3, 7]), draw.choice(typing.get_args(MetaLevel))
    systems = tuple(f"s{i}" for i in range(n))
    items = ("",) if level == "system" else tuple(str(i) for i in range(draw.choice([1, 2, 5, 9])))
    names = ["HUMAN", "m1", "m2"]
    scores = [
        MetricScores(name, "", level, systems, items, draw.array(n, len(items)), draw.random() < 0.7) for name in names
    ]
    from tercet.options.agreeing import Interval, Test

    more: dict[str, Any] = {"level": level, "measures": measure}
    more |= {"interval": draw.choice(["auto", *typing.get_args(Interval)])}
    more |= {"test": draw.choice(["auto", *typing.get_args(Test)]), "common": draw.random() < 0.2}
    # an option that does nothing is refused, and nothing is tried then
    more |= {"samples": 40} if more["interval"] not in ("auto", "none", "fisher") else {}
    more |= {"draws": draw.choice([None, 20, 50])} if more["test"].startswith(("perm", "boot", "judge")) else {}
    if draw.random() < 0.4:
        data = drawn_judgements(draw, ranked=draw.random() < 0.5)
        more |= {"judgements": data, "gold": draw.choice([None, None, "pairs", "darr(least=5)", "da", "expected-wins"])}
        scores = scores[1:]
    one, other = (tercet.meta(scores=scores, threads=threads, **more) for threads in (1, THREADS))
    same(str(one.as_records()), str(other.as_records()), "threads")
    return 1


def _play_feature(feature: Feature, draw: Draw) -> int:
    return draw.growing(lambda: _describe_segments(feature, draw))


def _describe_segments(feature: Feature, draw: Draw) -> int:
    hyps, _, sources = draw.segments()
    others = {"other": hyps[::-1] if draw.many else [draw.near(h) for h in hyps]}

    def values(order: list[int], threads: int = 1) -> Any:
        sides = [[texts[i] for i in order] for texts in (sources, hyps, *others.values())]
        source, target, *rest = map(Texts.of, sides)
        pairs = Translations(source, target, "none", False, dict(zip(others, rest, strict=True)), threads)
        return feature.values(pairs)

    first, other = list(range(len(hyps))), draw.order(len(hyps))
    alone = values(first)
    same(values(first, THREADS), alone, "threads")
    same(values(other), alone[other], "the order of segments")
    return len(hyps)


def _play_gold(gold: Comparing, draw: Draw) -> int:
    given = drawn_judgements(draw, ranked=draw.random() < 0.5)
    gold.pairs(given, RankedOutputs(on_skip=draw.choice(["task", "pair"]), references=draw.random() < 0.5))
    return 1


PLAYS: dict[type, Callable[[Any, Draw], int]] = {
    Metric: _play_metric,
    Tokenizer: _play_tokenizer,
    Ranker: _play_ranker,
    Measure: _play_measure,
    Comparing: _play_gold,
    Feature: _play_feature,
}


def _functions(package: types.ModuleType, among: list[types.ModuleType]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions of a room, by module and name."""
    for module in among:
        if module.__name__.startswith(package.__name__ + "."):
            room = module.__name__.removeprefix(package.__name__ + ".")
            for name, f in vars(module).items():
                if inspect.isfunction(f) and f.__module__ == module.__name__ and not name.startswith("_"):
                    yield f"{room}.{name}", f
