"""A small sound file of every format, to be damaged. A reader is tried on all of them, so that none is assigned."""

from __future__ import annotations

import contextlib
import importlib.resources
import json
import pathlib
from typing import Any

import numpy as np
from tests.campaigns.build import created
from tests.formats.test_judgements import SMALL
from tests.meteor.files import folder as meteor_folder
from tests.metrics.test_qe import ARPA

import tercet
from fuzz.readers import COMPARED
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.exports import export_campaign
from tercet.encoders.tiny import write_tiny_encoder
from tercet.escaping import json_text
from tercet.metrics import models
from tercet.metrics.neural.esim_model import untrained_weights
from tercet.quality.features import FEATURES
from tercet.quality.learners.fitted import LearntFunction
from tercet.quality.model import HeldOutLabels, QualityModel
from tercet.quality.tagging.chain import Chain
from tercet.quality.tagging.features import WordResources
from tercet.quality.tagging.forest import Forest
from tercet.quality.tagging.model import WordModel
from tercet.quality.tagging.model import save as save_words
from tercet.scoring import statistics
from tercet.study.cache import _store

TSV = "segment\tdocument\tsource\treference\treference:b\tfacet:domain\tA\tB\n1\td\tx y\tthe cat\ta cat\tnews\ta\tb\n"
TSV += "2\td\tz\tsat\t\tchat\tthe\tcat\n3\te\tz\tdown\tdown\tchat\t\tcat sat\n"
SGML = """<srcset setid="s" srclang="en"><doc docid="d"><seg id="1">x</seg><seg id="2">y</seg></doc></srcset>
<refset setid="s" srclang="en" trglang="de"><doc docid="d" sysid="r"><seg id="1">a b</seg><seg id="2">c</seg></doc>
</refset><tstset setid="s" srclang="en" trglang="de"><doc docid="d" sysid="A"><seg id="1">a</seg><p><seg id="2">c &amp;
</seg></p></doc></tstset>
"""
XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="s"><doc origlang="en" id="d" domain="news"><src lang="en"><p><seg id="1">x</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">a b</seg></p></ref><hyp system="A" language="de"><p><seg id="1">a</seg></p>
</hyp></doc></dataset>
"""
TREE = "# text = the cat\n1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tcat\tcat\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
PARSE = """Sentence #1 (2 tokens):
the cat
[Text=the PartOfSpeech=DT Lemma=the] [Text=cat PartOfSpeech=NN Lemma=cat]
(ROOT (NP (DT the) (NN cat)))

root(ROOT-0, cat-2)
det(cat-2, the-1)

