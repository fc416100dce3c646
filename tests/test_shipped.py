"""A drafter that comes with the program: installed by itself, without a network, and done without where that fails."""

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.engine_worker import _loaded
from engine import doctor, licences
from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.graphs.dflash_checkpoint import Checkpoint
from engine.models import disk, manifest, paths
from engine.models.catalogue import Catalogue
from engine.models.estimate import estimate
from engine.models.meter import Meter
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from tests.dflash_checkpoints import FORMS, Drafter, write_drafter
from tests.tiny_models import Shape, write_model

TARGET = Shape("qwen2", layers=4, context=600)
FORM = FORMS["speculators-dspark"]
Spoil = Callable[[Path], None]


class Ship:
    """A program whose assets hold a drafter for a target of its catalogue."""

    def __init__(self, folder: Path, drafter: Drafter = FORM) -> None:
        self.home, self.assets = folder / "slipstream-home", folder / "assets"
        self.drafter = write_drafter(self.assets / "drafters/own", drafter)
        (self.drafter / "README.md").write_text("The model card.", encoding="utf-8")
        self.file = self.drafter / "model.safetensors"
        target = write_model(folder / "target.gguf", TARGET)
        self.models = {"target": self._entry(target, "gguf"), "own": self._entry(self.file, "dflash")}
        self.write()

    def _entry(self, file: Path, form: str) -> dict[str, Any]:
        source = {"kind": "hub", "repo": "a/b", "file": "c.gguf", "revision": "main"}
        return {
            "title": "Own drafter" if form == "dflash" else "Target",
            "licence": "Apache-2.0",
            "architecture": "dspark",
            "format": form,
            "size_bytes": file.stat().st_size,
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "sources": [{"kind": "shipped", "folder": "drafters/own"} if form == "dflash" else source],
        }

    def write(self) -> None:
        pair = {"title": "Starter", "target": "target", "draft": "own"}
        catalogue = {"models": self.models, "pairs": {"starter": pair}}
        (self.assets / "catalogue.json").write_text(json.dumps(catalogue), encoding="utf-8")

    def renew(self, drafter: Drafter) -> None:
        """The next version of the program, with another drafter under the same name."""
        write_drafter(self.drafter, drafter)
        self.models["own"] = self._entry(self.file, "dflash")
        self.write()

    def store(self) -> ModelStore:
        store = ModelStore(self.home)
        if not store.is_installed("target"):
            store.import_file(self.assets.parent / "target.gguf", "target")
        return store


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ship:
    monkeypatch.setattr(paths, "assets_dir", lambda: tmp_path / "assets")
    return Ship(tmp_path)


def answer(
    engine: Engine, speculation: Speculation, k: int | None = None
) -> tuple[list[int], dict[str, int]]:
    request = Request(
        [Message("user", "One, two")], Sampling(), max_tokens=12, speculation=speculation, draft_tokens=k
    )
    finished = list(engine.generate(request))[-1]
    return list(finished.token_ids), dict(finished.stats.drafted_by_source)  # type: ignore[union-attr]


def gone(ship: Path) -> None:
    shutil.rmtree(ship)


def bytes_changed(folder: Path) -> None:
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "model.safetensors").write_bytes(content)


def cut_short(folder: Path) -> None:
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[:-40])


def no_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def another_config(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"draft_vocab_size": 9}), encoding="utf-8")


# It comes by itself


def test_a_home_of_an_earlier_version_gets_it_at_the_next_load(ship: Ship) -> None:
    """GIVEN a home with the target alone WHEN it is loaded THEN the drafter drafts, and the answer is the plain one."""
    store = ship.store()
    pair = store.pair("starter")
    assert (pair.draft, store.missing(pair), store.missing_bytes(pair)) == ("own", [], 0)
    engine = Engine.load(store, pair)
    try:
        assert engine.left_out is None
        assert engine.unavailable(Speculation.DFLASH) is None
        plain, _ = answer(engine, Speculation.OFF)
        for mode in (Speculation.NGRAM, Speculation.DFLASH, Speculation.AUTO):
            tokens, drafted = answer(engine, mode, 3)
            assert tokens == plain
            assert ("dflash" in drafted) == (mode is not Speculation.NGRAM)
    finally:
        engine.close()
    installed = {model.name: model for model in store.installed()}
    assert (installed["own"].source, installed["own"].format) == ("shipped", "dflash")
    assert (store.path("own") / "README.md").read_text(encoding="utf-8") == "The model card."
    assert Checkpoint(store.path("own")).shape.markov == "vanilla"
    assert store.verify("starter") == []


