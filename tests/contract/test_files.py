"""Metrics that read files: a segment's numbers stand alone with them, too."""

import pathlib

import pytest

from tercet.errors import MissingExtraError
from tercet.metrics import METRICS
from tests.conftest import absent
from tests.contract.metric_checks import stands_alone
from tests.meteor.files import folder, table
from tests.metrics.test_qe import ARPA

# words of the segments that the check has
CONTENT = {
    "vectors": "4 2\na 1 0\nb 0.8 0.6\nc 0 1\nd 0 0\n",
    "model": ARPA.replace("the", "a").replace("cat", "b").replace("sat", "c"),
    "table": "a\tb\t0.5\nb\ta\t0.25\nc\tc\t0.25\n\ta\t0.125\n",
    "phrases": "0.5 <p>a b</p> <p>b a</p>\n0.1 <p>c</p> <p>d</p>\n0.2 <p>b a d</p> <p>a</p>\n",
    "stop_words": "a\n",
    "paraphrases": table(("a b", "b a"), ("c", "d"), ("b a d", "a")),
}
SPECS = [
    'yisi-1(vectors="{vectors}")',
    'wmdo(vectors="{vectors}")',
    'lm(model="{model}")',
    'lm-perplexity(model="{model}")',
    'ibm1(table="{table}")',
    'meteor(paraphrases="{paraphrases}", resources="{resources}")',
    'meteor-lecture(modules=exact+paraphrase, paraphrases="{paraphrases}")',
    'terp(setting=terpa_phr, synonyms=false, phrases="{phrases}", stop_words="{stop_words}")',
]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.partition("(")[0])
def test_segments_stand_alone_with_files(spec: str, tmp_path: pathlib.Path) -> None:
    paths = {name: tmp_path / name for name in CONTENT}
    for name, text in CONTENT.items():
        paths[name].write_text(text, encoding="utf-8")
    try:
        stands_alone(METRICS.make(spec.format(**paths, resources=folder(tmp_path / "resources"))))
    except MissingExtraError as error:
        absent(f"{spec} needs something that is not installed: {error}")
