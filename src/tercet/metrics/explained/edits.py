"""Edit scripts: which words are moved, replaced, inserted and deleted, at the cost that the kernels count.

The scripts of the TERs come from the kernels' own searches. Those of WER and CDER are written out here, cell by
cell, for one segment of ordinary length.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.data import Ints
from tercet.data.explanation import Edit, EditKind, EditScript, Factor, Match, Shift
from tercet.metrics.explained.formulas import given, made

CELLS = 1_000_000  # of a matrix that is written out, 1000 words against 1000
# Kinds of edits by their numbers in the kernel of TERp, as far as they have words beside each other.
TERP_KINDS: dict[int, EditKind] = {2: "substitution", 4: "stem", 5: "synonym", 6: "paraphrase", 7: "match"}

Words = Sequence[str]
Ids = npt.NDArray[np.int32]
_Search = Callable[[Ids, Ids], tuple[Ints, Ints]]


def edit_formula(
    name: str, score: float, script: EditScript | None, errors: float, length: float, empty: str
) -> Factor:
    """100 × edits / reference words; `empty` says what happens where there are none."""
    if script is None:
        edits = given("edits", errors)
    else:
        counts = {kind: n for kind, n in script.counts().items() if kind != "match"}
        kinds = [kind for kind in counts if kind not in ("jump", "shift") or counts[kind]]
        edits = made("edits", "sum", [given(kind if counts[kind] == 1 else f"{kind}s", counts[kind]) for kind in kinds])
    words = given("reference words", length)
    if not length:
        return Factor(name, score, "rule", (edits, words), note=empty)
    rate = made("edits a word", "quotient", [edits, words])
    return Factor(name, score, "product", (given("percent", 100), rate))


def cost_formula(
    name: str, score: float, costs: Sequence[tuple[str, float, float]], length: float, empty: str, most: str | None
) -> Factor:
    """100 × the cost of edits / reference words, where each kind of edit (name, number, cost) has its own.

    `empty` says what happens without reference words, and `most`, where costs above them are cut, what then.
    """
    products = [made(kind, "product", [given("number", n), given("cost", cost)]) for kind, n, cost in costs]
    edits, words = made("cost", "sum", products), given("reference words", length)
    if not length:
        return Factor(name, score, "rule", (edits, words), note=empty)
    if most is not None and edits.value > length:
        return Factor(name, score, "rule", (edits, words), note=most)
    rate = made("cost a word", "quotient", [edits, words])
    return Factor(name, score, "product", (given("percent", 100), rate))


def matched_words(script: EditScript) -> tuple[Match, ...]:
    """The matches of a script, a word each."""
    return tuple(
        Match((edit.hypothesis, edit.hypothesis + 1), (edit.reference, edit.reference + 1), "exact")
        for edit in script.edits
        if edit.kind == "match" and edit.hypothesis is not None and edit.reference is not None
    )


def common_words(hyp: Words, ref: Words) -> tuple[Match, ...]:
    """Words that both texts have, each beside the first like it that is left."""
    places: dict[str, list[int]] = {}
    for j in reversed(range(len(ref))):
        places.setdefault(ref[j], []).append(j)
    pairs = [(i, places[word].pop()) for i, word in enumerate(hyp) if places.get(word)]
    return tuple(Match((i, i + 1), (j, j + 1), "exact") for i, j in pairs)


def ter_script(hyp: Words, ref: Words) -> EditScript:
    """What TER does: blocks of the hypothesis move."""
    shifts, order, steps = _searched(kernels.ter_script, hyp, ref)
    edits = [_edit(None if i < 0 else order[i], None if j < 0 else j, hyp, ref) for i, j in steps]
    return EditScript(tuple(edits), shifts)


def moses_ter_script(hyp: Words, ref: Words) -> EditScript:
    """What the TER of Moses does: blocks of the reference move."""
    shifts, order, steps = _searched(kernels.moses_ter_script, ref, hyp)
    edits = [_edit(None if i < 0 else i, None if j < 0 else order[j], hyp, ref) for j, i in steps]
    return EditScript(tuple(edits), shifts, "reference")


def _searched(search: _Search, moved: Words, fixed: Words) -> tuple[tuple[Shift, ...], list[int], list[list[int]]]:
    numbers = {word: i for i, word in enumerate(dict.fromkeys([*moved, *fixed]))}
    one, other = (np.array([numbers[word] for word in side], dtype=np.int32) for side in (moved, fixed))
    blocks, steps = search(one, other)
    shifts, order = _shifted(blocks, len(moved))
    return shifts, order, steps.tolist()


def _shifted(blocks: Ints, n_words: int) -> tuple[tuple[Shift, ...], list[int]]:
    """Shifts, and where the words of the text stood that they leave."""
    order = list(range(n_words))
    shifts = []
    for start, length, place in blocks.tolist():
        block = order[start : start + length]
        del order[start : start + length]
        order[place:place] = block
        shifts.append(Shift(tuple(block), start, place))
    return tuple(shifts), order


def terp_script(blocks: Ints, steps: Ints, n_words: int) -> tuple[EditScript, tuple[Match, ...]]:
    """What TERp does, from what its kernel tells of a hypothesis of so many words; and all that it matches."""
    shifts, order = _shifted(blocks, n_words)
    edits: list[Edit] = []
    matches = []
    for at, length, ref, ref_length, number in steps.tolist():
        ours: list[int | None] = [*order[at : at + length]]
        theirs: list[int | None] = [*range(ref, ref + ref_length)]
        kind: EditKind = TERP_KINDS.get(number) or ("deletion" if ours else "insertion")
        edits += [Edit(kind, i, j) for i, j in itertools.zip_longest(ours, theirs)]
        if ours and theirs and kind != "substitution":
            told = "exact" if kind == "match" else kind
            matches += [Match(block, (ref, ref + ref_length), told) for block in _blocks(order[at : at + length])]
    return EditScript(tuple(edits), shifts), tuple(matches)


def _blocks(places: Sequence[int]) -> list[tuple[int, int]]:
    """Places as blocks of neighbours: shifts may have brought together the words of a paraphrase."""
    starts = [k for k, place in enumerate(places) if k == 0 or place != places[k - 1] + 1]
    return [(places[a], places[b - 1] + 1) for a, b in itertools.pairwise([*starts, len(places)])]


def _edit(i: int | None, j: int | None, hyp: Words, ref: Words) -> Edit:
    kind: EditKind
    if i is None:
        kind = "insertion"
    elif j is None:
        kind = "deletion"
    else:
        kind = "match" if hyp[i] == ref[j] else "substitution"
    return Edit(kind, i, j)


def wer_script(hyp: Words, ref: Words) -> EditScript | None:
    """What Levenshtein's distance counts; None for texts too long to be written out."""
    if len(hyp) * len(ref) > CELLS:
        return None
    rows = [list(range(len(hyp) + 1))]
    for word in ref:
        above, row = rows[-1], [rows[-1][0] + 1]
        for i, said in enumerate(hyp):
            row.append(min(above[i] + (said != word), above[i + 1] + 1, row[i] + 1))
        rows.append(row)
    edits = []
    i, j = len(hyp), len(ref)
    while i or j:
        if i and j and rows[j][i] == rows[j - 1][i - 1] + (hyp[i - 1] != ref[j - 1]):
            i, j = i - 1, j - 1
            edits.append(_edit(i, j, hyp, ref))
        elif j and rows[j][i] == rows[j - 1][i] + 1:
            j -= 1
            edits.append(_edit(None, j, hyp, ref))
        else:
            i -= 1
            edits.append(_edit(i, None, hyp, ref))
    return EditScript(tuple(reversed(edits)))


