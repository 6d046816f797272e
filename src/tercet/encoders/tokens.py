"""Texts to token ids: tokenizer.json by `tokenizers`, and what the older, slow tokenizers do otherwise.

slow   BERT composes characters (NFC) before it lower-cases or splits; bert-score puts a space before the text of a
       byte-level tokenizer. The pieces are those of the same vocabulary.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import pathlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Literal

from tercet import contents
from tercet.encoders.architecture import json_object
from tercet.errors import InputError, extra

TokenizerKind = Literal["fast", "slow"]
_HINT = "An encoder's folder holds the tokenizer.json that it was trained with, and tokenizer_config.json."
MOST_KEPT = 1 << 19  # characters of texts whose tokens are kept
_LONG = 1 << 17  # characters of a text that keeps the library busy for a tenth of a second or more
_UNLIMITED = 1 << 40  # transformers writes a larger number where nobody has said what is longest


@dataclasses.dataclass(frozen=True, eq=False)
class TextTokens:
    """The tokens of a text as an encoder reads them: marks of beginning and end, and between them the pieces.

    `offsets` are places in the text, (0, 0) for marks. `cut` says whether pieces were left out at the end.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    before: int  # marks
    after: int
    cut: bool

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def inner(self) -> slice:
        """The places of the pieces."""
        return slice(self.before, len(self.ids) - self.after)


class EncoderTokenizer:
    """The tokenizer of a folder, or of a file tokenizer.json."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.config = _config(path.parent / "tokenizer_config.json")
        self.library = extra("tokenizers", "tokenizers", "neural", "An encoder")
        self.fast = self._made("fast")
        empty = self.fast.encode("")
        sample = self.fast.encode("a")
        marks = sample.special_tokens_mask
        before = next((i for i, mark in enumerate(marks) if not mark), len(empty.ids))
        self.begin, self.end = empty.ids[:before], empty.ids[before:]
        self._kept: dict[tuple[TokenizerKind, int], dict[str, TextTokens]] = {}
        self._keeping = threading.Lock()
        if not self.begin or not self.end:
            raise InputError(
                f"{path} puts no marks of beginning and end around a text, as encoders need them.", hint=_HINT
            )

    @functools.cached_property
    def slow(self) -> Any:
        """The same vocabulary with the habits of the slow tokenizers."""
        return self._made("slow")

    @functools.cached_property
    def is_byte_level(self) -> bool:
        """Whether pieces are of bytes, as RoBERTa's, so that a space belongs to the word after it."""
        return type(self.fast.pre_tokenizer).__name__ == "ByteLevel"

    @functools.cached_property
    def checksum(self) -> str:
        """What the tokenizer is known by."""
        return contents.checksum(str(self.path))

    @property
    def vocabulary(self) -> int:
        """How many tokens there are."""
        size: int = max(self.fast.get_vocab(with_added_tokens=True).values(), default=-1) + 1
        return size

    @property
    def longest(self) -> int:
        """The most tokens that the tokenizer's configuration allows."""
        value = self.config.get("model_max_length", _UNLIMITED)
        return int(value) if isinstance(value, int | float) and 2 < value < _UNLIMITED else _UNLIMITED

    def _made(self, kind: TokenizerKind) -> Any:
        if not self.path.is_file():
            raise InputError(f"There is no {self.path}.", hint=_HINT)
        content = json_object(self.path, _HINT)
        try:
            if kind == "slow":
                content = _slow(content)
            content["padding"] = content["truncation"] = None  # which some files have, for one length of all texts
            made = self.library.Tokenizer.from_str(json.dumps(content))
        except Exception as error:  # the library raises plain exceptions
            raise InputError(f"{self.path} cannot be read: {error}.", hint=_HINT) from None
        return made

    def tokens(self, texts: Sequence[str], kind: TokenizerKind, longest: int) -> list[TextTokens]:
        """Each text's tokens, marks among them, cut to `longest`; the latest are kept for another layer or part."""
        kept = self._kept.setdefault((kind, longest), {})
        known = {text: tokens for text in texts if (tokens := kept.get(text)) is not None}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        fresh = dict(zip(missing, self._tokens(missing, kind, longest), strict=True))
        with self._keeping:
            size = sum(map(len, fresh))
            if size + sum(map(len, kept)) > MOST_KEPT:
                kept.clear()
            if size <= MOST_KEPT:
                kept.update(fresh)
        known |= fresh
        return [known[text] for text in texts]

    def _tokens(self, texts: Sequence[str], kind: TokenizerKind, longest: int) -> list[TextTokens]:
        made = self.fast if kind == "fast" else self.slow
        if kind == "slow" and self.is_byte_level:
            texts = [text if text[:1].isspace() or not text else f" {text}" for text in texts]
        encode = functools.partial(made.encode_batch, list(texts), add_special_tokens=False)
        encodings = _aside(encode) if max(map(len, texts), default=0) > _LONG else encode()
        begin, end = self.begin, self.end
        room = longest - len(begin) - len(end)
        none = (0, 0)
        mark = made.id_to_token
        return [
            TextTokens(
                ids=(*begin, *encoding.ids[:room], *end),
                pieces=(*map(mark, begin), *encoding.tokens[:room], *map(mark, end)),
                offsets=(*(none for _ in begin), *encoding.offsets[:room], *(none for _ in end)),
                before=len(begin),
                after=len(end),
                cut=len(encoding.ids) > room,
            )
            for encoding in encodings
        ]

    def decoded(self, ids: Sequence[int]) -> str:
        """The text of tokens, marks left in."""
        text: str = self.fast.decode(list(ids), skip_special_tokens=False)
        return text


def _config(path: pathlib.Path) -> dict[str, Any]:
    return json_object(path, _HINT) if path.exists() else {}


def _slow(content: dict[str, Any]) -> dict[str, Any]:
    """tokenizer.json with the habits of the slow tokenizer of its family."""
    normalizer = content.get("normalizer") or {}
    if normalizer.get("type") == "BertNormalizer":
        cleaned = {**normalizer, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
        steps = [cleaned, {"type": "NFC"}, normalizer]
        return {**content, "normalizer": {"type": "Sequence", "normalizers": steps}}
    return content


def _aside(work: Callable[[], Any]) -> Any:
    """What `work` gives, done by a thread that Ctrl-C leaves behind: the library asks nobody whether to go on."""
    done: Future[Any] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.05)  # in which signals are heard, whichever thread has got them
    return done.result()
