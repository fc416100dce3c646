"""The pane beside a list of models: what there is to know of one, and what can be done with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.chat.notice import Notice
from app.flow_layout import FlowLayout
from app.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL


@dataclass(frozen=True, slots=True)
class Deed:
    """A button; disabled with the reason as its tooltip where `why_not` says one."""

    text: str
    run: Callable[[], object]
    primary: bool = False
    why_not: str = ""


class Details(QScrollArea):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelDetails")
        self.setAccessibleName(self.tr("About this model"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.title = QLabel()
        self.title.setProperty("kind", "heading")
        self.about = QLabel()
        self.about.setProperty("kind", "muted")
        for label in (self.title, self.about):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setMinimumWidth(1)
        self.extra: QWidget | None = None
        self.buttons: list[QPushButton] = []
        self.notice: Notice | None = None
        self._values: dict[str, QLabel] = {}
        self._build()
        self.clear("")

    def clear(self, sentence: str) -> None:
        """Nothing is chosen; `sentence` says what to do."""
        self.show_model("", sentence, [], [])

    def show_model(
        self,
        title: str,
        about: str,
        facts: Sequence[tuple[str, str]],
        deeds: Sequence[Deed],
        extra: QWidget | None = None,
    ) -> None:
        """`facts`: name and value; `extra` stands above the buttons and belongs to this pane from now on."""
        self.title.setText(title)
        self.title.setVisible(bool(title))
        self.about.setText(about)
        self.about.setVisible(bool(about))
        self._clear_facts()
        for name, value in facts:
            self.add_fact(name, value)
        self._show_extra(extra)
        self._show_deeds(deeds)
        self.say("")
        self.verticalScrollBar().setValue(0)

    def add_fact(self, name: str, value: str, tooltip: str = "") -> None:
        """One more, or another value of one that is there."""
        if name not in self._values:
            label, text = QLabel(name), QLabel()
            label.setProperty("kind", "muted")
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setWordWrap(True)
            text.setMinimumWidth(1)
            text.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            row = len(self._values)
            self._facts.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(text, row, 1)
            self._values[name] = text
        text = self._values[name]
        text.setText(value)
        text.setToolTip(tooltip)
        text.setAccessibleName(f"{name}: {value}")

    def fact(self, name: str) -> str:
        return self._values[name].text() if name in self._values else ""

    def say(
        self, sentence: str, action: str = "", run: Callable[[], object] | None = None, tone: str = "error"
    ) -> None:
        """One notice below the title and what is said of it; "" takes it away."""
        if self.notice is not None:
            self.notice.hide()
            self.notice.deleteLater()
            self.notice = None
        if sentence:
            self.notice = Notice(sentence, action, run, tone, self)
            self._column.insertWidget(2, self.notice)

    def button(self, text: str) -> QPushButton:
        return next(button for button in self.buttons if button.text() == text)

    def _clear_facts(self) -> None:
        self._values.clear()
        while (item := self._facts.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _show_extra(self, extra: QWidget | None) -> None:
        if self.extra is not None:
            self.extra.hide()
            self.extra.deleteLater()
        self.extra = extra
        if extra is not None:
            self._column.insertWidget(self._column.indexOf(self._deeds), extra)

    def _show_deeds(self, deeds: Sequence[Deed]) -> None:
        for button in self.buttons:
            button.hide()
            self._flow.removeWidget(button)
            button.deleteLater()
        self.buttons = [self._button(deed) for deed in deeds]
        self._deeds.setVisible(bool(deeds))
        self._deeds.updateGeometry()

    def _button(self, deed: Deed) -> QPushButton:
        button = QPushButton(deed.text, self._deeds)
        if deed.primary:
            button.setProperty("kind", "primary")
        button.setEnabled(not deed.why_not)
        button.setToolTip(deed.why_not)
        button.setAccessibleDescription(deed.why_not)
        button.clicked.connect(lambda _checked=False: deed.run())
        self._flow.addWidget(button)
        button.show()
        return button

    def _build(self) -> None:
        inner = QWidget()
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(SPACE_L)
        self._facts.setVerticalSpacing(SPACE_S)
        self._facts.setColumnStretch(1, 1)
        self._deeds = QWidget(inner)
        self._flow = FlowLayout(SPACE_S, SPACE_S, self._deeds)
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(SPACE_L, SPACE_S, SPACE_L, SPACE_XL)
        self._column.setSpacing(SPACE_M)
        self._column.addWidget(self.title)
        self._column.addWidget(self.about)
        self._column.addWidget(self._deeds)
        self._column.addLayout(self._facts)
        self._column.addStretch(1)
        self.setWidget(inner)
