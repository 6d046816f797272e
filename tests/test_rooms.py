"""A room imports what is below it or to its right in its row: one ordered list, so that no cycle can form.

The list is STYLE's picture, read row by row from the bottom and from right to left. Not in the picture are `running`
and `sample`, which write pages and stand right above `report`, `compat`, which nothing imports, and the package root,
which may import anything and which only the edges (`server`, `cli`) import. Imports inside functions and under
TYPE_CHECKING count;
only `options`, which says what verbs take, may name types of any room under TYPE_CHECKING.
"""

import ast
import functools
import pathlib
import re
import subprocess
import sys

import pytest

import tercet.errors
from tests.conftest import tree

ROOMS = [
    *(
        "errors",
        "version",
        "limits",
        "contents",
        "numbers",
        "escaping",
        "plugins",
        "spec",
        "options",
        "data",
        "metric_base",
    ),  # nouns
    *("engines", "kernels", "stats", "text", "signing", "formats", "parses", "inputs", "label_inputs"),  # tools
    *("encoders", "metrics", "medical", "human", "counting", "part_files", "scoring", "sharding"),  # measure
    *(
        "ranking",
        "agreeing",
        "learning",
        "quality",
        "campaigns",
        "comparing",
        "explaining",
        "searching",
        "study",
        "catalogue",
    ),  # answers
    *("plots", "report"),  # pages
    *("running", "sample"),  # verbs that write pages
    *("compat", "server", "cli"),  # edges
]
EDGES = ("server", "cli")
PAGES = ("plots", "report")
COMPUTE = ("kernels", "stats", "text", "metric_base", "metrics", "human", "counting", "scoring")  # which pages never do
NAMES_TYPES, CHECKING = "options", "TYPE_CHECKING"
ROOT = ("__init__", "__main__")
PACKAGE = pathlib.Path(tercet.errors.__file__).parent


def room_of(path: pathlib.Path, package: pathlib.Path) -> str:
    """The top-level room that a module belongs to."""
    return path.relative_to(package).parts[0].removesuffix(".py").removesuffix(".pyi")


@functools.cache
def imported(path: pathlib.Path, package: pathlib.Path) -> list[tuple[str, int]]:
    """The rooms that a module imports, with the lines; "" is the package root."""
    here = ["tercet", *path.relative_to(package).parent.parts]
    found: list[tuple[str, int]] = []
    body = tree(path).body
    if room_of(path, package) == NAMES_TYPES:
        body = [node for node in body if not (isinstance(node, ast.If) and ast.unparse(node.test) == CHECKING)]
    for node in ast.walk(ast.Module(body, [])):
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
                room = first if is_room(first, package) or "." in rest else ""
                found.append((room, node.lineno))  # type: ignore[attr-defined]
    return found


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


NAMED = re.compile(r"tercet\.(\w+)[\w.]*(:\w+)?")
# Rooms above that are asked by name when there is something for them to do, as plugins are: who shows an answer, who
# reads the database of a campaign, a metric that is a model of quality, and the names that a shell completes.
ASKED_BY_NAME = {
    "data/answer.py: tercet.plots.answers",
    "data/answer.py: tercet.report.answers",
    "formats/judgements.py: tercet.campaigns.judged",
    "metrics/__init__.py: tercet.quality.metric:Qe",
    "options/groups.py: tercet.agreeing:MEASURES",
    "options/groups.py: tercet.metrics:METRICS",
    "options/groups.py: tercet.ranking:RANKERS",
    "options/studies.py: tercet.catalogue:names",
}


def named_above(package: pathlib.Path) -> set[str]:
    """Strings that name something of a room above, by which an import could go up unseen."""
    return {
        f"{path.relative_to(package).as_posix()}: {node.value}"
        for path in modules(package)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (name := NAMED.fullmatch(node.value))
        if {name[1], room := room_of(path, package)} <= set(ROOMS) and ROOMS.index(name[1]) > ROOMS.index(room)
    }


def test_few_rooms_are_asked_by_name(tmp_path: pathlib.Path) -> None:
    assert named_above(PACKAGE) == ASKED_BY_NAME
    package = package_with(tmp_path, 'importlib.import_module("tercet.report.html")\nbelow = "tercet.data.testset"')
    assert named_above(package) == {"text/module.py: tercet.report.html"}


