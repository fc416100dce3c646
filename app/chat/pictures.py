"""Pictures from this computer that an answer names, read only when the user asks for one."""

import re
import stat
from pathlib import Path
from urllib.parse import unquote

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from engine.errors import SlipstreamError

FORMATS = {"png", "jpeg", "jpg", "gif", "webp", "bmp"}  # no SVG: it can name other files
MAX_BYTES = 20_000_000
MAX_PIXELS = 24_000_000  # a small file can unpack to any size
MAX_HEIGHT = 480
_NETWORK = re.compile(r"[\\/]{2}")  # a Windows share: to look whether it is there tells its host who asks


def read_picture(address: str, width: int, ratio: float) -> QImage:
    """At most `width` by MAX_HEIGHT, sharp at this device pixel ratio. Errors: SlipstreamError."""
    path = Path(unquote(address.removeprefix("file://")))
    _check_file(path)
    reader = QImageReader(str(path))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    size = reader.size()
    kind = bytes(reader.format().data()).decode()
    if kind not in FORMATS or not size.isValid():
        text = QCoreApplication.translate("Pictures", "{name} is no picture that can be shown here.")
        raise SlipstreamError(text.format(name=path.name))
    if size.width() * size.height() > MAX_PIXELS:
        text = QCoreApplication.translate("Pictures", "{name} has too many pixels to be shown here.")
        raise SlipstreamError(text.format(name=path.name))
    reader.setScaledSize(_fitting(size, width, ratio))
    image = reader.read()
    if image.isNull():
        text = QCoreApplication.translate("Pictures", "{name} is damaged and can't be shown.")
        raise SlipstreamError(text.format(name=path.name))
    image.setDevicePixelRatio(ratio)
    return image


def _check_file(path: Path) -> None:
    if _NETWORK.match(str(path)):
        raise _no_file(path)
    try:
        about = path.stat()
    except (OSError, ValueError):
        text = QCoreApplication.translate("Pictures", "There is no file {path}")
        raise SlipstreamError(text.format(path=path)) from None
    if not stat.S_ISREG(about.st_mode):
        raise _no_file(path)
    if about.st_size > MAX_BYTES:
        text = QCoreApplication.translate("Pictures", "{name} is too large to be shown here.")
        raise SlipstreamError(text.format(name=path.name))


def _no_file(path: Path) -> SlipstreamError:
    text = QCoreApplication.translate("Pictures", "{path} is no file.")
    return SlipstreamError(text.format(path=path))


def _fitting(size: QSize, width: int, ratio: float) -> QSize:
    largest = QSize(int(width * ratio), int(MAX_HEIGHT * ratio))
    if size.width() <= largest.width() and size.height() <= largest.height():
        return size
    return size.scaled(largest, Qt.AspectRatioMode.KeepAspectRatio)
