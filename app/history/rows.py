"""What the store hands out: plain rows without a way back to the database."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Conversation:
    """`updated_at` is a Unix time, as is `deleted_at` of one in the bin; `pair` the name of the pair that
    answered last."""

    id: int
    title: str
    updated_at: float
    pair: str
    pinned: bool = False
    folder: str | None = None
    deleted_at: float | None = None


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """`role` is "user" or "assistant"; `created_at` a Unix time; `stats_json` the figures of an answer.

    `state` is "complete", "streaming" (its process writes it now), "interrupted" (that process ended), "stopped"
    (by the user) or "failed". `siblings` are the ids of all answers or edits at this place, oldest first, this
    one included.
    """

    id: int
    role: str
    content: str
    state: str
    stats_json: str | None
    created_at: float
    parent_id: int | None = None
    siblings: tuple[int, ...] = ()
    attachments_json: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A conversation that holds what was searched for. `message` is None when only its title does.

    `snippet` is one line around the first place in that message. The marks are the (start, end) of every word that
    was searched for, in the title and in the snippet.
    """

    conversation: Conversation
    title_marks: tuple[tuple[int, int], ...] = ()
    message: int | None = None
    snippet: str = ""
    marks: tuple[tuple[int, int], ...] = ()
