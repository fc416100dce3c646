"""A smaller model with the target's vocabulary guesses by decoding ahead (Leviathan et al., arXiv 2211.17192)."""

import threading
from collections.abc import Sequence

from engine.common_vocabulary import CommonVocabulary
from engine.drafters.ngram import NgramDrafter
from engine.drafters.protocol import Worth
from engine.sampling import Rule
from engine.target import Logits, Target, common_prefix

CATCH_UP_ROWS = 32  # committed tokens that are read in the first draft step itself
HINDSIGHT_ROWS = 5  # they cost as much as the rows of any draft step
JUDGED = 2  # of them: after a gap in its context the model needs some tokens to find its way
LOOK_AHEAD_MATCH = 2  # tokens that must match before n-gram guesses ride along in a draft step


class DraftModelDrafter:
    """Follows the committed tokens in a KV cache of its own; what it guessed stays there if it was right.

    With `rule` set to the target's, it applies the same noise to its own logits, so that sampled answers are
    guessed nearly as well as greedy ones. `common` where the model's vocabulary is not quite the target's.
    """

    source = "draft"

    def __init__(self, model: Target, common: CommonVocabulary | None = None) -> None:
        self.model = model
        self._common = common
        self.rule: Rule | None = None
        self.cancel: threading.Event | None = None  # ends the reading of a long text between two chunks
        self._tokens: list[int] = []  # the committed ones as the model reads them
        self._lookup = NgramDrafter(min_match=LOOK_AHEAD_MATCH)
        self.was_current = False  # the last proposal had no more than two tokens to catch up with
        self._agreed = 0  # tokens of the model's cache that were compared with the committed ones

    def reset(self, tokens: Sequence[int]) -> None:
        self._tokens = self._readable(tokens)
        self._lookup.reset(self._tokens)
        self._agreed = 0

    def observe(self, tokens: Sequence[int]) -> None:
        readable = self._readable(tokens)
        self._tokens.extend(readable)
        self._lookup.observe(readable)

    def release(self, prompt: Sequence[int]) -> None:
        """Keep what `prompt` shares with the model's cache, and give back memory that it is far from needing."""
        self.model.release(self._readable(prompt))

    @property
    def pending(self) -> int:
        """Committed tokens that the draft model has not read yet."""
        return len(self._tokens) - self._agree()

    def read(self) -> None:
        """Bring a long unread text into the cache now, so that no decoding pass has to wait for it."""
        if self.pending > CATCH_UP_ROWS and len(self._tokens) < self.model.context_limit:
            self._catch_up()

    def propose(self, k: int, worth: Worth | None = None) -> list[int]:
        """Up to k guesses; stops early when `worth` says that one more does not pay."""
        if self.rule is None or len(self._tokens) + k > self.model.context_limit:
            return []
        self.model.rollback(min(self._agree(), len(self._tokens) - 1))
        self.was_current = len(self._tokens) - len(self.model.tokens) <= 2
        if len(self._tokens) - len(self.model.tokens) > CATCH_UP_ROWS:
            self._catch_up()
        if self.cancel and self.cancel.is_set():
            return []
        return self._guess(k, self.rule, worth)

    def hindsight(self) -> tuple[int, int]:
        """How many of the last committed tokens were judged, and how many of them the model would have guessed.

        It reads only the last few, as if they followed what it read before it fell idle, and forgets them again.
        """
        agreed = self._agree()
        unread = self._tokens[agreed:-1][-HINDSIGHT_ROWS:]
        judged = min(len(unread), JUDGED)
        if self.rule is None or not judged or len(self._tokens) > self.model.context_limit:
            return 0, 0
        self.model.rollback(agreed)
        logits = self._logits(unread, range(len(unread) - judged, len(unread)))
        first = len(self._tokens) - judged
        guesses = [self.rule.draft_token(logits[row], first + row).token for row in range(judged)]
        self.model.rollback(agreed)
        return judged, sum(map(int.__eq__, guesses, self._tokens[first:]))

    def _guess(self, k: int, rule: Rule, worth: Worth | None) -> list[int]:
        guesses: list[int] = []
        probabilities: list[float] = []
        going = True
        while going and len(guesses) < k:
            unread = [*self._tokens, *guesses][len(self.model.tokens) :]
            ahead = self._ahead(guesses, min(k - len(guesses) - 1, self.model.least_rows - len(unread)))
            logits = self._logits([*unread, *ahead], range(len(unread) - 1, len(unread) + len(ahead)))
            for row, expected in enumerate([*ahead, None]):
                guess = rule.draft_token(logits[row], len(self._tokens) + len(guesses))
                guesses.append(guess.token)
                probabilities.append(guess.probability)
                computed = guess.token == expected
                going = worth is None or worth(probabilities, computed)
                if not (going and computed):
                    break
            self.model.rollback(len(self._tokens) + len(guesses) - 1)
        return guesses

    def _ahead(self, guesses: list[int], room: int) -> list[int]:
        """What repetitions in the text suggest, in rows that would be padding: where the model agrees, a step gives
        several guesses."""
        return self._lookup.propose_after(guesses, room) if room > 0 else []

    def _readable(self, tokens: Sequence[int]) -> list[int]:
        return self._common.read(tokens) if self._common else list(tokens)

    def _logits(self, tokens: Sequence[int], rows: Sequence[int]) -> Logits:
        logits = self.model.forward(tokens, rows)
        return self._common.mask(logits) if self._common else logits

    def _agree(self) -> int:
        start = min(self._agreed, len(self.model.tokens))
        self._agreed = start + common_prefix(self.model.tokens[start:], self._tokens[start:])
        return self._agreed

    def _catch_up(self) -> None:
        for _ in self.model.prefill(self._tokens, self.cancel):
            pass
