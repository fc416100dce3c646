"""From model folders to compiled models and drafters: conversion, compilation, calibration, in this order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import common_vocabulary
from engine.calibration import CalibrationFile, ModelCalibration, calibrate
from engine.common_vocabulary import CommonVocabulary
from engine.cost import DraftCost, StepCost, measure_block
from engine.drafters.dflash import BlockDrafter
from engine.drafters.draft_model import DraftModelDrafter
from engine.drafters.followers import follower_of
from engine.errors import SlipstreamError
from engine.events import Progress
from engine.graphs.convert import converted_weights
from engine.graphs.dflash import DrafterWeights
from engine.graphs.dflash_convert import draft_ids, drafter_weights
from engine.graphs.weights import Weights
from engine.load_options import AUTOMATIC, LoadOptions
from engine.models import manifest
from engine.models.gguf_vocab import read_vocabulary
from engine.pace import LARGEST_DRAFT
from engine.speculator import NeuralDrafter
from engine.target import Target

ProgressListener = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Neural:
    """A pair's own drafter, what its drafts cost, and how many tokens it drafts at most."""

    drafter: NeuralDrafter
    cost: DraftCost
    longest: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """A target, what was measured of it, and what drafts for it."""

    target: Target
    measured: ModelCalibration
    neural: Neural | None


@dataclass(frozen=True, slots=True)
class Loading:
    """How to load. What was measured before is in `file`, and is measured again if `anew`."""

    file: CalibrationFile
    progress: ProgressListener | None = None
    anew: bool = False
    options: LoadOptions = AUTOMATIC

    def load(self, folders: Sequence[Path]) -> Loaded:
        """The target's folder, and its drafter's if it has one. Errors: SlipstreamError, and nothing stays loaded."""
        if len(folders) > 1 and _is_block_drafter(folders[1]):
            return self._with_block_drafter(folders[0], folders[1])
        common = _common(folders[0], folders[1]) if len(folders) > 1 else None
        target = self._compiled(converted_weights(folders[0], progress=self.progress))
        measured = self._calibrated(target, folders[0])
        return Loaded(target, measured, self._draft_model(folders[1], common) if len(folders) > 1 else None)

    def drafter(self, target: Target, folder: Path, drafter: Path) -> Callable[[], Neural] | None:
        """What loads a drafter for the target of `folder`, which is loaded; None when that would need another graph,
        since a trained drafter reads layers inside it. Errors: SlipstreamError when the two do not fit."""
        if not _is_block_drafter(drafter):
            common = _common(folder, drafter)
            return lambda: self._draft_model(drafter, common)
        if not target.taps:
            return None
        own = drafter_weights(drafter, target.weights)
        return (lambda: _block_drafter(own, target, self.options)) if own.shape.taps == target.taps else None

    def _with_block_drafter(self, folder: Path, drafter_folder: Path) -> Loaded:
        weights = converted_weights(folder, progress=self.progress)
        own = drafter_weights(drafter_folder, weights)
        target = self._compiled(weights, taps=own.shape.taps)
        measured = self._calibrated(target, folder)
        return Loaded(target, measured, _block_drafter(own, target, self.options))

    def _draft_model(self, folder: Path, common: CommonVocabulary | None) -> Neural:
        model = self._compiled(converted_weights(folder, progress=self.progress, drafting=True), exact=False)
        times = self._calibrated(model, folder, drafting=True).times
        return Neural(DraftModelDrafter(model, common), StepCost.of(times), LARGEST_DRAFT)

    def _calibrated(self, model: Target, folder: Path, drafting: bool = False) -> ModelCalibration:
        self._tell("measuring", 0)
        measured = calibrate(model, folder, self.file, drafting=drafting, anew=self.anew)
        self._tell("measuring", 1)
        return measured

    def _compiled(self, weights: Weights, taps: Sequence[int] = (), exact: bool = True) -> Target:
        self._tell("compiling", 0)
        model = Target(weights, taps=taps, exact=exact, options=self.options)
        model.prepare()
        self._tell("compiling", 1)
        return model

    def _tell(self, stage: str, done: int) -> None:
        if self.progress:
            self.progress(Progress(stage, done, 1))


def _is_block_drafter(folder: Path) -> bool:
    return manifest.model_file(folder).name == manifest.FILES["dflash"]


def _block_drafter(weights: DrafterWeights, target: Target, options: LoadOptions) -> Neural:
    """What it costs is measured at every load: that takes about as long as to look it up."""
    drafter = BlockDrafter(follower_of(weights, options), draft_ids(weights))
    cost = measure_block(drafter)
    drafter.model.follow(target)
    return Neural(drafter, cost, weights.shape.longest_draft)


def _common(target: Path, draft: Path) -> CommonVocabulary | None:
    """Errors: SlipstreamError when the tokens of the two differ in ordinary pieces of text."""
    ours, theirs = (read_vocabulary(folder / manifest.MODEL_FILE) for folder in (target, draft))
    if difference := common_vocabulary.misfit(ours, theirs):
        raise SlipstreamError(f"{draft.name} can't draft for {target.name}: {difference}.")
    return common_vocabulary.common_vocabulary(ours, theirs)
