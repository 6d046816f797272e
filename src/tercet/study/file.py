"""The study file: what it may hold, checked once when it is read.

    title = "..."                       layout = "wmt15"
    [metrics]                           name = "spec", or { spec = "...", levels = ["segment"] }
    [[direction]]                       pair, testset, judgements, scores, human, lower, names, without, formats
    [system] [document] [segment]       measure, gold, secondary, interval, test
    [average]                           exclude = ["en-de"]
    [groups]                            name = ["de-en", ...]; one table a group
    [sampling]                          samples, draws, seed, alpha, correction, unit, on_skip, references, judged

In a spec, {source} and {target} are the languages of the direction: "wer(language={target})". Paths are relative to
the file. An unknown key is an error: a misspelt option would be a silent default.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import pathlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from tercet.data import MetaLevel
from tercet.errors import InputError, TercetError
from tercet.formats import languages
from tercet.formats.lines import whole
from tercet.meta import MEASURES, Measure
from tercet.meta import gold as golds
from tercet.meta.evaluate import Interval, require_level
from tercet.meta.evaluation import require_gold, require_share
from tercet.meta.gold import Comparing
from tercet.meta.significance import Correction, Test
from tercet.metric import Metric
from tercet.metrics import METRICS
from tercet.ranking import Ranker
from tercet.ranking.base import require_between, require_whole

Layout = Literal["wmt14", "wmt15", "wmt19"]
LEVELS: tuple[MetaLevel, ...] = get_args(MetaLevel)


@dataclasses.dataclass(frozen=True)
class Direction:
    """One language pair: its texts or scores, and its judgements, people's scores or both."""

    pair: str
    testset: pathlib.Path | None = None
    judgements: pathlib.Path | None = None
    scores: tuple[pathlib.Path, ...] = ()
    human: str | None = None  # a file, or the name among the scores
    lower: tuple[str, ...] = ()
    names: Mapping[str, str] = dataclasses.field(default_factory=dict)
    without: tuple[str, ...] | Mapping[MetaLevel, tuple[str, ...]] = ()  # of every level, or by level
    testset_format: str | None = None
    judgements_format: str | None = None
    scores_format: str | None = None

    def left_out(self, level: MetaLevel | None = None) -> tuple[str, ...]:
        """The systems to leave out of a level, or of any."""
        if not isinstance(self.without, Mapping):
            return self.without
        if level is not None:
            return self.without.get(level, ())
        return tuple(dict.fromkeys(s for own in self.without.values() for s in own))


@dataclasses.dataclass(frozen=True)
class Entrant:
    """A metric of the study: its spec, in which languages may be left open, and the levels that it takes part in."""

    spec: str
    levels: tuple[MetaLevel, ...]

    def metric(self, pair: str) -> Metric:
        """The metric for a language pair."""
        source, _, target = pair.partition("-")
        return METRICS.make(self.spec.replace("{source}", source).replace("{target}", target))


@dataclasses.dataclass(frozen=True)
class LevelPlan:
    """What is asked of a level: the measure of the table, others beside it, and how sure."""

    measure: Measure
    secondary: tuple[Measure, ...] = ()
    gold: Ranker | Comparing | None = None
    secondary_gold: Ranker | None = None  # "Pre-TrueSkill" in WMT15: the measure with another gold
    interval: Interval = "auto"
    test: Test = "auto"


@dataclasses.dataclass(frozen=True)
class Study:
    """A metrics task."""

    file: pathlib.Path
    text: str
    title: str
    layout: Layout
    metrics: Mapping[str, Entrant]
    directions: tuple[Direction, ...]
    levels: Mapping[MetaLevel, LevelPlan]
    groups: Mapping[str, tuple[str, ...]]
    exclude: tuple[str, ...] = ()
    samples: int = 1000
    draws: int | None = None
    seed: int = 12345
    alpha: float = 0.05
    correction: Correction = "none"
    unit: Literal["pair", "task", "segment"] | None = None
    on_skip: Literal["task", "pair"] = "task"
    references: bool = False
    judged: float = 1.0

    def metrics_of(self, pair: str, level: MetaLevel | None = None) -> dict[str, Metric]:
        """The metrics of a direction, of one level or of any."""
        return {name: m.metric(pair) for name, m in self.metrics.items() if level is None or level in m.levels}


