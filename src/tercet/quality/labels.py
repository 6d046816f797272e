"""`qe_labels`: true labels of quality, from post-edits, from the time that they took, and from judgements.

hter         edits that a post-editor made a word, by TER with shifts or without, capped at 1 or not, case aside or not
effort       HTER in classes: 1 perfect, 2 a near miss, 3 very low (Bojar et al. 2014)
tags         OK and BAD of each word: what TER matches is OK, or what no error span touches
gap-tags     the same with gaps: BAD where the post-edit has words that the translation lacks
time         post-editing time; times a word that lie far off are no labels
score        what judges gave, the mean over them
mqm          weights of error spans, summed up; the mean over raters
spans        error spans as JSON
error-free   1 for a score of 85 or more and no span, 0 otherwise (WMT26)
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet import inputs, label_inputs
from tercet.data import Assessments
from tercet.data.explanation import EditScript
from tercet.data.quality import ErrorSpan, JudgedText, QualityLabels
from tercet.errors import InputError
from tercet.formats.qe_words import BAD, OK
from tercet.human.assessments import outputs_only, segment_means
from tercet.human.penalties import WEIGHTS, penalties, read_weights, unknown_severities
from tercet.metrics.explained.edits import CELLS, wer_script
from tercet.metrics.ter import Ter
from tercet.numbers import plain
from tercet.options import verb
from tercet.options.quality import USED_FOR, LabelsOptions
from tercet.quality.typologies import Typology, read_typology, wmt14
from tercet.signing import fingerprint, signature
from tercet.stats.robust import mad_outliers

Array = npt.NDArray[np.float64]

OF_JUDGEMENTS = ("score", "mqm", "spans", "error-free")  # kinds that need no texts
_NEEDS = {
    **dict.fromkeys(("hter", "effort", "gap-tags"), ("target", "post_edits")),
    "time": ("target", "times"),
    **dict.fromkeys(OF_JUDGEMENTS, ("judgements",)),
}


@verb(LabelsOptions)
def qe_labels(asked: LabelsOptions) -> QualityLabels:
    """Make true labels of quality from post-edits or judgements, one a segment.

    >>> labels = qe_labels("tags", target=["the house red", "yes"], post_edits=["the red house", "yes , sir"])
    >>> labels.lines(), qe_labels("hter", target=["the house red"], post_edits=["the red house"]).lines()
    (['OK OK OK', 'OK'], ['0.3333333333333333'])
    """
    if asked.judgements is None:
        asked.refuse_idle(dict.fromkeys(("judgements_format", "pair", "system"), "without judgements"))
    asked, segments, notes = _with_texts(asked)
    needed = _NEEDS.get(asked.kind) or (("target", "judgements") if asked.judgements else ("target", "post_edits"))
    for name in needed:
        if getattr(asked, name) is None:
            raise InputError(
                f"{asked.kind} needs {' and '.join(needed).replace('_', '-')}.",
                hint=f"Give --{name.replace('_', '-')} FILE.",
            )
    if needed[-1] == "judgements":
        return _of_judgements(asked)
    makers: dict[str, Callable[[LabelsOptions], QualityLabels]] = {
        "hter": _hter,
        "effort": _effort,
        "tags": _tags,
        "gap-tags": _tags,
        "time": _time,
    }
    labels = makers[asked.kind](asked)
    return labels if segments is None else dataclasses.replace(labels, segments=segments, notes=(*labels.notes, *notes))


def _with_texts(asked: LabelsOptions) -> tuple[LabelsOptions, tuple[str, ...] | None, list[str]]:
    """What was asked, with the texts of a campaign in their places; their segments if labels are of post-edits."""
    if asked.judgements is None or asked.target is not None or asked.kind in OF_JUDGEMENTS:
        return asked, None, []
    texts = inputs.judged_texts(asked.judgements, asked.judgements_format)
    names = list(dict.fromkeys(text.system for text in texts))
    if not names:
        return asked, None, []
    system = chosen_system(names, asked.system, str(asked.judgements))
    mine = [text for text in texts if text.system == system]
    first = first_of_each(mine)
    asked = dataclasses.replace(asked, target=[text.text for text in first])
    if first[0].edited is None:
        return asked, None, []
    more = len(mine) - len(first)
    notes = [f"{more} post-edits of segments that had one before are left out."] if more else []
    after, times = [str(text.edited) for text in first], [text.seconds for text in first]
    asked = dataclasses.replace(asked, post_edits=after, times=times, judgements=None)
    return asked, tuple(text.segment for text in first), notes


def first_of_each(texts: Sequence[JudgedText]) -> list[JudgedText]:
    """One text a system and segment, the earliest."""
    return list({(text.system, text.segment): text for text in reversed(texts)}.values())[::-1]


def edit_scripts(
    translations: Sequence[str], post_edits: Sequence[str], *, shifts: bool = True, case_sensitive: bool = False
) -> list[EditScript]:
    """How each translation becomes its post-edit: by TER, or by the fewest edits without moving anything."""
    if shifts:
        return list(Ter(case_sensitive=case_sensitive).edit_scripts(translations, post_edits))
    out = []
    for i, pair in enumerate(zip(translations, post_edits, strict=True), 1):
        before, after = pair if case_sensitive else map(str.lower, pair)
        script = wer_script(before.split(), after.split())
        if script is None:
            raise InputError(
                f"Segment {i} is too long to be aligned word by word without shifts.",
                hint=f"Words times words of the post-edit are at most {CELLS}; split it.",
            )
        out.append(script)
    return out


def hter(
    translations: Sequence[str],
    post_edits: Sequence[str],
    *,
    shifts: bool = True,
    case_sensitive: bool = False,
    capped: bool = True,
) -> Array:
    """Edits a word of the post-edit: the metric `hter`, or without shifts; edits against nothing are 1.

    >>> hter(["a b c d", "x"], ["a", ""], capped=False).tolist(), hter(["b a"], ["a b"], shifts=False).tolist()
    ([3.0, 1.0], [1.0])
    """
    if shifts:
        metric = Ter(case_sensitive=case_sensitive)
        costs, lengths = metric.statistics(metric.batch(list(translations), list(post_edits))).T
    else:
        scripts = edit_scripts(translations, post_edits, shifts=False, case_sensitive=case_sensitive)
        costs = np.array([script.cost for script in scripts], dtype=np.float64)
        lengths = np.array([len(text.split()) for text in post_edits], dtype=np.float64)
    rates: Array = np.divide(costs, lengths, out=(costs > 0).astype(np.float64), where=lengths > 0)
    return np.minimum(rates, 1.0) if capped else rates


def word_tags(script: EditScript, n_words: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tags of the words of a translation, and of the gaps before, between and after them.

    >>> script = edit_scripts(["the big house"], ["the very big garden"])[0]
    >>> word_tags(script, 3)
    (('OK', 'OK', 'BAD'), ('OK', 'BAD', 'OK', 'OK'))
    """
    words, gaps = [BAD] * n_words, [OK] * (n_words + 1)
    before = 0  # the gap behind the last word that was read
    for edit in script.edits:
        if edit.hypothesis is None:
            gaps[before] = BAD
            continue
        before = edit.hypothesis + 1
        if edit.kind == "match":
            words[edit.hypothesis] = OK
    return tuple(words), tuple(gaps)


