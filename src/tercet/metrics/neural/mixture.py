"""`neural`: metrics that read, mixed with metrics that count, by weights learnt from people's preferences."""

from __future__ import annotations

import dataclasses
import functools
import importlib.resources
import os

from tercet.encoders.packages import FLOAT_COMMAND, PACKAGED, packaged
from tercet.errors import MissingExtraError
from tercet.metric_base import Card
from tercet.metrics.combine import MixedMetric, Mixture
from tercet.spec import option

PARTS = ("bertr", "bertscore", "cosine", "chrf3", "chrf++", "cder")  # one reading serves the first three
_ENCODER = "minilm"  # of Tercet's own model


@dataclasses.dataclass(frozen=True)
class Neural(MixedMetric):
    """A model of `tercet train neural`, of which Tercet has one for English."""

    model: str | None = option(None, "file that tercet train neural wrote; none: Tercet's own, for English")

    name = "neural"
    files = ("model",)
    card = Card(
        title="A trained mixture over a small encoder",
        year=2026,
        group="Tercet",
        kind="encoder",
        resources="an encoder",
        definition=(
            "The weighted sum of what BERTr, BERTScore and the cosine of sentence vectors, over one encoder, and "
            "chrF3, chrF++ and CDER give a segment, each less its mean and over its deviation in training. Weights "
            "are learnt from people's preferences between two translations of a segment by `tercet train neural`. A "
            "system's score is the mean."
        ),
        paper="none; the recipe of RATATOUILLE and DiscoTK-party-tuned, with an encoder among the parts",
        scale="about -3 to 3; higher is better",
        reference="the scores of the parts",
        differences=(
            f"Tercet's own model reads with float weights of MiniLM (`{FLOAT_COMMAND}`), which knows English alone, "
            "and was learnt from preferences of WMT14 and WMT15: for other targets, train one with another encoder.",
            "On years that it has not seen it agrees with people better than METEOR and chrF, and no better than "
            "`bertscore` alone: held out .453 against .457.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        there = self.model is None or os.path.isfile(self.model)
        self.require(there, "model", "a file that is there")

    @functools.cached_property
    def mixture(self) -> Mixture:
        """The parts with their weights, from the model file."""
        if self.model is not None:
            return Mixture.read(self.model)
        if packaged(_ENCODER) is not PACKAGED[_ENCODER]:
            package = PACKAGED[_ENCODER].model
            raise MissingExtraError(
                f"Tercet's own model of neural was learnt over float weights, and the package {package.package}, which "
                "has them, is not installed.",
                hint=f"Install it with `{package.command}`, or train a model with `tercet train neural`.",
            )
        with importlib.resources.as_file(
            importlib.resources.files("tercet.metrics.neural") / "mixture_model.json"
        ) as path:
            return Mixture.read(str(path))

    def facts(self) -> dict[str, str]:
        """Which model it is."""
        return {"model-signature": str(self.mixture.signature)}
