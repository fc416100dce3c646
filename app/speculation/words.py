"""What the panel says about an answer: every figure with its unit, "–" where nothing was measured."""

from PySide6.QtCore import QCoreApplication

from app.models.sizes import in_words as in_bytes
from app.speculation import numbers
from app.speculation.definitions import source_name
from app.speculation.reasons import in_words
from app.speculation.record import AnswerRecord
from app.speculation.worth import why_no_speedup
from engine.metrics import Stats

NBSP = "\u00a0"
EVEN = 0.05  # so near to 1 that neither is faster


def idle() -> str:
    return QCoreApplication.translate("Panel", "Send a message: the figures of its answer appear here.")


def off() -> str:
    return QCoreApplication.translate("Panel", "Plain decoding: one token a pass.")


def headline(record: AnswerRecord) -> tuple[str, str]:
    """The speedup and what it means; "–" and the reason when there is none."""
    speedup = record.speedup
    if speedup is None:
        return numbers.NONE, why_no_speedup(record.stats, record.finished)
    tr = QCoreApplication.translate
    if abs(speedup - 1.0) < EVEN:
        comparison = tr("Panel", "As fast as plain decoding")
    elif speedup > 1.0:
        comparison = tr("Panel", "Faster than plain decoding")
    else:
        comparison = tr("Panel", "Slower than plain decoding")
    return f"{numbers.decimal(speedup)}×", comparison


def figures(record: AnswerRecord) -> dict[str, str]:
    stats = record.stats
    return {
        "speed": numbers.speed(record.speed),
        "plain": numbers.speed(stats.plain_tokens_per_second),
        "measured": _measured(record),
        "per_pass": numbers.decimal(stats.tokens_per_pass, 2),
        "acceptance": acceptance(stats),
    }


def details(record: AnswerRecord) -> dict[str, str]:
    stats = record.stats
    return {
        "drafted": shares(stats),
        "passes": numbers.whole(stats.target_passes),
        "ttft": numbers.seconds(record.ttft_s),
        "prompt": prompt(record.prompt_tokens, record.reused_tokens),
        "answer": _tokens(stats.tokens),
        "context": context(stats),
        "kv": in_bytes(stats.kv_bytes).replace(" ", NBSP) if stats.kv_bytes else numbers.NONE,
    }


def pace(record: AnswerRecord) -> str:
    """How many tokens are guessed, and the reason."""
    return in_words(record.pace_reason) if record.pace_reason else ""


def acceptance(stats: Stats) -> str:
    if stats.acceptance_rate is None:
        return numbers.NONE
    counts = QCoreApplication.translate("Panel", "{accepted} of {drafted}").format(
        accepted=numbers.whole(stats.accepted), drafted=numbers.whole(stats.drafted)
    )
    return f"{numbers.percent(stats.acceptance_rate)} · {counts.replace(' ', NBSP)}"


def shares(stats: Stats) -> str:
    """A line for each source: its guesses and their share."""
    by_source = sorted(stats.drafted_by_source.items(), key=lambda item: -item[1])
    told = [
        f"{source_name(source)} {numbers.whole(count)}{NBSP}·{NBSP}{numbers.percent(count / stats.drafted)}"
        for source, count in by_source
        if stats.drafted
    ]
    return "\n".join(told) or numbers.NONE


def prompt(tokens: int, reused: int | None) -> str:
    if not tokens:
        return numbers.NONE
    if reused is None:
        return _tokens(tokens)
    known = QCoreApplication.translate("Panel", "{count} reused").format(count=numbers.whole(reused))
    return f"{_tokens(tokens)} · {known.replace(' ', NBSP)}"


def context(stats: Stats) -> str:
    if not stats.context_limit:
        return numbers.NONE
    text = QCoreApplication.translate("Panel", "{count} of {limit}")
    told = text.format(count=numbers.whole(stats.context_tokens), limit=_tokens(stats.context_limit))
    return told.replace(" ", NBSP)


def _measured(record: AnswerRecord) -> str:
    tr = QCoreApplication.translate
    age = record.baseline_age_s
    if age is None:
        return tr("Panel", "not measured") if record.finished else tr("Panel", "not measured yet")
    if record.baseline_is_of_this_answer:
        return tr("Panel", "measured {ago} in this answer").format(ago=numbers.ago(age))
    return tr("Panel", "measured {ago} in an earlier answer").format(ago=numbers.ago(age))


def _tokens(count: int) -> str:
    return numbers.count_of_tokens(count).replace(" ", NBSP)
