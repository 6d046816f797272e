"""The one gate of input. What a verb is given, as it is or as the name of a file, becomes a noun here and nowhere else.

    texts_in_parts, texts      what `score` takes: lists, files or a test set; in parts of bounded size, or whole
    parts_of_testset, whole_testset     a test set by itself
    judged, judgements, judged_texts    human judgements as options or files, and the translations that they are of
    scores, human_scores       scores of metrics, and those of people beside or among them
    shared_pair                the language pair of what is given together, where it is not named
    corpus                     text of one language, in blocks of lines
    retrieved                  runs, relevance judgements and texts by id

A language pair means the same to all of them. Of a folder or file that has several it chooses one; what says its pair
and is of another one is refused; what does not say is taken to be of that pair. Where none is named, it is the only
one that texts, scores and judgements given together have in common.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import pathlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from tercet import data, formats
from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import (
    languages,
    lines,
    packing,
    places,
    testset_pairs,
    testset_parts,
    testset_share,
    testset_size,
    text,
)
from tercet.formats.columns import EVERYTHING
from tercet.formats.lines import File
from tercet.formats.shares import Share, Unread
from tercet.formats.stretches import is_plain
from tercet.numbers import thousands
from tercet.options import Options
from tercet.options.groups import TextOptions

if TYPE_CHECKING:  # few verbs wait for these
    from tercet.data import Judgements, MetricScores
    from tercet.data.quality import JudgedText
    from tercet.options.judging import Judged

M = TypeVar("M", bound=Mapping[str, Any])
P = TypeVar("P", bound="TestSet | Unread")
Scored: TypeAlias = "MetricScores | Sequence[MetricScores] | File | Sequence[File]"


@dataclasses.dataclass(frozen=True)
class Parts:
    """A test set in parts; `again` says whether they can be read more than once, `size` counts segments beforehand."""

    read: Callable[[], Iterable[TestSet]]
    again: bool = True
    size: Callable[[], int | None] = lambda: None
    read_share: Callable[[Share], Iterable[TestSet | Unread]] | None = None
    unsent: Callable[[int], Iterator[text.Unsent]] | None = None  # blocks of so many, to be read elsewhere
    files: Sequence[str] = ()  # that are read then

    def shared(self, share: Share) -> Iterable[TestSet | Unread]:
        """Those of a share, and of others perhaps no more than their number."""
        return self.read() if self.read_share is None or share.of == 1 else self.read_share(share)

    def checked(self, check: Callable[[TestSet], None]) -> Parts:
        """The same, each part looked at when it is read."""

        def looked_at(parts: Iterable[P]) -> Iterator[P]:
            for part in parts:
                if isinstance(part, TestSet):
                    check(part)
                yield part

        read_share = self.read_share
        shared = None if read_share is None else lambda share: looked_at(read_share(share))
        return dataclasses.replace(self, read=lambda: looked_at(self.read()), read_share=shared, unsent=None)

    @classmethod
    def of(cls, parts: Sequence[TestSet]) -> Parts:
        """Parts that are there already."""
        return cls(lambda: parts, size=lambda: sum(map(len, parts)))


def texts(asked: TextOptions) -> TestSet:
    """What is asked for as one whole test set."""
    return next(iter(texts_in_parts(asked, EVERYTHING).read()))


def texts_in_parts(asked: TextOptions, size: int) -> Parts:
    """What is asked for in parts of at most `size` segments, none of them longer than is asked for."""
    parts = _texts_in_parts(asked, size)
    return parts if asked.max_tokens is None else parts.checked(lambda part: _require_short(part, asked))


def _texts_in_parts(asked: TextOptions, size: int) -> Parts:
    hypotheses, given = asked.hypotheses, asked.testset
    if isinstance(hypotheses, TestSet | str | os.PathLike):  # a test set may be given first
        if given is not None:
            raise InputError("A test set is given twice.", hint="Give it once.")
        hypotheses, given = None, hypotheses
    if given is None:
        return _listed_or_files(hypotheses, asked, size)
    first = () if hypotheses is None else ("hypotheses",)
    require_alone(asked, *first, "references", "sources", "documents")
    return parts_of_testset(given, asked.testset_format, asked.pair, size)


def _require_short(part: TestSet, asked: TextOptions) -> None:
    """Refuse a text of more words than `--max-tokens` allows, and say where it stands."""
    most, references, systems = asked.max_tokens or 0, part.references, asked.hypotheses
    files = systems if isinstance(systems, Mapping) else {}
    columns: list[tuple[str, object, data.Texts | None]] = [(n, files.get(n), t) for n, t in part.systems.items()]
    columns += [("source", asked.sources, part.sources)]
    columns += [("reference", asked.references, None if references is None else references.texts)]
    for column, given, texts in columns:
        for i, line in enumerate(texts or ()):
            if len(line) <= 2 * most or (words := len(line.split())) <= most:  # words have a space between them
                continue
            row = i
            if references is not None and texts is references.texts:
                row = int(np.searchsorted(references.groups, i, side="right")) - 1
            raise InputError(
                f"{_place(asked, column, given)}: segment {part.segments[row]} has {thousands(words)} words, and "
                f"--max-tokens allows {thousands(most)}.",
                hint="Split it into sentences, or allow more.",
            )


def _place(asked: TextOptions, column: str, given: object) -> str:
    """Where a column of texts stands: its file, or the test set and the column, as far as they are files."""
    file = given[0] if isinstance(given, Sequence) and len(given) == 1 else given
    if isinstance(file, pathlib.Path):
        return f"{file}"
    testset = _called(asked.testset, "") or _called(asked.hypotheses, "")
    return f"{testset}, {column}" if testset else column


def require_alone(asked: Options, *others: str) -> None:
    """Refuse texts beside a test set."""
    named = [name for name in others if getattr(asked, name)]
    if named:
        raise InputError(
            f"Give a test set or {' and '.join(named)}, not both.",
            hint="A test set has all of them in it, and is given one at a time.",
        )


def whole_testset(given: TestSet | File, form: str | None = None, pair: str | None = None) -> TestSet:
    """A test set as it is, or from its file or folder."""
    return next(iter(parts_of_testset(given, form, pair, EVERYTHING).read()))


def parts_of_testset(given: TestSet | File, form: str | None, pair: str | None, size: int) -> Parts:
    """The same in parts of at most `size` segments."""
    if isinstance(given, TestSet):
        return Parts.of([given])
    path = pathlib.Path(given)
    if os.path.isdir(path):
        from tercet.formats import directory

        return Parts.of([directory.read(path, pair)])
    with lines.said(path):
        whole = places.is_file(path)
    if form is None and os.path.exists(path) and not whole:
        raise InputError(f"{path} is a pipe, and looking at it would use it up.", hint="Name its --testset-format.")
    wanted = None if pair is None else languages.wanted_pair(pair)
    said = testset_pairs(path, form) if wanted and whole else []
    if said and wanted not in said:
        raise languages.nothing_of(wanted or "", os.fspath(given), said)
    return Parts(
        lambda: testset_parts(given, size, form),
        whole,
        lambda: testset_size(given, form) if whole else None,
        (lambda share: testset_share(given, size, form, share)) if whole else None,
    )


def shared_pair(
    pair: str | None,
    testset: TestSet | File | None,
    testset_format: str | None = None,
    judgements: Judgements | File | None = None,
    judgements_format: str | None = None,
    scores: Sequence[MetricScores] = (),
) -> str | None:
    """The language pair that is asked for, or the only one that the test set and what is given with it share.

    None where nothing says, or one file alone: what reads it then chooses, or asks.
    """
    if pair or testset is None:
        return pair
    said = {_called(testset, "the test set"): _said_by_testset(testset, testset_format)}
    said |= {"scores": list(dict.fromkeys(s.direction for s in scores if s.direction))}
    shared = _in_common(said)
    there = isinstance(judgements, data.Judgements)  # a file of them is long: it is read twice only if it must
    if judgements is not None and (there or len(shared) > 1):
        said |= {_called(judgements, "judgements"): _said_by_judgements(judgements, judgements_format)}
        shared = _in_common(said)
    speaking = {file: pairs for file, pairs in said.items() if pairs}
    if len(shared) == 1 or len(speaking) < 2:
        return shared[0] if len(shared) == 1 else None
    listed = "; ".join(f"{file} has {', '.join(pairs)}" for file, pairs in speaking.items())
    if not shared:
        raise InputError("What is given together has no language pair in common.", hint=f"{listed}.")
    raise InputError(
        f"What is given together has language pairs in common: {', '.join(shared)}.",
        hint=f"{listed}. Choose one: --pair {shared[0]}.",
    )


def require_pair_of_name(testset: TestSet | File | None, pair: str) -> None:
    """Texts say nothing of their languages, the name of their file may: another pair than the judgements' is refused.

    Systems of two directions are often called alike, and segments are.
    """
    named = languages.pair_of_name(pathlib.Path(testset).name) if isinstance(testset, str | os.PathLike) else ""
    if pair and named and named != pair:
        raise InputError(
            f"By its name {_called(testset, '')} is of {named}, and what people or metrics say is of {pair}.",
            hint=f"Name the other texts; or say --pair {pair} if the name misleads.",
        )


def _in_common(said: Mapping[str, Sequence[str]]) -> list[str]:
    speaking = [pairs for pairs in said.values() if pairs]
    return [p for p in speaking[0] if all(p in pairs for pairs in speaking)] if speaking else []


def _called(given: object, otherwise: str) -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else otherwise


def _said_by_testset(given: TestSet | File, form: str | None) -> list[str]:
    if isinstance(given, TestSet) or not (places.is_file(given) or os.path.isdir(given)):
        return []
    return list(dict.fromkeys(languages.pair(name) or name for name in testset_pairs(given, form)))


def _said_by_judgements(given: Judgements | File, form: str | None) -> list[str]:
    if isinstance(given, data.Judgements):
        return [given.pair] if given.pair else []
    is_file = isinstance(given, str | os.PathLike) and places.is_file(given)
    return formats.judgement_pairs(given, form) if is_file else []


def _listed_or_files(hypotheses: Any, asked: TextOptions, size: int) -> Parts:
    """Systems by name, as lists or as files, with their references, sources and documents."""
    if hypotheses is None:
        raise InputError(
            "Give either hypotheses with references, or a test set.",
            hint="For example: tercet score hyp.txt -r ref.txt",
        )
    if not isinstance(hypotheses, Mapping):
        raise InputError(
            f"The hypotheses are {type(hypotheses).__name__}, not systems by name.",
            hint='Pass a dict of a name to its outputs, {"mine": [...]}.',
        )
    if not hypotheses:
        raise InputError("There is no system to score.", hint="Name one or more files of translations.")
    files = {name: h for name, h in hypotheses.items() if isinstance(h, pathlib.Path)}
    if len(files) == len(hypotheses):
        return _files(files, asked, size)
    if files:
        raise InputError(f"Some systems are files ({', '.join(files)}) and others lists.", hint="Make them all alike.")
    lists: Any = asked  # what files could be, too
    whole = TestSet.of(dict(hypotheses), lists.references, sources=lists.sources, documents=lists.documents)
    return Parts.of([whole])


def _files(systems: Mapping[str, pathlib.Path], asked: TextOptions, size: int) -> Parts:
    references = [pathlib.Path(r) for r in asked.references or ()]  # type: ignore[arg-type]
    sources, documents = (None if f is None else pathlib.Path(f) for f in (asked.sources, asked.documents))  # type: ignore[arg-type]
    files = [f for f in (*systems.values(), *references, sources, documents) if f is not None]
    if all(_is_sgml(f) for f in files):
        from tercet.formats import sgml

        return Parts.of([sgml.assemble(list(systems.values()), references, sources)])
    _require_plain_text(files)
    again = True
    for file in files:
        with lines.said(file):
            again &= places.is_file(file)
    return Parts(
        lambda: text.read_parts(systems, references, sources, documents, size, num_refs=asked.num_refs),
        again,
        lambda: next((lines.count(f) for f in files if places.is_file(f)), None),
        lambda share: text.read_share(
            systems, references, sources, documents, size, num_refs=asked.num_refs, share=share
        ),
        (lambda n: text.unsent_blocks(systems, references, sources, documents, n, num_refs=asked.num_refs))
        if all(map(is_plain, files))
        else None,
        [os.fspath(places.absolute(file)) for file in files],
    )


def _is_sgml(file: pathlib.Path) -> bool:
    """Whether a file's name says that it is SGML: segments are then matched by their ids, not by their lines."""
    return packing.unpacked_name(file).endswith((".sgm", ".sgml"))


