"""Every tokenizer against what the reference programs made of real text (`../shared/golden/tokenisation`)."""

import gzip
import pathlib

import pytest

from tercet.text import tokenizer

LANGUAGES = ["cs", "de", "en", "fi", "hi", "lt", "ru", "zh"]
SPECS = {
    "sacrebleu.13a": "13a",
    "sacrebleu.intl": "intl",
    "sacrebleu.zh": "zh",
    "sacrebleu.char": "char",
    "tercom.norm": "tercom(normalized=true)",
    "tercom.norm.asian": "tercom(normalized=true, asian_support=true)",
    "moses": "moses(language={language})",
    "moses.no_escape": "moses(language={language}, escape=false)",
    "moses.aggressive": "moses(language={language}, aggressive=true)",
}


def table(path: pathlib.Path) -> list[dict[str, str]]:
    """The rows of a golden table; lines end at a newline and nowhere else."""
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")[:-1]
    head = lines[0].split("\t")
    return [dict(zip(head, line.split("\t"), strict=True)) for line in lines[1:]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("column", SPECS)
def test_tokens_are_those_of_the_program(shared: pathlib.Path, language: str, column: str) -> None:
    split = tokenizer(SPECS[column].format(language=language))
    rows = table(shared / "golden" / "tokenisation" / f"{language}.tsv.gz")
    differing = [row["text"] for row in rows if split(row["text"]) != row[column].split()]
    assert len(rows) >= 100
    assert differing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_column_is_left_out(shared: pathlib.Path, language: str) -> None:
    columns = set(table(shared / "golden" / "tokenisation" / f"{language}.tsv.gz")[0])
    about = {"dataset", "lp", "segment", "column", "text"}
    assert {c for c in columns - about if not c.startswith("meteor.")} == set(SPECS)
