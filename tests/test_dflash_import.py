"""A trained drafter's folder on its way in: by the command line from import to answer, and every way to be refused."""

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from app.cli import main
from app.models.model_words import format_of
from engine.errors import SlipstreamError
from engine.graphs.dflash_checkpoint import _expected
from engine.graphs.dflash_config import read_shape
from engine.graphs.dflash_shape import misfit, shape_from_json
from engine.graphs.gguf_model import GgufModel
from engine.models.store import ModelStore
from engine.train.drafter_folder import write_drafter as write_trained
from engine.train.recipe import Recipe
from tests.dflash_checkpoints import FORMS, Drafter, config, tensors, write_drafter
from tests.tiny_models import Shape, write_model

TARGET = Shape("qwen2", layers=4, context=600)


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    store = ModelStore(tmp_path / "slipstream-home")
    store.import_file(write_model(tmp_path / "target.gguf", TARGET), "target")
    return store


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 1
    return capsys.readouterr().err


# The whole way, as a person goes it


def test_from_a_folder_to_an_answer(
    store: ModelStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN a downloaded folder WHEN it is imported, paired and asked THEN it drafts, and no token changes."""
    folder = write_drafter(tmp_path / "Some Drafter", FORMS["deepspec"])
    (folder / "README.md").write_text("---\nlicense: mit\ntags:\n- x\n---\n# A drafter\n", encoding="utf-8")
    assert told(capsys, "models", "import", str(folder)) == {"imported": "some-drafter"}
    listed = told(capsys, "models", "list")["models"]
    assert [(m["name"], m["format"], m["licence"]) for m in listed] == [
        ("some-drafter", "dflash", "mit"),
        ("target", "gguf", "not stated"),
    ]
    pair = told(capsys, "models", "pair", "target", "some-drafter")["pair"]["name"]
    shutil.rmtree(folder)
    ask = ("ask", "One, two, three", "--pair", pair, "--max-tokens", "24")
    plain = told(capsys, *ask, "--speculation", "off")
    for extra in (("--draft-tokens", "5"), ("--draft-tokens", "9"), ()):
        found = told(capsys, *ask, "--speculation", "dflash", *extra)
        assert found["token_ids"] == plain["token_ids"]
        assert found["mode"] == "dflash"
        if extra:
            assert set(found["stats"]["drafted_by_source"]) == {"dflash"}
    assert told(capsys, "models", "verify")["models"][0]["ok"]


def test_the_kind_of_a_drafter_is_kept_and_told(store: ModelStore, tmp_path: Path) -> None:
    """GIVEN an EAGLE head of 'slipstream train' and a block drafter WHEN they are imported THEN each is called so."""
    target = GgufModel.open(tmp_path / "target.gguf").architecture
    shape = Recipe(kind="eagle", draft_vocab=target.vocab).shape(target, (0, 1), 0)
    weights = {name: np.zeros(sizes, np.float32) for name, sizes in _expected(shape)}
    write_trained(tmp_path / "head", shape, weights, np.arange(target.vocab), {})
    store.import_file(tmp_path / "head")
    store.import_file(write_drafter(tmp_path / "block", FORMS["z-lab"]))
    found = {model.name: model for model in store.installed()}
    assert [found[name].architecture for name in ("head", "block")] == ["EAGLE head", "block drafter, z-lab"]
    assert format_of(found["head"]) == "EAGLE head"
    assert format_of(found["block"]) == "Block drafter (DFlash)"


def test_the_benchmark_measures_it(
    store: ModelStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafter = store.import_file(write_drafter(tmp_path / "drafter", FORMS["z-lab"]))
    pair = store.make_pair("target", drafter)
    prompts, result = tmp_path / "prompts.jsonl", tmp_path / "result.json"
    prompts.write_text('{"id": "a", "category": "chat", "turns": ["Hello", "And then?"]}\n', encoding="utf-8")
    arguments = ["bench", "--pair", pair.name, "--prompts", str(prompts), "--max-tokens", "12"]
    assert main([*arguments, "--modes", "plain,dflash,auto", "--json", str(result)]) == 0
    rows = json.loads(result.read_text(encoding="utf-8"))["rows"]
    assert {row["mode"] for row in rows} == {"plain", "dflash", "auto"}
    assert len({tuple(row["token_ids"]) if "token_ids" in row else row["tokens"] for row in rows}) == 1
    capsys.readouterr()


def test_a_drafter_does_not_answer_by_itself(
    store: ModelStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.import_file(write_drafter(tmp_path / "drafter"))
    assert "drafter" not in [pair.name for pair in store.pairs()]
    for name in (("ask", "x", "--pair", "drafter"), ("models", "pair", "drafter", "target")):
        assert "“drafter” only drafts" in refused(capsys, *name)


def test_a_pair_without_one_says_so(
    store: ModelStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no trained drafter" in refused(capsys, "ask", "x", "--pair", "target", "--speculation", "dflash")


def test_removing_a_drafter_removes_its_pairs(store: ModelStore, tmp_path: Path) -> None:
    name = store.import_file(write_drafter(tmp_path / "drafter"))
    pair = store.make_pair("target", name)
    store.remove(name)
    assert pair.name not in [each.name for each in store.pairs()]
    assert not store.is_installed(name)


# Names and damage


def test_the_same_drafter_twice_is_one(store: ModelStore, tmp_path: Path) -> None:
    folder = write_drafter(tmp_path / "drafter")
    assert store.import_file(folder) == store.import_file(folder)
    with pytest.raises(SlipstreamError, match="under another name"):
        store.import_file(write_drafter(tmp_path / "b" / "drafter", Drafter(seed=2)))
    with pytest.raises(SlipstreamError, match="under another name"):
        store.import_file(folder, "target")
    assert store.import_file(folder, "mine") == "mine"


def test_damage_is_found_and_named(store: ModelStore, tmp_path: Path) -> None:
    name = store.import_file(write_drafter(tmp_path / "drafter"))
    file = store.path(name) / "model.safetensors"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    with pytest.raises(SlipstreamError, match="“drafter” is damaged"):
        store.verify(name)
    file.write_bytes(content[:-1])
    assert [model.name for model in store.damaged()] == [name]


def test_incomplete_folders_are_refused(store: ModelStore, tmp_path: Path) -> None:
    folder = write_drafter(tmp_path / "drafter")
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[:-100])
    with pytest.raises(SlipstreamError, match="not a complete safetensors file"):
        store.import_file(folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(SlipstreamError, match=r"has no model\.safetensors"):
        store.import_file(folder)
    for text in ("{", "[1]", "{}", '"text"', ""):
        (folder / "config.json").write_text(text, encoding="utf-8")
        with pytest.raises(SlipstreamError):
            store.import_file(folder)
    assert [model.name for model in store.installed()] == ["target"]


@pytest.mark.parametrize("name", FORMS)
def test_every_missing_or_misshapen_tensor_is_named(name: str, store: ModelStore, tmp_path: Path) -> None:
    drafter = replace(FORMS[name], bfloat16=False)
    folder, written = write_drafter(tmp_path / name, drafter), tensors(drafter)
    needed = set(written) - {"embed_tokens.weight", "lm_head.weight", "t2d", "d2t"}
    for missing in sorted(needed)[::5]:
        save_file(
            {key: value for key, value in written.items() if key != missing}, folder / "model.safetensors"
        )
        with pytest.raises(SlipstreamError, match=f"no tensor '{missing}'"):
            store.import_file(folder)
        wrong = {**written, missing: np.zeros((3, 5), dtype=np.float32)}
        save_file(wrong, folder / "model.safetensors")
        with pytest.raises(SlipstreamError, match=f"'{missing}' has the sizes"):
            store.import_file(folder)
    save_file({**written, "selector.weight": np.zeros(3, dtype=np.float32)}, folder / "model.safetensors")
    with pytest.raises(SlipstreamError, match=r"does not know, 'selector\.weight'"):
        store.import_file(folder)


@pytest.mark.parametrize(
    ("d2t", "t2d"),
    [
        (np.zeros(5, dtype=np.int64), None),  # too few
        (np.arange(128)[::-1].copy(), None),  # not ascending
        (np.full(128, 500), None),  # beyond the vocabulary
        (np.zeros(128, dtype=np.int64), np.ones(259, dtype=bool)),  # marks of another count
    ],
)
def test_a_wrong_table_of_drafted_tokens_is_refused(
    d2t: np.ndarray, t2d: np.ndarray | None, store: ModelStore, tmp_path: Path
) -> None:
    drafter = FORMS["speculators-dflash"]
    folder, written = write_drafter(tmp_path / "drafter", drafter), tensors(drafter)
    written["d2t"] = d2t
    written.pop("t2d")
    if t2d is not None:
        written["t2d"] = t2d
    save_file(written, folder / "model.safetensors")
    with pytest.raises(SlipstreamError, match="drafter's t"):
        store.import_file(folder)


# Formats


@pytest.mark.parametrize("name", FORMS)
def test_formats_are_told_apart(name: str) -> None:
    """What each says of itself, in one shape; and the shape survives JSON."""
    drafter = FORMS[name]
    shape = read_shape(config(drafter))
    assert shape.format == drafter.form.partition("-d")[0].replace("deepspec-", "deepspec")
    assert shape.taps == drafter.taps
    assert shape.from_anchor == drafter.predicts_from_anchor
    assert shape.longest_draft == drafter.longest
    assert shape.causal == tuple(drafter.is_causal(layer) for layer in range(drafter.layers))
    assert shape.windows == tuple(drafter.window * (i in drafter.sliding) for i in range(drafter.layers))
    assert (shape.vocab, shape.draft_vocab) == (drafter.vocab, drafter.draft_vocab)
    assert shape_from_json(json.loads(json.dumps(asdict(shape)))) == shape


@pytest.mark.parametrize("form", ["z-lab", "speculators-dflash"])
@pytest.mark.parametrize("causal", [None, False])
def test_what_a_config_says_of_causality_goes(form: str, causal: bool | None) -> None:
    shape = read_shape(config(Drafter(form, sliding=(0,), causal=causal)))
    assert shape.causal == (causal is None, False)


def test_a_config_may_say_which_row_predicts_what() -> None:
    for form, said in (("speculators-dflash", True), ("speculators-dspark", False)):
        assert read_shape(config(Drafter(form))).from_anchor is not said
        assert read_shape(config(Drafter(form, from_anchor=said))).from_anchor is said


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"architectures": ["DFlash2DraftModel"]}, "DFlash2DraftModel, which is no trained drafter"),
        ({"architectures": ["LlamaForCausalLM"]}, "LlamaForCausalLM, which is no trained drafter"),
        ({"architectures": None}, "nothing, which is no trained drafter"),
        ({"dflash_config": {"mask_token_id": 1, "target_layer_ids": [1], "selector_rank": 256}}, "DFlash2"),
        ({"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}, "position scaling 'yarn'"),
        ({"input_embedding_scale": 45.25}, "scaled embeddings"),
        ({"final_logit_softcapping": 30.0}, "scaled logits"),
        ({"dflash_config": {"mask_token_id": 1}}, "wrong about 'target_layer_ids'"),
        ({"dflash_config": {"mask_token_id": 1, "target_layer_ids": "x"}}, "wrong about 'target_layer_ids'"),
        ({"dflash_config": {"mask_token_id": 1, "target_layer_ids": [3, 1]}}, "taps"),
        ({"dflash_config": {"mask_token_id": 1, "target_layer_ids": [-1, 1]}}, "embedding as a tap"),
        ({"hidden_size": None}, "wrong about 'hidden_size'"),
        ({"num_key_value_heads": 3}, "its sizes"),
        ({"block_size": 1}, "its sizes"),
        ({"layer_types": ["linear_attention"] * 2}, "layer_types"),
    ],
)
def test_configs_that_cannot_be_served_say_why(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(SlipstreamError, match=reason):
        read_shape(config(Drafter()) | change)


# Fit


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hidden": 32}, "hidden states of 32 numbers, and the target's have 64"),
        ({"vocab": 300}, "vocabulary has 300 tokens, and the target's has 259"),
        ({"target_layers": 6}, "trained for a target of 6 layers, and this one has 4"),
        ({"taps": (0, 3), "target_layers": 0}, "reads layer 4, and of the target's 4 layers the last"),
        ({"taps": (0, 8), "target_layers": 0}, "reads layer 9"),
        ({"mask_token": 259}, "mask token 259 is not in the target's vocabulary"),
    ],
)
def test_a_drafter_that_does_not_fit_is_refused_with_the_reason(
    change: dict[str, Any], reason: str, store: ModelStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = store.import_file(write_drafter(tmp_path / "drafter", replace(Drafter(), **change)))
    sentence = refused(capsys, "models", "pair", "target", name)
    assert sentence.startswith("“drafter” can't draft for “target”: it")
    assert reason in sentence
    assert sentence.count("\n") == 1


def test_one_that_fits_has_no_reason(tmp_path: Path) -> None:
    architecture = GgufModel.open(write_model(tmp_path / "target.gguf", TARGET)).architecture
    assert [misfit(read_shape(config(drafter)), architecture) for drafter in FORMS.values()] == [None] * len(
        FORMS
    )


@pytest.mark.parametrize("name", FORMS)
def test_nonsense_in_a_config_gives_a_sentence_or_a_shape(name: str) -> None:
    whole = config(FORMS[name])
    nested = "transformer_layer_config" if "transformer_layer_config" in whole else "dflash_config"
    for nonsense in (None, "x", [], {}, -1, 0, 10**400, float("inf"), [None], True):
        for key in whole:
            _read(whole | {key: nonsense})
        for key in whole.get(nested, ()):
            _read(whole | {nested: whole[nested] | {key: nonsense}})


def _read(changed: dict[str, Any]) -> None:
    try:
        read_shape(changed)
    except SlipstreamError as error:
        assert len(str(error)) < 400  # noqa: PT017
