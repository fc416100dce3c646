"""A block of formatted text: selectable, as tall as its text, loading nothing."""

from urllib.parse import urlsplit

from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QFocusEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from app.theme import SPACE_XL, Appearance, colours

LINE_HEIGHT = 130  # percent
SAFE_SCHEMES = frozenset({"http", "https", "mailto"})


def is_safe_link(url: QUrl) -> bool:
    """Web and mail addresses only; a web address must name a host."""
    scheme = url.scheme().lower()
    return scheme in SAFE_SCHEMES and (scheme == "mailto" or bool(urlsplit(url.toString()).hostname))


def open_link(url: QUrl) -> bool:
    return is_safe_link(url) and QDesktopServices.openUrl(url)


class RichText(QTextBrowser):
    """Grows with its text instead of scrolling up and down; a table (`wide`) scrolls sideways."""

    def __init__(self, parent: QWidget | None = None, wide: bool = False) -> None:
        super().__init__(parent)
        self.renders = 0
        self._html = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if not wide:  # Qt would show a bar for a moment each time the text changes
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setStyleSheet("background: transparent")
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(open_link)
        self.highlighted.connect(self._show_target)
        self._style()

    def set_html(self, html: str) -> None:
        if html == self._html and self.renders:
            return
        self._html = html
        self.renders += 1
        self.setHtml(html)
        self.fit()

    def set_plain(self, text: str) -> None:
        self.renders += 1
        self.setPlainText(text)
        self._space_lines()
        self.fit()

    def expect_width(self, width: int) -> None:
        """For the time before the first layout, when the text would else be as tall as in a narrow column."""
        self.document().setTextWidth(width)

    def unwrapped_width(self) -> int:
        """Pixels of the longest line. Measured on a copy: to change this document's own width undoes its wrapping."""
        copy = self.document().clone()
        copy.setTextWidth(-1)
        return int(copy.idealWidth()) + 2

    def restyle(self) -> None:
        """New colours or sizes: the one reason to lay a finished block out again."""
        self._style()
        if self._html:
            self.setHtml(self._html)
        else:
            self._space_lines()
        self.fit()

    def fit(self) -> None:
        height = int(self.document().size().height() + 0.999)
        if self.document().size().width() > self.viewport().width() + 1:
            height += self.horizontalScrollBar().sizeHint().height()
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and event.size().width() > 0:
            self.fit()  # a layout in the making may pass through 0 pixels, where every letter is a line

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways and self.horizontalScrollBar().maximum():
            super().wheelEvent(event)
        else:
            event.ignore()  # the transcript scrolls

    def loadResource(self, kind: int, name: QUrl | str) -> None:
        """No picture, style sheet or file is ever read."""
        return

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.installEventFilter(self)  # only now: each paint would pass through it

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.removeEventFilter(self)
        super().focusOutEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leaves Ctrl+K and others to the window, which a text would take for editing."""
        return event.type() is QEvent.Type.ShortcutOverride and not self.textCursor().hasSelection()

    def _space_lines(self) -> None:
        """Plain text gets the line height that the style sheet gives to formatted text."""
        spacing = QTextBlockFormat()
        spacing.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spacing)

    def _style(self) -> None:
        look, c = Appearance.shared(), colours()
        self.document().setDefaultFont(look.font())
        option = QTextOption(self.document().defaultTextOption())
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.document().setIndentWidth(SPACE_XL)
        family = look.code_font().family()
        self.document().setDefaultStyleSheet(f"""
            p {{ margin: 0; line-height: {LINE_HEIGHT}%; }}
            li {{ line-height: {LINE_HEIGHT}%; margin-bottom: 4px; }}
            ul, ol {{ margin: 0; }}
            a {{ color: {c.accent}; }}
            h1 {{ font-size: {look.points("h1")}pt; margin: 0; }}
            h2 {{ font-size: {look.points("h2")}pt; margin: 0; }}
            h3, h4, h5, h6 {{ font-size: {look.points("h3")}pt; margin: 0; }}
            code, pre {{ font-family: "{family}", monospace; font-size: {look.points("small")}pt;
                background-color: {c.raised}; }}
            th {{ font-weight: 600; text-align: left; background-color: {c.side}; padding: 5px 9px; }}
            td {{ padding: 5px 9px; }}
            table {{ border-collapse: collapse; border-color: {c.border}; border-style: solid;
                border-width: 1px; }}
        """)

    def _show_target(self, url: QUrl) -> None:
        target = url.toString()
        text = target if is_safe_link(url) else f"Not opened: {target}" if target else ""
        self.viewport().setToolTip(text)
        if not text:
            QToolTip.hideText()
