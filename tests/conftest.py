"""Fixtures that several test modules share: a home of its own for every test, and the real models on demand."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import pytest

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from engine.engine import Engine
    from engine.models.store import ModelStore


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that a test does reaches the user's own models and chats."""
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path / "slipstream-home"))


@pytest.fixture(autouse=True)
def _no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the system's keyring."""
    from engine.models import hub_token

    def refuse() -> hub_token.Keyring:
        raise RuntimeError("no keyring in tests")

    monkeypatch.setattr(hub_token, "keeper", hub_token.TokenKeeper(refuse))


@pytest.fixture
def plurals(qapp: "QApplication") -> None:
    """Sentences with their plurals, as a user reads them."""
    from app import language

    language.install(qapp, language.Language.ENGLISH)


@pytest.fixture(scope="session")
def model_store() -> "ModelStore":
    """The models that tests run: SLIPSTREAM_TEST_HOME, or a cache that outlives the test run."""
    from engine.models.store import ModelStore

    cache = os.environ.get("SLIPSTREAM_TEST_CACHE") or platformdirs.user_cache_path("slipstream-tests")
    store = ModelStore(Path(os.environ.get("SLIPSTREAM_TEST_HOME") or cache))
    given = os.environ.get("SLIPSTREAM_TEST_SMOL")
    if given and not store.is_installed(store.pair("starter").target):
        store.import_file(Path(given))
    return store


@pytest.fixture(scope="session")
def smol_gguf(model_store: "ModelStore") -> Path:
    """SmolLM2-135M-Instruct as a GGUF file: SLIPSTREAM_TEST_SMOL, else fetched once."""
    if given := os.environ.get("SLIPSTREAM_TEST_SMOL"):
        return Path(given)
    model_store.fetch("starter")
    return model_store.path(model_store.pair("starter").target) / "model.gguf"


@pytest.fixture(scope="session")
def starter_engine(model_store: "ModelStore", smol_gguf: Path) -> "Iterator[Engine]":
    yield from _loaded(model_store, "starter")


@pytest.fixture(scope="session")
def coder_engine(model_store: "ModelStore") -> "Iterator[Engine]":
    yield from _loaded(model_store, "coder-0.5b")


@pytest.fixture(scope="session")
def coder_trained_engine(model_store: "ModelStore") -> "Iterator[Engine]":
    yield from _loaded(model_store, "coder")


def _loaded(store: "ModelStore", pair: str) -> "Iterator[Engine]":
    from engine.engine import Engine

    store.fetch(pair)
    engine = Engine.load(store, store.pair(pair), anew=True)
    yield engine
    engine.close()