def read_study(path: str | pathlib.Path) -> Study:
    """The study in a TOML file."""
    file = pathlib.Path(path)
    text = whole(file)
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file} is no TOML: {error}.", hint="See the guide on studies for an example.") from None
    reader = _Reader(file)
    reader.known(given, ("title", "layout", "metrics", "direction", *LEVELS, "average", "groups", "sampling"), "")
    directions = tuple(reader.direction(i, d) for i, d in enumerate(reader.several(given, "direction")))
    pairs = [d.pair for d in directions]
    if not pairs:
        raise InputError(f"{file} names no direction.", hint='Add [[direction]] with pair = "de-en" and its files.')
    if len(set(pairs)) < len(pairs):
        raise InputError(f"{file} has a direction twice.", hint=f"There are {', '.join(pairs)}.")
    sampling = reader.table(given, "sampling")
    reader.known(sampling, _SAMPLING, "[sampling]")
    reader.typed(sampling, _SAMPLING, "[sampling]")
    reader.sampling(sampling)
    average = reader.table(given, "average")
    reader.known(average, ("exclude",), "[average]")
    groups = {
        name: reader.pairs(value, pairs, f"[groups] {name}") for name, value in reader.table(given, "groups").items()
    }
    for name, members in groups.items():
        if not members:
            raise InputError(f"{file}: [groups] {name} has no direction.", hint="Name some, or leave the group out.")
    metrics = {name: reader.entrant(name, entry, pairs) for name, entry in reader.table(given, "metrics").items()}
    if not metrics and not any(d.scores for d in directions):
        raise InputError(
            f"{file} names no metric and no scores.", hint='Add [metrics] with a line such as BLEU = "bleu".'
        )
    levels = {level: reader.plan(given[level], level) for level in LEVELS if level in given}
    if not levels:
        raise InputError(f"{file} asks for no level.", hint='Add [system] with measure = "pearson".')
    judged = any(d.judgements for d in directions)
    for level, plan in levels.items():
        if isinstance(plan.gold, Ranker) and not judged:
            raise InputError(
                f"{file}: [{level}] gold makes scores of judgements, and no direction has some.", hint="Leave it out."
            )
        if any(d.testset for d in directions) and not any(level in m.levels for m in metrics.values()):
            raise InputError(f"{file}: no metric takes part in [{level}].", hint="Add one, or the level to its levels.")
    return Study(
        file,
        text,
        reader.text(given.get("title", file.stem), "title"),
        reader.choice(given.get("layout", "wmt15"), get_args(Layout), "layout"),
        metrics,
        directions,
        levels,
        groups or _usual_groups(pairs),
        reader.pairs(average.get("exclude", []), pairs, "[average] exclude"),
        **sampling,
    )


_KINDS = {int: "a whole number", float: "a number", bool: "true or false"}
_SAMPLING: Mapping[str, Any] = {
    "samples": int,
    "draws": int,
    "seed": int,
    "alpha": float,
    "correction": get_args(Correction),
    "unit": ("pair", "task", "segment"),
    "on_skip": ("task", "pair"),
    "references": bool,
    "judged": float,
}
_DIRECTION = tuple(f.name for f in dataclasses.fields(Direction))


