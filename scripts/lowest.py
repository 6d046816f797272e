"""Print the lowest versions that pyproject.toml allows, as pip takes them: `make lowest` installs and tries them.

`python scripts/lowest.py --stamp` prints what they are known by: `make lowest` writes it to scripts/lowest.txt when all
went well, and a test holds it against pyproject.toml, so that no bound is changed and not tried.
"""

from __future__ import annotations

import hashlib
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).parent.parent
STAMP = ROOT / "scripts" / "lowest.txt"
# What is not tried: tools for developers, packages of one version, and torch, which takes 1.4 GB.
UNTRIED = ("bench", "docs", "meteor", "neural-en", "test", "torch")


def lowest(requirements: list[str]) -> list[str]:
    """Each requirement held to its lower bound, whatever Python it is for.

    >>> lowest(["rich>=13", "numpy >= 1.26", "backports.zstd>=1.0; python_version < '3.14'"])
    ['rich==13', 'numpy==1.26', 'backports.zstd==1.0']
    """
    return [re.sub(r"\s*>=\s*", "==", requirement.partition(";")[0]) for requirement in requirements]


def required() -> list[str]:
    """What the package needs, and what its extras need, at the lowest."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(one for name in sorted(extras) if name not in UNTRIED for one in extras[name]),
    ]
    return list(dict.fromkeys(lowest(wanted)))


def stamp() -> str:
    """What they are known by."""
    return hashlib.sha256("\n".join(sorted(required())).encode()).hexdigest()


if __name__ == "__main__":
    print(*([stamp()] if "--stamp" in sys.argv else required()))
