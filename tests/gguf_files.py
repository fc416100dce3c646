"""Small GGUF files, written by the gguf library, for tests that only look at a file's structure."""

from pathlib import Path

import gguf
import numpy as np

_PRINTABLE = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
_OTHERS = [byte for byte in range(256) if byte not in _PRINTABLE]
_BYTES = [chr(byte if byte in _PRINTABLE else 0x100 + _OTHERS.index(byte)) for byte in range(256)]


def tiny_gguf(
    path: Path, architecture: str = "llama", title: str = "", seed: int = 1, last: str = "<|end|>"
) -> Path:
    """Two tensors (F32 and Q8_0), metadata of every kind, a byte-level vocabulary that ends with `last`."""
    writer = gguf.GGUFWriter(path, architecture)
    if title:
        writer.add_name(title)
    writer.add_license("mit")
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(32)
    writer.add_feed_forward_length(32)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_bool("test.flag", True)
    writer.add_array("test.scores", [0.5, 1.5])
    tokens = [*_BYTES, "ab", last]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.NORMAL] * 257 + [gguf.TokenType.CONTROL])
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(len(tokens) - 1)
    noise = np.random.default_rng(seed).standard_normal((4, 32)).astype(np.float32)
    writer.add_tensor("output_norm.weight", noise)
    packed = gguf.quantize(noise, gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("output.weight", packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
