"""No kernel crashes, whatever it is given, and none goes on when it is told to stop."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from tercet import kernels
from tests.conftest import ROOT

TOO_MUCH = ("allocation-size-too-big", "AddressSanitizer: out-of-memory", "out of memory: allocator", "hard rss limit")


def _attacked(skipped: int) -> tuple[str, str, int]:
    """What the program of hostile calls said last, its complaints, and how it ended."""
    python = [sys.executable, *(["-S"] if sys.flags.no_site else [])]
    limits = f"{os.environ.get('ASAN_OPTIONS', '')}:allocator_may_return_null=1:max_allocation_size_mb=2048"
    environment = os.environ | {"ASAN_OPTIONS": limits.strip(":")}
    done = subprocess.run(
        [*python, "-m", "tests.kernels.hostile", str(skipped)],
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
        cwd=ROOT,
        env=environment,
    )
    return done.stdout.splitlines()[-1], done.stderr, done.returncode


@pytest.mark.thorough
def test_hostile_arguments_are_answered_or_refused() -> None:
    """In another process, so that a crash is a failure; a sanitizer that ends it for want of memory found none."""
    skipped = 0
    while True:
        last, complaint, code = _attacked(skipped)
        if code == 0:
            break
        number = int(last.split()[0])
        assert any(words in complaint for words in TOO_MUCH), f"{last}\n{complaint}"
        assert number > skipped, last
        skipped = number
    word, defined, calls, answered = last.split()
    assert word == "done"
    assert int(defined) > 60
    assert int(calls) > 10_000
    assert int(answered) > 1000 or skipped  # those before the last end are not counted


def test_lepor_matches_of_a_word_that_only_the_hypothesis_has() -> None:
    far = np.array([0, 1 << 23, 1], np.int32)
    assert kernels.lepor_matches(far, np.array([1, 0], np.int32), 3).tolist() == [[0, 1], [2, 0]]


def test_a_trainer_that_is_not_ready_says_so() -> None:
    trainer = kernels.Ibm1Trainer(True, 10)
    with pytest.raises(ValueError, match="must be prepared"):
        trainer.iterate(1)
    pairs = (*kernels.pack(["a", "b"]), np.array([0, 1, 2]))
    trainer.add(pairs, pairs)
    trainer.prepare(1)
    with pytest.raises(ValueError, match="before a round"):
        trainer.entries(0, 1)
    trainer.iterate(1)
    trainer.add(pairs, pairs)  # for which there is no room yet
    with pytest.raises(ValueError, match="must be prepared"):
        trainer.iterate(1)


def test_a_language_model_that_is_not_read_says_so() -> None:
    with pytest.raises(ValueError, match="not read to its end"):
        kernels.ArpaModel().score((*kernels.pack(["a"]), np.array([0, 1])), True, 1)


def test_a_table_that_has_ended_takes_nothing_more() -> None:
    builder = kernels.ParaphraseBuilder(1 << 20)
    builder.add(b"0.5\na\nb\n")
    builder.finish(bytes(32))
    for more in (lambda: builder.add(b"0.5\na\nc\n"), lambda: builder.finish(bytes(32))):
        with pytest.raises(ValueError, match="has ended"):
            more()


@pytest.mark.parametrize("huge", [1 << 62, -(1 << 62), (1 << 63) - 1, -(1 << 63)])
def test_counts_that_overflow_are_refused(huge: int) -> None:
    cells, counts = np.array([0, 0]), np.array([huge, huge])
    numbers = np.array([1.0, 2.0])
    with pytest.raises(ValueError, match="2\\^62"):
        kernels.calibrated_sums(numbers[None], cells, np.array([1, 1]), np.array([1, -1]), counts[:, None], 1)
    with pytest.raises(ValueError, match="2\\^62"):
        kernels.harmonic_grid(
            numbers, numbers, numbers[None], cells, cells + 1, counts, counts, np.array([0, 2]), numbers, numbers, 1
        )


def test_a_missing_array_of_several_is_refused() -> None:
    lines, marks = kernels.pack(["a"]), np.zeros(1, np.uint8)
    for stems, synsets in ((lines[0], None), None), (None, (None, np.zeros(1, np.int32))):
        with pytest.raises((TypeError, ValueError)):
            kernels.MeteorWords(lines, marks, False, stems, synsets, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("spoilt", [b"\xf0", b"a\xe2\x82", b"\xff\xff\xff\xff", b"\xc3", b"\xf7\xbf\xbf\xbf"])
def test_bytes_that_are_no_utf8_are_not_read_past_their_end(spoilt: bytes) -> None:
    lines = (np.frombuffer(spoilt, np.uint8).copy(), np.array([0, len(spoilt)]))
    for name in ("tokenize_13a", "tokenize_intl", "tokenize_zh", "tokenize_char", "split_whitespace", "eed_text"):
        getattr(kernels, name)(lines, 1)
    with pytest.raises(UnicodeDecodeError):
        kernels.unpack(lines)


def test_only_strings_are_packed() -> None:
    with pytest.raises(TypeError):
        kernels.pack(["a", 1])  # type: ignore[list-item]
