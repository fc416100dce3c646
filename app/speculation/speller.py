"""From the engine's events to what is kept of them: passes, and how their tokens are spelled."""

from app.speculation.trace import Pass, Spelling
from engine.detokeniser import Vocabulary
from engine.events import Delta


class Speller:
    """Spellings of one vocabulary; each token is asked for once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: dict[int, Spelling] = {}

    def pass_of(self, delta: Delta) -> Pass:
        spell = self._spell
        return Pass(
            tokens=tuple(map(spell, delta.tokens)),
            accepted=delta.accepted,
            rejected=tuple(map(spell, delta.drafted[delta.accepted :])),
            source=delta.source,
            seconds=delta.seconds,
        )

    def _spell(self, token: int) -> Spelling:
        spelling = self._known.get(token)
        if spelling is None:
            silent = token in self._vocabulary.silent_ids
            spelling = self._known[token] = Spelling(token, self._vocabulary.token_bytes(token), silent)
        return spelling
