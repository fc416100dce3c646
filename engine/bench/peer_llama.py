"""llama.cpp through llama-cpp-python, on the same GGUF file: plain decoding and its prompt lookup."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.bench.peer_worker import Timing


class LlamaPeer:
    """One context. `settings`: threads, flash_attention; of a request for prompt lookup draft_tokens and ngram."""

    def __init__(self, mode: str, target: Path, context: int, settings: dict[str, Any]) -> None:
        from llama_cpp import Llama

        lookup = mode == "lookup"
        self._model: Any = Llama(
            model_path=str(target / "model.gguf"),
            n_ctx=context,
            n_threads=settings["threads"],
            n_threads_batch=settings["threads"],
            flash_attn=settings["flash_attention"],
            # With a draft model the library keeps every position's logits whether told so or not, but only when it
            # is told does it make room for more positions than one batch (0.3.36).
            logits_all=lookup,
            draft_model=_counting_lookup() if lookup else None,
            verbose=False,
        )

    def generate(self, request: dict[str, Any]) -> dict[str, Any]:
        draft, settings = self._model.draft_model, request["settings"]
        if draft is not None:
            draft.num_pred_tokens, draft.max_ngram_size = settings["draft_tokens"], settings["ngram"]
            draft.calls = draft.drafted = 0
        self._model.reset()
        self._model.set_seed(request["seed"])
        timing = Timing()
        for token in _tokens(self._model, request):
            timing.push([token])
        reply = timing.reply()
        return reply if draft is None else reply | _drafting(draft, len(reply["tokens"]))


def _counting_lookup() -> Any:
    """The library's prompt lookup; it is called once before every pass but the prompt's."""
    from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

    class CountingLookup(LlamaPromptLookupDecoding):  # type: ignore[misc, unused-ignore]  # Any where it is not installed
        calls = drafted = 0

        def __call__(self, input_ids: Any, /, **options: Any) -> Any:
            found = super().__call__(input_ids, **options)
            self.calls, self.drafted = self.calls + 1, self.drafted + len(found)
            return found

    return CountingLookup()


def _drafting(draft: Any, tokens: int) -> dict[str, int]:
    """Every pass gives one token of its own, and the accepted ones. An answer may end amid accepted tokens."""
    passes = draft.calls + 1
    return {"passes": passes, "drafted": draft.drafted, "accepted": max(tokens - passes, 0)}


def _tokens(model: Any, request: dict[str, Any]) -> Iterator[int]:
    """Tokens up to the limit, sampled from the whole distribution; an end token is not among them."""
    ends = frozenset(request["ends"])
    stream = model.generate(
        request["prompt"], temp=request["temperature"], top_k=0, top_p=1.0, min_p=0.0, repeat_penalty=1.0
    )
    for count, token in enumerate(stream, 1):
        if token in ends:
            return
        yield int(token)
        if count == request["max_tokens"]:
            return
