"""Permutation trees (Zhang and Gildea 2007): how the words of one order become those of another, block by block.

A permutation is parsed into nodes of neighbouring blocks that together hold neighbouring numbers. Two blocks are in
order (`monotone`) or turned round (`inverted`); four or more that no smaller node can hold are a node of their own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tercet.data import Array

MONOTONE, INVERTED = "monotone", "inverted"


class _Block(NamedTuple):
    """Numbers `low` to `high` side by side. `children` are those after merging, `inside` the trees below them."""

    low: int
    high: int
    kind: str = ""
    children: int = 0
    inside: int = 1

    @property
    def trees(self) -> int:
        """In how many ways the block can be taken apart."""
        return self.inside * (catalan(self.children - 1) if self.kind in (MONOTONE, INVERTED) else 1)


@dataclasses.dataclass(frozen=True)
class PermutationTree:
    """How many inner nodes there are of each kind, and how many binary trees the permutation has."""

    length: int
    monotone: int
    inverted: int
    four: int
    more: int
    trees: int

    @property
    def nodes(self) -> int:
        """All inner nodes."""
        return self.monotone + self.inverted + self.four + self.more

    @property
    def ease(self) -> float:
        """The share of trees that it has of those it could have: 1 in order, 0 where there is but one.

        >>> [parse(p).ease for p in ([1, 2], [2, 1], [1, 2, 3, 4], [2, 4, 1, 3])]
        [1.0, 0.0, 1.0, 0.0]
        """
        if self.length < 3:
            return float(self.length == 1 or self.monotone)
        return (self.trees - 1) / (catalan(self.length - 1) - 1)


def parse(permutation: Sequence[int]) -> PermutationTree:
    """The tree of a permutation of 1 to n, left-branching where blocks are in order or turned round.

    >>> tree = parse([2, 1, 3, 4])
    >>> tree.monotone, tree.inverted, tree.trees
    (2, 1, 2)
    """
    stack: list[_Block] = []
    kinds: list[str] = []
    for number in permutation:
        stack.append(_Block(number, number))
        while (size := _reducible(stack)) > 1:
            node = _joined(stack[-size:])
            del stack[-size:]
            stack.append(node)
            kinds.append(node.kind)
    counts = [kinds.count(kind) for kind in (MONOTONE, INVERTED, "4")]
    trees = stack[0].trees if stack else 0
    return PermutationTree(len(permutation), counts[0], counts[1], counts[2], len(kinds) - sum(counts), trees)


def _reducible(stack: Sequence[_Block]) -> int:
    """How many blocks at the end hold neighbouring numbers, the fewest; 0 if none do."""
    low, high = stack[-1].low, stack[-1].high
    numbers = high - low + 1
    for size, block in enumerate(reversed(stack[:-1]), start=2):
        low, high = min(low, block.low), max(high, block.high)
        numbers += block.high - block.low + 1
        if high - low + 1 == numbers:
            return size
    return 0


def _joined(blocks: Sequence[_Block]) -> _Block:
    low, high = min(b.low for b in blocks), max(b.high for b in blocks)
    if len(blocks) > 2:
        inside = 1
        for block in blocks:
            inside *= block.trees
        return _Block(low, high, str(len(blocks)), len(blocks), inside)
    first, second = blocks
    kind = MONOTONE if first.low < second.low else INVERTED
    if first.kind == kind:  # a row of blocks in order is one node
        return _Block(low, high, kind, first.children + 1, first.inside * second.trees)
    return _Block(low, high, kind, 2, first.trees * second.trees)


_CATALAN = [1]


def catalan(n: int) -> int:
    """How many binary trees have n inner nodes.

    >>> [catalan(n) for n in range(6)]
    [1, 1, 2, 5, 14, 42]
    """
    while len(_CATALAN) <= n:
        i = len(_CATALAN) - 1
        _CATALAN.append(_CATALAN[i] * 2 * (2 * i + 1) // (i + 2))
    return _CATALAN[n]


def in_order(permutation: Sequence[int]) -> float:
    """The share of pairs that stand in the right order (Kendall); 0 where there are none.

    >>> in_order([1, 3, 2])
    0.6666666666666666
    """
    n = len(permutation)
    if n < 2:
        return 0.0
    numbers: Array = np.asarray(permutation)
    right = sum(int((numbers[i + 1 :] > numbers[i]).sum()) for i in range(n - 1))
    return right / (n * (n - 1) / 2)
