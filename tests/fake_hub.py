"""Repositories of a hub on a FakeRegistry: its API's answers and the files, as the real hub gives them."""

import json
from collections.abc import Mapping
from hashlib import sha1, sha256
from pathlib import Path
from typing import Any

from engine.models.catalogue import Catalogue
from engine.models.download import Patience
from engine.models.fetch import Terms
from engine.models.line import Limits
from engine.models.store import ModelStore
from tests.fake_registry import FakeRegistry

REVISION = "0123456789abcdef0123456789abcdef01234567"
STORED_APART = (".gguf", ".bin", ".safetensors")  # by Git LFS, whose hash is the sha256


class FakeHub:
    def __init__(self, registry: FakeRegistry) -> None:
        self.registry = registry
        self.listed: list[dict[str, Any]] = []
        self.waits: list[float] = []
        self._publish()

    def add(self, repo: str, files: Mapping[str, bytes], **facts: Any) -> None:
        """`facts` are more of what the API tells: tags, gguf, config, cardData, gated."""
        told = {
            "id": repo,
            "sha": REVISION,
            "gated": False,
            "downloads": 10,
            "likes": 1,
            "tags": [],
            "siblings": [_sibling(name, data) for name, data in files.items()],
            **facts,
        }
        self.registry.files[self.api(repo)] = json.dumps(told).encode()
        for name, data in files.items():
            self.registry.files[self.path(repo, name)] = data
        self.listed.append({key: value for key, value in told.items() if key != "siblings"})
        self._publish()

    def add_folder(self, repo: str, folder: Path, **facts: Any) -> None:
        self.add(repo, {path.name: path.read_bytes() for path in sorted(folder.iterdir())}, **facts)

    @staticmethod
    def api(repo: str) -> str:
        return f"/api/models/{repo}/revision/main"

    @staticmethod
    def path(repo: str, name: str) -> str:
        return f"/{repo}/resolve/{REVISION}/{name}"

    def lock(self, repo: str, token: str) -> None:
        """As the hub does it with gated models: what there is can be seen, the files can't."""
        self.registry.locked[f"/{repo}/"] = token

    def store(self, home: Path, attempts: int = 4, silence_s: float = 5.0, free: int = 10**12) -> ModelStore:
        patience = Patience(attempts, limits=Limits(2.0, silence_s), sleep=self.waits.append)
        return ModelStore(home, Catalogue({}, {}), Terms(patience, free_bytes=lambda folder: free))

    def _publish(self) -> None:
        self.registry.files["/api/models"] = json.dumps(self.listed).encode()


def _sibling(name: str, data: bytes) -> dict[str, Any]:
    told: dict[str, Any] = {"rfilename": name, "size": len(data), "blobId": git_blob(data)}
    if name.endswith(STORED_APART):
        told["lfs"] = {"sha256": sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
    return told


def git_blob(data: bytes) -> str:
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
