"""Specs: a metric, a tokenizer, a ranker as one readable value, `chrf(beta=3)`.

A spec is a frozen dataclass. Its fields are the only place where an option is written: parser, printer,
signature, command-line help and documentation all read them.

    spec       name  or  name(option=value, ...)
    value      number, true, false, none, a bare word (13a, add-k, en), "a quoted string",
               several words joined by + where the option takes a list, or a spec again
    canonical  only what differs from the default, in the order of the fields

What a file says is not what its reader says: inside `from_file`, an option that would start a program is refused.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import difflib
import functools
import importlib
import math
import re
import types
import typing
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tercet import contents
from tercet.errors import PluginError, SpecError
from tercet.plugins import Plugins

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
_WORD = re.compile(r"[^\s,()=\"']+")
_PLAIN = re.compile(r"[A-Za-z0-9_.+:/-]+")
_DEEPEST = 8  # specs within specs
_LARGEST = (1 << 63) - 1  # the kernels count in 64 bits
_ADDRESS = re.compile(r"\w+:/")  # of other storage, as files of this machine hardly begin
# which one is speaking, how it may be allowed to start programs, and whether it is
_FILE: contextvars.ContextVar[tuple[str, str, bool] | None] = contextvars.ContextVar("file", default=None)


@contextlib.contextmanager
def from_file(path: object, allowed: str = "", *, programs: bool = False) -> Iterator[None]:
    """Around the reading of specs that stand in a file, and of whatever those name: nothing there uses the network.

    Nor does it start a program, unless `programs` are allowed; `allowed` says how, where that is possible.
    """
    token = _FILE.set((str(path), allowed, programs))
    try:
        yield
    finally:
        _FILE.reset(token)


def options(owner: type) -> Mapping[str, Any]:
    """The options of a spec class: field name to type, in the order in which they are written."""
    return _options(owner)


@functools.cache  # a search makes thousands of specs of one class
def _options(owner: type) -> Mapping[str, Any]:
    hints = typing.get_type_hints(owner)
    return types.MappingProxyType({f.name: hints[f.name] for f in dataclasses.fields(owner) if f.init})


class Spec:
    """What every spec can do; a subclass is a frozen dataclass with the class variable `name`."""

    name: typing.ClassVar[str]
    files: typing.ClassVar[tuple[str, ...]] = ()  # options that name files or folders of the user's
    within: typing.ClassVar[Mapping[str, str]] = {
        "tokenize": "tokenizer"
    }  # options that are specs again, of which kind

    def __post_init__(self) -> None:
        """Options are of their types, however the value was made: `Chrf(beta=3)` is `chrf(beta=3.0)`."""
        for option, kind in options(type(self)).items():
            object.__setattr__(self, option, coerce(getattr(self, option), kind, f"{self.name}: {option}"))
        if (file := _FILE.get()) is not None:
            self._refuse(*file)

    def _refuse(self, file: str, allowed: str, programs: bool) -> None:
        for paths in self.named_files().values():
            for path in filter(_ADDRESS.match, paths):
                raise SpecError(
                    f"{file} names the address {path}, and no file may have the network used.",
                    hint="Fetch it first, and name the file here.",
                )
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            if field.metadata.get("runs") and getattr(self, field.name) and not programs:
                raise SpecError(
                    f"{file} asks for a program to be run, which no file may: {self}.",
                    hint=f"Give {self.name} on the command line or in Python{allowed}.",
                )

    def __str__(self) -> str:
        fields = [f for f in dataclasses.fields(self) if f.init]  # type: ignore[arg-type]
        changed = {f.name: getattr(self, f.name) for f in fields if getattr(self, f.name) != f.default}
        return write(self.name, changed)

    def parameters(self) -> dict[str, Any]:
        """Every option with its value, defaults included."""
        return {name: getattr(self, name) for name in options(type(self))}

    def effective(self, option: str) -> Any:
        """What an option amounts to. A spec whose default depends on other options says here what None stands for."""
        return getattr(self, option)

    @classmethod
    def names_file(cls, option: str, value: str) -> bool:
        """Whether an option so written names a file or folder; a spec says here which values mean something else."""
        return option in cls.files and value not in ("", "none")

    def named_files(self) -> dict[str, tuple[str, ...]]:
        """The files and folders that each option names."""
        values = {option: getattr(self, option) for option in self.files}
        named = {option: (value,) if isinstance(value, str) else tuple(value or ()) for option, value in values.items()}
        return {o: paths for o, paths in named.items() if paths and all(self.names_file(o, path) for path in paths)}

    def inner(self) -> Iterator[tuple[str, Spec]]:
        """The specs that stand in options, each with its option."""
        for option, kind in self.within.items():
            value = getattr(self, option, None)
            for spec in read_several(value) if isinstance(value, str) and value else ():
                yield option, _REGISTRIES[kind].make(spec)

    def state(self) -> tuple[contents.State, ...]:
        """In which state the files are that options name: what is kept of them is kept by this."""
        states = [contents.state(path) for paths in self.named_files().values() for path in paths]
        return *states, *(state for _, spec in self.inner() for state in spec.state())

    def facts(self) -> dict[str, str]:
        """What moves the number and no option says: what is in the files that options name, and specs within them."""
        facts = {f"{option}-sha256": contents.checksum(paths) for option, paths in self.named_files().items()}
        for option, spec in self.inner():
            facts |= {f"{option}-{key}": value for key, value in spec.facts().items()}
        return facts

    def require(self, fine: bool, option: str, allowed: str) -> None:
        """Refuse an option's value in the words that all specs use."""
        if not fine:
            raise SpecError(
                f"{self.name}: {option} must be {allowed}, not {show(getattr(self, option))}.",
                hint=f"See `tercet show {self.name}`.",
            )


