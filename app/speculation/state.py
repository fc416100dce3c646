"""The state chip in words. It never names a speedup that was not measured, or that rests on too few tokens."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from app.speculation import numbers
from app.speculation.reasons import in_words
from app.speculation.worth import speedup_of, why_no_speedup
from engine.metrics import Stats

MEASURING_STRETCH = "measuring"  # how the reason of a pass that only measures plain decoding begins


class Kind(StrEnum):
    NO_MODEL = "no_model"
    OFF = "off"
    UNAVAILABLE = "unavailable"
    READY = "ready"  # no answer yet
    READING = "reading"  # the prompt
    MEASURING = "measuring"
    UNMEASURED = "unmeasured"  # the answer ended before there was a speedup
    ON = "on"
    AUTO_OFF = "auto_off"  # auto drafts nothing, because it would not pay


@dataclass(frozen=True, slots=True)
class State:
    kind: Kind
    text: str
    tip: str = ""


def state_of(switch: str, unavailable: str | None, stats: Stats | None, ended: bool = False) -> State:
    """`switch` is "auto", "on" or "off"; `unavailable` the engine's reason; `stats` of the latest pass, if any.

    `ended`: that pass was the last one of its answer.
    """
    tr = QCoreApplication.translate
    if switch == "off":
        return State(Kind.OFF, tr("State", "Off"), _off_tip())
    if unavailable is not None:
        reason = in_words(unavailable)
        return State(
            Kind.UNAVAILABLE, tr("State", "Not available: {reason}").format(reason=reason.rstrip(".")), reason
        )
    if stats is None:
        tip = tr("State", "The speedup is shown once an answer was measured.")
        return State(Kind.READY, tr("State", "Ready"), tip)
    if not ended and (stats.speedup is None or _only_measures(stats)):
        return State(Kind.MEASURING, tr("State", "Measuring"), why_no_speedup(stats, ended=False))
    return _of_answer(switch, stats, ended)


def reading(done: int, total: int) -> State:
    """While the prompt is read: so many tokens of so many."""
    tr = QCoreApplication.translate
    share = numbers.percent(done / total) if total else ""
    tip = tr("State", "{done} of {total} tokens of the prompt are read. The answer begins after that.")
    return State(
        Kind.READING,
        tr("State", "Reading the prompt… {share}").format(share=share).strip(),
        tip.format(done=numbers.whole(done), total=numbers.whole(total)),
    )


def speedup_words(speedup: float) -> str:
    return f"{numbers.decimal(speedup)}×"


def _of_answer(switch: str, stats: Stats, ended: bool) -> State:
    speedup = speedup_of(stats)
    name = _switch_name(switch)
    tr = QCoreApplication.translate
    if stats.speedup is not None and switch == "auto" and _chose_plain(stats):
        return _auto_off(stats)
    if not stats.drafted and not stats.draft_tokens_now:
        text = tr("State", "{switch} · nothing guessed").format(switch=name)
        return State(Kind.READY, text, why_no_speedup(stats, ended=True))
    if speedup is None and ended:
        short = stats.speedup is not None
        text = (
            tr("State", "{switch} · too short to compare")
            if short
            else tr("State", "{switch} · not measured")
        )
        return State(Kind.UNMEASURED, text.format(switch=name), why_no_speedup(stats, ended))
    return _on(stats, speedup, ended)


def _off_tip() -> str:
    return QCoreApplication.translate(
        "State", "The model writes one token a pass. Auto and On guess several and check them at once."
    )


def _switch_name(switch: str) -> str:
    tr = QCoreApplication.translate
    return tr("State", "Auto") if switch == "auto" else tr("State", "On")


def _only_measures(stats: Stats) -> bool:
    """The first passes of an answer, without drafts so that there is something to compare with."""
    return not stats.drafted and stats.pace_reason.startswith(MEASURING_STRETCH)


def _chose_plain(stats: Stats) -> bool:
    """Auto drafts nothing because it would not pay; a single pass without drafts in an answer that gains is not it."""
    plain_now = stats.draft_tokens_now == 0 and bool(stats.pace_reason)
    gains = stats.drafted > 0 and (stats.speedup or 0.0) >= 1.0
    return plain_now and not gains and not stats.pace_reason.startswith(MEASURING_STRETCH)


def _auto_off(stats: Stats) -> State:
    tr = QCoreApplication.translate
    tips = [tr("State", "Auto decodes plainly now."), in_words(stats.pace_reason)]
    speedup = speedup_of(stats)
    if speedup is None:
        return State(Kind.AUTO_OFF, tr("State", "Auto · off"), " ".join(tips))
    worth = speedup_words(speedup)
    tips.append(tr("State", "So far this answer came at {worth} the plain speed.").format(worth=worth))
    return State(Kind.AUTO_OFF, tr("State", "Auto · off · {worth}").format(worth=worth), " ".join(tips))


def _on(stats: Stats, speedup: float | None, ended: bool) -> State:
    tr = QCoreApplication.translate
    parts = [tr("State", "On")]
    if stats.draft_tokens_now and not ended:
        parts.append(f"k={numbers.whole(stats.draft_tokens_now)}")
    tips = [why_no_speedup(stats, ended)] if speedup is None else [_comparison(stats, speedup)]
    if speedup is not None:
        parts.append(speedup_words(speedup))
    if stats.pace_reason:
        tips.append(in_words(stats.pace_reason))
    return State(Kind.ON, " · ".join(parts), " ".join(tips))


def _comparison(stats: Stats, speedup: float) -> str:
    tr = QCoreApplication.translate
    worth = speedup_words(speedup)
    if stats.plain_tokens_per_second is None:
        return tr("State", "This answer comes at {worth} the speed of plain decoding.").format(worth=worth)
    text = tr(
        "State", "This answer comes at {worth} the speed of plain decoding, which was measured at {plain}."
    )
    return text.format(worth=worth, plain=numbers.speed(stats.plain_tokens_per_second))
