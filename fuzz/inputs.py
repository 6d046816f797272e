"""Texts, numbers, options and damaged files, all drawn from a seed."""

from __future__ import annotations

import contextlib
import copy
import gzip
import io
import json
import pathlib
import random
import shutil
import sqlite3
import time
import types
import typing
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tercet.metrics import models

ALPHABETS = (
    "ab",
    "abc .",
    "abcdefghijklmnopqrstuvwxyz",
    "ABCdef012.,-%'\"&;:()[]<>/\\$",
    "äöüßéñçøœ ı İ ſ ﬁ",
    "абвгдежзийё ЭЮЯ",
    "中文漢字。，「」日本語ひらがなカタカナ　",
    "한국어 다람쥐",
    "हिन्दी क्षत्रिय ।",
    "نص عربي، ؟ עברית \u200f\u200e",
    "😀👩\u200d💻🇫🇮𝒜𠀀\U0010ffff\U000e0041",
    "\0\x01\x07\x1b\x1f\x7f\x85\xa0\u2028\u2029\u200b\ufeff\u0301\u0300\ufffd",
)
WORDS = (
    *("the", "cat", "sat", "a", "b", "The", "U.S.", "don't", "3.5%", "1,000", "co-operate", "http://x.y/z?a=b"),
    *("&quot;", "&amp;", "<skipped>", "<unk>", "</s>", "@-@", "##", "translations", "Donaudampfschiff", "ing", "ß"),
)
HUGE = (-1, 100, 999, 1000, 1 << 16, (1 << 31) - 1, 1 << 31, 1 << 53, (1 << 63) - 1, -(1 << 63), 1 << 64, 10**30)
STRANGE = (0.0, -0.0, 1e-300, -1.0, 1e17, 1e308, -1e308, float("nan"), float("inf"), float("-inf"))
SCRAPS = (
    *(
        b"",
        b",",
        b"\t",
        b"\n",
        b"\r",
        b'"',
        b"+",
        b"-1",
        b"nan",
        b"inf",
        b"1e999",
        b"9" * 30,
        b"9" * 5000,
        b"null",
        b"[]",
        b"{}",
    ),
    *(
        b"<",
        b">",
        b"&#0;",
        b"&x;",
        b"]]>",
        b"\0",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xc3",
        b"(",
        b"\\",
        b"=",
    ),
)
VALUES: tuple[Any, ...] = (
    *HUGE,
    *STRANGE,
    None,
    True,
    "",
    "x",
    "../x",
    "\0",
    "a" * 5000,
    [],
    {},
    [[]],
    [None],
    {"x": None},
    0.5,
    10**400,
)
THREADS = 3
SMALL_SEEDS = 8  # whose inputs are small, so that a short run is one
MANY = (200, 1000, 4000)  # segments of one more play each, as long as those before were quick
QUICK = 0.1  # seconds of a core
LONGEST_CUT = 60  # letters


