"""Calls of every compiled kernel with arguments that nobody means: `python -m tests.kernels.hostile [skipped]`.

What a kernel takes is read from its own signature, so that a new one is called without being told. First a call is
looked for that it answers; then each argument in turn is replaced by every hostile value of its type, and pairs of
arguments by chance. A line before each call says what is tried, so that the last line is the one that crashed.
"""

from __future__ import annotations

import ast
import os
import pathlib
import random
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tercet.kernels import _native

BINDINGS = pathlib.Path(__file__).resolve().parents[2] / "native" / "bindings"
REFUSALS = (TypeError, ValueError, OverflowError, MemoryError, IndexError)
SECONDS = 0.3  # of the cores, after which a call is told to stop, as by Ctrl-C
TRIES = 4000  # at a call that is answered
PAIRS = 60  # of hostile arguments, a kernel
MEMORY = 3 << 30

GIANT = [-1, 1 << 23, (1 << 31) - 1, 1 << 31, (1 << 53) + 1, 1 << 62, (1 << 63) - 1, -(1 << 63), (1 << 64) - 1, 1 << 70]
STRANGE = [float("nan"), float("inf"), float("-inf"), 1e308, -1e308, 5e-324, -0.0, -1.0]
TEXTS = ["", "x", "\0", "\ud800", "é" * 1000, "a" * 100_000]
OTHERS = [None, object(), "x", 1.5, b"x", [], (), {}]


class Slow(Exception):  # noqa: N818 -- it says what happened, and is no error
    """The call was told to stop."""


_calling = [False]


def stop(*_: object) -> None:
    """The handler of the alarm, which may come after the call that it was meant for."""
    if _calling[0]:
        raise Slow


def _choices() -> list[str]:
    """Every name that a binding knows."""
    return sorted({name for file in BINDINGS.glob("*.cpp") for name in re.findall(r'\{"([\w-]+)",', file.read_text())})


