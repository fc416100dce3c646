"""The pair that is measured: as Slipstream's own engine, and as peers find it."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from engine import processor
from engine.bench.contestants import BenchEngine
from engine.bench.margins import NextLogits
from engine.bench.peers import ChatTokenizer, PeerModels
from engine.engine import Engine
from engine.models.catalogue import Pair
from engine.models.store import ModelStore

PEER_CONTEXT = 8192  # tokens that a peer's cache has room for, less if the model reads less
SCRATCH = ".slipstream-bench-"
LEFTOVER_S = 86_400.0  # no run takes longer


@dataclass(frozen=True, slots=True)
class Loaded:
    """A pair ready to be measured; `forget` empties its caches, `logits` are the target's after some tokens.

    `context` in tokens.
    """

    engine: BenchEngine
    tokenizer: ChatTokenizer
    exact: bool
    context: int
    forget: Callable[[], None]
    logits: NextLogits


Loader = Callable[[ModelStore, Pair], Loaded]


def load_pair(store: ModelStore, pair: Pair) -> Loaded:
    engine = Engine.load(store, pair, anew=True)  # a measurement starts from measured costs
    return Loaded(
        engine,
        engine.tokenizer,
        engine.exact,
        engine.context_limit,
        engine.forget,
        engine.next_logits,
    )


@contextmanager
def peer_models(store: ModelStore, pair: Pair, context: int) -> Iterator[PeerModels]:
    """Where a peer finds the pair, with a scratch folder that lasts as long as the context."""
    _remove_leftovers(store.home)
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=store.home, ignore_cleanup_errors=True) as scratch:
        yield PeerModels(
            target=store.path(pair.target),
            draft=store.path(pair.draft) if pair.draft and not store.is_drafter(pair.draft) else None,
            scratch=Path(scratch),
            threads=_thread_counts(),
            context=min(context, PEER_CONTEXT),
        )


def _remove_leftovers(home: Path) -> None:
    """A run that was killed could not remove its scratch folder, as large as the model."""
    for folder in home.glob(f"{SCRATCH}*"):
        if time.time() - folder.stat().st_mtime > LEFTOVER_S:
            shutil.rmtree(folder, ignore_errors=True)


def _thread_counts() -> tuple[int, ...]:
    """A thread per physical core, and one per logical core if there are more."""
    usable = processor.usable_cores()
    physical = min(psutil.cpu_count(logical=False) or usable, usable)
    return tuple(dict.fromkeys((physical, usable)))
