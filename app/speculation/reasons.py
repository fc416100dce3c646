"""The engine's reasons, which are short and English, as sentences in the user's language."""

import re
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.speculation import numbers

MARGIN = re.compile(r"k=(\d+): one more token would cost ([\d.]+) ms for ([\d.]+) tokens")
MOST = re.compile(r"k=(\d+): the most that is drafted here at once")
FIXED = re.compile(r"fixed at (\d+)")


@dataclass(frozen=True, slots=True)
class Margin:
    """`drafted` guesses a pass now; one more would cost so many milliseconds for so many expected tokens."""

    drafted: int
    milliseconds: float
    tokens: float


def margin_of(reason: str) -> Margin | None:
    """What the pace weighed, if it did."""
    found = MARGIN.search(reason)
    return Margin(int(found[1]), float(found[2]), float(found[3])) if found else None


def in_words(reason: str) -> str:
    """A sentence with a full stop; a reason that is not known here is given as it is."""
    margin = margin_of(reason)
    if margin is not None:
        return _of_margin(margin)
    tr = QCoreApplication.translate
    if found := MOST.fullmatch(reason):
        return tr("Reasons", "%n guess(es) a pass, the most that are made at once here.", "", int(found[1]))
    if found := FIXED.fullmatch(reason):
        return tr("Reasons", "%n guess(es) a pass, because the switch stands at On.", "", int(found[1]))
    return fixed_sentences().get(reason) or _sentence(reason)


def _of_margin(margin: Margin) -> str:
    text = QCoreApplication.translate(
        "Reasons",
        "%n guess(es) a pass: one more would take {cost} ms and bring {gain} tokens, which does not pay.",
        "",
        margin.drafted,
    )
    return text.format(
        cost=numbers.decimal(margin.milliseconds),
        gain=numbers.decimal(margin.tokens, 2),
    )


def fixed_sentences() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        "no draft is expected to pay": tr(
            "Reasons", "Guesses cost more time here than they save, by what was measured."
        ),
        "nothing in the text repeats here": tr("Reasons", "Nothing in the text repeats here."),
        "measuring plain decoding": tr(
            "Reasons", "Plain decoding is measured for a moment, to compare with."
        ),
        "trying the drafter again": tr("Reasons", "The drafter is tried again, to see whether it pays now."),
        "no repeated text": tr("Reasons", "Nothing in the text repeats here."),
        "this pair has no draft model": tr("Reasons", "This pair has no draft model."),
        "this pair has no trained drafter (DFlash or EAGLE)": tr(
            "Reasons", "This pair has no trained drafter (DFlash or EAGLE)."
        ),
    }


def _sentence(reason: str) -> str:
    start = reason[:1].upper() + reason[1:]
    return start if not start or start.endswith(".") else f"{start}."
