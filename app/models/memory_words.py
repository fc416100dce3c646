"""A memory estimate in words, with the numbers of the window's language."""

from PySide6.QtCore import QCoreApplication

from app.models.sizes import in_words
from engine.models.memory import MemoryEstimate, Part, Verdict


def sentence(estimate: MemoryEstimate) -> str:
    """Of what does not fit easily, with both numbers; "" for what does."""
    texts = {
        Verdict.FITS: "",
        Verdict.TIGHT: QCoreApplication.translate(
            "Memory",
            "This pair needs about {needed} of memory, and {free} is free. "
            "It runs, but the computer may become slow.",
        ),
        Verdict.TOO_LARGE: QCoreApplication.translate(
            "Memory",
            "This pair needs about {needed} of memory, but only {free} is free. "
            "Close other programs or choose a smaller pair.",
        ),
    }
    return texts[estimate.verdict].format(needed=in_words(estimate.total), free=in_words(estimate.free))


def part_in_words(part: Part) -> str:
    return {
        Part.RUNTIME: QCoreApplication.translate("Memory", "Program and tokenizer"),
        Part.FILE: QCoreApplication.translate("Memory", "File in memory, can be given back"),
        Part.WEIGHTS: QCoreApplication.translate("Memory", "Weights"),
        Part.CACHE: QCoreApplication.translate("Memory", "Conversation (KV cache)"),
        Part.STATES: QCoreApplication.translate("Memory", "States of the conversation"),
        Part.WORKING: QCoreApplication.translate("Memory", "Room to work"),
    }[part]
