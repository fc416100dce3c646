"""Requests of a drafter's small graphs, whose tensors stay where they are from run to run."""

from typing import Any

import numpy as np
import openvino as ov
from numpy.typing import DTypeLike, NDArray

from engine.device import compile_options, core
from engine.errors import SlipstreamError
from engine.load_options import LoadOptions

Floats = NDArray[np.float32]


class BoundRequest:
    """A request whose inputs are written in place, and outputs too where their size is known: to hand a tensor over
    takes longer than to compute with it."""

    def __init__(self, compiled: ov.CompiledModel) -> None:
        self.request = compiled.create_infer_request()
        self._arrays: dict[str, NDArray[Any]] = {}

    def put(self, name: str, values: NDArray[Any]) -> None:
        """An input of the next runs."""
        self.room(name, values.shape, values.dtype)[...] = values

    def room(self, name: str, shape: tuple[int, ...], kind: DTypeLike = np.float32) -> NDArray[Any]:
        """Where an input or output of this shape is written."""
        there = self._arrays.get(name)
        if there is None or there.shape != shape:
            there = np.zeros(shape, dtype=kind)
            self.share(name, there)
        return there

    def share(self, name: str, array: NDArray[Any]) -> None:
        """The input or output is this array from now on."""
        self._arrays[name] = array
        self.request.set_tensor(name, ov.Tensor(array, shared_memory=True))

    def run(self) -> None:
        try:
            self.request.infer(share_outputs=True)  # else all of them are copied
        except (RuntimeError, MemoryError) as error:
            raise SlipstreamError(
                "The trained drafter could not go on: ask again with --speculation off."
            ) from error

    def output(self, name: str) -> Floats:
        """Valid until the next run."""
        there = self._arrays.get(name)
        found: Floats = self.request.get_tensor(name).data if there is None else there
        return found


def compiled(model: ov.Model, options: LoadOptions, kv_type: str = "f16") -> ov.CompiledModel:
    properties = compile_options(options.device, kv_type, threads=options.threads)
    try:
        return core().compile_model(model, options.device, properties)
    except RuntimeError as error:
        raise SlipstreamError(
            f"OpenVINO could not prepare the trained drafter for {options.device}: choose another drafter."
        ) from error