def _require_plain_text(files: Sequence[pathlib.Path]) -> None:
    """Markup and tables have lines, too, but their lines are no segments."""
    for file in files:
        name = packing.unpacked_name(file)
        if _is_sgml(file):
            raise InputError(
                f"{file} is SGML and not every other file is.", hint="Give all of them as SGML, or all as plain text."
            )
        if name.endswith((".xml", ".tsv", ".parquet")):
            raise InputError(
                f"{file} is no plain text with a segment a line.", hint="Give it as a test set: --testset FILE."
            )


def judged_texts(given: Judgements | File, form: str | None = None) -> list[JudgedText]:
    """The translations that were judged, where what is given holds them."""
    from tercet.formats.judgements import judged_texts as read_judged_texts

    return [] if isinstance(given, data.Judgements) else read_judged_texts(given, form)


def judged(asked: Judged) -> Judgements:
    """The judgements that are asked for."""
    return judgements(asked.judgements, asked.judgements_format, asked.pair)


def judgements(given: Judgements | File, form: str | None = None, pair: str | None = None) -> Judgements:
    """Judgements as they are, or from their file."""
    if not isinstance(given, data.Judgements | str | os.PathLike):
        raise InputError(
            f"Judgements are a file or what read_judgements gives, not {type(given).__name__}.",
            hint="Pass the name of a file.",
        )
    if not isinstance(given, data.Judgements):
        return formats.read_judgements(given, form, pair)
    if form is not None:
        raise InputError("A format belongs to a file of judgements.", hint="Leave it out.")
    if pair and given.pair and languages.wanted_pair(pair) != given.pair:
        raise languages.nothing_of(pair, given.file, [given.pair])
    return given


