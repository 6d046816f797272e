"""Every vector of the group `formats`: names and lines of published files, read as their rules say."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from tercet.data import Rankings
from tercet.formats import directory, rankings, read_judgements, sgml, submissions
from tests.conftest import ROOT

Check = Callable[[dict[str, Any], dict[str, Any], float, pathlib.Path], None]
SOURCE = ROOT.parent / "shared" / "spec" / "meta_vectors.json"


@functools.cache
def vectors() -> dict[str, dict[str, Any]]:
    """The vectors of the group by their ids; none where ../shared is not there."""
    if not SOURCE.exists():
        return {}
    every = json.loads(SOURCE.read_text(encoding="utf-8"))["vectors"]
    return {each["id"]: each for each in every if each["group"] == "formats"}


def appraise_xml_to_pairs(given: dict[str, Any], expected: dict[str, Any], _: float, folder: pathlib.Path) -> None:
    path = folder / "results.xml"
    path.write_text(given["xml"], encoding="utf-8")
    found = read_judgements(path)
    assert isinstance(found, Rankings)
    options = {"expand": given["expand"], "include_ref": given["include_ref"]}
    assert list(rankings.two_way(found, **options)) == expected["rows"]
    rankings.write_two_way(found, folder / "rows.csv", **options)
    again = read_judgements(folder / "rows.csv")
    assert isinstance(again, Rankings)
    assert again.pair == found.pair


def submission_line(given: dict[str, Any], expected: dict[str, Any], tolerance: float, _: pathlib.Path) -> None:
    for name in (given["format"], None):
        found = dataclasses.asdict(submissions.parse_line(given["line"], name))
        found["lp"] = found.pop("pair")
        assert math.isclose(found["score"], expected["score"], rel_tol=0, abs_tol=tolerance)
        assert {key: found.pop(key) for key in expected if key != "score"} == {
            key: value for key, value in expected.items() if key != "score"
        }
        assert {value for key, value in found.items() if key != "score"} <= {None}


def human_name(given: dict[str, Any], expected: dict[str, Any], _: float, __: pathlib.Path) -> None:
    found = directory.parse_human_name(given["filename"])
    assert {"lp": found.pair, "name": found.name, "level": found.level, "kind": found.kind} == expected


def metric_name(given: dict[str, Any], expected: dict[str, Any], _: float, __: pathlib.Path) -> None:
    found = directory.parse_metric_name(given["filename"])
    references = found.references if found.references == "all" else list(found.references)
    assert {"basename": found.name, "refs": references, "level": found.level} == expected


def parse_sgm(given: dict[str, Any], expected: dict[str, Any], _: float, folder: pathlib.Path) -> None:
    path = folder / "set.sgm"
    path.write_text(given["text"], encoding="utf-8")
    (found,) = sgml.read(path)
    kinds = {"source": "srcset", "reference": "refset", "system": "tstset"}
    documents: dict[tuple[str, str], dict[str, str]] = {}
    for system, texts in found.systems.items():
        for (document, segment), text in texts.items():
            # The reader keeps the space at either end, as mteval sees it; the vector does not.
            documents.setdefault((document, system), {})[segment] = text.strip()
    made = [{"docid": d, "sysid": system, "segments": segments} for (d, system), segments in documents.items()]
    assert {"kind": kinds[found.kind], "setid": found.setid, "docs": made} == expected


CHECKS: dict[str, Check] = {
    "appraise_xml_to_pairs": appraise_xml_to_pairs,
    "parse_metrics_submission_line": submission_line,
    "parse_human_score_filename": human_name,
    "parse_metric_filename": metric_name,
    "parse_sgm": parse_sgm,
}


@pytest.mark.parametrize("name", sorted(vectors()))
def test_vector(name: str, tmp_path: pathlib.Path) -> None:
    vector = vectors()[name]
    assert vector["function"] in CHECKS, f"nothing here checks {vector['function']}"
    CHECKS[vector["function"]](vector["input"], vector["expected"], vector["tolerance"], tmp_path)


def test_there_are_vectors_for_every_check(shared: pathlib.Path) -> None:
    assert {vector["function"] for vector in vectors().values()} == set(CHECKS)
