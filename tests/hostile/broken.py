"""Targets that go wrong in every way that the fuzzer must find, and a metric that depends on what it scored before."""

from __future__ import annotations

import dataclasses
import functools
import os
import time
from collections.abc import Callable

import numpy as np
from fuzz import targets
from fuzz.inputs import Draw

from tercet.data import Array, Batch
from tercet.errors import InputError
from tercet.metric_base import Card, MeanMetric, Metric


@dataclasses.dataclass(frozen=True)
class Hidden(MeanMetric):
    """What nobody told the fuzzer of."""

    name = "hidden"
    card = Card("Hidden", "nothing", "none", "0", "none")
    by = "nothing"

    def values(self, batch: Batch) -> Array:
        """Numbers that depend on what they must not depend on."""
        n = len(batch.hypotheses)
        wrong = {
            "threads": np.full(n, float(batch.threads)),
            "order": np.arange(n, dtype=np.float64),
            "before": np.full(n, float(len(_SEEN))),
        }
        _SEEN.append(n)
        return wrong.get(self.by, np.zeros(n))


_SEEN: list[int] = []


class Threads(Hidden):
    by = "threads"


class Order(Hidden):
    by = "order"


class Before(Hidden):
    by = "before"


def crash(_: Draw) -> int:
    os.abort()


def leave(_: Draw) -> int:
    os._exit(3)


def hang(_: Draw) -> int:
    time.sleep(60)
    return 1


def slip(_: Draw) -> int:
    raise KeyError("slip")


def refuse(_: Draw) -> int:
    raise InputError("This is refused.", hint="As it should be.")


def scored(kind: type[Metric], draw: Draw) -> int:
    return targets.PLAYS[Metric](kind(), draw)


PLAYS: dict[str, Callable[[Draw], int]] = {
    "crash": crash,
    "leave": leave,
    "hang": hang,
    "slip": slip,
    "refuse": refuse,
    "threads": functools.partial(scored, Threads),
    "order": functools.partial(scored, Order),
    "before": functools.partial(scored, Before),
    "sound": functools.partial(scored, Hidden),
}
TOLD = {
    "crash": "ended with -6",
    "leave": "ended with 3",
    "hang": "more than 2 seconds",
    "slip": "KeyError: 'slip'",
    "refuse": "",
    "threads": "depends on threads",
    "order": "depends on the order of segments",
    "before": "depends on",
    "sound": "",
}


def every() -> dict[str, Callable[[Draw], int]]:
    """What `fuzz.targets` has as well."""
    return PLAYS