def _usual_groups(pairs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """A table into English, one out of it, and one for the rest, as the papers have them."""
    into = tuple(p for p in pairs if p.endswith("-en"))
    out = tuple(p for p in pairs if p.startswith("en-"))
    rest = tuple(p for p in pairs if p not in into and p not in out)
    found = {"into-en": into, "from-en": out, "others": rest}
    return {name: own for name, own in found.items() if own}


class _Reader:
    """Values of the file with their types checked; messages name the file and the key."""

    def __init__(self, file: pathlib.Path) -> None:
        self.file = file

    def known(self, given: Mapping[str, Any], allowed: Sequence[str] | Mapping[str, Any], where: str) -> None:
        for key in given:
            if key not in allowed:
                near = difflib.get_close_matches(key, list(allowed), n=1)
                raise InputError(
                    f"{self.file}: {where + ' has' if where else 'there is'} no option {key!r}.",
                    hint=f"Did you mean {near[0]}?" if near else f"There are {', '.join(allowed)}.",
                )

    def typed(self, given: dict[str, Any], types: Mapping[str, Any], where: str) -> None:
        for key, value in given.items():
            kind = types[key]
            if isinstance(kind, tuple):
                self.choice(value, kind, f"{where} {key}")
            elif kind is float and type(value) is int:
                given[key] = float(value)
            elif type(value) is not kind:
                raise self.wrong(f"{where} {key}", _KINDS[kind], value)

    def sampling(self, given: Mapping[str, Any]) -> None:
        with self.naming("[sampling]"):
            for key, least in (("samples", 40), ("draws", 1), ("seed", 0)):
                if key in given:
                    require_whole(key, given[key], least, getattr(Study, key))
            if "alpha" in given:
                require_between("alpha", given["alpha"], 0, 1, Study.alpha)
            if "judged" in given:
                require_share(given["judged"])

    @contextlib.contextmanager
    def naming(self, where: str) -> Iterator[None]:
        """What goes wrong inside, with the file and the key before it."""
        try:
            yield
        except TercetError as error:
            raise InputError(f"{self.file}: {where}: {error.args[0]}", hint=error.hint) from None

    def table(self, given: Mapping[str, Any], key: str) -> dict[str, Any]:
        value = given.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(f"[{key}]", "a table", value)
        return dict(value)

    def several(self, given: Mapping[str, Any], key: str) -> list[Any]:
        value = given.get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            raise self.wrong(f"[[{key}]]", "tables", value)
        return value

    def text(self, value: Any, where: str) -> str:
        if not isinstance(value, str):
            raise self.wrong(where, "a string", value)
        return value

    def texts(self, value: Any, where: str) -> tuple[str, ...]:
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.wrong(where, "a list of strings", value)
        return tuple(value)

    def pairs(self, value: Any, known: Sequence[str], where: str) -> tuple[str, ...]:
        found = tuple(languages.pair(each) or each for each in self.texts(value, where))
        for pair in found:
            if pair not in known:
                raise InputError(
                    f"{self.file}: {where} names {pair!r}, which is no direction here.",
                    hint=f"There are {', '.join(known)}.",
                )
        if len(set(found)) < len(found):
            raise InputError(f"{self.file}: {where} names a direction twice.", hint="Name each once.")
        return found

    def choice(self, value: Any, allowed: Sequence[Any], where: str) -> Any:
        if value not in allowed:
            raise self.wrong(where, f"one of {', '.join(map(str, allowed))}", value)
        return value

    def direction(self, number: int, given: Mapping[str, Any]) -> Direction:
        where = f"[[direction]] {given.get('pair', number + 1)}:"
        self.known(given, _DIRECTION, where)
        if "pair" not in given:
            raise InputError(f"{self.file}: direction {number + 1} has no pair.", hint='Add pair = "de-en".')
        scores = tuple(self.path(p) for p in self.texts(given.get("scores", []), f"{where} scores"))
        testset = given.get("testset")
        if (testset is None) == (not scores):
            raise InputError(f"{self.file}: {where} needs a testset or scores.", hint="Give one of the two.")
        if "judgements" not in given and "human" not in given and not scores:
            raise InputError(
                f"{self.file}: {where} has no judgements.", hint="Name their file, or people's scores: human."
            )
        if "lower" in given and not scores:
            raise InputError(f"{self.file}: {where} has lower, and metrics of texts know theirs.", hint="Leave it out.")
        written = self.text(given["pair"], f"{where} pair")
        with self.naming(f"{where} pair"):
            pair = languages.wanted_pair(written)
        human = given.get("human")
        names = given.get("names", {})
        if not isinstance(names, dict):
            raise self.wrong(f"{where} names", "a table", names)
        return Direction(
            pair,
            None if testset is None else self.path(self.text(testset, f"{where} testset")),
            self.path(self.text(given["judgements"], f"{where} judgements")) if "judgements" in given else None,
            scores,
            None if human is None else self._human(self.text(human, f"{where} human"), scores),
            self.texts(given.get("lower", []), f"{where} lower"),
            {k: self.text(v, f"{where} names") for k, v in names.items()},
            self.without(given.get("without", []), f"{where} without"),
            *(
                self.text(given[key], f"{where} {key}") if key in given else None
                for key in ("testset_format", "judgements_format", "scores_format")
            ),
        )

    def without(self, value: Any, where: str) -> tuple[str, ...] | dict[MetaLevel, tuple[str, ...]]:
        """Systems to leave out: a list, or a table with one for each level."""
        if not isinstance(value, dict):
            return self.texts(value, where)
        self.known(value, LEVELS, where)
        return {level: self.texts(value[level], f"{where} {level}") for level in LEVELS if level in value}

    def entrant(self, name: str, given: Any, pairs: Sequence[str]) -> Entrant:
        where = f"[metrics] {name}"
        entry = {"spec": given} if isinstance(given, str) else given
        if not isinstance(entry, dict) or "spec" not in entry:
            raise self.wrong(where, "a spec, or a table with one", given)
        self.known(entry, ("spec", "levels"), where)
        levels = self.texts(entry.get("levels", list(LEVELS)), f"{where} levels")
        for level in levels:
            self.choice(level, LEVELS, f"{where} levels")
        found = Entrant(self.text(entry["spec"], where), levels)  # type: ignore[arg-type]
        with self.naming(where):
            for pair in pairs:
                found.metric(pair)
        return found

    def plan(self, given: Any, level: MetaLevel) -> LevelPlan:
        where = f"[{level}]"
        if not isinstance(given, dict):
            raise self.wrong(where, "a table", given)
        self.known(given, ("measure", "secondary", "gold", "secondary_gold", "interval", "test"), where)
        if "measure" not in given:
            raise InputError(f"{self.file}: {where} has no measure.", hint='Add measure = "pearson".')
        measure = self.measure(given["measure"], level, f"{where} measure")
        secondary = self.texts(given.get("secondary", []), f"{where} secondary")
        others = tuple(self.measure(m, level, f"{where} secondary") for m in secondary)
        gold = self.gold(given.get("gold"), f"{where} gold")
        second = self.gold(given.get("secondary_gold"), f"{where} secondary_gold")
        if second is not None and not isinstance(second, Ranker):
            raise self.wrong(f"{where} secondary_gold", "a ranker", given["secondary_gold"])
        with self.naming(where):
            require_gold(gold, [measure, *others])
            require_gold(second, [measure])
        return LevelPlan(
            measure,
            others,
            gold,
            second,
            self.choice(given.get("interval", "auto"), get_args(Interval), f"{where} interval"),
            self.choice(given.get("test", "auto"), get_args(Test), f"{where} test"),
        )

    def measure(self, given: Any, level: MetaLevel, where: str) -> Measure:
        spec = self.text(given, where)
        with self.naming(where):
            found = MEASURES.make(spec)
            require_level(found, level)
        return found

    def gold(self, given: Any, where: str) -> Ranker | Comparing | None:
        if given is None:
            return None
        spec = self.text(given, where)
        with self.naming(where):
            return golds.make(spec)

    def path(self, name: str) -> pathlib.Path:
        return self.file.parent / name

    def _human(self, name: str, scores: Sequence[pathlib.Path]) -> str:
        """A file beside the study, or a name among the scores."""
        path = self.path(name)
        return name if scores and not path.exists() else str(path)

    def wrong(self, where: str, wanted: str, value: Any) -> InputError:
        return InputError(f"{self.file}: {where} must be {wanted}, not {value!r}.", hint="See the guide on studies.")
