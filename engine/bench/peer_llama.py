"""llama.cpp through llama-cpp-python, on the same GGUF file: plain decoding and its prompt lookup."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.bench.peer_worker import Timing


class LlamaPeer:
    """Two contexts of one memory-mapped file: prompt lookup needs logits of every position, plain does not."""

    modes = ("plain", "lookup")

    def __init__(self, target: Path, threads: int, context: int) -> None:
        from llama_cpp import Llama
        from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

        options: dict[str, Any] = {
            "model_path": str(target / "model.gguf"),
            "n_ctx": context,
            "n_threads": threads,
            "n_threads_batch": threads,
            "verbose": False,
        }
        self._models: dict[str, Any] = {
            "plain": Llama(**options),
            "lookup": Llama(**options, draft_model=LlamaPromptLookupDecoding(num_pred_tokens=3)),
        }

    def generate(self, request: dict[str, Any]) -> dict[str, Any]:
        model = self._models[request["mode"]]
        if model.draft_model is not None:
            model.draft_model.num_pred_tokens = request["draft_tokens"]
        model.reset()
        timing = Timing()
        for token in _tokens(model, request):
            timing.push([token])
        return timing.reply()


def _tokens(model: Any, request: dict[str, Any]) -> Iterator[int]:
    """Greedy tokens up to the limit; an end token is not among them."""
    ends = frozenset(request["ends"])
    stream = model.generate(request["prompt"], temp=0.0, repeat_penalty=1.0)
    for count, token in enumerate(stream, 1):
        if token in ends:
            return
        yield int(token)
        if count == request["max_tokens"]:
            return
