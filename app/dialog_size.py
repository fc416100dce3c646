"""How large a dialog opens: as designed at the normal text size, larger with the text, never beyond the screen."""

from PySide6.QtWidgets import QWidget

from app.theme import SPACE_XL, Appearance

FRAME = 2 * SPACE_XL  # the title bar, and something of what lies behind


def open_at(dialog: QWidget, width: int, height: int) -> None:
    """Pixels at the normal text size."""
    share = Appearance.shared().share
    room = dialog.screen().availableGeometry()
    dialog.resize(
        min(round(width * share), room.width() - FRAME), min(round(height * share), room.height() - FRAME)
    )
