"""bert-score of PyPI on one thread: texts as JSON on standard input, scores and what they took as JSON on output.

It wants torch, which nothing else here does: `python -m venv V && V/bin/pip install bert-score 'transformers<5'`, and
then `BERT_SCORE=V/bin/python python -m benchmarks.encoders`. V's Python runs this file, without Tercet.
"""

import json
import resource
import sys
import time

import torch  # type: ignore[import-not-found,unused-ignore]
from bert_score import BERTScorer  # type: ignore[import-not-found,unused-ignore]


def main() -> None:
    """One reading that warms up, and one that counts."""
    given = json.load(sys.stdin)
    torch.set_num_threads(1)
    scorer = BERTScorer(
        model_type=given["model"], num_layers=given["layer"], device="cpu", nthreads=0, use_fast_tokenizer=True
    )
    scorer.score(given["hypotheses"][:8], given["references"][:8])
    start = time.process_time()
    _, _, f = scorer.score(given["hypotheses"], given["references"], batch_size=given["batch"])
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    json.dump({"seconds": seconds, "memory": memory, "scores": f.tolist()}, sys.stdout)


if __name__ == "__main__":
    main()
