"""Explanations as lines of text: in colour on a terminal, with marks that need none in a pipe.

Lines are no wider than asked for, wide characters counted as two. Text that runs from right to left stands in an
isolate (U+2068 to U+2069), one a line, so that it does not turn around what stands beside it.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from tercet import numbers
from tercet.data.explanation import RELATED, Edit, EditScript, Explanation, Explanations, Match, NgramOrder, NgramTable
from tercet.data.formulas import formula_rows
from tercet.data.marks import Mark, clusters, is_right_to_left, letter, marked_texts, shift_told
from tercet.escaping import one_line

Piece = tuple[str, str]  # text, and the name of its style
Line = list[Piece]

LABEL = 12  # columns for the names of texts
GAP = 4  # between two explanations side by side
BESIDE = 96  # columns that these need
MATRIX = 60  # words of the longest text that a matrix is drawn for
_SIGNS = {
    "match": "= keep",
    "substitution": "~ replace",
    "insertion": "+ insert",
    "deletion": "- delete",
    "jump": "> jump",
}


def explanation_lines(explanations: Explanations, width: int = 100) -> list[Line]:
    """All there is to say, one explanation or two beside each other."""
    if len(explanations) > 1 and width >= BESIDE:
        room = (width - GAP) // len(explanations)
        columns = [_explained(explanation, room) for explanation in explanations]
        lines = [_beside(row, room) for row in itertools.zip_longest(*columns, fillvalue=[])]
    else:
        lines = [line for explanation in explanations for line in [*_explained(explanation, width), []]][:-1]
    return [*_segment(explanations, width), *lines, [], *_wrapped([explanations.signature], width, "dim", "|")]


def _segment(explanations: Explanations, width: int) -> list[Line]:
    """Which segment it is, and what was translated."""
    known = [("segment", explanations.segment), ("source", explanations.source)]
    lines = [line for name, text in known if text for line in _labelled(name, _plain_words(text), width)]
    return [*lines, []] if lines else []


def _plain_words(text: str) -> list[list[Piece]]:
    return [[(word, "")] for word in one_line(text).split()]


def plain_text(lines: Sequence[Line]) -> str:
    """Lines without their styles."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)


def _beside(row: Sequence[Line], room: int) -> Line:
    out: Line = []
    for line in row[:-1]:
        out += [*line, (" " * (room + GAP - sum(_width(text) for text, _ in line)), "")]
    return [*out, *row[-1]]


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _explained(explanation: Explanation, width: int) -> list[Line]:
    blocks: list[list[Line]] = [
        _title(explanation, width),
        _texts(explanation, width),
        _formula(explanation, width),
        *(_ngrams(table, width) for table in explanation.ngrams),
        _edits(explanation, width),
        _matches(explanation, width),
        _statistics(explanation, width) if explanation.formula is None else [],
        [line for note in explanation.notes for line in _wrapped(note.split(), width, "dim")],
    ]
    return [line for block in blocks if block for line in [[], *block]][1:]


def _title(explanation: Explanation, width: int) -> list[Line]:
    title = f"{explanation.system}: {explanation.metric}" if explanation.system else explanation.metric
    lower = "" if explanation.higher_is_better else ", lower is better"
    *lines, last = _wrapped(title.split(" "), max(20, width - 28), "bold")
    return [*lines, [*last, (f" {numbers.score(explanation.score, explanation.digits)}", "score"), (lower, "dim")]]


# -- texts ---------------------------------------------------------------------------------------------------


def _texts(explanation: Explanation, width: int) -> list[Line]:
    by_character = bool(explanation.ngrams) and explanation.ngrams[0].unit == "character"
    missed = 2 if by_character else 1
    lines: list[Line] = []
    for text in marked_texts(explanation):
        words = [[_mark(mark, missed) for mark in word] for word in _words(text.marks, missed)]
        lines += _labelled(text.label, words, width)
    told = "most n-grams with these characters are missed" if by_character else "missed"
    return [*lines, *_wrapped(f"[ ]: {told}".split(" "), width, "dim")] if lines else lines


def _words(marks: Iterable[Mark], missed: int) -> list[list[Mark]]:
    """Marks by word, those that are missed one after the other as one."""
    words: list[list[Mark]] = []
    for mark in marks:
        if not mark.glued:
            words.append([mark])
        elif max(words[-1][-1].level or 0, mark.level or 0) < missed:
            words[-1][-1] = dataclasses.replace(mark, text=words[-1][-1].text + mark.text, level=0)
        else:
            words[-1].append(mark)
    return words


def _mark(mark: Mark, missed: int) -> Piece:
    text = _shown(mark.text)
    if mark.level is None:
        return text, ""
    return f"[{text}]" if mark.level < missed else text, f"level{mark.level}"


