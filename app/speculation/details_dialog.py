"""How an answer was made: all its figures, to read and to copy."""

import json
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.dialog_size import open_at
from app.speculation.answer_report import Report, Row
from app.speculation.definitions import positions as positions_meaning
from app.speculation.figure_rows import plain_label, tooltip
from app.speculation.positions import PositionBars
from app.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS

COPIED_MS = 1500
WIDTH, HEIGHT = 480, 720


class DetailsDialog(QDialog):
    tokens_asked = Signal()

    def __init__(self, report: Report, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self.setWindowTitle(self.tr("How this answer was made"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_at(self, WIDTH, HEIGHT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, SPACE_M)
        column.addWidget(self._figures(), 1)
        column.addLayout(self._buttons())

    def copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self._report.as_text())

    def copy_json(self) -> None:
        text = json.dumps(self._report.as_json(), ensure_ascii=False, indent=1)
        QGuiApplication.clipboard().setText(text)

    def _figures(self) -> QScrollArea:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_S)
        for number, (title, rows) in enumerate(self._report.sections()):
            if number:
                column.addSpacing(SPACE_S)
            column.addWidget(plain_label(title, "panelHeading"))
            column.addLayout(_grid(rows))
            if number == 1 and self._report.stats.accepted_by_position:
                self._add_positions(column)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidget(body)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return area

    def _add_positions(self, column: QVBoxLayout) -> None:
        heading = plain_label(self.tr("Right guesses by position"), "muted")
        bars = PositionBars()
        bars.show_positions(self._report.stats.accepted_by_position)
        for widget in (heading, bars):
            widget.setToolTip(tooltip(positions_meaning()))
            column.addWidget(widget)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(SPACE_L, 0, SPACE_L, 0)
        row.setSpacing(SPACE_S)
        if self._report.trace is not None:
            row.addWidget(self._button(self.tr("Show the tokens"), self._show_tokens))
        row.addStretch(1)
        text = self._button(self.tr("Copy as text"), lambda: self._copied(text, self.copy_text))
        data = self._button(self.tr("Copy as JSON"), lambda: self._copied(data, self.copy_json))
        row.addWidget(text)
        row.addWidget(data)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        box.rejected.connect(self.close)
        row.addWidget(box)
        return row

    def _button(self, text: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: run())
        return button

    def _copied(self, button: QPushButton, copy: Callable[[], None]) -> None:
        copy()
        before = button.text()
        button.setText(self.tr("Copied"))
        QTimer.singleShot(COPIED_MS, button, lambda: button.setText(before))

    def _show_tokens(self) -> None:
        self.close()
        self.tokens_asked.emit()


def _grid(rows: list[Row]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(SPACE_M)
    grid.setVerticalSpacing(SPACE_XS)
    grid.setColumnStretch(1, 1)
    selectable = (
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    for number, (name, value) in enumerate(rows):
        label, figure = plain_label(name, "muted"), plain_label(value)
        label.setWordWrap(False)
        figure.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        figure.setTextInteractionFlags(selectable)
        figure.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        figure.setAccessibleName(f"{name}: {value}")
        grid.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(figure, number, 1)
    return grid
