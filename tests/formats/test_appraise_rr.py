"""Rankings as XML of Appraise, and what hostile files may not do."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from tercet.data import SKIPPED, Rankings
from tercet.errors import InputError
from tercet.formats import judgement_pairs, read_judgements
from tests.formats.files import put, refused

FULL = """\
<WMT15-results>
<HIT hit-id="1" source-language="deu" block-id="-1" target-language="eng">
<ranking-task id="7">
  <ranking-result duration="00:01:14.500000" user="jonny">
    <translation system="s1" rank="1" />
    <translation system="s3,s2" rank="-1" />
  </ranking-result>
  <ranking-result user="amy"></ranking-result>
</ranking-task>
<ranking-task id="8">
  <ranking-result duration="" user="amy">
    <translation system="ref.x" rank="2" />
    <translation system="a+b" rank="1" />
  </ranking-result>
</ranking-task>
</HIT>
</WMT15-results>
"""


def read(folder: pathlib.Path, content: str, pair: str | None = None, name: str = "a.xml") -> Rankings:
    found = read_judgements(put(folder, name, content), pair=pair)
    assert isinstance(found, Rankings)
    return found


@pytest.mark.parametrize("name", ["a.xml", "a.xml.gz", "unnamed"])
def test_a_full_file(tmp_path: pathlib.Path, name: str) -> None:
    found = read(tmp_path, FULL, name=name)
    assert found.pair == "de-en"
    assert found.systems == ("s1", "s3", "s2", "ref.x", "a+b")  # only commas join systems here
    assert found.outputs == ((0,), (1, 2), (3,), (4,))
    assert found.segments == ("7", "8")
    assert found.judges == ("jonny", "amy")
    assert found.segment.tolist() == [0, 0, 1]
    assert found.judge.tolist() == [0, 1, 1]
    assert found.starts.tolist() == [0, 2, 2, 4]
    assert found.rank.tolist() == [1, SKIPPED, 2, 1]
    assert found.line is not None
    assert found.line.tolist() == [4, 8, 11]
    assert found.seconds is not None
    np.testing.assert_array_equal(found.seconds, [74.5, np.nan, np.nan])
    assert found.notes == ("Tasks without outputs, skipped by their judges: 1 of 3.",)


def test_several_pairs(tmp_path: pathlib.Path) -> None:
    content = FULL.replace(
        '<ranking-task id="8">', '</HIT><HIT source-language="ces" target-language="eng"><ranking-task id="8">'
    )
    path = put(tmp_path, "a.xml", content)
    assert judgement_pairs(path) == ["de-en", "cs-en"]
    refused(path, 11, "cs-en after de-en", "--pair")
    found = read(tmp_path, content, "Czech-English")
    assert found.segments == ("8",)
    assert found.systems == ("ref.x", "a+b")
    assert found.notes == ("Rows of other language pairs than cs-en, left out: 2.",)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('rank="1"', 'rank="0"', 5, ("the rank of 's1' is '0'",)),
        ('rank="1"', 'rank="best"', 5, ("is 'best'",)),
        ('rank="1"', "", 5, ("a <translation> has no rank",)),
        ('system="s1"', 'system="s1,"', 5, ("names no system",)),
        ('system="s1"', 'system="s2"', 4, ("system 's2' is there twice",)),
        ('user="jonny"', "", 4, ("a <ranking-result> has no user",)),
        ('id="7"', "", 3, ("a <ranking-task> has no id",)),
        ('target-language="eng"', "", 2, ("a <HIT> has no target-language",)),
        ("00:01:14.500000", "long", 4, ("the duration is 'long'",)),
        ("WMT15-results", "dataset", 1, ("<dataset>",)),
        ("<WMT15-results>", "<WMT15-results><ranking-result user='x'/>", 1, ("outside <HIT>",)),
        (
            "<WMT15-results>",
            "<WMT15-results><translation system='x' rank='1'/>",
            1,
            ("outside every <ranking-result>",),
        ),
        ("<WMT15-results>", "<!DOCTYPE x [<!ENTITY y 'z'>]><WMT15-results>", 1, ("not allowed",)),
    ],
)
def test_faults(tmp_path: pathlib.Path, old: str, new: str, line: int, words: tuple[str, ...]) -> None:
    content = FULL.replace(old, new) if old == "WMT15-results" else FULL.replace(old, new, 1)
    refused(put(tmp_path, "a.xml", content), line, *words)


def test_not_sound_xml(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"line 6, column .*not sound XML"):
        read(tmp_path, FULL.replace('rank="-1" />', 'rank="-1" >', 1).replace('<translation system="s3,s2"', "<<"))


def test_no_results(tmp_path: pathlib.Path) -> None:
    assert len(read(tmp_path, "<WMT15-results></WMT15-results>")) == 0
    refused(put(tmp_path, "a.xml", ""), None, "empty")
