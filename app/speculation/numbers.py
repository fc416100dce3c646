"""Numbers as the user's language writes them."""

from PySide6.QtCore import QCoreApplication, QLocale

NONE = "–"


def whole(value: int) -> str:
    return QLocale().toString(value)


def decimal(value: float | None, digits: int = 1) -> str:
    return NONE if value is None else QLocale().toString(float(value), "f", digits)


def percent(rate: float) -> str:
    return f"{decimal(100.0 * rate, 0)}\u202f{QLocale().percent()}"


def count_of_tokens(count: int) -> str:
    return QCoreApplication.translate("Numbers", "%Ln token(s)", "", count)


def count_of_passes(count: int) -> str:
    return QCoreApplication.translate("Numbers", "%Ln pass(es)", "", count)


def speed(tokens_per_second: float | None) -> str:
    if tokens_per_second is None:
        return NONE
    text = QCoreApplication.translate("Numbers", "{number} tokens/s")
    return text.format(number=decimal(tokens_per_second))


def seconds(value: float | None) -> str:
    if value is None:
        return NONE
    return f"{decimal(1000.0 * value, 0)} ms" if value < 1.0 else f"{decimal(value, 2)} s"


def ago(value: float) -> str:
    tr = QCoreApplication.translate
    if value >= 3600:
        return tr("Numbers", "{count} h ago").format(count=whole(int(value // 3600)))
    if value >= 60:
        return tr("Numbers", "{count} min ago").format(count=whole(int(value // 60)))
    if value < 1:
        return tr("Numbers", "just now")
    return tr("Numbers", "{count} s ago").format(count=whole(int(value)))
