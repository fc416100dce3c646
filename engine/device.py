"""How models are compiled for a device. One place, so that each choice can carry its measurement.

Float32 activations with 8-bit dynamic quantisation in groups of 128 are as fast as bfloat16 on the development
machine (2 rows of the 1.5B: 33.7 against 33.5 ms, 8 rows 46.9 against 43.2) and far closer to the exact logits
(mean difference on SmolLM2 0.16 against 1.2): the residual stream does not survive bfloat16. With float32
activations this plugin takes a KV cache of float32, float16 or u8; u8 leaves a trace of rejected tokens and is not
exact. A draft model's cache is float16: half the memory, and its one-row steps take 0.80 of the processor time
after 4,096 tokens and 0.68 after 16,384 (Qwen 0.5B, one thread).
"""

from dataclasses import dataclass
from functools import cache

import openvino as ov

from engine.load_options import CPU


@dataclass(frozen=True, slots=True)
class Device:
    """`name` is OpenVINO's ("CPU", "GPU.0"), `title` the manufacturer's."""

    name: str
    title: str


@cache
def core() -> ov.Core:
    """The process's only Core, never freed. Each one loads a CPU plugin of its own, which sets the thread's
    alternate signal stack and, when it goes, restores the one it found: with several plugins that stack may be
    gone already, and the next Ctrl+C is a segmentation fault (openvino 2026.4.1).
    """
    return ov.Core()


def devices() -> list[Device]:
    """What OpenVINO finds on this machine, the processor first. Slow the first time: it opens every plugin."""
    names = sorted(core().available_devices, key=lambda name: (name != CPU, name))
    return [Device(name, _title(name)) for name in names]


def _title(name: str) -> str:
    try:
        return str(core().get_property(name, "FULL_DEVICE_NAME")).strip() or name
    except RuntimeError:
        return name


def compile_options(device: str, kv_type: str = "f32", group: int = 128, threads: int = 0) -> dict[str, str]:
    """`group`: of activations that are quantised together (Weights.activation_group). `threads` 0: automatic."""
    options = {"PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": "1"}
    if device == CPU:
        if threads:
            options["INFERENCE_NUM_THREADS"] = str(threads)
        options |= {
            "INFERENCE_PRECISION_HINT": "f32",
            "KV_CACHE_PRECISION": kv_type,
            "DYNAMIC_QUANTIZATION_GROUP_SIZE": str(group),
        }
    return options
