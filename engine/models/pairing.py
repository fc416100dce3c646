"""Which drafts are there for a target: of what is installed and of what the catalogue knows, with what each would gain.

Only headers and vocabularies are read, about a fifth of a second a model, and a verdict on two vocabularies is kept as
long as the program runs. What is not installed can't be compared: the catalogue's own pairs are known to fit.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine import calibration, common_vocabulary
from engine.calibration import CalibrationFile
from engine.cost import PassTimes
from engine.errors import SlipstreamError
from engine.graphs.dflash_checkpoint import Checkpoint
from engine.graphs.dflash_shape import EAGLE_HEAD, misfit
from engine.graphs.gguf_description import describe
from engine.load_options import AUTOMATIC, LoadOptions
from engine.models import gain, gguf_header, manifest
from engine.models.catalogue import ModelEntry
from engine.models.estimate import estimate
from engine.models.gain import Gain
from engine.models.gains_file import GainsFile
from engine.models.gguf_vocab import GgufVocabulary, read_vocabulary
from engine.models.manifest import InstalledModel
from engine.models.memory import MemoryEstimate, Part, Verdict
from engine.models.store import DRAFTER, ModelStore


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that might draft. `fits` is None where that can only be told when it is here.

    `reason`: why it does not fit, or why that is not known. `block`: a trained drafter, for which the target is
    prepared anew. `pair`: the name of the pair that the two make already. `download_bytes` is 0 for what is installed.
    """

    name: str
    title: str
    installed: bool
    fits: bool | None
    reason: str = ""
    block: bool = False
    pair: str | None = None
    download_bytes: int = 0
    predicted: Gain | None = None
    measured: Gain | None = None

    @property
    def gain(self) -> Gain | None:
        return self.measured or self.predicted


def candidates(
    store: ModelStore, target: str, options: LoadOptions = AUTOMATIC, free: int | None = None
) -> list[Candidate]:
    """For a model that is installed or in the catalogue, best first, then unknown ones, then those that do not fit.

    `free`: bytes of memory for the pair, by default what is free now; add what will be unloaded.
    Errors: SlipstreamError when nothing is known of the target.
    """
    installed = {model.name: model for model in store.installed()}
    if target not in installed and target not in store.catalogue.models:
        raise SlipstreamError(f"There is no model called {target[:100]!r}: fetch or import it first.")
    survey = _Survey(store, target, installed, options, free)
    with _uncollected():
        return sorted(survey.all(), key=_rank)


