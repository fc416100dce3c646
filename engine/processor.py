"""What the processor can do, read from the operating system without loading any native code.

Importing OpenVINO on a processor without AVX2 ends the program with SIGILL, so this is asked first.
"""

import ctypes
import os
import platform
import subprocess
import sys
from pathlib import Path

from engine.errors import SlipstreamError

# Name shown to people -> the flags that mean it in Linux's /proc/cpuinfo and in macOS's sysctl (lower case).
FEATURES: dict[str, tuple[str, ...]] = {
    "AVX2": ("avx2",),
    "AVX-512": ("avx512f",),
    "VNNI": ("avx512_vnni", "avx512vnni", "avx_vnni"),
    "BF16": ("avx512_bf16",),
    "AMX": ("amx_tile",),
}
# IsProcessorFeaturePresent knows these two only.
WINDOWS_FEATURES = {"AVX2": 40, "AVX-512": 41}


def name(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """What its maker calls it; the architecture where the system does not tell."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def is_x86() -> bool:
    return platform.machine().lower() in {"x86_64", "amd64", "x86", "i386", "i686"}


def features() -> list[str] | None:
    """The names from `FEATURES` that this processor has; None where the system does not tell."""
    if sys.platform == "win32":
        present = ctypes.windll.kernel32.IsProcessorFeaturePresent
        return [name for name, number in WINDOWS_FEATURES.items() if present(number)]
    flags = _mac_flags() if sys.platform == "darwin" else linux_flags(Path("/proc/cpuinfo"))
    if not flags:
        return None
    return [name for name, spellings in FEATURES.items() if flags.intersection(spellings)]


def linux_flags(cpuinfo: Path) -> set[str]:
    """The flags of the first processor in a file like /proc/cpuinfo; empty when there are none."""
    try:
        text = cpuinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in {"flags", "Features"}:
            return set(value.lower().split())
    return set()


def _mac_flags() -> set[str]:
    names = ["machdep.cpu.features", "machdep.cpu.leaf7_features"]
    try:
        told = subprocess.run(["/usr/sbin/sysctl", "-n", *names], capture_output=True, text=True, check=False)
    except OSError:
        return set()
    return set(told.stdout.lower().split())


def missing_avx2() -> bool:
    """True only where the system says for certain that an x86 processor has no AVX2."""
    found = features() if is_x86() else None
    return found is not None and "AVX2" not in found


def require_avx2() -> None:
    if missing_avx2():
        raise SlipstreamError(
            "This processor has no AVX2 instructions, which OpenVINO needs; "
            "run Slipstream on a computer with a processor from 2015 or later."
        )


def usable_cores() -> int:
    """The logical processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
