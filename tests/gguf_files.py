"""Small GGUF files, written by the gguf library, for tests that only look at a file's structure."""

from pathlib import Path

import gguf
import numpy as np


def tiny_gguf(path: Path, architecture: str = "llama", title: str = "", seed: int = 1) -> Path:
    """Two tensors (F32 and Q8_0), some metadata of every kind, a vocabulary of three tokens."""
    writer = gguf.GGUFWriter(path, architecture)
    if title:
        writer.add_name(title)
    writer.add_license("mit")
    writer.add_block_count(1)
    writer.add_bool("test.flag", True)
    writer.add_array("test.scores", [0.5, 1.5])
    writer.add_token_list(["a", "b", "c"])
    noise = np.random.default_rng(seed).standard_normal((4, 32)).astype(np.float32)
    writer.add_tensor("output_norm.weight", noise)
    packed = gguf.quantize(noise, gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("output.weight", packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
