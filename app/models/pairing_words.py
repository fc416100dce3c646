"""What is said about a draft: whether it fits, and what it gains."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt

from app.speculation.numbers import decimal, percent

if TYPE_CHECKING:
    from engine.models.gain import Gain
    from engine.models.pairing import Candidate
    from engine.models.trial import Trying

NO_GAIN = 1.05  # a prediction of less is none


def about(candidate: "Candidate") -> str:
    """One or two lines below the name."""
    if not candidate.fits:
        return capital(candidate.reason) + "."
    lines = [gain_in_words(candidate.gain)] if candidate.gain else []
    if candidate.block:
        lines.append(
            QCoreApplication.translate(
                "Pairing", "It reads inside the model, which is prepared anew for it; the chat stays."
            )
        )
    return "\n".join(lines)


def gain_in_words(gain: "Gain") -> str:
    if gain.basis == "trial":
        return _measured(gain)
    if gain.most < NO_GAIN:
        return QCoreApplication.translate(
            "Pairing", "Hardly any gain is expected: it is too slow beside the model."
        )
    low, high = gain.accepted or (0.0, 0.0)
    text = (
        QCoreApplication.translate(
            "Pairing",
            "About {least}× to {most}× by both models' speed here, assuming {low} to {high} of its guesses are right.",
        )
        if gain.basis == "costs"
        else QCoreApplication.translate(
            "Pairing",
            "Roughly {least}× to {most}× by both models' size, assuming {low} to {high} of its guesses are right.",
        )
    )
    return text.format(
        least=decimal(gain.least), most=decimal(gain.most), low=percent(low), high=percent(high)
    )


def gain_in_short(gain: "Gain") -> str:
    """For a list."""
    if gain.basis == "trial":
        return QCoreApplication.translate("Pairing", "{times}×, measured").format(times=decimal(gain.least))
    if gain.most < NO_GAIN:
        return QCoreApplication.translate("Pairing", "hardly any gain expected")
    text = QCoreApplication.translate("Pairing", "{least}× to {most}× expected")
    return text.format(least=decimal(gain.least), most=decimal(gain.most))


def assumption() -> str:
    return QCoreApplication.translate(
        "Pairing",
        "How many guesses will be right is assumed: nobody knows before a trial. It differs by what you ask for.",
    )


def trial_in_words(step: "Trying | None") -> str:
    """While a trial runs; `step` is None before it."""
    if step is None:
        return QCoreApplication.translate("Pairing", "Getting the draft ready…")
    if step.plain is None or step.drafted is None:
        return QCoreApplication.translate("Pairing", "Trying it with a few prompts of our own…")
    text = QCoreApplication.translate(
        "Pairing", "Trying it: {plain} tokens/s plain, {drafted} with the draft"
    )
    return text.format(plain=decimal(step.plain), drafted=decimal(step.drafted))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _measured(gain: "Gain") -> str:
    day = QDate.fromString(gain.when, Qt.DateFormat.ISODate)
    same_year = day.year() == QDate.currentDate().year()
    told = QLocale().toString(day, "d MMM" if same_year else "d MMM yyyy")
    tr = QCoreApplication.translate
    text = tr("Pairing", "Measured {times}× on this machine, {day}")
    if gain.outdated:
        text = tr("Pairing", "Measured {times}× on this machine, {day}, with an earlier version")
    elif gain.least < 1.0:
        text = tr("Pairing", "Measured {times}× on this machine, {day}: it is slower than plain decoding")
    return text.format(times=decimal(gain.least), day=told)
