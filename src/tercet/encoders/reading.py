"""The encoder: unique texts, in batches of one length, through onnxruntime, on as many threads as there are."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import itertools
import os
import pathlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet import contents
from tercet.encoders.architecture import CONFIG_HINT, Architecture, json_object, read_architecture
from tercet.encoders.graph import built_graph, output_name
from tercet.encoders.memory import VectorMemory, Vectors, key_of
from tercet.encoders.packages import PACKAGED, packaged
from tercet.encoders.surroundings import SURROUNDINGS
from tercet.encoders.tokens import EncoderTokenizer, TextTokens, TokenizerKind
from tercet.encoders.weights import NamedWeights, weight_files
from tercet.errors import InputError, extra
from tercet.options.groups import worker_threads

BATCH = 32  # texts that are read at once
NUMBERS = 1 << 24  # that a batch may make
_MEMORY = VectorMemory()
Finish = Callable[["TokenRow", Vectors], npt.NDArray[Any]]  # (layers, tokens, hidden) -> what is kept of it


@dataclasses.dataclass(frozen=True, eq=False)
class TokenRow:
    """What an encoder is fed for one text, or for several joined: ids, their types, and what may be attended to."""

    ids: tuple[int, ...]
    types: tuple[int, ...] | None = None
    mask: tuple[int, ...] | None = None

    def packed(self) -> bytes:
        """All of it as bytes."""
        columns = [self.ids, self.types or (), self.mask or ()]
        return b"|".join(np.array(column, dtype=np.int64).tobytes() for column in columns)


@dataclasses.dataclass(frozen=True, eq=False)
class Encoded:
    """A text's tokens, and their vectors of the layers that were asked for: (layers, tokens, dimensions)."""

    tokens: TextTokens
    vectors: Vectors


