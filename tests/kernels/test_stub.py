"""The typed stub is what the compiled module makes of itself."""

import subprocess
import sys

from tercet import kernels
from tercet.kernels import _native
from tests.conftest import ROOT


def test_the_stub_is_fresh() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "make_stub.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_kernel_is_public() -> None:
    defined = {name for name in vars(_native) if not name.startswith("_")}
    assert defined
    assert all(getattr(kernels, name) is getattr(_native, name) for name in defined)
