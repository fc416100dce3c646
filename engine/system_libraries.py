"""The system libraries that Qt needs for a window on Linux, and whether there is a display to put it on."""

import ctypes
import os
import socket
import sys
from collections.abc import Iterable
from pathlib import Path

# What Qt's xcb platform plugin and the libraries it loads link to and a minimal Debian or Ubuntu lacks.
QT_LIBRARIES: dict[str, str] = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def missing() -> dict[str, str]:
    """Each library that can't be loaded and the Debian package that has it; empty elsewhere than on Linux."""
    if not sys.platform.startswith("linux"):
        return {}
    return {soname: package for soname, package in QT_LIBRARIES.items() if not _loads(soname)}


def install_command(packages: Iterable[str]) -> str:
    return "sudo apt-get install " + " ".join(packages)


def display() -> str | None:
    """The display that a window would open on, in words; None when there is none that answers."""
    if not sys.platform.startswith("linux"):
        return "the desktop"
    wayland = os.environ.get("WAYLAND_DISPLAY")
    if wayland and _wayland_answers(wayland):
        return f"Wayland {wayland}"
    x11 = os.environ.get("DISPLAY")
    if x11 and _x11_answers():
        return f"X11 {x11}"
    return None


def _wayland_answers(name: str) -> bool:
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / name  # an absolute name replaces the folder
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def _x11_answers() -> bool:
    """Connect as Qt would, access control included: Qt itself ends the program when this fails."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # the missing library is reported in its own words
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed


if __name__ == "__main__":  # packaging/setup.sh asks before anything is installed
    sys.stdout.write(" ".join(missing().values()))
