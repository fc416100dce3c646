"""How models are compiled for a device. One place, so that each choice can carry its measurement.

Float32 activations with 8-bit dynamic quantisation in groups of 128 are as fast as bfloat16 on the development
machine (2 rows of the 1.5B: 33.7 against 33.5 ms, 8 rows 46.9 against 43.2) and far closer to the exact logits
(mean difference on SmolLM2 0.16 against 1.2): the residual stream does not survive bfloat16. With float32
activations this plugin takes a KV cache of float32, float16 or u8; u8 leaves a trace of rejected tokens and is not
exact. A draft model's cache is float16: half the memory, and its one-row steps take 0.80 of the processor time
after 4,096 tokens and 0.68 after 16,384 (Qwen 0.5B, one thread).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import openvino as ov

from engine.errors import SlipstreamError
from engine.load_options import CPU

GPU, NPU = "GPU", "NPU"
_UNTRIED = (
    "Slipstream was never run on such a device: a probe at the first load decides whether it can be used"
)
_LIMITS = {  # what keeps a kind of device from running a model, by the first part of its name
    NPU: "OpenVINO's plugin for it has no paged attention, on which speculation and long chats rest",
}


@dataclass(frozen=True, slots=True)
class Device:
    """`name` is OpenVINO's ("CPU", "GPU.0"), `title` the manufacturer's.

    `problem`: why no model can run on it, "" if one can. `note`: what to know before.
    """

    name: str
    title: str
    problem: str = ""
    note: str = ""


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
    return [Device(name, _title(name), limit_of(name), _note(name)) for name in names]


def limit_of(device: str) -> str:
    """Why no model can run on a device of this name, as the part of a sentence; "" if one can."""
    kind = kind_of(device)
    if kind in (CPU, GPU):
        return ""
    return _LIMITS.get(kind, "Slipstream knows processors and graphics processors only")


def kind_of(device: str) -> str:
    return device.partition(".")[0]


def require_usable(device: str, names: Sequence[str] | None = None) -> None:
    """Before anything is converted or compiled. `names`: the devices there are, by default those of OpenVINO.

    Errors: SlipstreamError for a device that is not there or can't run a model.
    """
    if device == CPU:
        return
    if limit := limit_of(device):
        raise SlipstreamError(
            f"A model can't run on {device}: {limit}. Choose another device in the settings."
        )
    found = core().available_devices if names is None else names
    if not any(device in (name, kind_of(name)) for name in found):
        raise SlipstreamError(
            f"OpenVINO finds no {device} on this computer: check its driver, or choose another device in the settings."
        )


def compile_failure(device: str, reason: str) -> SlipstreamError:
    """Of a model that OpenVINO could not compile; `reason` in its words."""
    advice = "" if device == CPU else " Update the device's driver, or choose CPU in the settings."
    return SlipstreamError(
        f"OpenVINO could not prepare the model for {device}: {reason.rstrip('.')}.{advice}"
    )


def _note(device: str) -> str:
    return "" if device == CPU else _UNTRIED


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
    elif (
        kind_of(device) == GPU
    ):  # whose cache is float16 or 8 bits wide, and whose kernels quantise by themselves
        options["KV_CACHE_PRECISION"] = "f16"
    return options
