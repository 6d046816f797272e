"""The study file: what it may hold, checked once when it is read.

    title = "..."                       layout = "wmt15", reference_free = ["a metric of score files", ...]
    [metrics]                           name = "spec", or { spec = "...", levels = ["segment"] }
    [[direction]]                       pair, testset, judgements, scores, human, lower, names, without, formats
    [system] [document] [segment]       measure, gold, secondary, interval, test
    [average]                           exclude = ["en-de"]
    [groups]                            name = ["de-en", ...]; one table a group
    [sampling]                          samples, draws, seed, alpha, correction, common, unit, on_skip, references,
                                        judged

In a spec, {source} and {target} are the languages of the direction: "wer(language={target})". Paths are relative to
the file. An unknown key is an error: a misspelt option would be a silent default.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import os
import pathlib
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from tercet.agreeing import MEASURES, Measure
from tercet.agreeing import gold as golds
from tercet.agreeing.evaluate import require_level
from tercet.agreeing.evaluation import require_gold
from tercet.agreeing.gold import Comparing
from tercet.errors import InputError, SpecError, TercetError
from tercet.formats import languages, places
from tercet.formats.judgements import DATABASE
from tercet.formats.lines import whole
from tercet.formats.toml_values import sound_toml
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.options import settings
from tercet.options.agreeing import Certainty, Interval, MetaLevel, Test
from tercet.ranking import Ranker
from tercet.spec import Registry, from_file, options, read, read_several, write
from tercet.text import TOKENIZERS

Layout = Literal["wmt14", "wmt15", "wmt19"]
_ALLOWED = "; or, if you trust the author of the study, allow it: --allow-commands"
LEVELS: tuple[MetaLevel, ...] = get_args(MetaLevel)


@dataclasses.dataclass(frozen=True)
class StudyDirection:
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
        return tuple(dict.fromkeys(s for systems in self.without.values() for s in systems))


@dataclasses.dataclass(frozen=True)
class Entrant:
    """A metric of the study: its spec, in which languages may be left open, and the levels that it takes part in."""

    spec: str
    levels: tuple[MetaLevel, ...]
    file: pathlib.Path  # the study that says so
    commands: bool = False  # whether it may run programs

    def metric(self, pair: str) -> Metric:
        """The metric for a language pair."""
        source, _, target = pair.partition("-")
        spec = self.spec.replace("{source}", source).replace("{target}", target)
        with from_file(self.file, _ALLOWED, programs=self.commands):
            return METRICS.make(_placed(spec, self.file.parent))


def _placed(spec: str, folder: pathlib.Path, registry: Registry[Any] = METRICS) -> str:
    """A spec with the files that its options name, and those of specs within it, looked for in a folder."""
    name, given = read(spec)
    plain, fixed = read(registry.aliases.get(name, name))
    if plain not in registry:
        return spec  # whoever makes it says what is wrong
    owner = registry.load(plain)

    def placed(option: str, value: str) -> str:
        if option in owner.within:
            kind = METRICS if owner.within[option] == METRICS.kind else TOKENIZERS
            try:
                return "|".join(_placed(inner, folder, kind) for inner in read_several(value)) if value else value
            except SpecError:
                return value  # no spec, then
        if typing.get_origin(options(owner).get(option)) is tuple and option in owner.files:
            return "+".join(str(folder / path) for path in value.split("+"))
        return str(folder / value) if owner.names_file(option, value) else value

    return write(plain, {**fixed, **{option: placed(option, value) for option, value in given.items()}})


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
    """A metrics task as its file states it: directions, metrics, measures, and what is drawn."""

    file: pathlib.Path
    text: str
    title: str
    layout: Layout
    metrics: Mapping[str, Entrant]
    directions: tuple[StudyDirection, ...]
    levels: Mapping[MetaLevel, LevelPlan]
    groups: Mapping[str, tuple[str, ...]]
    exclude: tuple[str, ...] = ()
    reference_free: tuple[str, ...] = ()  # metrics of score files; those of texts know it
    asked: Certainty = dataclasses.field(default_factory=Certainty)  # what stands in [sampling]

    def metrics_of(self, pair: str) -> dict[str, Metric]:
        """The metrics of a direction, of any level."""
        return {name: m.metric(pair) for name, m in self.metrics.items()}

    def metrics_at(self, level: MetaLevel) -> list[str]:
        """The names of those that take part in a level."""
        return [name for name, m in self.metrics.items() if level in m.levels]


def read_study(path: str | pathlib.Path, *, allow_commands: bool = False) -> Study:
    """The study in a TOML file; only with `allow_commands` may its metrics run programs."""
    file = pathlib.Path(path)
    text = whole(file)
    try:
        given = sound_toml(text)
    except ValueError as error:  # also of numbers that are too long, and of tables in tables
        raise InputError(f"{file} is no TOML: {error}.", hint="See the guide on studies for an example.") from None
    reader = _StudyReader(file, allow_commands)
    reader.known(given, _TOP, "")
    directions = tuple(reader.direction(i, d) for i, d in enumerate(reader.several(given, "direction")))
    pairs = [d.pair for d in directions]
    if not pairs:
        raise InputError(f"{file} names no direction.", hint='Add [[direction]] with pair = "de-en" and its files.')
    if len(set(pairs)) < len(pairs):
        raise InputError(f"{file} has a direction twice.", hint=f"There are {', '.join(pairs)}.")
    sampling = reader.table(given, "sampling")
    reader.known(sampling, SAMPLING, "[sampling]")
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
        reader.texts(given.get("reference_free", []), "reference_free"),
        reader.sampling(sampling),
    )


_TOP = ("title", "layout", "reference_free", "metrics", "direction", *LEVELS, "average", "groups", "sampling")
SAMPLING = ("samples", "draws", "seed", "alpha", "correction", "common", "unit", "on_skip", "references", "judged")
_DIRECTION = tuple(f.name for f in dataclasses.fields(StudyDirection))


def _usual_groups(pairs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """A table into English, one out of it, and one for the rest, as the papers have them."""
    into = tuple(p for p in pairs if p.endswith("-en"))
    out = tuple(p for p in pairs if p.startswith("en-"))
    rest = tuple(p for p in pairs if p not in into and p not in out)
    groups = {"into-en": into, "from-en": out, "others": rest}
    return {name: members for name, members in groups.items() if members}


class _StudyReader:
    """Values of the file with their types checked; messages name the file and the key."""

    def __init__(self, file: pathlib.Path, allow_commands: bool) -> None:
        self.file = file
        self.allow_commands = allow_commands

    def known(self, given: Mapping[str, Any], allowed: Sequence[str] | Mapping[str, Any], where: str) -> None:
        for key in given:
            if key not in allowed:
                near = difflib.get_close_matches(key, list(allowed), n=1)
                raise InputError(
                    f"{self.file}: {where + ' has' if where else 'there is'} no option {key!r}.",
                    hint=f"Did you mean {near[0]}?" if near else f"There are {', '.join(allowed)}.",
                )

    def sampling(self, given: Mapping[str, Any]) -> Certainty:
        kinds = {option.name: option.kind for option in settings(Certainty)}
        for key, value in given.items():
            if kinds[key] is bool and type(value) is not bool:
                raise self.wrong(f"[sampling] {key}", "true or false", value)
        with self.naming("[sampling]"):
            return Certainty(**given)

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
        pairs = tuple(languages.pair(name) or name for name in self.texts(value, where))
        for pair in pairs:
            if pair not in known:
                raise InputError(
                    f"{self.file}: {where} names {pair!r}, which is no direction here.",
                    hint=f"There are {', '.join(known)}.",
                )
        if len(set(pairs)) < len(pairs):
            raise InputError(f"{self.file}: {where} names a direction twice.", hint="Name each once.")
        return pairs

    def choice(self, value: Any, allowed: Sequence[Any], where: str) -> Any:
        if value not in allowed:
            raise self.wrong(where, f"one of {', '.join(map(str, allowed))}", value)
        return value

    def direction(self, number: int, given: Mapping[str, Any]) -> StudyDirection:
        where = f"[[direction]] {given.get('pair', number + 1)}:"
        self.known(given, _DIRECTION, where)
        if "pair" not in given:
            raise InputError(f"{self.file}: direction {number + 1} has no pair.", hint='Add pair = "de-en".')
        scores = tuple(self.path(p) for p in self.texts(given.get("scores", []), f"{where} scores"))
        testset = given.get("testset")
        if testset is None and not scores:
            raise InputError(
                f"{self.file}: {where} has no testset and no scores.", hint="Give one of the two, or both."
            )
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
        return StudyDirection(
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
        entrant = Entrant(self.text(entry["spec"], where), levels, self.file, self.allow_commands)  # type: ignore[arg-type]
        with self.naming(where):
            for pair in pairs:
                entrant.metric(pair)
        return entrant

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
            measure = MEASURES.make(spec)
            require_level(measure, level)
        return measure

    def gold(self, given: Any, where: str) -> Ranker | Comparing | None:
        if given is None:
            return None
        spec = self.text(given, where)
        with self.naming(where):
            return golds.make(spec)

    def path(self, name: str) -> pathlib.Path:
        path = self.file.parent / name
        if any(places.address(given) or DATABASE.match(os.fspath(given)) for given in (name, path)):
            raise InputError(
                f"{self.file} names the address {name}, and no file may have the network used.",
                hint="Fetch it first, and name the file here.",
            )
        return path

    def _human(self, name: str, scores: Sequence[pathlib.Path]) -> str:
        """A file beside the study, or a name among the scores."""
        path = self.path(name)
        return name if scores and not os.path.exists(path) else str(path)

    def wrong(self, where: str, wanted: str, value: Any) -> InputError:
        return InputError(f"{self.file}: {where} must be {wanted}, not {value!r}.", hint="See the guide on studies.")
