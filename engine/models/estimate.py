"""Will the pair fit? Counted before anything is loaded: weights, caches at the chosen context, and room to work.

Sizes come from the conversion that a load would take, or from the format that it would make. A weight is in memory
twice: as a page of the mapped file, and packed for the processor, which happens at the first pass. What is no size of
the model was measured by tests/memory_run.py on Linux, two cores: interpreter, libraries and OpenVINO's plugin with the
first graph 128 MB, a tokenizer 370 bytes an entry, 1.3 MB a layer. Dequantising the vocabulary's matrix is the peak of
a conversion: 7.2 bytes an element.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.cost import far_context
from engine.errors import SlipstreamError
from engine.graphs import convert
from engine.graphs.architecture import Architecture
from engine.graphs.attention import BLOCK
from engine.graphs.compress import WeightFormat
from engine.graphs.dflash_checkpoint import Checkpoint
from engine.graphs.dflash_convert import conversion_path
from engine.graphs.dflash_shape import DrafterShape
from engine.graphs.gguf_description import describe
from engine.load_options import AUTOMATIC, LoadOptions
from engine.models import conversions, disk, gguf_header, manifest, memory
from engine.models.formats import predicted_bytes
from engine.models.memory import MemoryEstimate, MemoryPart, MemoryShortError, Part, Verdict
from engine.state_cache import FEWEST, KEPT_BYTES, ROW_BYTES, STRIDE, most_states
from engine.target import LARGEST_CHUNK

OVERRIDE = "SLIPSTREAM_LOAD_ANYWAY"  # set to anything: what does not fit is loaded all the same
USUAL_CONTEXT = 4096  # tokens that a pair must have room for where no limit of the context is chosen
RUNTIME_BYTES = 128_000_000
ENTRY_BYTES = 370  # of a tokenizer's vocabulary
LAYER_BYTES = 1_300_000  # of a compiled model, without its weights
LOGIT_ROWS = 17  # of the largest pass that verifies
TABLE_BYTES = 7.2  # an element of the vocabulary's matrix while it is converted
_FOREIGN_FACTS = ("block_count", "vocab_size", "context_length")
UNKNOWN_CACHE = 0.12  # of a foreign model's file, for USUAL_CONTEXT tokens


@dataclass(frozen=True, slots=True)
class _Model:
    """What one model of a pair takes. `used`: bytes of weights that passes read; `converting`: the peak before that."""

    name: str
    used: int
    layers: int
    vocab: int
    limit: int
    per_token: int
    working: int
    state: int = 0  # bytes of one state of the linear layers
    converting: int = 0

    def cache_tokens(self, context: int) -> int:
        """A model's first load times it on a long cache (engine.cost)."""
        if not self.per_token:
            return 0
        wanted = max(min(context, self.limit), far_context(self.per_token, self.limit))
        return -(-wanted // BLOCK) * BLOCK

    def parts(self, context: int) -> list[MemoryPart]:
        states = 1 + FEWEST + most_states(ROW_BYTES, self.state) if self.state else 0
        states += min(most_states(KEPT_BYTES, self.state), context // STRIDE) if self.state else 0
        sizes = {
            Part.FILE: self.used,
            Part.WEIGHTS: self.used,
            Part.CACHE: self.cache_tokens(context) * self.per_token,
            Part.STATES: states * self.state,
            Part.WORKING: self.layers * LAYER_BYTES + self.working,
        }
        return [MemoryPart(part, self.name, int(size)) for part, size in sizes.items() if size]


def estimate(
    folders: Sequence[Path],
    options: LoadOptions = AUTOMATIC,
    context: int | None = None,
    free: int | None = None,
) -> MemoryEstimate:
    """Of the models in these folders, target first. `context` in tokens: the options' limit by default, or
    USUAL_CONTEXT. `free` in bytes: what is free now by default.

    Errors: SlipstreamError when a model's file can't be read.
    """
    models = [_model(folder, drafting=index > 0) for index, folder in enumerate(folders)]
    limit = models[0].limit
    wanted = min(context or options.context_limit or USUAL_CONTEXT, limit)
    vocabulary = sum(ENTRY_BYTES * model.vocab for model in models)
    runtime = MemoryPart(Part.RUNTIME, "", RUNTIME_BYTES + vocabulary)
    parts = [runtime, *(part for model in models for part in model.parts(wanted))]
    converting = max(model.converting for model in models)
    return MemoryEstimate(
        tuple(parts),
        wanted,
        sum(model.per_token for model in models),
        memory.free_bytes() if free is None else free,
        converting + runtime.bytes if converting else 0,
    )


def check_memory(
    folders: Sequence[Path], options: LoadOptions = AUTOMATIC, free: int | None = None
) -> MemoryEstimate | None:
    """Errors: MemoryShortError when the pair does not fit into what is free, unless it is to be loaded anyway.

    None for a file about which loading it has more to say.
    """
    try:
        found = estimate(folders, options, free=free)
    except SlipstreamError:
        return None
    if found.verdict is Verdict.TOO_LARGE and not options.anyway and not os.environ.get(OVERRIDE):
        raise MemoryShortError(found)
    return found


def _model(folder: Path, drafting: bool) -> _Model:
    file = manifest.model_file(folder)
    if file.name == manifest.FILES["dflash"]:
        return _block_drafter(folder)
    header = gguf_header.read(file)
    if header.architecture == gguf_header.FOREIGN:
        return _foreign(folder, header)
    arch = describe(header)
    linear = sum(f"blk.{layer}.ssm_out.weight" in header.tensors for layer in range(arch.layers))
    used, made = _used_bytes(folder, arch, drafting)
    width = 2 if drafting else 4  # float16, float32
    return _Model(
        folder.name,
        used,
        arch.layers,
        arch.vocab,
        arch.context,
        (arch.layers - linear) * 2 * arch.kv_heads * arch.head_dim * width,
        _working(arch.hidden, arch.intermediate) + (0 if drafting else 8 * LOGIT_ROWS * arch.vocab),
        _state_bytes(arch) * linear,
        0 if made else int(max(TABLE_BYTES * arch.vocab * arch.hidden, disk.size_of(file) + used)),
    )


def _used_bytes(folder: Path, arch: Architecture, drafting: bool) -> tuple[int, bool]:
    """Of the weights that a pass reads: a table of embeddings of its own is looked up, not read. And whether they
    are there already."""
    found = convert.found_conversion(folder, drafting)
    if found is not None:
        apart = b'"embedding"' in found.read_bytes()
        size = disk.size_of(found.with_name(conversions.WEIGHTS_FILE))
        return size - (_table_bytes(arch, found.parent.name) if apart else 0), True
    form = convert.planned_format(folder, arch.hidden, drafting)
    if form is WeightFormat.INT4_HEAD:
        form = WeightFormat.INT4
    return predicted_bytes(arch, tied=True, form=form), False


def _table_bytes(arch: Architecture, form: str) -> int:
    if form.startswith((WeightFormat.F16, WeightFormat.F32)):
        return arch.vocab * arch.hidden * (2 if form.startswith(WeightFormat.F16) else 4)
    return arch.vocab * (arch.hidden + 3)


def _block_drafter(folder: Path) -> _Model:
    """Embedding and head are the target's, and the head is packed once more."""
    shape = Checkpoint(folder).shape
    file = folder / manifest.FILES["dflash"]
    converted = disk.size_of(conversion_path(folder).with_name(conversions.WEIGHTS_FILE))
    head = shape.draft_vocab * (shape.hidden + 3)
    return _Model(
        folder.name,
        (converted or disk.size_of(file) // 2) + head,
        shape.layers,
        0,
        shape.context,
        shape.layers * 2 * shape.kv_heads * shape.head_dim * 2,
        _working(shape.hidden, shape.intermediate) + _feature_bytes(shape),
        converting=0 if converted else 2 * disk.size_of(file),
    )


def _feature_bytes(shape: DrafterShape) -> int:
    """A pass's features and the layers' outputs that they are made of; the buffer of two chunks that wait to be read,
    which grows to twice what it needs, and the old one while it is copied."""
    return 8 * LARGEST_CHUNK * len(shape.taps) * shape.hidden * 4


def _foreign(folder: Path, header: gguf_header.Header) -> _Model:
    size = disk.size_of(manifest.model_file(folder))
    facts = [header.facts.get(f"{gguf_header.FOREIGN}.{key}") for key in _FOREIGN_FACTS]
    layers, vocab, limit = (value if isinstance(value, int) else 0 for value in facts)
    per_token = int(UNKNOWN_CACHE * size / USUAL_CONTEXT)
    return _Model(folder.name, size, layers, vocab, limit or USUAL_CONTEXT, per_token, 8 * LOGIT_ROWS * vocab)


def _working(hidden: int, intermediate: int) -> int:
    """Activations of the largest chunk of a prompt, float32."""
    return LARGEST_CHUNK * 4 * (3 * intermediate + 6 * hidden)


def _state_bytes(arch: Architecture) -> int:
    """Of one linear layer, float32."""
    if arch.linear is None:
        return 0
    linear = arch.linear
    return 4 * (linear.channels * linear.kernel + linear.value_heads * linear.value_dim * linear.key_dim)