def effort_classes(rates: Array, bounds: Sequence[float]) -> Array:
    """Classes from 1 up by the highest HTER of each.

    >>> effort_classes(np.array([0.0, 0.2, 0.3, 0.9]), (0.0, 0.3)).tolist()
    [1.0, 2.0, 2.0, 3.0]
    """
    if list(bounds) != sorted(set(bounds)) or not all(math.isfinite(bound) for bound in bounds):
        raise InputError(f"The bounds of effort are {', '.join(plain(b) for b in bounds)}.", hint="They must rise.")
    return np.searchsorted(np.array(bounds), rates, side="left").astype(np.float64) + 1


def without_outliers(times: Array, lengths: Array, cutoff: float) -> Array:
    """Times of which those that lie far off, by the logarithm of the time a word, are NaN; so are those of 0.

    >>> times = np.array([9.0, 10.0, 11.0, 10.0, 9000.0, 0.0])
    >>> without_outliers(times, np.full(6, 5.0), 3.5).tolist()
    [9.0, 10.0, 11.0, 10.0, nan, nan]
    """
    if not cutoff:
        return times
    with np.errstate(divide="ignore"):
        pace = np.where(times > 0, np.log(times / np.maximum(lengths, 1)), np.nan)
    return np.where(np.isnan(pace) | mad_outliers(pace, cutoff).mask, np.nan, times)


