"""Compressed weights as an OpenVINO file: constants with their decompression, one named result each.

OpenVINO reads such a file by mapping it into memory. The paged graph itself can't be stored: neither an IR nor the
plugin's exported blob keeps what PagedAttention needs (openvino 2026.4.1: "unsupported opset: extension" for
the IR, lost head sizes for the blob), and building it from these constants takes a fraction of the compilation.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

from engine.device import core
from engine.errors import SlipstreamError
from engine.graphs.architecture import Architecture, LinearAttention

Parsed = TypeVar("Parsed")

LARGEST_GROUP = 128


@dataclass(frozen=True, slots=True)
class Weights:
    """Named graph outputs: matrices [out, in] as float32 after decompression, vectors as constants.

    `graph` makes the paged model where it is not decoder.build_decoder's (graphs.foreign); `group` then says what
    `activation_group` says else.
    """

    architecture: Architecture
    outputs: Mapping[str, ov.Output]
    graph: Callable[[], ov.Model] | None = None
    group: int = LARGEST_GROUP

    @property
    def activation_group(self) -> int:
        """Activations are quantised in groups of so many: a 4-bit matrix of smaller groups takes a kernel that is 2 to
        5 times as slow."""
        return min([size for output in self.outputs.values() if (size := _group(output))], default=self.group)

    def __contains__(self, name: str) -> bool:
        return name in self.outputs

    def __getitem__(self, name: str) -> ov.Output:
        return self.outputs[name]

    def find(self, name: str) -> ov.Output | None:
        return self.outputs.get(name)

    def vector(self, name: str) -> NDArray[np.float32]:
        node = self.outputs[name].get_node()
        return np.asarray(node.get_data(), dtype=np.float32)


def _group(output: ov.Output) -> int:
    """Weights in a group of a 4-bit matrix; 0 for anything else."""
    node = output.get_node()
    while node.get_input_size():
        node = node.input_value(0).get_node()
    return int(node.get_output_shape(0)[-1]) if node.get_output_element_type(0) == ov.Type.u4 else 0


def save_weights(weights: Weights, path: Path) -> None:
    """Writes `path` (.xml) and its .bin. Errors: SlipstreamError when the disk refuses."""
    save_outputs(weights.outputs, asdict(weights.architecture), path)


def load_weights(path: Path) -> Weights:
    """Errors: SlipstreamError when the file is damaged; it can be converted again from its source."""
    outputs, architecture = load_outputs(path, _architecture)
    return Weights(architecture, outputs)


def save_outputs(outputs: Mapping[str, ov.Output], description: dict[str, Any], path: Path) -> None:
    """`description` is what JSON holds. Errors: SlipstreamError when the disk refuses."""
    results = []
    for name, output in outputs.items():
        result = ops.result(output)
        result.set_friendly_name(name)
        results.append(result)
    model = ov.Model(results, [], "weights")
    model.set_rt_info(json.dumps(description), ["slipstream", "architecture"])
    try:
        ov.save_model(model, path, compress_to_fp16=False)
    except RuntimeError as error:
        raise SlipstreamError(
            f"The converted model could not be written to {path.parent}: is the disk full?"
        ) from error


def load_outputs(
    path: Path, parse: Callable[[dict[str, Any]], Parsed]
) -> tuple[dict[str, ov.Output], Parsed]:
    """What save_outputs wrote, and its description as `parse` (TypeError or ValueError: damaged) understands it."""
    try:
        _require_xml(path)
        model = core().read_model(path)
        described = parse(json.loads(model.get_rt_info(["slipstream", "architecture"]).astype(str)))
    except (RuntimeError, OSError, ValueError, TypeError) as error:
        raise SlipstreamError(
            f"The converted model {path} is damaged; delete its folder and start again."
        ) from error
    return {result.get_friendly_name(): result.input_value(0) for result in model.get_results()}, described


def _architecture(described: dict[str, Any]) -> Architecture:
    if described.get("linear"):
        described["linear"] = LinearAttention(**described["linear"])
    return Architecture(**described)


def _require_xml(path: Path) -> None:
    """ValueError for what is no XML: OpenVINO would try its other readers, and they print their complaints."""
    with path.open("rb") as file:
        if file.read(1) != b"<":
            raise ValueError(f"{path} is no XML")
