"""Paraphrase matching as METEOR describes it: every entry against every place of both texts."""

from collections.abc import Iterator, Sequence

Entry = tuple[str, str]  # phrase, paraphrase
Match = tuple[int, int, int, int]  # start and length in the reference, then in the hypothesis


def matches(entries: Sequence[Entry], hyp: Sequence[str], ref: Sequence[str]) -> list[Match]:
    """Those of one reference position together: the table as it stands, then with the texts changed over."""
    forward = list(directed(entries, ref, hyp))
    reverse = [(b, n_b, a, n_a) for a, n_a, b, n_b in directed(entries, hyp, ref)]
    return sorted([*forward, *reverse], key=lambda match: match[0])  # a stable sort


def directed(entries: Sequence[Entry], phrases: Sequence[str], paraphrases: Sequence[str]) -> Iterator[Match]:
    """By the place of the phrase, its length, the order of the table, the place of the paraphrase."""
    for start in range(len(phrases)):
        for length in range(1, len(phrases) - start + 1):
            here = list(phrases[start : start + length])
            for phrase, paraphrase in entries:
                other = paraphrase.split()
                if phrase.split() != here:
                    continue
                for at in range(len(paraphrases) - len(other) + 1):
                    if list(paraphrases[at : at + len(other)]) == other:
                        yield start, length, at, len(other)