@contextmanager
def _uncollected() -> Iterator[None]:
    """A vocabulary is a million small objects: each collection would stop all threads, the window's too."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        _vocabulary.cache_clear()
        if enabled:
            gc.enable()


def _rank(candidate: Candidate) -> tuple[int, float, str]:
    group = {True: 0, None: 1, False: 2}[candidate.fits]
    return group, -(candidate.gain.middle if candidate.gain else 0.0), candidate.title


@dataclass(frozen=True, slots=True)
class _File:
    """The hash is there for the caches: what lies at a path may change."""

    path: Path
    sha256: str


class _Survey:
    """One target, and everything that might draft for it."""

    def __init__(
        self,
        store: ModelStore,
        target: str,
        installed: dict[str, InstalledModel],
        options: LoadOptions,
        free: int | None,
    ) -> None:
        self._store, self._target, self._installed = store, target, installed
        self._options, self._free = options, free
        self._model = installed.get(target)
        self._folder = store.path(target)
        self._calibrations = CalibrationFile(store.home / calibration.FILE)
        self._gains = GainsFile(store.home)
        self._pairs = {pair.draft: pair.name for pair in store.pairs() if pair.target == target}

    def all(self) -> Iterator[Candidate]:
        for model in self._installed.values():
            if model.name != self._target:
                yield self._of_installed(model)
        for entry in self._store.catalogue.models.values():
            if entry.name not in self._installed and entry.name != self._target:
                yield self._of_entry(entry)
        yield from self._not_yet()

    def _of_installed(self, draft: InstalledModel) -> Candidate:
        block = draft.format == DRAFTER
        reason, needed = self._misfit(draft)
        fits: bool | None = not reason
        if self._model is None and not (draft.name in self._pairs or reason):
            fits, reason = None, "it can be compared when the model is here"
        return Candidate(
            draft.name,
            draft.title,
            True,
            fits,
            reason,
            block,
            self._pairs.get(draft.name),
            predicted=self._predicted(draft, needed) if fits else None,
            measured=self._gains.find(self._model.sha256, draft.sha256) if self._model else None,
        )

    def _of_entry(self, entry: ModelEntry) -> Candidate:
        fits, reason = self._foreseen(entry)
        block = entry.format == DRAFTER
        size = self._size
        return Candidate(
            entry.name,
            entry.title,
            False,
            fits,
            reason,
            block,
            self._pairs.get(entry.name),
            entry.download_bytes,
            gain.from_sizes(size, entry.size_bytes, _is_whole(entry)) if fits and size else None,
        )

    def _not_yet(self) -> Iterator[Candidate]:
        for known in self._store.catalogue.not_yet:
            if known.target == self._target:
                yield Candidate(known.repo, known.title, False, False, known.reason.rstrip("."))

    @property
    def _size(self) -> int:
        entry = self._store.catalogue.models.get(self._target)
        return self._model.size_bytes if self._model else entry.size_bytes if entry else 0

    def _foreseen(self, entry: ModelEntry) -> tuple[bool | None, str]:
        """Of a model that is not here: the catalogue's pairs are known, the rest by family and size."""
        if entry.name in self._pairs:
            return True, ""
        if entry.format == DRAFTER:
            return False, "it was made for another model"
        if entry.size_bytes >= self._size:
            return False, "it is larger than the model that it would draft for"
        ours = self._architecture
        if ours and entry.architecture != ours:
            return False, f"it is of another family ({entry.architecture}, not {ours})"
        return None, "whether it fits can be told when it is fetched"

    @property
    def _architecture(self) -> str:
        entry = self._store.catalogue.models.get(self._target)
        return self._model.architecture if self._model else entry.architecture if entry else ""

    def _misfit(self, draft: InstalledModel) -> tuple[str, MemoryEstimate | None]:
        """Why it does not fit, "" if it does; and what the pair would take, where that was asked."""
        if self._model is None:
            return "", None
        if draft.sha256 == self._model.sha256:
            return "it is the same model", None
        try:
            folder = self._store.path(draft.name)
            if draft.format == DRAFTER:
                reason = _block_misfit(self._folder, folder)
            else:
                reason = self._larger(draft) or self._unlike(draft)
            if reason:
                return reason, None
            needed = estimate([self._folder, folder], self._options, free=self._free)
        except SlipstreamError as error:
            return str(error).rstrip("."), None
        return needed.sentence.rstrip(".") if needed.verdict is Verdict.TOO_LARGE else "", needed

    def _larger(self, draft: InstalledModel) -> str:
        ours, theirs = map(_elements, self._files(draft))
        return "it is no smaller than the model that it would draft for" if theirs >= ours else ""

    def _unlike(self, draft: InstalledModel) -> str:
        return _compared(*self._files(draft))

    def _files(self, draft: InstalledModel) -> tuple[_File, _File]:
        assert self._model is not None
        return self._file(self._model), self._file(draft)

    def _file(self, model: InstalledModel) -> _File:
        return _File(self._store.path(model.name) / manifest.MODEL_FILE, model.sha256)

    def _predicted(self, draft: InstalledModel, needed: MemoryEstimate | None) -> Gain | None:
        whole = _is_whole(draft)
        ours = self._times(self._target, drafting=False)
        theirs = None if draft.format == DRAFTER else self._times(draft.name, drafting=True)
        if ours and theirs:
            return gain.from_costs(ours, theirs)
        if needed is None:
            return gain.from_sizes(self._size, draft.size_bytes, whole) if self._size else None
        weights = {each.model: each.bytes for each in needed.parts if each.part is Part.WEIGHTS}
        return gain.from_sizes(weights[self._target], weights[draft.name], whole)

    def _times(self, name: str, drafting: bool) -> PassTimes | None:
        """What was measured when it was loaded as that; of a draft also what it takes as a target."""
        weights = calibration.identity(self._store.path(name))
        for role in (drafting, False) if weights else ():
            fingerprint = calibration.fingerprint_of(weights or "", role, loaded_with=self._options)
            found = self._calibrations.find(fingerprint)
            if found is not None:
                return found.times
        return None


def _is_whole(draft: InstalledModel | ModelEntry) -> bool:
    """Whether its drafts are one forward each."""
    return draft.format == DRAFTER and draft.architecture != EAGLE_HEAD


def _block_misfit(target: Path, drafter: Path) -> str:
    architecture = describe(gguf_header.read(target / manifest.MODEL_FILE))
    return misfit(Checkpoint(drafter).shape, architecture) or ""


@lru_cache(maxsize=512)
def _compared(target: _File, draft: _File) -> str:
    return common_vocabulary.misfit(_vocabulary(target), _vocabulary(draft)) or ""


@lru_cache(maxsize=512)
def _elements(file: _File) -> int:
    return gguf_header.read(file.path).elements


@lru_cache(maxsize=2)
def _vocabulary(file: _File) -> GgufVocabulary:
    return read_vocabulary(file.path)
