"""Python 2 on a machine of 64 bits: hashes of strings, the order of sets, and how judgements were kept by them."""

import ctypes
from collections.abc import Iterable, Sequence

Judgement = tuple[str, str, int]  # shown first, shown second, and the outcome as in `Outcome`


def string_hash(text: bytes) -> int:
    """`hash(text)`, computed in signed machine words."""
    if not text:
        return 0
    found = ctypes.c_int64(text[0] << 7).value
    for byte in text:
        found = ctypes.c_int64(1000003 * found).value ^ byte
    found ^= len(text)
    return -2 if found == -1 else found


def set_order(names: Iterable[str]) -> tuple[str, ...]:
    """`tuple(set(names))` for at most five names: a table of eight places, which does not grow before six."""
    table: list[str | None] = [None] * 8
    for name in names:
        code = string_hash(name.encode())
        place, perturb = code & 7, ctypes.c_uint64(code).value
        while table[place & 7] not in (None, name):
            place = (place << 2) + place + perturb + 1
            perturb >>= 5
        table[place & 7] = name
    return tuple(name for name in table if name is not None)


def found(systems: Sequence[str], judgements: Iterable[Judgement]) -> list[list[list[int]]]:
    """What each system finds when it meets another; where it would find nothing, all that there is of the two."""
    kept: dict[tuple[str, ...], list[Judgement]] = {}
    by_two: dict[frozenset[str], list[Judgement]] = {}
    for judgement in judgements:
        kept.setdefault(set_order(judgement[:2]), []).append(judgement)
        by_two.setdefault(frozenset(judgement[:2]), []).append(judgement)
    table = [[[0, 0, 0] for _ in systems] for _ in systems]
    for i, one in enumerate(systems):
        for j, other in enumerate(systems):
            wanted = set_order(list(set_order([one, other])))
            for first, _, outcome in kept.get(wanted) or by_two.get(frozenset((one, other)), []):
                table[i][j][outcome if first == one else 2 - outcome] += 1
    return table
