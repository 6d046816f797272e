"""Calls of kernels: arguments that one answers, spoilt here and there, or changed so little that they may still fit."""

from __future__ import annotations

import functools
import random
from collections import Counter
from typing import Any

from tests.kernels import hostile

from fuzz.inputs import Draw
from tercet import kernels

BASES = 8  # calls of a kernel that are spoilt,
OTHERS = 20  # also by arguments of other calls
LONGEST_CALL = 0.05  # seconds of the cores, after which a call of a kernel is told to stop
ANSWERED: Counter[str] = Counter()  # calls of kernels, by name


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


def play_kernel(kernel: hostile.Kernel, draw: Draw) -> int:
    """Calls with arguments of which some are spoilt, or some a little different: half of the calls each."""
    attack, variant = _attack(), draw.randrange(BASES)
    changes = any(hasattr(kernels._native, kind.removesuffix(" | None")) for kind in kernel.kinds)
    made = (_spoiling.__wrapped__ if changes else _spoiling)(kernel, variant)  # objects remember what was done to them
    if made is None:
        return 0
    base, spoils = made
    calls = (4 if draw.small else 200) if base else 1  # without arguments there is one call
    before, prepared = attack.answered, hostile.PREPARED.get(kernel.name)
    for _ in range(calls):
        arguments, little = [prepared(), *base[1:]] if prepared else list(base), draw.random() < 0.5
        for place in draw.sample(range(len(base)), min(len(base), draw.choice([1, 2, 2, 3, 3]))):
            arguments[place] = hostile.near(base[place], draw) if little else draw.choice(spoils[place])
        attack.call(kernel, arguments)
    ANSWERED[kernel.name] += attack.answered - before
    draw.answered = attack.answered - before
    return calls
