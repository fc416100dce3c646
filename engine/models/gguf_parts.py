"""Takes in a GGUF model that is split into several files, NAME-00001-of-00003.gguf and so on, as one file.

The first part holds the metadata, each part its own tensors (llama.cpp, tools/gguf-split).
"""

import mmap
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import SlipstreamError
from engine.models import disk, gguf_header
from engine.models.catalogue import Catalogue
from engine.models.gguf_header import Header, Tensor
from engine.models.gguf_import import import_gguf
from engine.models.meter import Meter
from engine.models.shelf import Shelf
from engine.models.staging import staged

_NAMED = re.compile(r"(.+)-(\d{5})-of-(\d{5})\.gguf")
_ALIGNMENT = 32
_ABOUT_SPLITS = ("split.no", "split.count", "split.tensors.count")


@dataclass(frozen=True, slots=True)
class Part:
    path: Path
    header: Header


def is_part(path: Path) -> bool:
    """Whether the name is that of one part among several."""
    found = _NAMED.fullmatch(path.name)
    return found is not None and int(found[3]) > 1


def import_parts(path: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> str:
    """`path`: any of the parts. Returns the model's name. Errors: SlipstreamError with the reason."""
    parts = find(path)
    size = sum(part.path.stat().st_size for part in parts)
    title = _NAMED.fullmatch(path.name)
    assert title is not None
    with staged(shelf, meter, size) as place:
        meter.enter("copy", total=size, done=0)
        whole = place / f"{title[1]}.gguf"
        merge(parts, whole, meter.add)
        return import_gguf(whole, name, shelf, catalogue, meter)


def find(path: Path) -> list[Part]:
    """All parts, in order. Errors: SlipstreamError when one is missing, damaged or of another model."""
    found = _NAMED.fullmatch(path.name)
    if found is None:
        raise SlipstreamError(f"{path.name} is not called like a part of a split model.")
    count = int(found[3])
    files = [path.with_name(f"{found[1]}-{i:05}-of-{found[3]}.gguf") for i in range(1, count + 1)]
    missing = [file.name for file in files if not file.is_file()]
    if missing:
        raise SlipstreamError(
            f"The model has {count} parts and {len(missing)} are missing, {missing[0]} first: put them into one folder."
        )
    parts = [Part(file, gguf_header.read(file)) for file in files]
    _require_order(parts)
    gguf_header.require_known(parts[0].header, parts[0].path.name)
    return parts


def _require_order(parts: Sequence[Part]) -> None:
    for index, part in enumerate(parts):
        if part.header.parts != len(parts) or part.header.facts.get("split.no") != index:
            raise gguf_header.wrong(part.path.name, "it is a part of another model than its name says")
    names = [name for part in parts for name in part.header.tensors]
    told = parts[0].header.facts.get("split.tensors.count")
    if len(set(names)) != len(names) or told != len(names):
        raise gguf_header.wrong(parts[0].path.name, "its parts do not make up one model")


def merge(parts: Sequence[Part], path: Path, seen: Callable[[int], None]) -> None:
    """Writes one file; `seen` is told the bytes of each chunk and may raise to stop."""
    with path.open("wb") as file:
        file.write(_header(parts))
        file.write(bytes(-file.tell() % _ALIGNMENT))
        for part in parts:
            with part.path.open("rb") as source:
                for tensor in part.header.tensors.values():
                    source.seek(part.header.start + tensor.offset)
                    for chunk in _chunks(source.read, tensor.bytes):
                        file.write(chunk)
                        seen(len(chunk))
                    file.write(bytes(-tensor.bytes % _ALIGNMENT))


def _chunks(read: Callable[[int], bytes], size: int) -> Iterator[bytes]:
    while size > 0:
        chunk = read(min(size, disk.CHUNK))
        if not chunk:
            raise SlipstreamError("A part of the model became shorter while it was read: try again.")
        size -= len(chunk)
        yield chunk


def _header(parts: Sequence[Part]) -> bytes:
    """The first part's metadata without what it says about parts, and all tensors, one after the other."""
    first = parts[0]
    entries = [
        place
        for key, place in first.header.entries.items()
        if key not in _ABOUT_SPLITS and key != "general.alignment"
    ]
    tensors = [tensor for part in parts for tensor in part.header.tensors.values()]
    pieces = [b"GGUF", struct.pack("<IQQ", 3, len(tensors), len(entries))]
    with first.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        pieces += [view[begin:end] for begin, end in entries]
    offset = 0
    for tensor in tensors:
        pieces.append(_described(tensor, offset))
        offset += tensor.bytes + -tensor.bytes % _ALIGNMENT
    return b"".join(pieces)


def _described(tensor: Tensor, offset: int) -> bytes:
    name, shape = tensor.name.encode(), tensor.shape[::-1]
    layout = f"<Q{len(name)}sI{len(shape)}QIQ"
    return struct.pack(layout, len(name), name, len(shape), *shape, tensor.kind, offset)
