"""openvino-genai on the very weights that Slipstream runs: plain, prompt lookup, or a draft model.

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

TARGET, DRAFT = "target", "draft"  # folders in the scratch folder
COMPILE = {
    "default": {},
    "slipstream": {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": "128"},
}


def prepare(target: Path, draft: Path | None, scratch: Path) -> None:
    """Write what the pipelines read."""
    write_genai_model(converted_weights(target), scratch / TARGET)
    if draft is not None:
        write_genai_model(converted_weights(draft, drafting=True), scratch / DRAFT)


class GenaiPeer:
    """One pipeline. `settings`: compile; of a request draft_tokens or confidence, and ngram for prompt lookup."""

    def __init__(self, mode: str, scratch: Path, settings: dict[str, Any]) -> None:
        import openvino_genai

        self._genai, self._mode = openvino_genai, mode
        options: dict[str, Any] = dict(COMPILE[settings["compile"]])
        if mode == "plain":
            options["ATTENTION_BACKEND"] = "SDPA"
        else:
            options["scheduler_config"] = self._scheduler()
        if mode == "lookup":
            options["prompt_lookup"] = True
        if mode == "draft":
            compiled = COMPILE[settings["compile"]]
            options["draft_model"] = openvino_genai.draft_model(str(scratch / DRAFT), "CPU", **compiled)
        self._pipeline = openvino_genai.LLMPipeline(str(scratch / TARGET), "CPU", **options)

    def generate(self, request: dict[str, Any]) -> dict[str, Any]:
        timing = Timing()
        prompt = ov.Tensor(np.array([request["prompt"]], dtype=np.int64))
        streamer = _streamer(self._genai, timing)
        found = self._pipeline.generate(prompt, self._config(request), streamer)
        reply = timing.reply()
        ends = frozenset(request["ends"])
        answered = [token for token in reply["tokens"] if token not in ends]
        dropped = len(reply["tokens"]) - len(
            answered
        )  # the end of the answer: not counted, so not timed either
        reply["seconds"] *= len(answered) / max(len(reply["tokens"]), 1)
        reply["tokens"] = answered
        pieces = timing.pieces - (dropped if self._mode == "plain" else 0)
        passes = {} if self._mode == "draft" else {"passes": pieces}  # a pass's tokens come together
        return reply | passes | _drafting(found)

    def _config(self, request: dict[str, Any]) -> Any:
        config, settings = self._genai.GenerationConfig(), request["settings"]
        config.max_new_tokens = request["max_tokens"]
        config.do_sample = request["temperature"] > 0
        if config.do_sample:
            config.temperature, config.top_p, config.rng_seed = request["temperature"], 1.0, request["seed"]
        if request["ends"]:
            config.eos_token_id = request["ends"][0]
            config.stop_token_ids = set(request["ends"])
        if "draft_tokens" in settings:
            config.num_assistant_tokens = settings["draft_tokens"]
        if settings.get("confidence"):
            config.assistant_confidence_threshold = settings["confidence"]
        if "ngram" in settings:
            config.max_ngram_size = settings["ngram"]
        return config

    def _scheduler(self) -> Any:
        scheduler = self._genai.SchedulerConfig()
        scheduler.enable_prefix_caching = False
        scheduler.max_num_batched_tokens = 2**31
        scheduler.dynamic_split_fuse = False
        return scheduler


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
