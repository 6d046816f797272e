"""Whatever a file holds, what is said of it is a sentence, and says what to do."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import pathlib
import subprocess
import sys
import zipfile
from collections.abc import Callable

import pytest

import tercet
from tercet.campaigns.protocol import load_protocol
from tercet.errors import InputError, SpecError
from tercet.formats.toml_values import sound_toml
from tests.cli.test_judgements import here

ENCODINGS = [
    "nonsense",
    "utf-7",
    "utf-32",
    "shift_jis",
    "euc-kr",
    "gb18030",
    "cp037",
    "utf-16",
    "idna",
    "hex",
    "base64",
    "punycode",
    "rot13",
    "unicode_escape",
    "Raw-Unicode-Escape",
    "charmap",
]

CAFE = b'<dataset id="x"><doc id="d"><hyp system="s"><seg id="1">caf\xe9</seg></hyp></doc></dataset>'


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_encoding_that_cannot_be_read(encoding: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(b'<?xml version="1.0" encoding="%s"?>\n%s' % (encoding.encode(), CAFE))
    with pytest.raises(InputError, match=r"x\.xml, line 1.*(iconv|Repair it there)"):
        tercet.read_testset(path)


@pytest.mark.parametrize(
    ("encoding", "letter"), [("ISO-8859-1", "é"), ("latin1", "é"), ("windows-1251", "й"), ("KOI8-R", "И")]
)
def test_an_encoding_with_a_byte_for_a_letter_is_read(encoding: str, letter: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(b'<?xml version="1.0" encoding="%s"?>\n%s' % (encoding.encode(), CAFE))
    assert tercet.read_testset(path).systems["s"][0] == f"caf{letter}"


TOML = {
    "deep lists": "a = " + "[" * 100_000,
    "deep tables": "a = " + "{a=" * 5_000 + "1" + "}" * 5_000,
    "a deep name": "[" + "a." * 20_000 + "a]",
    "an endless number": "a = " + "9" * 100_000,
    "half a character": 'a = "\\ud800"',
}


@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_toml_that_is_too_much(text: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"study\.toml"):
        tercet.run(path, tmp_path / "out")


NAMES_IN_NAMES = {
    "a key": "a" + ".a" * 20_000 + " = 1",
    "a table": "[" + "a." * 20_000 + "a]",
    "tables": "[[" + "a." * 20_000 + "a]]",
    "quoted": '"a" . ' * 20_000 + "'a' = 1",
    "in a list": "b = [{ " + "a." * 20_000 + "a = 1 }]",
}


@pytest.mark.parametrize("text", NAMES_IN_NAMES.values(), ids=NAMES_IN_NAMES)
def test_names_in_names_are_refused_before_they_are_read(text: str, tmp_path: pathlib.Path) -> None:
    # Python's reader takes 1.6 GB for the first of them
    path = tmp_path / "study.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"study\.toml is no TOML: a name has more than 64 parts"):
        tercet.run(path, tmp_path / "out")
    with pytest.raises(InputError, match="a name has more than 64 parts"):
        load_protocol(str(path))


def test_names_that_are_long_but_not_deep_are_read() -> None:
    dots, long = "1." * 5_000, "a" * 1_000_000
    assert sound_toml(f"{long} = 1\nb = '{dots}'\n" + "a." * 60 + "b = 1")["b"] == dots


@pytest.mark.parametrize("value", [[], {}, [[]], None, 1], ids=str)
def test_an_earlier_comparison_with_anything_for_a_name(value: object, tmp_path: pathlib.Path) -> None:
    texts = {"a": ["one two", "three"], "b": ["one", "three"]}
    comparison = tercet.compare(texts, ["one two", "three"], metrics=["bleu"], samples=120).to_dict()
    path = tmp_path / "earlier.json"
    path.write_text(json.dumps({**comparison, "tracks": [{"earlier": value}]}), encoding="utf-8")
    again = tercet.compare(texts, ["one two", "three"], metrics=["bleu"], samples=120, baseline=path)
    assert len(again.tracks) == 2


def zipped() -> bytes:
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("x.txt", os.urandom(500))
    return page.getvalue()


PACKED = {
    "compressed by gzip": (gzip.compress(b"text"), r"\.gz"),
    "compressed by xz": (lzma.compress(b"text"), "xz -dk"),
    "compressed by bzip2": (bz2.compress(b"text"), "bzip2 -dk"),
    "compressed by zstd": (b"\x28\xb5\x2f\xfd" + bytes(30), r"\.zst"),
    "a zip archive": (zipped(), "Unpack it"),
    "a PDF": (b"%PDF-1.7\n\xff\xfe\xfd", "pdftotext"),
    "a binary file": (bytes(range(256)), "text file in UTF-8"),
}

FULL_OF_NULS = {
    "nothing else": bytes(100_000),
    "lines": b"\0\0\0\0\n" * 100,
    "UTF-16 without a mark": "a cat sat\n".encode("utf-16-le"),
    "UTF-32": "a cat sat\n".encode("utf-32-be"),
    "numbers": bytes(range(1, 100)) + bytes(100),
}


READ: dict[str, tuple[Callable[[pathlib.Path], object], str]] = {
    "testset": (tercet.read_testset, "x.tsv"),
    "SGML": (tercet.read_testset, "x.sgm"),
    "judgements": (tercet.rank, "x.csv"),
    "records": (tercet.rank, "x.jsonl"),
    "scores": (tercet.read_scores, "x.json"),
    "texts": (lambda path: tercet.score({"a": path}, [path], metrics=["bleu"]), "x.txt"),
    "packed": (lambda path: tercet.score({"a": path}, [path], metrics=["bleu"]), "x.txt.gz"),
    "study": (lambda path: tercet.run(path, path.parent / "out"), "x.toml"),
}


@pytest.mark.parametrize("what", READ)
@pytest.mark.parametrize("data", FULL_OF_NULS.values(), ids=FULL_OF_NULS)
def test_a_file_full_of_nuls_is_called_binary(data: bytes, what: str, tmp_path: pathlib.Path) -> None:
    read, name = READ[what]
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(InputError, match=rf"{name} is a binary file, not text\. .*text file in UTF-8"):
        read(path)


def test_a_nul_in_a_text_is_a_letter_like_others(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"a cat \0 sat on the mat\n")
    assert tercet.score({"a": path}, [path], metrics=["bleu"]).value("a", "bleu") == pytest.approx(100)


@pytest.mark.parametrize("kind", PACKED)
def test_a_file_that_is_no_text_is_called_what_it_is(kind: str, tmp_path: pathlib.Path) -> None:
    data, advice = PACKED[kind]
    path = tmp_path / "x.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=rf"x\.txt is {kind}.*, not text\. .*{advice}"):
        tercet.score({"a": path}, [path], metrics=["bleu"])


def test_an_order_that_no_kernel_counts() -> None:
    with pytest.raises(SpecError, match="order must be from 1 to 999"):
        tercet.metric("bleu-nrc(order=1000)")
    assert tercet.metric("bleu-nrc(order=999)").corpus(["a b"], ["a b"]) == pytest.approx(100)


def test_so_many_threads_are_no_harm(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "h").write_text("a b c d\n" * 100, encoding="utf-8")
    code, _, err = here(capsys, "score", tmp_path / "h", "-r", tmp_path / "h", "--threads", "100000")
    assert (code, err) == (0, "")


def test_a_name_that_is_no_text_is_told(tmp_path: pathlib.Path) -> None:
    words = [sys.executable.encode(), b"-m", b"tercet", b"score", b"caf\xe9.txt", b"-r", b"ref"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("tercet: There is no file caf\\xe9.txt.")