def test_a_fetch_of_the_pair_installs_it(ship: Ship) -> None:
    store = ship.store()
    store.fetch("starter")
    assert store.is_installed("own")
    written = manifest.read(store.path("own"))
    store.fetch("starter")
    store.shipped.install(store.pair("starter"), Meter())
    assert manifest.read(store.path("own")) == written


def test_what_a_killed_install_left_is_done_over(ship: Ship) -> None:
    store = ship.store()
    ready = ship.home / "models/.incoming/own/ready"
    ready.mkdir(parents=True)
    (ready / "model.safetensors").write_bytes(b"half")
    (ready.parent / "shipped.part").write_bytes(b"half")
    store.path("own").mkdir()
    (store.path("own") / "config.json").write_text("{", encoding="utf-8")
    assert store.shipped.completed(store.pair("starter")) == (store.pair("starter"), None)
    assert store.verify("own") == []
    assert not ready.parent.exists()


def test_the_next_version_brings_the_next_drafter(ship: Ship) -> None:
    store = ship.store()
    store.fetch("starter")
    first = manifest.read(store.path("own")).sha256
    ship.renew(replace(FORM, seed=9))
    store = ship.store()
    store.shipped.completed(store.pair("starter"))
    assert manifest.read(store.path("own")).sha256 == ship.models["own"]["sha256"] != first


def test_an_earlier_versions_drafter_stays_where_the_new_one_is_broken(ship: Ship) -> None:
    store = ship.store()
    store.fetch("starter")
    ship.renew(replace(FORM, seed=9))
    bytes_changed(ship.drafter)
    store = ship.store()
    assert store.shipped.completed(store.pair("starter")) == (store.pair("starter"), None)
    assert store.verify("own") == []


def test_a_model_of_that_name_that_the_user_brought_stays(ship: Ship, tmp_path: Path) -> None:
    store = ModelStore(ship.home, Catalogue({}, {}))
    store.import_file(write_drafter(tmp_path / "brought", replace(FORM, seed=4)), "own")
    before = manifest.read(store.path("own"))
    store = ship.store()
    assert store.shipped.completed(store.pair("starter"))[1] is None
    assert manifest.read(store.path("own")) == before


