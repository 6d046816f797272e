"""Files that options name: whatever is registered, what is in them stands in the facts, and none is read for ever."""

import contextlib
import gzip
import os
import pathlib
from typing import Any

import pytest

import tercet
from tercet import contents
from tercet.errors import InputError, TercetError
from tercet.metrics import METRICS
from tercet.metrics.meteor import gapped
from tercet.quality.features import FEATURES
from tercet.spec import Registry, Spec, options
from tercet.study.file import _placed
from tercet.text import TOKENIZERS
from tests.meteor import files as meteor_files

REGISTRIES: dict[str, Registry[Any]] = {r.kind: r for r in (METRICS, TOKENIZERS, FEATURES)}
OWNERS = [(kind, name) for kind, registry in REGISTRIES.items() for name in registry]
NAMING = [
    pytest.param(kind, name, option, id=f"{kind}-{name}-{option}")
    for kind, name in OWNERS
    for option in REGISTRIES[kind].load(name).files
]
# a file of one line is no model to them; their own tests hold what they know of it
REFUSE = {(name, "model") for name in ("qe", "combine", "comet", "esim", "yisi-1", "yisi-2", "wmdo", "bertscore")}
REFUSE |= {(name, "model") for name in ("bertr", "cosine", "cosine-source")}
REFUSE |= {("word-translations", "frequencies")}  # which it takes only with a table
REFUSE |= {("wmdo", "punkt")}  # a folder, and only with version=program
REFUSE |= {(name, "encoder") for name in ("comet", "esim")}


def made(kind: str, name: str, **given: Any) -> Spec | None:
    """The spec, if it takes these options."""
    with contextlib.suppress(TercetError, OSError):
        owner: type[Spec] = REGISTRIES[kind].load(name)
        return owner(**given)
    return None


@pytest.mark.parametrize(("kind", "name", "option"), NAMING)
def test_what_is_in_a_named_file_is_a_fact(tmp_path: pathlib.Path, kind: str, name: str, option: str) -> None:
    path = tmp_path / "file"
    path.write_text("one\n")
    value = (str(path),) if "tuple" in str(options(REGISTRIES[kind].load(name))[option]) else str(path)
    spec = made(kind, name, **{option: value})
    if spec is None:
        assert (name, option) in REFUSE
        return
    assert spec.named_files() == {option: (str(path),)}
    before = Spec.facts(spec), spec.state()  # some facts of their own cannot be read of such a file
    path.write_text("two\n")
    assert Spec.facts(spec)[f"{option}-sha256"] != before[0][f"{option}-sha256"]
    assert spec.state() != before[1]


@pytest.mark.parametrize(("kind", "name"), OWNERS)
def test_files_of_specs_within_specs_are_facts(tmp_path: pathlib.Path, kind: str, name: str) -> None:
    """Whichever option takes a spec with a file in it."""
    model = tmp_path / "model"
    model.write_text("one\n")
    folder = meteor_files.folder(tmp_path)
    (folder / "data").mkdir()
    (folder / "data" / "paraphrase-en.gz").write_bytes(gzip.compress(b"1\na\nb\n"))
    prefixes = folder / "nonbreaking" / "english.prefixes"
    inner = {f'meteor(resources="{folder}")': prefixes, f'spm(model="{model}")': model, f'lm(model="{model}")': model}
    owner = REGISTRIES[kind].load(name)
    taken = []
    for option in options(owner):
        if option in owner.files or made(kind, name, **{option: "no-such-spec(a=1)"}) is not None:
            continue  # no spec, or any text at all
        for value, file in inner.items():
            spec = made(kind, name, **{option: value})
            if spec is None:
                continue
            before = spec.facts()
            file.write_text(file.read_text() + "more\n")
            assert spec.facts() != before, (option, value)
            taken.append(option)
    assert set(taken) == {option for option in owner.within if option in options(owner)}


def test_a_folder_is_what_its_files_are_called_too(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").write_text("x")
    (folder / "b").write_text("y")
    before = contents.checksum(str(folder))
    (folder / "a").rename(folder / "c")
    assert contents.checksum(str(folder)) != before


def test_a_file_is_known_wherever_it_lies(tmp_path: pathlib.Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("the same")
    assert contents.checksum(str(tmp_path / "a")) == contents.checksum(str(tmp_path / "b"))


@pytest.mark.parametrize("path", ["/dev/zero", "pipe"])
def test_what_has_no_end_has_no_checksum(tmp_path: pathlib.Path, path: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is no ordinary file"):
        contents.checksum(str(tmp_path / path))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / path)
    with pytest.raises(InputError, match="link is no ordinary file"):
        contents.checksum(str(folder))


def test_checksums_have_bounds(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("four")
    monkeypatch.setattr(contents, "MOST_BYTES", 3)
    with pytest.raises(InputError, match="holds more than 3 bytes"):
        contents.checksum(str(tmp_path / "a"))
    monkeypatch.setattr(contents, "MOST_ENTRIES", 0)
    for asked in (contents.checksum, contents.state):
        with pytest.raises(InputError, match="more than 0 files and folders"):
            asked(str(tmp_path))


def test_a_file_that_is_not_there_has_no_checksum(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        contents.checksum(str(tmp_path / "nowhere"))


def replaced(path: pathlib.Path, text: str) -> None:
    """Another file of the same size and time under the same name."""
    about = path.stat()
    assert len(text.encode()) == about.st_size
    path.unlink()
    path.write_text(text)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def test_gapped_paraphrases_are_read_again(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "gapped"
    path.write_text("1\na [X] b\nc [X] d\n")
    before = gapped.read(str(path))
    assert gapped.read(str(path)) is before
    replaced(path, "1\na [X] b\nc [X] e\n")
    assert gapped.read(str(path)) is not before


def test_abbreviations_are_read_again(tmp_path: pathlib.Path) -> None:
    folder = meteor_files.folder(tmp_path)
    spec = f'bleu(tokenize="meteor(resources={folder}, language=en)", effective_order=true)'
    texts = ["Mr. Smith came"], ["Mr Smith came"]
    before = tercet.metric(spec).corpus(*texts)
    path = folder / "nonbreaking" / "english.prefixes"
    replaced(path, path.read_text().replace("Mr", "Xy"))
    assert tercet.metric(spec).corpus(*texts) != before


def test_function_words_are_read_again(tmp_path: pathlib.Path) -> None:
    folder = meteor_files.folder(tmp_path)
    metric = tercet.metric(f'meteor(resources="{folder}", modules=exact)')
    before = metric.function_list()  # type: ignore[attr-defined]
    with (folder / "function" / "english.words").open("a") as file:
        file.write("zebra\n")
    assert metric.function_list() == before | {"zebra"}  # type: ignore[attr-defined]


def test_a_list_of_function_words_is_a_fact_and_a_language_is_none(tmp_path: pathlib.Path) -> None:
    (tmp_path / "list").write_text("the\n")
    facts = tercet.metric(f'meteor(function_words="{tmp_path}/list", modules=exact)').facts()
    assert list(facts) == ["function_words-sha256"]
    assert tercet.metric("meteor(function_words=de, modules=exact)").facts() == {}
    assert _placed("meteor(function_words=list)", tmp_path) == f"meteor(function_words={tmp_path}/list)"
    assert _placed("meteor(function_words=de)", tmp_path) == "meteor(function_words=de)"
