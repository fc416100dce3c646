"""Writes the GGUF file that holds an OpenVINO model whole (graphs.foreign): vocabulary, sizes, two tensors of bytes."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from engine.errors import SlipstreamError
from engine.graphs import foreign
from engine.graphs.architecture import MOST_VOCAB
from engine.graphs.checkpoint import read_config
from engine.models import checkpoint_vocab, disk, paths
from engine.models.dflash_import import licence

_NAMES = {  # of what a config.json may call it
    "block_count": ("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
    "embedding_length": ("hidden_size", "n_embd", "d_model"),
    "vocab_size": ("vocab_size",),
    "context_length": ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length"),
}


def write(folder: Path, path: Path, seen: Callable[[int], None]) -> None:
    """`seen` is told the bytes of each chunk and may raise to stop. Errors: SlipstreamError for what is missing."""
    sizes = _sizes(folder)
    writer = gguf.GGUFWriter(path, foreign.ARCHITECTURE)
    parts = [folder / foreign.XML, folder / foreign.BIN]
    try:
        writer.add_name(paths.shown(path.stem))
        if (terms := licence(folder)) != "not stated":
            writer.add_license(terms)
        for key, size in sizes.items():
            writer.add_uint32(f"{foreign.ARCHITECTURE}.{key}", size)
        checkpoint_vocab.write(writer, folder, foreign.ARCHITECTURE, sizes["vocab_size"])
        for part in parts:
            size = disk.size_of(part)
            writer.add_tensor_info(part.name, (size,), np.dtype(np.int8), size)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        for part in parts:
            _copy(writer, part, seen)
    finally:
        writer.close()


def _copy(writer: gguf.GGUFWriter, part: Path, seen: Callable[[int], None]) -> None:
    whole = np.memmap(part, dtype=np.int8, mode="r")
    assert writer.fout is not None
    file = writer.fout[0]
    writer.write_padding(file, file.tell())
    for begin in range(0, len(whole), disk.CHUNK):
        chunk = whole[begin : begin + disk.CHUNK].tobytes()
        file.write(chunk)
        seen(len(chunk))
    writer.write_padding(file, len(whole))


def _sizes(folder: Path) -> dict[str, int]:
    try:
        config = read_config(folder)
        found = {key: _first(config, names) for key, names in _NAMES.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise SlipstreamError(
            f"The config.json of {folder.name} can't be read: download the folder whole."
        ) from error
    if max(found.values()) > MOST_VOCAB:
        raise SlipstreamError(
            f"The config.json of {folder.name} gives sizes that no model has: choose another model."
        )
    missing = [_NAMES[key][0] for key, value in found.items() if value < 1]
    if missing:
        raise SlipstreamError(
            f"The config.json of {folder.name} does not say '{missing[0]}': choose another model."
        )
    return found


def _first(config: Mapping[str, Any], names: Sequence[str]) -> int:
    """The first of these that is a number; 0 when none is."""
    return next((value for name in names if type(value := config.get(name)) is int), 0)
