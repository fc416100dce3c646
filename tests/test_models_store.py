"""What the store says about the folders it finds, whatever state they are in."""

import json
from pathlib import Path

import pytest

from engine.errors import SlipstreamError
from engine.models import conversions, manifest
from engine.models.catalogue import Catalogue, Pair
from engine.models.manifest import InstalledModel
from engine.models.own_pairs import OwnPairs
from engine.models.store import ModelStore
from tests.gguf_files import tiny_gguf

HOSTILE = ["../x", "..", ".", "", "/etc/passwd", "a/b", "a\\b", "CON", "nul.txt", "a" * 101, "a\n", "ä"]


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "home", Catalogue({}, {}))


@pytest.fixture
def model(store: ModelStore, tmp_path: Path) -> str:
    return store.import_file(tiny_gguf(tmp_path / "My Model.gguf", title="My model"))


def test_an_empty_home_has_nothing(store: ModelStore) -> None:
    assert store.installed() == store.damaged() == store.pairs() == []


def test_an_installed_model_is_listed_and_is_a_pair_of_its_own(store: ModelStore, model: str) -> None:
    (found,) = store.installed()
    assert (found.name, found.title, found.format) == ("my-model", "My model", "gguf")
    assert store.is_installed(model)
    assert store.pairs() == [Pair("my-model", "My model", "my-model", None)]


@pytest.mark.parametrize(
    "record",
    ["", "{", "[]", "null", '{"name": "my-model"}', '{"name": "my-model", "extra": 1}', "\0\0\0\0"],
)
def test_a_broken_record_is_told_and_harms_no_other_model(
    store: ModelStore, model: str, tmp_path: Path, record: str
) -> None:
    good = store.import_file(tiny_gguf(tmp_path / "good.gguf", seed=2))
    (store.path(model) / manifest.MANIFEST).write_text(record)
    assert [found.name for found in store.installed()] == [good]
    assert [found.name for found in store.damaged()] == [model]
    assert not store.is_installed(model)
    with pytest.raises(SlipstreamError, match="can't be read"):
        store.verify(model)


def test_a_folder_without_record_is_told(store: ModelStore, model: str) -> None:
    (store.path(model) / manifest.MANIFEST).unlink()
    assert store.installed() == []
    assert "incomplete" in store.damaged()[0].reason


def test_a_cut_model_file_is_told(store: ModelStore, model: str) -> None:
    file = store.path(model) / manifest.MODEL_FILE
    file.write_bytes(file.read_bytes()[:-1])
    assert store.installed() == []
    assert "instead of" in store.damaged()[0].reason


def test_a_record_of_another_model_is_told(store: ModelStore, model: str) -> None:
    store.path(model).rename(store.path("other"))
    assert store.installed() == []
    assert "another model" in store.damaged()[0].reason


def test_verify_finds_a_flipped_bit(store: ModelStore, model: str) -> None:
    store.verify(model)
    file = store.path(model) / manifest.MODEL_FILE
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(SlipstreamError, match="damaged"):
        store.verify(model)


def test_remove_takes_the_conversions_too(store: ModelStore, model: str) -> None:
    (store.path(model) / "openvino" / "int8").mkdir(parents=True)
    store.remove(model)
    assert not store.path(model).exists()
    assert store.installed() == store.damaged() == []
    assert not list(store.home.rglob("*.gguf"))


def test_remove_works_on_damaged_models(store: ModelStore, model: str) -> None:
    (store.path(model) / manifest.MANIFEST).write_text("{")
    store.remove(model)
    assert store.damaged() == []


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_could_leave_the_folder_are_refused(
    store: ModelStore, model: str, tmp_path: Path, name: str
) -> None:
    before = sorted(tmp_path.rglob("*"))
    for action in (store.path, store.remove, store.fetch, store.verify, store.pair):
        with pytest.raises(SlipstreamError):
            action(name)
    if name:
        with pytest.raises(SlipstreamError):
            store.import_file(tmp_path / "My Model.gguf", name)
    assert not store.is_installed(name)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_unknown_name_is_refused_with_the_known_ones(store: ModelStore, model: str) -> None:
    with pytest.raises(SlipstreamError, match="Known are: my-model"):
        store.remove("nothing")


