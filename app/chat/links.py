"""Which addresses of an answer may be opened outside the window, and what is said of the others."""

from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices

from app.chat.markdown_rules import PICTURE

SAFE_SCHEMES = frozenset({"http", "https", "mailto"})
LONGEST_SHOWN = 120


def is_safe_link(url: QUrl) -> bool:
    """Web and mail addresses only; a web address must name a host."""
    scheme = url.scheme().lower()
    return scheme in SAFE_SCHEMES and (scheme == "mailto" or bool(urlsplit(url.toString()).hostname))


def open_link(url: QUrl) -> str:
    """Opens it outside; returns the sentence to show when that was refused or failed, else nothing."""
    if not is_safe_link(url):
        return refusal(url)
    if QDesktopServices.openUrl(url):
        return ""
    text = QCoreApplication.translate("Links", "No program on this computer opens {address}")
    return text.format(address=_shown(url))


def refusal(url: QUrl) -> str:
    text = QCoreApplication.translate(
        "Links", "Slipstream opens only web and mail addresses, so this one was not opened: {address}"
    )
    return text.format(address=_shown(url))


def describe(url: QUrl) -> str:
    """For the tool tip of a link: where it leads."""
    if url.toString().startswith(PICTURE):
        text = QCoreApplication.translate("Links", "Show this picture from your computer: {path}")
        return text.format(path=url.toString().removeprefix(PICTURE))
    return _shown(url) if is_safe_link(url) or url.isEmpty() else refusal(url)


def _shown(url: QUrl) -> str:
    address = url.toString()
    return address if len(address) <= LONGEST_SHOWN else address[:LONGEST_SHOWN] + "…"
