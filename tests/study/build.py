"""Small studies over the demo campaign, written as a person would."""

from __future__ import annotations

import pathlib

import tercet.sample

SAMPLE = pathlib.Path(tercet.sample.__file__).parent

METRICS = """
[metrics]
BLEU = "bleu"
chrF = "chrf"
"""
SYSTEM = """
[system]
measure = "pearson"
gold = "expected-wins"
"""
SEGMENT = """
[segment]
measure = "kendall(variant=wmt14)"
"""
FEW = """
[sampling]
samples = 40
draws = 40
"""


def direction(pair: str = "en-de", more: str = "", judged: str = "rankings.csv") -> str:
    """A direction of the demo."""
    files = f'testset = "{SAMPLE / pair}.tsv"\njudgements = "{SAMPLE / pair}.{judged}"'
    return f'\n[[direction]]\npair = "{pair}"\n{files}\n{more}\n'


def written(folder: pathlib.Path, *parts: str, name: str = "study.toml") -> pathlib.Path:
    """A study file, of these parts or of a small whole."""
    path = folder / name
    path.write_text("\n".join(parts or (METRICS, direction(), SYSTEM, FEW)), encoding="utf-8")
    return path