def tags_of_spans(
    text: str, spans: Sequence[ErrorSpan], name: Callable[[ErrorSpan], str] = lambda _: BAD
) -> tuple[str, ...]:
    """The tag of each word of a text: that of the first span that touches it, else OK.

    >>> tags_of_spans("ein rotes Haus", [ErrorSpan(4, 9)])
    ('OK', 'BAD', 'OK')
    """
    tags, place = [], 0
    for word in text.split():
        start = text.index(word, place)
        place = start + len(word)
        touching = next((s for s in spans if s.start < place and max(s.end, s.start + 1) > start), None)
        tags.append(OK if touching is None else name(touching))
    return tuple(tags)


def _hter(asked: LabelsOptions) -> QualityLabels:
    before, after = _edited(asked)
    rates = hter(before, after, shifts=asked.shifts, case_sensitive=asked.case_sensitive, capped=asked.capped)
    return _made(asked, tuple(rates.tolist()), {"target": before, "post-edits": after})


def _effort(asked: LabelsOptions) -> QualityLabels:
    before, after = _edited(asked)
    rates = hter(before, after, shifts=asked.shifts, case_sensitive=asked.case_sensitive)
    classes = effort_classes(rates, tuple(asked.bounds))
    return _made(asked, tuple(classes.tolist()), {"target": before, "post-edits": after})


def _tags(asked: LabelsOptions) -> QualityLabels:
    before, after = _edited(asked)
    scripts = edit_scripts(before, after, shifts=asked.shifts, case_sensitive=asked.case_sensitive)
    lines: list[tuple[str, ...]] = []
    for text, script in zip(before, scripts, strict=True):
        words, gaps = word_tags(script, len(text.split()))
        if asked.kind == "tags":
            lines.append(words)
        else:
            both = [gaps[0], *(tag for pair in zip(words, gaps[1:], strict=True) for tag in pair)]
            lines.append(tuple(both))
    return _made(asked, tuple(lines), {"target": before, "post-edits": after})


def _time(asked: LabelsOptions) -> QualityLabels:
    target, times = label_inputs.lines_of(asked.target or (), "target"), label_inputs.times(asked.times)
    _check_counts(target, times, "times")
    lengths = np.array([len(text.split()) for text in target], dtype=np.float64)
    kept = without_outliers(times, lengths, asked.cutoff) * asked.scale
    lost = int(np.isnan(kept).sum())
    notes = (f"{lost} of {len(kept)} times lie far off and are no labels (nan).",) if lost else ()
    return _made(asked, tuple(kept.tolist()), {"target": target, "times": times}, notes=notes)


def _of_judgements(asked: LabelsOptions) -> QualityLabels:
    judged = inputs.judgements(asked.judgements, asked.judgements_format, asked.pair)  # type: ignore[arg-type]
    if not isinstance(judged, Assessments):
        raise InputError(
            f"{judged.file} has rankings where scores or error spans are needed.",
            hint="Labels of quality come from direct assessment, ESA or MQM.",
        )
    rows = outputs_only(judged)
    system = _system(rows, asked.system)
    mine = rows.part(rows.system == system)
    typology = wmt14() if asked.typology is None else read_typology(asked.typology)
    data: dict[str, Any] = {"judgements": judged}
    if asked.typology is not None and "typology" in USED_FOR[asked.kind]:
        data["typology"] = typology
    notes = list(judged.notes)
    if asked.kind in ("score", "error-free") and np.isnan(mine.score).all():
        raise InputError(
            f"{judged.file} has no scores of {rows.systems[system]}.", hint="Make labels of its errors: qe labels mqm."
        )
    if asked.kind == "score":
        segments, means = _means(mine, mine.score, system)
        return _made(asked, tuple(means.tolist()), data, segments, notes)
    if asked.kind == "mqm":
        weights = typology.severities if asked.typology is not None else read_weights(WEIGHTS)
        values, unknown = penalties(mine, weights)
        notes += [unknown_severities(unknown)] if unknown else []
        segments, means = _means(mine, values, system)
        return _made(asked, tuple(means.tolist()), data, segments, notes)
    if asked.kind == "error-free":
        free = (mine.score >= asked.threshold) & (_span_counts(mine) == 0)
        values = np.where(np.isnan(mine.score), np.nan, free.astype(np.float64))
        segments, means = _means(mine, values, system)
        return _made(asked, tuple((means == 1).astype(np.float64).tolist()), data, segments, notes)  # all raters agree
    segments, spans = _spans_of(mine)
    if asked.kind == "spans":
        return _made(asked, spans, data, segments, notes)
    target = label_inputs.lines_of(asked.target or (), "target")
    _check_counts(target, segments, f"segments of {rows.systems[system]} that were judged")
    lines = tuple(
        tags_of_spans(text, marked, _namer(asked.granularity, typology, segment))
        for text, marked, segment in zip(target, spans, segments, strict=True)
    )
    return _made(asked, lines, {**data, "target": target}, segments, notes)


