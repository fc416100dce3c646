"""Colours of the origins: Okabe and Ito's palette and a violet, darkened on white where a line would not be seen.

Every origin also has its own line below the text, so no one depends on the colours.
"""

from PySide6.QtGui import QColor

from app.speculation.origins import Origin
from app.theme import Colours

LINES_ON_LIGHT = {
    Origin.NGRAM: "#0072b2",
    Origin.STORE: "#4d24cc",
    Origin.DRAFT: "#00875f",
    Origin.DFLASH: "#b5588b",
    Origin.CORRECTED: "#b84300",
    Origin.BONUS: "#a28600",
}
LINES_ON_DARK = {
    Origin.NGRAM: "#56b4e9",
    Origin.STORE: "#8566ff",
    Origin.DRAFT: "#1db88a",
    Origin.DFLASH: "#d98fb7",
    Origin.CORRECTED: "#f0803c",
    Origin.BONUS: "#f0e442",
}
STRENGTH_ON_LIGHT, STRENGTH_ON_DARK = 0.17, 0.24  # of the tint behind the text
FAINT = 0.55  # of that: behind rendered text, which has colours of its own


def line_colour(origin: Origin, colours: Colours) -> QColor:
    lines = LINES_ON_DARK if colours.dark else LINES_ON_LIGHT
    return QColor(lines.get(origin, colours.control))


def tint(origin: Origin, colours: Colours, page: str = "", strength: float = 1.0) -> QColor:
    """Opaque, on `page` (else the theme's); a plain token has none, and gets the page itself."""
    ground = QColor(page or colours.page)
    if origin is Origin.PLAIN:
        return ground
    share = strength * (STRENGTH_ON_DARK if colours.dark else STRENGTH_ON_LIGHT)
    line = line_colour(origin, colours)
    return QColor.fromRgbF(
        *(
            share * ours + (1.0 - share) * under
            for ours, under in (
                (line.redF(), ground.redF()),
                (line.greenF(), ground.greenF()),
                (line.blueF(), ground.blueF()),
            )
        )
    )