def _install(store: ModelStore, name: str, title: str) -> None:
    folder = store.path(name)
    folder.mkdir(parents=True)
    (folder / manifest.MODEL_FILE).write_bytes(b"x")
    manifest.write(folder, InstalledModel(name, title, "import", "0" * 64, 1, "MIT", "llama"))


def _keep_pair(store: ModelStore) -> None:
    entry = {"name": "mine", "title": "Mine", "target": "big", "draft": "small"}
    (store.home / "models/pairs.json").write_text(json.dumps([entry]))


def test_own_pairs_are_found_and_go_with_their_models(store: ModelStore) -> None:
    _install(store, "big", "Big")
    _install(store, "small", "Small")
    _keep_pair(store)
    assert store.pair("mine") == Pair("mine", "Mine", "big", "small")
    store.remove("small")
    assert [pair.name for pair in store.pairs()] == ["big"]


def test_removing_an_own_pair_keeps_its_models(store: ModelStore) -> None:
    _install(store, "big", "Big")
    _install(store, "small", "Small")
    _keep_pair(store)
    store.remove("mine")
    assert [model.name for model in store.installed()] == ["big", "small"]
    assert "mine" not in [pair.name for pair in store.pairs()]


@pytest.mark.parametrize(
    "text", ["{", "[1]", '[{"name": 1}]', "null", '[{"name": "a", "title": "a", "target": 3}]']
)
def test_a_broken_file_of_pairs_is_set_aside_and_told(store: ModelStore, text: str) -> None:
    _install(store, "big", "Big")
    path = store.home / "models/pairs.json"
    path.write_text(text)
    assert [pair.name for pair in store.pairs()] == ["big"]
    assert not path.exists()
    assert "pairs.json.broken" in store.damaged()[0].reason


def test_a_pair_needs_two_installed_models(store: ModelStore, model: str) -> None:
    with pytest.raises(SlipstreamError, match="not installed"):
        store.make_pair(model, "absent")
    with pytest.raises(SlipstreamError, match="can't draft for itself"):
        store.make_pair(model, model)


def test_a_pair_is_made_once_and_kept(store: ModelStore, model: str, tmp_path: Path) -> None:
    draft = store.import_file(tiny_gguf(tmp_path / "small.gguf", title="Small", seed=2))
    pair = store.make_pair(model, draft)
    assert pair == Pair("my-model+small", "My model, drafted by Small", "my-model", "small")
    assert store.make_pair(model, draft) == pair
    again = ModelStore(store.home, store.catalogue)
    assert again.pairs().count(pair) == 1
    assert again.pair(pair.name) == pair


def test_a_draft_that_differs_in_an_added_token_is_accepted(
    store: ModelStore, model: str, tmp_path: Path
) -> None:
    draft = store.import_file(tiny_gguf(tmp_path / "small.gguf", last="<|stop|>"))
    pair = store.make_pair(model, draft)
    assert (pair.target, pair.draft) == (model, draft)


def test_an_own_model_that_is_gone_cannot_be_fetched(store: ModelStore) -> None:
    _install(store, "big", "Big")
    _keep_pair(store)
    with pytest.raises(SlipstreamError, match="“small” is not installed and can't be fetched"):
        store.fetch("mine")


def converted(store: ModelStore, model: str) -> Path:
    """A folder as a conversion leaves it."""
    folder = store.path(model) / "openvino" / "int8-v2"
    folder.mkdir(parents=True)
    (folder / "weights.bin").write_bytes(b"weights")
    conversions.record(folder)
    return folder