"""
SCORES = {
    "table.scores": "LP\tSYSTEM\tSID\tHUMAN\tTER\nde-en\tA\t1\t0.1\t50\nde-en\tB\t1\t-0.2\tNA\nde-en\tC\t1\t2\t3\n",
    "wmt14.sys.score": "BLEU\tde-en\tnews\tA\t0.25\nBLEU\tde-en\tnews\tB\t0.5\n",
    "wmt14.seg.score": "BLEU\tde-en\tnews\tA\t1\t0.25\nBLEU\tde-en\tnews\tB\t1\t0.5\n",
    "wmt20.seg.score": "M\tde-en\tnews\tref\tA\tdoc\t1\t0.25\tnon-ensemble\tno\n" * 2,
    "scores.csv": "system,metric,level,segment,score,better\nA,bleu,corpus,,1.5,higher\nB,bleu,corpus,,2,\n",
    "scores.json": '{"records": [{"system": "A", "metric": "m", "level": "segment", "segment": "1", "score": 2}]}',
    "ranking.csv": "system,score,rank_low,rank_high,cluster\nA,1.5,1,1,1\nB,0.5,2,2,2\n",
}
OTHERS = {
    "a.tsv": TSV,
    "set.sgm": SGML,
    "set.xml": XML,
    "pseudo.txt": "the cat sat\n\na b c\n",
    "parses.conllu": TREE * 2,
    "texts.parse": PARSE * 2,
    "texts.senses": "the -\ncat 12|feline\n\n# text = a b\na one|An\nb -\n",
    "texts.roles": "the - (A0*\ncat - *)\nsat sit (V*)\n\n# text = a b\na - (A1*)\nb be *\n",
    "texts.brackets": "# text = a b\n(Root:Span (EDU a b))\n(S (NP (DT the) (NN cat)) (VP (VBD sat)))\n",
    "vectors.vec": "4 2\nthe 1 0\ncat 0.8 0.6\nsat 0 1\na 0 0\n",
    "model.arpa": ARPA,
    "table.ibm1.tsv": "the\tcat\t0.5\ncat\tthe\t0.25\nsat\tsat\t0.25\n\ta\t0.125\n",
    "n-grams.frequencies": "# above 1\n# cutoffs 1 2 3 4\n# cutoffs 1 1 1 3\nthe\t4\ncat\t3\nsat\t1\nthe cat\t3\n",
    "paraphrases.txt": "0.5\nthe cat\na\n0.1\nsat\nthe\n",
    "gapped.txt": "0.5\nthe [X] sat\na [X] b\n",
    "small.run": "q1 Q0 d7 1 12.5 bm25\nq1 Q0 d2 2 9 bm25\n",
    "small.qrels": "q1 0 d7 1\nq1 0 d2 0\n",
    "texts.txt": "q1\tthe cat\nd2\tsat\n",
    "typology.json": '{"Accuracy": ["Omission", "Addition"], "Other": []}',
    "tutorial.jsonl": """{"source": "x", "outputs": ["the cat"], "expected": {"score": [50, 90]}, "feedback": "Good."}
{"source": "y", "reference": "a", "outputs": ["sat"], "expected": {"score": 20}}
""",
}


def write(folder: pathlib.Path) -> list[pathlib.Path]:
    """All of them, in a folder; what ships with the package is among them."""
    files = {**{f"judged.{name}": text for name, text in SMALL.items()}, **SCORES, **OTHERS}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    for shipped in importlib.resources.files("tercet.sample").iterdir():
        if not shipped.name.endswith((".py", ".md")) and shipped.is_file():
            (folder / shipped.name).write_bytes(shipped.read_bytes())
    _model(folder / "combine.model.json")
    meteor_folder(folder / "resources")
    for name in ("sources/en-de.txt", "references/en-de.refA.txt", "system-outputs/en-de/A.txt"):
        file = folder / "directory" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a b\nc\n", encoding="utf-8")
    _parquet(folder)
    for make in (_kept, _quality, _words, _encoders, _campaigns):
        with contextlib.suppress(ImportError):  # what is not installed is not fuzzed
            make(folder)
    return sorted(path for path in folder.iterdir())


def _model(path: pathlib.Path) -> None:
    part = {"higher_is_better": True, "facts": {}, "weight": 1.0, "mean": 0.0, "deviation": 1.0, "metric": "chrf"}
    models.write(path, {"kind": "combine", "parts": [part], "intercept": 0.0})


def _parquet(folder: pathlib.Path) -> None:
    from tercet.formats import read_scores, table, write_scores

    table.write(table.read(folder / "a.tsv"), folder / "a.parquet")
    write_scores(read_scores(folder / "table.scores"), folder / "scores.parquet")


def _kept(folder: pathlib.Path) -> None:
    """What earlier runs have left: a comparison, a shard of a score, and an entry of a study's cache."""
    comparison = tercet.compare(COMPARED, metrics=["bleu"], samples=40)
    (folder / "earlier.json").write_text(json_text(comparison.to_dict()), encoding="utf-8")
    asked: dict[str, Any] = {"metrics": ["bleu", "chrf"], "level": "segment"}
    tercet.score_shard(COMPARED, part=folder / "score.part", **asked)
    _store(folder / "entry.npz", statistics(COMPARED, tercet.metric("bleu")).rows)


