"""The models on this machine: what is installed, how more get here, and the pairs made of them."""

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import SlipstreamError
from engine.models import conversions, disk, last_used, manifest, paths, staging
from engine.models.catalogue import Catalogue, Pair
from engine.models.manifest import DamagedModel, InstalledModel
from engine.models.meter import Listener, Meter
from engine.models.own_pairs import OwnPairs
from engine.models.removal import Removal
from engine.models.shelf import Shelf
from engine.models.shipped import ShippedDrafters

if TYPE_CHECKING:
    from engine.models.choices import Choice
    from engine.models.fetch import Terms
    from engine.models.hub_files import Repository
    from engine.models.order import Order

DRAFTER = "dflash"  # the format of trained drafters, EAGLE heads included


class ModelStore:
    """All models below `home`. Safe to use from several processes: changes to a model take its lock.

    Progress counts bytes of the whole job; its stage is "download", "verify", "copy" or "wait" (for another
    process). A job stopped by `cancel` raises meter.CancelledError within about a tenth of a second.
    """

    def __init__(
        self, home: Path | None = None, catalogue: Catalogue | None = None, terms: "Terms | None" = None
    ):
        self.home = paths.require_folder(home or paths.home())
        self.catalogue = catalogue or Catalogue.load()
        self._terms = terms
        self._shelf = Shelf(self.home / "models")
        self._own_pairs = OwnPairs(self._shelf.models)
        self.shipped = ShippedDrafters(self._shelf, self.catalogue)
        self.removal = Removal(self._shelf, self._own_pairs, self.shipped)
        staging.sweep(self._shelf)

    def path(self, name: str) -> Path:
        """The model's folder, there or not: manifest.json, model.gguf, and room for conversions."""
        return self._shelf.path(paths.check_name(name))

    def installed(self) -> list[InstalledModel]:
        """The models that can be used, by name."""
        return [model for model in self._examine() if isinstance(model, InstalledModel)]

    def damaged(self) -> list[DamagedModel]:
        """What lies among the models and can't be used, with the reason."""
        models = [model for model in self._examine() if isinstance(model, DamagedModel)]
        return models + self._own_pairs.damage()

    def is_installed(self, name: str) -> bool:
        return paths.is_safe_name(name) and self._shelf.is_installed(name)

    def pairs(self) -> list[Pair]:
        """The catalogue's pairs, the user's own, then each other installed model on its own.

        A pair whose drafter comes with the program is its target alone where that drafter can't be had.
        """
        pairs = [*map(self.shipped.usable, self.catalogue.pairs.values()), *self._own_pairs.all()]
        targets = {pair.target for pair in pairs}
        alone = [
            Pair(m.name, m.title, m.name, None)
            for m in self.installed()
            if m.name not in targets and m.format != DRAFTER
        ]
        return pairs + alone

    def is_drafter(self, name: str) -> bool:
        """Whether an installed model is a trained drafter, which can't answer by itself."""
        return any(model.name == name and model.format == DRAFTER for model in self.installed())

    def pair(self, name: str) -> Pair:
        """By the pair's name or by a model's, which then runs without a draft model."""
        found = next((pair for pair in self.pairs() if pair.name == name), None)
        if found is None and self.is_drafter(name):
            raise SlipstreamError(
                f"“{name}” only drafts: make a pair of it with slipstream models pair TARGET {name}."
            )
        if found is None and name in self._model_titles():
            found = Pair(name, self._model_titles()[name], name, None)
        if found is None:
            raise self._unknown(name)
        return found

    def missing(self, pair: Pair) -> list[str]:
        """Models to be fetched before the pair can be loaded; never a drafter that comes with the program."""
        optional = pair.draft if self.shipped.is_shipped(pair.draft) else None
        return [name for name in pair.models if name != optional and not self.is_installed(name)]

    def missing_bytes(self, pair: Pair) -> int:
        """Bytes that `fetch` would download if the first source serves, less what earlier tries left."""
        from engine.models.fetch import arrived

        entries = [self.catalogue.models[name] for name in pair.models if self._can_fetch(name)]
        return sum(max(0, entry.download_bytes - arrived(entry, self._shelf)) for entry in entries)

    def fetch(
        self, name: str, progress: Listener | None = None, cancel: threading.Event | None = None
    ) -> None:
        """Installs what is missing of a pair or model, continuing where an earlier try ended."""
        from engine.models import fetch

        for model in self.catalogue.pairs[name].models if name in self.catalogue.pairs else (name,):
            self._shelf.accept(model)
        pair = self.pair(name)
        missing = self.missing(pair)
        unknown = next((model for model in missing if model not in self.catalogue.models), None)
        if unknown is not None:
            raise SlipstreamError(
                f"“{unknown}” is not installed and can't be fetched: import its file again."
            )
        entries = [self.catalogue.models[model] for model in missing]
        terms = self._terms or fetch.Terms()
        fetch.fetch(entries, self._shelf, self.catalogue, terms, Meter(progress, cancel))
        self.shipped.completed(pair)

    def fetch_order(
        self, order: "Order", progress: Listener | None = None, cancel: threading.Event | None = None
    ) -> None:
        """Installs what was chosen on the hub (order.order), continuing where an earlier try ended.

        Errors: hub.GatedError when the hub refuses access; SlipstreamError with the reason.
        """
        from engine.models import fetch

        if not self.is_installed(order.name):
            terms = self._terms or fetch.Terms()
            fetch.fetch_order(order, self._shelf, self.catalogue, terms, Meter(progress, cancel))

    def order(self, repository: "Repository", choice: "Choice") -> "Order":
        """For one of the repository's choices, under a name that no other model has here or in the catalogue."""
        from engine.models.order import order

        made = order(repository, choice)
        there = next((model for model in self.installed() if model.name == made.name), None)
        other = there is not None and there.origin.split("@")[0] != repository.id
        if not other and (there is not None or made.name not in self.catalogue.models):
            return made
        return order(
            repository, choice, f"{repository.id.split('/')[0].lower()}-{made.name}"[:100].rstrip("._-")
        )

    def look(self, repo: str, revision: str = "main", cancel: threading.Event | None = None) -> "Repository":
        """What a repository of the hub holds. Errors: hub.GatedError; SlipstreamError with the reason."""
        from engine.models import fetch

        return fetch.look(repo, revision, self._shelf, self._terms or fetch.Terms(), Meter(None, cancel))

    def forget_arrived(self, name: str) -> None:
        """What a begun fetch of a pair or model left. Errors: SlipstreamError while it is being fetched."""
        models = self.catalogue.pairs[name].models if name in self.catalogue.pairs else (name,)
        for model in models:
            for folder in (model, f".hub-{model}"):
                with disk.explaining(self._shelf.models), self._shelf.locked(folder, None):
                    disk.discard(self._shelf.incoming(folder), self._shelf.trash)

    def import_file(
        self,
        path: Path,
        name: str | None = None,
        progress: Listener | None = None,
        cancel: threading.Event | None = None,
        form: str | None = None,
    ) -> str:
        """Takes in what importing.import_path takes, and returns the model's name; what was given stays.

        With `form` (of graphs.compress.WeightFormat) the weights are converted to it now, else when the model is first
        loaded.
        """
        from engine.graphs.compress import WeightFormat
        from engine.models.importing import choose, import_path

        meter = Meter(progress, cancel, stopped="Stopped: nothing of the import is kept.")
        before = {model.name for model in self.installed()}
        model = import_path(path, name, self._shelf, self.catalogue, meter)
        if form and not self.is_drafter(model):
            try:
                choose(self.path(model), WeightFormat(form), meter)
            except SlipstreamError:
                if model not in before:
                    self.remove(model)
                raise
        return model

    def make_pair(self, target: str, draft: str) -> Pair:
        """A pair of two installed models that fit together; or SlipstreamError with the reason."""
        for name in (target, draft):
            self._require_model(name)
        if target == draft:
            raise SlipstreamError(
                "A model can't draft for itself: choose a smaller model of the same family."
            )
        if self.is_drafter(target):
            raise SlipstreamError(f"“{target}” only drafts: name the model that it was made for first.")
        difference = (_drafter_misfit if self.is_drafter(draft) else _vocabulary_difference)(
            self.path(target), self.path(draft)
        )
        if difference is not None:
            raise SlipstreamError(f"“{draft}” can't draft for “{target}”: {difference.rstrip('.')}.")
        for known in self.pairs():
            if (known.target, known.draft) == (target, draft):
                return known
        titles = self._model_titles()
        pair = Pair(f"{target}+{draft}", f"{titles[target]}, drafted by {titles[draft]}", target, draft)
        self._own_pairs.add(pair)
        return pair

    def note_use(self, models: Iterable[str]) -> None:
        """The models were loaded just now."""
        last_used.note(self.home, models)

    def last_used(self) -> dict[str, str]:
        """Model name to the time of its last load, ISO 8601, UTC."""
        return last_used.read(self.home)

    def verify(
        self, name: str, progress: Listener | None = None, cancel: threading.Event | None = None
    ) -> list[str]:
        """Reads every byte of a model, or of a pair's models, again; SlipstreamError when one is damaged.

        A damaged conversion is deleted, since it can be made again: a sentence for each in the result.
        """
        models = [self._read(model) for model in self._models_of(name)]
        converted = {model.name: conversions.recorded(self.path(model.name)) for model in models}
        weights = [folder / conversions.WEIGHTS_FILE for folders in converted.values() for folder in folders]
        meter = Meter(progress, cancel)
        total = sum(model.size_bytes for model in models) + sum(map(disk.size_of, weights))
        meter.enter("verify", total=total, done=0)
        mended: list[str] = []
        for model in models:
            with disk.explaining(self._shelf.models):
                found = disk.sha256(manifest.model_file(self.path(model.name)), meter.add)
            if found != model.sha256:
                raise SlipstreamError(
                    f"The file of “{model.name}” is damaged: remove the model and fetch it again."
                )
            mended += self._without_damage(model.name, converted[model.name], meter)
        meter.finish()
        return mended

    def _without_damage(self, name: str, converted: list[Path], meter: Meter) -> list[str]:
        mended = []
        for folder in converted:
            with disk.explaining(self._shelf.models):
                if conversions.is_whole(folder, meter.add):
                    continue
                disk.discard(folder, self._shelf.trash)
            mended.append(
                f"The conversion {folder.name} of “{name}” was damaged and is deleted; "
                "it will be made again when the model is loaded."
            )
        return mended

    def remove(self, name: str) -> None:
        """Deletes a model, its conversions, what a begun download left, and the user's pairs made of it.

        A catalogue pair's name stands for its models, the name of a pair that the user made only for itself.
        """
        if self._own_pairs.discard(name):
            return
        pair = self.catalogue.pairs.get(name)
        present = [model for model in (pair.models if pair else (name,)) if self._shelf.holds(model)]
        if not present:
            raise self._unknown(name)
        for model in present:
            with disk.explaining(self._shelf.models), self._shelf.locked(model, None):
                disk.discard(self._shelf.path(model), self._shelf.trash)
                disk.discard(self._shelf.incoming(model), self._shelf.trash)
            self._own_pairs.forget_model(model)
            if pair is None and self.shipped.is_shipped(model):
                self._shelf.decline(model)

    def _examine(self) -> list[InstalledModel | DamagedModel]:
        return [self._read_or_reason(name) for name in self._shelf.names()]

    def _read_or_reason(self, name: str) -> InstalledModel | DamagedModel:
        try:
            return manifest.read(self._shelf.path(name))
        except manifest.DamagedError as damaged:
            return DamagedModel(name, str(damaged))

    def _read(self, name: str) -> InstalledModel:
        if not self._shelf.holds(name):
            raise self._unknown(name)
        try:
            return manifest.read(self._shelf.path(name))
        except manifest.DamagedError as damaged:
            raise SlipstreamError(str(damaged)) from damaged

    def _require_model(self, name: str) -> None:
        if self.is_installed(name):
            return
        pair = next((pair for pair in self.pairs() if pair.name == name), None)
        if pair is not None and pair.models != (name,):
            raise SlipstreamError(
                f"“{name}” is the name of a pair: name a model, its models are called {' and '.join(pair.models)}."
            )
        raise SlipstreamError(f"“{name}” is not installed: fetch or import it first.")

    def _models_of(self, name: str) -> tuple[str, ...]:
        """A pair's models; any other name stands for itself, so that a damaged model can be named too."""
        pair = next((pair for pair in self.pairs() if pair.name == name), None)
        return pair.models if pair else (name,)

    def _model_titles(self) -> dict[str, str]:
        known = {entry.name: entry.title for entry in self.catalogue.models.values()}
        return known | {model.name: model.title for model in self.installed()}

    def _can_fetch(self, name: str) -> bool:
        return name in self.catalogue.models and not self.is_installed(name)

    def _unknown(self, name: str) -> SlipstreamError:
        names = sorted({pair.name for pair in self.pairs()} | set(self._model_titles()))
        return SlipstreamError(
            f"There is no model or pair called {name[:100]!r}. Known are: {', '.join(names)}."
        )


def _drafter_misfit(target: Path, drafter: Path) -> str | None:
    from engine.graphs.dflash_checkpoint import Checkpoint
    from engine.graphs.dflash_shape import misfit
    from engine.graphs.gguf_model import GgufModel

    model = GgufModel.open(target / manifest.MODEL_FILE)
    return misfit(Checkpoint(drafter).shape, model.architecture)


def _vocabulary_difference(target: Path, draft: Path) -> str | None:
    from engine import common_vocabulary
    from engine.models.gguf_vocab import read_vocabulary

    files = [folder / manifest.MODEL_FILE for folder in (target, draft)]
    return common_vocabulary.misfit(*map(read_vocabulary, files))
