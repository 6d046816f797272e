"""What is registered, as an answer."""

from __future__ import annotations

from typing import Any

from tercet.data.answer import Answer

Record = dict[str, str]


class Catalogue(Answer, list[Record]):
    """Records of what is registered: a list that shows itself as a table."""

    def as_records(self) -> list[dict[str, Any]]:
        """The records as they are."""
        return [*self]
