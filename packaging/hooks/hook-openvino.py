"""PyInstaller's hook for OpenVINO: its plugins and frontends are opened at run time, next to libopenvino.

The libraries must stay in one folder, as real files: OpenVINO looks for plugins beside the library as it was loaded.
builder/prune.py chooses among them. On macOS PyInstaller points every library at the top folder, so the links that it
puts there are needed; on Windows it makes none.
"""

import sys

from PyInstaller.utils.hooks import collect_dynamic_libs

binaries = collect_dynamic_libs("openvino", search_patterns=["*.dll", "*.dylib", "*.so", "lib*.so.*"])
bindepend_symlink_suppression = ["**/openvino/libs/*"] if sys.platform == "linux" else []
# Converters from other frameworks, which OpenVINO imports if it can. The telemetry comes in with them.
excludedimports = [
    "openvino.tools",
    "openvino.torch",
    "openvino.frontend.jax",
    "openvino.frontend.onnx",
    "openvino.frontend.paddle",
    "openvino.frontend.pytorch",
    "openvino.frontend.tensorflow",
    "openvino_telemetry",
]