# It does not come


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (gone, "is not among Slipstream's own files"),
        (bytes_changed, "is damaged among Slipstream's own files"),
        (cut_short, "is damaged among Slipstream's own files"),
        (no_config, "it is damaged among Slipstream's own files"),
        (another_config, "it is damaged among Slipstream's own files"),
    ],
)
def test_without_it_the_pair_answers_by_its_target_and_says_why(
    spoil: Spoil, reason: str, ship: Ship, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ship.store()
    spoil(ship.drafter)
    capsys.readouterr()
    assert cli.main(["ask", "One, two", "--max-tokens", "4"]) == 0
    told = capsys.readouterr().err
    assert len(re.findall(r"Starter drafts from repeated text alone: its drafter “own” .*\.\n", told)) == 1
    assert reason in told
    assert not store.is_installed("own")
    store.fetch("starter")
    with pytest.raises(SlipstreamError, match="install Slipstream again"):
        store.fetch("own")


def drafter_check(monkeypatch: pytest.MonkeyPatch) -> doctor.Check:
    """By the doctor, without a process of its own, which would have the real assets."""
    monkeypatch.setattr(doctor, "in_child", lambda work: work())
    return next(each for each in doctor._loaded_starter(True) if each.name == "drafter")


def test_a_list_and_the_doctor_say_so(
    ship: Ship, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ship.store()
    gone(ship.drafter)
    capsys.readouterr()
    assert cli.main(["models", "list"]) == 0
    assert "its drafter “own” is not among Slipstream's own files; install" in capsys.readouterr().out
    assert cli.main(["models", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed["notes"]) == 1
    assert listed["pairs"][0]["draft"] is None
    check = drafter_check(monkeypatch)
    assert not check.ok
    assert check.detail == "the starter is without “own”, which is not among Slipstream's own files"
    assert check.remedy


def test_a_doctor_names_the_drafter_that_works(ship: Ship, monkeypatch: pytest.MonkeyPatch) -> None:
    ship.store()
    check = drafter_check(monkeypatch)
    assert (check.ok, check.detail) == (True, "own drafts for the starter")


def test_one_for_another_target_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "assets_dir", lambda: tmp_path / "assets")
    store = Ship(tmp_path, replace(FORM, hidden=32)).store()
    engine = Engine.load(store, store.pair("starter"))
    try:
        assert engine.pair.draft is None
        assert answer(engine, Speculation.AUTO)[0]
        note = _loaded(store.pair("starter"), engine).note
    finally:
        engine.close()
    assert "hidden states of 32 numbers" in note


def test_a_full_disk_leaves_it_out(ship: Ship, monkeypatch: pytest.MonkeyPatch) -> None:
    store = ship.store()
    there = disk.require_space
    monkeypatch.setattr(disk, "require_space", lambda size, folder: there(size, folder, lambda _folder: 10))
    pair, left_out = store.shipped.completed(store.pair("starter"))
    assert pair.draft is None
    assert left_out is not None
    assert "can't be used (" in left_out.sentence(pair)
    assert not store.is_installed("own")


def test_what_is_wrong_with_the_target_is_still_told(ship: Ship) -> None:
    store = ship.store()
    (store.path("target") / "model.gguf").write_bytes(b"GGUF")
    with pytest.raises(SlipstreamError):
        Engine.load(store, store.pair("starter"))


# The user has the last word


def test_a_removed_drafter_stays_away_until_it_is_fetched(ship: Ship) -> None:
    store = ship.store()
    store.fetch("starter")
    store.remove("own")
    pair, left_out = store.shipped.completed(store.pair("starter"))
    assert pair.draft is None
    assert left_out is not None
    assert left_out.chosen
    assert "slipstream models fetch own brings it back" in left_out.sentence(pair)
    store.fetch("own")
    assert store.pair("starter").draft == "own"
    store.remove("starter")
    assert store.installed() == []


def test_removing_it_in_the_window_can_be_undone(ship: Ship) -> None:
    store = ship.store()
    store.fetch("starter")
    removed = store.removal.set_aside("own")
    assert store.pair("starter").draft is None
    store.removal.bring_back(removed)
    assert store.pair("starter").draft == "own"
    store.removal.finish(store.removal.set_aside("own"))
    assert store.pair("starter").draft is None
    store.fetch("starter")
    assert store.is_installed("own")


def test_a_pair_of_the_two_is_the_catalogues(ship: Ship) -> None:
    store = ship.store()
    store.fetch("starter")
    assert store.make_pair("target", "own").name == "starter"


# Where it shows


def test_memory_and_licences_count_it(ship: Ship) -> None:
    store = ship.store()
    store.fetch("starter")
    parts = estimate([store.path(name) for name in store.pair("starter").models]).parts
    assert {part.model for part in parts} >= {"target", "own"}
    listed = {part.name: part for part in licences.drafters()}
    assert listed["Own drafter"].licence == "Apache-2.0"
    assert ("README.md", "The model card.") in listed["Own drafter"].texts


def test_the_benchmark_measures_its_modes(ship: Ship, tmp_path: Path) -> None:
    ship.store()
    prompts, result = tmp_path / "prompts.jsonl", tmp_path / "result.json"
    prompts.write_text('{"id": "a", "category": "chat", "turns": ["Hello"]}\n', encoding="utf-8")
    arguments = ["bench", "--pair", "starter", "--prompts", str(prompts), "--max-tokens", "8"]
    modes = "plain,ngram,dflash,auto"
    assert cli.main([*arguments, "--modes", modes, "--json", str(result)]) == 0
    rows = json.loads(result.read_text(encoding="utf-8"))["rows"]
    assert {row["mode"] for row in rows} == set(modes.split(","))
