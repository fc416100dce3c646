"""`slipstream train store`: recorded answers become a store that the engine finds; a card says where they are from."""

import json
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from engine import licences
from engine.drafters import store_file
from engine.models import disk, manifest
from engine.models.catalogue import Catalogue
from engine.models.paths import assets_dir
from engine.models.store import ModelStore
from engine.train.answers import Answer, AnswerWriter
from engine.train.target_model import TargetModel
from tests.tiny_models import Shape, write_model

TEXTS = ("Tell me about the sea.", "Count to three.", "Name a colour.")
ANSWERS = ([5, 6, 7, 8], [9, 10, 11], [12, 13, 14, 15, 16])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model and three recorded answers of it, the last one sampled."""
    folder = tmp_path_factory.mktemp("home")
    store = ModelStore(folder)
    store.import_file(write_model(folder / "tiny.gguf", Shape("qwen2", hidden=128, layers=2)), "tiny")
    target = TargetModel.load(store, "tiny")
    prompts = [
        {"id": f"p{i}", "turns": [text], "source": "own", "licence": "MIT"} for i, text in enumerate(TEXTS)
    ]
    (folder / "prompts.jsonl").write_text("\n".join(map(json.dumps, prompts)), encoding="utf-8")
    (folder / "unwanted.jsonl").write_text(json.dumps({**prompts[1], "id": "other"}), encoding="utf-8")
    from engine.bench.prompts import load_prompts

    with AnswerWriter(folder / "answers", target.identity) as writer:
        for prompt, tokens in zip(load_prompts(folder / "prompts.jsonl"), ANSWERS, strict=True):
            ids = [np.array(part, dtype=np.int32) for part in (target.encode(prompt), tokens)]
            top = np.zeros((len(tokens), 1), dtype=np.int32)
            heat = 0.7 * (prompt.id == "p2")
            writer.append(Answer(f"{prompt.id}#0", heat, 1, True, *ids, top, top.astype(np.float16)))
    return folder


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("SLIPSTREAM_HOME", str(home))
    out = tmp_path / "answers.store"

    def run(*options: str) -> int:
        return main(
            ["train", "store", str(home / "answers"), "--pair", "tiny", "--out", str(out), *map(str, options)]
        )

    run.out = out
    return run


def read(home: Path, path: Path) -> list[int]:
    model = ModelStore(home).path("tiny")
    return store_file.read(path, manifest.read(model).sha256, 259).ids.tolist()


def test_answers_are_stored_in_their_order(run, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    assert "3 answers with 12 tokens" in capsys.readouterr().out
    assert read(home, run.out) == [5, 6, 7, 8, 259, 9, 10, 11, 259, 12, 13, 14, 15, 16, 259]
    assert [path.name for path in run.out.parent.iterdir()] == ["answers.store"]


def test_so_many_tokens_and_no_answers_to_some_prompts(run, home: Path) -> None:
    assert run("--tokens", "8") == 0
    assert read(home, run.out) == [5, 6, 7, 8, 259, 9, 10, 11, 259]
    assert run("--without", home / "unwanted.jsonl") == 0
    assert read(home, run.out) == [5, 6, 7, 8, 259, 12, 13, 14, 15, 16, 259]


def test_the_card_says_what_is_in_the_file(run, home: Path) -> None:
    assert run("--prompts", home / "prompts.jsonl", "--without", home / "unwanted.jsonl") == 0
    card = (run.out.parent / "README.md").read_text(encoding="utf-8")
    assert "2 answers (9 tokens)" in card
    assert "2 prompts, 1 of the answers greedy" in card
    assert "| own | MIT | 2 |" in card
    assert "unwanted.jsonl" in card
    assert disk.sha256(run.out) in card


def test_another_models_answers_are_not_stored(run, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = home / "answers" / "settings.json"
    kept = settings.read_text(encoding="utf-8")
    settings.write_text(kept.replace(json.loads(kept)["model_sha256"], "cd" * 32), encoding="utf-8")
    assert run() == 1
    assert "answers of another model" in capsys.readouterr().err
    assert not run.out.exists()
    settings.write_text(kept, encoding="utf-8")


@pytest.mark.parametrize(
    "path", sorted((assets_dir() / "stores").glob("*/answers.store")), ids=lambda p: p.parent.name
)
def test_what_is_shipped_is_whole_small_and_described(path: Path) -> None:
    """GIVEN a store among the assets THEN it is its model's, below 6 MB, and its card and licences are shown."""
    entry = Catalogue.load().models[path.parent.name]
    assert store_file.target_of(path) == entry.sha256
    card = path.with_name("README.md").read_text(encoding="utf-8")
    assert disk.sha256(path) in card
    assert path.stat().st_size < 6_000_000
    vocabulary = store_file.HEADER.unpack(path.read_bytes()[: store_file.HEADER.size])[2]
    stored = store_file.read(path, entry.sha256, vocabulary)
    assert f"{stored.answers:,} answers ({stored.tokens:,} tokens)" in card
    listed = {part.name: part for part in licences.drafters()}
    assert listed[f"Answers of {entry.title}"].texts[0] == ("README.md", card)
