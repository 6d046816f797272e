"""Metrics, a module each. This table is the contents page; other packages add to it by entry points."""

from typing import Any

from tercet.metric_base import Metric
from tercet.spec import Registry

METRICS: Registry[Metric] = Registry(
    kind="metric",
    group="tercet.metrics",
    base=Metric,
    table={
        "bleu": "tercet.metrics.bleu:Bleu",
        "mteval-bleu": "tercet.metrics.mteval_bleu:MtevalBleu",
        "nist": "tercet.metrics.nist:Nist",
        "moses-bleu": "tercet.metrics.moses_bleu:MosesBleu",
        "sentbleu": "tercet.metrics.moses_bleu:SentBleu",
        "chrf": "tercet.metrics.chrf:Chrf",
        "chrf-original": "tercet.metrics.chrf_original:ChrfOriginal",
        "ter": "tercet.metrics.ter:Ter",
        "hter": "tercet.metrics.hter:Hter",
        "moses-ter": "tercet.metrics.moses_ter:MosesTer",
        "terp": "tercet.metrics.terp.metric:Terp",
        "wer": "tercet.metrics.wer:Wer",
        "cder": "tercet.metrics.wer:Cder",
        "per": "tercet.metrics.per:Per",
        "eed": "tercet.metrics.eed:Eed",
        "character": "tercet.metrics.character:Character",
        "lebleu": "tercet.metrics.lebleu:Lebleu",
        "meteor": "tercet.metrics.meteor.metric:Meteor",
        "meteor-lecture": "tercet.metrics.meteor.lecture:MeteorLecture",
        "m-bleu": "tercet.metrics.meteor.rewritten:MBleu",
        "m-ter": "tercet.metrics.meteor.rewritten:MTer",
        "meteor++": "tercet.metrics.meteor.plus:MeteorPlus",
        "meteor-wsd": "tercet.metrics.meteor.senses:MeteorWsd",
        "bleu-nrc": "tercet.metrics.bleu_nrc:BleuNrc",
        "tbleu": "tercet.metrics.tbleu:Tbleu",
        "amber": "tercet.metrics.amber:Amber",
        "apac": "tercet.metrics.apac:Apac",
        "gtm": "tercet.metrics.gtm:Gtm",
        "bs": "tercet.metrics.bad_segments:Bs",
        "total-bs": "tercet.metrics.bad_segments:TotalBs",
        "inv-wer": "tercet.metrics.inv_wer:InvWer",
        "prep": "tercet.metrics.prep:Prep",
        "hlepor": "tercet.metrics.lepor:Hlepor",
        "lepor": "tercet.metrics.lepor:Lepor",
        "nlepor": "tercet.metrics.lepor:Nlepor",
        "yisi-0": "tercet.metrics.yisi:Yisi0",
        "yisi-1": "tercet.metrics.yisi_vectors:Yisi1",
        "yisi-2": "tercet.metrics.yisi_vectors:Yisi2",
        "wmdo": "tercet.metrics.wmdo:Wmdo",
        "bertscore": "tercet.metrics.neural.bertscore:BertScore",
        "bertr": "tercet.metrics.neural.bertscore:Bertr",
        "cosine": "tercet.metrics.neural.cosine:Cosine",
        "cosine-source": "tercet.metrics.neural.cosine:CosineSource",
        "comet": "tercet.metrics.neural.comet:Comet",
        "esim": "tercet.metrics.neural.esim:Esim",
        "neural": "tercet.metrics.neural.mixture:Neural",
        "rouge-1": "tercet.metrics.rouge:Rouge1",
        "rouge-2": "tercet.metrics.rouge:Rouge2",
        "rouge-l": "tercet.metrics.rouge:RougeL",
        "red": "tercet.metrics.parsed.red:Red",
        "dpmf": "tercet.metrics.parsed.dpmf:Dpmf",
        "verta": "tercet.metrics.parsed.verta:Verta",
        "sp": "tercet.metrics.parsed.overlap:ShallowOverlap",
        "dp": "tercet.metrics.parsed.overlap:DependencyOverlap",
        "cp": "tercet.metrics.parsed.overlap:ConstituentOverlap",
        "sr": "tercet.metrics.parsed.semantic:RoleOverlap",
        "dr": "tercet.metrics.parsed.semantic:DiscourseOverlap",
        "rst": "tercet.metrics.parsed.rst:RstKernel",
        "upf-cobalt": "tercet.metrics.parsed.cobalt:UpfCobalt",
        "uow-lstm": "tercet.metrics.parsed.uow_lstm:UowLstm",
        "length-ratio": "tercet.metrics.length_ratio:LengthRatio",
        "ibm1": "tercet.metrics.ibm1:Ibm1",
        "lm": "tercet.metrics.lm:LanguageModel",
        "lm-perplexity": "tercet.metrics.lm:Perplexity",
        "beer": "tercet.metrics.beer:Beer",
        "beer-1.1": "tercet.metrics.beer11:Beer11",
        "combine": "tercet.metrics.combine:Combine",
        "qe": "tercet.quality.metric:Qe",
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


def metric(spec: str, /, **options: Any) -> Metric:
    """A metric from its spec string, with further options by their names: a frozen value that scores texts.

    >>> metric("bleu", order=2) == metric("bleu(order=2)")
    True
    >>> metric("chrf3").corpus(["a small cat"], ["a small hat"])  # doctest: +ELLIPSIS
    56.0...
    """
    return METRICS.make(spec, **options)


__all__ = ["METRICS", "metric"]
