"""Word level: tags aligned with the true ones, mapped, measured and tested; trivial baselines; consistency."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from tercet.data.quality import Confusion, LabelDistribution, QualityRecord, Side, TagColumns, TagLines, WordTags
from tercet.errors import InputError
from tercet.formats.qe_words import BAD, OK, SIDES
from tercet.options.quality import EvaluateOptions
from tercet.quality.sentences import heard, told
from tercet.quality.typologies import Typology, granularity_of
from tercet.quality.winners import Verdict, bootstrap_verdicts
from tercet.quality.wordlevel import SUMMARY, ClassCounts, confusion, ordered_labels, statistics, summary
from tercet.stats.resampling import bootstrap

TASKS: Mapping[Side, str] = {"mt": "word", "gap": "gap", "source": "source"}
TESTED = ("f1-err", "mcc-err", "f1-multi")
GIVEN = "given"


@dataclasses.dataclass(frozen=True, eq=False)
class TagTask:
    """One side and granularity: the true tags, and those of each system."""

    task: str
    granularity: str
    gold: TagLines
    predicted: Mapping[str, TagLines]


@dataclasses.dataclass(frozen=True)
class WordAnswer:
    """What is said of words."""

    records: tuple[QualityRecord, ...]
    confusions: tuple[Confusion, ...]
    distributions: tuple[LabelDistribution, ...]
    notes: tuple[str, ...]


def word_answer(
    predictions: Mapping[str, WordTags],
    gold: WordTags,
    training: WordTags | None,
    typology: Typology,
    how: EvaluateOptions,
) -> WordAnswer:
    """Every measure of every system on every side and granularity."""
    for name, tags in predictions.items():
        _check_alike(name, tags, gold)
        _check_known(name, tags, gold, typology)
    records: list[QualityRecord] = []
    confusions: list[Confusion] = []
    spread: list[LabelDistribution] = []
    notes: list[str] = []
    for task in _tasks(predictions, gold, typology, how):
        learnt = None if training is None or task.task != "word" else _column(training, task, typology)
        trivial, note = _trivial(task, learnt)
        notes += note
        made, matrices = _measured(task, trivial, how)
        records += made
        confusions += matrices
        for name, lines in {"gold": task.gold, **({} if learnt is None else {"training": learnt})}.items():
            spread.append(LabelDistribution.of_classes(_titled(name, task), _counts(lines)))
    records += _consistency(predictions, typology)
    return WordAnswer(tuple(records), tuple(confusions), tuple(spread), tuple(dict.fromkeys(notes)))


def _titled(name: str, task: TagTask) -> str:
    return f"{name}, {task.task}" + ("" if task.granularity == GIVEN else f", {task.granularity}")


def _counts(lines: TagLines) -> dict[str, int]:
    counted = Counter(tag for line in lines for tag in line)
    return {label: counted[label] for label in ordered_labels(lines)}


def _check_alike(name: str, tags: WordTags, gold: WordTags) -> None:
    """Refuse tags that are not of the words of the true ones."""
    shared = [side for side in SIDES if side in tags.sides and side in gold.sides]
    if not shared:
        raise InputError(
            f"{tags.file or name} tags {', '.join(tags.sides)}, and the true tags are of {', '.join(gold.sides)}.",
            hint="Give tags of the same side; --gaps says that lines hold gaps.",
        )
    for side in shared:
        mine, true = tags.sides[side], gold.sides[side]
        if len(mine) != len(true):
            raise InputError(
                f"{tags.file or name} has tags of {len(mine)} sentences, and the true ones are of {len(true)}.",
                hint="Give one line a sentence.",
            )
        for s, (said, wanted) in enumerate(zip(mine.columns[0], true.columns[0], strict=True)):
            if len(said) != len(wanted):
                raise InputError(
                    f"{mine.where(tags.file or name, s)}: {len(said)} {TASKS[side]} tags where there should be "
                    f"{len(wanted)}.",
                    hint="Give one tag a word of the tokenised text.",
                )
            if mine.words is not None and true.words is not None and side != "gap":
                pairs = zip(mine.words[s], true.words[s], strict=True)
                other = next(((a, b) for a, b in pairs if a.lower() != b.lower()), None)
                if other is not None:
                    raise InputError(
                        f"{mine.where(tags.file or name, s)}: the word {other[0]!r} is {other[1]!r} in the true tags.",
                        hint="Tag the same words.",
                    )


def _check_known(name: str, tags: WordTags, gold: WordTags, typology: Typology) -> None:
    """Refuse a text in the place of its tags: of tags, some are known."""
    given, true = (
        {tag: None for columns in labels.sides.values() for lines in columns.columns for tag in _flat(lines)}
        for labels in (tags, gold)
    )
    if given and not any(tag == BAD or tag in true or typology.level1(tag) for tag in given):
        raise InputError(
            f"{tags.file or name} has no tag that is known; the first is {next(iter(given))!r}.",
            hint="Give tags, not the text: OK, BAD, types of the typology (--typology), or such as are true.",
        )


def _tasks(
    predictions: Mapping[str, WordTags], gold: WordTags, typology: Typology, how: EvaluateOptions
) -> list[TagTask]:
    """What is evaluated: each side, and each granularity that the true tags have, or the one that was asked for."""
    out = []
    for side in SIDES:
        if side not in gold.sides:
            continue
        true = gold.sides[side]
        mine = {name: tags.sides[side] for name, tags in predictions.items() if side in tags.sides}
        if not mine:
            continue
        if how.granularity != GIVEN:
            derived = {n: _coarse(c, how.granularity, typology, predictions[n].file or n) for n, c in mine.items()}
            out.append(
                TagTask(TASKS[side], how.granularity, _coarse(true, how.granularity, typology, gold.file), derived)
            )
            continue
        for c, lines in enumerate(true.columns):
            grain = granularity_of(_flat(lines), typology) if len(true.columns) > 1 else GIVEN
            said = {
                name: columns.columns[c] if len(columns.columns) == len(true.columns) else columns.columns[0]
                for name, columns in mine.items()
                if len(columns.columns) == len(true.columns) or c == 0
            }
            out.append(TagTask(TASKS[side], grain, lines, said))
    return out


def _flat(lines: TagLines) -> list[str]:
    return [tag for line in lines for tag in line]


def _coarse(columns: TagColumns, granularity: str, typology: Typology, file: str) -> TagLines:
    """Coarse tags derived from the finest ones."""
    return tuple(
        tuple(typology.coarse(tag, granularity, columns.where(file, s)) for tag in line)
        for s, line in enumerate(columns.columns[0])
    )


def _column(training: WordTags, task: TagTask, typology: Typology) -> TagLines:
    columns = training.sides.get("mt") or next(iter(training.sides.values()))
    if task.granularity in (GIVEN, "multi"):
        return columns.columns[0]
    return _coarse(columns, task.granularity, typology, training.file)


def _trivial(task: TagTask, training: TagLines | None) -> tuple[dict[str, TagLines], list[str]]:
    """All OK, and all of the commonest error."""
    counted = Counter(tag for tag in _flat(task.gold if training is None else training) if tag != OK)
    out = {"all OK": OK}
    notes = []
    if counted:
        commonest = min(counted, key=lambda tag: (-counted[tag], tag))
        out[f"all {commonest}"] = commonest
        if training is None and len(counted) > 1:
            notes.append(f"The commonest error, {commonest}, is that of the true tags: no --training was given.")
    return {name: tuple((tag,) * len(line) for line in task.gold) for name, tag in out.items()}, notes


def _measured(
    task: TagTask, trivial: Mapping[str, TagLines], how: EvaluateOptions
) -> tuple[list[QualityRecord], list[Confusion]]:
    labels = ordered_labels(task.gold, *task.predicted.values(), *trivial.values())
    matrices = {name: confusion(task.gold, lines, labels) for name, lines in {**task.predicted, **trivial}.items()}
    tests = _tests({name: statistics(matrices[name]) for name in task.predicted}, labels, how)
    out, tables = [], []
    for name, by_sentence in matrices.items():
        total = by_sentence.sum(axis=0)
        rows = total.sum(axis=1, keepdims=True)
        shares = np.divide(total, rows, out=np.zeros(total.shape), where=rows > 0)
        tables.append(Confusion(name, task.task, task.granularity, tuple(labels), total, shares))
        counts = ClassCounts.of_sums(statistics(total))
        n = int(total.sum())

        def record(measure: str, value: float, label: str | None = None, size: int = n, whose: str = name) -> None:
            verdict = tests.get((whose, measure)) if label is None else None
            out.append(QualityRecord(whose, task.task, task.granularity, measure, label, value, *told(verdict), n=size))

        for measure in SUMMARY:
            value = float(summary(counts, labels, measure))
            if not np.isnan(value):
                record(measure, value)
        per_class = {"f1": counts.f1(), "precision": counts.precision(), "recall": counts.recall(), "mcc": counts.mcc()}
        for measure, values in per_class.items():
            for label, value, size in zip(labels, values.tolist(), counts.gold.tolist(), strict=True):
                record(measure, value, label, int(size))
    return out, tables


def _tests(
    rows: Mapping[str, np.ndarray], labels: Sequence[str], how: EvaluateOptions
) -> dict[tuple[str, str], Verdict]:
    """Verdicts by system and measure: sentences are drawn, and all systems see the same draws."""
    if not rows:
        return {}
    names = list(rows)
    stacked = np.stack([rows[name] for name in names])
    place = names.index(how.baseline) if how.baseline in names else None
    binary = not np.isnan(summary(ClassCounts.of_sums(stacked.sum(axis=1)), labels, "f1-multi")).any()
    tested = [measure for measure in TESTED if measure != "f1-multi" or binary]

    def scores(sums: np.ndarray) -> np.ndarray:
        counts = ClassCounts.of_sums(sums)
        return np.concatenate([summary(counts, labels, measure) for measure in tested], axis=-1)

    values = scores(stacked.sum(axis=1)).reshape(len(tested), len(names))
    drawn = bootstrap(stacked, scores, how.samples, how.seed, threads=how.workers, progress=heard(how))
    parts = drawn.reshape(len(tested), len(names), how.samples)
    return {
        (name, measure): verdict
        for m, measure in enumerate(tested)
        for name, verdict in zip(
            names, bootstrap_verdicts(values[m], parts[m], place, how.alpha, higher=True), strict=True
        )
    }


def _consistency(predictions: Mapping[str, WordTags], typology: Typology) -> list[QualityRecord]:
    """Of systems that tag at several granularities: on how many words coarse tags are what the finest one implies."""
    out = []
    for name, tags in predictions.items():
        for side, columns in tags.sides.items():
            for lines in columns.columns[1:]:
                grain = granularity_of(_flat(lines), typology)
                if grain == "multi":
                    continue
                implied = _coarse(columns, grain, typology, tags.file or name)
                same = [a == b for one, two in zip(lines, implied, strict=True) for a, b in zip(one, two, strict=True)]
                share = float(np.mean(same)) if same else float("nan")
                out.append(QualityRecord(name, TASKS[side], grain, "consistency", None, share, n=len(same)))
    return out
