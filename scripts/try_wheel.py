"""Try a wheel as a stranger would: a fresh environment, no compiler on its path, and `tercet demo`.

    python scripts/try_wheel.py WHEEL FOLDER [OTHER]
    python scripts/try_wheel.py --stamp

The environment is made in FOLDER. The wheel OTHER, built elsewhere of the same sources, must hold the same files.
`--stamp` prints what decides whether a wheel and an sdist can be built, hold all files, and run where nothing else is
installed: `make wheel` writes it to scripts/wheel.txt when all went well, and a test holds it.
"""

from __future__ import annotations

import ast
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).parent.parent


def decisive() -> Iterator[str]:
    """Files that say how to build, what is needed, names of all that is packed, and of packages that are imported."""
    for name in ("CMakeLists.txt", ".gitignore", "scripts/try_wheel.py"):
        yield (ROOT / name).read_text(encoding="utf-8")
    yield (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nwheel:")[2].partition("\n\n")[0]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    yield repr((project["build-system"], project["project"], project["tool"]["scikit-build"]))
    packed = [path for folder in ("src", "native") for path in (ROOT / folder).rglob("*") if path.is_file()]
    others = (path for path in packed if path.suffix not in (".py", ".pyc"))
    yield "\n".join(sorted(str(path.relative_to(ROOT)) for path in others))
    yield "\n".join(sorted({name for path in packed if path.suffix == ".py" for name in imported(path)}))


def imported(path: pathlib.Path) -> Iterator[str]:
    """The packages that a module asks for by name, wherever in it."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def stamp() -> str:
    """What they are known by."""
    return hashlib.sha256("\0".join(decisive()).encode()).hexdigest()


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


if __name__ == "__main__" and "--stamp" in sys.argv:
    print(stamp())
elif __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None)
