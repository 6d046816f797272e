"""A small SentencePiece model, trained for the tests."""

from __future__ import annotations

import functools
import pathlib
import tempfile

from tests.conftest import absent
from tests.contract.metric_checks import OUTPUTS, REFERENCES, SCRIPTS

FOLDER = tempfile.TemporaryDirectory(prefix="tercet-spm-")


@functools.cache
def small_model(size: int = 200) -> pathlib.Path:
    """The file of a model of so many pieces."""
    try:
        import sentencepiece
    except ImportError:
        absent("the extra spm is not installed")
    lines = [*OUTPUTS, *REFERENCES, *SCRIPTS, "x"]
    path = pathlib.Path(FOLDER.name, f"small-{size}")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines * 20), model_prefix=str(path), vocab_size=size, character_coverage=0.9995,
        hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    return path.with_suffix(".model")
