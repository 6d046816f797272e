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
from collections.abc import Mapping, Sequence

import numpy as np

from tercet import kernels
from tercet.comparing.answers import answers, assumptions
from tercet.comparing.buckets import bucketings
from tercet.comparing.checks import checks
from tercet.comparing.findings import findings
from tercet.comparing.ngrams import ngram_differences, word_differences
from tercet.comparing.scores import Scored, Testing, described, scored
from tercet.comparing.tracking import is_earlier_run, tracks, with_earlier
from tercet.comparing.words import Words, number, usual_tokenizer
from tercet.data import Comparison, Ints, LengthRatio, TestSet, Texts
from tercet.errors import InputError
from tercet.formats import lines
from tercet.metric import Metric
from tercet.metrics import METRICS
from tercet.scoring import DEFAULT_METRICS, Correction, File, Options, Paired, Progress, Unit, gathered, runs_of
from tercet.text import Tokenizer, tokenizer, tokens

Corpus = Sequence[str] | pathlib.Path
FEW = 30  # segments, with fewer of which tests mean little


def compare(
    hypotheses: Mapping[str, Sequence[str] | pathlib.Path] | TestSet | File | None = None,
    references: Sequence[str | Sequence[str | None]] | Sequence[pathlib.Path] | None = None,
    *,
    testset: TestSet | File | None = None,
    testset_format: str | None = None,
    pair: str | None = None,
    sources: Sequence[str] | pathlib.Path | None = None,
    documents: Sequence[str] | pathlib.Path | None = None,
    num_refs: int = 1,
    facets: Sequence[str] | None = None,
    metrics: str | Sequence[str | Metric] = DEFAULT_METRICS,
    baseline: str | pathlib.Path | None = None,
    paired: Paired = "bootstrap",
    samples: int = 1000,
    trials: int = 10_000,
    seed: int = 12345,
    unit: Unit = "segment",
    correction: Correction = "none",
    corpus: Corpus | None = None,
    tokenize: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems: scores with intervals and tests, where they differ, and what stands out.

    Parameters
    ----------
    hypotheses, references, testset, testset_format, pair, sources, documents, num_refs
        As for `score`; a test set may also be given first.
    facets
        Columns of the test set that are no systems but say something of the segments, such as a domain. Columns called
        `facet:NAME` are facets anyway.
    metrics
        The first of them orders segments and cuts the test set by difficulty.
    baseline
        The system that others are held against, the first if none is named; or the JSON of an earlier run (`-f json`),
        whose outputs of the same systems are then the baselines.
    paired, samples, trials, seed, unit
        As for `score`: the test, and how often what is drawn.
    correction
        `holm` adjusts the p-values of each metric for the number of pairs of systems.
    corpus
        A text file, or texts, in which frequencies of words are counted; the references otherwise.
    tokenize
        The tokenizer of what is counted in words beside the metrics: `intl`, or `zh` for text without spaces.

    >>> found = compare({"A": ["a cat", "it is"], "B": ["the cat", "it was"]}, ["the cat", "it was"], metrics=["chrf"])
    >>> found.difference("chrf", "B").wins
    2
    """
    if isinstance(hypotheses, TestSet | str | pathlib.Path):
        testset = _only(hypotheses, testset)
        hypotheses = None
    wanted = [METRICS.make(m) for m in ([metrics] if isinstance(metrics, str) else metrics)]
    chosen = list(dict.fromkeys(wanted))
    if not chosen:
        raise InputError("There is no metric to compare by.", hint="For example: -m bleu -m chrf")
    whole = gathered(
        hypotheses,
        references,
        testset=testset,
        testset_format=testset_format,
        pair=pair,
        sources=sources,
        documents=documents,
        num_refs=num_refs,
    )
    whole = _with_facets(whole, facets or ())
    pairs: list[tuple[str, str]] = []
    if is_earlier_run(baseline, whole):
        whole, pairs = with_earlier(whole, baseline)  # type: ignore[arg-type]
        baseline = pairs[0][1]
    options = Options("corpus", True, paired, str(baseline) if baseline else None, samples, trials, seed, unit,
                      correction, False, threads)  # fmt: skip
    _check(whole, options)
    how = Testing(paired, samples, trials, seed, unit, correction, options.threads)
    spec = tokenizer(tokenize or usual_tokenizer(whole))
    return _compared(whole, chosen, options, how, spec, corpus, pairs, progress)


def _compared(
    testset: TestSet,
    metrics: Sequence[Metric],
    options: Options,
    how: Testing,
    spec: Tokenizer,
    corpus: Corpus | None,
    pairs: list[tuple[str, str]],
    progress: Progress | None,
) -> Comparison:
    words = number(testset, spec, how.threads)
    found = [scored(testset, metric, how, progress) for metric in metrics]
    systems = list(testset.systems)
    baseline = options.baseline or systems[0]
    base = systems.index(baseline)
    counts = None if corpus is None else _corpus_counts(corpus, words, spec, how.threads)
    cuts = bucketings(testset, found, words, base, how, counts)
    faults = checks(testset, words, base)
    lengths = _lengths(words)
    ngrams, said = ngram_differences(words, baseline), word_differences(words, baseline)
    tracked = tracks(testset, pairs, found[0])
    facts = options.signature(_nrefs(testset), several_runs=False)
    return Comparison(
        testset=testset,
        baseline=baseline,
        metrics=tuple(described(each.metric, facts) for each in found),
        scores=tuple(s for each in found for s in each.scores),
        tests=tuple(each.tests for each in found),
        segment_scores=np.stack([each.segments for each in found]),
        lengths=lengths,
        bucketings=cuts,
        checks=faults,
        ngrams=tuple(ngrams),
        words=tuple(said),
        findings=findings(testset, baseline, found[0], words, lengths, cuts, faults, ngrams, said, how.seed),
        answers=answers(found, baseline, tracked),
        assumptions=assumptions(how),
        signature=f"compare|words:{spec}|{facts}",
        notes=_notes(testset, found),
        tracks=tracked,
    )


def _only(first: TestSet | File, testset: TestSet | File | None) -> TestSet | File:
    if testset is not None:
        raise InputError("A test set is given twice.", hint="Give it once.")
    return first


def _with_facets(testset: TestSet, names: Sequence[str]) -> TestSet:
    """Columns that were taken for systems as facets."""
    for name in names:
        if name not in testset.systems and name not in testset.facets:
            known = ", ".join([*testset.facets, *testset.systems])
            raise InputError(f"The test set has no column {name!r} to be a facet.", hint=f"It has {known}.")
    moved = {name: testset.systems[name].strings for name in names if name in testset.systems}
    systems = {name: texts for name, texts in testset.systems.items() if name not in moved}
    return dataclasses.replace(testset, systems=systems, facets={**testset.facets, **moved})


def _check(testset: TestSet, options: Options) -> None:
    names = list(testset.systems)
    if not len(testset):
        raise InputError("There is not one segment to compare.", hint="Check that the files are not empty.")
    if len(names) < 2:
        raise InputError(
            f"A comparison needs two systems or more; there is {names[0] if names else 'none'}.",
            hint="Name the baseline's file first, then the others; or an earlier run with --baseline previous.json.",
        )
    several = [name for name, own in runs_of(names).items() if len(own) > 1]
    if several:
        raise InputError(
            f"There are several runs of {several[0]}.",
            hint="Compare one run of each system; tercet score --paired tests all runs together.",
        )
    options.check_systems(names)


def _corpus_counts(corpus: Corpus, words: Words, spec: Tokenizer, threads: int) -> Ints:
    """How often each word of the vocabulary is in a corpus."""
    blocks = lines.blocks(corpus) if isinstance(corpus, pathlib.Path) else [list(corpus)]
    known = {word: i for i, word in enumerate(words.vocabulary)}
    counts = np.zeros(max(1, len(known)), dtype=np.int64)
    for block in blocks:
        data, offsets, _ = tokens(Texts.of(block, "corpus"), spec, threads)
        for word, n in Counter(kernels.unpack((data, offsets))).items():
            if word in known:
                counts[known[word]] += n
    return counts


def _lengths(words: Words) -> tuple[LengthRatio, ...]:
    reference = len(words.reference.ids)
    return tuple(
        LengthRatio(name, len(c.ids), reference, len(c.ids) / reference if reference else float("nan"))
        for name, c in words.systems.items()
    )


def _nrefs(testset: TestSet) -> str:
    if testset.references is None:
        return "0"
    fewest, most = testset.references.counts
    return f"{most}" if fewest == most else f"{fewest}-{most}"


def _notes(testset: TestSet, found: Sequence[Scored]) -> tuple[str, ...]:
    notes = []
    if len(testset) < FEW:
        notes.append(f"Tests on fewer than {FEW} segments mean little; there are {len(testset)}.")
    if testset.sources is None:
        notes.append("Without the source, copies of it and words left in its language are not looked for.")
    undefined = [str(each.metric) for each in found if np.isnan(each.segments).any()]
    if undefined:
        notes.append(f"Some segments have no score by {', '.join(undefined)}; they win and lose nothing.")
    return tuple(notes)
