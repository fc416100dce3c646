"""A conversation as the model sees it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.attachments.document import with_documents
from app.history.store import StoredMessage
from engine.request import Continuation, Message, Overflow, Request, Sampling, Speculation

FIXED_DRAFT_TOKENS = 5
REASONING = re.compile(r"<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


GREEDY = Sampling()


@dataclass(frozen=True, slots=True)
class Options:
    """What an answer is made with, besides the conversation and whether it speculates.

    `drafters`: what drafts when it does; `draft_tokens` how many, where the user decided that.
    """

    system: str = ""
    sampling: Sampling = GREEDY
    max_tokens: int = 2048
    stop: tuple[str, ...] = ()
    overflow: Overflow = Overflow.STOP
    drafters: Speculation = Speculation.AUTO
    draft_tokens: int = FIXED_DRAFT_TOKENS


DEFAULTS = Options()


def make_request(
    messages: Sequence[StoredMessage],
    mode: str,
    options: Options = DEFAULTS,
    continuation: Continuation | None = None,
) -> Request:
    """For an answer to `messages`, of which the last is the user's. `mode` is "auto", "on" or "off"."""
    return Request(
        turns(messages, options.system),
        sampling=options.sampling,
        max_tokens=options.max_tokens,
        stop=options.stop,
        speculation=Speculation.OFF if mode == "off" else options.drafters,
        draft_tokens=options.draft_tokens if mode == "on" else None,
        overflow=options.overflow,
        continuation=continuation,
    )


def with_seed(options: Options, seed: int | None) -> Options:
    """The same options with another seed, if there is one: an answer goes on with its own."""
    return options if seed is None else replace(options, sampling=replace(options.sampling, seed=seed))


def turns(messages: Sequence[StoredMessage], system: str = "") -> tuple[Message, ...]:
    """Without empty answers, and without the reasoning of earlier ones: the models' templates leave it out too."""
    found = [Message("system", system)] if system.strip() else []
    for message in messages:
        answers = message.role == "assistant"
        said = with_documents(message.content, message.attachments_json)
        text = without_reasoning(message.content) if answers else said
        if text:
            found.append(Message("assistant" if answers else "user", text))
    return tuple(found)


def without_reasoning(answer: str) -> str:
    """What follows the reasoning at the answer's beginning; "" if the reasoning never ended."""
    if not answer.lstrip().startswith("<think>"):
        return answer
    return REASONING.sub("", answer.lstrip(), count=1)
