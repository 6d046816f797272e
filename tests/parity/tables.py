"""Reading the tables of ../shared without Tercet's own readers, so that a defect there cannot hide here."""

from __future__ import annotations

import gzip
import pathlib

Row = dict[str, str]


def read_table(path: pathlib.Path) -> list[Row]:
    """Rows of a gzipped TSV with a header."""
    lines = read_lines(path)
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]


def read_lines(path: pathlib.Path) -> list[str]:
    """Lines of a gzipped text."""
    return gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")[:-1]
