"""A room imports what is below it or to its right in its row: one ordered list, so that no cycle can form.

The list is STYLE's picture, read row by row from the bottom and from right to left. Two things are not in the
picture: `sample`, which writes pages and stands right above `report`, and the package root, which may import
anything and which only the edges (`web`, `cli`) import. Imports inside functions and under TYPE_CHECKING count.
"""

import ast
import pathlib
from collections.abc import Iterator

import pytest

import tercet.errors

ROOMS = [
    *("errors", "spec", "data", "metric"),  # nouns
    *("kernels", "stats", "text", "formats"),  # tools
    *("metrics", "neural", "human", "scoring"),  # measure
    *("ranking", "meta", "learning", "quality", "campaign", "comparing", "explaining", "retrieval", "study"),  # answers
    *("plots", "report", "sample"),  # pages
    *("web", "cli"),  # edges
]
EDGES = ("web", "cli")
ROOT = ("__init__", "__main__")
PACKAGE = pathlib.Path(tercet.errors.__file__).parent


def room_of(path: pathlib.Path, package: pathlib.Path) -> str:
    """The top-level room that a module belongs to."""
    return path.relative_to(package).parts[0].removesuffix(".py").removesuffix(".pyi")


def imported(path: pathlib.Path, package: pathlib.Path) -> Iterator[tuple[str, int]]:
    """The rooms that a module imports, with the lines; "" is the package root."""
    here = ["tercet", *path.relative_to(package).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        for name in names:
            top, _, rest = name.partition(".")
            if top == "tercet":
                first = rest.partition(".")[0]
                yield (first if is_room(first, package) or "." in rest else ""), node.lineno  # type: ignore[attr-defined]


def is_room(name: str, package: pathlib.Path) -> bool:
    """Whether there is such a module or folder, or there ought to be."""
    return name in ROOMS or (package / name).is_dir() or (package / f"{name}.py").exists()


def modules(package: pathlib.Path) -> list[pathlib.Path]:
    """Every module and stub of the package."""
    return sorted([*package.rglob("*.py"), *package.rglob("*.pyi")])


def unknown_rooms(package: pathlib.Path) -> list[str]:
    """Top-level rooms that the list does not know."""
    found = {room_of(path, package) for path in modules(package)}
    return sorted(found - {*ROOMS, *ROOT})


def wrong_imports(package: pathlib.Path) -> list[str]:
    """Imports that go up, as sentences."""
    out = []
    for path in modules(package):
        room = room_of(path, package)
        if room in ROOT or room not in ROOMS:
            continue
        for other, line in imported(path, package):
            where = f"{path.relative_to(package.parent)}:{line}"
            if other == "" and room not in EDGES:
                out.append(f"{where}: {room} imports the package root; import the room that is meant")
            elif other in ROOMS and ROOMS.index(other) > ROOMS.index(room):
                out.append(f"{where}: {room} imports {other}, which stands above it")
    return out


def test_every_room_has_its_place() -> None:
    unknown = unknown_rooms(PACKAGE)
    assert unknown == [], (
        f"tercet/ has rooms that the order does not know: {', '.join(unknown)}. Give each its place in ROOMS of "
        "tests/test_rooms.py (and in STYLE's picture), above what it imports and below what imports it."
    )


def test_rooms_import_downwards() -> None:
    assert wrong_imports(PACKAGE) == []


def test_the_package_was_read() -> None:
    found = {room_of(path, PACKAGE): set(imported(path, PACKAGE)) for path in modules(PACKAGE)}
    assert {"errors", "spec", "data", "metric", "kernels", "text", "metrics"} <= set(found)
    assert "errors" in {room for room, _ in imported(PACKAGE / "spec.py", PACKAGE)}
    assert {"kernels", "text", "data", "metric", "spec"} <= {
        room for room, _ in imported(PACKAGE / "metrics" / "bleu.py", PACKAGE)
    }


WRONG = {
    "plain": "import tercet.metrics",
    "from": "from tercet.metrics import bleu",
    "from the root": "from tercet import errors, metrics",
    "inside a function": "def f():\n    from tercet.metrics.bleu import Bleu",
    "for types only": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import tercet.metrics.bleu",
    "relative": "from ..metrics import bleu",
    "relative to the root": "from .. import metrics",
    "the root itself": "import tercet",
    "a verb of the root": "from tercet import score",
}
FINE = {
    "below": "from tercet import kernels\nimport tercet.data.testset",
    "itself": "from tercet.text import tokenizer\nfrom . import moses\nfrom .moses import Moses",
    "others": "import re\nimport numpy.typing\nfrom tercetera import metrics",
}


def package_with(tmp_path: pathlib.Path, source: str) -> pathlib.Path:
    """A package whose room `text` holds one module."""
    room = tmp_path / "tercet" / "text"
    room.mkdir(parents=True)
    (room / "module.py").write_text(source, encoding="utf-8")
    return tmp_path / "tercet"


@pytest.mark.parametrize("source", WRONG.values(), ids=WRONG)
def test_a_wrong_import_is_seen(source: str, tmp_path: pathlib.Path) -> None:
    found = wrong_imports(package_with(tmp_path, source))
    assert len(found) == 1
    assert found[0].startswith("tercet/text/module.py:")


@pytest.mark.parametrize("source", FINE.values(), ids=FINE)
def test_a_right_import_is_not(source: str, tmp_path: pathlib.Path) -> None:
    assert wrong_imports(package_with(tmp_path, source)) == []


def test_a_new_room_is_seen(tmp_path: pathlib.Path) -> None:
    package = package_with(tmp_path, "")
    (package / "attic.py").write_text("", encoding="utf-8")
    assert unknown_rooms(package) == ["attic"]
