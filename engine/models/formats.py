"""In which formats the weights of a model can be kept, what each takes on disk and in memory, and how fast it is here.

The speed is that of the matrices: some layers' worth of them, filled at random and too large for the processor's cache,
are multiplied with a few rows, and the time is scaled to all layers and the head. Attention and norms come on top (a
quarter of a short chat's pass), the same for every format.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import openvino as ov
import openvino.opset16 as ops

from engine.device import compile_options, core
from engine.errors import SlipstreamError
from engine.graphs.architecture import Architecture
from engine.graphs.compress import Compressed, WeightFormat, constant, group_size
from engine.graphs.layers import linear, parameter
from engine.graphs.weights import LARGEST_GROUP

OFFERED = (WeightFormat.INT4, WeightFormat.INT8, WeightFormat.F16)
ROWS = 2  # of a pass, which takes as long as one of one row
_MEASURED_BYTES = 200_000_000  # of matrices: more than a processor's cache holds
_HEAD_PART = 16_384  # rows of the output head that are measured
_PASSES = 7


@dataclass(frozen=True, slots=True)
class FormatOffer:
    """`bytes` of the weights; `seconds_per_token` of their matrices on this machine, None when not measured."""

    name: str
    bytes: int
    seconds_per_token: float | None
    default: bool = False


@dataclass(frozen=True, slots=True)
class _Matrix:
    rows: int
    columns: int
    form: WeightFormat

    @property
    def bytes(self) -> int:
        if self.form is WeightFormat.F16:
            return 2 * self.rows * self.columns
        if self.form is WeightFormat.INT8:
            return self.rows * (self.columns + 3)
        groups = self.columns // group_size(self.columns)
        return self.rows * (self.columns // 2) + self.rows * groups * 5 // 2

    def weight(self, chance: np.random.Generator) -> ov.Output:
        """Random weights of this form."""
        if self.form is WeightFormat.F16:
            halves = chance.integers(0, 1 << 14, (self.rows, self.columns), dtype=np.uint16).view(np.float16)
            return ops.convert(ops.constant(halves), "f32").output(0)
        bits = 8 if self.form is WeightFormat.INT8 else 4
        size = self.columns if bits == 8 else group_size(self.columns)
        values = chance.integers(0, 1 << bits, (self.rows, self.columns // size, size), dtype=np.uint8)
        zero = np.full((self.rows, self.columns // size, 1), 1 << (bits - 1), np.uint8)
        return constant(Compressed(values, zero, np.full(zero.shape, 1e-3, np.float16), bits))


def offers(arch: Architecture, tied: bool, default: WeightFormat, measure: bool = True) -> list[FormatOffer]:
    """One for each format, smallest first. Errors: SlipstreamError when a measurement does not fit into memory."""
    return [
        FormatOffer(
            form.value,
            predicted_bytes(arch, tied, form),
            seconds_per_token(arch, form) if measure else None,
            form is default,
        )
        for form in OFFERED
    ]


def predicted_bytes(arch: Architecture, tied: bool, form: WeightFormat) -> int:
    """Of all matrices; what else there is takes less than a per mille."""
    head = _head(arch, form).bytes
    return arch.layers * sum(matrix.bytes for matrix in _layer(arch, form)) + head * (1 if tied else 2)


def _head(arch: Architecture, form: WeightFormat) -> _Matrix:
    return _Matrix(arch.vocab, arch.hidden, form if form is WeightFormat.F16 else WeightFormat.INT8)


def _layer(arch: Architecture, form: WeightFormat) -> list[_Matrix]:
    """As graphs.decoder_weights makes them: attention keeps 8 bits beside an MLP of 4."""
    near = form if form is WeightFormat.F16 else WeightFormat.INT8
    hidden, width, heads = arch.hidden, arch.intermediate, arch.heads * arch.head_dim
    if arch.linear:
        mixer = [
            _Matrix(arch.linear.input_width, hidden, near),
            _Matrix(hidden, arch.linear.value_width, near),
        ]
    else:
        mixer = [
            _Matrix(heads + 2 * arch.kv_heads * arch.head_dim, hidden, near),
            _Matrix(hidden, heads, near),
        ]
    return [*mixer, _Matrix(2 * width, hidden, form), _Matrix(hidden, width, form)]


def seconds_per_token(arch: Architecture, form: WeightFormat) -> float:
    """Errors: SlipstreamError when OpenVINO can't run the matrices."""
    layer = _layer(arch, form)
    copies = max(1, min(arch.layers, _MEASURED_BYTES // max(1, sum(matrix.bytes for matrix in layer))))
    head = _head(arch, form)
    part = _Matrix(min(head.rows, _HEAD_PART), head.columns, head.form)
    layers = _time(layer * copies) * arch.layers / copies
    return layers + _time([part] * 2) / 2 * head.rows / part.rows


def _time(matrices: list[_Matrix]) -> float:
    """Seconds of the quickest pass through them all, side by side."""
    chance = np.random.default_rng(0)
    inputs = {
        size: parameter(f"x{size}", [-1, 1, size], np.float32) for size in {m.columns for m in matrices}
    }
    products = [linear(inputs[m.columns].output(0), m.weight(chance)) for m in matrices]
    group = min(
        (group_size(m.columns) for m in matrices if m.form is WeightFormat.INT4), default=LARGEST_GROUP
    )
    try:
        model = ov.Model([ops.result(each) for each in products], list(inputs.values()), "matrices")
        request = (
            core().compile_model(model, "CPU", compile_options("CPU", group=group)).create_infer_request()
        )
        for name, size in ((f"x{size}", size) for size in inputs):
            request.set_tensor(name, ov.Tensor(np.ones((ROWS, 1, size), dtype=np.float32)))
        return min(_passes(request))
    except (RuntimeError, MemoryError) as error:
        raise SlipstreamError(
            "There is not enough memory to measure how fast the formats are: close other programs and try again."
        ) from error


def _passes(request: ov.InferRequest) -> Iterator[float]:
    request.infer()
    for _ in range(_PASSES):
        start = time.perf_counter()
        request.infer()
        yield time.perf_counter() - start