def _labelled(label: str, words: Sequence[Line], width: int) -> list[Line]:
    """Words under a label, wrapped between words, and inside those that are longer than a line."""
    room = max(8, width - LABEL)
    rows: list[Line] = [[]]
    left = room
    for word in words:
        length = sum(_width(text) for text, _ in word)
        if rows[-1] and length + 1 > left:
            rows.append([])
            left = room
        elif rows[-1]:
            rows[-1].append((" ", ""))
            left -= 1
        for text, style in word:
            for part in _cut(text, left, room):
                if _width(part) > left:
                    rows.append([])
                    left = room
                rows[-1].append((part, style))
                left -= _width(part)
    return [
        [((label if n == 0 else "").ljust(LABEL), "dim"), *_isolated(row)] for n, row in enumerate(rows) if row or not n
    ]


def _cut(text: str, first: int, room: int) -> list[str]:
    """A text in parts that fit, the first into what is left of a line; a Chinese sentence is one word."""
    parts = [""]
    for cluster in clusters(text):
        limit = first if len(parts) == 1 else room
        if parts[-1] and _width(parts[-1] + cluster) > limit:
            parts.append("")
        parts[-1] += cluster
    return parts if _width(text) > first else [text]


def _isolated(row: Line) -> Line:
    if not any(is_right_to_left(text) for text, _ in row):
        return row
    return [("\u2068", ""), *row, ("\u2069", "")]


def _shown(text: str) -> str:
    """Text without what moves a terminal's cursor or direction."""
    return one_line(text)


def _isolate(text: str) -> str:
    shown = _shown(text)
    return f"\u2068{shown}\u2069" if is_right_to_left(shown) else shown


def _wrapped(words: Iterable[str], width: int, style: str, joint: str = " ") -> list[Line]:
    """Sentences of our own, wrapped."""
    text = joint.join(words) if joint == " " else next(iter(words), "")
    lines: list[str] = [""]
    for word in text.split(joint):
        fresh = f"{lines[-1]}{joint}{word}" if lines[-1] else word
        if _width(fresh) > width - len(joint.strip()) and lines[-1]:
            lines[-1] += joint.strip()
            lines.append(word)
        else:
            lines[-1] = fresh
    return [[(_shown(line), style)] for line in lines]


# -- formula, statistics -------------------------------------------------------------------------------------


def _formula(explanation: Explanation, width: int) -> list[Line]:
    if explanation.formula is None:
        return []
    return _rows(
        [(row.depth, row.name, row.value, row.how) for row in formula_rows(explanation.formula, explanation.digits)],
        width,
    )


def _statistics(explanation: Explanation, width: int) -> list[Line]:
    return _rows([(0, name, numbers.part(value), "") for name, value in explanation.statistics], width)


def _rows(rows: Sequence[tuple[int, str, str, str]], width: int) -> list[Line]:
    name_width = max((2 * depth + _width(name) for depth, name, _, _ in rows), default=0) + 2
    value_width = max((_width(value) for _, _, value, _ in rows), default=0)
    lines: list[Line] = []
    for depth, name, value, how in rows:
        head = ("  " * depth + name).ljust(name_width) + value.rjust(value_width)
        room = max(12, width - name_width - value_width - 2)
        first, *rest = _wrapped(how.split(" "), room, "dim")
        lines.append([(head, "value" if depth == 0 else ""), ("  " if how else "", ""), *first])
        lines += [[(" " * (name_width + value_width + 2), ""), *line] for line in rest]
    return lines


# -- n-grams -------------------------------------------------------------------------------------------------


def _ngrams(table: NgramTable, width: int) -> list[Line]:
    lines: list[Line] = []
    for order in table.orders:
        if order.hypothesis or order.reference:
            lines += _order(order, table.unit, width)
    return lines


def _order(order: NgramOrder, unit: str, width: int) -> list[Line]:
    """How many of an order are found, and which: as many as two lines hold."""
    counts = f"{order.matched}/{order.hypothesis} found, {order.reference} wanted"
    lines: list[Line] = [[(f"{order.order}-grams ({unit}s): {counts}", "bold")]]
    lists: dict[str, list[tuple[str, int, float | None]]] = {
        "found": [(n.text, n.matched, n.weight) for n in order.ngrams if n.matched],
        "too many": [(n.text, n.hypothesis - n.matched, None) for n in order.ngrams if n.hypothesis > n.matched],
        "missing": [(n.text, n.reference - n.matched, n.weight) for n in order.ngrams if n.reference > n.matched],
    }
    for label, ngrams in lists.items():
        if ngrams:
            style = "level4" if label == "found" else "level0"
            room = max(20, width - LABEL)
            lines.append(_listed(f"  {label}", [_ngram(*ngram, room) for ngram in ngrams], room, style))
    return lines


def _ngram(text: str, count: int, weight: float | None, room: int) -> str:
    told = "".join([f" ×{count}" if count > 1 else "", f" ({numbers.score(weight)})" if weight is not None else ""])
    return f"{_isolate(_clip(text, room - len(told) - 12))}{told}"


def _listed(label: str, items: Sequence[str], room: int, style: str) -> Line:
    """As many items as one line holds, and how many more there are."""
    text, shown = "", 0
    for item in items:
        fresh = f"{text} · {item}" if text else item
        more = f" … {len(items) - shown - 1} more" if shown + 1 < len(items) else ""
        if _width(fresh) + len(more) > room and text:
            break
        text, shown = fresh, shown + 1
    more = f" … {len(items) - shown} more" if shown < len(items) else ""
    return [(label.ljust(LABEL), "dim"), (text, style), (more, "dim")]


