"""Tables of scores: a row a system, or a system and a segment or document, and a column a metric.

    system      sys, model                        lp         langpair, direction: the language pair
    segment     segid, seg_id, sid, ...           testset
    document    doc, docid, ...                   domain
                                                  reference  refset

Only system must be there. Labels are known by their names, in any case and any place, the first column of each; every
other column is a metric, so that in a table of WMT19 the second column LP is the metric of that name. HUMAN holds what
people said. A column NAME:better says "lower" in every row where lower scores of the metric NAME are better. In tables
of direct assessment of WMT that is Z.SCR, and RAW.SCR is HUMAN_RAW; N and N.ALL count judgements
there, and are no more scores than a second name of the segment. Tabs, commas or blanks stand between the cells (see
`cells`); an empty cell, NA, None and nan are scores that are missing. `write` has the labels lp, system and segment or
document, `read_parquet` and `write_parquet` the same table in Parquet.

Segments are called by their names; where these start again in another document, document:segment. Columns docid and
segid are those of WMT20, whose judgements call a segment document::segment always, and so does this table.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tercet import limits
from tercet.data import Array, Ints, MetricScores
from tercet.errors import InputError, polars
from tercet.escaping import spreadsheet
from tercet.formats import cells, languages, lines, packing
from tercet.formats.cells import Rows, TableFile
from tercet.formats.lines import File
from tercet.formats.names import Names, combined
from tercet.formats.scores import HUMAN, FileLabels, Wanted, require_level, require_plain
from tercet.formats.table import write_frame
from tercet.options.agreeing import MetaLevel

if TYPE_CHECKING:
    import polars as pl

_LABELS: Mapping[str, tuple[str, ...]] = {
    "pair": ("lp", "langpair", "language_pair", "direction"),
    "testset": ("testset", "test_set"),
    "domain": ("domain",),
    "reference": ("reference", "refset"),
    "system": ("system", "sys", "model", "systemid", "system_id"),
    "document": ("document", "doc", "docid", "doc_id", "documentid"),
    "segment": ("segment", "segmentid", "segment_id", "seg_id", "segid", "sid"),
}
_ASSESSED = {"z.scr": HUMAN, "raw.scr": "HUMAN_RAW"}  # columns of direct assessment
_COUNTS = ("n", "n.all")  # of judgements, beside those
_CHOICES = ("pair", "testset", "domain", "reference")
_LOWER = "tercet.lower"  # what Parquet says beside the table: metrics of which lower scores are better
_BETTER = ":better"  # behind the name of a metric, the column that says which scores of it are better
_CELLS = 1 << 24  # as many as a file may ask for with a few rows
_Item = tuple[str, str]  # a name and its document, "" for none


class Gatherer:
    """Rows of scores on their way from a file to arrays, one for each metric and language pair.

    `says` are those of metric, pair, testset, domain and reference that each row has. An item comes as its name and its
    document; where names start again in another document, or `always`, it is called by both, with `joint` between.
    Items that are `numbered` come in the order of their numbers, all others as they come.
    """

    def __init__(
        self,
        file: str,
        wanted: Wanted,
        level: MetaLevel,
        says: Collection[str] = (),
        *,
        row: str = "line",
        joint: str = ":",
        always: bool = False,
        numbered: bool = False,
    ) -> None:
        wanted.require_level(file, level)
        wanted.require_said(file, says)
        self.file, self.wanted, self.level, self.row = file, wanted, level, row
        self.joint, self.always, self.numbered = joint, always, numbered
        self.chosen = {"pair": wanted.pair, **dataclasses.asdict(wanted.labels)}
        self.says = [what for what in ("metric", *_CHOICES) if what in says]
        self.names: dict[str, Names[str]] = {what: Names() for what in (*self.says, "system")}
        self.items: Names[_Item] = Names()
        self.spellings: dict[str, str] = {}  # of language pairs
        self.parts: list[list[Ints]] = []
        self.values: list[Array] = []
        self.n_others = 0

    def fault(self, number: int, what: str, hint: str) -> InputError:
        """An error that names the file and the row."""
        return InputError(f"{self.file}, {self.row} {number}: {cells.shortened(what)}.", hint=hint)

    def take(self, labels: Mapping[str, Sequence[str]], items: Sequence[_Item], numbers: Ints, values: Array) -> None:
        """Some rows: the cells of each label, the item and the number of each row, and its scores (rows, columns)."""
        keep = np.ones(len(numbers), dtype=np.bool_)
        part: list[Ints] = []
        for what, names in self.names.items():
            column = labels[what]
            if "" in column:
                raise self.fault(int(numbers[column.index("")]), f"the {what} is not named", "Fill the cell.")
            part.append(names.numbers(self._pairs(column, numbers) if what == "pair" else column))
            if (wanted := self.chosen.get(what)) is not None:
                keep &= part[-1] == names.get(wanted, -1)
        self.n_others += len(keep) - int(keep.sum())
        self.parts.append([column[keep] for column in (*part, self.items.numbers(items), numbers)])
        self.values.append(values[keep])

    def _pairs(self, column: Sequence[str], numbers: Ints) -> list[str]:
        for written in dict.fromkeys(column):
            if written not in self.spellings:
                self.spellings[written] = languages.pair(written)
                if not self.spellings[written]:
                    line = int(numbers[column.index(written)])
                    raise self.fault(line, f"{written[:60]!r} is no language pair", languages.HINT)
        return [self.spellings[written] for written in column]

    def result(self, metrics: Sequence[str] | None = None) -> list[MetricScores]:
        """All of it; `metrics` are the names of the columns of values where rows do not name their metric."""
        columns = [np.concatenate(column) for column in zip(*self.parts, strict=True)]
        if not columns or not len(columns[0]):
            self._require_wanted()
            raise InputError(f"{self.file} has no scores of what is wanted.", hint="Ask for less, or check the file.")
        if self.n_others:
            self.wanted.notes.append(f"{self.file}: rows of others than those asked for, left out: {self.n_others}.")
        rows = dict(zip((*self.names, "item", "number"), columns, strict=True))
        entries = []
        for metric, direction, systems, items, arrays in self._arrays(rows, np.concatenate(self.values)):
            for name, values in zip([metric] if metrics is None else metrics, arrays, strict=True):
                entries.append(MetricScores(name, direction, self.level, systems, items, values))
        return self.wanted.kept(self.file, entries)

    def _require_wanted(self) -> None:
        for what in self.says:
            wanted, known = self.chosen.get(what), self.names[what]
            if wanted is not None and known and wanted not in known:
                shown = "language pair" if what == "pair" else what
                raise InputError(
                    f"{self.file} has nothing of the {shown} {wanted!r}.", hint=f"It has {', '.join(known)}."
                )

    def _arrays(
        self, rows: Mapping[str, Ints], values: Array
    ) -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...], Array]]:
        """Metric, direction, systems, items and scores (columns, systems, items), group by group."""
        # a segment is of one domain; scores of systems can be of one, or of all together
        telling = [what for what in self.says if what != "domain" or self.level == "system"]
        group, first = combined(*(rows[what] for what in telling), np.zeros_like(rows["item"]))
        known = {what: list(self.names[what]) for what in telling}
        groups = [{what: known[what][int(rows[what][at])] for what in telling} for at in first]
        self._require_one(groups)
        named = self._item_names(rows)
        order = np.argsort(group, kind="stable")
        bounds = np.searchsorted(group[order], np.arange(len(groups) + 1))
        for g, labels in enumerate(groups):
            mine = order[bounds[g] : bounds[g + 1]]
            part = {what: column[mine] for what, column in rows.items()}
            direction = labels.get("pair", self.wanted.pair or "")
            yield labels.get("metric", ""), direction, *self._array(part, values[mine], named)

    def _require_one(self, groups: Sequence[Mapping[str, str]]) -> None:
        """Refuse scores of a metric that differ in something that the result does not say."""
        seen: dict[tuple[str, str], Mapping[str, str]] = {}
        for labels in groups:
            other = seen.setdefault((labels.get("metric", ""), labels.get("pair", "")), labels)
            for what in labels:
                if labels[what] != other[what]:
                    raise InputError(
                        f"{self.file} has scores of more than one {what}: {', '.join(self.names[what])}.",
                        hint=f"Choose one: {what}={other[what]!r}.",
                    )

    def _item_names(self, rows: Mapping[str, Ints]) -> list[str]:
        """What each item is called; the same name in another document of the same language pair asks for both."""
        keys = list(self.items)
        pairs = rows.get("pair", np.zeros_like(rows["item"]))
        name_lists = ([keys[i][0] for i in np.unique(rows["item"][pairs == pair])] for pair in np.unique(pairs))
        again = any(len(set(names)) < len(names) for names in name_lists)
        if again and not self.always:
            note = f"Segments are called document{self.joint}segment, as their numbers start again in another document."
            self.wanted.notes.append(f"{self.file}: {note}")
        both = again or self.always
        return [f"{document}{self.joint}{name}" if both and document else name for name, document in keys]

    def _array(
        self, rows: Mapping[str, Ints], values: Array, named: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...], Array]:
        system, first_system = combined(rows["system"])
        item, first_item = combined(rows["item"])
        known = list(self.names["system"])
        systems = tuple(known[i] for i in rows["system"][first_system])
        items = tuple(named[i] for i in rows["item"][first_item])
        shape = len(systems), len(items)
        if shape[0] * shape[1] > max(_CELLS, 64 * len(system)):
            raise InputError(
                f"{self.file} has {len(system)} scores for {shape[0]} systems and {shape[1]} items of a metric.",
                hint="Nearly all would be missing: check that systems and items are what they should be.",
            )
        place = system * shape[1] + item
        self._require_once(place, rows["number"], systems, items)
        flat = np.full((values.shape[1], shape[0] * shape[1]), np.nan)
        flat[:, place] = values.T
        array = flat.reshape(-1, *shape)
        if self.numbered and all(name.isdecimal() and len(name) < 19 for name in items):
            order = sorted(range(len(items)), key=lambda i: int(items[i]))
            return systems, tuple(items[i] for i in order), array[:, :, order]
        return systems, items, array

    def _require_once(self, place: Ints, numbers: Ints, systems: Sequence[str], items: Sequence[str]) -> None:
        order = np.argsort(place, kind="stable")
        again = order[1:][place[order][1:] == place[order][:-1]]
        if len(again):
            at = int(again.min())
            s, i = divmod(int(place[at]), len(items))
            first = int(numbers[int(np.argmax(place == place[at]))])
            item = f", {self.level} {items[i]!r}," * (self.level != "system")
            what = f"system {systems[s]!r}{item} is on {self.row} {first} already"
            raise self.fault(int(numbers[at]), what, "Keep one of the two.")


@dataclasses.dataclass(frozen=True)
class _Columns:
    """Which column of a table is which label, and which are metrics."""

    labels: Mapping[str, int]
    metrics: Mapping[str, int]
    header: tuple[str, ...]
    others: tuple[str, ...] = ()  # columns that are neither
    better: Mapping[str, int] = dataclasses.field(default_factory=dict)  # which say what scores of a metric are better

    @property
    def level(self) -> MetaLevel:
        return "segment" if "segment" in self.labels else "document" if "document" in self.labels else "system"

    @property
    def of_wmt20(self) -> bool:
        """Whether segments go by documents, as in the tables of WMT20."""
        called = [self.header[self.labels[what]].lower() for what in ("document", "segment") if what in self.labels]
        return called == ["docid", "segid"]

    def gatherer(self, file: str, wanted: Wanted, row: str) -> Gatherer:
        joint = "::" if self.of_wmt20 else ":"
        says = [what for what in _CHOICES if what in self.labels]
        if self.others:
            wanted.notes.append(f"{file}: columns that are no scores, left out: {', '.join(self.others)}.")
        return Gatherer(file, wanted, self.level, says, row=row, joint=joint, always=self.of_wmt20)

    def items(self, columns: Sequence[Sequence[str]], n: int) -> list[_Item]:
        """The item of each row, from the cells of all columns."""
        document = columns[self.labels["document"]] if "document" in self.labels else [""] * n
        if self.level == "segment":
            return list(zip(columns[self.labels["segment"]], document, strict=True))
        return [(name, "") for name in document]


def _columns(header: Sequence[str], file: str, where: str) -> _Columns:
    labels: dict[str, int] = {}
    metrics: dict[str, int] = {}
    others: list[str] = []
    small = [name.lower() for name in header]
    assessed = any(name in small for name in _ASSESSED)
    for i, name in enumerate(header):
        label = next((what for what, names in _LABELS.items() if small[i] in names), "")
        if assessed and (small[i] in _COUNTS or label in labels):
            others.append(name)
            continue
        label = "" if label in labels else label
        name = {"human": HUMAN, **_ASSESSED}.get(small[i], name)
        if not name or (not label and name in metrics):
            what = f"two columns are called {name!r}" if name else f"column {i + 1} has no name"
            raise InputError(f"{file}{where}: {what}.", hint="Give every metric a name of its own.")
        (labels if label else metrics)[label or name] = i
    if "system" not in labels or not metrics:
        wrong = "no column system" if "system" not in labels else "no metric"
        raise InputError(
            f"{file}{where}: there is {wrong} among {cells.shortened(', '.join(header))}.",
            hint="A table of scores has a column system, perhaps segment or document, and one for each metric.",
        )
    better = {m: metrics.pop(f"{m}{_BETTER}") for m in list(metrics) if f"{m}{_BETTER}" in metrics}
    return _Columns(labels, metrics, tuple(header), tuple(others), better)


def is_header(names: Collection[str]) -> bool:
    """Whether columns of these names, in small letters, could be those of a table of scores."""
    return len(names) > 1 and any(name in names for name in _LABELS["system"])


def read(path: File, wanted: Wanted) -> list[MetricScores]:
    """The scores of a table of text."""
    opened = TableFile(path)
    columns = _columns(opened.header, opened.file, f", line {opened.line}")
    gatherer = columns.gatherer(opened.file, wanted, "line")
    lower: set[str] = set()
    for rows in opened.rows(range(len(opened.header))):
        values = [cells.reals(opened, rows, i, name, missing=True) for name, i in columns.metrics.items()]
        lower |= _told_lower(gatherer, columns, rows)
        _take(gatherer, columns, rows, np.stack(values, axis=1))
    return _with_lower(gatherer.result(list(columns.metrics)), lower)


def _told_lower(gatherer: Gatherer, columns: _Columns, rows: Rows) -> set[str]:
    """Metrics of which the rows say that lower scores are better."""
    for metric, i in columns.better.items():
        for cell in dict.fromkeys(rows.columns[i]):
            if cell != "lower":
                line = int(rows.lines[rows.columns[i].index(cell)])
                what = f"{metric}{_BETTER} is {cell!r}"
                raise gatherer.fault(line, what, "Write lower in every row, or leave the column out.")
    return set(columns.better)


def _with_lower(scores: Sequence[MetricScores], lower: Collection[str]) -> list[MetricScores]:
    return [dataclasses.replace(s, higher_is_better=False) if s.metric in lower else s for s in scores]


def _take(gatherer: Gatherer, columns: _Columns, rows: Rows, values: Array) -> None:
    for what in ("segment", "document"):
        if what in columns.labels and "" in (column := rows.columns[columns.labels[what]]):
            raise gatherer.fault(int(rows.lines[column.index("")]), f"the {what} is not named", "Fill the cell.")
    labels = {what: rows.columns[i] for what, i in columns.labels.items()}
    gatherer.take(labels, columns.items(rows.columns, len(rows)), rows.lines, values)


def read_parquet(path: File, wanted: Wanted) -> list[MetricScores]:
    """The scores of a table in Parquet: labels are text or whole numbers, scores are numbers or null."""
    pl = polars("Parquet")

    file = lines.shown(path)
    data = b"".join(lines.bounded(path))
    if not data.startswith(b"PAR1"):
        raise InputError(f"{file} is not Parquet.", hint="Call it .tsv if it is text; otherwise write it again.")
    try:
        rows = pl.scan_parquet(io.BytesIO(data))
        n_cells = int(rows.select(pl.len()).collect().item()) * len(rows.collect_schema().names())
        limits.file_budget(file).take(limits.TEXT * n_cells)
        frame = rows.collect()
        lower = pl.read_parquet_metadata(io.BytesIO(data)).get(_LOWER, "")
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{file} cannot be read as Parquet: {reason}.", hint="Write it again.") from error
    columns = _columns(frame.columns, file, "")
    gatherer = columns.gatherer(file, wanted, "row")
    texts = [
        _texts(column, file) if i in {*columns.labels.values(), *columns.better.values()} else []
        for i, column in enumerate(frame.iter_columns())
    ]
    values = [_numbers(frame.to_series(i), file) for i in columns.metrics.values()]
    rows = Rows(texts, np.arange(1, len(frame) + 1, dtype=np.int64))
    _take(gatherer, columns, rows, np.stack(values, axis=1))
    told = _told_lower(gatherer, columns, rows) | set(lower.split("\t"))
    return _with_lower(gatherer.result(list(columns.metrics)), told)


def _texts(series: pl.Series, file: str) -> list[str]:
    import polars as pl

    if series.dtype != pl.String and not series.dtype.is_integer():
        raise InputError(f"{file}: column {series.name!r} is {series.dtype}, not text.", hint="Cast it to a string.")
    return series.cast(pl.String).fill_null("").to_list()


def _numbers(series: pl.Series, file: str) -> Array:
    import polars as pl

    if not series.dtype.is_numeric() and series.dtype != pl.Null:
        raise InputError(
            f"{file}: column {series.name!r} is {series.dtype}, not numbers.",
            hint="Cast it to a float, or leave it out if it is no metric.",
        )
    values = series.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    if np.isinf(values).any():
        row = int(np.argmax(np.isinf(values))) + 1
        raise InputError(f"{file}, row {row}: the {series.name} is infinite.", hint="Write null where there is none.")
    return np.asarray(values, dtype=np.float64)


def write(scores: Sequence[MetricScores], path: File, labels: FileLabels) -> None:
    """A table of text, commas between the cells if the name of the file says .csv, tabs otherwise.

    Metrics of which lower scores are better have a column more that says so. No name is a formula to a spreadsheet, and
    `read` has the names as they were.
    """
    file = lines.shown(path)
    names, values = _table(scores, file)
    require_plain(file, *names, *values, *(cell for column in names.values() for cell in dict.fromkeys(column)))
    for metric in values:
        if metric != metric.strip():
            raise InputError(f"{file} cannot hold {metric!r}: a blank at an end of a name is lost.", hint="Rename it.")
    texts = [["" if np.isnan(v) else repr(v) for v in column.tolist()] for column in values.values()]
    commas = packing.unpacked_name(file).endswith(".csv")
    n_rows = len(next(iter(names.values())))
    better = {f"{metric}{_BETTER}": ["lower"] * n_rows for metric in _lower(scores)}
    rows = [(*names, *values, *better), *zip(*names.values(), *texts, *better.values(), strict=True)]
    lines.write(path, cells.csv_lines(rows) if commas else ("\t".join(map(spreadsheet, row)) + "\n" for row in rows))


def write_parquet(scores: Sequence[MetricScores], path: File, labels: FileLabels) -> None:
    """The same table in Parquet, null where there is no score."""
    pl = polars("Parquet")

    names, values = _table(scores, lines.shown(path))
    both = [name for name in names if name in values]
    if both:
        raise InputError(
            f"{lines.shown(path)} cannot hold a metric called {both[0]!r}, which is another column.",
            hint="Rename it, or write a table of text.",
        )
    text = {name: pl.Series(name, column, dtype=pl.String) for name, column in names.items()}
    numbers = {name: pl.Series(name, column).fill_nan(None) for name, column in values.items()}
    write_frame(pl.DataFrame({**text, **numbers}), path, metadata={_LOWER: "\t".join(_lower(scores))})


def _lower(scores: Sequence[MetricScores]) -> list[str]:
    """Metrics of which lower scores are better."""
    return list(dict.fromkeys(s.metric for s in scores if not s.higher_is_better))


def _table(scores: Sequence[MetricScores], file: str) -> tuple[dict[str, list[str]], dict[str, Array]]:
    """The columns of labels and those of metrics; where metrics score different systems or items, all of them."""
    level = require_level(scores, file)
    if len({bool(entry.direction) for entry in scores}) > 1:
        raise InputError(
            f"{file} cannot hold scores with and without a language pair.", hint="Name it for all: pair=..."
        )
    directions = list(dict.fromkeys(entry.direction for entry in scores))
    names: dict[str, list[str]] = {what: [] for what in ("lp", "system", "item")}
    values: dict[str, list[Array]] = {entry.metric: [] for entry in scores}
    for direction in directions:
        mine = [entry for entry in scores if entry.direction == direction]
        systems: Names[str] = Names()
        items: Names[str] = Names()
        places = [(systems.numbers(entry.systems)[:, None], items.numbers(entry.items)) for entry in mine]
        arrays = {metric: np.full((len(systems), len(items)), np.nan) for metric in values}
        for entry, place in zip(mine, places, strict=True):
            arrays[entry.metric][place] = entry.values
        for metric, array in arrays.items():
            values[metric].append(array.reshape(-1))
        names["lp"] += [direction] * (len(systems) * len(items))
        names["system"] += [system for system in systems for _ in items]
        names["item"] += [*items] * len(systems)
    shown = {"lp": names["lp"]} if directions != [""] else {}
    shown |= {"system": names["system"]} | ({level: names["item"]} if level != "system" else {})
    columns = _columns([*shown, *values], file, "")
    if list(columns.metrics) != list(values):
        odd = next(metric for metric in values if metric not in columns.metrics)
        raise InputError(f"{file} cannot hold a metric called {odd!r}, a name of something else.", hint="Rename it.")
    return shown, {metric: np.concatenate(parts) for metric, parts in values.items()}