def _namer(granularity: str, typology: Typology, segment: str) -> Callable[[ErrorSpan], str]:
    def name(span: ErrorSpan) -> str:
        if granularity == "given":
            return span.category.replace(" ", "_") or BAD
        return typology.coarse(span.category or BAD, granularity, f"Segment {segment}")

    return name


def _system(rows: Assessments, wanted: str | None) -> int:
    names = [rows.systems[s] for s in sorted(set(rows.system.tolist()))]
    return rows.systems.index(chosen_system(names, wanted, rows.file))


def chosen_system(names: Sequence[str], wanted: str | None, file: str) -> str:
    """The system that is wanted, or the only one."""
    if wanted is not None and wanted not in names:
        raise InputError(f"{file} has no system {wanted!r}.", hint=f"It has {', '.join(names)}.")
    if wanted is None and len(names) != 1:
        raise InputError(f"{file} has {len(names)} systems: {', '.join(names[:6])}.", hint="Choose one: --system NAME.")
    return wanted if wanted is not None else names[0]


def _span_counts(rows: Assessments) -> npt.NDArray[np.int64]:
    marked = rows.errors.row if rows.errors is not None else np.zeros(0, dtype=np.int64)
    return np.bincount(marked, minlength=len(rows))


def _means(rows: Assessments, values: Array, system: int) -> tuple[list[str], Array]:
    """The mean over raters of each segment that was judged, in the order of the segments."""
    means = segment_means(rows, values).segments()[system]
    there = np.flatnonzero(~np.isnan(means))
    return [rows.segments[i] for i in there], means[there]


def _spans_of(rows: Assessments) -> tuple[list[str], tuple[tuple[ErrorSpan, ...], ...]]:
    """Spans of each segment that was judged, those of several raters one after the other; what has no place is left."""
    spans: dict[int, list[ErrorSpan]] = {int(i): [] for i in sorted(set(rows.segment.tolist()))}
    errors = rows.errors
    if errors is None or errors.start is None or errors.end is None:
        raise InputError(f"{rows.file} does not say where errors are.", hint="Give MQM or ESA with spans.")
    columns = zip(errors.row, errors.category, errors.severity, errors.start, errors.end, strict=True)
    for row, category, severity, start, end in columns:
        if start >= 0:
            named = errors.categories[category] if category >= 0 else ""
            span = ErrorSpan(int(start), int(end), errors.severities[severity].lower(), named)
            spans[int(rows.segment[row])].append(span)
    return [rows.segments[i] for i in spans], tuple(tuple(mine) for mine in spans.values())


def _made(
    asked: LabelsOptions,
    values: Any,
    data: dict[str, Any],
    segments: Sequence[str] | None = None,
    notes: Sequence[str] = (),
) -> QualityLabels:
    facts: dict[str, Any] = {"kind": asked.kind}
    for name in USED_FOR[asked.kind]:
        value = getattr(asked, name)
        if value is not None and name != "typology":  # which is signed by its content
            shown_value = "+".join(plain(v) for v in value) if isinstance(value, tuple | list) else value
            facts[name] = str(shown_value).lower() if isinstance(value, bool) else shown_value
    names = tuple(segments) if segments is not None else tuple(str(i) for i in range(1, len(values) + 1))
    signed = signature("qe-labels", facts, {kind: fingerprint(content) for kind, content in data.items()})
    return QualityLabels(asked.kind, names, values, signed, tuple(notes))


def _edited(asked: LabelsOptions) -> tuple[list[str], list[str]]:
    before, after = (label_inputs.lines_of(given or (), "text") for given in (asked.target, asked.post_edits))
    _check_counts(before, after, "post-edits")
    return before, after


def _check_counts(target: Sequence[str], others: Sequence[Any] | Array, what: str) -> None:
    if len(target) != len(others):
        raise InputError(
            f"There are {len(target)} translations and {len(others)} {what}.", hint="Give one a translation."
        )
