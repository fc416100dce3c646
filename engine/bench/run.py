"""A whole benchmark run: load, measure, write. Progress goes to standard error."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

from engine.bench import environment
from engine.bench.contestants import Contestant, own_modes
from engine.bench.interruption import BenchInterruptedError
from engine.bench.loaded import Loaded, Loader, load_pair, peer_models
from engine.bench.margins import with_margins
from engine.bench.options import MODES, BenchOptions
from engine.bench.padding import fitting, padded
from engine.bench.peers import DISTRIBUTIONS, ChatTokenizer, Peer, require
from engine.bench.prompts import Prompt, load_prompts, spread
from engine.bench.report import markdown
from engine.bench.result import Result, beside, write_text
from engine.bench.rows import rows
from engine.bench.session import measure, warm_up
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Sampling

SWEEP_PROMPTS = 4
CONTEXT_PROMPTS = 3  # at every context, unless the caller says otherwise


def run(options: BenchOptions, load: Loader | None = None, store: ModelStore | None = None) -> str:
    """Returns the summary as Markdown; with `options.json`, the files are written as the run goes on.

    Errors: SlipstreamError; BenchInterruptedError after Ctrl-C, once what there is has been written.
    """
    require(options.peers)
    prompts = load_prompts(options.prompts, None if options.context else options.limit)
    store = store or ModelStore()
    pair = store.pair(options.pair)
    _require_installed(store, pair)
    with ExitStack() as stack:
        tell(f"loading {pair.title} ...")
        loaded = (load or load_pair)(store, pair)
        run_ = Run(options, _chosen(options, prompts, loaded.tokenizer), store, pair, loaded, stack)
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
        contestants = [*self._own_modes(), *self._peers()]
        if self.options.context:
            for context in sorted(set(self.options.context)):
                self._measure_at(context, contestants)
        else:
            warm_up(contestants)
            self._take(contestants, self.prompts)
        self._weigh_divergences()
        self.result.complete = True

    def _measure_at(self, context: int, contestants: Sequence[Contestant]) -> None:
        """The first pass at a context reads it; the warm-up is that pass."""
        limit = self.loaded.context
        if context + self.options.max_tokens > limit:
            self._note(
                f"{context:,} tokens of context were left out: the model reads at most {limit:,}, the answer included."
            )
            return
        tell(f"reading {context:,} tokens of context ...")
        prompts = [padded(prompt, context, self._count) for prompt in self.prompts]
        try:
            warm_up(contestants, Message("user", prompts[0].turns[0]))
            self._take(contestants, prompts)
        except SlipstreamError as error:
            self._note(f"{context:,} tokens of context could not be measured: {error}")

    def _take(self, contestants: Sequence[Contestant], prompts: Sequence[Prompt]) -> None:
        options = self.options
        outcomes = measure(
            contestants, prompts, options.repeat, options.max_tokens, tell=tell, note=self._note
        )
        for outcome in outcomes:
            self.result.outcomes.append(outcome)
            self._save()

    def _weigh_divergences(self) -> None:
        """After the run, since it uses the target's cache."""
        differing = [row for row in rows(self.result.outcomes) if row["identical_to_plain"] is False]
        if self.options.temperature > 0 or not differing:
            return
        tell(f"looking at {len(differing)} answers that differ from plain decoding ...")
        self.result.outcomes = with_margins(
            self.result.outcomes, self.loaded.tokenizer.encode_chat, self.loaded.logits
        )

    def _count(self, messages: Sequence[Message]) -> int:
        return len(self.loaded.tokenizer.encode_chat(messages))

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
            "seed": "CRC-32 of the prompt's id",
            "context": sorted(set(options.context)),
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
            None if options.context else self.loaded.forget,
            strict=options.modes != MODES,
        )
        for sentence in notes:
            self._note(sentence)
        return list(found)

    def _peers(self) -> list[Contestant]:
        """All modes of all peers that were asked for; what does not work is noted and left out."""
        found: list[Contestant] = []
        for name in self.options.peers:
            tell(f"loading {name} and looking for its best settings ...")
            models = self.stack.enter_context(peer_models(self.store, self.pair, self.loaded.context))
            peer = Peer(name, models, self.loaded.tokenizer, self.options.temperature)
            self.stack.callback(peer.close)
            try:
                peer.prepare()
            except SlipstreamError as error:
                self._note(f"{name} was left out: {error}")
                continue
            found.extend(self._tuned(peer))
        return found

    def _tuned(self, peer: Peer) -> Iterator[Contestant]:
        sweep = [(Message("user", prompt.turns[0]),) for prompt in spread(self.prompts, SWEEP_PROMPTS)]
        for mode in peer.modes:
            try:
                tuned, measured = peer.tuned(mode, sweep, tell)
            except SlipstreamError as error:
                self._note(f"{peer.name}:{mode} was left out: {error}")
                continue
            self.result.settings["peers"][tuned.name] = measured
            yield tuned

    def _note(self, sentence: str) -> None:
        tell(sentence)
        self.result.notes.append(sentence)

    def _save(self) -> None:
        if self.options.json is not None:
            self.result.save(self.options.json)


def _chosen(options: BenchOptions, prompts: list[Prompt], tokenizer: ChatTokenizer) -> list[Prompt]:
    """For long contexts a few prompts that fit into the shortest."""
    if not options.context:
        return prompts
    number = options.limit or CONTEXT_PROMPTS
    return fitting(prompts, number, min(options.context), lambda asked: len(tokenizer.encode_chat(asked)))


def _require_installed(store: ModelStore, pair: Pair) -> None:
    missing = store.missing(pair)
    if missing:
        raise SlipstreamError(
            f"Not installed: {', '.join(missing)}. Run slipstream models fetch {pair.name} first."
        )


def tell(line: str) -> None:
    with suppress(OSError):  # a measurement goes on when nobody listens
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
