"""What a token's origin means, in words."""

from PySide6.QtCore import QCoreApplication

from app.speculation import numbers
from app.speculation.origins import Origin, Token, guess_text
from app.speculation.trace import Pass, Trace


def origin_name(origin: Origin) -> str:
    tr = QCoreApplication.translate
    return {
        Origin.NGRAM: tr("Tokens", "From repeated text (n-gram)"),
        Origin.STORE: tr("Tokens", "From recorded answers (store)"),
        Origin.DRAFT: tr("Tokens", "Draft model"),
        Origin.DFLASH: tr("Tokens", "Trained drafter"),
        Origin.CORRECTED: tr("Tokens", "Corrected"),
        Origin.BONUS: tr("Tokens", "Bonus"),
        Origin.PLAIN: tr("Tokens", "Plain"),
    }[origin]


def origin_meaning(origin: Origin) -> str:
    tr = QCoreApplication.translate
    return {
        Origin.NGRAM: tr("Tokens", "Guessed from text that came before, and accepted by the big model."),
        Origin.STORE: tr(
            "Tokens",
            "Guessed from recorded answers of this model, none of them from your chats, and accepted by it.",
        ),
        Origin.DRAFT: tr("Tokens", "Guessed by the small draft model, and accepted by the big one."),
        Origin.DFLASH: tr(
            "Tokens",
            "Guessed by a small network from the big model's hidden states, and accepted by the big model.",
        ),
        Origin.CORRECTED: tr("Tokens", "The guess was wrong: the big model put its own token in its place."),
        Origin.BONUS: tr(
            "Tokens", "Every guess was right: the big model added one more token in the same pass."
        ),
        Origin.PLAIN: tr("Tokens", "Nothing was guessed: one pass of the big model for one token."),
    }[origin]


def describe(token: Token, trace: Trace) -> str:
    """One token, its origin, its pass, and the guesses that it took the place of."""
    tr = QCoreApplication.translate
    one = trace.passes[token.step]
    what = tr("Tokens", "“{text}” – {origin}. {meaning}").format(
        text=visible(token.text), origin=origin_name(token.origin), meaning=origin_meaning(token.origin)
    )
    if token.origin is not Origin.CORRECTED:
        return what
    return f"{what} {guesses(one)}"


def guesses(one: Pass) -> str:
    told = ", ".join(f"“{visible(guess_text(guess))}”" for guess in one.rejected)
    return QCoreApplication.translate("Tokens", "Rejected: {guesses}.").format(guesses=told)


def pass_line(step: int, trace: Trace) -> str:
    tr = QCoreApplication.translate
    one = trace.passes[step]
    where = tr("Tokens", "Pass {number} of {count}").format(
        number=numbers.whole(step + 1), count=numbers.whole(len(trace.passes))
    )
    if not one.drafted:
        what = tr("Tokens", "nothing guessed")
    else:
        what = tr("Tokens", "{accepted} of {drafted} guesses accepted").format(
            accepted=numbers.whole(one.accepted), drafted=numbers.whole(one.drafted)
        )
    return f"{where} · {what} · {numbers.seconds(one.seconds)}"


def visible(text: str) -> str:
    """With signs for what could not be seen."""
    return text.replace("\n", "↵").replace("\t", "→").replace(" ", "·")
