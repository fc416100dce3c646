"""When a speedup may be named: it was measured, something was drafted, and enough tokens came."""

from PySide6.QtCore import QCoreApplication

from app.speculation import numbers
from engine.metrics import Stats

ENOUGH_TOKENS = 32  # before that, the first passes of an answer, which are slow, decide


def speedup_of(stats: Stats) -> float | None:
    return stats.speedup if stats.drafted and stats.tokens >= ENOUGH_TOKENS else None


def why_no_speedup(stats: Stats, ended: bool) -> str:
    """A sentence; empty when there is a speedup."""
    tr = QCoreApplication.translate
    if speedup_of(stats) is not None:
        return ""
    if not stats.drafted:
        return (
            tr("Worth", "Nothing was guessed, so every pass was a plain one.")
            if ended
            else tr("Worth", "Nothing was guessed yet.")
        )
    if stats.speedup is None:
        return (
            tr("Worth", "Plain decoding was not measured, so there is nothing to compare with.")
            if ended
            else tr("Worth", "Plain decoding has not been measured yet, so there is nothing to compare with.")
        )
    return tr("Worth", "Too few tokens to compare: a speedup is shown from {count} on.").format(
        count=numbers.whole(ENOUGH_TOKENS)
    )