def scores(
    given: Scored, form: str | None, pair: str | None, lower: Sequence[str] = (), notes: list[str] | None = None
) -> list[MetricScores]:
    """Scores as they are, or from their files, those of one metric and level joined; `lower` ones are better lower."""
    several: Sequence[Any] = [given] if isinstance(given, data.MetricScores | str | os.PathLike) else given
    read: list[MetricScores] = []
    for one in several:
        read += [one] if isinstance(one, data.MetricScores) else formats.read_scores(one, form, pair=pair, notes=notes)
    unknown = [name for name in lower if name not in {s.metric for s in read}]
    if unknown:
        known = ", ".join(dict.fromkeys(s.metric for s in read))
        raise InputError(f"There are no scores of {', '.join(unknown)}.", hint=f"There are scores of {known}.")
    read = [dataclasses.replace(s, higher_is_better=False) if s.metric in lower else s for s in read]
    return formats.join(of_one_direction(read))


def of_one_direction(read: Sequence[MetricScores], beside: Sequence[MetricScores] = ()) -> list[MetricScores]:
    """Scores that do not say their language pair are of the only one that the others say, or those beside them."""
    said = list(dict.fromkeys(s.direction for s in (*read, *beside) if s.direction))
    if len(said) == 1:
        return [dataclasses.replace(s, direction=said[0]) for s in read]
    silent = dict.fromkeys(s.metric for s in read if not s.direction and not is_human(s))
    if said and silent:
        raise InputError(
            f"The scores of {', '.join(silent)} do not say their language pair, and others are of {', '.join(said)}.",
            hint=f"Name it: --pair {said[0]}.",
        )
    return list(read)


