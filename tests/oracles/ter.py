"""Slow, plain TER edits as sacreBLEU 2.6 counts them (Snover et al. 2006), for testing the kernel."""

import math

INFINITE = 10**15


def beamed_matrix(hyp: list[str], ref: list[str]) -> list[list[int]]:
    """Edit distances of all prefixes; cells outside the beam stay infinite."""
    ratio = len(ref) / len(hyp) if hyp else 1.0
    half = 25 if ratio / 2 <= 25 else math.ceil(ratio / 2 + 25)
    matrix = [list(range(len(ref) + 1))]
    for i in range(1, len(hyp) + 1):
        centre = math.floor(i * ratio)
        end = len(ref) + 1 if i == len(hyp) else min(len(ref) + 1, centre + half)
        above, row = matrix[-1], [INFINITE] * (len(ref) + 1)
        for j in range(max(0, centre - half), end):
            ways = [above[j] + 1]
            if j > 0:
                ways += [above[j - 1] + (hyp[i - 1] != ref[j - 1]), row[j - 1] + 1]
            row[j] = min(ways)
        matrix.append(row)
    return matrix


def alignment(hyp: list[str], ref: list[str]) -> tuple[list[int], list[bool], list[bool]]:
    """For each reference word the last hypothesis word used; errors in hypothesis and reference."""
    matrix = beamed_matrix(hyp, ref)
    align = [-1] * len(ref)
    hyp_error = [True] * len(hyp)
    ref_error = [True] * len(ref)
    i, j = len(hyp), len(ref)
    while i > 0 or j > 0:
        cost = matrix[i][j]
        match = i > 0 and j > 0 and hyp[i - 1] == ref[j - 1]
        if i > 0 and j > 0 and matrix[i - 1][j - 1] + (not match) == cost:
            i, j = i - 1, j - 1
            align[j] = i
            hyp_error[i] = ref_error[j] = not match
        elif i > 0 and matrix[i - 1][j] + 1 == cost:
            i -= 1
        else:
            j -= 1
            align[j] = i - 1
    return align, hyp_error, ref_error


def shifted(words: list[str], start: int, length: int, target: int) -> list[str]:
    """The words with the block moved to the target position."""
    block = words[start : start + length]
    rest = words[:start] + words[start + length :]
    if target < start:
        place = target
    elif target > start + length:
        place = target - length
    else:
        place = target
    return rest[:place] + block + rest[place:]


def best_shift(hyp: list[str], ref: list[str], checked: int) -> tuple[int, list[str], int]:
    """Gain and result of the best shift; the number of candidates checked so far."""
    align, hyp_error, ref_error = alignment(hyp, ref)
    before = beamed_matrix(hyp, ref)[-1][-1]
    tried: list[tuple[int, int, int, int, list[str]]] = []
    for start in range(len(hyp)):
        for ref_start in range(max(0, start - 50), min(len(ref), start + 51)):
            for length in range(1, 11):
                end, ref_end = start + length, ref_start + length
                if end > len(hyp) or ref_end > len(ref) or hyp[end - 1] != ref[ref_end - 1]:
                    break
                if not any(hyp_error[start:end]) or not any(ref_error[ref_start:ref_end]):
                    continue
                if start <= align[ref_start] < end:
                    continue
                targets = {0 if r < 0 else align[r] + 1 for r in range(ref_start - 1, ref_end)}
                for target in targets:
                    words = shifted(hyp, start, length, target)
                    gain = before - beamed_matrix(words, ref)[-1][-1]
                    tried.append((gain, length, -start, -target, words))
                if checked + len(tried) >= 1000:
                    return 0, hyp, 1000
    if not tried:
        return 0, hyp, checked
    best = max(tried)
    return best[0], best[4], checked + len(tried)


def ter_edits(hyp: list[str], ref: list[str]) -> int:
    """Number of edits of the pair, shifts included."""
    if not ref:
        return len(hyp)
    shifts = checked = 0
    while True:
        gain, words, checked = best_shift(hyp, ref, checked)
        if checked >= 1000 or gain <= 0:
            return shifts + beamed_matrix(hyp, ref)[-1][-1]
        shifts += 1
        hyp = words