V = TypeVar("V")


Range = tuple[float, float, float]  # low, high, step


def option(default: V, doc: str, *, tunable: Range | None = None, recounts: bool = False, runs: bool = False) -> V:
    """A field of a spec: its default, and the sentence that help and documentation show.

    `tunable` is the range and the step in which `tune` may look for a better value; of a tuple, for each of its
    numbers. The statistics of a metric must not depend on such an option, or follow by its `retuned`, unless it
    `recounts`: then texts are counted anew for each of its values. `runs`: it names a program to be started, which no
    file may do.
    """
    known = {"doc": doc, "tunable": tunable, "recounts": recounts, "runs": runs}
    field: V = dataclasses.field(default=default, metadata=known)
    return field


def tunable(owner: type) -> dict[str, Range]:
    """The options that may be tuned, each with its range and step."""
    ranges = {f.name: f.metadata.get("tunable") for f in dataclasses.fields(owner) if f.init}
    return {name: wide for name, wide in ranges.items() if wide is not None}


def recounted(owner: type) -> tuple[str, ...]:
    """The options that may be tuned, but with statistics of their own for each value."""
    fields = dataclasses.fields(owner) if dataclasses.is_dataclass(owner) else ()
    return tuple(f.name for f in fields if f.init and f.metadata.get("recounts"))


def option_docs(owner: type) -> dict[str, str]:
    """The sentence of each option."""
    return {f.name: f.metadata.get("doc", "") for f in dataclasses.fields(owner) if f.init}


def _required(base: type) -> dict[str, type]:
    """The class attributes that a base declares and leaves to its subclasses, with their types."""
    hints = {name: typing.get_args(hint) for name, hint in typing.get_type_hints(base).items()}
    return {name: args[0] for name, args in hints.items() if len(args) == 1 and not hasattr(base, name)}


T = TypeVar("T", bound=Spec)
_REGISTRIES: dict[str, Registry[Any]] = {}  # by kind, for specs within specs