def missing_directions(given: Sequence[MetricScores]) -> list[str]:
    """Directions that a metric lacks and others of the same level have, with their count."""
    notes = []
    of_metrics = [s for s in given if not is_human(s)]
    for level in dict.fromkeys(s.level for s in of_metrics):
        there = [s for s in of_metrics if s.level == level]
        directions = list(dict.fromkeys(s.direction for s in there))
        for metric in dict.fromkeys(s.metric for s in there):
            scored = {s.direction for s in there if s.metric == metric}
            notes += _lacking(metric, "directions", directions, scored, "")
    return list(dict.fromkeys(notes))


def missing_scores(given: Sequence[MetricScores], texts: TestSet | None = None) -> list[str]:
    """What a metric lacks that others of the same level and direction have, or that are computed from the texts.

    Systems and segments that it has no score of at all, and single outputs of the others, each with its count. Human
    translations among the systems are no part of a submission.
    """
    notes = []
    of_metrics = [_of_machines(s) for s in given if not is_human(s)]
    for level, direction in dict.fromkeys((s.level, s.direction) for s in of_metrics):
        of = f" of {direction}" if direction else ""
        same = [s for s in of_metrics if (s.level, s.direction) == (level, direction)]
        systems = list(
            dict.fromkeys([*(() if texts is None else texts.systems), *(n for s in same for n in s.systems)])
        )
        segments = () if texts is None or level != "segment" else texts.segments
        items = list(dict.fromkeys([*segments, *(item for s in same for item in s.items)]))
        known = [_known(s, systems, items) for s in same]
        anywhere = np.logical_or.reduce(known)
        if texts is not None:
            anywhere[: len(texts.systems), : len(segments) or None] = True
        for s, mine in zip(same, known, strict=True):
            notes += _lacking(s.metric, "systems", systems, _marked(systems, mine), of)
            notes += _lacking(s.metric, f"{level}s", items, _marked(items, mine.T), of)
            notes += _holes(s.metric, systems, mine, anywhere, of)
    return list(dict.fromkeys(notes))


def _of_machines(scores: MetricScores) -> MetricScores:
    """The same without human translations among the systems."""
    kept = [i for i, system in enumerate(scores.systems) if not data.is_reference(system)]
    return dataclasses.replace(scores, systems=tuple(scores.systems[i] for i in kept), values=scores.values[kept])


