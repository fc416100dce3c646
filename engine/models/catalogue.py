"""The models and pairs that Slipstream knows how to fetch: assets/catalogue.json, checked, immutable.

A file is pinned by its sha256, so that a source is only a way to the bytes and need not be trusted. Where the catalogue
does not know the hash, the hub itself is asked for it when the fetch begins (engine.models.hub).
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from engine.errors import SlipstreamError
from engine.models import manifest, paths

_SHA256 = re.compile(r"[0-9a-f]{64}")
_WHEEL = re.compile(
    r"(?P<project>[A-Za-z0-9](?:[A-Za-z0-9._]*[A-Za-z0-9])?)-[A-Za-z0-9._!+]+(-[A-Za-z0-9._]+){3}\.whl"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """What a chat runs: a target and, unless None, the model that drafts for it. Both are model names."""

    name: str
    title: str
    target: str
    draft: str | None

    @property
    def models(self) -> tuple[str, ...]:
        return (self.target,) if self.draft is None else (self.target, self.draft)


@dataclass(frozen=True, slots=True)
class HubSource:
    """A whole model file in a repository of the Hugging Face hub, and small files that belong `beside` it."""

    repo: str
    file: str
    revision: str
    beside: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _require(all(re.fullmatch(r"[\w-]+\.json", name) for name in self.beside), f"what {self.repo} holds")


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel on a Python package index of which one member is (a part of) the model; sizes in bytes."""

    file: str
    size: int
    sha256: str
    member: str

    def __post_init__(self) -> None:
        _require(bool(_WHEEL.fullmatch(self.file)), f"the wheel name {self.file!r}")
        _require(bool(_SHA256.fullmatch(self.sha256)), f"the hash of {self.file}")
        _require(_is_inside(self.member), f"the member name {self.member!r}")
        _require(self.size > 0, f"the size of {self.file}")

    @property
    def project(self) -> str:
        """The normalised project name (PEP 503) that the index files this wheel under."""
        return re.sub(r"[-_.]+", "-", self.file.split("-", 1)[0]).lower()


@dataclass(frozen=True, slots=True)
class IndexSource:
    """The model cut into wheels: the members, put together in this order, are the GGUF file."""

    wheels: tuple[Wheel, ...]

    def __post_init__(self) -> None:
        _require(bool(self.wheels), "a list of wheels")

    @property
    def size(self) -> int:
        return sum(wheel.size for wheel in self.wheels)


@dataclass(frozen=True, slots=True)
class ShippedSource:
    """A folder below assets/ that holds the model's file and what belongs beside it: nothing has to be downloaded."""

    folder: str

    def __post_init__(self) -> None:
        _require(_is_inside(self.folder), f"the folder {self.folder!r}")

    @property
    def path(self) -> Path:
        return paths.assets_dir() / self.folder


@dataclass(frozen=True, slots=True)
class HubFolder:
    """An OpenVINO model or a checkpoint on the hub: several files, imported when all of them are there."""

    repo: str
    revision: str

    def __post_init__(self) -> None:
        _require(self.repo.count("/") == 1, f"the repository {self.repo!r}")


Source = HubSource | IndexSource | ShippedSource | HubFolder


@dataclass(frozen=True, slots=True)
class NotYet:
    """What people look for and Slipstream can't run: told with the reason, and not offered."""

    title: str
    repo: str
    target: str  # whose drafter it is; "" for a model
    licence: str
    reason: str


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model that can be fetched. `sha256` and `size_bytes` are those of the whole file, see manifest.InstalledModel.

    An empty `sha256` means that the hub has to be asked; `size_bytes` is then about right.
    """

    name: str
    title: str
    licence: str
    architecture: str
    size_bytes: int
    sha256: str
    sources: tuple[Source, ...]
    homepage: str = ""
    note: str = ""
    format: str = "gguf"

    def __post_init__(self) -> None:
        paths.check_name(self.name)
        _require(self.format in manifest.FILES, f"the format of {self.name}")
        _require(self._may_be_trusted(), f"the hash of {self.name}")
        _require(self.size_bytes > 0, f"the size of {self.name}")
        _require(bool(self.sources), f"the sources of {self.name}")
        _require(self.folder is None or len(self.sources) == 1, f"the sources of {self.name}")

    def _may_be_trusted(self) -> bool:
        from_hub = bool(self.sources) and all(
            isinstance(each, HubSource | HubFolder) for each in self.sources
        )
        return bool(_SHA256.fullmatch(self.sha256)) or (not self.sha256 and from_hub)

    @property
    def folder(self) -> HubFolder | None:
        """Where the folder is that has to be imported, for a model which comes as one."""
        return next((source for source in self.sources if isinstance(source, HubFolder)), None)

    @property
    def download_bytes(self) -> int:
        """What the first source has to send; a later source may differ (wheels are compressed)."""
        return download_size(self.sources[0], self)


def download_size(source: Source, entry: ModelEntry) -> int:
    """Bytes that this source has to send for the model."""
    if isinstance(source, ShippedSource):
        return 0
    return source.size if isinstance(source, IndexSource) else entry.size_bytes


@dataclass(frozen=True, slots=True)
class Catalogue:
    models: dict[str, ModelEntry]
    pairs: dict[str, Pair]
    not_yet: tuple[NotYet, ...] = ()

    @classmethod
    def load(cls, path: Path | None = None) -> "Catalogue":
        """From a catalogue.json (None: the one shipped). SlipstreamError when it is missing or malformed."""
        path = path or paths.assets_dir() / "catalogue.json"
        try:
            return cls.parse(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SlipstreamError(
                f"The list of models at {path} can't be read ({error}): install Slipstream again."
            ) from error

    @classmethod
    def parse(cls, data: Any) -> "Catalogue":
        models = {name: _model(name, entry) for name, entry in data["models"].items()}
        pairs = {name: _pair(name, entry) for name, entry in data["pairs"].items()}
        for pair in pairs.values():
            _require(all(name in models for name in pair.models), f"the pair {pair.name}")
        return cls(models, pairs, tuple(NotYet(**entry) for entry in data.get("not_yet", ())))


def _model(name: str, entry: dict[str, Any]) -> ModelEntry:
    sources = tuple(_source(source) for source in entry["sources"])
    plain = {key: value for key, value in entry.items() if key not in ("sources", "sha256")}
    return ModelEntry(name=name, sources=sources, sha256=entry["sha256"] or "", **plain)


def _source(entry: dict[str, Any]) -> Source:
    kind = entry["kind"]
    _require(kind in ("hub", "hub folder", "index", "shipped"), f"the source kind {kind!r}")
    if kind == "hub folder":
        return HubFolder(entry["repo"], entry["revision"])
    if kind == "shipped":
        return ShippedSource(entry["folder"])
    if kind == "hub":
        return HubSource(entry["repo"], entry["file"], entry["revision"], tuple(entry.get("beside", ())))
    return IndexSource(tuple(Wheel(**wheel) for wheel in entry["wheels"]))


def _pair(name: str, entry: dict[str, Any]) -> Pair:
    return Pair(name, entry["title"], entry["target"], entry["draft"])


def _is_inside(member: str) -> bool:
    path = PurePosixPath(member)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\\" not in member


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise SlipstreamError(f"The list of models is wrong about {what}: install Slipstream again.")