class Registry(Generic[T]):
    """Names for specs of one kind: our own table, and the entry points of other packages.

    `base` is the class of all of them. `table` maps a name to "module:Class"; nothing is imported before it is asked
    for. `aliases` maps a name to a spec string.
    """

    def __init__(
        self, kind: str, group: str, base: type[T], table: Mapping[str, str], aliases: Mapping[str, str] | None = None
    ):
        self.kind = kind
        self.base = base
        self.table = dict(table)
        self.aliases = dict(aliases or {})
        self.plugins = Plugins(kind, group, (*self.table, *self.aliases))
        _REGISTRIES.setdefault(kind, self)

    def __iter__(self) -> Iterator[str]:
        return iter([*self.table, *self.plugins])

    def load(self, name: str) -> type[T]:
        """The class behind a name."""
        self.plugins.require_sole(name)
        if name in self.table:
            module, _, attribute = self.table[name].partition(":")
            owner: type[T] = getattr(importlib.import_module(module), attribute)
            return owner
        if name not in self.plugins:
            raise self._unknown(name)
        entry, offered = self.plugins.load(name)
        self._require_sound(entry, offered)
        return offered  # type: ignore[no-any-return]

    def working(self) -> dict[str, type[T]]:
        """Every name whose class can be loaded."""
        return self._loaded()[0]

    def broken(self) -> dict[str, PluginError]:
        """Every name that another package offers and that cannot be used, with what is wrong."""
        return self._loaded()[1]

    def _loaded(self) -> tuple[dict[str, type[T]], dict[str, PluginError]]:
        working: dict[str, type[T]] = {}
        broken: dict[str, PluginError] = self.plugins.clashes()
        for name in self:
            try:
                working[name] = self.load(name)
            except PluginError as error:
                broken[name] = error
        return working, broken

    def _require_sound(self, entry: EntryPoint, offered: Any) -> None:
        """Refuse a class that lacks what every spec of this kind has."""
        base, require = self.base, self.plugins.require
        fine = isinstance(offered, type) and issubclass(offered, base)
        require(entry, fine, f"is no {self.kind}", f"It must be a subclass of {base.__module__}.{base.__qualname__}.")
        frozen = dataclasses.is_dataclass(offered) and getattr(offered, "__dataclass_params__").frozen  # noqa: B009
        require(entry, frozen, "is no frozen dataclass", "Write @dataclasses.dataclass(frozen=True) above the class.")
        for attribute, kind in _required(base).items():
            require(
                entry,
                isinstance(getattr(offered, attribute, None), kind),
                f"has no {attribute}",
                f"Give the class one, a {kind.__name__}: {attribute} = ...",
            )
        wrong = f"calls itself {offered.name!r}"
        require(entry, offered.name == entry.name, wrong, "Its name and that of its entry point must be the same.")
        try:
            options(offered)
        except Exception as error:
            require(entry, False, f"has options whose types cannot be read: {error}", "Correct their annotations.")

    def make(self, spec: str | T, /, **further: Any) -> T:
        """The value that a spec string means, with further options.

        >>> from tercet.metrics import METRICS
        >>> str(METRICS.make("chrf++(beta=3)"))
        'chrf(word_order=2, beta=3)'
        """
        if isinstance(spec, Spec):
            if not further:
                return spec
            spec = str(spec)
        if not isinstance(spec, str):
            raise SpecError(
                f"A {self.kind} is named by a string, not by {type(spec).__name__}.",
                hint="For example: " + next(iter(self)),
            )
        name, given = read(spec)
        self.plugins.require_sole(name)
        if name in self.aliases:
            name, fixed = read(self.aliases[name])
            given = {**fixed, **given}
        owner = self.load(name)
        known = options(owner)
        given |= further
        for option in given:
            if option not in known:
                raise SpecError(
                    f"{name} has no option {option!r}; it takes {', '.join(known) or 'none'}.",
                    hint=_nearest(option, known),
                )
        values = {o: coerce(v, known[o], f"{name}: {o}") for o, v in given.items()}
        try:
            return owner(**values)
        except RecursionError:  # a model that is part of itself
            raise SpecError(f"{name} is nested too deep.", hint="Does a file that it names name that file?") from None

    def _unknown(self, name: str) -> SpecError:
        names = [*self, *self.aliases]
        return SpecError(
            f"There is no {self.kind} called {name!r}.",
            hint=f"{_nearest(name, names)} `tercet list` shows every {self.kind}.".lstrip(),
        )


def _nearest(name: str, names: typing.Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(close)}?" if close else ""


def read(text: str) -> tuple[str, dict[str, Any]]:
    """Name and options of a spec string; option values are still words, to be coerced by their field.

    >>> read('meteor(language=en, paraphrases="a b.gz", normalize=lower)')
    ('meteor', {'language': 'en', 'paraphrases': 'a b.gz', 'normalize': 'lower'})
    """
    reader = _SpecReader(text)
    name, given = reader.spec()
    reader.end()
    return name, given


def read_several(text: str) -> list[str]:
    """The spec strings that stand side by side in one, each as `write` has it.

    >>> read_several('bleu | chrf( beta=3 )|meteor(paraphrases="a|b.gz")')
    ['bleu', 'chrf(beta=3)', 'meteor(paraphrases="a|b.gz")']
    """
    reader = _SpecReader(text)
    specs = [write(*reader.spec())]
    while reader.take("|"):
        specs.append(write(*reader.spec()))
    reader.end()
    return specs


