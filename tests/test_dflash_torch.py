"""The same blocks once more in torch, written from the papers with torch's own layers. Needs the extra `train`.

safetensors' torch side reads the files, bfloat16 included; torch's attention takes the masks.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402
from torch.nn import functional  # noqa: E402

from engine.drafters.block_model import BlockModel  # noqa: E402
from engine.graphs.compress import WeightFormat  # noqa: E402
from engine.graphs.convert import converted_weights  # noqa: E402
from engine.graphs.dflash_convert import drafter_weights  # noqa: E402
from engine.graphs.weights import Weights  # noqa: E402
from tests.dflash_checkpoints import FORMS, write_drafter  # noqa: E402
from tests.tiny_models import Shape, tensors, write_model  # noqa: E402

TARGET = Shape("qwen2", layers=4, context=4096)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Weights:
    folder = tmp_path_factory.mktemp("target")
    write_model(folder / "model.gguf", TARGET)
    return converted_weights(folder, WeightFormat.F32)


class TorchDrafter:
    """Reads a folder's own config.json, whatever the format."""

    def __init__(self, folder: Path) -> None:
        self.config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.c = self.config.get("transformer_layer_config", self.config)
        self.w = {name: t.float() for name, t in load_file(folder / "model.safetensors").items()}
        for name in [name for name in self.w if name.endswith("_scale")]:
            self.w[name.removesuffix("_scale")] *= self.w[name][:, None]
        written = tensors(TARGET)
        self.embedding = torch.from_numpy(written["token_embd.weight"])
        self.head = torch.from_numpy(written["output.weight"])
        if "d2t" in self.w:
            drafted = (torch.arange(len(self.w["d2t"])) + self.w["d2t"]).long()
            self.head = self.w.get("lm_head.weight", self.head[drafted])
        own = self.config.get("dflash_config", {})
        self.mask = own.get("mask_token_id", self.config.get("mask_token_id"))
        kind = self.config.get("speculators_model_type")
        self.from_anchor = kind == "dspark" or self.config.get("architectures") == ["Qwen3DSparkModel"]
        self.always_bidirectional = self.config.get("architectures") == ["Qwen3DSparkModel"]

    def block(self, features: Any, anchor: int, drafted: int) -> Any:
        """Logits [drafted, draft vocabulary]."""
        rows = drafted if self.from_anchor else drafted + 1
        context = self._norm(functional.linear(features, self.w["fc.weight"]), "hidden_norm")
        x = self.embedding[torch.tensor([anchor] + [self.mask] * (rows - 1))]
        for index in range(self.c["num_hidden_layers"]):
            layer = f"layers.{index}."
            x = x + self._attention(index, self._norm(x, layer + "input_layernorm"), context)
            normed = self._norm(x, layer + "post_attention_layernorm")
            gate, up = (
                functional.linear(normed, self.w[f"{layer}mlp.{p}_proj.weight"]) for p in ("gate", "up")
            )
            x = x + functional.linear(functional.silu(gate) * up, self.w[f"{layer}mlp.down_proj.weight"])
        return functional.linear(self._norm(x, "norm"), self.head)[rows - drafted :]

    def _norm(self, x: Any, name: str) -> Any:
        weight = self.w[name + ".weight"]
        return functional.rms_norm(x, weight.shape, weight, self.c["rms_norm_eps"])

    def _heads(self, x: Any, name: str) -> Any:
        return functional.linear(x, self.w[name]).unflatten(-1, (-1, self.c["head_dim"])).transpose(0, 1)

    def _attention(self, index: int, x: Any, context: Any) -> Any:
        name, past = f"layers.{index}.self_attn.", len(context)
        places = torch.arange(past + len(x))
        both = torch.cat([context, x])
        q = self._rope(self._norm(self._heads(x, name + "q_proj.weight"), name + "q_norm"), places[past:])
        k = self._rope(self._norm(self._heads(both, name + "k_proj.weight"), name + "k_norm"), places)
        v = self._heads(both, name + "v_proj.weight")
        mixed = functional.scaled_dot_product_attention(
            q[None], k[None], v[None], attn_mask=self._mask(index, places, past), enable_gqa=True
        )
        return functional.linear(mixed[0].transpose(0, 1).flatten(1), self.w[name + "o_proj.weight"])

    def _mask(self, index: int, places: Any, past: int) -> Any:
        far = places[past:, None] - places[None, :]
        if self.c["layer_types"][index] == "full_attention":
            return torch.ones_like(far, dtype=torch.bool)
        window = far < self.c["sliding_window"]
        return window if self.always_bidirectional else window & (far >= 0)

    def _rope(self, y: Any, places: Any) -> Any:
        half = self.c["head_dim"] // 2
        turns = places[:, None] * 10_000.0 ** (-torch.arange(half) / half)
        turned = torch.view_as_complex(torch.stack([y[..., :half], y[..., half:]], -1)) * torch.exp(
            1j * turns
        )
        return torch.cat([turned.real, turned.imag], -1)


@pytest.mark.parametrize("name", FORMS)
def test_blocks_are_those_of_torch(name: str, target: Weights, tmp_path: Path) -> None:
    folder = write_drafter(tmp_path, FORMS[name])
    ours = BlockModel(drafter_weights(folder, target, WeightFormat.F32), kv_type="f32")
    theirs = TorchDrafter(folder)
    features = (np.random.default_rng(7).standard_normal((90, 128)) * 2.0).astype(np.float32)
    for begin, end, drafted in ((0, 30, 3), (30, 31, 1), (31, 37, 5), (37, 90, 4)):
        ours.take(begin, features[begin:end])
        expected = theirs.block(torch.from_numpy(features[:end]), 5, drafted)
        np.testing.assert_allclose(ours.draft(5, drafted)[0], expected.numpy(), atol=1e-4)
