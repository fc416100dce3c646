"""Looks at the machine and says, a sentence a check, what would keep Slipstream from working."""

import multiprocessing
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import doctor_files, installation, processor, system_libraries
from engine.doctor_files import Check
from engine.errors import SlipstreamError

if TYPE_CHECKING:
    from engine.device import Device
    from engine.models.shipped import LeftOut
    from engine.models.store import ModelStore

PACKAGES = ("openvino", "PySide6-Essentials", "numpy", "tokenizers", "gguf")
STARTER = "starter"
GIB = 2**30
LEAST_MEMORY = 1 * GIB  # a choice: some ten times the starter's file
LEAST_DISK = 1 * GIB


def checks() -> list[Check]:
    """All findings, in the order in which they are shown. Takes seconds: native code is tried in a child."""
    return list(each())


def each() -> Iterator[Check]:
    """The same one after the other, as they are found."""
    for look in (_processor, _cores, _memory, _disk, _python, _packages, _libraries, _display, _settings):
        yield look()
    if processor.missing_avx2():
        return  # OpenVINO would only crash
    yield _devices()
    yield from _models()


def _judged(name: str, ok: bool, detail: str, remedy: str) -> Check:
    return Check(name, ok, detail, "" if ok else remedy)


def _processor() -> Check:
    if not processor.is_x86():
        return Check("processor", True, "not an x86 processor; AVX2 is not needed")
    found = processor.features()
    if found is None:
        return Check("processor", True, "this system does not tell the processor's features")
    if "AVX2" in found:
        return Check("processor", True, ", ".join(found))
    return Check(
        "processor",
        False,
        "no AVX2, which OpenVINO needs",
        "use a computer with a processor from 2015 or later",
    )


def _cores() -> Check:
    return Check("cores", True, f"{processor.usable_cores()} usable")


def _memory() -> Check:
    import psutil

    memory = psutil.virtual_memory()
    detail = f"{memory.available / GIB:.1f} GiB free of {memory.total / GIB:.1f} GiB"
    remedy = "close other programs to free 1 GiB or more"
    return _judged("memory", memory.available >= LEAST_MEMORY, detail, remedy)


def _home() -> Path:
    from engine.models.paths import home

    return home()


def _disk() -> Check:
    home = _home()
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(nearest).free
    detail = f"{free / GIB:.1f} GiB free at {home}"
    remedy = "free 1 GiB or more, or set SLIPSTREAM_HOME to a folder on another disk"
    return _judged("disk", free >= LEAST_DISK, detail, remedy)


def _settings() -> Check:
    return doctor_files.settings(_home())


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    fits = (3, 11) <= sys.version_info[:2] <= (3, 14)
    return _judged("python", fits, version, "use Python 3.11 to 3.14")


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _packages() -> Check:
    versions = {package: _version(package) for package in PACKAGES}
    missing = [package for package, version in versions.items() if version is None]
    if missing:
        return Check("packages", False, f"missing: {', '.join(missing)}", installation.remedy())
    return Check("packages", True, ", ".join(f"{package} {version}" for package, version in versions.items()))


def _libraries() -> Check:
    missing = system_libraries.missing()
    if not missing:
        return Check("system libraries", True, "all that the window needs")
    remedy = system_libraries.install_command(missing.values())
    return Check("system libraries", False, f"the window needs {', '.join(missing)}", remedy)


def _display() -> Check:
    """No display is not a problem: the command line works without one."""
    return Check("display", True, system_libraries.display() or "none; ask in the terminal: slipstream ask")


def in_child(work: Callable[[], Any]) -> Any:
    """Run `work` (a module's function) in a fresh process: a native crash becomes a SlipstreamError."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        try:
            return pool.submit(work).result()
        except BrokenProcessPool as broken:
            raise SlipstreamError("The process ended without an answer.") from broken


def openvino_devices() -> "list[Device]":
    from engine.device import devices

    return devices()


@dataclass(frozen=True, slots=True)
class Tried:
    """The starter, loaded now: whether it is exact, its drafter, and why it is without the one that came along."""

    exact: bool
    draft: str | None
    left_out: "LeftOut | None"
    answers_refused: str = ""  # why the store of the starter's answers does not serve


def try_starter() -> Tried:
    """Load the starter pair and probe it now, whatever an earlier load found."""
    from engine.engine import Engine

    store = _store()
    engine = Engine.load(store, store.pair(STARTER), anew=True)
    try:
        return Tried(bool(engine.exact), engine.pair.draft, engine.left_out, engine.answers.refused)
    finally:
        engine.close()


def _devices() -> Check:
    remedy = installation.remedy()
    try:
        devices: list[Device] = in_child(openvino_devices)
    except Exception as error:  # whatever the native library throws is the finding
        return Check("openvino", False, f"OpenVINO does not load: {error}", remedy)
    names = [each.name for each in devices]
    words = [f"{each.name} ({each.problem or each.note or each.title})" for each in devices]
    return _judged("openvino", "CPU" in names, f"devices: {', '.join(words) or 'none'}", remedy)


def _store() -> "ModelStore":
    from engine.models.store import ModelStore

    return ModelStore()


def _models() -> list[Check]:
    """The starter's findings, or the one reason why no model can be looked at."""
    try:
        store = _store()
        return [*_starter(store), *doctor_files.damaged(store), doctor_files.model_cache(store)]
    except SlipstreamError as error:
        detail, _, remedy = str(error).rstrip(".").rpartition(": ")  # such sentences end with what to do
        return [Check("models", False, detail or "can't be looked at", remedy)]


def _starter(store: "ModelStore") -> list[Check]:
    state = _starter_state(store)
    return [state, *_loaded_starter(state.ok and state.detail.startswith("installed"))]


def _starter_state(store: "ModelStore") -> Check:
    pair = store.pair(STARTER)
    if store.missing(pair):
        return Check("starter", True, f"not installed; slipstream models fetch {STARTER} gets it")
    mended: list[str] = []
    for model in filter(store.is_installed, pair.models):
        try:
            mended += store.verify(model)
        except SlipstreamError as error:
            remedy = f"slipstream models remove {model}, then slipstream models fetch {STARTER}"
            return Check("starter", False, f"damaged: {error}", remedy)
    return Check("starter", True, " ".join(["installed", *(f"({sentence})" for sentence in mended)]))


def _loaded_starter(installed: bool) -> Iterator[Check]:
    if not installed:
        yield Check("exactness", True, "not run: the starter is not installed or damaged")
        return
    try:
        tried: Tried = in_child(try_starter)
    except Exception as error:  # as above
        remedy = f"slipstream models fetch {STARTER}"
        yield Check("exactness", False, f"the starter does not load: {error}", remedy)
        return
    same = "speculative and plain answers are bit-identical"
    differ = "not exact on this processor; answers may differ with speculation on"
    yield Check("exactness", True, same if tried.exact else differ)
    if tried.left_out is not None:
        yield _without_drafter(tried.left_out)
    elif tried.draft:
        yield Check("drafter", True, f"{tried.draft} drafts for the starter")
    if tried.answers_refused:
        yield Check("answers", False, tried.answers_refused.rstrip("."), installation.remedy())


def _without_drafter(left_out: "LeftOut") -> Check:
    detail = f"the starter is without “{left_out.drafter}”, which {left_out.reason}"
    if left_out.chosen:
        return Check("drafter", True, f"{detail}; {left_out.remedy}")
    return Check("drafter", False, detail, installation.remedy())
