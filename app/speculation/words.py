"""What the panel says about an answer: every figure with its unit, "–" where nothing was measured."""

from app.models.sizes import in_words
from app.speculation import numbers
from app.speculation.record import AnswerRecord
from engine.metrics import Stats

FIGURES = {
    "acceptance": ("Acceptance", "Acceptance rate = accepted drafted tokens / drafted tokens."),
    "per_pass": (
        "Tokens per pass",
        "Tokens of the answer / passes of the big model. It counts the big model's own token, so plain decoding is 1.",
    ),
    "speed": (
        "Speed now",
        "Tokens per second of decoding, drafting included: of the last second, and of the whole answer at its end.",
    ),
    "plain": (
        "Plain speed",
        "Tokens per second without drafts, measured in short stretches of the answers of this model pair.",
    ),
    "measured": ("", "When the plain speed was measured last."),
}
DETAILS = {
    "drafted": ("Drafted by", "How many drafted tokens came from each drafter."),
    "passes": ("Target passes", "How often the big model ran to check drafts and add its own token."),
    "ttft": ("First token after", "Time from the request to the first token, reading the prompt included."),
    "prompt": (
        "Prompt",
        "Tokens that the model had to know before it could answer. Reused ones were known from earlier turns.",
    ),
    "answer": ("Answer", "Tokens of the answer so far."),
    "context": ("Context", "Tokens of prompt and answer / tokens that the model can keep in mind."),
    "kv": ("KV cache", "Memory in which the models keep what they have read."),
}
SPEEDUP = "Speedup = speed of this answer / plain speed. Shown only when both were measured."
SPARKLINE = "Tokens that each pass of the big model added, from the start of the answer to now. Plain decoding adds 1."
POSITIONS = (
    "How often the first, second, third … drafted token was accepted: accepted / drafted at that position. "
    "A token is accepted only if all before it were."
)
PACE = "Why so many tokens are drafted in a pass, by what was measured."
DRAFT_FIGURES = ("acceptance", "per_pass", "plain", "measured")  # say nothing about plain decoding
SOURCES = {"ngram": "n-gram", "draft": "draft model", "dflash": "DFlash"}
NBSP = "\u00a0"
IDLE = "Send a message: the figures of its answer appear here."
OFF = "Plain decoding: one token a pass."


def headline(record: AnswerRecord) -> tuple[str, str]:
    """The speedup and what it means; "–" and the reason when there is none."""
    speedup = record.speedup
    if speedup is None:
        yet = "" if record.finished else " yet"
        drafted = record.stats.drafted > 0
        return numbers.NONE, f"Speedup not measured{yet}" if drafted else f"No drafted tokens to compare{yet}"
    shown = round(speedup, 1)
    comparison = "Faster than" if shown > 1.0 else "Slower than" if shown < 1.0 else "As fast as"
    return f"{numbers.decimal(speedup)}×", f"{comparison} plain decoding"


def figures(record: AnswerRecord) -> dict[str, str]:
    stats = record.stats
    return {
        "acceptance": _acceptance(record),
        "per_pass": numbers.decimal(stats.tokens_per_pass, 2),
        "speed": numbers.speed(record.speed),
        "plain": numbers.speed(stats.plain_tokens_per_second),
        "measured": _measured(record),
    }


def details(record: AnswerRecord) -> dict[str, str]:
    stats = record.stats
    by_source = sorted(stats.drafted_by_source.items(), key=lambda item: -item[1])
    told = [f"{SOURCES.get(source, source)} {numbers.whole(count)}" for source, count in by_source]
    return {
        "drafted": "\n".join(told) or numbers.NONE,
        "passes": numbers.whole(stats.target_passes),
        "ttft": numbers.seconds(record.ttft_s),
        "prompt": _prompt(record.prompt_tokens, record.reused_tokens),
        "answer": _tokens(stats.tokens),
        "context": _context(stats),
        "kv": in_words(stats.kv_bytes).replace(" ", NBSP) if stats.kv_bytes else numbers.NONE,
    }


def pace(record: AnswerRecord) -> str:
    """How many tokens are drafted now, and the reason."""
    if not record.pace_reason:
        return ""
    if record.finished or record.pace_reason.startswith("k="):
        return record.pace_reason
    return f"k={record.stats.draft_tokens_now}: {record.pace_reason}"


def _acceptance(record: AnswerRecord) -> str:
    stats = record.stats
    if stats.acceptance_rate is None:
        return numbers.NONE
    counts = f"{numbers.whole(stats.accepted)}{NBSP}of{NBSP}{numbers.whole(stats.drafted)}"
    return f"{numbers.percent(stats.acceptance_rate)} · {counts}"


def _measured(record: AnswerRecord) -> str:
    age = record.baseline_age_s
    if age is None:
        return "not measured" if record.finished else "not measured yet"
    where = "this answer" if record.baseline_is_of_this_answer else "an earlier answer"
    return f"measured {numbers.ago(age)} in {where}"


def _prompt(tokens: int, reused: int | None) -> str:
    if not tokens:
        return numbers.NONE
    return _tokens(tokens) if reused is None else f"{_tokens(tokens)} · {numbers.whole(reused)}{NBSP}reused"


def _context(stats: Stats) -> str:
    if not stats.context_limit:
        return numbers.NONE
    return f"{numbers.whole(stats.context_tokens)}{NBSP}of{NBSP}{_tokens(stats.context_limit)}"


def _tokens(count: int) -> str:
    return f"{numbers.whole(count)}{NBSP}{'token' if count == 1 else 'tokens'}"
