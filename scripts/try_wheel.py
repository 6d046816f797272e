"""Try a wheel as a stranger would: a fresh environment, no compiler on its path, and `tercet demo`.

    python scripts/try_wheel.py WHEEL FOLDER [OTHER]

The environment is made in FOLDER. The wheel OTHER, built elsewhere of the same sources, must hold the same files.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import venv
import zipfile


def contents(wheel: pathlib.Path) -> set[str]:
    """The files that a wheel installs, but for its own papers."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name and not name.endswith("/")}


def main(wheel: pathlib.Path, folder: pathlib.Path, other: pathlib.Path | None) -> None:
    """Install, run, and look whether what ran is what was installed."""
    if other is not None and contents(wheel) != contents(other):
        sys.exit(f"{wheel} and {other} differ in {', '.join(sorted(contents(wheel) ^ contents(other)))}.")
    venv.create(folder, clear=True, with_pip=True)
    binaries = folder.resolve() / "bin"
    surroundings = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX", "PYTHONPATH")}
    surroundings["PATH"] = str(binaries)
    if any(shutil.which(name, path=str(binaries)) for name in ("c++", "cc", "g++", "gcc", "clang", "cmake", "ninja")):
        sys.exit(f"There is a compiler in {binaries}.")

    def run(*words: str) -> str:
        done = subprocess.run(words, env=surroundings, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout

    pip = [
        str(binaries / "python"),
        "-m",
        "pip",
        "--disable-pip-version-check",
        "-q",
        "install",
        "--only-binary",
        ":all:",
    ]
    run(*pip, str(wheel.resolve()))
    where = run(str(binaries / "python"), "-c", "import tercet.kernels._native as n; print(n.__file__)").strip()
    if not pathlib.Path(where).is_relative_to(folder.resolve()):
        sys.exit(f"The kernels that ran are those of {where}.")
    told = run(str(binaries / "tercet"), "demo", "-o", "demo")
    if not list((folder / "demo").glob("*.html")):
        sys.exit(f"tercet demo wrote no report:\n{told}")
    print(f"{wheel.name} is installed without a compiler, and tercet demo runs.")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None)
