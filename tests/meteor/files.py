"""METEOR's files for tests: the installed ones, or small ones made up in a folder."""

import pathlib
import zipfile

from tercet.errors import MissingExtraError
from tercet.text import meteor_files
from tests.conftest import absent

FILES = {
    "function/english.words": "the\nof\n,\n",
    "function/german.words": "der\ndie\n",
    "function/other.words": "",
    "nonbreaking/english.prefixes": "# titles\nMr\nDr\n\n# numbers\nNo #NUMERIC_ONLY# \n",
    "nonbreaking/german.prefixes": "bzw\r\n\r\nUmf\r\n",
    "nonbreaking/french.prefixes": "Mme\n",
    "nonbreaking/czech.prefixes": "# none\n",
    "synonym/english.synsets": "dog\n0001 0002\nhound\n0002\ngoose\n7\nfox\n9\ngas\n11\n",
    "synonym/english.exceptions": "goose\ngeese\ndog\ndoggen doggo\nhound\ndoggo\n",
}


def installed() -> meteor_files.Files:
    """The files of the extra `meteor`, or no test."""
    try:
        return meteor_files.locate(None)
    except MissingExtraError:
        absent("METEOR's files (extra `meteor`) are not installed")


def folder(path: pathlib.Path, **changed: str | bytes) -> pathlib.Path:
    """A folder as METEOR's jar unpacks to; `changed` names files by their last part, as english_synsets."""
    for name, content in FILES.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        new = changed.get(file.name.replace(".", "_"), content)
        file.write_bytes(new.encode() if isinstance(new, str) else new)
    return path


def jar(path: pathlib.Path) -> pathlib.Path:
    """A jar with the same files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in FILES.items():
            packed.writestr(name, content)
    return path


def table(*entries: tuple[str, str]) -> str:
    """The text of a paraphrase table."""
    return "".join(f"0.5\n{phrase}\n{paraphrase}\n" for phrase, paraphrase in entries)
