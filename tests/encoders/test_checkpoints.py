"""Checkpoints as folders, with a stand-in for torch: what is asked of it, and what is said when it refuses."""

from __future__ import annotations

import pathlib
import sys
import types
from typing import Any

import numpy as np
import pytest

from tercet.encoders.checkpoints import convert_checkpoint
from tercet.encoders.weights import read_weights
from tercet.errors import InputError, MissingExtraError


class Tensor:
    """As much of a tensor as is used."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def float(self) -> Tensor:
        return self

    def numpy(self) -> Any:
        return np.asarray(self.values, dtype=np.float32)


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    made = tmp_path / "comet"
    (made / "checkpoints").mkdir(parents=True)
    (made / "checkpoints" / "model.ckpt").write_bytes(b"a pickle")
    (made / "hparams.yaml").write_text("class_identifier: regression_metric\n", encoding="utf-8")
    return made


def torch_that(monkeypatch: pytest.MonkeyPatch, gives: Any) -> dict[str, Any]:
    """A module whose `load` gives this, or raises it; and what it was asked."""
    asked: dict[str, Any] = {}

    def load(path: str, **options: Any) -> Any:
        asked.update(options, path=path)
        if isinstance(gives, Exception):
            raise gives
        return gives

    module = types.ModuleType("torch")
    module.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", module)
    return asked


def test_weights_are_written_and_pickles_are_not_trusted(
    folder: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = torch_that(monkeypatch, {"state_dict": {"estimator.ff.0.bias": Tensor([1, 2])}})
    made = convert_checkpoint(folder, tmp_path / "converted")
    assert asked["weights_only"] is True
    assert read_weights(made)["estimator.ff.0.bias"].tolist() == [1, 2]
    assert (made / "hparams.yaml").read_text(encoding="utf-8") == "class_identifier: regression_metric\n"


def test_what_cannot_be_converted_is_told(
    folder: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch_that(monkeypatch, ValueError("Unsupported global: os.system\nmore"))
    with pytest.raises(InputError, match=r"cannot be read as weights alone: Unsupported global: os\.system"):
        convert_checkpoint(folder, tmp_path / "a")
    torch_that(monkeypatch, {"other": 1})
    with pytest.raises(InputError, match="has no state_dict"):
        convert_checkpoint(folder, tmp_path / "b")
    (folder / "hparams.yaml").unlink()
    with pytest.raises(InputError, match=r"There is no .*hparams\.yaml"):
        convert_checkpoint(folder, tmp_path / "c")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["comet"]
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"tercet\[torch\]"):
        convert_checkpoint(folder, tmp_path / "d")
