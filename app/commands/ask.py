"""`slipstream ask`: the answer goes to standard output as it comes, everything else to standard error."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

from app import INTERRUPTED
from app.commands.streams import say, tell
from app.commands.terminal import ProgressLine, UsageError, interruptible, megabytes, progress_line
from engine.errors import SlipstreamError
from engine.events import Delta, Failed, Finished, FinishReason, Progress
from engine.metrics import Stats
from engine.request import Message, Request, Sampling, Speculation

if TYPE_CHECKING:
    from engine.engine import Engine
    from engine.models.catalogue import Pair
    from engine.models.store import ModelStore

JSON_STATS = (
    "prompt_tokens",
    "tokens",
    "target_passes",
    "drafted",
    "accepted",
    "acceptance_rate",
    "tokens_per_pass",
    "accepted_by_position",
    "drafted_by_source",
    "ttft_s",
    "decode_s",
    "tokens_per_second",
    "plain_tokens_per_second",
    "speedup",
    "context_tokens",
    "context_limit",
    "kv_bytes",
)
LoadEngine = Callable[["ModelStore", "Pair", Callable[[Progress], None]], "Engine"]


def run(options: Namespace, open_store: Callable[[], "ModelStore"], load_engine: LoadEngine) -> int:
    request = build_request(options)
    store = open_store()
    pair = store.pair(options.pair)
    with progress_line() as progress:
        ensure_installed(store, pair, progress)
        engine = load_engine(store, pair, progress)
    warn_of_memory(engine)
    warn_of_drafter(engine)
    with closing(engine):
        store.note_use(pair.models)
        reason = engine.unavailable(request.speculation)
        if reason is not None and request.speculation is not Speculation.AUTO:
            raise SlipstreamError(
                f"--speculation {request.speculation} is not available: {reason.rstrip('.')}."
                f"{other_pair(store, pair, request.speculation)}"
            )
        finished = answer(engine, request, show=not options.json)
        if options.json:
            say(json.dumps(as_json(finished, engine, request), ensure_ascii=False))
    if options.stats or sys.stderr.isatty():
        tell(stats_line(finished.stats))
    return INTERRUPTED if finished.reason is FinishReason.CANCELLED else 0


def other_pair(store: "ModelStore", pair: "Pair", speculation: Speculation) -> str:
    """A sentence that names the pair whose draft for the same target is of the kind that was asked for, or ""."""
    blocks = speculation is Speculation.DFLASH
    for other in store.pairs():
        fits = other.target == pair.target and other.draft is not None
        if fits and other.name != pair.name and _drafts_blocks(store, other.draft or "") == blocks:
            return f" Take --pair {other.name} for it."
    return ""


def _drafts_blocks(store: "ModelStore", name: str) -> bool:
    from engine.models.store import DRAFTER

    entry = store.catalogue.models.get(name)
    return entry.format == DRAFTER if entry else store.is_drafter(name)


def warn_of_memory(engine: "Engine") -> None:
    """Of a pair that barely fits. Where it was loaded although it does not fit, that is known."""
    estimate = getattr(engine, "estimate", None)
    if estimate is not None and estimate.sentence:
        tell(estimate.sentence)


def warn_of_drafter(engine: "Engine") -> None:
    """Of a pair that answers without the drafter that should have come with the program."""
    left_out = getattr(engine, "left_out", None)
    if left_out is not None and not left_out.chosen:
        tell(left_out.sentence(engine.pair))
    answers = getattr(engine, "answers", None)
    if answers is not None and answers.refused:
        tell(answers.refused)


def build_request(options: Namespace) -> Request:
    """Check all that can be checked before a model is fetched or loaded; raises UsageError."""
    messages = [Message("user", question(options.text))]
    if options.system:
        messages.insert(0, Message("system", _encodable(options.system, "The system prompt")))
    names = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "seed")
    try:
        return Request(
            messages,
            Sampling(**{name: getattr(options, name) for name in names}),
            max_tokens=options.max_tokens,
            speculation=Speculation(options.speculation),
            draft_tokens=options.draft_tokens,
        )
    except SlipstreamError as error:
        raise UsageError(str(error)) from error


def question(text: str) -> str:
    if text == "-":
        try:
            text = sys.stdin.read()
        except UnicodeDecodeError as error:
            raise UsageError("The text on standard input is not UTF-8; convert it first.") from error
    if not text.strip():
        raise UsageError("The question is empty; write it after 'ask', in quotes.")
    return _encodable(text, "The question")


def _encodable(text: str, what: str) -> str:
    """Bytes of the command line that are not UTF-8 arrive as lone surrogates, which no tokenizer takes."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{what} is not UTF-8; convert it first.") from error
    return text


def ensure_installed(store: "ModelStore", pair: "Pair", progress: ProgressLine) -> None:
    missing = store.missing(pair)
    if not missing:
        return
    if size := store.missing_bytes(pair):
        what = f"{' and '.join(missing)} for the pair '{pair.name}'"
        tell(f"Fetching {what}: {megabytes(size)}, once.")
    with interruptible() as cancel:
        store.fetch(pair.name, progress, cancel)


def answer(engine: "Engine", request: Request, show: bool) -> Finished:
    """Follow one generation to its end, printing the text as it comes if `show`. Ctrl-C ends it early."""
    sent = ""
    with interruptible() as cancel, closing(engine.generate(request, cancel)) as events:
        try:
            for event in events:
                if isinstance(event, Failed):
                    raise SlipstreamError(event.message)
                if isinstance(event, Finished):
                    if show:
                        say(event.text.removeprefix(sent), end="" if sent else "\n")
                    return event
                if isinstance(event, Delta) and show:
                    say(event.text, end="")
                    sent += event.text
        finally:
            if sent:
                say("")
    raise SlipstreamError("The answer ended without a result; ask again, or run slipstream doctor.")


def as_json(finished: Finished, engine: "Engine", request: Request) -> dict[str, Any]:
    return {
        "text": finished.text,
        "token_ids": list(finished.token_ids),
        "finish_reason": finished.reason.value,
        "mode": request.speculation.value,
        "exact": engine.exact,
        "pair": engine.pair.name,
        "stats": {name: getattr(finished.stats, name) for name in JSON_STATS},
    }


def stats_line(stats: Stats) -> str:
    """Only what was measured: a speed-up is named where plain decoding was timed too."""
    parts = [f"{stats.tokens} tokens"]
    if stats.tokens_per_second is not None:
        parts.append(f"{stats.tokens_per_second:.1f} tokens/s")
    if stats.speedup is not None:
        parts.append(f"{stats.speedup:.2f}x plain")
    if stats.drafted:
        parts.append(f"{stats.accepted} of {stats.drafted} drafted tokens accepted")
    if stats.tokens_per_pass is not None:
        parts.append(f"{stats.tokens_per_pass:.2f} tokens a pass")
    if stats.ttft_s is not None:
        parts.append(f"first token after {stats.ttft_s:.2f} s")
    if stats.pace_reason:
        parts.append(stats.pace_reason)
    return ", ".join(parts)
