"""Token ids to text while they stream: text that never has to be taken back."""

import codecs
from collections.abc import Iterable
from typing import Protocol


class Vocabulary(Protocol):
    """What the detokeniser asks of a tokenizer."""

    @property
    def silent_ids(self) -> frozenset[int]: ...

    def token_bytes(self, token: int) -> bytes: ...


class Detokeniser:
    """Pushes plus finish give exactly what decoding all the bytes at once (errors replaced) would give.

    The bytes of an unfinished UTF-8 character are held, so a push may give less text than its tokens spell.
    Control tokens give no text unless `show_special`.
    """

    def __init__(self, vocabulary: Vocabulary, show_special: bool = False) -> None:
        self._vocabulary = vocabulary
        self._silent = frozenset() if show_special else vocabulary.silent_ids
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def push(self, tokens: Iterable[int]) -> str:
        spell = self._vocabulary.token_bytes
        return self._decoder.decode(b"".join(spell(t) for t in tokens if t not in self._silent))

    def finish(self) -> str:
        """The held bytes as replacement characters; the detokeniser is ready for a new stream afterwards."""
        text = self._decoder.decode(b"", final=True)
        self._decoder.reset()
        return text
