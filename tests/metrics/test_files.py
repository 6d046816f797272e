"""Metrics whose options name files know what is in them."""

import pathlib

import pytest

import tercet
from tercet.errors import InputError
from tercet.metrics import METRICS
from tercet.spec import options

SOURCES, OUTPUTS = ["das Haus ist alt", "die Katze schläft"], ["the house is old", "the cat sleeps"]


@pytest.mark.parametrize("name", list(METRICS))
def test_options_that_name_files_are_options(name: str) -> None:
    assert set(METRICS.load(name).files) <= set(options(METRICS.load(name)))


def test_a_file_is_known_by_its_content_and_not_by_its_name(tmp_path: pathlib.Path) -> None:
    one, same, other = (tmp_path / f"{n}.vec" for n in ("one", "same", "other"))
    one.write_text("2 2\na 1 0\nb 0 1\n")
    same.write_text("2 2\na 1 0\nb 0 1\n")
    other.write_text("2 2\na 1 0\nb 1 0\n")
    facts = [tercet.metric(f'yisi-1(vectors="{path}")').facts() for path in (one, same, other)]
    assert facts[0] == facts[1] != facts[2]
    one.write_text("2 2\na 1 0\nb 0 3\n")
    assert tercet.metric(f'yisi-1(vectors="{one}")').facts() != facts[0]
    signature = tercet.score({"a": ["a b"]}, ["b a"], metrics=[f'yisi-1(vectors="{same}")']).records[0].signature
    assert f"vectors-sha256:{facts[1]['vectors-sha256']}" in signature


def test_a_folder_is_known_by_all_its_files(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.conllu").write_text("1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    before = tercet.metric(f'red(parses="{tmp_path}")').facts()
    (tmp_path / "b.conllu").write_text("1\tb\tb\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert tercet.metric(f'red(parses="{tmp_path}")').facts() != before


def trained(folder: pathlib.Path) -> pathlib.Path:
    """A table of word translations."""
    from tercet.learning.ibm1 import train_ibm1

    for name, texts in (("source", SOURCES), ("target", OUTPUTS)):
        (folder / name).write_text("\n".join(texts) + "\n")
    train_ibm1(folder / "source", folder / "target").write(folder / "table.gz")
    return folder / "table.gz"


def test_a_table_is_used_with_the_words_that_it_was_trained_on(tmp_path: pathlib.Path) -> None:
    table = trained(tmp_path)
    assert tercet.metric(f'ibm1(table="{table}")').corpus(OUTPUTS, None, SOURCES) < 0
    for wrong in ("tokenize=char", "lowercase=false"):
        with pytest.raises(InputError, match="was trained with"):
            tercet.metric(f'ibm1(table="{table}", {wrong})').corpus(OUTPUTS, None, SOURCES)
