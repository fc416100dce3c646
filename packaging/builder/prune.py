"""Which files of OpenVINO and Qt the program keeps, per system: an allow-list, since a deny-list rots.

Paths are those inside the wheels, which are also those inside the frozen program (`_internal`). Files of other
packages stay unless DROPPED names them; modules in pure Python are chosen by slipstream.spec and the hooks.
"""

from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from posixpath import join, normpath

SYSTEMS = ("linux", "windows", "macos")
MANAGED = ("openvino", "PySide6", "shiboken6")

KEPT: dict[str, tuple[str, ...]] = {
    "linux": (
        "openvino/_pyopenvino*.so",
        "openvino/libs/libopenvino.so.*",
        "openvino/libs/libopenvino_intel_cpu_plugin.so",
        "openvino/libs/libopenvino_ir_frontend.so.*",
        "openvino/libs/libtbb.so.*",
        "PySide6/QtCore.abi3.so",
        "PySide6/QtGui.abi3.so",
        "PySide6/QtSvg.abi3.so",
        "PySide6/QtWidgets.abi3.so",
        "PySide6/libpyside6.abi3.so.*",
        "PySide6/Qt/lib/libQt6Core.so.6",
        "PySide6/Qt/lib/libQt6DBus.so.6",
        "PySide6/Qt/lib/libQt6Gui.so.6",
        "PySide6/Qt/lib/libQt6OpenGL.so.6",  # libQt6XcbQpa links to it
        "PySide6/Qt/lib/libQt6Svg.so.6",
        "PySide6/Qt/lib/libQt6Widgets.so.6",
        "PySide6/Qt/lib/libQt6WaylandClient.so.6",
        "PySide6/Qt/lib/libQt6XcbQpa.so.6",
        "PySide6/Qt/lib/libicudata.so.*",
        "PySide6/Qt/lib/libicui18n.so.*",
        "PySide6/Qt/lib/libicuuc.so.*",
        "PySide6/Qt/plugins/imageformats/libqgif.so",
        "PySide6/Qt/plugins/imageformats/libqjpeg.so",
        "PySide6/Qt/plugins/imageformats/libqwebp.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/plugins/platforms/libqwayland*.so",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforminputcontexts/libcompose*.so",
        "PySide6/Qt/plugins/platforminputcontexts/libibus*.so",
        "PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so",
        "PySide6/Qt/plugins/wayland-decoration-client/libbradient.so",
        "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
        "PySide6/Qt/translations/qtbase_*.qm",
        "shiboken6/Shiboken.abi3.so",
        "shiboken6/libshiboken6.abi3.so.*",
    ),
    "windows": (
        "openvino/_pyopenvino*.pyd",
        "openvino/libs/openvino.dll",
        "openvino/libs/openvino_intel_cpu_plugin.dll",
        "openvino/libs/openvino_ir_frontend.dll",
        "openvino/libs/tbb12.dll",
        "PySide6/QtCore.pyd",
        "PySide6/QtGui.pyd",
        "PySide6/QtSvg.pyd",
        "PySide6/QtWidgets.pyd",
        "PySide6/pyside6.abi3.dll",
        "PySide6/Qt6Core.dll",
        "PySide6/Qt6Gui.dll",
        "PySide6/Qt6Svg.dll",
        "PySide6/Qt6Widgets.dll",
        "PySide6/msvcp140*.dll",
        "PySide6/vcruntime140*.dll",
        "PySide6/plugins/imageformats/qgif.dll",
        "PySide6/plugins/imageformats/qjpeg.dll",
        "PySide6/plugins/imageformats/qwebp.dll",
        "PySide6/plugins/platforms/qoffscreen.dll",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/plugins/styles/qmodernwindowsstyle.dll",
        "PySide6/translations/qtbase_*.qm",
        "shiboken6/Shiboken.pyd",
        "shiboken6/shiboken6.abi3.dll",
        "shiboken6/msvcp140*.dll",
        "shiboken6/vcruntime140*.dll",
    ),
    "macos": (
        "openvino/_pyopenvino*.so",
        "openvino/libs/libopenvino.*.dylib",
        "openvino/libs/libopenvino_arm_cpu_plugin.so",
        "openvino/libs/libopenvino_ir_frontend.*.dylib",
        "openvino/libs/libtbb.*.dylib",
        "PySide6/QtCore.abi3.so",
        "PySide6/QtGui.abi3.so",
        "PySide6/QtSvg.abi3.so",
        "PySide6/QtWidgets.abi3.so",
        "PySide6/libpyside6.abi3.*.dylib",
        "PySide6/Qt/lib/QtCore.framework/*",
        "PySide6/Qt/lib/QtDBus.framework/*",
        "PySide6/Qt/lib/QtGui.framework/*",
        "PySide6/Qt/lib/QtSvg.framework/*",
        "PySide6/Qt/lib/QtWidgets.framework/*",
        "PySide6/Qt/plugins/imageformats/libqgif.dylib",
        "PySide6/Qt/plugins/imageformats/libqjpeg.dylib",
        "PySide6/Qt/plugins/imageformats/libqwebp.dylib",
        "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
        "PySide6/Qt/plugins/platforms/libqoffscreen.dylib",
        "PySide6/Qt/plugins/styles/libqmacstyle.dylib",
        "PySide6/Qt/translations/qtbase_*.qm",
        "shiboken6/Shiboken.abi3.so",
        "shiboken6/libshiboken6.abi3.*.dylib",
    ),
}

DROPPED = (
    "hf_xet/*",  # huggingface-hub's own transfer; Slipstream has its own
    "*/py.typed",
    "*.pyi",
    "engine/assets/screenshot-*",
    "engine/assets/translations/*.ts",
)

# Universal C run time, which Windows 10 has and Microsoft repairs.
OF_WINDOWS = ("ucrtbase.dll", "api-ms-win-*.dll")

# Linux: libraries at the top come from the machine that builds. The package depends on the system's instead, which
# are repaired with it; only what no system package brings is taken along, and Python packages of one file.
OWN_LIBRARIES = ("libpython3*.so*", "*.cpython-3*.so", "*.abi3.so")


def keeps(path: str, system: str) -> bool:
    """Whether the program keeps the file with this path (slashes) on this system."""
    if any(fnmatchcase(path, pattern) for pattern in DROPPED):
        return False
    parts = PurePosixPath(path).parts
    if system == "windows" and any(fnmatchcase(parts[-1].lower(), pattern) for pattern in OF_WINDOWS):
        return False
    if len(parts) > 1 and parts[0] in MANAGED:
        return any(fnmatchcase(path, pattern) for pattern in KEPT[system])
    if system == "linux" and len(parts) == 1 and ".so" in path:
        return any(fnmatchcase(path, pattern) for pattern in OWN_LIBRARIES)
    return True


def kept(entries: list[tuple[str, str, str]], system: str) -> list[tuple[str, str, str]]:
    """PyInstaller's (destination, source, kind) entries without those that are not kept, and links to such."""
    return [entry for entry in entries if all(keeps(path, system) for path in _paths(*entry))]


def _paths(destination: str, source: str, kind: str) -> list[str]:
    """Where an entry goes; for a link, whose source is relative to itself, also what it leads to."""
    path = destination.replace("\\", "/")
    if kind != "SYMLINK":
        return [path]
    return [path, normpath(join(path, "..", source.replace("\\", "/")))]
