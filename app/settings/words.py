"""Names and one-line explanations of what can be set."""

from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from app.settings import presets
from engine.request import Overflow


class Words(NamedTuple):
    title: str
    explanation: str


def of_field(name: str) -> Words:
    """Of a field of ChatSettings."""
    return {**_of_text(), **_of_sampling(), **_of_speculation()}[name]


def of_preset(name: str) -> Words:
    """A preset of the user's own is called what the user called it."""
    own = Words(name, QCoreApplication.translate("SettingWords", "A preset of your own."))
    return _of_presets().get(name, own)


def of_overflow(policy: Overflow) -> str:
    return {
        Overflow.STOP: QCoreApplication.translate("SettingWords", "Stop and say so"),
        Overflow.DROP_OLDEST: QCoreApplication.translate("SettingWords", "Leave out the oldest messages"),
        Overflow.KEEP_ENDS: QCoreApplication.translate(
            "SettingWords", "Keep the first and the last messages"
        ),
    }[policy]


def of_mode(mode: str) -> str:
    return {
        "auto": QCoreApplication.translate("SettingWords", "Auto: guesses as much as pays"),
        "on": QCoreApplication.translate("SettingWords", "On: always guesses"),
        "off": QCoreApplication.translate("SettingWords", "Off: one token at a time"),
    }[mode]


def of_drafter(drafter: str) -> str:
    return {
        "all": QCoreApplication.translate("SettingWords", "All sources"),
        "ngram": QCoreApplication.translate("SettingWords", "Repeated text only"),
        "model": QCoreApplication.translate("SettingWords", "The draft model only"),
    }[drafter]


def _of_text() -> dict[str, Words]:
    return {
        "system": Words(
            QCoreApplication.translate("SettingWords", "System prompt"),
            QCoreApplication.translate(
                "SettingWords",
                "Instructions that the model reads before the conversation, such as its role or its tone.",
            ),
        ),
        "max_tokens": Words(
            QCoreApplication.translate("SettingWords", "Longest answer"),
            QCoreApplication.translate(
                "SettingWords",
                "In tokens, about three quarters of an English word each. The answer ends here at the latest.",
            ),
        ),
        "stop": Words(
            QCoreApplication.translate("SettingWords", "Stop at"),
            QCoreApplication.translate(
                "SettingWords",
                "Texts that end the answer where they appear, one a line. Write \\n for a line break.",
            ),
        ),
        "overflow": Words(
            QCoreApplication.translate("SettingWords", "When the chat gets too long"),
            QCoreApplication.translate(
                "SettingWords",
                "What happens when the conversation no longer fits into what the model can read.",
            ),
        ),
        "seed": Words(
            QCoreApplication.translate("SettingWords", "Seed"),
            QCoreApplication.translate(
                "SettingWords", "The same seed and settings give the same answer again."
            ),
        ),
    }


def _of_sampling() -> dict[str, Words]:
    return {
        "temperature": Words(
            QCoreApplication.translate("SettingWords", "Temperature"),
            QCoreApplication.translate(
                "SettingWords",
                "How freely words are chosen. 0 always takes the likeliest; higher is more varied.",
            ),
        ),
        "top_k": Words(
            QCoreApplication.translate("SettingWords", "Top-k"),
            QCoreApplication.translate(
                "SettingWords", "Chooses among this many of the likeliest tokens only. 0 is off."
            ),
        ),
        "top_p": Words(
            QCoreApplication.translate("SettingWords", "Top-p"),
            QCoreApplication.translate(
                "SettingWords",
                "Chooses among the likeliest tokens that together have this probability. 1 is off.",
            ),
        ),
        "min_p": Words(
            QCoreApplication.translate("SettingWords", "Min-p"),
            QCoreApplication.translate(
                "SettingWords",
                "Leaves out tokens less likely than this share of the likeliest one. 0 is off.",
            ),
        ),
        "repetition_penalty": Words(
            QCoreApplication.translate("SettingWords", "Repetition penalty"),
            QCoreApplication.translate(
                "SettingWords",
                "Makes what was already said, by you or the model, less likely. 1 is off; small models need a little.",
            ),
        ),
        "presence_penalty": Words(
            QCoreApplication.translate("SettingWords", "Presence penalty"),
            QCoreApplication.translate(
                "SettingWords",
                "Makes every token that the answer has used less likely, however often. 0 is off.",
            ),
        ),
        "frequency_penalty": Words(
            QCoreApplication.translate("SettingWords", "Frequency penalty"),
            QCoreApplication.translate(
                "SettingWords", "Makes tokens less likely the more often the answer has used them. 0 is off."
            ),
        ),
    }


def _of_speculation() -> dict[str, Words]:
    return {
        "speculation": Words(
            QCoreApplication.translate("SettingWords", "Speculation"),
            QCoreApplication.translate(
                "SettingWords",
                "Guesses several tokens and checks them at once. It changes the speed, never the answer.",
            ),
        ),
        "draft_tokens": Words(
            QCoreApplication.translate("SettingWords", "Guesses in a pass"),
            QCoreApplication.translate(
                "SettingWords",
                "Tokens guessed before each check when speculation is on. Auto chooses by itself how many.",
            ),
        ),
        "drafter": Words(
            QCoreApplication.translate("SettingWords", "Guesses come from"),
            QCoreApplication.translate(
                "SettingWords",
                "All takes what is likeliest to be right: repeated text first, then the draft model.",
            ),
        ),
    }


def _of_presets() -> dict[str, Words]:
    return {
        presets.RECOMMENDED: Words(
            QCoreApplication.translate("SettingWords", "Recommended"),
            QCoreApplication.translate("SettingWords", "What suits the model that is loaded."),
        ),
        presets.EXACT: Words(
            QCoreApplication.translate("SettingWords", "Exact"),
            QCoreApplication.translate(
                "SettingWords", "Always the likeliest word. The same question gets the same answer."
            ),
        ),
        presets.BALANCED: Words(
            QCoreApplication.translate("SettingWords", "Balanced"),
            QCoreApplication.translate("SettingWords", "Some variety, for everyday questions."),
        ),
        presets.CREATIVE: Words(
            QCoreApplication.translate("SettingWords", "Creative"),
            QCoreApplication.translate("SettingWords", "More variety, for stories and ideas."),
        ),
        presets.CODER: Words(
            QCoreApplication.translate("SettingWords", "Coder"),
            QCoreApplication.translate("SettingWords", "Little variety, for programs and facts."),
        ),
    }
