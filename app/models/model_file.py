"""Whether a file or folder that somebody drops on the window is a model; any other is an attachment."""

from pathlib import Path

FILE_SUFFIXES = (".gguf", ".safetensors")
SIGNS = ("openvino_model.xml", "config.json")


def looks_like_model(path: Path) -> bool:
    """By names only: what it really is shows when it is read."""
    try:
        if path.is_file():
            return path.suffix.lower() in FILE_SUFFIXES or path.name == SIGNS[0]
        names = [each.name for each in path.iterdir()] if path.is_dir() else []
    except OSError:
        return False
    weights = any(name.lower().endswith((".gguf", ".safetensors")) for name in names)
    return SIGNS[0] in names or weights
