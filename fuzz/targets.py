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
import random
import traceback
import types
import typing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from tests.human.build import Row, Task, build_assessments, build_rankings
from tests.kernels import hostile

import tercet
from fuzz import readers
from fuzz.inputs import Draw
from tercet import kernels, stats
from tercet.agreeing.base import Measure
from tercet.agreeing.gold import Comparing
from tercet.data import Batch, MetaLevel, MetricScores, References, Texts, total
from tercet.data.statistics import Statistics
from tercet.errors import TercetError
from tercet.metric_base import Metric
from tercet.options.groups import Resampling
from tercet.options.judging import RankedOutputs
from tercet.quality.features import Feature, Translations
from tercet.ranking.base import Ranker
from tercet.spec import Registry, Spec, options
from tercet.stats.agreement_sums import interval_alpha, of_rows
from tercet.stats.correlation import pack as grouped
from tercet.text import Tokenizer
from tercet.text.base import pack
from tercet.text.stemmers import LANGUAGES

Play = Callable[[Draw], int]  # gives how many inputs there were
THREADS = 3
BASES = 8  # calls of a kernel that are spoilt,
OTHERS = 20  # also by arguments of other calls
LONGEST_CALL = 0.05  # seconds of the cores, after which a call of a kernel is told to stop


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
    found |= {f"kernel/{kernel.name}": functools.partial(_play_kernel, kernel) for kernel in hostile.kernels()}
    found |= {f"statistic/{name}": functools.partial(_play_statistic, f) for name, f in _functions(stats, package)}
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
            spec = registry.make(name)
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


@functools.cache
def _attack() -> hostile.Attack:
    """Arguments of kernels by type, with an object of every class."""
    attack = hostile.Attack(0, silent=True, seconds=LONGEST_CALL)
    waiting = [kernel for kernel in hostile.kernels() if isinstance(kernel.call, type) or "Builder" in kernel.name]
    while waiting:
        kernel = next(k for k in waiting if attack.is_ready(k))
        waiting.remove(kernel)
        attack.base(kernel)
    return attack


@functools.cache
def _known() -> dict[str, list[Any]]:
    """What there was to call kernels with before the first play."""
    return {kind: [*objects] for kind, objects in _attack().make.known.items()}


@functools.cache
def _spoiling(kernel: hostile.Kernel, variant: int) -> tuple[list[Any], list[list[Any]]] | None:
    """Arguments that a kernel answers, and hostile ones for each place: it is dear, and done once."""
    attack = _attack()
    attack.make.chance = random.Random(f"{kernel.name}:{variant}")  # noqa: S311 -- to be had again
    attack.make.known = {kind: [*objects] for kind, objects in _known().items()}  # whatever was played before
    base = attack.base(kernel)
    if base is None:
        return None
    spoils = [list(attack.make.hostile(kind, base[i])) for i, kind in enumerate(kernel.kinds)]
    for kind, values in zip(kernel.kinds, spoils, strict=True):  # and what another call might have
        values += [attack.make.plausible(kind, attack.make.chance.choice([1, 2, 3])) for _ in range(OTHERS)]
    return base, spoils


def _play_kernel(kernel: hostile.Kernel, draw: Draw) -> int:
    attack, variant = _attack(), draw.randrange(BASES)
    changes = any(hasattr(kernels._native, kind.removesuffix(" | None")) for kind in kernel.kinds)
    made = (_spoiling.__wrapped__ if changes else _spoiling)(kernel, variant)  # objects remember what was done to them
    if made is None:
        return 0
    base, spoils = made
    calls = (4 if draw.small else 200) if base else 1  # without arguments there is one call
    for _ in range(calls):
        spoilt = list(base)
        for place in draw.sample(range(len(spoilt)), min(len(spoilt), draw.choice([1, 2, 2, 3, 3]))):
            spoilt[place] = draw.choice(spoils[place])
        attack.call(kernel, spoilt)
    return calls


