"""Hidden states of the target's tapped layers for every token of every answer, kept on disk in 8 bits.

Training reads each answer many times: to run the target again for every epoch would cost as much as the training
itself, and float16 would take twice the disk (README.md beside this file). Each channel is divided by its typical size
first, since a few channels of the residual stream are hundreds of times as large as the rest; then each row of each
tap has its own scale. Groups of answers are whole files; the index, written last, makes a group valid.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from engine.device import compile_options, core
from engine.errors import SlipstreamError
from engine.graphs.attention import BLOCK
from engine.graphs.decoder import build_decoder
from engine.graphs.weights import Weights
from engine.models import disk
from engine.train.answers import Answer, read_answers
from engine.train.batch import Piece, step_inputs
from engine.train.claim import claim

GROUP = 128  # answers a file at most
GROUP_ROWS = 16384  # ends a group as well: it waits in memory
ROWS = 1024  # of a step; a longer answer is a step of its own
SETTINGS = "settings.json"

Floats = NDArray[np.float32]


def default_taps(layers: int, count: int) -> tuple[int, ...]:
    """Evenly spaced layers, neither the first nor the last three (DFlash, arXiv 2602.06036)."""
    if count == 1:
        return (layers - 3,)
    return tuple(round(1 + i * (layers - 4) / (count - 1)) for i in range(count))


class FeatureModel:
    """Runs whole texts through the target and returns the tapped layers' outputs."""

    def __init__(self, weights: Weights, taps: Sequence[int], device: str = "CPU") -> None:
        compiled = core().compile_model(build_decoder(weights, taps), device, compile_options(device))
        self._request = compiled.create_infer_request()
        self._ports = [port for port in compiled.inputs if "cache." in port.any_name]
        self._blocks = 0

    def run(self, texts: Sequence[Sequence[int]]) -> list[Floats]:
        """[tokens, taps * hidden] of each text."""
        sizes = [-(-len(text) // BLOCK) for text in texts]
        self._reserve(sum(sizes))
        starts = np.cumsum([0, *sizes])
        pieces = [
            Piece(text, 0, range(start, start + size), wants_logits=False)
            for text, start, size in zip(texts, starts, sizes, strict=False)
        ]
        for name, value in step_inputs(pieces).items():
            self._request.set_tensor(name, ov.Tensor(value))
        self._request.infer()
        features: Floats = self._request.get_tensor("features").data
        return np.split(features, np.cumsum([len(text) for text in texts])[:-1])

    def _reserve(self, blocks: int) -> None:
        if blocks > self._blocks:
            self._blocks = blocks
            for port in self._ports:
                shape = [blocks if d.is_dynamic else d.get_length() for d in port.partial_shape]
                self._request.set_tensor(port, ov.Tensor(port.element_type, ov.Shape(shape)))


@dataclass(frozen=True, slots=True)
class Quantiser:
    """`channels` [taps, hidden]: typical size of each. A row is int8 [taps * hidden] and a float16 scale a tap."""

    channels: Floats

    def compress(self, features: Floats) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
        taps = features.reshape(len(features), *self.channels.shape) / self.channels
        scales = (np.abs(taps).max(-1) / 127.0 + 1e-8).astype(np.float16)
        levels = np.rint(taps / scales.astype(np.float32)[..., None]).clip(-127, 127).astype(np.int8)
        return levels.reshape(len(features), -1), scales

    def restore(self, levels: NDArray[np.int8], scales: NDArray[np.float16]) -> Floats:
        taps = levels.reshape(len(levels), *self.channels.shape).astype(np.float32)
        taps *= scales.astype(np.float32)[..., None]
        taps *= self.channels
        return taps.reshape(len(levels), -1)

    @classmethod
    def fit(cls, features: Floats, taps: int) -> "Quantiser":
        root = np.sqrt(np.square(features, dtype=np.float64).mean(0)).reshape(taps, -1)
        return cls(np.maximum(root, 1e-6).astype(np.float32))


class FeatureStore:
    """Read access: features of an answer by its key, of all tapped layers or of some."""

    def __init__(self, folder: Path, taps: Sequence[int] = ()) -> None:
        """Errors: SlipstreamError for a folder without features, or without those of a layer in `taps`."""
        try:
            self.settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
            self._quantiser = Quantiser(np.load(folder / "channels.npy"))
        except (OSError, ValueError) as error:
            raise SlipstreamError(
                f"{folder} holds no features: make them with 'slipstream train features'."
            ) from error
        self.taps = tuple(taps) or tuple(self.settings["taps"])
        self._columns = self._find(self.taps)
        self._where: dict[str, tuple[Path, int, int]] = {}
        for index in sorted(folder.glob("group-*.json")):
            self._add(index)

    def __contains__(self, key: str) -> bool:
        return key in self._where

    def __len__(self) -> int:
        return len(self._where)

    def keys(self) -> set[str]:
        return set(self._where)

    def read(self, key: str) -> Floats:
        """[tokens, taps * hidden] of prompt and answer but the answer's last token."""
        base, begin, rows = self._where[key]
        levels = np.load(base.with_suffix(".levels.npy"), mmap_mode="r")[begin : begin + rows]
        scales = np.load(base.with_suffix(".scales.npy"), mmap_mode="r")[begin : begin + rows]
        chosen = levels.reshape(rows, len(self.settings["taps"]), -1)[:, self._columns]
        quantiser = Quantiser(self._quantiser.channels[self._columns])
        return quantiser.restore(chosen.reshape(rows, -1), scales[:, self._columns])

    def _find(self, taps: Sequence[int]) -> list[int]:
        kept: list[int] = self.settings["taps"]
        missing = [tap for tap in taps if tap not in kept]
        if missing:
            raise SlipstreamError(
                f"There are no features of layer {missing[0]}, only of {', '.join(map(str, kept))}: choose among them."
            )
        return [kept.index(tap) for tap in taps]

    def _add(self, index: Path) -> None:
        begin = 0
        for key, rows in json.loads(index.read_text(encoding="utf-8")):
            self._where[key] = (index.with_suffix(""), begin, rows)
            begin += rows


class FeatureWriter:
    """Appends features of answers, a group at a time. One writer a folder. Use as a context manager.

    Kill-safe: a group is whole or absent; `done` are the keys of those that are there.
    """

    def __init__(self, folder: Path, settings: dict[str, object], taps: int) -> None:
        """Errors: SlipstreamError when another process writes here, or when the folder was made with other settings."""
        self._folder, self._settings, self._taps = folder, settings, taps
        with disk.explaining(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = claim(folder, "features")
        try:
            self.done = self._agreed()
        except SlipstreamError:
            self._lock.release()
            raise
        self._number = 1 + max((int(each.stem[6:]) for each in folder.glob("group-*.json")), default=-1)
        self._group: list[tuple[str, Floats]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.flush()
        finally:
            self._lock.release()

    def add(self, key: str, features: Floats) -> None:
        """[tokens, taps * hidden]; on the disk with the rest of its group."""
        self._group.append((key, features))
        if len(self._group) == GROUP or sum(len(each) for _, each in self._group) >= GROUP_ROWS:
            self.flush()

    def flush(self) -> None:
        if not self._group:
            return
        features = np.concatenate([each for _, each in self._group])
        base = self._folder / f"group-{self._number:05}"
        with disk.explaining(self._folder):
            levels, scales = self._quantiser(features).compress(features)
            np.save(base.with_suffix(".levels.npy"), levels)
            np.save(base.with_suffix(".scales.npy"), scales)
            index = [[key, len(each)] for key, each in self._group]
            disk.write_atomically(base.with_suffix(".json"), json.dumps(index))
        self.done |= {key for key, _ in self._group}
        self._number += 1
        self._group = []

    def _agreed(self) -> set[str]:
        if not (self._folder / SETTINGS).exists():
            return set()
        store = FeatureStore(self._folder)
        different = [name for name, value in self._settings.items() if store.settings.get(name) != value]
        if different:
            raise SlipstreamError(
                f"The features in {self._folder} were made with another {different[0]}: use another folder."
            )
        return store.keys()

    def _quantiser(self, features: Floats) -> Quantiser:
        """The first group's, for the whole folder."""
        path = self._folder / "channels.npy"
        if not (self._folder / SETTINGS).exists():
            np.save(path, Quantiser.fit(features, self._taps).channels)
            disk.write_atomically(self._folder / SETTINGS, json.dumps(self._settings) + "\n")
        return Quantiser(np.load(path))


def add_missing(
    writer: FeatureWriter, model: FeatureModel, answers_folder: Path, report: Callable[[int, int], None]
) -> int:
    """Features of all answers that have none; `report(answers, rows)` as they are made. Returns the rows."""
    count = rows = 0
    for batch in packed(each for each in read_answers(answers_folder) if each.key not in writer.done):
        texts = [[*answer.prompt.tolist(), *answer.tokens[:-1].tolist()] for answer in batch]
        for answer, part in zip(batch, model.run(texts), strict=True):
            writer.add(answer.key, part.copy())
            count, rows = count + 1, rows + len(part)
        report(count, rows)
    return rows


def packed(answers: Iterable[Answer]) -> Iterator[list[Answer]]:
    """Batches of at most ROWS tokens, or of one answer."""
    batch: list[Answer] = []
    rows = 0
    for answer in answers:
        size = len(answer.prompt) + len(answer.tokens) - 1
        if batch and rows + size > ROWS:
            yield batch
            batch, rows = [], 0
        batch.append(answer)
        rows += size
    if batch:
        yield batch