class Maker:
    """Arguments by type, plausible ones of one common size."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.choices = _choices()
        self.makers: dict[str, Callable[[], Any]] = {}  # of objects to which nothing has happened yet
        self.known: dict[str, list[Any]] = {"bytes": [b"", bytes(32), b"0.5\na\nb\n", b"0.5\na b\nc\n0.1\nc\na\n"]}

    def plausible(self, kind: str, size: int) -> Any:
        if kind.endswith("| None"):
            inner = kind[: -len(" | None")]
            return None if self.chance.random() < 0.3 or not self.knows(inner) else self.plausible(inner, size)
        if kind.startswith("tuple["):
            return self._tuple(_parts(kind), size)
        if kind.startswith("Array"):
            return self._array(kind, size)
        made: dict[str, Callable[[], Any]] = {
            "int": lambda: self.chance.choice([0, 1, 1, 2, 3, 32, size]),
            "float": lambda: self.chance.choice([0.0, 0.5, 1.0, 1.5]),
            "bool": lambda: self.chance.random() < 0.5,
            "str": lambda: self.chance.choice(self.choices),
            "list[str]": lambda: ["a", "b c", "é"][:size],
            "Sequence[str]": lambda: self.chance.sample(self.choices, self.chance.choice([0, 1, 2])),
            "Sequence[float]": lambda: [0.5] * self.chance.choice(range(12)),
            "Mapping[str, int]": lambda: {"a": 1, "b": 2},
        }
        return made[kind]() if kind in made else self.chance.choice(self.known[kind])

    def knows(self, kind: str) -> bool:
        """Whether there is one: an object must be made before it is asked for."""
        return not hasattr(_native, kind) or bool(self.known.get(kind))

    def _array(self, kind: str, size: int) -> Any:
        dtype, dimensions = kind.split("_")[1:]
        if dtype == "uint8" and self.known.get("block") and self.chance.random() < 0.5:
            return self.chance.choice(self.known["block"])
        if int(dimensions) == 1:
            length = size + (dtype == "int64" and self.chance.random() < 0.5)
            if dtype == "int64" and length > size:
                return np.arange(length, dtype=dtype)
            fill = self.chance.choice(["zeros", "ids", "rising", "ones"])
            if fill == "rising":
                return np.arange(size).astype(dtype)
            if fill == "ids":
                return np.array([self.chance.randrange(2) for _ in range(size)], dtype)
            return np.full(size, fill == "ones", dtype)
        shape = [self.chance.choice([size, size, 1, 2, 3, 4]) for _ in range(int(dimensions))]
        fill = self.chance.choice(["zeros", "zeros", "any", "rising"])
        if fill == "rising":
            return np.broadcast_to(np.arange(shape[-1]), shape).astype(dtype)
        pick = [0, 0, 1] if fill == "any" else [0]
        return np.array([self.chance.choice(pick) for _ in range(int(np.prod(shape)))], dtype).reshape(shape)

    def _tuple(self, kinds: list[str], size: int) -> Any:
        words = ["a", "b", "é", "ab"]
        data = "".join(words[i % 4] for i in range(size)).encode()
        ends = np.cumsum([0, *(len(words[i % 4].encode()) for i in range(size))], dtype=np.int64)
        if kinds[0] == "Array_uint8_1":
            rows = [np.arange(size + 1, dtype=np.int64)] * (len(kinds) - 2)
            return np.frombuffer(data, np.uint8).copy(), ends, *rows
        if kinds == ["Array_float32_2", "Array_int64_1", "Array_float64_1"]:  # vectors, ends of texts, weights
            return np.ones((size, 3), np.float32), np.arange(size + 1, dtype=np.int64), np.ones(size)
        if kinds == ["Array_int32_1", "Array_int32_1", "Array_int64_1"]:  # words, tags, and one text that has them all
            return np.zeros(size, np.int32), np.zeros(size, np.int32), np.array([0, *[size] * size], np.int64)
        if kinds == ["Array_int64_1", "Array_int32_2"]:
            return np.zeros(size + 1, np.int64), np.zeros((0, 4), np.int32)
        if kinds[0] == "Array_int64_1" and kinds[1].endswith("_1"):
            return np.arange(size + 1, dtype=np.int64), np.zeros(size, np.int32)
        if kinds[1].endswith("_2"):
            return np.zeros(size, np.int64), np.ones((1, 3))
        return np.arange(size, dtype=np.int32) % max(size, 1), np.arange(size + 1, dtype=np.int64)

    def hostile(self, kind: str, value: Any) -> Iterator[Any]:
        """Values of a type that no kernel wants, most of them made of one that it took."""
        yield from OTHERS
        if kind.endswith("| None"):
            kind = kind[: -len(" | None")]
        if kind == "int":
            yield from GIANT
        elif kind == "float":
            yield from [*STRANGE, *GIANT]
        elif kind == "str":
            yield from [*TEXTS, *self.choices]
        elif "str" in kind:
            yield from [TEXTS, self.choices * 20, dict.fromkeys(["x", "\ud800"], 1 << 40), [1], [None]]
        elif kind == "Sequence[float]":
            yield from [[bad] * max(len(value or []), 1) for bad in [*STRANGE, "x", None]]
        elif kind == "bytes":
            yield from [b"", bytes(31), bytes(33), b"\xff" * 32, b"nan\n\xff\n\n" * 3, b"1\n" * 7, b"a" * 100_000]
        elif kind.startswith("Array"):
            yield from _hostile_arrays(kind, value)
        elif kind in self.makers:
            yield from [self.makers[kind](), *self.known[kind]]
        elif kind.startswith("tuple[") and value is not None:
            for place, part in enumerate(_parts(kind)):
                for bad in self.hostile(part, value[place]):
                    yield (*value[:place], bad, *value[place + 1 :])
            yield value[:-1]


def _strange(dtype: Any) -> list[float]:
    """What numbers of a type can be."""
    return STRANGE if dtype == "float64" else [bad for bad in STRANGE if abs(bad) != 1e308]


def near(value: Any, chance: random.Random) -> Any:
    """A value that differs a little from another one, and fits more often than not where that one does."""
    if isinstance(value, tuple) and value:
        place = chance.randrange(len(value))
        return (*value[:place], near(value[place], chance), *value[place + 1 :])
    if isinstance(value, np.ndarray) and value.size and value.dtype.kind in "iuf":
        other, floats = value.copy(), value.dtype.kind == "f"
        for place in chance.sample(range(value.size), min(value.size, chance.choice([1, 1, 2, 5]))):
            choices = [
                0,
                1,
                2,
                value.flat[chance.randrange(value.size)],
                *([0.5, chance.choice(_strange(value.dtype))] * floats),
            ]
            other.flat[place] = chance.choice(choices)
        return other
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1, 2])
    return chance.choice([0.0, 0.1, 0.5, 1.0, *STRANGE]) if isinstance(value, float) else value


def _hostile_arrays(kind: str, value: Any) -> Iterator[Any]:
    dtype, dimensions = kind.split("_")[1], int(kind.split("_")[2])
    value = np.zeros((1,) * dimensions, dtype) if not isinstance(value, np.ndarray) else value
    yield np.zeros((0,) * dimensions, dtype)
    yield np.zeros((1,) * dimensions, dtype)
    yield np.zeros((2,) * (dimensions + 1), dtype)
    yield np.zeros((1 << 20, *(0,) * (dimensions - 1)), dtype) if dimensions > 1 else np.zeros(0, dtype)
    yield value[:-1]
    yield np.concatenate([value, value])
    yield np.concatenate([value[::-1], value[:1]])
    yield np.repeat(value, 2, 0)[::2]  # not contiguous
    yield value.astype(value.dtype.newbyteorder())
    yield value.astype(object)
    yield value.astype(np.float32)
    yield value.astype(np.complex128)
    yield np.array(["x"] * max(len(value), 1))
    if dtype.startswith("float"):
        limits: list[Any] = _strange(dtype)
    else:
        bounds = np.iinfo(dtype)
        limits = [bad for bad in [*GIANT, bounds.max, bounds.min, 0, 1, 255] if bounds.min <= bad <= bounds.max]
    for bad in limits:
        yield np.full_like(value, bad)
        for place in {0, value.size // 2, value.size - 1} if value.size else ():
            spoilt = value.copy()
            spoilt.flat[place] = bad
            yield spoilt


def _parts(kind: str) -> list[str]:
    return kind[len("tuple[") : -1].split(", ")


class Kernel:
    """A function of the module, a class, or a method: its name, and the type of each argument."""

    def __init__(self, name: str, call: Callable[..., Any], signature: str, owner: str = "") -> None:
        self.name, self.call = name, call
        text = re.sub(r"ndarray\[dtype=(\w+), shape=\(([*, ]*)\)[^]]*\]", _array_name, signature)
        text = text.replace("tercet.kernels._native.", "").replace("collections.abc.", "")
        node = ast.parse(re.sub(r" -> .*", ": ...", text)).body[0]
        assert isinstance(node, ast.FunctionDef)
        self.kinds = [ast.unparse(a.annotation) if a.annotation else owner for a in node.args.args]
        if owner and name == owner:  # made by calling the class
            self.kinds = self.kinds[1:]


def _array_name(match: re.Match[str]) -> str:
    return f"Array_{match[1]}_{match[2].count('*')}"


def kernels() -> list[Kernel]:
    """Everything that the module defines and that can be called: classes and their methods first."""
    every: list[Kernel] = []
    for name, thing in vars(_native).items():
        if isinstance(thing, type):
            every.append(Kernel(name, thing, _signature(vars(thing)["__init__"]), name))
            methods = {n: m for n, m in vars(thing).items() if hasattr(m, "__nb_signature__") and n != "__init__"}
            every += [Kernel(f"{name}.{n}", m, _signature(m), name) for n, m in methods.items()]
            getters = {n: m.fget for n, m in vars(thing).items() if isinstance(m, property) and m.fget}
            every += [Kernel(f"{name}.{n}", m, "def get(self) -> object", name) for n, m in getters.items()]
    every += [Kernel(n, f, _signature(f)) for n, f in vars(_native).items() if hasattr(f, "__nb_signature__")]
    return every


def _signature(thing: Any) -> str:
    return str(thing.__nb_signature__[0][0])


class Attack:
    """Calls one after the other, numbered; those up to a number are left out."""

    def __init__(self, skipped: int, *, silent: bool = False, seconds: float = SECONDS) -> None:
        self.make = Maker(7)
        self.skipped, self.number, self.answered = skipped, 0, 0
        self.silent, self.seconds = silent, seconds
        signal.signal(signal.SIGPROF, stop)

    def call(self, kernel: Kernel, arguments: list[Any], *, always: bool = False) -> Any:
        """What the kernel answers, or its refusal. Anything else ends the program."""
        self.number += 1
        if self.number <= self.skipped and not always:
            return None
        if not self.silent:
            print(self.number, kernel.name, *(_told(a) for a in arguments), flush=True)  # noqa: T201
        try:
            try:
                _calling[0] = True
                signal.setitimer(signal.ITIMER_PROF, self.seconds)
                answer = kernel.call(*arguments)
            finally:
                _calling[0] = False
                signal.setitimer(signal.ITIMER_PROF, 0)
        except (*REFUSALS, Slow) as refusal:
            return refusal
        self.answered += 1
        return answer

    def answered_call(self, kernel: Kernel) -> list[Any] | None:
        """Arguments that the kernel answers: one is drawn anew until the complaint is another one."""
        seen: set[str] = set()
        best: list[Any] = []
        size = 0
        for attempt in range(TRIES):
            if attempt % 400 == 0:
                best, size = [], self.make.chance.choice([1, 2, 2, 3])
                seen = set()
            if best:
                arguments = list(best)
                for place in {self.make.chance.randrange(len(best)) for _ in range(self.make.chance.choice([1, 2, 3]))}:
                    arguments[place] = self.make.plausible(kernel.kinds[place], size)
            else:
                arguments = [self.make.plausible(kind, size) for kind in kernel.kinds]
            answer = self.call(kernel, arguments, always=True)
            if not isinstance(answer, (*REFUSALS, Slow)):
                self._keep(kernel, arguments, answer)
                return arguments
            if isinstance(answer, Slow) or not kernel.kinds:
                return arguments
            if not best or str(answer) not in seen:
                best = self._corrected(arguments, str(answer))
            seen.add(str(answer))
        return None

    def _corrected(self, arguments: list[Any], refusal: str) -> list[Any]:
        """With a name that the kernel knows where it did not know one."""
        told = re.fullmatch("there is no choice called (.*), only (.*)", refusal)
        if told is None:
            return arguments
        name, known = told[1], told[2].split(", ")
        return [self.make.chance.choice(known) if isinstance(a, str) and a == name else a for a in arguments]

    def _keep(self, kernel: Kernel, arguments: list[Any], answer: Any) -> None:
        if isinstance(kernel.call, type):
            self.make.known.setdefault(kernel.name, []).append(answer)
            self.make.makers[kernel.name] = lambda: kernel.call(*arguments)
        elif kernel.name == "ParaphraseBuilder.finish":
            self.make.known.setdefault("block", []).append(answer)

    def is_ready(self, kernel: Kernel) -> bool:
        if kernel.name == "ParaphraseTable":  # made of what a builder gives
            return "block" in self.make.known
        return all(self.make.knows(kind) for kind in kernel.kinds)

    def base(self, kernel: Kernel) -> list[Any] | None:
        """Arguments that the kernel answers, of objects that are ready."""
        if kernel.name in PREPARED:
            ready = PREPARED[kernel.name]()
            self.make.known[type(ready).__name__] = [ready]
        return ANSWERED[kernel.name](self.make.chance) if kernel.name in ANSWERED else self.answered_call(kernel)

    def on(self, kernel: Kernel) -> None:
        """Every hostile argument in turn, and pairs of them."""
        base = self.base(kernel)
        if base is None:
            raise AssertionError(f"no call of {kernel.name} is answered: teach Maker what it takes, {kernel.kinds}")
        for place, kind in enumerate(kernel.kinds):
            for bad in self.make.hostile(kind, base[place]):
                self.call(kernel, [*base[:place], bad, *base[place + 1 :]])
        for _ in range(PAIRS if len(base) > 1 else 0):
            spoilt = list(base)
            for place in self.make.chance.sample(range(len(base)), 2):
                spoilt[place] = self.make.chance.choice(list(self.make.hostile(kernel.kinds[place], base[place])))
            self.call(kernel, spoilt)


def _builder() -> _native.ParaphraseBuilder:
    builder = _native.ParaphraseBuilder(1 << 20)
    builder.add(b"0.5\na b\nc\n0.1\nc\na\n")
    return builder


def _language_model() -> _native.ArpaModel:
    model = _native.ArpaModel()
    lines = ["\\data\\", "ngram 1=3", "\\1-grams:", "-1 <s>", "-1 </s>", "-1 a", "\\end\\"]
    model.read(_native.pack(lines))
    model.finish()
    return model


def _trainer() -> _native.Ibm1Trainer:
    trainer = _native.Ibm1Trainer(True, 10)
    pairs = (*_native.pack(["a", "b"]), np.array([0, 1, 2]))
    trainer.add(pairs, pairs)
    trainer.prepare(1)
    trainer.iterate(1)
    return trainer


def _counter() -> _native.NgramCounter:
    counter = _native.NgramCounter(2, True)
    counter.add((*_native.pack(["a", "b", "a"]), np.array([0, 1, 3])), 1)
    counter.count(1)
    return counter


# What answers only after something else was done.
PREPARED: dict[str, Callable[[], Any]] = {
    "ParaphraseBuilder.add": _builder,
    "ParaphraseBuilder.finish": _builder,
    "ArpaModel.score": _language_model,
    "ArpaModel.words": _language_model,
    "Ibm1Trainer.iterate": _trainer,
    "Ibm1Trainer.entries": _trainer,
    "NgramCounter.add": lambda: _native.NgramCounter(2, True),
    "NgramCounter.size": _counter,
    "NgramCounter.counts": _counter,
    "NgramCounter.counted_lines": _counter,
    "KneserNey": _counter,
}


def _terp() -> list[Any]:
    """Two words against two, with all that may be known of them."""
    ids, rows = np.array([0, 1], np.int32), np.array([0, 2])
    stems, synsets = _native.pack(["a", "b", "a"]), (np.array([0, 1, 1, 2]), np.array([1, 1], np.int32))
    phrases = (ids, rows, np.array([2], np.int32), np.array([0, 1]), np.array([0.5]))
    words = [(ids, rows), (ids[::-1].copy(), rows), np.array([0, 1]), 3]
    return [
        *words,
        stems,
        synsets,
        np.array([0, 1, 0], np.uint8),
        phrases,
        [1.0, 1.0, 1.0, 0.5, 0.0, 0.0],
        20.0,
        "relax",
    ]


def _tagged(chance: random.Random, n: int) -> tuple[Any, Any, Any]:
    """Texts as words and tags, one of n words and an empty one."""
    words, tags = (np.array([chance.randrange(3) for _ in range(n)], np.int32) for _ in "ab")
    return words, tags, np.array([0, n, n])


def _trees(chance: random.Random) -> list[Any]:
    """Two references, each with a hypothesis, and a tree over the words of the first."""
    n = chance.choice([1, 2, 5, 20])
    heads = np.array([chance.choice([h for h in range(-1, n) if h != i]) for i in range(n)], np.int32)
    hyps, refs = _tagged(chance, chance.choice([0, 1, n])), _tagged(chance, n)
    return [hyps, refs, heads, np.arange(3), chance.choice([0.1, 1.0]), chance.choice([1, 3])]


def _followed(chance: random.Random) -> list[Any]:
    """Matches of some players, one after the other."""
    players, n = chance.choice([2, 3, 9]), chance.choice([0, 1, 5, 200])
    matches = [(*chance.sample(range(players), 2), chance.randrange(3)) for _ in range(n)]
    columns = np.array(matches, np.int64).reshape(-1, 3).T.copy()
    return [np.zeros(players), np.ones(players), *columns, 1.0, 0.3]


def _streamed(chance: random.Random) -> list[Any]:
    """Rows that are drawn as they come."""
    shape = chance.choice([0, 1, 7, 300]), chance.choice([1, 2, 10])
    rows = np.array([chance.random() for _ in range(shape[0] * shape[1])]).reshape(shape)
    return [rows, chance.choice([1, 5, 70]), 3, chance.choice([0, 4]), chance.random() < 0.5, chance.choice([1, 3])]


# Arguments that chance would take long to find, or would find too small.
ANSWERED: dict[str, Callable[[random.Random], list[Any]]] = {
    "tree_models": _trees,
    "trueskill_follow": _followed,
    "streamed_sums": _streamed,
    "hopkins_may": lambda _: [
        *(np.array(column) for column in ([0, 1], [1, 2], [0, 1], [0, 1], [0, 1])),
        *(3, 3, 1, 0.5, 0.5, 0.5, 0.5, False, "none", 2, 0, 1, 1),
    ],
    "terp": lambda _: [*_terp(), 1],
    "terp_script": lambda _: [*_terp(), 0],
    "trueskill_matches": lambda _: [
        np.array([[0, 1], [0, 2]]),
        np.arange(3),
        np.array([[1, 2], [2, 2]]),
        3,
        np.arange(3),
        *(5, 2, 0, 1, 0.5, 0.5, 0.1, 1),
    ],
    "tree_predictions": lambda _: [  # a node and its two leaves
        np.array([[0.0, 1.0], [1.0, 0.0]]),
        np.array([0]),
        np.array([1, 0, 0]),
        np.array([0.5, 0.0, 0.0]),
        np.array([1, 0, 0]),
        np.array([2, 0, 0]),
        np.array([0.0, 1.0, 2.0]),
        *(0.5, 1.0, 1),
    ],
}


def _told(argument: Any) -> str:
    if isinstance(argument, np.ndarray):
        return f"{argument.dtype}{argument.shape}"
    return ascii(argument)[:60]


def main(skipped: int) -> None:
    """All of it. RLIMIT_AS makes a giant request a MemoryError; a sanitizer, which reserves more, has its own limit."""
    if "libasan" not in os.environ.get("LD_PRELOAD", "") and "libtsan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    np.seterr(all="ignore")
    attack, waiting = Attack(skipped), kernels()
    total = len(waiting)
    while waiting:
        kernel = next(k for k in waiting if attack.is_ready(k))
        waiting.remove(kernel)
        attack.on(kernel)
    print("done", total, attack.number, attack.answered, flush=True)  # noqa: T201


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
