"""Every vector and every golden score of the reference implementations, by the conformance tool itself."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "arguments",
    [
        ("--only", "sacrebleu", "mteval", "moses", "chrF++", "tokenizer", "hLEPOR", "YiSi", "ROUGE"),
        ("--golden", "--only", "sacrebleu", "mteval", "moses", "chrfpp", "hlepor", "yisi", "rouge"),
    ],
    ids=["vectors", "golden"],
)
def test_reference_implementations_agree_on_every_item(shared: pathlib.Path, arguments: tuple[str, ...]) -> None:
    command = [sys.executable, str(shared / "tools" / "conform.py"), "--verbose", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stderr + done.stdout)[-2000:]
    assert "(100.00%)" in done.stdout
