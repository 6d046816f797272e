"""The objective around the optimum: a panel a parameter, with the tuned value and the default."""

from __future__ import annotations

import math
import pathlib

import numpy as np
import pytest

from tercet.data.tuning import Profile, Tuning, TuningRecord
from tercet.errors import InputError
from tercet.plots.canvas import save
from tercet.plots.tuning import tuning_profiles


def tuning(*profiles: Profile) -> Tuning:
    own = TuningRecord("all", "de-en", "m(a=2)", "a=2", "segment", "kendall", 0.5, 0.4, 0.1, 9)
    return Tuning("m(a=2)", "m", ("a=1:3:1",), "kendall", 3, (own,), profiles, "", "")


def profile(name: str) -> Profile:
    return Profile(name, (1.0, 2.0, 3.0), (0.4, 0.5, math.nan), 2.0, 1.0)


def test_every_parameter_has_its_panel_and_all_share_the_scale() -> None:
    figure = tuning_profiles(tuning(*(profile(f"a{i}") for i in range(6))))
    assert [ax.get_xlabel() for ax in figure.axes] == [f"a{i}" for i in range(6)]
    assert len({ax.get_ylim() for ax in figure.axes}) == 1
    low, high = figure.axes[0].get_ylim()
    assert low < 0.4 < 0.5 < high
    assert [ax.get_ylabel() for ax in figure.axes] == ["kendall", "", "", "", "kendall", ""]
    assert figure.axes[0].get_title(loc="left") == "m(a=2)"


def test_the_tuned_value_and_the_default_are_marked() -> None:
    ax = tuning_profiles(tuning(profile("a"))).axes[0]
    across, down, curve, dot = ax.lines
    assert set(np.asarray(across.get_ydata())) == {0.4}
    assert set(np.asarray(down.get_xdata())) == {1.0}
    assert np.asarray(curve.get_xdata()).tolist() == [1.0, 2.0, 3.0]
    assert np.asarray(dot.get_xydata()).tolist() == [[2.0, 0.5]]
    assert [text.get_text() for text in ax.texts] == ["2"]


def test_it_is_written(tmp_path: pathlib.Path) -> None:
    for name in ("a.svg", "b.svg", "c.pdf", "d.png"):
        save(tuning_profiles(tuning(profile("α$_x$"))), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "α$_x$" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="no parameter to draw"):
        tuning_profiles(tuning())
