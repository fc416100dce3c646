"""From the engine's events to what is kept of them: passes, and how their tokens are spelled."""

from app.speculation.trace import Pass, Spelling
from engine.detokeniser import Vocabulary
from engine.events import Delta


class Speller:
    """Spellings of one vocabulary; each token is asked for once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: dict[int, Spelling] = {}

    def spell(self, one: Pass) -> dict[int, Spelling]:
        """Of all tokens so far, those of this pass included."""
        for token in (*one.tokens, *one.rejected):
            if token not in self._known:
                text = self._vocabulary.token_bytes(token)
                self._known[token] = Spelling(token, text, token in self._vocabulary.silent_ids)
        return self._known


def pass_of(delta: Delta) -> Pass:
    rejected = delta.drafted[delta.accepted :]
    return Pass(delta.tokens, delta.accepted, rejected, delta.source, delta.seconds)
