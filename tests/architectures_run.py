"""Compares every architecture and position scaling with llama.cpp on tiny random models: a script, not collected.

    python -m tests.architectures_run [--hugging-face PYTHON]

Each model is written as a Hugging Face folder, imported, and the file that comes out computed by both programs.
With PYTHON of an environment that has transformers, the folder itself is computed there too.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from engine.graphs.compress import WeightFormat
from engine.models.store import ModelStore
from tests.logits_check import compare, llama_logits, our_logits
from tests.tiny_checkpoints import Folder, write

TOKENS = [(31 * i * i + 11 * i + i // 7) % 256 for i in range(200)]
_LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
_FACTORS = {"short_factor": [1.0 + i / 8 for i in range(32)], "long_factor": [2.0 + i for i in range(32)]}
FOLDERS = {
    "llama": Folder("llama"),
    "llama tied": Folder("llama", tied=True),
    "llama linear": Folder("llama", {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}),
    "llama llama3": Folder(
        "llama",
        {"rope_scaling": {"rope_type": "llama3", "original_max_position_embeddings": 64, **_LLAMA3}},
    ),
    "mistral": Folder("mistral", {"sliding_window": None}),
    "qwen2": Folder("qwen2"),
    "qwen2 yarn": Folder(
        "qwen2",
        {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}},
    ),
    "qwen3": Folder("qwen3", tied=True),
    "qwen3 yarn": Folder(
        "qwen3",
        {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}},
    ),
    "smollm3": Folder("smollm3", layers=5),
    "phi3": Folder("phi3"),
    "phi3 partial": Folder("phi3", {"partial_rotary_factor": 0.5}),
    "phi3 longrope": Folder(
        "phi3",
        {
            "max_position_embeddings": 1024,
            "original_max_position_embeddings": 256,
            "rope_scaling": {"type": "longrope", **_FACTORS},
        },
    ),
    "gemma3": Folder("gemma3_text", layers=7, tied=True),
    "gemma3 linear": Folder(
        "gemma3_text",
        {"rope_scaling": {"rope_type": "linear", "factor": 8.0}},
        layers=7,
        tied=True,
    ),
}
_REFERENCE = """
import sys, json, numpy as np, torch
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.float32, attn_implementation="eager")
with torch.no_grad():
    np.save(sys.argv[2], model(torch.tensor([json.loads(sys.argv[3])])).logits[0].numpy())
"""


def check(name: str, shape: Folder, scratch: Path, python: str | None) -> str:
    index = list(FOLDERS).index(name)  # llama.cpp has rules of its own for files that are called like "phi3"
    folder = write(scratch / f"model-{index}", shape)
    store = ModelStore(scratch / "home")
    path = store.path(store.import_file(folder)) / "model.gguf"
    ours = our_logits(path, TOKENS, WeightFormat.F32)
    told = f"{name:14} llama.cpp: {compare(llama_logits(path, TOKENS), ours)}"
    if python:
        saved = scratch / "logits.npy"
        subprocess.run([python, "-c", _REFERENCE, folder, saved, json.dumps(TOKENS)], check=True)
        told += f"  transformers: {compare(np.load(saved), ours)}"
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hugging-face", metavar="PYTHON")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for name, shape in FOLDERS.items():
            if name.startswith(options.only):
                print(check(name, shape, Path(scratch), options.hugging_face), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
