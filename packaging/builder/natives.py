"""What comes into the program beside Python packages: libraries of the interpreter, and what Qt has compiled in."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

# What is shown in place of a text of its own.
QT_TERMS = (
    (
        "Compiled into Qt",
        "Copyright notices and the text are at https://doc.qt.io/qt-6/licenses-used-in-qt.html.",
    ),
)
LINUX, WINDOWS, MACOS = "linux", "win32", "darwin"


@dataclass(frozen=True, slots=True)
class Native:
    """`licence` is an SPDX expression; `files` are patterns of file names."""

    name: str
    licence: str
    files: tuple[str, ...]


# Beside the interpreter on Windows and macOS; the .deb and the archive for Linux use the system's.
BESIDE_PYTHON = (
    Native(
        "Python",
        "PSF-2.0",
        ("libpython3*", "python3*.dll", "Python", "*.pyd", "lib-dynload/*", "base_library.zip"),
    ),
    Native("OpenSSL", "Apache-2.0", ("libcrypto*", "libssl*")),
    Native("libffi", "MIT", ("libffi*",)),
    Native("SQLite", "blessing", ("sqlite3.dll", "libsqlite3*")),
    Native("liblzma", "0BSD", ("liblzma*",)),
    Native("bzip2", "bzip2-1.0.6", ("libbz2*",)),
    Native("zlib", "Zlib", ("zlib1.dll", "libz.*")),
    Native("zstd", "BSD-3-Clause", ("libzstd*",)),
    Native(
        "Microsoft Visual C++ run time", "LicenseRef-Microsoft-Visual-Cpp", ("msvcp140*", "vcruntime140*")
    ),
)


@dataclass(frozen=True, slots=True)
class Bundled:
    """Compiled into Qt's libraries; `systems` are values of sys.platform."""

    name: str
    licence: str
    systems: tuple[str, ...] = (LINUX, WINDOWS, MACOS)


# From the folders in qtbase/src/3rdparty that QtCore, QtGui, QtWidgets, QtDBus and the platform plugins use.
IN_QT = (
    Bundled("AT-SPI headers", "LGPL-2.1-or-later", (LINUX,)),
    Bundled("BLAKE2", "CC0-1.0 OR Apache-2.0"),
    Bundled("D3D12 Memory Allocator", "MIT", (WINDOWS,)),
    Bundled("double-conversion", "BSD-3-Clause"),
    Bundled("Easing equations", "BSD-3-Clause"),
    Bundled("Emoji segmenter", "Apache-2.0"),
    Bundled("forkfd", "MIT", (LINUX, MACOS)),
    Bundled("FreeBSD strtoll", "BSD-3-Clause"),
    Bundled("FreeType", "FTL OR GPL-2.0-only"),
    Bundled("HarfBuzz", "MIT-Modern-Variant"),
    Bundled("IAccessible2", "BSD-3-Clause", (WINDOWS,)),
    Bundled("ICU", "Unicode-3.0", (LINUX,)),
    Bundled("libpng", "libpng-2.0"),
    Bundled("MD4C", "MIT"),
    Bundled("PCRE2", "BSD-3-Clause"),
    Bundled("pixman", "MIT"),
    Bundled("RFC 6234 hashes", "BSD-3-Clause"),
    Bundled("SHA-3", "CC0-1.0"),
    Bundled("SipHash", "CC0-1.0"),
    Bundled("TinyCBOR", "MIT"),
    Bundled("Unicode data and CLDR", "Unicode-3.0"),
    Bundled("Vulkan Memory Allocator", "MIT"),
    Bundled("Wayland protocols", "MIT", (LINUX,)),
    Bundled("xkbcommon", "MIT", (LINUX,)),
    Bundled("zlib in Qt", "Zlib"),
)


def in_qt(system: str) -> list[Bundled]:
    return [bundled for bundled in IN_QT if system in bundled.systems]


def native_of(path: str) -> Native | None:
    """What a file that belongs to no package is part of; None when that is not known."""
    name, parent = PurePosixPath(path).name, PurePosixPath(path).parent.name
    names = (name, name.lower(), f"{parent}/{name}")
    for native in BESIDE_PYTHON:
        if any(fnmatchcase(word, pattern) for word in names for pattern in native.files):
            return native
    return None