def _quality(folder: pathlib.Path) -> None:
    """A model of sentences: three features, one of a language model beside it."""
    home = folder / "qe.model"
    home.mkdir()
    (home / "lm.arpa").write_text(ARPA, encoding="utf-8")
    specs = ["tokens", "token-ratio", f'lm-probability(model="{home / "lm.arpa"}")']
    features, n = tuple(FEATURES.make(spec) for spec in specs), len(specs)
    learnt = LearntFunction("linear", {"intercept": 0.5}, {"weights": np.arange(3.0)})
    held = HeldOutLabels(np.linspace(0, 1, 30), np.linspace(0, 1, 30), np.arange(30.0), np.arange(30))
    QualityModel(
        features, np.zeros(n), np.ones(n), np.ones(n), learnt, 1.0, False, "none", False, held, {"level": "sentence"}
    ).save(home)


def _words(folder: pathlib.Path) -> None:
    """Models of words: a chain, and a forest of one tree."""
    tags, resources = ("BAD", "OK"), WordResources(None, None, False)
    chained = Chain(tags, ("w=the", "w=cat"), np.ones((2, 2)), np.eye(2))
    tree = {"roots": [0], "features": [0, 0, 0], "lefts": [1, 0, 0], "rights": [2, 0, 0]}
    numbers = {"thresholds": [0.5, 0.0, 0.0], "leaves": [0.0, 0.25, 0.75]}
    arrays = {**{k: np.array(v) for k, v in tree.items()}, **{k: np.array(v) for k, v in numbers.items()}}
    forest = Forest(tags, (LearntFunction("trees", {"start": 0.0, "rate": 1.0}, arrays),) * 2, 0.5)
    for name, learner in (("chain.model", chained), ("forest.model", forest)):
        (folder / name).mkdir()
        save_words(WordModel(learner, learner if name == "chain.model" else None, resources), folder / name)


def _encoders(folder: pathlib.Path) -> None:
    """Encoders of both families, and models over one of them."""
    from safetensors.numpy import save_file
    from tests.metrics.test_neural import comet_folder

    tiny = write_tiny_encoder(folder / "encoder.model")
    write_tiny_encoder(folder / "roberta.encoder.model", "roberta")
    comet = comet_folder(folder / "comet.model", tiny)
    (comet / "tokenizer.json").write_bytes((tiny / "tokenizer.json").read_bytes())
    esim = folder / "esim.model"
    esim.mkdir()
    weights = untrained_weights(16, 2, size=4, variant=5).items()
    save_file({name: np.asarray(w, dtype=np.float32) for name, w in weights}, esim / "model.safetensors")
    about = {"encoder": str(tiny), "max_wordpieces": 20}
    (esim / "config.json").write_text(json.dumps(about), encoding="utf-8")


def _campaigns(folder: pathlib.Path) -> None:
    """Campaigns with answers in them, their log, and the protocols that ship."""
    from tests.server.client import any_answer

    for protocol in ("ranking", "esa"):
        path, _ = created(folder, protocol, folder / f"{protocol}.db")
        with Campaign.open(path) as campaign:
            annotator = campaign.state.annotators["a1"]
            names, events = campaign.lease(annotator, 4)
            campaign.write(events)
            for item in (campaign.payload(annotator, name) for name in names):
                answer = {"key": item["key"], "answer": any_answer(list(campaign.protocol.fields), item), "seconds": 2}
                campaign.write([campaign.answer(annotator, answer)])
        export_campaign(path, output=folder / f"{protocol}.log.jsonl", form="log")
    for shipped in importlib.resources.files("tercet.campaigns.protocols").iterdir():
        (folder / f"protocol.{shipped.name}").write_bytes(shipped.read_bytes())
