"""The target's own matrices as float32, for a network that borrows them."""

from dataclasses import dataclass

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

from engine.device import core
from engine.graphs.weights import Weights

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Borrowed:
    """embedding [vocab, hidden], head [draft vocabulary, hidden], final_norm [hidden]."""

    embedding: Floats
    head: Floats
    final_norm: Floats

    @classmethod
    def of(cls, weights: Weights, draft_ids: NDArray[np.int64]) -> "Borrowed":
        head = dense(weights, "head")
        embedding = dense(weights, "embedding") if "embedding" in weights else head
        return cls(embedding, head[draft_ids], weights.vector("final_norm").reshape(-1).copy())


def dense(weights: Weights, name: str) -> Floats:
    """A compressed matrix [out, in], decompressed."""
    model = ov.Model([ops.result(weights[name])], [], "dense")
    compiled = core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return np.array(compiled([])[0], dtype=np.float32)
