"""What really lies in assets/drafters, and the script that puts it there."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import ship_drafter

from engine.errors import SlipstreamError
from engine.graphs.convert import converted_weights
from engine.graphs.dflash_checkpoint import Checkpoint
from engine.graphs.dflash_convert import drafter_weights
from engine.models import disk
from engine.models.catalogue import Catalogue
from engine.models.shipped import shipped_source
from engine.models.store import ModelStore
from tests.dflash_checkpoints import FORMS, write_drafter

ASSETS = Path(__file__).parent.parent / "assets"
CATALOGUE = Catalogue.load(ASSETS / "catalogue.json")
SHIPPED = [name for name, entry in CATALOGUE.models.items() if shipped_source(entry)]
DRAFTERS = sorted(folder.name for folder in (ASSETS / "drafters").glob("*"))


def test_every_drafter_that_is_there_is_one_of_the_catalogue_and_the_other_way_round() -> None:
    assert sorted(SHIPPED) == DRAFTERS
    assert {pair.draft for pair in CATALOGUE.pairs.values()} >= set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_drafter_is_what_the_catalogue_says(name: str) -> None:
    entry, folder = CATALOGUE.models[name], ASSETS / "drafters" / name
    file = folder / "model.safetensors"
    assert sorted(each.name for each in folder.iterdir()) == sorted(ship_drafter.FILES)
    assert (file.stat().st_size, disk.sha256(file)) == (entry.size_bytes, entry.sha256)
    pairs = [pair.name for pair in CATALOGUE.pairs.values() if pair.draft == name]
    assert disk.folder_size(folder) <= min(map(ship_drafter.most_bytes, pairs))
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| prompts from | licence |" in card
    assert "tokens a pass" in card
    Checkpoint(folder)


@pytest.mark.parametrize("name", SHIPPED)
def test_it_was_trained_for_its_pairs_target(name: str) -> None:
    config = json.loads((ASSETS / "drafters" / name / "config.json").read_text(encoding="utf-8"))
    for pair in CATALOGUE.pairs.values():
        if pair.draft == name:
            assert config["slipstream"]["model_sha256"] == CATALOGUE.models[pair.target].sha256


@pytest.mark.parametrize("name", [CATALOGUE.pairs["starter"].draft])
def test_it_fits_the_starter(name: str, model_store: ModelStore, smol_gguf: Path, tmp_path: Path) -> None:
    assert smol_gguf
    shutil.copytree(ASSETS / "drafters" / name, tmp_path / name)
    target = converted_weights(model_store.path(model_store.pair("starter").target))
    assert drafter_weights(tmp_path / name, target).shape.taps


# The script


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A drafter that says that it was trained for the starter's target."""
    folder = write_drafter(tmp_path / "packed", FORMS["speculators-dspark"])
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    target = CATALOGUE.pairs["starter"].target
    config["slipstream"] = {
        "model": target,
        "model_sha256": CATALOGUE.models[target].sha256,
        "licence": "Apache-2.0",
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "README.md").write_text("The card.", encoding="utf-8")
    return folder


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    shutil.copyfile(ASSETS / "catalogue.json", tmp_path / "assets/catalogue.json")
    return tmp_path / "assets"


def test_the_script_ships_a_drafter_and_its_next_version(packed: Path, assets: Path) -> None:
    """The rest of the catalogue stays as it is, to the letter."""
    before = (assets / "catalogue.json").read_text(encoding="utf-8")
    ship_drafter.ship(packed, "own", "starter", assets)
    first = (assets / "catalogue.json").read_text(encoding="utf-8")
    ship_drafter.ship(packed, "own", "starter", assets)
    assert (assets / "catalogue.json").read_text(encoding="utf-8") == first
    catalogue = Catalogue.load(assets / "catalogue.json")
    assert catalogue.pairs == CATALOGUE.pairs | {"starter": replace(CATALOGUE.pairs["starter"], draft="own")}
    assert {name: entry for name, entry in catalogue.models.items() if name != "own"} == CATALOGUE.models
    assert catalogue.models["own"].sha256 == disk.sha256(assets / "drafters/own/model.safetensors")
    assert catalogue.models["own"].architecture == Checkpoint(packed).shape.described
    assert catalogue.models["own"].title.startswith("Block drafter for ")
    removed = [line for line in before.splitlines() if line not in first.splitlines()]
    assert len(removed) <= 1  # the starter's draft
    config = (packed / "config.json").read_text(encoding="utf-8")
    write_drafter(packed, replace(FORMS["speculators-dspark"], seed=8))
    (packed / "config.json").write_text(config, encoding="utf-8")
    ship_drafter.ship(packed, "own", "starter", assets)
    changed = (assets / "catalogue.json").read_text(encoding="utf-8").splitlines()
    assert sum(map(str.__ne__, changed, first.splitlines())) == 1  # the hash


def test_the_script_refuses_a_drafter_for_another_model(packed: Path, assets: Path) -> None:
    before = (assets / "catalogue.json").read_text(encoding="utf-8")
    config = json.loads((packed / "config.json").read_text(encoding="utf-8"))
    config["slipstream"]["model_sha256"] = "0" * 64
    (packed / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(SlipstreamError, match="does not say that it was trained for"):
        ship_drafter.ship(packed, "own", "starter", assets)
    assert (assets / "catalogue.json").read_text(encoding="utf-8") == before
    assert not (assets / "drafters").exists()


def test_the_script_refuses_one_that_is_too_large(
    packed: Path, assets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ship_drafter, "MOST_BYTES", 1000)
    with pytest.raises(SlipstreamError, match="make a smaller one"):
        ship_drafter.ship(packed, "own", "starter", assets)
    assert not (assets / "drafters").exists()
