"""Which messages the model reads when a conversation outgrows its context. Pure: the caller counts tokens.

What is left out is whole turns (a user's message and what answered it). The place of the cut moves in steps of a
quarter of the room: while a conversation grows, the prompt keeps its beginning for many turns, and so does the KV
cache. In 30 turns that outgrew 2,048 tokens (SmolLM2's tokenizer) a turn read 462 tokens anew on average where a cut
that follows each turn reads 931, for prompts 8 % shorter; with both ends kept 351 and 740.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.request import Message, Overflow

Counter = Callable[[Sequence[Message]], int]  # tokens of the prompt that these messages make
STEPS = 4  # of the room, between two places of the cut
HEAD_SHARE = 4  # the first turns take at most this part of the room


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is sent, and the indices of the given messages that are not."""

    messages: tuple[Message, ...]
    left_out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Turns:
    """Indices of messages: those of the system, and those of each turn."""

    system: tuple[int, ...]
    turns: tuple[tuple[int, ...], ...]

    def kept(self, head: int, tail: int) -> list[int]:
        """Without the turns from number `head` up to `tail`."""
        return [*self.system, *(i for turn in (*self.turns[:head], *self.turns[tail:]) for i in turn)]


def fit(messages: Sequence[Message], count: Counter, room: int, policy: Overflow) -> Fitted:
    """At most `room` tokens of `messages`, by `policy`. System messages and the last turn always stay.

    With Overflow.STOP, and where even the last turn is too long, the result exceeds `room`: the caller refuses it.
    """
    if policy is Overflow.STOP or count(messages) <= room:
        return Fitted(tuple(messages))
    parts = _parted(messages)
    sizes = [count([messages[i] for i in turn]) - _frame(messages[turn[0]], count) for turn in parts.turns]
    heads = (_head(sizes, room), 0) if policy is Overflow.KEEP_ENDS else (0,)
    kept: list[int] = []
    for head in heads:
        for tail in _cuts(sizes, head, room):
            kept = parts.kept(head, tail)
            if count([messages[i] for i in kept]) <= room:
                return _fitted(messages, kept)
    return _fitted(messages, kept or parts.kept(0, 0))


def _fitted(messages: Sequence[Message], kept: Sequence[int]) -> Fitted:
    gone = sorted(set(range(len(messages))) - set(kept))
    return Fitted(tuple(messages[i] for i in kept), tuple(gone))


def _parted(messages: Sequence[Message]) -> _Turns:
    """A turn begins with a user's message; an answer that nobody asked for belongs to the first."""
    system = tuple(i for i, message in enumerate(messages) if message.role == "system")
    turns: list[list[int]] = []
    for i, message in enumerate(messages):
        if message.role == "system":
            continue
        if not turns or (message.role == "user" and any(messages[j].role == "user" for j in turns[-1])):
            turns.append([])
        turns[-1].append(i)
    return _Turns(system, tuple(tuple(turn) for turn in turns))


def _frame(message: Message, count: Counter) -> int:
    """What a template writes around a lone message, and perhaps a system prompt of its own."""
    return count([Message(message.role, "")])


def _head(sizes: Sequence[int], room: int) -> int:
    """How many first turns stay: one at least, more while they take no more than their share."""
    head, taken = 1, sizes[0]
    while head < len(sizes) - 1 and (taken := taken + sizes[head]) <= room // HEAD_SHARE:
        head += 1
    return min(head, len(sizes) - 1)


def _cuts(sizes: Sequence[int], head: int, room: int) -> Iterator[int]:
    """Where the tail may begin: first the places that stay while the conversation grows, then every later one."""
    last = len(sizes) - 1
    step = max(room // STEPS, 1)
    past = 0
    steady = []
    for turn in range(head, last):
        before, past = past, past + sizes[turn]
        if past // step > before // step:
            steady.append(turn + 1)
    yield from steady
    yield from range(max([head + 1, *(cut + 1 for cut in steady)]), last + 1)
