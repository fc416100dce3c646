"""A whole benchmark run: load, measure, write. Progress goes to standard error."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import processor
from engine.bench import environment
from engine.bench.contestants import BenchEngine, Contestant, own_modes
from engine.bench.interruption import BenchInterruptedError
from engine.bench.options import MODES, BenchOptions
from engine.bench.peers import DISTRIBUTIONS, ChatTokenizer, Peer, PeerModels, require
from engine.bench.prompts import Prompt, load_prompts
from engine.bench.result import Result, beside, markdown, write_text
from engine.bench.session import measure, warm_up
from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Sampling

PEER_CONTEXT = 8192  # tokens that a peer's cache has room for, less if the model reads less
SWEEP_PROMPTS = 2

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A pair ready to be measured; `forget` empties its caches. `context` in tokens."""

    engine: BenchEngine
    tokenizer: ChatTokenizer
    exact: bool
    context: int
    forget: Callable[[], None]


Loader = Callable[[ModelStore, Pair], Loaded]


def run(options: BenchOptions, load: Loader | None = None, store: ModelStore | None = None) -> str:
    """Returns the summary as Markdown; with `options.json`, the files are written as the run goes on.

    Errors: SlipstreamError; BenchInterruptedError after Ctrl-C, once what there is has been written.
    """
    prompts = load_prompts(options.prompts, options.limit)
    _check(options)
    store = store or ModelStore()
    pair = store.pair(options.pair)
    _require_installed(store, pair)
    with ExitStack() as stack:
        run_ = Run(options, prompts, store, pair, (load or _load)(store, pair), stack)
        try:
            run_.measure()
        except KeyboardInterrupt:
            raise BenchInterruptedError(run_.finish() if run_.result.outcomes else "") from None
        return run_.finish()


@dataclass(slots=True)
class Run:
    """One run; the peers end with `stack`."""

    options: BenchOptions
    prompts: list[Prompt]
    store: ModelStore
    pair: Pair
    loaded: Loaded
    stack: ExitStack
    result: Result = field(init=False)

    def __post_init__(self) -> None:
        extra = [name for peer in self.options.peers for name in DISTRIBUTIONS[peer]]
        self.result = Result(
            machine=environment.machine(),
            versions=environment.versions(extra),
            pair=environment.describe_pair(self.store, self.pair),
            settings=self._settings(),
        )

    def measure(self) -> None:
        options = self.options
        contestants = [
            *self._own_modes(),
            *(mode for name in options.peers for mode in self._peer_modes(name)),
        ]
        warm_up(contestants)
        outcomes = measure(
            contestants, self.prompts, options.repeat, options.max_tokens, tell=tell, note=self._note
        )
        for outcome in outcomes:
            self.result.outcomes.append(outcome)
            self._save()
        self.result.complete = True

    def finish(self) -> str:
        """Write everything and return the Markdown."""
        text = markdown(self.result)
        self._save()
        if self.options.json is not None:
            write_text(beside(self.options.json, ".md"), text + "\n")
        return text

    def _settings(self) -> dict[str, Any]:
        options = self.options
        return {
            "prompts": options.prompts.name if options.prompts else "slipstream",
            "repeat": options.repeat,
            "max_tokens": options.max_tokens,
            "temperature": options.temperature,
            "seed": 0,
            "exact": self.loaded.exact,
            "peers": {},
        }

    def _own_modes(self) -> list[Contestant]:
        """Modes that were asked for by name must be there; of the default list, those that the pair has."""
        options = self.options
        found, notes = own_modes(
            self.loaded.engine,
            options.modes,
            Sampling(temperature=options.temperature),
            self.loaded.forget,
            strict=options.modes != MODES,
        )
        for sentence in notes:
            self._note(sentence)
        return list(found)

    def _peer_modes(self, name: str) -> list[Contestant]:
        tell(f"loading {name} ...")
        models = self.stack.enter_context(_peer_models(self.store, self.pair, self.loaded.context))
        peer = Peer.load(name, models, self.loaded.tokenizer)
        self.stack.callback(peer.close)
        sweep = [(Message("user", prompt.turns[0]),) for prompt in self.prompts[:SWEEP_PROMPTS]]
        modes, measured = peer.contestants(sweep, tell)
        self.result.settings["peers"].update(measured)
        return modes

    def _note(self, sentence: str) -> None:
        tell(sentence)
        self.result.notes.append(sentence)

    def _save(self) -> None:
        if self.options.json is not None:
            self.result.save(self.options.json)


def _check(options: BenchOptions) -> None:
    if options.peers and options.temperature > 0:
        raise SlipstreamError("Peers are measured at temperature 0 only: leave --temperature or --peers out.")
    require(options.peers)
    Sampling(temperature=options.temperature)


def _require_installed(store: ModelStore, pair: Pair) -> None:
    missing = [name for name in (pair.target, pair.draft) if name and not store.is_installed(name)]
    if missing:
        raise SlipstreamError(
            f"Not installed: {', '.join(missing)}. Run slipstream models fetch {pair.name} first."
        )


def _load(store: ModelStore, pair: Pair) -> Loaded:
    tell(f"loading {pair.title} ...")
    engine = Engine.load(store, pair)
    return Loaded(engine, engine.tokenizer, engine.exact, engine.context_limit, engine.forget)


@contextmanager
def _peer_models(store: ModelStore, pair: Pair, context: int) -> Iterator[PeerModels]:
    with tempfile.TemporaryDirectory(prefix="bench-", dir=store.home, ignore_cleanup_errors=True) as scratch:
        yield PeerModels(
            target=store.path(pair.target),
            draft=store.path(pair.draft) if pair.draft else None,
            scratch=Path(scratch),
            threads=processor.usable_cores(),
            context=min(context, PEER_CONTEXT),
        )


def tell(line: str) -> None:
    with suppress(OSError):  # a measurement goes on when nobody listens
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
