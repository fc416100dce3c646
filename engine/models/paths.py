"""Where Slipstream keeps its files, where it finds its own data, and which names are safe as folder names."""

import os
import re
from pathlib import Path

import platformdirs

from engine.errors import SlipstreamError

_SAFE_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")
_WINDOWS_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def home() -> Path:
    """The user's data folder; the environment variable SLIPSTREAM_HOME overrides it."""
    override = os.environ.get("SLIPSTREAM_HOME")
    if override:
        return Path(override).expanduser().absolute()
    return platformdirs.user_data_path("slipstream", appauthor=False)


def require_folder(path: Path) -> Path:
    """`path`, if it is or can become a folder; else SlipstreamError with what stands in its way."""
    try:
        nearest = next((folder for folder in (path, *path.parents) if os.path.lexists(folder)), path)
        if nearest.is_dir() or not os.path.lexists(nearest):
            return path
        what = "is not a folder"
    except OSError as error:
        what = f"can't be used ({error.strerror or error})"
    raise SlipstreamError(
        f"{nearest} {what}, and Slipstream keeps its files in {path}: set SLIPSTREAM_HOME to another folder."
    )


def assets_dir() -> Path:
    """The data shipped with the program: engine/assets in an installed copy, assets/ in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "assets"
    return installed if installed.is_dir() else package.parent / "assets"


def is_device(name: str) -> bool:
    """Whether Windows takes a file of this name for a device, as it does with `con` and `nul.txt`."""
    return bool(_WINDOWS_DEVICES.fullmatch(name.partition(".")[0].rstrip()))


def is_safe_name(name: str) -> bool:
    """Whether the name can be a folder name on every system and can't leave its parent folder."""
    return bool(_SAFE_NAME.fullmatch(name)) and not _WINDOWS_DEVICES.fullmatch(name)


def check_name(name: str) -> str:
    """Returns the name, or raises SlipstreamError when it could not be a folder name everywhere."""
    if is_safe_name(name):
        return name
    raise SlipstreamError(
        f"{name[:100]!r} can't be a model's name: use letters, digits, dots, dashes and underscores only."
    )


def shown(name: str) -> str:
    """A file's name as text: bytes of it that are no UTF-8, which Python keeps as half characters, are replaced."""
    return name.encode("utf-8", "replace").decode()
