"""Every kind of checkpoint and position scaling, imported and computed, against llama.cpp where it is installed."""

from pathlib import Path

import numpy as np
import pytest

from engine.errors import SlipstreamError
from engine.graphs.checkpoint import Checkpoint
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import compress_gguf
from engine.models.store import ModelStore
from engine.target import Target
from engine.tokenizer import Tokenizer
from tests.architectures_run import FOLDERS, TOKENS
from tests.logits_check import compare, llama_logits, our_logits
from tests.tiny_checkpoints import Folder, write


@pytest.mark.parametrize("name", FOLDERS)
def test_the_file_computes_what_the_folder_does(name: str, tmp_path: Path) -> None:
    """GIVEN a checkpoint WHEN it is imported THEN the GGUF file gives its logits, and llama.cpp the same ones."""
    folder = write(tmp_path / "model", FOLDERS[name])
    store = ModelStore(tmp_path / "home")
    path = store.path(store.import_file(folder)) / "model.gguf"

    ours = our_logits(path, TOKENS, WeightFormat.F32)
    direct = Target(compress_gguf(Checkpoint.open(folder), WeightFormat.F32)).forward(TOKENS[:100])
    np.testing.assert_allclose(ours[:100], direct, atol=2e-3)
    pytest.importorskip("llama_cpp")
    assert compare(llama_logits(path, TOKENS), ours).mean < 0.004


@pytest.mark.parametrize(
    ("kind", "more", "sentence"),
    [
        ("llama", {"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}, "position scaling 'dynamic'"),
        ("llama", {"hidden_act": "relu"}, "activation 'relu'"),
        ("gemma3_text", {"final_logit_softcapping": 30.0}, "caps its logits"),
        ("gemma3_text", {"layer_types": ["full_attention"] * 4}, "pattern of 'layer_types'"),
        ("smollm3", {"no_rope_layers": [1, 1, 0, 1]}, "pattern of 'no_rope_layers'"),
    ],
)
def test_what_the_graph_does_not_compute_is_refused(
    kind: str, more: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    folder = write(tmp_path / "model", Folder(kind, more))
    with pytest.raises(SlipstreamError, match=sentence):
        ModelStore(tmp_path / "home").import_file(folder)


def test_a_window_that_the_file_cannot_name_ends_the_context(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", Folder("mistral", {"sliding_window": 128}))
    assert Checkpoint.open(folder).architecture.context == 128


def test_a_sentencepiece_vocabulary_comes_along(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", Folder("llama"), spm=True)
    store = ModelStore(tmp_path / "home")
    tokenizer = Tokenizer.from_gguf(store.path(store.import_file(folder)) / "model.gguf")

    assert [tokenizer.tokens[i] for i in tokenizer.encode("ab  é")] == ["▁ab", "▁", "▁", "<0xC3>", "<0xA9>"]
    assert tokenizer.decode(tokenizer.encode("ab é\n")) == " ab é\n"
    assert tokenizer.decode([tokenizer.vocab_size - 1]) == ""
