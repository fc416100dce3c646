"""A compiled block drafter with its context: one row for every token that the target has read.

The context follows the target by itself: `take` is called with the features of every pass, forgets what the target
rolled back, and computes keys and values late, with the next block or when many rows wait. So there is nothing to
re-derive when a chat goes on, and passes of other drafters cost a copy.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from engine.device import compile_options, core
from engine.errors import SlipstreamError
from engine.graphs.attention import BLOCK
from engine.graphs.dflash import DrafterWeights, build_block, build_step
from engine.kv_cache import KvCache
from engine.load_options import AUTOMATIC, LoadOptions
from engine.target import Target

Floats = NDArray[np.float32]
Inputs = dict[str, NDArray[Any]]
MOST_WAITING = 512  # rows; more are computed before the next pass's come in


class BlockModel:
    """Follows one token sequence. One owner thread. Its cache is float16, as a draft model's: it only guesses."""

    def __init__(
        self, weights: DrafterWeights, options: LoadOptions = AUTOMATIC, kv_type: str = "f16"
    ) -> None:
        self.shape = weights.shape
        compiled = _compile(build_block(weights), options, kv_type)
        self._request = compiled.create_infer_request()
        self._typed = not all(self.shape.causal)
        self.cache = KvCache(self._request, compiled.inputs, BLOCK, self.shape.context)
        self._written = 0  # rows whose keys and values are in the cache
        self._features = np.zeros((64, len(self.shape.taps) * self.shape.hidden), dtype=np.float32)
        self.waiting = 0  # rows of _features that the next block has to read first
        self.step = StepModel(weights, options) if self.shape.sequential else None

    @property
    def rows(self) -> int:
        """Tokens whose features are known."""
        return self._written + self.waiting

    def follow(self, target: Target) -> None:
        target.reader = self.take

    def take(self, past: int, features: Floats) -> None:
        """The target read tokens from position `past` on. What the drafter's own context can't hold is not taken, and
        nothing after such a gap."""
        self.keep(past)
        if self.rows < past or past + len(features) > self.shape.context:
            return
        if self.waiting >= MOST_WAITING:
            try:
                self.absorb()
            except (
                SlipstreamError
            ):  # no memory for the drafter: it falls silent, and the target's answer goes on
                self.keep(0)
                return
        end = self.waiting + len(features)
        if end >= len(self._features):  # one row more is padding
            grown = np.zeros((2 * end, self._features.shape[1]), dtype=np.float32)
            grown[: self.waiting] = self._features[: self.waiting]
            self._features = grown
        self._features[self.waiting : end] = features
        self.waiting = end

    def keep(self, rows: int) -> None:
        """Forget all but the first `rows` tokens."""
        self.waiting = min(self.waiting, max(rows - self._written, 0))
        self._written = min(self._written, rows)

    def release(self, prompt: Sequence[int]) -> None:
        """Give back memory that a conversation of this length is far from needing."""
        self.keep(len(prompt))
        self.cache.shrink(len(prompt), self._written)

    def absorb(self) -> None:
        """Compute what waits now, so that no draft has to wait for it."""
        if self.waiting:
            self._infer(anchor=self.shape.mask_token, block=1, first=0)

    def draft(self, anchor: int, drafted: int) -> tuple[Floats, Floats]:
        """Logits [drafted, draft vocabulary] and hidden states [drafted, hidden] of the tokens after `anchor`, which
        follows the rows. They belong to the request: valid until the next call."""
        block = self.shape.block_rows(drafted)
        return self._infer(anchor, block, first=block - drafted)

    def _infer(self, anchor: int, block: int, first: int) -> tuple[Floats, Floats]:
        context, total = self.waiting, self.rows + block
        self.cache.reserve(total)
        used = self.cache.blocks_for(total)
        inputs: Inputs = {
            "features": self._features[: context + 1],
            "input_ids": np.array([anchor, *[self.shape.mask_token] * (block - 1)], dtype=np.int64),
            "position_ids": np.arange(self._written, total, dtype=np.int64),
            "query_rows": np.array([0] * context + list(range(1, block + 1)), dtype=np.int32),
            "block_rows": np.arange(context, context + block, dtype=np.int32),
            "logit_rows": np.arange(first, block, dtype=np.int32),
            "past_lens": np.array([self._written], dtype=np.int32),
            "subsequence_begins": np.array([0, context + block], dtype=np.int32),
            "block_indices": np.arange(used, dtype=np.int32),
            "block_indices_begins": np.array([0, used], dtype=np.int32),
            "max_context_len": np.array(total, dtype=np.int32),
        }
        if self._typed:
            inputs["token_types"] = np.array([0] * context + [1] * block, dtype=np.int32)
        _run(self._request, inputs)
        self._written, self.waiting = self.rows, 0
        return self._request.get_tensor("logits").data, self._request.get_tensor("hidden").data


class StepModel:
    """The heads that draw a block's tokens one after the other. `reset` before each block."""

    def __init__(self, weights: DrafterWeights, options: LoadOptions) -> None:
        self._shape = weights.shape
        compiled = _compile(build_step(weights), options)
        self._names = {port.any_name for port in compiled.inputs}
        self._request = compiled.create_infer_request()
        self._state = np.zeros((1, max(self._shape.markov_rank, 1)), dtype=np.float32)

    def reset(self) -> None:
        self._state[:] = 0.0

    def run(self, logits: Floats, hidden: Floats, previous: int) -> tuple[Floats, float | None]:
        """The row's logits [draft vocabulary] after the token `previous`, and the probability that it is accepted, if
        the drafter says so."""
        inputs: Inputs = {
            "logits": logits[None],
            "hidden": hidden[None],
            "token": np.array([previous], dtype=np.int64),
            "state": self._state,
        }
        _run(self._request, {name: value for name, value in inputs.items() if name in self._names})
        if "state" in self._names:
            self._state = self._request.get_tensor("new_state").data.copy()
        confidence = None
        if self._shape.confidence:
            confidence = float(self._request.get_tensor("confidence").data[0, 0])
        return self._request.get_tensor("biased").data[0], confidence


def _compile(model: ov.Model, options: LoadOptions, kv_type: str = "f16") -> ov.CompiledModel:
    properties = compile_options(options.device, kv_type, threads=options.threads)
    try:
        return core().compile_model(model, options.device, properties)
    except RuntimeError as error:
        raise SlipstreamError(
            f"OpenVINO could not prepare the block drafter for {options.device}: choose another drafter."
        ) from error


def _run(request: ov.InferRequest, inputs: Inputs) -> None:
    for name, value in inputs.items():
        request.set_tensor(name, ov.Tensor(value))
    try:
        request.infer()
    except (RuntimeError, MemoryError) as error:
        raise SlipstreamError(
            "The block drafter could not go on: ask again with --speculation off."
        ) from error
