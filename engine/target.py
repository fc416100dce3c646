"""A compiled paged decoder that follows one token sequence: forward, rollback, prefix reuse, chunked prefill.

Rollback is a smaller count of valid tokens; nothing is copied. Models with linear attention also need the state of
that length (engine.state_cache): where it is gone, the next pass reads a few tokens again.
Kernels for one row may round differently from those for several, so a lone token gets a dummy neighbour, which is
rolled back: in attention always, everywhere until `take_lone_rows` (any 2 to 32 rows agree bit for bit on the
development machine; `engine.exactness` probes it here). Models with linear attention keep the second row.
A draft model's steps all have the same number of rows: whenever that changes, the plugin prepares every operation anew,
which takes a fifth of a step.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from engine.device import compile_failure, compile_options, core
from engine.errors import SlipstreamError
from engine.graphs.attention import BLOCK
from engine.graphs.decoder import build_decoder
from engine.graphs.weights import Weights
from engine.kv_cache import KvCache
from engine.load_options import AUTOMATIC, LoadOptions
from engine.state_cache import StateCache

Logits = NDArray[np.float32]
# Position of the first row; the rows, to be copied; their tokens
FeatureReader = Callable[[int, NDArray[np.float32], Sequence[int]], None]
ATTENTION_ROWS = 2  # at least
DRAFT_ROWS = 3  # of a draft model's step: they cost 1.1 times as much as one
CHUNK_SECONDS = 0.25  # a prefill chunk aims at this, so that a stop is answered soon
LARGEST_CHUNK = 512
PREPARED = 4096  # tokens of context


class Target:
    """`tokens` are those whose keys and values are in the cache. One owner thread.

    Without `exact` it is a draft model, whose cache need not be what makes it exact.
    """

    def __init__(
        self,
        weights: Weights,
        taps: Sequence[int] = (),
        exact: bool = True,
        options: LoadOptions = AUTOMATIC,
    ) -> None:
        self.weights = weights  # a foreign graph's constants may lie in its file's mapping
        self.architecture = weights.architecture
        self.loaded_with = options
        self.context_limit = options.context_of(weights.architecture.context)
        self.tokens: list[int] = []
        self.features: NDArray[np.float32] | None = None  # of the last forward, [rows, taps * hidden]
        self.reader: FeatureReader | None = None  # a trained drafter, which follows what the target reads
        self.taps = tuple(taps)
        self._pads_attention = exact and not weights.architecture.linear and not weights.graph
        self.least_rows = ATTENTION_ROWS if exact else DRAFT_ROWS
        self._chunk = 64
        try:
            kv_type, threads = "f32" if exact else "f16", options.threads
            properties = compile_options(options.device, kv_type, weights.activation_group, threads)
            compiled = core().compile_model(
                _graph(weights, taps, self._pads_attention), options.device, properties
            )
        except RuntimeError as error:
            raise compile_failure(options.device, _first_line(error)) from error
        self._request = compiled.create_infer_request()
        self.cache = KvCache(
            self._request,
            compiled.inputs,
            BLOCK,
            self.context_limit + max(self.least_rows, ATTENTION_ROWS) - 1,
        )
        self.states = StateCache(self._request, compiled.inputs) if self.architecture.linear else None

    def forward(self, tokens: Sequence[int], logits_for: Sequence[int] | None = None) -> Logits:
        """Append `tokens` and return float32 [rows, vocab] of the rows `logits_for` (all by default).

        The array belongs to the request: it is valid until the next forward.
        """
        behind = self._behind()
        wanted = range(len(tokens)) if logits_for is None else logits_for
        past = len(self.tokens)
        self._infer([*behind, *tokens], past - len(behind), [len(behind) + row for row in wanted])
        if self.taps:
            last = len(behind) + len(tokens)
            self.features = self._request.get_tensor("features").data[len(behind) : last]
            if self.reader:
                self.reader(past, self.features, tokens)
        self.tokens.extend(tokens)
        logits: Logits = self._request.get_tensor("logits").data
        return logits

    def take_lone_rows(self, single: bool) -> None:
        """Whether a lone token is a pass of one row but in attention; of two rows everywhere until it is called.

        Which of them is exact depends on the plugin's kernels for the model's sizes: `engine.exactness` asks.
        """
        self.least_rows = 1 if single and self._pads_attention else ATTENTION_ROWS

    def prepare(self) -> None:
        """Let attention make its kernels for contexts of up to PREPARED tokens, before there are any.

        The plugin makes new ones whenever a context is 32 tokens longer than all before it, in the middle of an answer.
        """
        if self.states is None:
            past = min(PREPARED, self.context_limit) - ATTENTION_ROWS
            self._run(self._inputs([0] * ATTENTION_ROWS, past, [0], self.cache.blocks_for(1)))

    def rollback(self, length: int) -> None:
        """Forget all but the first `length` tokens."""
        del self.tokens[length:]
        if self.states:
            self.states.rollback(len(self.tokens))

    @property
    def cache_bytes(self) -> int:
        """Memory of the KV cache, and of the states where the model has them, now."""
        return self.cache.bytes + (self.states.bytes if self.states else 0)

    def release(self, prompt: Sequence[int]) -> None:
        """Keep what `prompt` shares with the cache, and give back memory that it is far from needing."""
        shared = common_prefix(self.tokens, prompt)
        self.rollback(self.states.nearest(shared) if self.states else shared)
        self.cache.shrink(len(prompt), len(self.tokens))
        if self.states and not prompt:
            self.states.clear()

    def prefill(self, prompt: Sequence[int], cancel: threading.Event | None = None) -> Iterator[int]:
        """Bring the cache to prompt[:-1] in chunks, reusing the longest common prefix; yields tokens done so far.

        The last token is left for the first decoding step, so that every answer starts the same way.
        """
        end = len(prompt) - 1
        self.release(prompt[:end])
        self.cache.reserve(end + 1)
        yield len(self.tokens)
        while len(self.tokens) < end and not (cancel and cancel.is_set()):
            begin = len(self.tokens)
            chunk = prompt[begin : min(begin + self._chunk, end)]
            start = time.perf_counter()
            self.forward(chunk, logits_for=[0])
            self._adapt_chunk(len(chunk), time.perf_counter() - start)
            yield len(self.tokens)
        if self.states and len(self.tokens) >= end:
            self.states.pin()

    def _behind(self) -> list[int]:
        """Tokens that the next pass reads again, because no state is kept of the sequence's present length."""
        if self.states is None:
            return []
        while (base := self.states.nearest(len(self.tokens))) < len(self.tokens) - LARGEST_CHUNK:
            self._infer(self.tokens[base : base + LARGEST_CHUNK], base, [0])
        return self.tokens[base:]

    def _adapt_chunk(self, rows: int, seconds: float) -> None:
        if rows == self._chunk:
            wanted = int(rows * CHUNK_SECONDS / max(seconds, 1e-6))
            self._chunk = max(32, min(wanted, 2 * self._chunk, LARGEST_CHUNK))

    def _infer(self, tokens: Sequence[int], past: int, logits_for: Sequence[int]) -> None:
        rows = [*tokens, *[tokens[-1]] * (self.least_rows - len(tokens))]
        inputs = self._inputs(rows, past, logits_for)
        if self.states:
            inputs |= self.states.begin(past, len(rows))
        self._run(inputs)
        if self.states:
            self.states.commit(past + len(tokens))

    def _inputs(
        self, rows: Sequence[int], past: int, logits_for: Sequence[int], blocks: int = 0
    ) -> dict[str, NDArray[np.generic]]:
        """`blocks`: how many the sequence takes turns in, where context is only pretended; 0: as many as it needs."""
        attended = max(len(rows), ATTENTION_ROWS) if self._pads_attention else len(rows)
        total = past + attended
        used = self.cache.blocks_for(total)
        self.cache.reserve((blocks or used) * BLOCK)
        inputs: dict[str, NDArray[np.generic]] = {
            "input_ids": np.array(rows, dtype=np.int64),
            "position_ids": np.arange(past, total, dtype=np.int64),
            "logit_rows": np.array(logits_for, dtype=np.int32),
            "past_lens": np.array([past], dtype=np.int32),
            "subsequence_begins": np.array([0, attended], dtype=np.int32),
            "block_indices": np.arange(used, dtype=np.int32) % (blocks or used),
            "block_indices_begins": np.array([0, used], dtype=np.int32),
            "max_context_len": np.array(total, dtype=np.int32),
        }
        if self._pads_attention:
            kept = np.arange(len(rows), dtype=np.int32)
            inputs |= {"attention_rows": np.resize(kept, attended), "kept_rows": kept}
        return inputs

    def _run(self, inputs: dict[str, NDArray[np.generic]]) -> None:
        for name, value in inputs.items():
            self._request.set_tensor(name, ov.Tensor(value))
        try:
            self._request.infer(share_outputs=True)  # else all of them are copied
        except (RuntimeError, MemoryError) as error:
            raise _stopped(error) from error


def _graph(weights: Weights, taps: Sequence[int], padded_attention: bool) -> ov.Model:
    if weights.graph is None:
        return build_decoder(weights, taps, padded_attention)
    if taps:
        raise SlipstreamError(
            "A trained drafter can't look inside this model, whose graph is OpenVINO's: let another model draft for it."
        )
    return weights.graph()


def common_prefix(left: Sequence[int], right: Sequence[int]) -> int:
    """How many tokens at the start of both are equal."""
    size = min(len(left), len(right))
    different = np.flatnonzero(np.asarray(left[:size]) != np.asarray(right[:size]))
    return int(different[0]) if len(different) else size


def _stopped(error: Exception) -> SlipstreamError:
    """OpenVINO tells a lack of memory only in its words."""
    if isinstance(error, MemoryError) or "allocate" in str(error) or "bad_alloc" in str(error):
        return SlipstreamError(
            "There is not enough memory for the model to go on: start a new chat or close other programs."
        )
    return SlipstreamError(f"The model could not go on: {_first_line(error)}")


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