def computing_pages(package: pathlib.Path) -> list[str]:
    """Imports by which a page could compute what an answer should hold, as sentences."""
    return [
        f"{path.relative_to(package.parent)}:{line}: {room_of(path, package)} imports {other}"
        for path in modules(package)
        if room_of(path, package) in PAGES
        for other, line in imported(path, package)
        if other in COMPUTE
    ]


def test_pages_compute_nothing(tmp_path: pathlib.Path) -> None:
    assert computing_pages(PACKAGE) == []
    for room in PAGES:
        folder = tmp_path / room / "tercet" / room
        folder.mkdir(parents=True)
        (folder / "page.py").write_text("def f():\n    from tercet.metrics.ter import Ter", encoding="utf-8")
        assert computing_pages(tmp_path / room / "tercet") == [f"tercet/{room}/page.py:2: {room} imports metrics"]


def loaded_rooms(imports: str) -> set[str]:
    """The rooms that a fresh interpreter has loaded after some imports."""
    told = "print(*{name.split('.')[1] for name in sys.modules if name.startswith('tercet.')})"
    run = subprocess.run([sys.executable, "-c", f"import sys\n{imports}\n{told}"], capture_output=True, check=True)
    return set(run.stdout.decode().split())


def test_pages_load_nothing_that_computes() -> None:
    """Not by way of others either: answers are nouns, which pages can show without what made them."""
    names = [".".join(("tercet", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in modules(PACKAGE)]
    pages = [name.removesuffix(".__init__") for name in names if name.split(".")[1] in PAGES]
    assert len(pages) > 60
    loaded = loaded_rooms("\n".join(f"import {name}" for name in pages))
    assert {"data", "numbers", *PAGES} <= loaded
    assert loaded & {*COMPUTE, "ranking", "agreeing", "learning", "quality", "campaigns", "comparing", "study"} == set()
    assert "kernels" in loaded_rooms("import tercet.metrics.bleu")


def test_the_package_was_read() -> None:
    found = {room_of(path, PACKAGE): set(imported(path, PACKAGE)) for path in modules(PACKAGE)}
    assert {"errors", "spec", "data", "metric_base", "kernels", "text", "metrics"} <= set(found)
    assert "errors" in {room for room, _ in imported(PACKAGE / "spec.py", PACKAGE)}
    assert {"kernels", "text", "data", "metric_base", "spec"} <= {
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


def homonyms(package: pathlib.Path) -> dict[str, list[str]]:
    """Classes of one name, by name, with the modules that have them."""
    places: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(package)))
    return {name: modules for name, modules in places.items() if len(modules) > 1}


def test_no_two_classes_have_one_name(tmp_path: pathlib.Path) -> None:
    assert homonyms(PACKAGE) == {}
    package = package_with(tmp_path, "class Table: ...\nclass Cell: ...\nclass _Row: ...")
    (package / "other.py").write_text("class Table: ...\nclass _Row: ...", encoding="utf-8")
    assert homonyms(package) == {"Table": ["other.py", "text/module.py"], "_Row": ["other.py", "text/module.py"]}


VAGUE = frozenset({"found", "own", "each"})  # where a noun would tell


def vague_locals(package: pathlib.Path) -> list[str]:
    """Parameters and variables of functions whose names tell nothing."""
    functions = [
        (path, node)
        for path in sorted(package.rglob("*.py"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.Lambda)
    ]
    return sorted(
        {
            f"{path.relative_to(package)}:{getattr(node, 'lineno', 0)}: {name}"
            for path, function in functions
            for node in ast.walk(function)
            for name in [node.arg if isinstance(node, ast.arg) else getattr(node, "id", "")]
            if name in VAGUE and (isinstance(node, ast.arg) or isinstance(getattr(node, "ctx", None), ast.Store))
        }
    )


def test_locals_are_called_by_nouns(tmp_path: pathlib.Path) -> None:
    assert vague_locals(PACKAGE) == []
    package = package_with(tmp_path, "class C:\n    own: int\ndef f(found):\n    return [each for each in found]")
    assert vague_locals(package) == ["text/module.py:3: found", "text/module.py:4: each"]


def test_a_new_room_is_seen(tmp_path: pathlib.Path) -> None:
    package = package_with(tmp_path, "")
    (package / "attic.py").write_text("", encoding="utf-8")
    assert unknown_rooms(package) == ["attic"]
