"""Paraphrase tables: what matches, what is refused, and the cache that must never change a match."""

import gzip
import os
import pathlib
import random
import struct
import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tercet.errors import InputError, MissingExtraError
from tercet.metrics.meteor import paraphrases, resources
from tests.kernels.packing import pack_tokens
from tests.meteor import files
from tests.oracles import paraphrases as oracle

DIGEST = bytes(range(32))
ENTRIES = [("a b", "c"), ("c", "a"), ("c", "a"), ("a", "b c"), ("a b", "a"), ("d", "e")]
HYP, REF = list("acbca"), list("cabxa")

words = st.sampled_from(["a", "b", "c", "ü", "d"])
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)
sentences = st.lists(st.sampled_from(["a", "b", "c", "ü", "d", "unknown"]), max_size=8)


def block(text: str | bytes) -> "np.typing.NDArray[np.uint8]":
    """A table's text as the kernel keeps it."""
    builder = kernels.ParaphraseBuilder(1 << 20)
    builder.add(text.encode() if isinstance(text, str) else text)
    return builder.finish(DIGEST)


@given(st.lists(st.tuples(phrases, phrases), min_size=1, max_size=12), sentences, sentences)
def test_matches_are_those_of_the_definition(entries: list[tuple[str, str]], hyp: list[str], ref: list[str]) -> None:
    table = paraphrases.ParaphraseTable(block(files.table(*entries)))
    assert len(table) == len(entries)
    assert list(map(tuple, table.pair(hyp, ref).tolist())) == oracle.matches(entries, hyp, ref)


def test_many_phrases() -> None:
    rng = random.Random(4)  # noqa: S311
    vocabulary = [f"w{i}" for i in range(40)]

    def some(most: int) -> str:
        return " ".join(rng.choice(vocabulary) for _ in range(rng.randint(1, most)))

    entries = [(some(3), some(3)) for _ in range(5_000)]
    table = paraphrases.ParaphraseTable(block(files.table(*entries)))
    for _ in range(5):
        hyp, ref = some(12).split(), some(12).split()
        assert list(map(tuple, table.pair(hyp, ref).tolist())) == oracle.matches(entries, hyp, ref)


def test_a_batch_is_its_pairs_on_any_number_of_threads() -> None:
    table = paraphrases.ParaphraseTable(block(files.table(*ENTRIES)))
    hyps, refs = [HYP, REF, []] * 50, [REF, HYP, REF, [], HYP] * 50
    groups = np.array([n for i in range(50) for n in (5 * i, 5 * i + 2, 5 * i + 3)] + [250], dtype=np.int64)
    alone = [table.pair(hyps[i], refs[r]) for i in range(150) for r in range(groups[i], groups[i + 1])]
    for threads in (1, 3):
        starts, found = table.matches(pack_tokens(hyps), pack_tokens(refs), groups, threads)
        assert starts.tolist() == [0, *np.cumsum([len(one) for one in alone])]
        assert found.tolist() == np.concatenate(alone).tolist()


def test_text_and_gzip_are_the_same_and_cut_anywhere(tmp_path: pathlib.Path) -> None:
    text = files.table(*ENTRIES).encode()
    plain, packed = tmp_path / "table.txt", tmp_path / "table.gz"
    plain.write_bytes(text)
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")[:-2]))
    expected = oracle.matches(ENTRIES, HYP, REF)
    for path in (plain, str(packed)):
        assert list(map(tuple, paraphrases.load(path).pair(HYP, REF).tolist())) == expected
    builder = kernels.ParaphraseBuilder(1 << 20)
    for i in range(len(text)):
        builder.add(text[i : i + 1])
    assert np.array_equal(builder.finish(DIGEST), block(text))


DEFECTS = {
    "breaks off after a phrase": (b"0.5\na\nb\n0.5\na\n", "line 5: the table breaks off inside an entry"),
    "breaks off after a number": (b"0.5\na\nb\n0.5", "line 4: the table breaks off inside an entry"),
    "empty": (b"", "line 0: the table is empty"),
    "no number": (b"0.5\na\nb\na\nb\n0.5\n", "line 4: there is no number where the probability"),
    "no finite number": (b"inf\na\nb\n", "line 1: there is no number"),
    "a blank line at the end": (b"0.5\na\nb\n\n", "line 4: there is no number"),
    "no phrase": (b"0.5\n\nb\n", "line 2: the phrase is empty"),
    "no phrase again": (b"0.5\na\nb\n0.5\n \nb\n", "line 5: the phrase is empty"),
    "no paraphrase": (b"0.5\na\n \t\n", "line 3: the phrase is empty"),
    "Latin-1": (b"0.5\na\nb\n0.5\na\nb\xe4r\n", "line 6: the line is not UTF-8"),
    "a lone surrogate": (b"0.5\na\n\xed\xa0\x80\n", "line 3: the line is not UTF-8"),
    "an overlong character": (b"0.5\na\n\xc0\x80\n", "line 3: the line is not UTF-8"),
    "a cut character": (b"0.5\na\nb \xe2\x82\n", "line 3: the line is not UTF-8"),
    "a long line": (b"0.5\na\n" + b"b " * 40_000 + b"\n", "line 3: the line is longer than 64 KiB"),
    "no lines": (b"x" * 70_000, "line 1: the line is longer than 64 KiB"),
}


