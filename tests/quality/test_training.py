"""What training a model of quality refuses."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import tercet
from tercet.errors import InputError
from tests.quality.models import example


@pytest.mark.parametrize(
    ("level", "resource"),
    [
        *(("sentence", name) for name in ("target_lm", "source_lm", "lexicon", "frequencies")),
        *(("word", name) for name in ("target_lm", "lexicon")),  # words read no others
    ],
)
def test_a_bad_resource_is_named_as_it_was_given(level: str, resource: str, tmp_path: pathlib.Path) -> None:
    files, mine = example(tmp_path), tmp_path / "mine.txt"
    mine.write_text("no such thing\n", encoding="utf-8")
    texts, labels = (files["train.en"], files["train.mt"]), files["train.words" if level == "word" else "train.hter"]
    given: dict[str, Any] = {"labels": labels, "model": tmp_path / "m", "level": level, resource: str(mine)}
    with pytest.raises(InputError) as error:
        tercet.qe_train(*texts, **given)
    assert str(mine) in error.value.message
    assert ".part" not in error.value.message
    assert not (tmp_path / "m").exists()
