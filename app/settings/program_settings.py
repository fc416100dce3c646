"""What the user set of the program, as the file settings.json holds it."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from app.language import Language
from app.settings.presets import RECOMMENDED
from app.theme import Choice
from engine.load_options import CPU, LEAST_CONTEXT, LoadOptions

LEAST_FONT, LARGEST_FONT = 50, 250  # per cent of the system's
MOST_THREADS = 512


class ProgramSettings(msgspec.Struct, frozen=True, kw_only=True):
    """`chat` is a layer for every chat, below its preset; `presets` are the user's own, by name."""

    theme: Choice = Choice.SYSTEM
    font_percent: Annotated[int, Meta(ge=LEAST_FONT, le=LARGEST_FONT)] = 100
    language: Language = Language.SYSTEM
    preset: str = RECOMMENDED
    presets: dict[str, dict[str, Any]] = {}
    chat: dict[str, Any] = {}
    threads: Annotated[int, Meta(ge=0, le=MOST_THREADS)] = 0  # 0: automatic
    device: Annotated[str, Meta(min_length=1, max_length=100)] = CPU
    context_limit: Annotated[int, Meta(ge=LEAST_CONTEXT, le=2**24)] | None = (
        None  # tokens; None: the model's own
    )

    @property
    def load_options(self) -> LoadOptions:
        return LoadOptions(self.threads, self.device, self.context_limit)


FIELDS = tuple(field.name for field in msgspec.structs.fields(ProgramSettings))
# What takes effect when the models are loaded again; the language does at the next start, all else at once.
RELOADS = frozenset({"threads", "device", "context_limit"})
