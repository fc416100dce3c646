"""Below the composer: which settings the chat has, and how full its context is."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.settings import words
from app.settings.chat_options import ChatOptions
from app.settings.context_meter import ContextMeter
from app.settings.gauge import Gauge
from app.theme import SPACE_M, SPACE_XS


class ChatBar(QWidget):
    settings_asked = Signal()
    context_asked = Signal()

    def __init__(self, options: ChatOptions, meter: ContextMeter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = options
        self.button = QPushButton(self)
        self.button.setProperty("kind", "action")
        self.button.setToolTip(self.tr("Settings of this chat (Ctrl+.)"))
        self.gauge = Gauge(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(1, SPACE_XS, 0, 0)
        row.setSpacing(SPACE_M)
        row.addWidget(self.button)
        row.addStretch(1)
        row.addWidget(self.gauge)
        self.button.clicked.connect(self.settings_asked)
        self.gauge.clicked.connect(self.context_asked)
        meter.changed.connect(self.gauge.show_use)
        options.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        title = words.of_preset(self._options.preset).title
        changed = len(self._options.own)
        text = self.tr("{preset} · %n change(s)", "", changed) if changed else self.tr("{preset} settings")
        self.button.setText(text.format(preset=title))
        self.button.setAccessibleName(
            self.tr("Settings of this chat: {what}").format(what=self.button.text())
        )
