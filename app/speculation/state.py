"""The state chip in words. Pure Python. It never names a speedup that was not measured."""

from dataclasses import dataclass
from enum import StrEnum

from engine.metrics import Stats

MEASURING_STRETCH = "measuring"  # how the reason of a pass that only measures plain decoding begins
NOT_MEASURED = "Plain decoding has not been measured yet, so there is no speedup to show."
OFF_TIP = "The model writes one token a pass. Auto and On draft several and check them at once."
TOO_SHORT = "Plain decoding was not measured during this answer, so there is no speedup to show."
NOTHING_DRAFTED = "No tokens were drafted, so every pass was a plain one."
READY_TIP = "The speedup is shown once an answer was measured."


class Kind(StrEnum):
    OFF = "off"
    UNAVAILABLE = "unavailable"
    READY = "ready"  # no answer yet
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
    if switch == "off":
        return State(Kind.OFF, "Off", OFF_TIP)
    if unavailable is not None:
        return State(Kind.UNAVAILABLE, f"Not available: {unavailable}", _sentence(unavailable))
    if stats is None:
        return State(Kind.READY, "Ready", READY_TIP)
    if not ended and (stats.speedup is None or _only_measures(stats)):
        return State(Kind.MEASURING, "Measuring", NOT_MEASURED)
    if stats.speedup is not None and switch == "auto" and _chose_plain(stats):
        return _auto_off(stats, stats.speedup)
    if not stats.drafted and not stats.draft_tokens_now:
        return State(Kind.READY, f"{switch.capitalize()} · nothing drafted", NOTHING_DRAFTED)
    if stats.speedup is None:
        return State(Kind.UNMEASURED, f"{switch.capitalize()} · speedup not measured", TOO_SHORT)
    return _on(stats, stats.speedup, ended)


def speedup_words(speedup: float) -> str:
    return f"{speedup:.1f}×"


def _only_measures(stats: Stats) -> bool:
    """The first passes of an answer, without drafts so that there is something to compare with."""
    return not stats.drafted and stats.pace_reason.startswith(MEASURING_STRETCH)


def _chose_plain(stats: Stats) -> bool:
    """Auto drafts nothing because it would not pay; a single pass without drafts in an answer that gains is not it."""
    plain_now = stats.draft_tokens_now == 0 and bool(stats.pace_reason)
    gains = stats.drafted > 0 and (stats.speedup or 0.0) >= 1.0
    return plain_now and not gains and not stats.pace_reason.startswith(MEASURING_STRETCH)


def _auto_off(stats: Stats, speedup: float) -> State:
    worth = speedup_words(speedup)
    tip = (
        f"Auto decodes plainly now: {stats.pace_reason}. So far this answer came at {worth} the plain speed."
    )
    return State(Kind.AUTO_OFF, f"Auto · off · {worth}", tip)


def _on(stats: Stats, speedup: float, ended: bool) -> State:
    length = f" · k={stats.draft_tokens_now}" if stats.draft_tokens_now and not ended else ""
    tip = f"This answer comes at {speedup_words(speedup)} the speed of plain decoding"
    if stats.plain_tokens_per_second is not None:
        tip += f", which was measured at {stats.plain_tokens_per_second:.1f} tokens/s"
    tip += "."
    if stats.pace_reason:
        tip += f" {_sentence(stats.pace_reason)}"
    return State(Kind.ON, f"On{length} · {speedup_words(speedup)}", tip)


def _sentence(reason: str) -> str:
    """With a capital, but `k=5` is a name."""
    start = reason if reason.startswith("k=") else reason[:1].upper() + reason[1:]
    return start if start.endswith(".") else f"{start}."
