"""Tercet: a workbench for machine-translation evaluation.

    tercet.metric("chrf").corpus(hypotheses, references)     one number
    tercet.metric("chrf").segments(hypotheses, references)   one number a segment
    tercet.tokenizer("13a")("Hello, world!")                 tokens
    tercet.score(systems, references, metrics=[...])         systems × metrics, with intervals and tests
    tercet.score_shard(..., shard="3/64", part="3.part")     a part of that, elsewhere; tercet.merge puts parts together
    tercet.score(..., engine="dask://host:8786")             the same bytes, counted by the workers of a cluster
    tercet.compare(testset, metrics=[...])                   where systems differ, and is it luck?
    tercet.explain("ter", hypothesis, reference)             why one segment scores as it does
    tercet.rank("rankings.csv", method="trueskill")          systems ranked by people, in clusters
    tercet.agreement("rankings.csv")                         how far the judges agree
    tercet.meta(testset="texts.tsv", judgements="rankings.csv", metrics=[...])   how far metrics agree with people
    tercet.tune("chrf", testset="texts.tsv", judgements="rankings.csv")   the spec that agrees best with people
    tercet.train("beer", testset="texts.tsv", judgements="rankings.csv", model="beer.json")   weights learnt from people
    tercet.run("study.toml", "results")                      a whole metrics task: tables, figures, report
    tercet.qe_labels("hter", target=[...], post_edits=[...])  true labels of quality
    tercet.qe_evaluate({"A": "a.tsv"}, "gold.txt")           how good predictions of quality are
    tercet.retrieval({"A": "a.run"}, "qrels.txt")            what translated queries find

Every verb of the command line is a function of the same name. `__init__.pyi` lists all public names; each is loaded
when it is first asked for, so that the command line answers at once.
"""

import lazy_loader

from tercet.version import version as _version

__version__ = _version()
_loaded, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name in __all__:
        return _loaded(name)
    import difflib

    near = difflib.get_close_matches(name, __all__, n=3)
    if name in ("BLEU", "CHRF", "TER", "corpus_bleu", "corpus_chrf", "corpus_ter"):
        raise AttributeError(f"tercet has no {name!r}. sacreBLEU's names are in tercet.compat.sacrebleu.")
    meant = f"Did you mean {' or '.join(near)}?" if near else "dir(tercet) lists what there is."
    raise AttributeError(f"tercet has no {name!r}. {meant}")
