"""What a person chose to fetch from the hub, complete: it can be written down and gone on with at another time."""

import re
from dataclasses import asdict, dataclass
from typing import Any

from engine.errors import SlipstreamError
from engine.models import hub_files, paths
from engine.models.catalogue import HubSource, ModelEntry
from engine.models.choices import Choice
from engine.models.hub_files import HubFile, Repository
from engine.models.hub_verdict import Kind

TOLD_BY_FILE = "told by the file"  # an architecture that is read when the file is there


@dataclass(frozen=True, slots=True)
class Order:
    """`name` is the model's on this machine; `revision` a commit, so that the files' hashes stay true."""

    name: str
    title: str
    repo: str
    revision: str
    kind: Kind
    licence: str
    files: tuple[HubFile, ...]

    def __post_init__(self) -> None:
        paths.check_name(self.name)
        hub_files.require_repo(self.repo, self.revision)
        folded = [file.path.lower() for file in self.files]
        if not folded or len(set(folded)) < len(folded):
            raise SlipstreamError(f"{self.repo} names no files, or two that some systems take for one.")

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def origin(self) -> str:
        return f"{self.repo}@{self.revision}"

    def entry(self) -> ModelEntry | None:
        """As the catalogue would have it, for a model that is one file; None for a folder, which must be imported."""
        file = self.files[0]
        if self.kind not in (Kind.GGUF, Kind.DFLASH) or (self.kind is Kind.GGUF and len(self.files) > 1):
            return None
        beside = tuple(each.path for each in self.files[1:])
        return ModelEntry(
            name=self.name,
            title=self.title,
            licence=self.licence,
            architecture="block drafter" if self.kind is Kind.DFLASH else TOLD_BY_FILE,
            size_bytes=file.size,
            sha256=file.sha256,
            sources=(HubSource(self.repo, file.path, self.revision, beside),),
            format="dflash" if self.kind is Kind.DFLASH else "gguf",
        )

    def told(self) -> dict[str, Any]:
        """For a JSON file; `parse` reads it."""
        return asdict(self)

    @classmethod
    def parse(cls, told: dict[str, Any]) -> "Order":
        """Errors: SlipstreamError, KeyError, TypeError or ValueError for what `told` never wrote."""
        files = tuple(HubFile(**each) for each in told["files"])
        return cls(**{**told, "files": files, "kind": Kind(told["kind"])})


def order(repository: Repository, choice: Choice, name: str = "") -> Order:
    """For one of the repository's choices. `name`: what to call the model, else made from its own name."""
    made = f"{repository.id.split('/')[1].removesuffix('-GGUF').removesuffix('-gguf')}"
    title = made.replace("-", " ").replace("_", " ")
    if choice.kind is Kind.GGUF:
        made, title = f"{made}-{choice.label}", f"{title}, {choice.label}"
    return Order(
        name=name or _safe(made),
        title=title[:100],
        repo=repository.id,
        revision=repository.revision,
        kind=choice.kind,
        licence=repository.licence,
        files=choice.files,
    )


def _safe(name: str) -> str:
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("._-").lower()[:100].rstrip("._-")
    return safe if paths.is_safe_name(safe) else f"model-{safe}"[:100].rstrip("._-")
