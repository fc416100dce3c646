"""Memory of this machine and process: what is free, what a pair would take, what is said when it is short."""

import contextlib
import ctypes
import errno
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import psutil

from engine.errors import SlipstreamError

WORKING_BYTES = 500_000_000  # what an import takes besides the weights it holds


class Part(StrEnum):
    """What memory is taken for. FILE is mapped: the system takes such pages back when it needs them."""

    RUNTIME = "runtime"
    FILE = "file"
    WEIGHTS = "weights"
    CACHE = "cache"
    STATES = "states"
    WORKING = "working"


class Verdict(StrEnum):
    """TIGHT: it fits once the system has taken back the pages of the files, which may slow everything down."""

    FITS = "fits"
    TIGHT = "tight"
    TOO_LARGE = "too large"


@dataclass(frozen=True, slots=True)
class MemoryPart:
    """`model` is the name of a model's folder; "" for what the whole program takes."""

    part: Part
    model: str
    bytes: int


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """`parts` in memory at once with a conversation of `context` tokens. `converting`: the peak before that, when a
    model must be converted first, else 0. `per_token`: cache bytes of one more token. `free` includes what is given
    back before the pair is loaded.
    """

    parts: tuple[MemoryPart, ...]
    context: int
    per_token: int
    free: int
    converting: int = 0

    @property
    def running(self) -> int:
        return sum(part.bytes for part in self.parts)

    @property
    def total(self) -> int:
        """Bytes at the peak."""
        return max(self.running, self.converting)

    @property
    def least(self) -> int:
        """Bytes that can't be taken back by the system."""
        return self.total - sum(part.bytes for part in self.parts if part.part is Part.FILE)

    @property
    def verdict(self) -> Verdict:
        if self.total <= self.free:
            return Verdict.FITS
        return Verdict.TIGHT if self.least <= self.free else Verdict.TOO_LARGE

    @property
    def longest(self) -> int:
        """Tokens of the longest conversation that the free memory has room for."""
        fixed = sum(part.bytes for part in self.parts if part.part not in (Part.FILE, Part.CACHE))
        return max(0, self.free - fixed) // max(1, self.per_token)

    @property
    def sentence(self) -> str:
        """Of what does not fit easily, with both numbers; "" for what does."""
        if self.verdict is Verdict.FITS:
            return ""
        needs = f"This pair needs about {gigabytes(self.total)} of memory"
        if self.verdict is Verdict.TIGHT:
            return f"{needs}, and {gigabytes(self.free)} is free: it runs, but the computer may become slow."
        return (
            f"{needs}, but only {gigabytes(self.free)} is free: "
            "close other programs or choose a smaller pair."
        )


class MemoryShortError(SlipstreamError):
    """A pair is too large for what is free now; whoever loads it all the same says so (LoadOptions.anyway)."""

    def __init__(self, estimate: MemoryEstimate) -> None:
        super().__init__(estimate.sentence)
        self.estimate = estimate


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


def free_bytes() -> int:
    """What programs can still get without swapping."""
    return int(psutil.virtual_memory().available)


def own_bytes() -> int:
    """What the system would get back if this process ended: its memory without pages of files."""
    info = psutil.Process().memory_info()
    return int(info.rss - getattr(info, "shared", 0))


def give_back() -> None:
    """Freed memory goes to the system: glibc keeps what lies below the top of its heap."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def explaining(name: str) -> Iterator[None]:
    """Turns the system's refusal to give memory for the file `name` into one sentence."""
    try:
        yield
    except (MemoryError, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.ENOMEM:
            raise
        raise SlipstreamError(
            f"There is not enough memory to read {name}: close other programs or choose a smaller model."
        ) from error
