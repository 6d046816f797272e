"""`compare`: where is B better than A, and is it luck?

test set (with the outputs of an earlier run, if one is the baseline)
    metrics ──> scores, intervals, tests of every two systems, clusters, segment scores, buckets
    words   ──> lengths, n-grams, words, checks
        all of it ──> findings, answers
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tercet import kernels
from tercet.comparing.answers import answers, assumptions
from tercet.comparing.buckets import bucketings
from tercet.comparing.checks import checks
from tercet.comparing.distributions import distribution
from tercet.comparing.findings import findings
from tercet.comparing.ngrams import ngram_differences, word_differences
from tercet.comparing.scores import Scored, described, scored
from tercet.comparing.tracking import is_earlier_run, tracks, with_earlier
from tercet.comparing.words import Words, number, usual_tokenizer
from tercet.data import Comparison, Ints, SystemLength, TestSet, Texts
from tercet.encoders import while_reading
from tercet.errors import InputError
from tercet.formats import lines
from tercet.inputs import texts
from tercet.limits import Budget
from tercet.metric_base import Metric
from tercet.options import verb
from tercet.options.groups import Testing
from tercet.options.scoring import CompareOptions
from tercet.scoring import check_systems, made_metrics, remarks, runs_of
from tercet.signing import Seen, signature
from tercet.stats.significance import with_enough_draws
from tercet.text import Tokenizer, tokenizer, tokens

Corpus = Sequence[str] | pathlib.Path
FEW = 30  # segments, with fewer of which tests mean little
_DRAW = 24  # bytes of a difference in one draw


@verb(CompareOptions)
def compare(asked: CompareOptions) -> Comparison:
    """Compare systems: scores with intervals and tests, where they differ, and what stands out.

    Columns of a test set called `facet:NAME` are facets anyway. An earlier run as the baseline gives its outputs of
    the same systems, which are then the baselines.

    >>> found = compare({"A": ["a cat", "it is"], "B": ["the cat", "it was"]}, ["the cat", "it was"], metrics=["chrf"])
    >>> found.difference("chrf", "B").wins
    2
    """
    metrics = made_metrics(asked.metrics)
    if not metrics:
        raise InputError("There is no metric to compare by.", hint="For example: -m bleu -m chrf")
    whole = _with_facets(texts(asked), asked.facets)
    pairs: list[tuple[str, str]] = []
    if is_earlier_run(asked.baseline, whole):
        whole, pairs = with_earlier(whole, asked.baseline)  # type: ignore[arg-type]
        asked = dataclasses.replace(asked, baseline=pairs[0][1])
    systems = len(whole.systems)
    asked = with_enough_draws(asked, systems * (systems - 1) // 2)
    _check(whole, asked)
    with while_reading(asked.cache, asked.progress):
        return _compared(whole, metrics, asked, pairs)


def _compared(
    testset: TestSet, metrics: Sequence[Metric], how: CompareOptions, pairs: list[tuple[str, str]]
) -> Comparison:
    spec = tokenizer(how.tokenize or usual_tokenizer(testset))
    words = number(testset, spec, how.workers)
    results = [scored(testset, metric, how) for metric in metrics]
    systems = list(testset.systems)
    baseline = str(how.baseline or systems[0])
    base = systems.index(baseline)
    seen = Seen()
    seen.add(testset)
    counts = None if how.corpus is None else _corpus_counts(how.corpus, words, spec, how.workers, seen)
    cuts = bucketings(testset, results, words, base, how, counts)
    faults = checks(testset, words, base)
    lengths = _lengths(words)
    ngrams, said = ngram_differences(words, baseline), word_differences(words, baseline)
    tracked = tracks(testset, pairs, results[0])
    facts = how.facts(_nrefs(testset), intervals=True, tests=len(systems) * (len(systems) - 1) // 2)
    counted = {"words": spec, **({"facets": "+".join(how.facets)} if how.facets else {})}
    return Comparison(
        testset=testset,
        baseline=baseline,
        metrics=tuple(described(result.metric, facts) for result in results),
        scores=tuple(s for result in results for s in result.scores),
        tests=tuple(result.tests for result in results),
        segment_scores=np.stack([result.segments for result in results]),
        lengths=lengths,
        bucketings=cuts,
        checks=faults,
        ngrams=tuple(ngrams),
        words=tuple(said),
        findings=findings(testset, baseline, results[0], words, lengths, cuts, faults, ngrams, said, how.seed),
        answers=answers(results, baseline, tracked),
        assumptions=assumptions(how, len(systems), len(metrics)),
        signature=signature("compare", {**counted, **facts}, seen.fingerprints()),
        notes=(*_notes(testset, results), *how.assumed(documents=testset.has_long_documents)),
        tracks=tracked,
        distributions=tuple(distribution(str(result.metric), result.segments) for result in results),
    )


def _with_facets(testset: TestSet, names: Sequence[str]) -> TestSet:
    """Columns that were taken for systems as facets."""
    for name in names:
        if name not in testset.systems and name not in testset.facets:
            known = ", ".join([*testset.facets, *testset.systems])
            raise InputError(f"The test set has no column {name!r} to be a facet.", hint=f"It has {known}.")
    moved = {name: testset.systems[name].strings for name in names if name in testset.systems}
    systems = {name: texts for name, texts in testset.systems.items() if name not in moved}
    return dataclasses.replace(testset, systems=systems, facets={**testset.facets, **moved})


def _check(testset: TestSet, how: Testing) -> None:
    names = list(testset.systems)
    if not len(testset):
        raise InputError("There is not one segment to compare.", hint="Check that the files are not empty.")
    if len(names) < 2:
        raise InputError(
            f"A comparison needs two systems or more; there is {names[0] if names else 'none'}.",
            hint="Name the baseline's file first, then the others; or an earlier run with --baseline previous.json.",
        )
    several = [name for name, runs in runs_of(names).items() if len(runs) > 1]
    if several:
        raise InputError(
            f"There are several runs of {several[0]}.",
            hint="Compare one run of each system; tercet score --paired tests all runs together.",
        )
    check_systems(how, names)
    pairs = len(names) * (len(names) - 1) // 2
    budget = Budget(f"Tests of every two of {len(names)} systems", "Compare fewer systems at once.")
    budget.take(_DRAW * pairs * (how.trials if how.paired == "randomization" else how.samples))


def _corpus_counts(corpus: Corpus, words: Words, spec: Tokenizer, threads: int, seen: Seen) -> Ints:
    """How often each word of the vocabulary is in a corpus."""
    blocks = lines.blocks(corpus) if isinstance(corpus, pathlib.Path) else [list(corpus)]
    known = {word: i for i, word in enumerate(words.vocabulary)}
    counts = np.zeros(max(1, len(known)), dtype=np.int64)
    for block in blocks:
        texts = Texts.of(block, "corpus")
        data, offsets, _ = tokens(texts, spec, threads)
        seen.texts("corpus", "", texts)
        for word, n in Counter(kernels.unpack((data, offsets))).items():
            if word in known:
                counts[known[word]] += n
    return counts


def _lengths(words: Words) -> tuple[SystemLength, ...]:
    reference = len(words.reference.ids)
    return tuple(
        SystemLength(name, len(c.ids), reference, len(c.ids) / reference if reference else float("nan"))
        for name, c in words.systems.items()
    )


def _nrefs(testset: TestSet) -> str:
    if testset.references is None:
        return "0"
    fewest, most = testset.references.counts
    return f"{most}" if fewest == most else f"{fewest}-{most}"


def _notes(testset: TestSet, metrics: Sequence[Scored]) -> tuple[str, ...]:
    notes = []
    if len(testset) < FEW:
        notes.append(f"Tests on fewer than {FEW} segments mean little; there are {len(testset)}.")
    if testset.sources is None:
        notes.append("Without the source, copies of it and words left in its language are not looked for.")
    undefined = [str(scored.metric) for scored in metrics if np.isnan(scored.segments).any()]
    if undefined:
        notes.append(f"Some segments have no score by {', '.join(undefined)}; they win and lose nothing.")
    return (*notes, *remarks(testset, [scored.metric for scored in metrics]))
