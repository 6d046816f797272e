"""Write the example of quality estimation: src/tercet/sample/quality/.

    python scripts/make_quality.py

All of it is made up. Sentences of a hotel's notices are put together from a small English-German lexicon; a "machine"
translates them word by word and errs more often with rare words and in long sentences, and a "post-editor" sets every
error right. Three "submissions" of a test set see the true effort through noise. The output is committed; a test holds
program and files equal.
"""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

import numpy as np

from tercet.quality.labels import edit_scripts, hter, word_tags

TARGET = pathlib.Path(__file__).resolve().parents[1] / "src" / "tercet" / "sample" / "quality"
SEED = 7
TRAIN, TEST = 300, 120
SECONDS_A_WORD = 0.9

# English, German, and what a poor machine would write instead; the later an entry, the rarer its words
SUBJECTS = (
    ("a guest", "ein Gast", "ein Besuch"),
    ("our team", "unser Team", "unsere Mannschaft"),
    ("the kitchen", "die Küche", "die Kochen"),
    ("the night porter", "der Nachtportier", "der Nacht Träger"),
    ("the lift attendant", "der Liftführer", "der heben Begleiter"),
)
VERBS = (
    ("finds", "findet", "findet"),
    ("brings", "bringt", "bringen"),
    ("repairs", "repariert", "Reparaturen"),
    ("moves", "bewegt", "Bewegungen"),
    ("polishes", "poliert", "polnisch"),
)
ADJECTIVES = (
    ("new", "neue", "neu"),
    ("small", "kleine", "klein"),
    ("old", "alte", "alt"),
    ("broken", "zerbrochene", "gebrochen"),
    ("brass", "messingne", "Messing"),
)
OBJECTS = (  # with their articles
    ("the key", "den Schlüssel", "die Taste"),
    ("the room", "das Zimmer", "den Raum"),
    ("the lamp", "die Lampe", "der Lampe"),
    ("the tap", "den Wasserhahn", "den Zapfen"),
    ("the fern", "den Farn", "die weit"),
    ("the stair rod", "die Läuferstange", "die Treppe Stab"),
)
PLACES = (
    ("in the hall", "in der Halle", "im Halle"),
    ("behind the bar", "hinter der Theke", "hinter dem Bar"),
    ("on the second floor", "im zweiten Stock", "auf dem zweiten Boden"),
    ("beside the linen press", "neben der Wäschepresse", "neben dem Leinen Presse"),
)
TIMES = (
    ("every morning", "jeden Morgen", "jede Morgen"),
    ("before breakfast", "vor dem Frühstück", "vor Frühstück"),
    ("after the last boat", "nach dem letzten Boot", "nach das letzte Schiff"),
)
JOINTS = (("and", "und", "und"), ("but", "aber", "sondern"), ("for", "denn", "für"))
Entry = tuple[str, str, str]
Rng = np.random.Generator


def choice(rng: Rng, entries: Sequence[Entry]) -> tuple[Entry, float]:
    """An entry, earlier ones more often, and how rare it is, from 0 to 1."""
    weights = 1 / np.arange(1, len(entries) + 1)
    i = int(rng.choice(len(entries), p=weights / weights.sum()))
    return entries[i], i / (len(entries) - 1)


def clause(rng: Rng) -> list[tuple[Entry, float]]:
    """A subject, a verb, an object, and perhaps where and when."""
    parts = [choice(rng, SUBJECTS), choice(rng, VERBS)]
    english, german, wrong = choice(rng, OBJECTS)[0]
    parts.append(((_first(english), _first(german), _first(wrong)), 0.0))
    if rng.random() < 0.6:
        (adjective, plain, poor), rarity = choice(rng, ADJECTIVES)
        parts.append(((adjective, plain + ("n" if _first(german) == "den" else ""), poor), rarity))
    names = [entry[0] for entry in OBJECTS]
    parts.append(((_rest(english), _rest(german), _rest(wrong)), names.index(english) / (len(names) - 1)))
    parts += [choice(rng, PLACES)] if rng.random() < 0.5 else []
    parts += [choice(rng, TIMES)] if rng.random() < 0.4 else []
    return parts


def _first(words: str) -> str:
    return words.partition(" ")[0]


def _rest(words: str) -> str:
    return words.partition(" ")[2]


