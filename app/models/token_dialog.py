"""Asks for the hub's access token, and says where it is kept."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from app.failure_log import FailureLog
from app.models.errands import Errand
from app.speculation.figure_rows import plain_label
from app.theme import SPACE_L, SPACE_M
from engine.models import hub, hub_token


class TokenDialog(QDialog):
    """`kept` once when the token is there: True if it is in the system's keyring, else it lasts for this run."""

    kept = Signal(bool)

    def __init__(self, repo: str, log: FailureLog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Access token"))
        self._log = log
        self._hub = hub.endpoint_or_default()
        page = f"{self._hub}/{repo}" if repo else self._hub
        self._about = plain_label(
            self.tr(
                "Some makers want to know who fetches their model. Accept their terms on {page}, make a token with "
                "read access in your settings there, and paste it here."
            ).format(page=page)
        )
        self._where = plain_label(
            self.tr("It is kept in your system's keyring, never in a file, and sent to {hub} only.").format(
                hub=self._hub
            ),
            "muted",
        )
        self.field = QLineEdit(self)
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(self.tr("Access token"))
        self.field.setPlaceholderText(self.tr("Paste it here"))
        self.complaint = plain_label("", "complaint")
        self.complaint.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.save = self.buttons.addButton(self.tr("Keep the token"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setProperty("kind", "primary")
        self.save.style().polish(self.save)  # the box has polished it already
        self.forget = self.buttons.addButton(
            self.tr("Forget the kept one"), QDialogButtonBox.ButtonRole.DestructiveRole
        )
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        self.forget.clicked.connect(self._forget)
        self._build()

    def _save(self) -> None:
        """On a thread: a keyring may ask the user to unlock it first."""
        token = self.field.text()
        self._run(lambda: hub_token.keeper.set(self._hub, token))

    def _forget(self) -> None:
        self._run(lambda: hub_token.keeper.forget(self._hub))

    def _run(self, change: Callable[[], object]) -> None:
        self.save.setEnabled(False)
        errand = Errand(lambda _progress, _cancel: change(), self._log, self)
        errand.done.connect(self._done)
        errand.failed.connect(self._complain)

    def _done(self, kept: object) -> None:
        if kept is not None:
            self.kept.emit(bool(kept))
        self.accept()

    def _complain(self, sentence: str) -> None:
        self.save.setEnabled(True)
        self.complaint.setText(sentence)
        self.complaint.show()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        for part in (self._about, self.field, self._where, self.complaint):
            column.addWidget(part)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self.setMinimumWidth(60 * self.fontMetrics().averageCharWidth())
        self.field.setFocus()
