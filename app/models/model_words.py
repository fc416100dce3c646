"""What the manager says of models: formats, times, sources."""

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt

from app.models.sizes import in_words
from engine.graphs.dflash_shape import EAGLE_HEAD
from engine.models.gguf_header import FOREIGN
from engine.models.hub_verdict import Kind
from engine.models.manifest import InstalledModel


def format_of(model: InstalledModel) -> str:
    """How it is kept: the file, and the weights' format if one was chosen."""
    tr = QCoreApplication.translate
    if model.format == "dflash":
        return _of_drafter(model)
    name = tr("ModelWords", "OpenVINO") if model.architecture == FOREIGN else "GGUF"
    return f"{name}, {model.weights}" if model.weights else name


def _of_drafter(model: InstalledModel) -> str:
    tr = QCoreApplication.translate
    if model.architecture == EAGLE_HEAD:
        return tr("ModelWords", "EAGLE head")
    return tr("ModelWords", "Block drafter (DFlash)")


def source_of(model: InstalledModel) -> str:
    tr = QCoreApplication.translate
    if model.origin:
        return model.origin.split("@")[0]
    return {
        "hub": tr("ModelWords", "the Hugging Face hub"),
        "index": tr("ModelWords", "the Python package index"),
        "shipped": tr("ModelWords", "came with Slipstream"),
        "import": tr("ModelWords", "imported from a file"),
    }.get(model.source, model.source)


def kind_in_words(kind: Kind) -> str:
    tr = QCoreApplication.translate
    return {
        Kind.GGUF: "GGUF",
        Kind.OPENVINO: "OpenVINO",
        Kind.SAFETENSORS: "safetensors",
        Kind.DFLASH: "DFlash",
    }.get(kind, tr("ModelWords", "no model files"))


def when(stamp: str) -> str:
    """An ISO 8601 time in the user's own clock and language; "" for none."""
    moment = QDateTime.fromString(stamp, Qt.DateFormat.ISODate)
    if not moment.isValid():
        return ""
    return QLocale().toString(moment.toLocalTime(), QLocale.FormatType.ShortFormat)


def speed_in_words(bytes_per_s: float) -> str:
    return QCoreApplication.translate("ModelWords", "{size}/s").format(size=in_words(int(bytes_per_s)))


def time_in_words(seconds: float) -> str:
    """About as exact as a download's pace is."""
    minutes = round(seconds / 60)
    if seconds < 55:
        return QCoreApplication.translate(
            "ModelWords", "%n second(s) left", "", max(1, round(seconds / 5) * 5)
        )
    if minutes < 90:
        return QCoreApplication.translate("ModelWords", "%n minute(s) left", "", max(1, minutes))
    return QCoreApplication.translate("ModelWords", "%n hour(s) left", "", round(seconds / 3600))
