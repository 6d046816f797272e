"""CharacTER by its definition: every shift is tried, every distance a whole matrix."""

from collections.abc import Sequence

from tests.oracles.edits import distance

Words = list[str]


def best_shift(hyp: Words, ref: Words) -> tuple[int, Words]:
    """The largest fall of the word edit distance by one shift, and what it leaves; of equals the last list."""
    now = distance(hyp, ref, jumps=False)
    found: list[tuple[int, Words]] = [(0, hyp)]
    for a in range(len(hyp)):
        for b in range(len(ref)):
            n = 0
            while a != b and a + n < len(hyp) and b + n < len(ref) and hyp[a + n] == ref[b + n]:
                n += 1
            if n:
                rest = hyp[:a] + hyp[a + n :]
                shifted = rest[:b] + hyp[a : a + n] + rest[b:]
                found.append((now - distance(shifted, ref, jumps=False), shifted))
    return max(found)


def shift_cost(shifted: Words, original: Words) -> float:
    """The mean word length of each block that is found again further on."""
    cost, p, size = 0.0, 0, len(original)
    while p < size:
        later = [q for q in range(p + 1, size) if shifted[q] == original[p]]
        if original[p] != shifted[p] and later:
            first, q = p, later[0]
            block = [original[first]]
            while q + len(block) < size and original[first + len(block)] == shifted[q + len(block)]:
                block.append(original[first + len(block)])
                p = min(p + 1, size - 1)
            cost += sum(map(len, block)) / len(block)
        p += 1
    return cost


def pair(hyp: Words, ref: Words) -> list[float]:
    """[score, character edits, shift cost, hypothesis characters] against one reference."""
    shifted = list(hyp)
    gain = 1
    while gain > 0:
        gain, after = best_shift(shifted, ref)
        shifted = after if gain > 0 else shifted
    text, wanted = " ".join(shifted), " ".join(ref)
    edits = distance(list(text), list(wanted), jumps=False)
    cost = shift_cost(shifted, hyp)
    return [min(1.0, (edits + cost) / len(text)) if text else 1.0, float(edits), cost, float(len(text))]


def character(hyp: Words, refs: Sequence[Words]) -> list[float]:
    """The numbers of the reference with the lowest score."""
    return min((pair(hyp, ref) for ref in refs), key=lambda row: row[0])
