"""Every kind of checkpoint and position scaling, imported and computed, against llama.cpp where it is installed."""

import random
from pathlib import Path

import gguf
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


def test_a_sentencepiece_vocabulary_cuts_as_llama_cpp_does(tmp_path: Path) -> None:
    """GIVEN pieces with random scores WHEN random texts are cut THEN both programs find the same pieces."""
    llama_cpp = pytest.importorskip("llama_cpp")
    chance = random.Random(1)
    path = write_spm(tmp_path / "spm.gguf", chance)
    ours = Tokenizer.from_gguf(path)
    theirs = llama_cpp.Llama(str(path), vocab_only=True, verbose=False)
    for _ in range(200):
        text = "".join(chance.choice("abcd  é\n") for _ in range(chance.randrange(1, 60)))
        assert ours.encode(text) == theirs.tokenize(text.encode(), add_bos=False, special=False), repr(text)
    theirs.close()


def write_spm(path: Path, chance: random.Random) -> Path:
    pieces = {"".join(chance.choices("abcd▁", k=chance.randrange(2, 6))) for _ in range(120)}
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *"abcd▁", *sorted(pieces)]
    kinds = [gguf.TokenType.UNKNOWN, *[gguf.TokenType.CONTROL] * 2, *[gguf.TokenType.BYTE] * 256]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(32)
    writer.add_feed_forward_length(32)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds + [gguf.TokenType.NORMAL] * (len(tokens) - len(kinds)))
    writer.add_token_scores(
        [0.0] * 259 + [float(score) for score in chance.sample(range(-len(tokens), 0), len(tokens) - 259)]
    )
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_tensor("token_embd.weight", np.zeros((len(tokens), 32), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
