"""String metrics, a module each. This table is the contents page; other packages add to it by entry points."""

from tercet.metric import Metric
from tercet.spec import Registry

METRICS: Registry[Metric] = Registry(
    kind="metric",
    group="tercet.metrics",
    table={
        "bleu": "tercet.metrics.bleu:Bleu",
        "mteval-bleu": "tercet.metrics.mteval_bleu:MtevalBleu",
        "nist": "tercet.metrics.nist:Nist",
        "moses-bleu": "tercet.metrics.moses_bleu:MosesBleu",
        "sentbleu": "tercet.metrics.moses_bleu:SentBleu",
        "chrf": "tercet.metrics.chrf:Chrf",
        "chrf-original": "tercet.metrics.chrf_original:ChrfOriginal",
        "ter": "tercet.metrics.ter:Ter",
        "moses-ter": "tercet.metrics.moses_ter:MosesTer",
        "terp": "tercet.metrics.terp:Terp",
        "wer": "tercet.metrics.wer:Wer",
        "cder": "tercet.metrics.wer:Cder",
        "per": "tercet.metrics.per:Per",
        "meteor": "tercet.metrics.meteor.metric:Meteor",
        "meteor-lecture": "tercet.metrics.meteor.lecture:MeteorLecture",
        "meteor++": "tercet.metrics.meteor.plus:MeteorPlus",
    },
    aliases={
        "chrf1": "chrf(beta=1)",
        "chrf2": "chrf",
        "chrf3": "chrf(beta=3)",
        "chrf+": "chrf(word_order=1)",
        "chrf++": "chrf(word_order=2)",
        "meteor-2005": "meteor-lecture(fragmentation=chunks)",
    },
)


def metric(spec: str) -> Metric:
    """A metric from its spec string: a frozen value that scores texts.

    >>> metric("chrf3").corpus(["a small cat"], ["a small hat"])  # doctest: +ELLIPSIS
    56.0...
    """
    return METRICS.make(spec)


__all__ = ["METRICS", "metric"]
