"""Tags of words: OK and BAD, or classes of errors.

    WMT14        SENTENCE <tab> INDEX <tab> WORD <tab> TAG ...     several tags: the finest first; METHOD may come first
    WMT15-18     OK BAD OK ...                                      a sentence a line, a tag a word
    WMT18-19     OK OK OK BAD OK ...                                with gaps: gap, word, gap, ..., gap
    WMT20-23     LP <tab> METHOD <tab> mt|gap|source <tab> SEGMENT <tab> INDEX <tab> WORD <tab> TAG

WMT21 and later have lines with the size of the model first. Sentences and words are numbered from 0 or from 1. GOOD is
OK, and both, like BAD, are read in whatever case.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from tercet.data.quality import Side, TagColumns, TagLines, WordTags
from tercet.errors import InputError
from tercet.formats import languages
from tercet.formats.lines import File
from tercet.formats.qe_rows import NumberedLines, from_one, is_number, read_numbered, without_preamble
from tercet.limits import is_whole

OK, BAD = "OK", "BAD"
SIDES: tuple[Side, ...] = ("mt", "gap", "source")
_ALIASES = {"ok": OK, "good": OK, "bad": BAD}
_WIDTH = 7  # cells of WMT20
_HINT = "A line is SENTENCE, INDEX, WORD, TAG, or LP, METHOD, TYPE, SEGMENT, INDEX, WORD, TAG, with tabs between."

Token = tuple[int, int, str, tuple[str, ...]]  # line, index, word, tags
Tokens = dict[str, list[Token]]  # by sentence


def tag(written: str) -> str:
    """A tag as it is compared.

    >>> tag("good"), tag("Bad"), tag("Terminology")
    ('OK', 'BAD', 'Terminology')
    """
    return _ALIASES.get(written.lower(), written)


def is_binary(written: Sequence[str]) -> bool:
    """Whether all of some cells are OK or BAD, however they are written."""
    return bool(written) and all(cell.lower() in _ALIASES for cell in written)


def read_words(path: File, *, gaps: bool = False, pair: str | None = None) -> Mapping[str, WordTags]:
    """Tags by system; "" where the file does not name one. With `gaps`, lines of tags hold those of gaps as well.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "test.tags")
    ...     _ = file.write_text("OK bad OK\\nGOOD OK OK\\n")
    ...     tags = read_words(file, gaps=True)[""]
    >>> tags.sides["mt"].columns[0], tags.sides["gap"].columns[0]
    ((('BAD',), ('OK',)), (('OK', 'OK'), ('OK', 'OK')))
    """
    lines = without_preamble(read_numbered(path))
    if "\t" not in lines.texts[0]:
        return {"": _tag_lines(read_numbered(path, keep_empty=True) if lines.total > len(lines) else lines, gaps)}
    if gaps:
        raise InputError(
            f"{lines.file} has a word a line, and gaps only where it says so.", hint="Leave --gaps out for it."
        )
    first = [cell.strip() for cell in lines.texts[0].split("\t")]
    if len(first) == _WIDTH and first[2].lower() in SIDES:
        return _since_wmt20(lines, pair)
    if len(first) > 3 and is_whole(first[1]) and not is_number(first[2]):
        return _wmt14(lines, 0)
    if len(first) > 4 and is_whole(first[2]) and not is_number(first[3]):
        return _wmt14(lines, 1)
    if len(first) > 3 and is_whole(first[1]):  # a number as the first word
        return _wmt14(lines, 1 if len(first) > 4 and is_whole(first[2]) and not is_whole(first[0]) else 0)
    raise lines.fault(lines.numbers[0], f"{lines.texts[0][:60]!r} is no tag of a word", _HINT)


def _tag_lines(lines: NumberedLines, gaps: bool) -> WordTags:
    sentences = tuple(tuple(tag(cell) for cell in text.split()) for text in lines.texts)
    if not gaps:
        return WordTags({"mt": TagColumns((sentences,), line=lines.numbers)}, lines.file)
    for number, tags in zip(lines.numbers, sentences, strict=True):
        if len(tags) % 2 == 0:
            raise lines.fault(
                number,
                f"{len(tags)} tags, where gaps and words together are an odd number",
                "Write gap, word, gap, ..., gap; or leave --gaps out.",
            )
    return with_gaps(sentences, lines.file, lines.numbers)


def with_gaps(sentences: TagLines, file: str, numbers: tuple[int, ...] | None = None) -> WordTags:
    """Tags of gap, word, gap, ..., gap as those of words and those of gaps.

    >>> with_gaps((("OK", "BAD", "BAD"),), "").sides["gap"].columns
    ((('OK', 'BAD'),),)
    """
    between, words = tuple(s[::2] for s in sentences), tuple(s[1::2] for s in sentences)
    return WordTags({"mt": TagColumns((words,), line=numbers), "gap": TagColumns((between,), line=numbers)}, file)


def _wmt14(lines: NumberedLines, at: int) -> Mapping[str, WordTags]:
    """A word a line; `at` is the column of the sentence, before which the method stands."""
    systems: dict[str, Tokens] = {}
    width = 0
    for line, cells in lines.rows():
        width = width or len(cells)
        if len(cells) != width or width < at + 4:
            raise lines.fault(line, f"{len(cells)} cells where the first line has {width}", _HINT)
        if not is_whole(cells[at + 1]):
            raise lines.fault(line, f"the index of the word is {cells[at + 1]!r}", "It must be a whole number.")
        tokens = systems.setdefault(cells[0] if at else "", {})
        tags = tuple(_tag_cell(lines, line, cell) for cell in cells[at + 3 :])
        tokens.setdefault(cells[at], []).append((line, int(cells[at + 1]), cells[at + 2], tags))
    return {name: WordTags({"mt": _columns(lines, tokens)}, lines.file) for name, tokens in systems.items()}


def _since_wmt20(lines: NumberedLines, pair: str | None) -> Mapping[str, WordTags]:
    systems: dict[str, dict[Side, Tokens]] = {}
    pairs: dict[str, None] = {}
    wanted = None if pair is None else languages.wanted_pair(pair)
    for line, cells in lines.rows():
        if len(cells) != _WIDTH:
            raise lines.fault(line, f"{len(cells)} cells where {_WIDTH} are needed", _HINT)
        there = languages.pair(cells[0]) or cells[0]
        pairs[there] = None
        if wanted is not None and there != wanted:
            continue
        side = next((s for s in SIDES if s == cells[2].lower()), None)
        if side is None:
            raise lines.fault(line, f"the type is {cells[2]!r}", "It must be mt, gap or source.")
        for what, cell in (("segment", cells[3]), ("index of the word", cells[4])):
            if not is_whole(cell):
                raise lines.fault(line, f"the {what} is {cell!r}", "It must be a whole number.")
        token = (line, int(cells[4]), cells[5], (_tag_cell(lines, line, cells[6]),))
        systems.setdefault(cells[1], {}).setdefault(side, {}).setdefault(cells[3], []).append(token)
    if wanted is None and len(pairs) > 1:
        raise InputError(
            f"{lines.file} has the pairs {', '.join(pairs)}.", hint=f"Choose one: --pair {next(iter(pairs))}"
        )
    if not systems:
        raise InputError(f"{lines.file} has nothing of {pair}.", hint=f"It has {', '.join(pairs)}.")
    made = {
        name: WordTags({s: _columns(lines, sides[s]) for s in SIDES if s in sides}, lines.file)
        for name, sides in systems.items()
    }
    for tags in made.values():
        _check_gaps(tags)
    return made


def _check_gaps(tags: WordTags) -> None:
    """Gaps are one more than words."""
    if not {"mt", "gap"} <= tags.sides.keys() or len(tags.sides["mt"]) != len(tags.sides["gap"]):
        return
    words, gaps = tags.sides["mt"], tags.sides["gap"]
    for s, (of_words, of_gaps) in enumerate(zip(words.columns[0], gaps.columns[0], strict=True)):
        if len(of_gaps) != len(of_words) + 1:
            raise InputError(
                f"{gaps.where(tags.file, s)}: {len(of_gaps)} gaps where there are {len(of_words)} words.",
                hint="There is a gap before, between and after words: one more than words.",
            )


def _tag_cell(lines: NumberedLines, line: int, cell: str) -> str:
    if not cell or is_number(cell):
        raise lines.fault(line, f"the tag is {cell!r}", "It must be OK, BAD or the name of an error.")
    return tag(cell)


def _columns(lines: NumberedLines, tokens: Tokens) -> TagColumns:
    """Sentences in the order of their numbers, or of the file where they have none; words in that of theirs."""
    first_lines = [of_sentence[0][0] for of_sentence in tokens.values()]
    sentences = list(tokens.values())
    if all(map(is_whole, tokens)):
        places = from_one(lines, [int(name) for name in tokens], first_lines, "sentence")
        ordered = sorted(zip(places, sentences, strict=True))
        sentences = [of_sentence for _, of_sentence in ordered]
    for name, of_sentence in tokens.items():
        from_one(
            lines, [i for _, i, _, _ in of_sentence], [at for at, *_ in of_sentence], "word", f" of sentence {name}"
        )
    sentences = [sorted(of_sentence, key=lambda token: token[1]) for of_sentence in sentences]
    n_columns = len(sentences[0][0][3])
    return TagColumns(
        tuple(tuple(tuple(tags[c] for *_, tags in s) for s in sentences) for c in range(n_columns)),
        tuple(tuple(word for _, _, word, _ in s) for s in sentences),
        tuple(min(line for line, *_ in s) for s in sentences),
    )


def check_tokens(tags: WordTags, target: Sequence[Sequence[str]], file: str) -> None:
    """Refuse tags that are not one a word of tokenised text, gaps one more, or whose words are others."""
    for side, extra in (("mt", 0), ("gap", 1)):
        columns = tags.sides.get(side)  # type: ignore[call-overload]
        if columns is None:
            continue
        if len(columns) != len(target):
            raise InputError(
                f"{tags.file} has tags of {len(columns)} sentences, and {file} has {len(target)}.",
                hint="Give the tokenised translations of the same sentences.",
            )
        for i, (line, words) in enumerate(zip(columns.columns[0], target, strict=True)):
            where = columns.where(tags.file, i)
            if len(line) != len(words) + extra:
                what = "words, thus gaps" if extra else "words"
                raise InputError(
                    f"{where}: {len(line)} tags where line {i + 1} of {file} has {len(words)} {what}"
                    f"{f' {len(words) + 1}' if extra else ''}.",
                    hint="Tag the text as it is tokenised there.",
                )
            mine = columns.words[i] if columns.words is not None and not extra else None
            if mine is not None and [w.lower() for w in mine] != [w.lower() for w in words]:
                other = next((a, b) for a, b in zip(mine, words, strict=True) if a.lower() != b.lower())
                raise InputError(
                    f"{where}: the word {other[0]!r} is {other[1]!r} in line {i + 1} of {file}.",
                    hint="Tag the text as it is tokenised there.",
                )


def with_replaced(tags: WordTags, replaced: Mapping[str, str]) -> WordTags:
    """Tags of which some count as others."""

    def changed(columns: TagColumns) -> TagColumns:
        lines = tuple(
            tuple(tuple(tag(replaced.get(t, t)) for t in line) for line in column) for column in columns.columns
        )
        return dataclasses.replace(columns, columns=lines)

    return dataclasses.replace(tags, sides={side: changed(columns) for side, columns in tags.sides.items()})