class _SpecReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def fail(self, wanted: str) -> SpecError:
        rest = self.text[self.at : self.at + 20]
        there = f"found {rest!r}" if rest else "it ends there"
        return SpecError(
            f"Cannot read the spec {self.text!r}: {wanted} expected at character {self.at + 1}, {there}.",
            hint='A spec looks like name or name(option=value, other="a string").',
        )

    def space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def take(self, char: str) -> bool:
        self.space()
        if self.text[self.at : self.at + 1] != char:
            return False
        self.at += 1
        return True

    def match(self, pattern: re.Pattern[str], wanted: str) -> str:
        self.space()
        match = pattern.match(self.text, self.at)
        if not match:
            raise self.fail(wanted)
        self.at = match.end()
        return match.group()

    def end(self) -> None:
        self.space()
        if self.at < len(self.text):
            raise self.fail("the end")

    def spec(self) -> tuple[str, dict[str, Any]]:
        name = self.match(_NAME, "a name")
        given: dict[str, Any] = {}
        if self.take("(") and not self.take(")"):
            while True:
                option = self.match(_NAME, "the name of an option")
                if not self.take("="):
                    raise self.fail("'='")
                if option in given:
                    raise SpecError(f"The spec {self.text!r} gives {option} twice.", hint="Leave one of them out.")
                given[option] = self.value()
                if self.take(")"):
                    break
                if not self.take(","):
                    raise self.fail("',' or ')'")
        return name, given

    def value(self) -> str:
        self.space()
        quote = self.text[self.at : self.at + 1]
        if quote in ('"', "'") and quote:
            return self.string(quote)
        start = self.at
        self.match(_WORD, "a value")
        if self.text[self.at : self.at + 1] == "(":
            self.at = start
            self.depth += 1
            if self.depth > _DEEPEST:
                raise self.fail(f"no more than {_DEEPEST} specs within specs")
            name, given = self.spec()
            self.depth -= 1
            return write(name, given)
        return self.text[start : self.at]

    def string(self, quote: str) -> str:
        self.at += 1
        out = []
        while self.at < len(self.text) and self.text[self.at] != quote:
            if self.text[self.at] == "\\" and self.at + 1 < len(self.text):
                self.at += 1
            out.append(self.text[self.at])
            self.at += 1
        if self.at == len(self.text):
            raise self.fail(f"a closing {quote}")
        self.at += 1
        return "".join(out)


def write(name: str, given: Mapping[str, Any]) -> str:
    """The inverse of `read`: one canonical string."""
    if not given:
        return name
    return f"{name}({', '.join(f'{option}={show(value)}' for option, value in given.items())})"


def show(value: Any) -> str:
    """A value as it stands in a spec string."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, tuple):
        return show("+".join(v if isinstance(v, str) else show(v) for v in value))
    if isinstance(value, str):
        if _PLAIN.fullmatch(value) or _is_spec(value):
            return value
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def _is_spec(value: str) -> bool:
    if not value.endswith(")"):
        return False
    try:
        return write(*read(value)) == value
    except SpecError:
        return False


def coerce(value: Any, kind: Any, where: str) -> Any:
    """A word as the type that its field wants."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _coerce_union(value, args, where)
    if origin is typing.Literal:
        for choice in args:
            if value == choice or (isinstance(value, str) and value == show(choice)):
                return choice
        raise _refused(value, f"one of {', '.join(show(a) for a in args)}", where)
    if origin is tuple:
        pieces = value if isinstance(value, tuple | list) else str(value).split("+") if value != "" else []
        return tuple(coerce(v, args[0], where) for v in pieces)
    if kind is bool:
        if value in (True, False, "true", "false"):
            return value in (True, "true")
        raise _refused(value, "true or false", where)
    if kind is int or kind is float:
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            raise _refused(value, "a whole number" if kind is int else "a number", where) from None
        if kind is int and abs(number) > _LARGEST:
            raise _refused(value, f"a whole number up to {_LARGEST}", where)
        if not math.isfinite(number):
            raise _refused(value, "a finite number", where)
        return number
    if kind is str and isinstance(value, str):
        return value
    raise _refused(value, getattr(kind, "__name__", str(kind)), where)


def _coerce_union(value: Any, kinds: tuple[Any, ...], where: str) -> Any:
    if type(None) in kinds and value in (None, "none"):
        return None
    complaints = []
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return coerce(value, kind, where)
        except SpecError as error:
            complaints.append(str(error).partition(" must be ")[2].partition(", not ")[0])
    raise _refused(value, " or ".join(complaints), where)


def _refused(value: Any, allowed: str, where: str) -> SpecError:
    name = where.partition(":")[0]
    return SpecError(f"{where} must be {allowed}, not {show(value)}.", hint=f"See `tercet show {name}`.")
