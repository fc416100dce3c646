"""Qwen3.5 9B and its DFlash drafter by `models fetch` from a hub on loopback that has tiny models of those names."""

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha1, sha256
from pathlib import Path

import pytest

from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Finished
from engine.models.catalogue import Catalogue, HubSource, ModelEntry
from engine.models.download import Patience
from engine.models.fetch import Terms
from engine.models.line import Limits
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from tests.dflash_checkpoints import Drafter, write_drafter
from tests.fake_registry import FakeRegistry, Fault
from tests.tiny_hybrid import HybridShape, write_gguf

PAIR = "qwen3.5-9b"
COMMIT = "c" * 40
TARGET = HybridShape(hidden=128, intermediate=128, layers=8, sharpness=1.5, endless=True)
DRAFTER = Drafter(hidden=128, intermediate=128, target_layers=8, taps=(1, 2, 3, 5, 6), block_size=16)


class Hub:
    """The repositories of the catalogue's pair, with other, tiny, contents."""

    def __init__(self, registry: FakeRegistry, folder: Path) -> None:
        self.registry = registry
        self.catalogue = Catalogue.load()
        pair = self.catalogue.pairs[PAIR]
        assert pair.draft is not None
        self.target, self.draft = self.catalogue.models[pair.target], self.catalogue.models[pair.draft]
        model = write_gguf(folder / "source" / "target.gguf", TARGET)
        drafter = write_drafter(folder / "source" / "drafter", DRAFTER)
        self._publish(self.target, {self._file(self.target): model})
        self._publish(self.draft, {file.name: file for file in drafter.iterdir()})

    def source(self, entry: ModelEntry) -> HubSource:
        (source,) = entry.sources
        assert isinstance(source, HubSource)
        return source

    def address(self, entry: ModelEntry) -> str:
        return f"/api/models/{self.source(entry).repo}/revision/{self.source(entry).revision}?blobs=true"

    def file(self, entry: ModelEntry, name: str = "") -> str:
        return f"/{self.source(entry).repo}/resolve/{COMMIT}/{name or self._file(entry)}"

    def _file(self, entry: ModelEntry) -> str:
        return self.source(entry).file

    def _publish(self, entry: ModelEntry, files: dict[str, Path]) -> None:
        """Files with what the hub tells about them: a sha256 of what it stores apart, git's hash of the rest."""
        siblings = []
        for name, path in files.items():
            data = path.read_bytes()
            self.registry.files[self.file(entry, name)] = data
            told = {"rfilename": name, "size": len(data), "blobId": sha1(data).hexdigest()}
            if name == self._file(entry):
                told["lfs"] = {"sha256": sha256(data).hexdigest(), "size": len(data), "pointerSize": 134}
            siblings.append(told)
        answer = {"id": self.source(entry).repo, "sha": COMMIT, "siblings": siblings}
        self.registry.files[self.address(entry)] = json.dumps(answer).encode()


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with FakeRegistry() as registry:
        monkeypatch.setenv("SLIPSTREAM_INDEX_URL", f"{registry.url}/simple")
        monkeypatch.setenv("HF_ENDPOINT", registry.url)
        yield Hub(registry, tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    patience = Patience(2, limits=Limits(2.0, 5.0), sleep=lambda seconds: None)
    return ModelStore(tmp_path / "home", terms=Terms(patience, free_bytes=lambda folder: 10**12))


def test_the_pair_is_fetched_loaded_and_drafts_without_changing_a_token(hub: Hub, store: ModelStore) -> None:
    store.fetch(PAIR)

    installed = {model.name: model for model in store.installed()}
    assert set(installed) == set(store.pair(PAIR).models)
    assert installed[hub.target.name].sha256 == sha256(hub.registry.files[hub.file(hub.target)]).hexdigest()
    assert store.verify(PAIR) == []
    engine = Engine.load(store, store.pair(PAIR))
    asked = Request((Message("user", "Tell me about the sea."),), max_tokens=40, baseline=False)
    for sampling in (Sampling(), Sampling(temperature=1.0, seed=3)):
        plain, drafted = (
            list(engine.generate(replace(asked, sampling=sampling, speculation=mode, draft_tokens=k)))[-1]
            for mode, k in ((Speculation.OFF, None), (Speculation.DFLASH, 15))
        )
        assert isinstance(plain, Finished)
        assert isinstance(drafted, Finished)
        assert drafted.stats.drafted > 0
        assert drafted.token_ids == plain.token_ids


def test_a_second_fetch_asks_nobody(hub: Hub, store: ModelStore) -> None:
    store.fetch(PAIR)
    hub.registry.asked.clear()
    store.fetch(PAIR)

    assert hub.registry.asked == []


def test_a_cut_download_goes_on_where_it_ended(hub: Hub, store: ModelStore) -> None:
    cut = hub.file(hub.draft)
    hub.registry.faults[cut].extend([Fault(after=10_000), Fault(after=0), Fault(after=0), Fault(after=0)])
    with pytest.raises(SlipstreamError, match="could not be fetched"):
        store.fetch(PAIR)

    hub.registry.asked.clear()
    hub.registry.faults.clear()
    store.fetch(PAIR)

    assert [asked.range for asked in hub.registry.asked_for(cut)] == ["bytes=10000-"]
    assert hub.registry.asked_for(hub.file(hub.target)) == []
    assert store.is_installed(hub.draft.name)


def test_another_file_than_the_hub_named_is_refused(hub: Hub, store: ModelStore) -> None:
    data = hub.registry.files[hub.file(hub.target)]
    hub.registry.files[hub.file(hub.target)] = data[:-1] + bytes([data[-1] ^ 1])

    with pytest.raises(SlipstreamError, match="its sha256 differs"):
        store.fetch(PAIR)
    assert store.installed() == []


@pytest.mark.parametrize("told", [b"{}", b"not JSON", b'{"sha": "x", "siblings": []}'])
def test_a_hub_that_does_not_say_what_a_file_is_gives_a_sentence(
    hub: Hub, store: ModelStore, told: bytes
) -> None:
    hub.registry.files[hub.address(hub.target)] = told

    with pytest.raises(SlipstreamError, match=r"Hugging Face hub: it does not say what Qwen3\.5-9B"):
        store.fetch(PAIR)


def test_a_torn_config_is_refused(hub: Hub, store: ModelStore) -> None:
    hub.registry.files[hub.file(hub.draft, "config.json")] = b"{"

    with pytest.raises(SlipstreamError, match="no JSON"):
        store.fetch(PAIR)
    assert not store.is_installed(hub.draft.name)


def test_without_a_network_the_reason_is_said(store: ModelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")

    with pytest.raises(SlipstreamError, match="Hugging Face hub: it can't be reached"):
        store.fetch(PAIR)
