"""What every answer of a verb does in a notebook: it shows its table, becomes a data frame, draws its picture."""

from __future__ import annotations

import importlib
import itertools
from typing import TYPE_CHECKING, Any

from tercet.errors import MissingExtraError
from tercet.escaping import one_line
from tercet.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from matplotlib.figure import Figure

_TABLES, _PICTURES = "tercet.report.answers", "tercet.plots.answers"  # rooms above, asked when something is shown

FEW = 4  # names that a line has room for


class Answer:
    """Base of answers. `as_records` gives flat records; how each kind is shown, `tercet.report.answers` knows."""

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames."""
        raise NotImplementedError

    def frame(self) -> Any:
        """The records as a data frame: of Polars, or of pandas where only that is installed."""
        return data_frame(self.as_records())

    def plot(self) -> Figure:
        """The answer as a picture of matplotlib, which a notebook shows."""
        figure: Figure = importlib.import_module(_PICTURES).picture(self)
        return figure

    def __repr__(self) -> str:
        text: str = importlib.import_module(_TABLES).as_text(self)
        return text

    def _repr_html_(self) -> str:
        markup: str = importlib.import_module(_TABLES).as_html(self)
        return markup


def summary(thing: object, *facts: str) -> str:
    """What Python prints of something large: its kind and what there is of it, on one line.

    >>> summary(3, "1 digit", "", "odd")
    '<int: 1 digit, odd>'
    """
    return f"<{type(thing).__name__}: {', '.join(fact for fact in facts if fact)}>"


def counted_names(names: Collection[str], what: str) -> str:
    """How many there are, and the first of them by name.

    >>> counted_names(["a", "b"], "system"), counted_names([f"s{i}" for i in range(9)], "system")
    ('2 systems (a, b)', '9 systems (s0, s1, s2, s3, ...)')
    """
    shown = [*itertools.islice(names, FEW), *(["..."] if len(names) > FEW else [])]
    listed = one_line(f" ({', '.join(shown)})") if names else ""
    return counted(len(names), what) + listed


def data_frame(records: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> Any:
    """Records, or columns, as a data frame of Polars, or else of pandas.

    >>> data_frame([{"system": "a", "score": 27.5}]).columns
    ['system', 'score']
    """
    for library, more in (("polars", {"infer_schema_length": None}), ("pandas", {})):
        try:
            return importlib.import_module(library).DataFrame(records, **more)
        except ImportError:
            continue
    raise MissingExtraError(
        "A data frame needs Polars or pandas, and neither is installed.",
        hint="Install one: `pip install 'tercet[frames]'`, or `pip install pandas`.",
    )