def _clip(text: str, room: int) -> str:
    return text if _width(text) <= room else _cut(text, room - 1, room)[0] + "…"


# -- edits, matches ------------------------------------------------------------------------------------------


def _edits(explanation: Explanation, width: int) -> list[Line]:
    script = explanation.edits
    if script is None:
        return []
    moved = explanation.hypothesis if script.shifted == "hypothesis" else explanation.reference
    lines: list[Line] = []
    for n, shift in enumerate(script.shifts, 1):
        words = " ".join(moved[w] for w in shift.words)
        told = shift_told(shift)
        shown = _isolate(_clip(words, max(12, width - LABEL - len(told) - 2)))
        lines.append([(f"shift {n}".ljust(LABEL), "dim"), (shown, "level2"), (f"  {told}", "dim")])
    return [*lines, *_steps(explanation, script, width)]


def _steps(explanation: Explanation, script: EditScript, width: int) -> list[Line]:
    """Matches in a row on one line, every edit on its own."""
    lines: list[Line] = []
    for kind, run in itertools.groupby(script.edits, key=lambda edit: edit.kind):
        steps = list(run)
        label = _SIGNS.get(kind, kind)
        if kind == "match" or kind == "insertion" or kind == "deletion":
            style = "level4" if kind == "match" else "level0"
            lines += _labelled(label, [[(_shown(_word(explanation, edit)), style)] for edit in steps], width)
            continue
        if kind in RELATED:
            lines += [_related(explanation, match, label, width) for match in _matches_of(explanation, steps)]
            continue
        for edit in steps:
            told = _jump(explanation, edit) if kind == "jump" else _replacement(explanation, edit, width - LABEL)
            lines.append([(label.ljust(LABEL), "dim"), (told, "level0")])
    return lines


def _matches_of(explanation: Explanation, steps: Sequence[Edit]) -> list[Match]:
    """What the steps match, in their order."""
    places = {edit.reference for edit in steps}
    return sorted((m for m in explanation.matches if m.reference[0] in places), key=lambda m: m.reference)


def _related(explanation: Explanation, match: Match, label: str, width: int) -> Line:
    """Words that stand for others."""
    ours = " ".join(explanation.hypothesis[slice(*match.hypothesis)])
    theirs = " ".join(explanation.reference[slice(*match.reference)])
    ours, theirs = (_isolate(_clip(words, (width - LABEL) // 2 - 2)) for words in (ours, theirs))
    return [(label.ljust(LABEL), "dim"), (f"{ours} ~ {theirs}", "level2")]


def _word(explanation: Explanation, edit: Edit) -> str:
    """The word of a match, an insertion or a deletion."""
    if edit.hypothesis is not None:
        return explanation.hypothesis[edit.hypothesis]
    return explanation.reference[edit.reference or 0]


def _replacement(explanation: Explanation, edit: Edit, room: int) -> str:
    words = (explanation.hypothesis[edit.hypothesis or 0], explanation.reference[edit.reference or 0])
    ours, theirs = (_isolate(_clip(word, room // 2 - 2)) for word in words)
    return f"{ours} → {theirs}"


def _jump(explanation: Explanation, edit: Edit) -> str:
    return "to the end" if edit.hypothesis is None else f"to word {edit.hypothesis + 1}"


def _matches(explanation: Explanation, width: int) -> list[Line]:
    if explanation.edits is not None or not explanation.matches:
        return []
    lines = _matrix(explanation, width)
    if all(match.kind == "exact" for match in explanation.matches):
        return lines
    if lines:
        lines.append([])
    return [
        *lines,
        *(_related(explanation, match, match.kind, width) for match in explanation.matches if match.kind != "exact"),
    ]


def _matrix(explanation: Explanation, width: int) -> list[Line]:
    """The alignment: hypothesis words down, the numbers of the reference words across; nothing where it is too wide."""
    columns = len(explanation.reference)
    room = width - 3 * columns
    if room < 8 or max(columns, len(explanation.hypothesis)) > MATRIX:
        return []
    room = min(room, max(_width(_shown(word)) for word in explanation.hypothesis) + 1)
    lines: list[Line] = [[(" " * room + "".join(f"{j + 1:>3}" for j in range(columns)), "dim")]]
    for word, row in zip(explanation.hypothesis, explanation.matrix(), strict=True):
        label = _clip(_shown(word), room - 1)
        head = (_isolate(label) + " " * (room - _width(label)), "")
        lines.append([head, *((f"{letter(k) or '·':>3}", _kind_style(k)) for k in row)])
    kinds = dict.fromkeys(match.kind for match in explanation.matches)
    legend = ", ".join(f"{letter(kind)} {kind}" for kind in kinds)
    numbered: list[Line] = [[(f"{j + 1} {_shown(word)}", "")] for j, word in enumerate(explanation.reference)]
    return [*lines, [(legend, "dim")], *_labelled("across", numbered, width)]


def _kind_style(kind: str) -> str:
    return "dim" if not kind else "level4" if kind == "exact" else "level2"
