"""Parquet files: rows of some row groups as frames, and columns of a frame as texts. What they mean, `table` knows."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tercet.errors import InputError, MissingExtraError, extra, polars
from tercet.formats import columns, lines, packing, places
from tercet.formats.lines import File
from tercet.limits import Budget

if TYPE_CHECKING:
    import polars as pl


@contextlib.contextmanager
def seekable(path: File) -> Iterator[File]:
    """The file, unpacked beside if it is packed: Parquet is read from its end, which a packed file does not show."""
    if not packing.is_packed(path):
        yield path
        return
    budget = Budget(f"{lines.shown(path)}, unpacked", "Unpack it yourself.", variable="TERCET_DISK")
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder, "table.parquet")
        with lines.opened(path) as packed, unpacked.open("wb") as file:
            while piece := packed.read(lines.CHUNK):
                budget.take(len(piece))
                file.write(piece)
        yield unpacked


class Parquet:
    """A Parquet file: its columns, its rows, and frames of some of these; nothing else of it is read."""

    def __init__(self, file: File, name: str) -> None:
        self.name = name
        self.polars = polars("Parquet")
        self.string = self.polars.String
        self.stored: Any = None  # at an address: polars would ask for credentials of its own
        with self._blamed():
            if places.address(file):
                self._opened = places.opened(file)
                self.stored = extra("pyarrow.parquet", "pyarrow", places.EXTRA, name).ParquetFile(self._opened)
                self.names, self.rows = tuple(self.stored.schema_arrow.names), int(self.stored.metadata.num_rows)
                return
            # The whole path: polars would take a name like http:... for an address.
            self.frame = self.polars.scan_parquet(Path(file).resolve(), glob=False, hive_partitioning=False)
            self.names = tuple(self.frame.collect_schema().names())
            self.rows = int(self.frame.select(self.polars.len()).collect().item())

    def __enter__(self) -> Parquet:
        return self

    def __exit__(self, *_: object) -> None:
        if self.stored is not None:
            self.stored.close()
            self._opened.close()

    @contextlib.contextmanager
    def _blamed(self) -> Iterator[None]:
        """Whatever goes wrong inside is the file's fault."""
        try:
            yield
        except (InputError, MissingExtraError):
            raise
        except (
            self.polars.exceptions.PolarsError,
            self.polars.exceptions.PanicException,
            OSError,
            ValueError,
        ) as error:
            reason = str(error).partition("\n")[0]
            raise InputError(f"{self.name} cannot be read as Parquet: {reason}.", hint="Write it again.") from error

    def frames(self, step: int, begin: int, end: int, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows from one on up to another, at most so many at a time, of all columns or of some."""
        wanted = list(self.names if columns is None else columns)
        with self._blamed():
            if self.stored is None:
                exactly = self.polars.selectors.by_name(*wanted)  # a plain name could be a pattern to polars
                for start in range(begin, end, step):
                    yield self.frame.select(exactly).slice(start, min(step, end - start)).collect()
                return
            at = 0
            for group in range(self.stored.num_row_groups):  # all of them at once would be fetched at once
                n_rows = self.stored.metadata.row_group(group).num_rows
                mine = at < end and begin < at + n_rows
                for batch in self.stored.iter_batches(step, [group], wanted) if mine else ():
                    frame = self.polars.from_arrow(batch)
                    first, last = max(0, begin - at), min(len(frame), end - at)
                    if first < last:
                        yield frame.slice(first, last - first)
                    at += len(frame)
                at += 0 if mine else n_rows


def strings(series: pl.Series, file: str, start: int) -> list[str]:
    """A column as texts, whose first row is number `start` of the file, from 0."""
    import polars as pl

    if series.name.startswith("reference:"):
        series = series.fill_null("")  # what is not there is no reference, as an empty cell is
    if series.null_count():
        row = start + 1 + int(series.is_null().arg_true()[0])
        raise InputError(
            f"{file}, row {row}: column {series.name!r} is null.",
            hint="Write an empty string where there is no text.",
        )
    if series.dtype.is_integer() and (series.name in ("segment", "document") or series.name.startswith(columns.FACET)):
        series = series.cast(pl.String)
    if series.dtype != pl.String:
        raise InputError(
            f"{file}: column {series.name!r} is {series.dtype}, not text.",
            hint="Cast it to a string, or leave it out if it is not a system.",
        )
    return series.to_list()
