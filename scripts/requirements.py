"""Print what Tercet and some of its extras need, a line each: `make` installs it while kernels are compiled.

`python scripts/requirements.py test` prints what `pip install '.[test]'` would install beside Tercet itself.
"""

from __future__ import annotations

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).parent.parent


def needed(extra: str, extras: dict[str, list[str]]) -> list[str]:
    """The packages of an extra, and of those that it names.

    >>> needed("all", {"all": ["b", "tercet[one,two]"], "one": ["a>=1"], "two": []})
    ['b', 'a>=1']
    """
    packages: list[str] = []
    for requirement in extras[extra]:
        others = re.fullmatch(r"tercet\[(.+)\]", requirement)
        packages += [one for name in others[1].split(",") for one in needed(name, extras)] if others else [requirement]
    return packages


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [one for extra in sys.argv[1:] for one in needed(extra, project["optional-dependencies"])]
    print(*dict.fromkeys([*project["dependencies"], *asked]), sep="\n")
