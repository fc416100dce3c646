"""Takes in a checkpoint of a kind that only optimum-intel can read, by way of an OpenVINO model that it makes.

optimum-intel needs torch and several gigabytes of packages: it is the extra `convert`, and runs in its own process,
whose memory goes with it and whose failure is told in its own words.
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from engine.errors import SlipstreamError
from engine.installation import how_to_add, is_frozen
from engine.models import checkpoint_import, disk, memory
from engine.models.catalogue import Catalogue
from engine.models.ir_import import MODEL, import_ir
from engine.models.meter import Meter
from engine.models.shelf import Shelf
from engine.models.staging import CONVERSION, staged

_PACKAGES = ("optimum", "transformers", "torch", "nncf")
_MEMORY_PER_BYTE = 3.0  # of the checkpoint's: torch's tensors, the traced model, what is written
_POLL_S = 0.1
_PERCENT = re.compile(r"(\d{1,3})\s?%")
_ERROR = re.compile(r"[A-Za-z_.]*(Error|Exception|Interrupt): ")
_TAIL = 8000  # bytes of what the process says that are looked at


def import_other(folder: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> str:
    """Returns the model's name. Errors: SlipstreamError when the extra is missing or can't convert the model."""
    require_extra(checkpoint_import.model_type(folder))
    size = sum(disk.size_of(file) for file in folder.iterdir() if file.suffix in (".safetensors", ".bin"))
    needed, free = int(size * _MEMORY_PER_BYTE) + memory.WORKING_BYTES, memory.free_bytes()
    if needed > free:
        raise SlipstreamError(
            f"Converting {folder.name} needs about {needed / 1e9:.1f} GB of memory, but only {free / 1e9:.1f} GB "
            "is free: close other programs, or look for a conversion that is ready."
        )
    with staged(shelf, meter, size, CONVERSION) as place:
        out = place / folder.resolve().name
        meter.enter("convert", total=100, done=0)
        convert(folder, out, meter)
        return import_ir(out, name, shelf, catalogue, meter)


def require_extra(kind: str) -> None:
    """Errors: SlipstreamError with the command that adds what is missing."""
    missing = [package for package in _PACKAGES if importlib.util.find_spec(package) is None]
    if missing or is_frozen():
        raise SlipstreamError(
            f"Slipstream itself does not read checkpoints of the kind '{kind[:50]}'; optimum-intel may: "
            f"{how_to_add('convert')}, then import the folder again."
        )


def convert(
    folder: Path, out: Path, meter: Meter, form: str = "int8", command: Sequence[str] | None = None
) -> None:
    """Runs the worker until `out` holds an OpenVINO model. Errors: SlipstreamError; CancelledError by the meter."""
    command = command or (sys.executable, "-m", "engine.models.optimum_worker")
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        with log.open("ab") as told:
            process = subprocess.Popen(
                [*command, str(folder.resolve()), str(out), form],
                stdin=subprocess.PIPE,
                stdout=told,
                stderr=subprocess.STDOUT,
                cwd=Path(__file__).parents[2],
            )
        try:
            while process.poll() is None:
                meter.at(_percent(log))
                time.sleep(_POLL_S)
        finally:
            process.kill()
            process.wait()
            if process.stdin:
                process.stdin.close()
        if process.returncode or not (out / MODEL).is_file():
            raise SlipstreamError(f"optimum-intel could not convert {folder.name}: {_last_words(log)}")


def _tail(log: Path) -> str:
    with log.open("rb") as file:
        file.seek(max(0, disk.size_of(log) - _TAIL))
        return file.read().decode("utf-8", errors="replace")


def _percent(log: Path) -> int:
    """Of whatever the process is doing now, as its own progress bars say."""
    found = _PERCENT.findall(_tail(log))
    return min(99, int(found[-1])) if found else 0


def _last_words(log: Path) -> str:
    lines = [line.strip() for line in re.split(r"[\r\n]+", _tail(log)) if line.strip()]
    errors = [line for line in lines if _ERROR.match(line)]
    return (errors or lines)[-1][:300].rstrip(".") + "." if lines else "it ended without a word."
