"""Slow, plain TER edits as the Moses scorer counts them (its port of tercpp), for testing the kernel."""

Table = dict[tuple[int, int], tuple[int, str]]


def beamed_table(words: list[str], fixed: list[str]) -> Table:
    """(fixed prefix, words prefix) -> (cost, last step); only the cells that the beam reaches."""
    table: Table = {(0, 0): (0, "")}

    def offer(i: int, j: int, cost: int, step: str) -> bool:
        if (i, j) in table and table[i, j][0] <= cost:
            return False
        table[i, j] = (cost, step)
        return True

    first_good, last_good, best = 0, 0, 99999
    for j in range(len(words) + 1):
        last_best, best = best, 99999
        processed: list[int] = []
        i = first_good
        while i <= len(fixed) and i <= last_good:
            cost = table[i, j][0] if (i, j) in table else None
            if cost is not None and (j == len(words) or cost <= last_best + 10):
                processed.append(i)
                if i < len(fixed) and j < len(words):
                    match = fixed[i] == words[j]
                    if offer(i + 1, j + 1, cost + (not match), "A" if match else "S"):
                        best = min(best, cost + (not match))
                if j < len(words):
                    offer(i, j + 1, cost + 1, "I")
                if i < len(fixed) and offer(i + 1, j, cost + 1, "D"):
                    last_good = max(last_good, i + 1)
            i += 1
        first_good, last_good = processed[0], processed[-1] + 1
    return table


def distance(words: list[str], fixed: list[str]) -> int:
    """The beamed edit distance."""
    return beamed_table(words, fixed)[len(fixed), len(words)][0]


def alignment(words: list[str], fixed: list[str]) -> tuple[list[int], list[bool], list[bool]]:
    """Position in `words` for each fixed word; errors in words and fixed."""
    table = beamed_table(words, fixed)
    align, word_error, fixed_error = [0] * len(fixed), [True] * len(words), [True] * len(fixed)
    i, j = len(fixed), len(words)
    while i > 0 or j > 0:
        step = table[i, j][1]
        if step in "AS":
            i, j = i - 1, j - 1
            align[i] = j
            word_error[j] = fixed_error[i] = step == "S"
        elif step == "I":
            j -= 1
        else:
            i -= 1
            align[i] = j
    return align, word_error, fixed_error


def candidates(words: list[str], fixed: list[str]) -> list[tuple[int, int, int]]:
    """The first ten shifts as (start, end, target); the end is inclusive."""
    align, word_error, fixed_error = alignment(words, fixed)
    found: list[tuple[int, int, int]] = []
    for start in range(len(words)):
        places = [m for m in range(len(fixed)) if fixed[m] == words[start]]
        ok = any(align[m] != start and -26 <= align[m] - start <= 25 for m in places)
        end = start
        while ok and end < len(words) and end < start + 10 and len(found) < 10:
            size = end - start + 1
            places = [m for m in places if fixed[m : m + size] == words[start : end + 1]]
            ok = bool(places)
            if any(word_error[start : end + 1]):
                ok = False
                for m in places:
                    if start <= align[m] <= end or abs(align[m] - start) > 25:
                        continue
                    ok = True
                    if not any(fixed_error[m : m + size]):
                        continue
                    for offset in range(-1, size):
                        if offset == -1 and m == 0:
                            found.append((start, end, -1))
                        elif align[m + offset] != start and (offset == 0 or align[m + offset] != align[m]):
                            found.append((start, end, align[m + offset]))
            end += 1
    return found[:10]


def shift(words: list[str], start: int, end: int, target: int) -> list[str]:
    """The words with the block start..end moved to the target."""
    target = min(target, len(words) - 1)
    block, before, behind = words[start : end + 1], words[:start], words[end + 1 :]
    if target < start:
        place = max(target, 0)
        return before[:place] + block + before[place:] + behind
    moved = target - end if target > end else target - start
    return before + behind[:moved] + block + behind[moved:]


def tercpp_edits(shifted: list[str], fixed: list[str]) -> int:
    """Edits, shifts included: blocks of `shifted` (reference) move to match `fixed` (hypothesis)."""
    if not shifted or not fixed:
        return len(shifted) + len(fixed)
    words, shifts, now = shifted, 0, distance(shifted, fixed)
    while True:
        best_words, best, cost = words, now, 0
        for start, end, target in sorted(candidates(words, fixed), key=lambda c: c[0] - c[1]):
            fixes, most = now - (cost + best), 2 * (end - start + 1)
            if fixes > most or (cost and fixes == most):
                break
            tried = shift(words, start, end, target)
            left = distance(tried, fixed)
            gain = best + cost - left - 1
            if gain > 0 or (cost == 0 and gain == 0):
                best_words, best, cost = tried, left, 1
        if cost == 0:
            return shifts + now
        words, now, shifts = best_words, best, shifts + 1