class Draw(random.Random):
    """All that chance decides in one play."""

    def __init__(self, name: str, seed: int, samples: Sequence[pathlib.Path], folder: pathlib.Path) -> None:
        super().__init__(f"{name}:{seed}")
        self.small = seed < SMALL_SEEDS
        self.many = 0  # segments, where they are to be many
        self.answered: int | None = None  # of the calls that a play made, where they may be refused
        self.patient = False  # however slow it is
        self.samples, self.folder = samples, folder
        self.words = WORDS + tuple(self.letters(self.randrange(1, 9)) for _ in range(6))
        self.names: Sequence[str] = ("en",)
        self.kind = ""  # of whose options are drawn: a file that is called so is more likely

    def letters(self, n: int) -> str:
        """Letters of one script, as many as n."""
        return "".join(self.choices(self.choice(ALPHABETS), k=n))

    def growing(self, play: Callable[[], int]) -> int:
        """Play with a few segments, and with more and more of them as long as that is quick: how many there were."""
        began, n = time.process_time(), play()
        for many in () if self.small else MANY:
            if time.process_time() - began > QUICK and not self.patient:
                break
            self.many = many
            n += play()
        self.many = 0
        return n

    def size(self) -> int:
        """How many segments, words or rows."""
        return self.choice([1, 2, 5, 8]) if self.small else self.choice([1, 3, 20, 60, 60, 100])

    def text(self) -> str:
        """A line that has no end of line in it: words that come again, letters of any script, or nothing."""
        kind = self.random()
        if kind < 0.05:
            return self.choice(["", " ", "\t", "\xa0", ".", "\u3000"])
        if kind < 0.2:
            return self.letters(self.choice([1, 3, 20, 60]))
        n = self.choice([1, 2, 4, 8, 12, 25]) if kind < 0.995 or self.small else 400
        gap = self.choice([" ", " ", " ", " ", "  ", "\t", "\u3000", ""])
        return gap.join(self.choices(self.words, k=n))

    def near(self, text: str) -> str:
        """A text that is much like another one: words left out, doubled, moved, changed."""
        words = text.split(" ")
        for _ in range(self.choice([0, 1, 1, 2, 5])):
            at, other = self.randrange(len(words)), self.randrange(len(words))
            match self.randrange(4):
                case 0 if len(words) > 1:
                    del words[at]
                case 1:
                    words.insert(at, words[other])
                case 2:
                    words[at], words[other] = words[other], words[at]
                case _:
                    words[at] = self.choice(self.words)
        return " ".join(words)

    def texts(self) -> list[str]:
        """Some lines, or many."""
        return self._cut(1)[0] if self.many else [self.text() for _ in range(self.size())]

    def _cut(self, sides: int) -> list[list[str]]:
        """Many texts of some sides, cut out of one long text at any letter: at much the same place on every side."""
        whole = " ".join(self.text() for _ in range(40))
        starts = self.choices(range(len(whole)), k=self.many)
        lengths = self.choices(range(LONGEST_CUT), k=self.many)
        cuts = [[whole[a : a + n] for a, n in zip(starts, lengths, strict=True)]]
        for _ in range(sides - 1):
            moved, longer = (self.choices((0, 0, 0, 1, 7), k=self.many) for _ in "ab")
            places = zip(starts, lengths, moved, longer, strict=True)
            cuts.append([whole[a + by : a + n + more] for a, n, by, more in places])
        return cuts

    def segments(self) -> tuple[list[str], list[Any], list[str]]:
        """Hypotheses, references (one or several of each) and sources."""
        if self.many:
            cut, near, other, source = self._cut(4)
            several = [list(pair) for pair in zip(near, other, strict=True)]
            return cut, several if self.random() < 0.3 else near, source
        hyps = [self.text() for _ in range(self.size())]
        many = self.random() < 0.3
        refs = [[self.near(h) for _ in range(self.choice([1, 2, 4]))] if many else self.near(h) for h in hyps]
        return hyps, refs, [self.near(h) for h in hyps]

    def order(self, n: int) -> list[int]:
        """The numbers up to n in another order."""
        return self.sample(range(n), n)

    def number(self) -> float:
        """A number that arrays have: small and often the same, or strange."""
        kind = self.random()
        return self.choice(STRANGE) if kind < 0.03 else self.randrange(5) if kind < 0.6 else self.gauss(0, 1)

    def array(self, *shape: int, missing: float = 0.05) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Scores, some of them missing, perhaps all the same, perhaps giant."""
        values = np.array([self.number() for _ in range(int(np.prod(shape)))], np.float64).reshape(shape)
        values[~np.isfinite(values)] = np.nan
        values[np.array([self.random() < missing for _ in range(values.size)], bool).reshape(shape)] = np.nan
        return values if self.random() < 0.9 else np.zeros(shape)

    def value(self, kind: Any, option: str, *, file: bool = False, runs: bool = False) -> Any:
        """A value of an option of a spec, by its type; it need not be one that the option takes."""
        origin, args = typing.get_origin(kind), typing.get_args(kind)
        if origin in (types.UnionType, typing.Union):
            return self.value(self.choice(args), option, file=file, runs=runs)
        if origin is typing.Literal:
            return self.choice(args)
        if origin is tuple:
            return tuple(self.value(args[0], option) for _ in range(self.choice([0, 1, 2, 4, 6])))
        if kind is bool:
            return self.random() < 0.5
        if kind is int:
            return self.choice(HUGE) if self.random() < 0.2 else self.randrange(13)
        if kind is float:
            return (
                self.choice(STRANGE) if self.random() < 0.2 else self.choice([0.25, 0.5, 0.9, 1.0, 2.0, self.random()])
            )
        if kind is str:
            named = self.choice(self.names) if self.random() < 0.8 else self.text()
            return "cat" if runs else str(self.file(option)) if file else named
        return None

    def has_sample(self, like: str) -> bool:
        """Whether there is a file of a format whose name has this in it."""
        return any(like in path.name for path in self.samples)

    def file(self, like: str = "", *, sound: float = 0.5) -> pathlib.Path:
        """A file, sound or damaged, of a format whose name has `like` in it, if there is one."""
        fitting = [path for path in self.samples if like in path.name and like] or list(self.samples)
        named = [path for path in fitting if self.kind and path.name.startswith(f"{self.kind}.")]
        sample = self.choice(
            named if named and self.random() < 0.7 else fitting if self.random() < 0.9 else self.samples
        )
        return sample if self.random() < sound else self.damaged(sample)

    def damaged(self, sample: pathlib.Path) -> pathlib.Path:
        """A damaged copy of a file, sometimes packed, or of a folder with one damaged or missing file."""
        if sample.is_dir():
            return self._damaged_folder(sample)
        packed = self.random() < 0.1
        path = self.folder / (sample.name + ".gz" * packed)
        if path.is_dir():
            shutil.rmtree(path)
        data = self._damaged(sample)
        path.write_bytes(gzip.compress(data)[: self.choice([None, None, 30])] if packed else data)
        return path

    def _damaged_folder(self, sample: pathlib.Path) -> pathlib.Path:
        folder = self.folder / sample.name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sample, folder)
        file = self.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
        if self.random() < 0.1:
            file.unlink()
        else:
            file.write_bytes(self._damaged(file))
        with contextlib.suppress(OSError, ValueError, AttributeError):  # whoever writes a model can sign it
            content = json.loads((folder / "model.json").read_text(encoding="utf-8"))
            if file.name != "model.json" and self.random() < 0.9:
                content["arrays"] = models.file_checksum(folder / "arrays.safetensors")
                models.write(folder / "model.json", content)
        return folder

    def _damaged(self, sample: pathlib.Path) -> bytes:
        """The bytes of a file after some damage: to values where they can be told, or else to the bytes."""
        data = sample.read_bytes()
        with contextlib.suppress(ValueError, sqlite3.Error, OverflowError, zipfile.BadZipFile):
            if sample.suffix == ".json" and self.random() < 0.7:
                return self._other_values(data)
            if sample.suffix == ".jsonl" and self.random() < 0.7:
                lines = data.splitlines(keepends=True)
                row = self.randrange(len(lines))
                return b"".join([*lines[:row], self._other_values(lines[row]), b"\n", *lines[row + 1 :]])
            if sample.suffix == ".db" and self.random() < 0.9:
                return self._other_cells(data)
            if sample.suffix in (".part", ".npz") and self.random() < 0.9:
                return self._other_entry(data)
        for _ in range(self.choice([1, 1, 2, 4])):
            data = self._spoilt(data)
        return data

    def _other_values(self, data: bytes) -> bytes:
        """JSON with other values in one or two places; signed again, if it was signed."""
        whole = [json.loads(data)]
        for _ in range(self.choice([1, 1, 2])):
            place: Any = whole
            while True:
                key = self.choice(list(place) if isinstance(place, dict) else range(len(place)))
                if not isinstance(place[key], dict | list) or not place[key] or self.random() < 0.2:
                    break
                place = place[key]
            if self.random() < 0.2 and place is not whole:
                del place[key]
            else:
                place[key] = copy.deepcopy(self.choice([*VALUES, self.text(), self.choice(self.names)]))
        content = whole[0]
        if isinstance(content, dict) and "signature" in content and self.random() < 0.95:
            content["signature"] = models.checksum(content)
        return json.dumps(content).encode()

    def _other_cells(self, data: bytes) -> bytes:
        """A database with another value in a cell, or within the JSON of one; perhaps without a row."""
        with contextlib.closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(data[:18] + b"\1\1" + data[20:])  # a log beside it cannot be had in memory
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            table = self.choice([name for name in tables if not name.startswith("sqlite_")])
            (row,) = self.choice(database.execute(f"SELECT rowid FROM {table}").fetchall() or [(0,)])  # noqa: S608
            column = self.choice([about[1] for about in database.execute(f"PRAGMA table_info({table})")])
            if column != "body" and self.random() < 0.5:
                column = "body" if table != "alembic_version" else column
            query = f"SELECT {column} FROM {table} WHERE rowid = ?"  # noqa: S608
            ((value,),) = database.execute(query, (row,)).fetchall() or [(None,)]
            value = self._other_values(value.encode()).decode() if column == "body" else self.choice(VALUES)
            if self.random() < 0.1:
                database.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))  # noqa: S608
            else:
                database.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (_cell(value), row))  # noqa: S608
            database.commit()
            return database.serialize()

    def _other_entry(self, data: bytes) -> bytes:
        """An archive with another entry in the place of one, or without it."""
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            chosen = self.choice(old.namelist())
            for name in old.namelist():
                entry = old.read(name)
                if name == chosen:
                    entry = self._other_values(entry) if name.endswith(".json") else self._other_array(entry)
                if name != chosen or self.random() < 0.95:
                    new.writestr(name, entry)
        return out.getvalue()

    def _other_array(self, data: bytes) -> bytes:
        """An array of another shape or type, or of other numbers; or bytes that are none."""
        if self.random() < 0.2:
            return self._spoilt(data)
        rows = np.load(io.BytesIO(data))
        match self.randrange(3):
            case 0:
                rows = rows.astype(self.choice(["<f8", "<f4", ">f8", "<i8", "<u8", "|u1", "|S3", "<c16", "|b1"]))
            case 1:
                rows = np.resize(rows, [max(0, n + self.choice([-1, 0, 0, 1])) for n in rows.shape])
            case _:
                rows = np.where(rows > self.choice([-1, 0, 1]), self.choice(STRANGE), rows)
        out = io.BytesIO()
        np.save(out, rows)
        return out.getvalue()

    def _spoilt(self, data: bytes) -> bytes:
        at, length = self.randrange(len(data) + 1), self.choice([0, 1, 5, 40])
        lines = data.split(b"\n")
        row, other = self.randrange(len(lines)), self.randrange(len(lines))
        match self.randrange(8):
            case 0:
                return data[:at]
            case 1:
                lines[row] = lines[other]
            case 2:
                del lines[row]
            case 3:
                cells = lines[row].split(b"\t") if b"\t" in lines[row] else lines[row].split(b",")
                cells[self.randrange(len(cells))] = self.choice(SCRAPS)
                lines[row] = (b"\t" if b"\t" in lines[row] else b",").join(cells)
            case 4 if any(mark in lines[row] for mark in (b"=", b":")):  # a setting in TOML or YAML
                name = lines[row][: min(lines[row].find(mark) % (1 << 30) for mark in (b"=", b":")) + 1]
                value = json.dumps(self.choice(VALUES), default=str)
                lines[row] = name + b" " + value.encode()
            case 4 | 5:
                return data[:at] + data[at : at + length] * self.choice([2, 300]) + data[at:]
            case 6:
                return data[:at] + self.text().encode("utf-8", "surrogatepass") + data[at + length :]
            case _:
                return data[:at] + self.choice(SCRAPS) + data[at + length :]
        return b"\n".join(lines)


def _cell(value: Any) -> Any:
    """A value as a database can hold it."""
    return value if isinstance(value, str | float | None) else str(value)
