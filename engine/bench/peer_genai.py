"""openvino-genai on the very weights that Slipstream runs: plain, prompt lookup, and a draft model.

Every pipeline gets what serves it best: the stateful one for plain decoding (the paged one is slower there), the
paged one for speculation, which has no other. Prefix caches are off, so that every answer starts cold.
"""

from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov

from engine.bench.genai_ir import write_genai_model
from engine.bench.peer_worker import Timing
from engine.graphs.convert import converted_weights

NGRAM = 3  # longest n-gram that prompt lookup matches


class GenaiPeer:
    def __init__(self, target: Path, draft: Path | None, scratch: Path) -> None:
        import openvino_genai

        self._genai = openvino_genai
        main = _exported(target, scratch / "target")
        self._pipelines = {
            "plain": openvino_genai.LLMPipeline(main, "CPU", ATTENTION_BACKEND="SDPA"),
            "lookup": openvino_genai.LLMPipeline(
                main, "CPU", scheduler_config=self._scheduler(), prompt_lookup=True
            ),
        }
        if draft is not None:
            exported = _exported(draft, scratch / "draft", drafting=True)
            helper = openvino_genai.draft_model(exported, "CPU")
            self._pipelines["draft"] = openvino_genai.LLMPipeline(
                main, "CPU", scheduler_config=self._scheduler(), draft_model=helper
            )
        self.modes = tuple(self._pipelines)

    def generate(self, request: dict[str, Any]) -> dict[str, Any]:
        timing = Timing()
        prompt = ov.Tensor(np.array([request["prompt"]], dtype=np.int64))
        streamer = _streamer(self._genai, timing)
        found = self._pipelines[request["mode"]].generate(prompt, self._config(request), streamer)
        reply = timing.reply()
        ends = frozenset(request["ends"])
        reply["tokens"] = [token for token in reply["tokens"] if token not in ends]
        return reply | _drafting(found)

    def _config(self, request: dict[str, Any]) -> Any:
        config = self._genai.GenerationConfig()
        config.max_new_tokens = request["max_tokens"]
        config.do_sample = False
        if request["ends"]:
            config.eos_token_id = request["ends"][0]
            config.stop_token_ids = set(request["ends"])
        if request["mode"] != "plain":
            config.num_assistant_tokens = request["draft_tokens"]
        if request["mode"] == "lookup":
            config.max_ngram_size = NGRAM
        return config

    def _scheduler(self) -> Any:
        scheduler = self._genai.SchedulerConfig()
        scheduler.enable_prefix_caching = False
        scheduler.max_num_batched_tokens = 2**31
        scheduler.dynamic_split_fuse = False
        return scheduler


def _exported(model: Path, folder: Path, drafting: bool = False) -> str:
    write_genai_model(converted_weights(model, drafting=drafting), folder)
    return str(folder)


def _drafting(found: Any) -> dict[str, int]:
    """What the library counts when it drafts; nothing for plain decoding."""
    metrics = getattr(found, "extended_perf_metrics", None)
    if metrics is None or not hasattr(metrics, "main_model_metrics"):
        return {}
    return {
        "passes": len(metrics.main_model_metrics.raw_metrics.m_durations),
        "drafted": metrics.get_num_draft_tokens(),
        "accepted": metrics.get_num_accepted_tokens(),
    }


def _streamer(genai: Any, timing: Timing) -> Any:
    class Streamer(genai.StreamerBase):  # type: ignore[misc]
        def write(self, piece: int | list[int]) -> Any:
            timing.push([piece] if isinstance(piece, int) else piece)
            return genai.StreamingStatus.RUNNING

        def end(self) -> None:
            pass

    return Streamer()