def _known(scores: MetricScores, systems: Sequence[str], items: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which of the systems and items have a score."""
    known = np.zeros((len(systems), len(items)), dtype=bool)
    rows, columns = ({name: i for i, name in enumerate(names)} for names in (systems, items))
    place = np.ix_([rows[name] for name in scores.systems], [columns[name] for name in scores.items])
    known[place] = ~np.isnan(scores.values)
    return known


def _holes(
    metric: str, systems: Sequence[str], mine: npt.NDArray[np.bool_], anywhere: npt.NDArray[np.bool_], of: str
) -> list[str]:
    """A note on outputs without a score, of systems and segments that have some."""
    inside = mine.any(axis=1, keepdims=True) & mine.any(axis=0, keepdims=True)
    counts = (anywhere & inside & ~mine).sum(axis=1)
    if not counts.any():
        return []
    lacking = [f"{count} of {system}" for system, count in zip(systems, counts.tolist(), strict=True) if count]
    some = ", ".join(lacking[:3]) + (", ..." if len(lacking) > 3 else "")
    total = int((anywhere & inside).sum())
    return [f"{metric} has no score of {counts.sum()} of {total} outputs{of} that other metrics have: {some}."]


def _marked(names: Sequence[str], known: npt.NDArray[np.bool_]) -> set[str]:
    """The names of the rows in which anything is known."""
    return {name for name, row in zip(names, known, strict=True) if row.any()}


def _lacking(metric: str, what: str, wanted: Sequence[str], there: Collection[str], of: str) -> list[str]:
    missing = [name for name in wanted if name not in there]
    if not missing:
        return []
    some = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
    return [f"{metric} has no score of {len(missing)} of {len(wanted)} {what}{of} that other metrics have: {some}."]


def human_scores(
    human: Scored | str | None, among: Sequence[MetricScores], form: str | None, pair: str | None
) -> list[MetricScores]:
    """People's scores: by their name among those that were read, or from a file of their own."""
    if human is None or isinstance(human, str):
        names = list(dict.fromkeys(s.metric for s in among if is_human(s)))
        wanted = human or (formats.HUMAN if formats.HUMAN in names else names[0] if len(names) == 1 else None)
        chosen = [s for s in among if s.metric in (wanted, f"{formats.HUMAN_PREFIX}{wanted}")]
        if chosen:
            return chosen
        if len(names) > 1:
            raise InputError(
                f"There are several scores of people: {', '.join(names)}.", hint="Choose one: --human NAME."
            )
        if human is None:
            return []
    given = scores(human, form, pair)
    chosen = [s for s in given if is_human(s)] or given
    names = list(dict.fromkeys(s.metric for s in chosen))
    name = formats.HUMAN if formats.HUMAN in names else names[0]
    if name != formats.HUMAN and len(names) > 1:
        raise InputError(
            f"{f'{human} has' if isinstance(human, str | os.PathLike) else 'There are'} several scores of people: "
            f"{', '.join(names)}.",
            hint="Give a file with one of them, or name them among --scores: --human NAME.",
        )
    return [s for s in chosen if s.metric == name]


def corpus(given: File | Sequence[File]) -> Iterator[list[str]]:
    """The lines of one file, or of several as of one, block by block."""
    files = [given] if isinstance(given, str | os.PathLike) else list(given)
    if sum(map(lines.is_stdin, files)) > 1:
        raise InputError("Standard input (-) is named twice.", hint="It can be read as one file only.")
    return itertools.chain.from_iterable(map(lines.blocks, files))


def judged_by_pair(asked: Judged) -> Iterator[Judgements]:
    """The judgements of each language pair that a file has, or of the one that is asked for."""
    given, form = asked.judgements, asked.judgements_format
    pairs: list[str | None] = [asked.pair]
    if asked.pair is None and isinstance(given, str | os.PathLike) and not lines.is_stdin(given):
        pairs = [*formats.judgement_pairs(given, form)] or pairs
    for pair in pairs:
        yield judgements(given, form, pair)


def retrieved(given: Any, read: Callable[[File], M]) -> M:
    """A run, relevance judgements or texts by id as they are, or from their file."""
    if isinstance(given, str | os.PathLike):
        return read(pathlib.Path(given))
    if not isinstance(given, Mapping):
        raise InputError(f"A file or a mapping is needed, not {type(given).__name__}.", hint="Give one of the two.")
    return cast(M, given)


def is_human(given: MetricScores) -> bool:
    """Whether scores are people's, by their name."""
    return given.metric in (formats.HUMAN, f"{formats.HUMAN}_RAW") or given.metric.startswith(formats.HUMAN_PREFIX)