def cder_script(hyp: Words, ref: Words) -> EditScript | None:
    """What CDER counts: after any reference word, and before the first, the hypothesis may be read on elsewhere."""
    if len(hyp) * len(ref) > CELLS:
        return None
    landed = [[min(i, 1) for i in range(len(hyp) + 1)]]  # with the jump after a reference word
    walked = [landed[0]]  # without it
    for word in ref:
        above, row = landed[-1], [landed[-1][0] + 1]
        for i, said in enumerate(hyp):
            row.append(min(above[i] + (said != word), above[i + 1] + 1, row[i] + 1))
        walked.append(row)
        landed.append([min(value, min(row) + 1) for value in row])
    edits = []
    i, j = len(hyp), len(ref)
    may_jump = True
    while j:
        if may_jump and landed[j][i] != walked[j][i]:
            edits.append(Edit("jump", i if i < len(hyp) else None, None))
            i = walked[j].index(min(walked[j]))
        may_jump = True
        cost = walked[j][i]
        if i and cost == landed[j - 1][i - 1] + (hyp[i - 1] != ref[j - 1]):
            i, j = i - 1, j - 1
            edits.append(_edit(i, j, hyp, ref))
        elif cost == landed[j - 1][i] + 1:
            j -= 1
            edits.append(_edit(None, j, hyp, ref))
        else:
            i -= 1
            edits.append(_edit(i, None, hyp, ref))
            may_jump = False  # still at the same reference word
    if i:
        edits.append(Edit("jump", i if i < len(hyp) else None, None))
    return EditScript(tuple(reversed(edits)))