def _functions(package: types.ModuleType, among: list[types.ModuleType]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions of a room, by module and name."""
    for module in among:
        if module.__name__.startswith(package.__name__ + "."):
            room = module.__name__.removeprefix(package.__name__ + ".")
            for name, f in vars(module).items():
                if inspect.isfunction(f) and f.__module__ == module.__name__ and not name.startswith("_"):
                    yield f"{room}.{name}", f


@functools.cache
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


@functools.cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except NameError:  # imported for types alone
        return {}


def _mean(sums: Any) -> Any:
    return sums[..., 0] / np.where(sums[..., -1] == 0, 1, sums[..., -1])


class Arguments:
    """Of one call of a statistic, by name and annotation: arrays fit together more often than not.

    Numbers are sound at first, then missing, giant or all the same, in the same shapes. What counts, points somewhere
    or is an option stays as it is.
    """

    def __init__(self, draw: Draw) -> None:
        self.draw, self.strange = draw, False
        self.n, self.k = draw.choice([0, 1, 2, 5, 9]), draw.choice([1, 2, 3])
        n, k = self.n, self.k
        self.shape: tuple[int, ...] = draw.choice([(n,), (n,), (k, n), (k, n), (n, k), (k, n, 2), (n, 2), ()])
        self.ints = draw.getrandbits(64)

    def array(self, *shape: int) -> Any:
        if self.strange:
            return self.draw.array(*shape)
        return np.array([self.draw.randrange(5) + self.draw.random() for _ in range(int(np.prod(shape)))]).reshape(
            shape
        )

    def chance(self, name: str) -> random.Random:
        """For what is the same again beside other values."""
        return random.Random(f"{self.ints}:{name}")  # noqa: S311 -- no secret

    def whole(self, below: int) -> Any:
        """As many as there are entries."""
        chance = self.chance("whole")
        return np.array([chance.randrange(max(1, below)) for _ in range(self.n)], np.int64)

    def rows(self) -> Any:
        return self.array(*self.shape[:-1], self.n, 2) if len(self.shape) == 2 else self.array(self.n, 2)

    def special(self, kind: str) -> Any:
        """Objects of ours, and functions."""
        made: dict[str, Callable[[], Any]] = {
            "Statistics": lambda: Statistics(("a", "b"), self.array(2, self.n, 2), _mean),
            "Sequence[AgreementSums]": lambda: [
                interval_alpha(self.whole(3), self.whole(4), self.array(self.n)),
                of_rows(self.whole(3), self.array(self.n, 2), _mean),
            ],
            "Packed": lambda: grouped("item", self.array(self.k, self.n), self.array(1, self.k, self.n)),
            "tuple[Ints, Ints, npt.NDArray[np.bool_]]": lambda: (self.whole(3), self.whole(3), self.whole(2) == 1),
            "Numbers": lambda: self.array(self.n),
            "tuple[Numbers, Numbers]": lambda: (self.array(self.n), self.array(self.n)),
            "npt.NDArray[np.bool_]": lambda: self.whole(2) == 1,
            "np.random.Generator": lambda: np.random.default_rng(3),
            "np.random.Generator | int": lambda: self.draw.choice([3, np.random.default_rng(3)]),
            "Mapping[str, Array]": lambda: {name: self.array(1, self.n, 2) for name in "abc"[: self.k + 1]},
            **dict.fromkeys(("Resampling", "Asked"), self.resampling),
            "Sequence[int]": lambda: [2, 3, self.n],
            "Callable[[Ints], Array]": lambda: lambda chosen: np.ones((2, 2)) * chosen.sum(),
            "Callable[[Array], float]": lambda: lambda scores: float(np.nansum(scores)),
        }
        return made[kind]() if kind in made else None

    def resampling(self) -> Resampling:
        """How often to draw, by either way."""
        ways = [Resampling(paired="bootstrap", samples=40), Resampling(paired="randomization", trials=40)]
        return self.chance("how").choice(ways)

    def value(self, name: str, kind: str, hint: Any) -> Any:
        """One argument."""
        made = self.special(kind)
        if made is not None:
            return made
        chance = self.chance(name)
        if ("Callable" in kind and "None" not in kind) or kind == "ScoreFunction":
            return _mean
        if kind in ("Ints", "npt.NDArray[np.integer]", "npt.NDArray[np.int64]"):
            return self.whole(chance.choice([2, self.n]))
        if kind.startswith("Sequence[float]"):
            return [0.5] * self.k
        if name == "rows" and chance.random() < 0.8:
            return self.rows()
        if name in ("sums", "p") and chance.random() < 0.8:  # columns of their own, or a square
            return self.array(self.k, {"sums": 4, "p": self.k}[name])
        if name == "metrics" and chance.random() < 0.8:
            return self.array(self.k, *self.shape)
        if "Array" in kind or "NDArray" in kind:
            return self.array(*(self.shape if chance.random() < 0.9 else (self.n,)))
        if kind == "int":
            most = {"threads": THREADS, "n_groups": 30, "units": 30}.get(name, 20)
            return chance.randrange(1, most + 1)
        if kind == "float":
            return chance.choice([0.05, 0.5, 0.9])
        if kind == "str":
            return {"baseline": "a", "kind": "pearson"}.get(name, "segments")
        if kind == "bool":
            return chance.random() < 0.5
        literals = [one for one in typing.get_args(hint) if one is not type(None)]
        return chance.choice(literals) if typing.get_origin(hint) is typing.Literal else None


def _play_statistic(function: Callable[..., Any], draw: Draw) -> int:
    """Calls with arguments by their annotations; what fits is counted."""
    return sum(_call_statistic(function, draw) for _ in range(4 if draw.small else 40))


def _call_statistic(function: Callable[..., Any], draw: Draw) -> int:
    """Calls that were answered, or refused on purpose: of sound numbers, and of strange ones in their places.

    Where sound numbers are neither, shapes do not fit. Where they are answered, strange ones have to be, too.
    """
    made, given = Arguments(draw), {}
    for name, parameter in _parameters(function).items():
        if parameter.default is parameter.empty or draw.random() < 0.4:
            given[name] = parameter
    calls = 0
    what = f"{function.__module__}.{function.__name__}"
    for made.strange in (False,) if what in DEMANDING else (False, True, True):
        with np.errstate(all="ignore"):
            arguments = {n: made.value(n, str(p.annotation), _hints(function).get(n)) for n, p in given.items()}
        several = [arguments.pop(n) for n, p in given.items() if p.kind is p.VAR_POSITIONAL]
        try:
            with np.errstate(all="ignore"):
                readers.consumed(function(*several * made.k, **arguments))
        except Exception as error:
            if made.strange and not _on_purpose(error):
                raise
            if not made.strange:
                return int(_on_purpose(error))
        else:
            ANSWERED[what] += 1
        calls += 1
    return calls


def _on_purpose(error: Exception) -> bool:
    """Whether somebody of ours, or a kernel, said that these arguments are none."""
    if isinstance(error, TercetError):
        return True
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, ValueError) and "tercet" in frames[-1].filename and "raise " in (frames[-1].line or "")


ANSWERED: Counter[str] = Counter()  # calls of statistics, by name
DEMANDING = {  # what sound numbers alone are given to, since whoever calls it sees to that
    "tercet.stats.spreads.density": "points are finite",
    "tercet.stats.spreads.histogram": "edges rise",
    "tercet.stats.decision.decide_by_spread": "all three arrays have one dimension",
}