class Encoder:
    """A model and its tokenizer. Made by `encoder`."""

    def __init__(self, model: pathlib.Path, tokenizer: pathlib.Path, shape: Architecture | None = None) -> None:
        self.model = model
        self.is_graph = model.suffix == ".onnx"
        homes = [home for home in (model.parent if self.is_graph else model, tokenizer) if _configured(home)]
        self.shape = shape
        self.config = homes[0] / "config.json" if homes and shape is None else None
        if shape is None and (homes or not self.is_graph):
            self.shape = read_architecture(homes[0] if homes else model)
        self.tokenizer = EncoderTokenizer(tokenizer / "tokenizer.json" if os.path.isdir(tokenizer) else tokenizer)
        if self.shape is not None:
            self._require_fit(self.shape.vocabulary, tokenizer)

    def _require_fit(self, known: int, home: pathlib.Path) -> None:
        """Refuse a tokenizer with more tokens than the model knows, or of a folder whose own model knows others."""
        told = json_object(home / "config.json", CONFIG_HINT).get("vocab_size") if _configured(home) else known
        vocabulary = self.tokenizer.vocabulary
        if vocabulary > known or told != known:
            raise InputError(
                f"The tokenizer {self.tokenizer.path} has {vocabulary if vocabulary > known else told} tokens, and the "
                f"model in {self.model} knows {known}.",
                hint="Model and tokenizer must be of one folder, or of one training.",
            )

    @property
    def last(self) -> int | None:
        """The number of the last layer; None where a graph does not tell."""
        return None if self.shape is None else self.shape.layers

    @property
    def longest(self) -> int:
        """The most tokens of a text that are read."""
        positions = 512 if self.shape is None else self.shape.longest
        return min(positions, self.tokenizer.longest)

    @functools.cached_property
    def checksum(self) -> str:
        """What the weights, and the configuration that says how they are used, are known by."""
        files = [self.model] if self.is_graph else weight_files(self.model)
        return contents.checksum([str(file) for file in (*files, self.config) if file is not None])

    def facts(self) -> dict[str, str]:
        """What a signature says of an encoder."""
        runtime = extra("onnxruntime", "onnxruntime", "neural", "An encoder")
        return {
            "weights-sha256": self.checksum,
            "tokenizer-sha256": self.tokenizer.checksum,
            "precision": "as-graph" if self.is_graph else "float32",
            "engine": f"onnxruntime-{runtime.__version__}",
        }

    @functools.cached_property
    def session(self) -> Any:
        """The network, ready to run on one thread: texts are shared out among threads, and not their sums."""
        runtime = extra("onnxruntime", "onnxruntime", "neural", "An encoder")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        providers = ["CPUExecutionProvider"]
        if self.shape is not None and not self.is_graph:
            graph, constants = built_graph(self.shape, NamedWeights(self.model, self.shape))
            values = [runtime.OrtValue.ortvalue_from_numpy(array) for array in constants.values()]
            options.add_external_initializers(list(constants), values)
            return runtime.InferenceSession(graph, options, providers=providers)
        try:
            session = runtime.InferenceSession(str(self.model), options, providers=providers)
        except Exception as error:  # of classes that the runtime keeps to itself
            raise InputError(f"{self.model} is no ONNX model: {error}.", hint="Copy or export it again.") from None
        names = {i.name for i in session.get_inputs()}
        if not {"input_ids", "attention_mask"} <= names <= {"input_ids", "attention_mask", "token_type_ids"}:
            raise InputError(
                f"{self.model} takes {', '.join(sorted(names))}, where an encoder takes input_ids, attention_mask and "
                "perhaps token_type_ids.",
                hint="Export the encoder without a head.",
            )
        return session

    def tokens(
        self, texts: Sequence[str], kind: TokenizerKind = "fast", longest: int | None = None
    ) -> list[TextTokens]:
        """Each text's tokens, cut to what the encoder reads."""
        return self.tokenizer.tokens(texts, kind, min(self.longest, longest or self.longest))

    def layers(
        self,
        texts: Sequence[str],
        layers: Sequence[int] | None = None,
        *,
        tokenizer: TokenizerKind = "fast",
        threads: int | None = None,
        batch: int = BATCH,
    ) -> list[Encoded]:
        """The texts' tokens with their vectors; layer 0 are the embeddings, without `layers` it is the last."""
        rows = self.tokens(texts, tokenizer)
        vectors = self.read([TokenRow(t.ids) for t in rows], layers, threads=worker_threads(threads), batch=batch)
        return [Encoded(*pair) for pair in zip(rows, vectors, strict=True)]

    def checked_layers(self, layers: Sequence[int] | None) -> list[int]:
        """The layers asked for, or the last; -1 stands for it where nobody knows its number."""
        last = -1 if self.last is None else self.last
        wanted = [last] if layers is None else list(layers)
        there = [last] if self.is_graph else range(last + 1)
        for layer in wanted:
            if layer not in there:
                told = f"layers 0 to {last}" if len(there) > 1 else "its last layer alone"
                raise InputError(f"{self.model} has {told}, and not {layer}.", hint="Choose another layer.")
        return wanted

    def read(
        self,
        rows: Sequence[TokenRow],
        layers: Sequence[int] | None = None,
        *,
        finish: Finish | None = None,
        how: str = "",
        threads: int = 1,
        batch: int = BATCH,
    ) -> list[Vectors]:
        """The vectors (layers, tokens, dimensions) of each row, or what `finish` makes of them, which `how` names."""
        wanted = self.checked_layers(layers)
        around = SURROUNDINGS.get()
        keys = [self._key(row, wanted, how) for row in rows]
        unique = dict(zip(keys, rows, strict=True))
        known = {key: vectors for key in unique if (vectors := _MEMORY.get(key)) is not None}
        if around.folder is not None:
            stored = around.folder.get(key for key in unique if key not in known)
            for key, values in stored.items():
                _MEMORY.put(key, values)
            known |= stored
        if finish is not None:
            known |= self._finished({key: row for key, row in unique.items() if key not in known}, wanted, finish)
        missing = {key: row for key, row in unique.items() if key not in known}

        def made(some: list[bytes]) -> dict[bytes, Vectors]:
            read = [missing[key] for key in some]
            results = zip(read, self._run(read, wanted), strict=True)
            kept = (np.ascontiguousarray(v if finish is None else finish(r, v), dtype=np.float32) for r, v in results)
            return dict(zip(some, kept, strict=True))

        for fresh in self._batches(missing, len(wanted), made, threads, batch):
            for key, values in fresh.items():
                _MEMORY.put(key, values)
            known |= fresh
            if around.folder is not None:
                around.folder.put(fresh)
            if around.progress is not None:
                around.progress("reading", len(fresh))
        return [known[key] for key in keys]

    def _key(self, row: TokenRow, layers: Sequence[int], how: str = "") -> bytes:
        return key_of(self.checksum, f"{'+'.join(map(str, layers))}{how}", row.packed())

    def _finished(self, rows: dict[bytes, TokenRow], layers: Sequence[int], finish: Finish) -> dict[bytes, Vectors]:
        """What is made of vectors that another metric has just read."""
        made = {}
        for key, row in rows.items():
            whole = _MEMORY.get(self._key(row, layers))
            if whole is not None:
                made[key] = np.ascontiguousarray(finish(row, whole), dtype=np.float32)
                _MEMORY.put(key, made[key])
        return made

    def _batches(
        self,
        rows: dict[bytes, TokenRow],
        n_layers: int,
        made: Callable[[list[bytes]], dict[bytes, Vectors]],
        threads: int,
        batch: int,
    ) -> Iterator[dict[bytes, Vectors]]:
        """Rows of one length together, long ones first, as many as a batch holds."""
        hidden = 1024 if self.shape is None else self.shape.hidden
        heads = 16 if self.shape is None else self.shape.heads
        order = sorted(rows, key=lambda key: -len(rows[key].ids))
        batches: list[list[bytes]] = []
        for length, keys in itertools.groupby(order, key=lambda key: len(rows[key].ids)):
            cost = max(1, length * max(hidden * n_layers, heads * length))
            size = max(1, min(batch, NUMBERS // cost))
            same = list(keys)
            batches += [same[at : at + size] for at in range(0, len(same), size)]
        if threads == 1 or len(batches) == 1:
            yield from map(made, batches)
            return
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            # a few ahead of the one that is waited for, so that results do not pile up
            waiting: list[concurrent.futures.Future[dict[bytes, Vectors]]] = []
            for some in batches:
                waiting.append(pool.submit(made, some))
                if len(waiting) > 2 * threads:
                    yield waiting.pop(0).result()
            for job in waiting:
                yield job.result()

    def _run(self, rows: Sequence[TokenRow], layers: Sequence[int]) -> list[Vectors]:
        """(layers, tokens, dimensions) of rows of one length."""
        ids = np.array([row.ids for row in rows], dtype=np.int64)
        types = np.array([row.types or (0,) * len(row.ids) for row in rows], dtype=np.int64)
        mask = np.array([row.mask or (1,) * len(row.ids) for row in rows], dtype=np.int64)
        if self.is_graph:
            fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
            there = {i.name for i in self.session.get_inputs()}
            outputs = self.session.run(None, {name: value for name, value in fed.items() if name in there})[:1]
        else:
            fed = {"ids": ids, "positions": self._positions(ids), "types": types, "mask": mask.astype(np.float32)}
            outputs = self.session.run([output_name(layer) for layer in layers], fed)
        if not all(np.isfinite(output).all() for output in outputs):
            raise InputError(
                f"The vectors that {self.model} gives are not all numbers: its weights are damaged, or out of range.",
                hint="Copy or download it again.",
            )
        return [np.stack([output[i] for output in outputs]) for i in range(len(rows))]

    def _positions(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """0, 1, ...; RoBERTa counts from the one after padding, and a padding mark, even a literal one, has its own."""
        shape = self.shape
        if shape is None or shape.family == "bert":
            return np.broadcast_to(np.arange(ids.shape[1], dtype=np.int64), ids.shape).copy()
        real = (ids != shape.pad).astype(np.int64)
        positions: npt.NDArray[np.int64] = np.cumsum(real, axis=1) * real + shape.pad
        return positions


def _configured(home: pathlib.Path) -> bool:
    return (home / "config.json").is_file()


def encoder(where: str | pathlib.Path, tokenizer: str | pathlib.Path | None = None) -> Encoder:
    """The encoder of a folder, of an ONNX file, or of a package by name; each is read once.

    `tokenizer` names the folder of the tokenizer where it lies elsewhere.
    """
    model, home, shape = located(str(where), None if tokenizer is None else str(tokenizer))
    files = [model] if os.path.isfile(model) else [*weight_files(model), model / "config.json", home / "config.json"]
    files.append(home / "tokenizer.json" if home.is_dir() else home)
    return _encoder(model, home, shape, tuple(contents.state(file) for file in files))


def located(where: str, tokenizer: str | None = None) -> tuple[pathlib.Path, pathlib.Path, Architecture | None]:
    """The model's folder or ONNX file, the folder or file of its tokenizer, and its shape where no file tells it."""
    path = pathlib.Path(where)
    if not os.path.exists(path) and where in PACKAGED:
        carried = packaged(where)
        model = carried.model.located(where)
        home = carried.tokenizer.located(where) if tokenizer is None else pathlib.Path(tokenizer)
        return model, home, carried.shape
    if not os.path.exists(path):
        raise InputError(
            f"There is no encoder {where}.",
            hint=f"Name a folder with config.json, tokenizer.json and model.safetensors, an ONNX file, or one of "
            f"{', '.join(PACKAGED)}.",
        )
    if os.path.isfile(path) and path.suffix != ".onnx":
        raise InputError(f"{where} is a file, and no ONNX one.", hint="Name the folder in which the model lies.")
    home = path.parent if os.path.isfile(path) else path
    return path, home if tokenizer is None else pathlib.Path(tokenizer), None


@functools.lru_cache(maxsize=4)
def _encoder(
    model: pathlib.Path, tokenizer: pathlib.Path, shape: Architecture | None, _states: tuple[contents.State, ...]
) -> Encoder:
    return Encoder(model, tokenizer, shape)