@pytest.mark.parametrize(("data", "complaint"), DEFECTS.values(), ids=DEFECTS)
def test_defects_are_told_with_their_line(data: bytes, complaint: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "table.txt"
    path.write_bytes(data)
    with pytest.raises(InputError) as error:
        paraphrases.load(path)
    assert f"{path}, {complaint}" in str(error.value)
    assert "three lines an entry" in error.value.hint


def test_characters_of_every_length() -> None:
    table = paraphrases.ParaphraseTable(block(files.table(("é €", "😀"), ("\ud7ff", "\U0010ffff"))))
    assert table.pair(["😀", "\U0010ffff"], ["é", "€", "\ud7ff"]).tolist() == [[0, 2, 0, 1], [2, 1, 1, 1]]


def test_files_that_are_none(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = gzip.compress(files.table(*ENTRIES).encode())
    (tmp_path / "cut.gz").write_bytes(whole[:-12])
    os.mkfifo(tmp_path / "pipe")
    for name, complaint in {
        "nowhere.gz": "There is no file",
        "cut.gz": "breaks off inside its gzip data",
        ".": "is a directory",
        "-": "standard input",
    }.items():
        with pytest.raises(InputError, match=complaint):
            paraphrases.load(name if name == "-" else tmp_path / name)
    (tmp_path / "big.gz").write_bytes(gzip.compress(files.table(*ENTRIES * 1000).encode()))
    monkeypatch.setattr(paraphrases, "_LIMIT", 1000)
    with pytest.raises(InputError, match=r"big\.gz, line \d+: the table is larger than 1000 bytes"):
        paraphrases.load(tmp_path / "big.gz")


# The cache


@pytest.fixture
def cache(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """An empty cache folder, for tables of any size."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(paraphrases, "SMALL", 0)
    paraphrases._load.cache_clear()
    return tmp_path / "cache" / "tercet"


@pytest.fixture
def source(tmp_path: pathlib.Path) -> pathlib.Path:
    """A table."""
    path = tmp_path / "table.txt"
    path.write_text(files.table(*ENTRIES))
    return path


def right(table: paraphrases.ParaphraseTable) -> bool:
    """Whether a table matches what it should."""
    return list(map(tuple, table.pair(HYP, REF).tolist())) == oracle.matches(ENTRIES, HYP, REF)


def again(source: pathlib.Path) -> paraphrases.ParaphraseTable:
    """The table as another process would load it."""
    paraphrases._load.cache_clear()
    return paraphrases.load(source)


def test_a_table_is_read_once(cache: pathlib.Path, source: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = paraphrases.load(source)
    assert right(first)
    assert paraphrases.load(source) is first
    (file,) = cache.iterdir()
    monkeypatch.setattr(kernels, "ParaphraseBuilder", None)
    assert right(again(source))
    moved = source.rename(source.with_name("moved.txt"))
    assert right(again(moved))
    assert list(cache.iterdir()) == [file]


def test_another_table_under_the_same_name_is_another(cache: pathlib.Path, source: pathlib.Path) -> None:
    paraphrases.load(source)
    about = source.stat()
    source.write_text(files.table(*ENTRIES).replace("x", "y").replace("d\ne", "e\nd"))
    os.utime(source, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert source.stat().st_size == about.st_size
    assert again(source).pair(["d"], ["e"]).tolist() == [[0, 1, 0, 1]]
    assert len(list(cache.iterdir())) == 2


def damaged(kind: str, data: bytes) -> bytes:
    """A cache file with a defect."""
    half = len(data) // 2
    return {
        "empty": b"",
        "cut": data[:-8],
        "longer": data + bytes(8),
        "only a header": data[:88],
        "other magic": b"X" + data[1:],
        "other version": data[:8] + struct.pack("<I", 99) + data[12:],
        "other byte order": data[:12] + data[12:16][::-1] + data[16:],
        "other source": repaired(data[:40] + bytes(32) + data[72:]),
        "a bit in the body": data[:half] + bytes([data[half] ^ 1]) + data[half + 1 :],
    }[kind]


KINDS = ["empty", "cut", "longer", "only a header", "other magic", "other version", "other byte order", "other source"]


@pytest.mark.parametrize("kind", [*KINDS, "a bit in the body"])
def test_a_bad_cache_is_written_anew(kind: str, cache: pathlib.Path, source: pathlib.Path) -> None:
    paraphrases.load(source)
    (file,) = cache.iterdir()
    sound = file.read_bytes()
    file.write_bytes(damaged(kind, sound))
    assert file.read_bytes() != sound
    assert right(again(source))
    assert file.read_bytes() == sound
    assert list(cache.iterdir()) == [file]


def checksum(data: bytes) -> int:
    """The kernel's, as it is written down there."""
    mask, prime = (1 << 64) - 1, 0x9E3779B185EBCA87
    sums = [1, 2, 3, 4]
    for i, (word,) in enumerate(struct.iter_unpack("<Q", data)):
        sums[i % 4] = (sums[i % 4] ^ word) * prime & mask
        sums[i % 4] ^= sums[i % 4] >> 29
    out = len(data)
    for one in sums:
        out = (out ^ one) * prime & mask
        out ^= out >> 32
    return out


def repaired(data: bytes) -> bytes:
    """A block whose checksums are right, whatever it holds."""
    head = data[:72] + struct.pack("<Q", checksum(data[88:]))
    return head + struct.pack("<Q", checksum(head)) + data[88:]


@given(st.data())
def test_one_wrong_byte_is_noticed(data: st.DataObject) -> None:
    sound = block(files.table(*ENTRIES)).tobytes()
    assert repaired(sound) == sound
    at = data.draw(st.integers(0, len(sound) - 1))
    wrong = sound[:at] + bytes([sound[at] ^ data.draw(st.integers(1, 255))]) + sound[at + 1 :]
    with pytest.raises(ValueError, match=r"the (block|table)"):
        kernels.ParaphraseTable(np.frombuffer(wrong, dtype=np.uint8))


@given(st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from([0, 1, 0x7FFFFFFF, 0xFFFFFFFF])), max_size=8))
def test_wrong_numbers_lead_nowhere_outside(changes: list[tuple[int, int]]) -> None:
    wrong = bytearray(block(files.table(*ENTRIES)).tobytes())
    for at, number in changes:
        place = 88 + 4 * (at % ((len(wrong) - 88) // 4))
        wrong[place : place + 4] = struct.pack("<I", number)
    table = paraphrases.ParaphraseTable(np.frombuffer(repaired(bytes(wrong)), dtype=np.uint8))
    found = table.pair(HYP, REF)
    assert ((found >= 0) & (found <= 5)).all()


@pytest.mark.parametrize("why", ["read-only", "no home"])
def test_without_a_place_for_the_cache(
    why: str, cache: pathlib.Path, source: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "read-only":  # a file stands in its place: what no rights forbid to root
        cache.parent.write_text("")
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
        monkeypatch.setattr(pathlib.Path, "home", _no_home)
    with pytest.warns(UserWarning, match=r"could not be kept for the next time.*XDG_CACHE_HOME") as told:
        table = paraphrases.load(source)
    assert len(told) == 1
    assert right(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert paraphrases.load(source) is table


def _no_home() -> pathlib.Path:
    raise RuntimeError("Could not determine home directory.")


def test_small_tables_are_not_kept(cache: pathlib.Path, source: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paraphrases, "SMALL", 1 << 20)
    assert right(paraphrases.load(source))
    assert not cache.exists()


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert paraphrases.cache_folder() == tmp_path / ".cache" / "tercet"


PROGRAM = """
import sys
from tercet.metrics.meteor import paraphrases
paraphrases.SMALL = 0
print(paraphrases.load(sys.argv[1]).pair("a c b c a".split(), "c a b x a".split()).tolist())
"""


def test_processes_at_once(cache: pathlib.Path, source: pathlib.Path) -> None:
    with source.open("a") as file:
        file.write(files.table(*((f"x{i}", f"y{i}") for i in range(30_000))))
    running = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", PROGRAM, source], stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    printed = [process.communicate()[0].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert printed == [f"{list(map(list, oracle.matches(ENTRIES, HYP, REF)))}\n"] * 3
    assert len(list(cache.iterdir())) == 1


def test_tables_by_language(tmp_path: pathlib.Path) -> None:
    made_up = files.folder(tmp_path)
    (made_up / "data").mkdir()
    (made_up / "data" / "paraphrase-cz.gz").write_bytes(gzip.compress(files.table(("a", "b")).encode()))
    assert len(resources.paraphrases(None, "cs", str(made_up))) == 1
    with pytest.raises(MissingExtraError, match=r"no paraphrase table for the language de.*`modules`"):
        resources.paraphrases(None, "de", str(made_up))
    own = tmp_path / "own.txt"
    own.write_text(files.table(("a", "b"), ("b", "a")))
    assert len(resources.paraphrases(str(own), "de", "not even looked at")) == 2


def test_the_installed_table() -> None:
    files.installed()
    table = resources.find().paraphrases("en")
    assert len(table) == 5_274_084
    found = table.pair(["was", "murdered", "there"], ["they", "killed", "him"]).tolist()
    assert [1, 1, 1, 1] in found
    assert found == sorted(found, key=lambda match: match[0])
