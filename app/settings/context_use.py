"""What of the model's context a conversation takes, and what takes it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.attachments.document import Document, fenced
from app.engine_worker import EngineLike
from engine.request import Message, Request

NEARLY_FULL = 0.85


@dataclass(frozen=True, slots=True)
class ContextUse:
    """All in tokens, but `left_out`, which counts messages. `answer` is the longest that may come."""

    limit: int
    system: int = 0
    history: int = 0
    attachments: int = 0
    draft: int = 0
    answer: int = 0
    left_out: int = 0

    @property
    def used(self) -> int:
        return self.system + self.history + self.attachments + self.draft

    @property
    def share(self) -> float:
        return self.used / self.limit if self.limit else 0.0

    @property
    def room(self) -> int:
        """What an answer can take."""
        return max(min(self.answer, self.limit - self.used), 0)

    @property
    def full(self) -> bool:
        return self.used >= self.limit

    @property
    def nearly_full(self) -> bool:
        return self.share >= NEARLY_FULL

    def grown(self, tokens: int) -> "ContextUse":
        """While an answer comes: the conversation has so many tokens by now, what was written is part of it."""
        history = max(tokens - self.system - self.attachments, 0)
        return replace(self, history=history, draft=0)


def measure(engine: EngineLike, request: Request, draft: str, documents: Sequence[Document]) -> ContextUse:
    """Of what would be sent. `draft` ends the last message, if it is not empty."""
    fitted = engine.fitted(request)
    sent = list(fitted.messages)
    used = engine.count_tokens(sent)
    system = _part(engine, sent, 0, "") if sent[0].role == "system" else 0
    written = _part(engine, sent, -1, sent[-1].content.removesuffix(draft)) if draft else 0
    files = sum(each.tokens or 0 for each in documents if any(fenced(each) in m.content for m in sent))
    files = min(files, used - system - written)
    history = used - system - written - files
    return ContextUse(
        engine.context_limit, system, history, files, written, request.max_tokens, len(fitted.left_out)
    )


def _part(engine: EngineLike, messages: Sequence[Message], at: int, without: str) -> int:
    """Tokens by which the prompt shrinks when a message's content becomes `without`."""
    changed = list(messages)
    changed[at] = Message(changed[at].role, without)
    return max(engine.count_tokens(messages) - engine.count_tokens(changed), 0)
