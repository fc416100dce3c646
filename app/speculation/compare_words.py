"""What the compare view and its card say. Every figure is measured; what was not has no words."""

from dataclasses import asdict

from PySide6.QtCore import QCoreApplication

from app.speculation import numbers
from engine.comparison import Comparison, Divergence, Side, Spread
from engine.request import Sampling

translate = QCoreApplication.translate

SHORT_ANSWER = 32  # tokens: below, the first passes decide the speed
BUSY = 0.15  # share of the processor time taken by other programs from which on it is told


def side_name(side: Side) -> str:
    if side is Side.PLAIN:
        return translate("Compare", "Plain decoding")
    return translate("Compare", "With speculation")


def modes(draft_tokens: int) -> dict[str, str]:
    """The ways to speculate, by the value that `Compare` makes a request of; "on" drafts so many in every pass."""
    return {
        "auto": translate("Compare", "Auto"),
        "on": translate("Compare", "On, %n guess(es) a pass", "", draft_tokens),
        "ngram": translate("Compare", "n-gram only"),
        "draft": translate("Compare", "Draft model only"),
        "dflash": translate("Compare", "Trained drafter only"),
    }


def settings(sampling: Sampling) -> list[str]:
    """What decides the text; samplers that are off are left out."""
    used = asdict(sampling)
    names = {
        "top_k": translate("Compare", "top-k"),
        "top_p": translate("Compare", "top-p"),
        "min_p": translate("Compare", "min-p"),
        "repetition_penalty": translate("Compare", "repetition penalty"),
        "presence_penalty": translate("Compare", "presence penalty"),
        "frequency_penalty": translate("Compare", "frequency penalty"),
    }
    off = asdict(Sampling())
    told = [translate("Compare", "temperature {value}").format(value=_short(sampling.temperature))]
    told += [f"{name} {_short(used[key])}" for key, name in names.items() if used[key] != off[key]]
    return [*told, translate("Compare", "seed {value}").format(value=sampling.seed)]


def times(speedup: float) -> str:
    return f"{numbers.decimal(speedup, 2)}×"


def verdict(comparison: Comparison) -> str:
    reference = comparison.reference
    if comparison.identical is None or reference is None:
        return ""
    if comparison.divergence is not None:
        place = numbers.whole(comparison.divergence.position + 1)
        return translate("Compare", "First difference at token {place}").format(place=place)
    total = numbers.whole(len(reference.tokens))
    return translate("Compare", "Identical: {count} of {total} tokens").format(count=total, total=total)


def verdict_note(comparison: Comparison) -> str:
    """One sentence below the verdict."""
    if comparison.divergence is not None:
        return difference(comparison.divergence, comparison.exact)
    if comparison.identical is None:
        return ""
    return translate(
        "Compare", "Token for token the same text, in all %n answer(s).", "", len(comparison.runs)
    )


def difference(divergence: Divergence, exact: bool) -> str:
    """Which tokens, how close a call it was, and why it can happen."""
    expected, found = (
        f"“{visible(text)}”" if token is not None else translate("Compare", "the end")
        for token, text in (
            (divergence.expected, divergence.expected_text),
            (divergence.found, divergence.found_text),
        )
    )
    parts = [
        translate("Compare", "Plain decoding wrote {expected}, the other answer {found}.").format(
            expected=expected, found=found
        )
    ]
    if divergence.margin is not None:
        parts.append(margin(divergence.margin))
    if divergence.side is Side.PLAIN:
        parts.append(translate("Compare", "Two plain answers differ: this device does not repeat itself."))
    elif not exact:
        parts.append(
            translate("Compare", "This device rounds differently when it checks several tokens at once.")
        )
    return " ".join(parts)


def margin(value: float) -> str:
    return translate("Compare", "The model's scores of the two are {margin} apart.").format(
        margin=numbers.decimal(value, 4)
    )


def visible(text: str) -> str:
    """Blank tokens must be seen."""
    return text.replace("\n", "⏎").replace("\t", "⇥").replace(" ", "␣") if not text.strip() else text


def faster(speedup: Spread) -> str:
    shown = round(speedup.median, 2)
    if shown > 1.0:
        return translate("Compare", "as fast as plain decoding")
    if shown < 1.0:
        return translate("Compare", "the speed of plain decoding: slower")
    return translate("Compare", "no faster and no slower than plain decoding")


def spread(comparison: Comparison) -> str:
    """Of the speedup over the repeats."""
    speedup, count = comparison.speedup, len(comparison.ratios)
    if speedup is None:
        return ""
    if count == 1:
        return translate("Compare", "one repeat: no spread known")
    return translate("Compare", "{least} to {most} in %n repeat(s), median shown", "", count).format(
        least=times(speedup.least), most=times(speedup.most)
    )


def caveats(comparison: Comparison, ended: bool = True) -> list[str]:
    """What a reader of the figures should know."""
    said = []
    if ended and not comparison.complete:
        said.append(
            translate("Compare", "Ended early: %n answer(s) were measured.", "", len(comparison.runs))
        )
    if comparison.speedup is not None and comparison.acceptance_rate is None:
        said.append(
            translate("Compare", "Nothing was drafted: both did the same work, and the difference is chance.")
        )
    reference = comparison.reference
    if reference is not None and len(reference.tokens) < SHORT_ANSWER:
        said.append(
            translate(
                "Compare",
                "The answer is short (%n token(s)): its speed says little.",
                "",
                len(reference.tokens),
            )
        )
    busy = comparison.busy_elsewhere
    if busy is not None and busy >= BUSY:
        said.append(
            translate("Compare", "Other programs took up to {share} of the processor meanwhile.").format(
                share=numbers.percent(busy)
            )
        )
    return said


def speed(value: Spread | None) -> str:
    return numbers.speed(None if value is None else value.median)


def figures(comparison: Comparison) -> list[tuple[str, str]]:
    """Name and figure."""
    rate, per_pass = comparison.acceptance_rate, comparison.tokens_per_pass
    plain, other = (comparison.ttft(side) for side in (Side.PLAIN, Side.SPECULATIVE))
    whole = [comparison.seconds(side) for side in (Side.PLAIN, Side.SPECULATIVE)]
    both = translate("Compare", "{speculative} · plain {plain}")
    return [
        (translate("Compare", "Tokens per pass"), numbers.decimal(per_pass, 2)),
        (
            translate("Compare", "Right guesses"),
            numbers.NONE if rate is None else numbers.percent(rate),
        ),
        (
            translate("Compare", "First token after"),
            both.format(speculative=_seconds(other), plain=_seconds(plain)),
        ),
        (
            translate("Compare", "Whole answer"),
            both.format(speculative=_seconds(whole[1]), plain=_seconds(whole[0])),
        ),
    ]


def _seconds(value: Spread | None) -> str:
    return numbers.seconds(None if value is None else value.median)


def _short(value: float) -> str:
    return (
        numbers.decimal(value, 2).rstrip("0").rstrip(".,")
        if value != int(value)
        else numbers.whole(int(value))
    )