def segment(rng: Rng) -> tuple[str, str, str]:
    """A source sentence, its translation by machine, and the translation set right."""
    parts = clause(rng)
    while rng.random() < 0.35 and len(parts) < 24:
        parts += [choice(rng, JOINTS), *clause(rng)]
    source = [words for (words, _, _), _ in parts]
    right = [words for (_, words, _), _ in parts]
    machine: list[str] = []
    for (english, german, wrong), rarity in parts:
        risk = 0.03 + 0.45 * rarity + 0.004 * len(parts)
        if rng.random() >= risk:
            machine.append(german)
            continue
        kind = rng.random()
        machine += [wrong] if kind < 0.6 else [english] if kind < 0.8 else [] if kind < 0.9 else [wrong, german]
    if len(machine) > 3 and rng.random() < 0.15:
        at = int(rng.integers(len(machine) - 1))
        machine[at], machine[at + 1] = machine[at + 1], machine[at]
    texts = [" ".join([*words, "."]) for words in (source, machine, right)]
    first, *rest = (text[0].upper() + text[1:] for text in texts)
    return first, rest[0], rest[1]


def submissions(rng: Rng, machine: Sequence[str], right: Sequence[str]) -> dict[str, str]:
    """Predictions for the test set, and what they are held against."""
    true = hter(machine, right)
    scripts = edit_scripts(machine, right, shifts=False)
    tags = [word_tags(script, len(text.split()))[0] for script, text in zip(scripts, machine, strict=True)]
    lengths = np.array([len(text.split()) for text in machine])
    forest = np.clip(0.7 * true + 0.08 + rng.normal(0, 0.07, len(true)), 0, 1)
    ridge = np.clip(0.5 * true + 0.12 + rng.normal(0, 0.12, len(true)), 0, 1)
    by_length = 0.1 + 0.006 * lengths
    flipped = {
        name: [tuple({"OK": "BAD", "BAD": "OK"}[t] if rng.random() < share else t for t in line) for line in tags]
        for name, share in (("forest", 0.08), ("ridge", 0.2))
    }
    times = SECONDS_A_WORD * 1000 * lengths * (0.4 + 2 * true) * np.exp(rng.normal(0, 0.25, len(true)))
    times[[17, 80]] = (2_700_000, 40)  # a coffee break, and a slip of the key
    return {
        "forest.tsv": "".join(_ranked("HOTEL_forest", forest)),
        "ridge.tsv": "".join(_ranked("HOTEL_ridge", ridge)),
        "length.txt": "".join(f"{score:.4f}\n" for score in by_length),
        **{f"{name}.tags": "".join(" ".join(line) + "\n" for line in lines) for name, lines in flipped.items()},
        "gold.spans.tsv": _span_table(machine, tags, rng),
        "forest.spans.tsv": _span_table(machine, flipped["forest"], rng),
        "test.ms": "".join(f"{time:.0f}\n" for time in times),
    }


def _ranked(method: str, scores: np.ndarray) -> list[str]:
    rounded = np.round(scores, 4)
    ranks = np.empty(len(scores), dtype=int)
    ranks[np.argsort(rounded, kind="stable")] = np.arange(1, len(scores) + 1)
    rows = zip(rounded, ranks, strict=True)
    return [f"{method}\t{i}\t{score:.4f}\t{rank}\n" for i, (score, rank) in enumerate(rows, 1)]


def _span_table(texts: Sequence[str], tags: Sequence[Sequence[str]], rng: Rng) -> str:
    """Words in a row that are BAD as spans; about a third of them major."""
    rows = ["segment\ttarget\tstart_indices\tend_indices\terror_types\n"]
    for i, (text, line) in enumerate(zip(texts, tags, strict=True), 1):
        spans: list[list[int]] = []
        place, before = 0, "OK"
        for word, tag in zip(text.split(), line, strict=True):
            start = text.index(word, place)
            place = start + len(word)
            if tag == "BAD":
                spans[-1:] = [[spans[-1][0], place]] if before == "BAD" else [*spans[-1:], [start, place]]
            before = tag
        kinds = ["major" if rng.random() < 0.35 else "minor" for _ in spans] or ["no-error"]
        starts, ends = ([str(s[k]) for s in spans] or ["-1"] for k in (0, 1))
        rows.append("\t".join([str(i), text, " ".join(starts), " ".join(ends), " ".join(kinds)]) + "\n")
    return "".join(rows)


def files() -> dict[str, str]:
    """All files by name."""
    rng = np.random.default_rng(SEED)
    out: dict[str, str] = {}
    for part, size in (("train", TRAIN), ("test", TEST)):
        rows = [segment(rng) for _ in range(size)]
        for name, column in zip(("en", "mt", "pe"), zip(*rows, strict=True), strict=True):
            out[f"{part}.{name}"] = "".join(f"{text}\n" for text in column)
    return out | submissions(rng, out["test.mt"].splitlines(), out["test.pe"].splitlines())


def main() -> None:
    """Write them."""
    TARGET.mkdir(exist_ok=True)
    for name, text in files().items():
        (TARGET / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
