"""A block of formatted text: selectable, as tall as its text, loading nothing unasked."""

import re
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtGui import (
    QCursor,
    QFocusEvent,
    QFontInfo,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from app.chat import plain_code
from app.chat.formula_text import FormulaText
from app.chat.formulas import Formulas
from app.chat.links import describe, open_link
from app.chat.markdown_rules import PICTURE
from app.chat.pictures import read_picture
from app.chat.selectable import Selectable
from app.theme import SPACE_XL, Appearance, colours
from engine.errors import SlipstreamError

LINE_HEIGHT = 130  # percent
_PICTURE_LINK = re.compile(rf'(<a href="{PICTURE}[^"]*">)\[')
FORMULA_SIZE = 1.2  # of the letters around it: the formulas' font is small


class RichText(Selectable, QTextBrowser):
    """Grows with its text instead of scrolling up and down; a table (`wide`) scrolls sideways."""

    def __init__(self, parent: QWidget | None = None, wide: bool = False) -> None:
        super().__init__(parent)
        self.renders = 0
        self._wide = wide
        self._html = ""
        self._pictures: list[str] = []  # that the user wants to see
        self.setAccessibleName(self.tr("Text"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if not wide:  # Qt would show a bar for a moment each time the text changes
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.viewport().setAutoFillBackground(False)  # a style sheet of its own would cost each text 1 ms
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(self._clicked)
        self.highlighted.connect(self._show_target)
        self._formulas = FormulaText(self.document())
        self._style()

    def set_html(self, html: str) -> None:
        if html == self._html and self.renders:
            return
        self._html = html
        self._render()

    def set_plain(self, text: str) -> None:
        self.renders += 1
        self.setPlainText(text)
        self._space_lines()
        self.fit()

    def expect_width(self, width: int) -> None:
        """For the time before the first layout, when the text would else be as tall as in a narrow column."""
        if width > self.width():  # by which Qt lays the document out whenever its text is set
            self.resize(width, self.height())
        self.document().setTextWidth(width)

    @property
    def formulas(self) -> list[str]:
        """The LaTeX of those that are pictures, in order."""
        return self._formulas.pictured

    def unwrapped_width(self) -> int:
        """Pixels of the longest line. Measured on a copy: to change this document's own width undoes its wrapping."""
        copy = self.document().clone()
        copy.setTextWidth(-1)
        return int(copy.idealWidth()) + 2

    def restyle(self) -> None:
        """New colours or sizes: the one reason to lay a finished block out again."""
        self._style()
        if self._html:
            self._render()
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
        """Plain text gets the line height that the style sheet gives to formatted text, and code its font."""
        spacing = QTextBlockFormat()
        spacing.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spacing)
        plain_code.dress(self.document())

    def _style(self) -> None:
        look, c = Appearance.shared(), colours()
        self.document().setDefaultFont(look.font())
        option = QTextOption(self.document().defaultTextOption())
        wrap = QTextOption.WrapMode
        option.setWrapMode(wrap.WordWrap if self._wide else wrap.WrapAtWordBoundaryOrAnywhere)
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

    def _render(self) -> None:
        self.renders += 1
        html = _PICTURE_LINK.sub(rf"\1[{self.tr('Show picture')}: ", self._html)
        if "<math" in html:
            em = FORMULA_SIZE * QFontInfo(self.document().defaultFont()).pixelSize()
            self._formulas.show(html, colours().text, em, self.devicePixelRatioF())
            self.moveCursor(QTextCursor.MoveOperation.Start)  # from the end, where Qt would scroll to
            if self._formulas.waits:
                Formulas.shared().drawn.connect(self._formula_drawn, Qt.ConnectionType.UniqueConnection)
        else:
            self.setHtml(html)
        for address in self._pictures:
            self._show_picture(address)
        self.fit()

    def _formula_drawn(self) -> None:
        """Once, when the last one that is missing has come."""
        if self._formulas.all_drawn():
            Formulas.shared().drawn.disconnect(self._formula_drawn)
            self._render()

    def _clicked(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if address.startswith(PICTURE):
            address = address.removeprefix(PICTURE)
            if self._show_picture(address):
                self._pictures.append(address)
                self.fit()
            return
        sentence = open_link(url)
        if sentence:
            QToolTip.showText(QCursor.pos(), f"<p>{escape(sentence)}</p>", self)

    def _show_picture(self, address: str) -> bool:
        """In the place of its link; when it can't be read, says why."""
        cursor = self._link_cursor(PICTURE + address)
        if cursor is None:
            return False
        try:
            image = read_picture(address, self.viewport().width(), self.devicePixelRatioF())
        except SlipstreamError as error:
            QToolTip.showText(QCursor.pos(), f"<p>{escape(str(error))}</p>", self)
            return False
        url = QUrl(f"shown:{len(self._pictures)}")
        self.document().addResource(QTextDocument.ResourceType.ImageResource, url, image)
        size = image.deviceIndependentSize().toSize()
        cursor.insertHtml(f'<img src="{url.toString()}" width="{size.width()}" height="{size.height()}">')
        return True

    def _link_cursor(self, target: str) -> QTextCursor | None:
        """The text of the first link that leads there."""
        block = self.document().begin()
        while block.isValid():
            for part in block:  # type: ignore[attr-defined]
                if part.fragment().charFormat().anchorHref() == target:
                    cursor = QTextCursor(self.document())
                    cursor.setPosition(part.fragment().position())
                    end = part.fragment().position() + part.fragment().length()
                    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                    return cursor
            block = block.next()
        return None

    def _show_target(self, url: QUrl) -> None:
        text = describe(url)
        self.viewport().setToolTip(f"<p>{escape(text)}</p>" if text else "")
        if not text:
            QToolTip.hideText()
