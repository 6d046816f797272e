"""Models as files: ARPA language models, and tables of word translations. What is read is kept for the process.

language_model   an ARPA file of SRILM, KenLM, IRSTLM, ...: back-off n-grams, perhaps .gz
lexicon          a table p(target | source), an entry a line: source, target and probability, separated by tabs
                 (an empty source: the empty word) or by spaces (NULL: the empty word), perhaps .gz
write_lexicon    such a table, with tabs, under a line `# tercet ...` that says how it was made
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from tercet import contents, kernels
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File
from tercet.text.base import pack

MAGIC = "# tercet "
MOST_ENTRIES = 1 << 27
_CLUE = {
    "arpa": "An ARPA file has \\data\\, the number of n-grams of each order, the n-grams, and \\end\\.",
    "lexicon": "Make one with `tercet train ibm1`.",
}


def language_model(path: File) -> kernels.ArpaModel:
    """The model of an ARPA file."""
    return _language_model(str(path), contents.state(path))


def lexicon(path: File) -> kernels.Ibm1Table:
    """The table of word translations of a file."""
    return _lexicon(str(path), contents.state(path))


def lexicon_options(path: File) -> dict[str, str]:
    """With which options a table was trained, by its first line; nothing if it does not say so."""
    first = lines.head(path).decode("utf-8", "replace").split("\n", 1)[0]
    facts = first.split("|") if first.startswith(MAGIC) else []
    return dict(fact.split(":", 1) for fact in facts if ":" in fact)


@functools.lru_cache(maxsize=4)
def _language_model(path: str, _state: contents.State) -> kernels.ArpaModel:
    model = kernels.ArpaModel()
    _fill(model, path, "arpa", lines.blocks(path))
    wrong = model.finish()
    if wrong:
        raise InputError(f"{lines.shown(path)} is no ARPA file: {wrong}.", hint=_CLUE["arpa"])
    return model


@functools.lru_cache(maxsize=4)
def _lexicon(path: str, _state: contents.State) -> kernels.Ibm1Table:
    table = kernels.Ibm1Table()
    _fill(table, path, "lexicon", lines.blocks(path))
    if not len(table):
        raise InputError(f"{lines.shown(path)} has no entry.", hint=_CLUE["lexicon"])
    return table


def _fill(model: kernels.ArpaModel | kernels.Ibm1Table, path: str, kind: str, blocks: Iterable[list[str]]) -> None:
    before = 0
    for block in blocks:
        head = 1 if kind == "lexicon" and not before and block[0].startswith(MAGIC) else 0
        read, wrong = model.read(pack(block[head:]))
        if not wrong and len(model) > MOST_ENTRIES:
            wrong = f"more than {MOST_ENTRIES} entries are not read"
        if wrong:
            raise InputError(f"{lines.shown(path)}, line {before + head + read + 1}: {wrong}.", hint=_CLUE[kind])
        before += len(block)


def write_lexicon(
    path: File,
    signature: str,
    words: tuple[list[str], list[str]],
    entries: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float32]],
) -> None:
    """A table of word translations: source and target words by number, and entries that name them."""
    for word in (*words[0], *words[1]):
        if "\t" in word or "\r" in word:
            raise InputError(f"The word {word!r} cannot stand in a table.", hint="Use another tokenizer.")
    lines.write(path, _rendered(signature, words, entries))


def _rendered(
    signature: str,
    words: tuple[list[str], list[str]],
    entries: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float32]],
) -> Iterator[str]:
    yield f"{MAGIC}{signature}\n"
    sources, targets = words
    for at in range(0, len(entries[0]), lines.BLOCK):
        rows = zip(*(column[at : at + lines.BLOCK].tolist() for column in entries), strict=True)
        yield "".join(f"{sources[s]}\t{targets[t]}\t{p:.6g}\n" for s, t, p in rows)
