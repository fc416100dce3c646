"""Which libraries of the system the frozen tree links to, and the Debian packages that have them."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from builder.project import BuildError

# Soname -> dependency for Debian 12 and later and Ubuntu 22.04 and later, where some names end in t64.
PACKAGES: dict[str, str] = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libbz2.so.1.0": "libbz2-1.0",
    "libcrypto.so.3": "libssl3t64 | libssl3",
    "libdbus-1.so.3": "libdbus-1-3",
    "libffi.so.8": "libffi8",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "liblzma.so.5": "liblzma5",
    "libsqlite3.so.0": "libsqlite3-0",
    "libssl.so.3": "libssl3t64 | libssl3",
    "libuuid.so.1": "libuuid1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
C_LIBRARY = re.compile(r"(libc|libm|libdl|librt|libpthread|libutil|ld-linux-x86-64)\.so\.\d+")
# The first GCC whose libstdc++ has these symbols.
GCC_OF_GLIBCXX = {(3, 4, 29): "11", (3, 4, 30): "12", (3, 4, 31): "13", (3, 4, 32): "13", (3, 4, 33): "14"}

NEWEST_GLIBC = (2, 35)  # Ubuntu 22.04's; the archive's README and packaging/README.md promise it

Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Needs:
    """Sonames that the tree does not hold itself, and the newest symbol versions of the C and C++ libraries."""

    sonames: frozenset[str]
    glibc: Version
    glibcxx: Version


def needs(tree: Path) -> Needs:
    """Reads every ELF file of the tree with objdump (PyInstaller needs it as well)."""
    files = [file for file in tree.rglob("*") if file.is_file() and not file.is_symlink()]
    headers = [_headers(file) for file in files if _is_elf(file)]
    wanted = {name for header in headers for name in re.findall(r"NEEDED\s+(\S+)", header)}
    missing = wanted - {file.name for file in files}
    return Needs(frozenset(missing), _newest("GLIBC", headers), _newest("GLIBCXX", headers))


def dependencies(needed: Needs) -> list[str]:
    """The entries of `Depends:`. Errors: BuildError for what is not known, or too new."""
    others = [name for name in needed.sonames if not C_LIBRARY.fullmatch(name) and name != "libstdc++.so.6"]
    unknown = sorted(set(others) - PACKAGES.keys())
    if unknown:
        raise BuildError(
            f"the program links to {', '.join(unknown)}: keep it in builder/prune.py, "
            "or name its Debian package in builder/libraries.py."
        )
    if needed.glibc > NEWEST_GLIBC:
        raise BuildError(
            f"the program needs glibc {_dotted(needed.glibc)}, and is promised to run with {_dotted(NEWEST_GLIBC)}."
        )
    found = {PACKAGES[name] for name in others}
    found.add(f"libc6 (>= {_dotted(needed.glibc)})")
    if needed.glibcxx:
        found.add(f"libstdc++6 (>= {_gcc(needed.glibcxx)})")
    return sorted(found)


def _gcc(glibcxx: Version) -> str:
    """Every Debian and Ubuntu in question has the first entry of the table, so what is older needs no own one."""
    known = max(glibcxx, min(GCC_OF_GLIBCXX))
    if known not in GCC_OF_GLIBCXX:
        raise BuildError(
            f"the GCC that brings GLIBCXX {_dotted(glibcxx)} is not named in builder/libraries.py."
        )
    return GCC_OF_GLIBCXX[known]


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))


def _headers(file: Path) -> str:
    return subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True).stdout


def _is_elf(file: Path) -> bool:
    with file.open("rb") as start:
        return start.read(4) == b"\x7fELF"


def _newest(symbol: str, headers: list[str]) -> Version:
    found = {version for header in headers for version in re.findall(rf"\b{symbol}_([\d.]+)\b", header)}
    return max((tuple(map(int, version.split("."))) for version in found), default=())
