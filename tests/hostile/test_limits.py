"""The page on limits says what the code does."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tercet import contents, limits, running
from tercet.campaigns import protocol
from tercet.errors import InputError
from tercet.formats import arrays, brackets, conllu, lines, models, parses, roles, senses, vectors
from tercet.metrics import frames, prep, several, wmdo
from tercet.metrics import models as model_files
from tercet.metrics.meteor import paraphrases, synonyms
from tercet.metrics.meteor import senses as wsd
from tercet.metrics.neural import comet_model
from tercet.metrics.parsed import arcs, cobalt, dpmf, overlap, rst, uow_lstm
from tercet.ranking import trueskill
from tercet.spec import _DEEPEST
from tests.conftest import ROOT


def test_a_segment_may_take_more_work_where_there_is_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    data, ends = np.zeros(0, np.uint8), np.zeros(1, np.int64)
    long = (data, ends, np.array([0, 1100])), (data, ends, np.array([0, 1000])), np.array([0, 1])
    with pytest.raises(InputError, match=r"1.000.000 pairs of words\..* TERCET_PATIENCE=2\.$"):
        several.require_bounded("gtm", *long)
    monkeypatch.setenv("TERCET_PATIENCE", "2")
    several.require_bounded("gtm", *long)
    for wrong in ("0", "-1", "101", "x", "1.5", "9" * 30, "²"):
        monkeypatch.setenv("TERCET_PATIENCE", wrong)
        with pytest.raises(InputError, match=r"TERCET_PATIENCE is .* a whole number from 1 to 100"):
            limits.patience()


def test_what_no_patience_is_enough_for_names_no_variable() -> None:
    assert limits.more_patience(limits.MOST_PATIENCE + 1) == ""


def test_the_page_has_every_limit() -> None:
    whole = (ROOT / "docs" / "guide" / "limits.md").read_text(encoding="utf-8")
    page, measured, _ = whole.partition("How the time of one segment grows was measured")
    assert measured
    cells = [line.strip("| ").split(" | ")[-1] for line in page.split("\n") if line.startswith("| ")]
    wanted = [
        f"{lines.LINE_LIMIT >> 20} MiB",
        f"{lines.FILE_LIMIT >> 20} MiB",
        f"{model_files.LIMIT >> 20} MiB",
        f"{synonyms._LIMIT >> 20} MiB",
        f"{paraphrases._LIMIT >> 30} GiB",
        f"{prep._LARGEST >> 30} GiB",
        spaced(models.MOST_ENTRIES),
        str(arrays.WIDEST),
        str(_DEEPEST),
        f"{running.MOST_LISTED >> 20} MiB",
        f"{spaced(contents.MOST_ENTRIES)}; {contents.MOST_BYTES >> 30} GiB",
        f"{limits.PART >> 20} MiB",
        f"{spaced(vectors.MOST_WORDS)}; {spaced(vectors.WIDEST)}",
        f"{spaced(parses.MOST_SENTENCES)}; {spaced(conllu.MOST_WORDS)}",
        f"{spaced(brackets.MOST_NODES)}; {brackets.DEEPEST}",
        f"{spaced(roles.MOST_WORDS)}; {spaced(roles.MOST_PREDICATES)}",
        f"{spaced(senses.MOST_WORDS)}; {spaced(wsd.MOST_MATCHES)}",
        spaced(frames.MOST_PAIRS),
        spaced(rst.MOST_NODES),
        spaced(arcs.MOST_RELATIONS),
        str(cobalt._MOST_WORDS),
        str(dpmf.MOST_WORDS),
        spaced(overlap.MOST_WORDS),
        spaced(uow_lstm.MOST_WORDS),
        f"{comet_model._LARGEST_HPARAMS >> 20} MiB",
        f"{protocol.MOST_OUTPUTS}; {spaced(protocol.MOST_BATCH)}",
        str(trueskill.MOST_PLAYERS),
        f"{spaced(kernel_limit('splices.hpp', 'kUsualWork'))} steps of the search for shifts",
        f"{spaced(several.PAIRS)} pairs of words",
        f"{spaced(kernel_limit('meteor.cpp', 'kMostCandidates'))} pairs of equal words",
        f"{spaced(wmdo._MOST_CELLS)} distances",
    ]
    assert [cell for cell in cells if cell[0].isdigit()] == wanted
    for variable, usual in limits.USUAL.items():
        assert f"| `{variable}` | {limits.size(usual)} |" in page


def kernel_limit(file: str, name: str) -> int:
    """A power of two that a kernel is bounded by."""
    code = (ROOT / "native" / "metrics" / file).read_text(encoding="utf-8")
    (power,) = re.findall(rf"{name} = size_t\{{1\}} << (\d+)", code)
    return 1 << int(power)


def spaced(n: int) -> str:
    return f"{n:,}".replace(",", " ")