def test_verify_deletes_a_damaged_conversion_and_says_so(store: ModelStore, model: str) -> None:
    folder = converted(store, model)
    assert store.verify(model) == []
    (folder / "weights.bin").write_bytes(b"weightz")
    (sentence,) = store.verify(model)
    assert "made again" in sentence
    assert not folder.exists()
    assert store.verify(model) == []


def test_a_conversion_without_a_recorded_hash_is_left_alone(store: ModelStore, model: str) -> None:
    folder = converted(store, model)
    (folder / "weights.sha256").unlink()
    assert store.verify(model) == []
    assert folder.exists()


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_home_that_is_a_file_gives_a_sentence(tmp_path: Path, below: str) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SlipstreamError, match=r"is not a folder.*SLIPSTREAM_HOME"):
        ModelStore(file / below, Catalogue({}, {}))


def test_pairs_that_the_system_does_not_give_are_told_and_harm_no_model(
    store: ModelStore, model: str
) -> None:
    own = store.home / "models" / "pairs.json"
    own.mkdir()
    assert [pair.name for pair in store.pairs()] == [model]
    assert "Is a directory" in store.damaged()[0].reason
    with pytest.raises(SlipstreamError, match="move it away"):
        OwnPairs(own.parent).add(Pair("a", "A", "b", "c"))
    store.remove(model)
    assert own.is_dir()


def test_deep_nesting_is_damage_like_any_other(store: ModelStore, model: str) -> None:
    deep = "[" * 100_000
    (store.home / "models" / "pairs.json").write_text(deep)
    (store.path(model) / manifest.MANIFEST).write_text(deep)
    assert store.pairs() == []
    assert [found.name for found in store.damaged()] == [model, "pairs.json"]


def test_a_model_file_that_the_system_does_not_give_is_damage(
    store: ModelStore, model: str, tmp_path: Path
) -> None:
    good = store.import_file(tiny_gguf(tmp_path / "good.gguf", seed=2))
    file = store.path(model) / manifest.MODEL_FILE
    file.unlink()
    file.symlink_to(file)
    assert [found.name for found in store.installed()] == [good]
    assert "can't be read" in store.damaged()[0].reason


def test_sizes_that_round_to_the_same_are_told_in_bytes(store: ModelStore, model: str) -> None:
    file = store.path(model) / manifest.MODEL_FILE
    size = file.stat().st_size
    with file.open("ab") as longer:
        longer.write(b"x")
    assert f"{size + 1:,} bytes instead of {size:,} bytes" in store.damaged()[0].reason


def test_a_pairs_name_is_no_models_name(tmp_path: Path) -> None:
    pair = Pair("duo", "Duo", "big", "small")
    store = ModelStore(tmp_path / "home", Catalogue({}, {"duo": pair}))
    with pytest.raises(SlipstreamError, match=r"“duo” is the name of a pair.*big and small"):
        store.make_pair("duo", "duo")


def test_a_removed_model_comes_back_with_its_pairs(store: ModelStore, model: str, tmp_path: Path) -> None:
    draft = store.import_file(tiny_gguf(tmp_path / "small.gguf", seed=3))
    pair = store.make_pair(model, draft)

    removed = store.removal.set_aside(draft)
    assert not store.is_installed(draft)
    assert pair not in store.pairs()
    assert store.damaged() == []

    store.removal.bring_back(removed)
    assert store.is_installed(draft)
    assert pair in store.pairs()
    assert store.verify(draft) == []


def test_what_is_aside_goes_for_good_at_the_end(store: ModelStore, model: str, tmp_path: Path) -> None:
    removed = store.removal.set_aside(model)
    store.removal.finish()
    assert not any((store.home / "models" / ".aside").iterdir())
    with pytest.raises(SlipstreamError, match="for good"):
        store.removal.bring_back(removed)


def test_a_model_fetched_again_keeps_its_place(store: ModelStore, model: str, tmp_path: Path) -> None:
    removed = store.removal.set_aside(model)
    store.import_file(tmp_path / "My Model.gguf")
    with pytest.raises(SlipstreamError, match="installed again"):
        store.removal.bring_back(removed)
