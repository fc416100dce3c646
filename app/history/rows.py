"""What the store hands out: plain rows without a way back to the database."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Conversation:
    """`updated_at` is a Unix time; `pair` the name of the pair that answered last."""

    id: int
    title: str
    updated_at: float
    pair: str


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """`role` is "user" or "assistant"; `created_at` a Unix time; `stats_json` the figures of an answer.

    `state` is "complete", "streaming" (its process writes it now), "interrupted" (that process ended), "stopped"
    (by the user) or "failed".
    """

    id: int
    role: str
    content: str
    state: str
    stats_json: str | None
    created_at: float
