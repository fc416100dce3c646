"""What each figure is called and what it means, for people who never heard of it."""

from PySide6.QtCore import QCoreApplication

DRAFT_FIGURES = ("acceptance", "per_pass", "plain", "measured")  # say nothing about plain decoding
Definitions = dict[str, tuple[str, str]]


def source_name(source: str) -> str:
    """As in Stats.drafted_by_source."""
    tr = QCoreApplication.translate
    names = {
        "ngram": tr("Sources", "repeated text (n-gram)"),
        "store": tr("Sources", "recorded answers (store)"),
        "draft": tr("Sources", "draft model"),
        "dflash": tr("Sources", "trained drafter"),
    }
    return names.get(source, source)


def figures() -> Definitions:
    tr = QCoreApplication.translate
    return {
        "speed": (
            tr("Panel", "Speed now"),
            tr(
                "Panel",
                "Tokens (pieces of words) per second, guessing included: of the last second, and of the whole answer"
                " at its end.",
            ),
        ),
        "plain": (
            tr("Panel", "Plain speed"),
            tr(
                "Panel",
                "How fast the big model is alone, without guesses. It is measured again and again, by a few passes"
                " inside the answers.",
            ),
        ),
        "measured": ("", tr("Panel", "When the plain speed was measured last.")),
        "per_pass": (
            tr("Panel", "Tokens per pass"),
            tr(
                "Panel",
                "How many tokens each run of the big model gives: right guesses and one of its own. Alone it gives 1.",
            ),
        ),
        "acceptance": (
            tr("Panel", "Right guesses"),
            tr("Panel", "Acceptance rate: guesses that the big model accepted / all guesses."),
        ),
    }


def details() -> Definitions:
    tr = QCoreApplication.translate
    return {
        "drafted": (
            tr("Panel", "Guessed by"),
            tr(
                "Panel",
                "How many guesses came from each source, and its share of all. A trained drafter is a small network"
                " that reads the big model's hidden states: DFlash guesses a block at once, EAGLE one token after the"
                " other.",
            ),
        ),
        "passes": (
            tr("Panel", "Passes"),
            tr("Panel", "How often the big model ran to check guesses and add its own token."),
        ),
        "ttft": (
            tr("Panel", "First token after"),
            tr("Panel", "Time from the request to the first token, reading the prompt included."),
        ),
        "prompt": (
            tr("Panel", "Prompt"),
            tr(
                "Panel",
                "Tokens that the model had to know before it could answer. Reused ones were known from earlier turns.",
            ),
        ),
        "answer": (tr("Panel", "Answer"), tr("Panel", "Tokens of the answer so far.")),
        "context": (
            tr("Panel", "Context"),
            tr("Panel", "Tokens of prompt and answer, of those that the model can keep in mind."),
        ),
        "kv": (
            tr("Panel", "KV cache"),
            tr("Panel", "Memory in which the models keep what they have read."),
        ),
    }


def speedup() -> str:
    return QCoreApplication.translate(
        "Panel",
        "Speed of this answer / plain speed. It is shown only when both were measured, over enough tokens.",
    )


def sparkline() -> str:
    return QCoreApplication.translate(
        "Panel",
        "Tokens per second from the start of the answer to now. The dashed line is the big model alone.",
    )


def positions() -> str:
    return QCoreApplication.translate(
        "Panel",
        "How often the first, second, third … guess of a pass was right. A guess counts only if all before it were"
        " right, so later ones are worth less.",
    )


def pace() -> str:
    return QCoreApplication.translate(
        "Panel",
        "Why so many tokens are guessed in a pass, by what was measured: one more guess is made as long as the tokens"
        " that it brings on average are worth the time that it takes.",
    )
