"""The card of a comparison: everything on it was measured in this run; prompt and answer only if the user wants it."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.speculation import compare_words as words
from app.speculation import numbers
from app.speculation.definitions import source_name
from engine.bench import environment
from engine.comparison import Comparison, Run, Side, Spread
from engine.models.catalogue import Pair
from engine.models.store import ModelStore

translate = QCoreApplication.translate
KIND, VERSION = "slipstream comparison", 1
HASH = 8  # characters of a SHA-256 that people compare by eye


@dataclass(frozen=True, slots=True)
class Facts:
    """What was measured on and with, as in a benchmark's result (engine.bench.environment)."""

    machine: dict[str, Any]
    versions: dict[str, str | None]
    pair: dict[str, Any]
    at: datetime

    @classmethod
    def gather(cls, store: ModelStore, pair: Pair) -> "Facts":
        described = environment.describe_pair(store, pair)
        return cls(environment.machine(), environment.versions(), described, datetime.now().astimezone())


@dataclass(frozen=True, slots=True)
class Card:
    """`mode` is what the user chose; `texts`: prompt and answer are told."""

    comparison: Comparison
    facts: Facts
    mode: str
    texts: bool = False

    @property
    def name(self) -> str:
        """For files."""
        return f"slipstream-{self.facts.pair['name']}-{self.facts.at:%Y-%m-%d-%H%M%S}"

    @property
    def prompt(self) -> str:
        return self.comparison.request.messages[-1].content if self.texts else ""

    def sources(self) -> str:
        """Who drafted, most first, with the share; empty if nobody did."""
        counts: Counter[str] = Counter()
        for run in self.comparison.of(Side.SPECULATIVE):
            counts.update(run.stats.drafted_by_source)
        shares = ((source_name(source), count / counts.total()) for source, count in counts.most_common())
        return ", ".join(f"{name} {numbers.percent(share)}" for name, share in shares)

    def hashes(self) -> list[tuple[str, str]]:
        """Model and the beginning of its SHA-256."""
        return [(name, (sha or numbers.NONE)[:HASH]) for name, sha in self.facts.pair["sha256"].items()]

    def machine(self) -> str:
        machine = self.facts.machine
        return translate("Compare", "{processor}, {cores}, {memory}").format(
            processor=machine["processor"],
            cores=translate("Compare", "%n core(s)", "", machine["cores"]),
            memory=f"{numbers.decimal(machine['memory_bytes'] / 2**30, 0)} GiB",
        )

    def settings(self) -> list[str]:
        """What decides text and speed, in words."""
        request = self.comparison.request
        mode = words.modes(request.draft_tokens or 0)[self.mode]
        if sources := self.sources():
            mode = f"{mode} ({sources})"
        return [
            *words.settings(request.sampling),
            translate("Compare", "at most %n token(s)", "", request.max_tokens),
            translate("Compare", "speculation: {mode}").format(mode=mode),
        ]

    def versions(self) -> str:
        versions = self.facts.versions
        return " · ".join(f"{name} {versions.get(name) or '?'}" for name in ("slipstream", "openvino"))

    def as_json(self) -> dict[str, Any]:
        """Schema version 1. Spreads are null where nothing was measured; `texts` only if the user ticked it."""
        comparison, request = self.comparison, self.comparison.request
        found: dict[str, Any] = {
            "kind": KIND,
            "version": VERSION,
            "date": self.facts.at.isoformat(timespec="seconds"),
            "complete": comparison.complete,
            "repeats": comparison.repeats,
            "identical": comparison.identical,
            "exact": comparison.exact,
            "tokens": len(comparison.reference.tokens) if comparison.reference else None,
            "first_divergence": self._divergence(),
            "speedup": _spread(comparison.speedup),
            "ratios": list(comparison.ratios),
            "tokens_per_pass": comparison.tokens_per_pass,
            "acceptance_rate": comparison.acceptance_rate,
        }
        for side in Side:
            found[side.value] = {
                "tokens_per_second": _spread(comparison.speed(side)),
                "ttft_s": _spread(comparison.ttft(side)),
                "seconds": _spread(comparison.seconds(side)),
            }
        found["runs"] = [_run(run) for run in comparison.runs]
        found["settings"] = asdict(request.sampling) | {
            "max_tokens": request.max_tokens,
            "speculation": self.mode,
            "drafters": request.speculation.value,
            "draft_tokens": request.draft_tokens,
            "messages": len(request.messages),
            "stop": len(request.stop),
        }
        found |= {"pair": self.facts.pair, "machine": self.facts.machine, "versions": self.facts.versions}
        return found | ({"texts": self._texts()} if self.texts else {})

    def json(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n"

    def markdown(self) -> str:
        return "\n".join([*self._lines(), *self._told_texts()]) + "\n"

    def _lines(self) -> Iterable[str]:
        comparison, speedup = self.comparison, self.comparison.speedup
        yield f"### {self.facts.pair['title']}"
        yield ""
        if speedup is not None:
            yield f"**{words.times(speedup.median)}** {words.faster(speedup)} ({words.spread(comparison)})."
        yield f"{words.verdict(comparison)}."
        yield ""
        yield from _table(
            ["", translate("Compare", "Tokens per second"), translate("Compare", "First token after")]
        )
        for side in Side:
            first = comparison.ttft(side)
            seconds = numbers.seconds(None if first is None else first.median)
            yield f"| {words.side_name(side)} | {_range(comparison.speed(side))} | {seconds} |"
        yield ""
        yield from (f"- {name}: {value}" for name, value in words.figures(comparison)[:2])
        yield f"- {self.machine()}"
        yield f"- {', '.join(self.settings())}"
        yield f"- {', '.join(f'{name} `{sha}`' for name, sha in self.hashes())}"
        yield f"- {self.versions()} · {self.facts.at:%Y-%m-%d}"
        yield from (f"- {sentence}" for sentence in words.caveats(comparison))

    def _told_texts(self) -> Iterable[str]:
        if not self.texts:
            return
        texts = self._texts()
        for name, text in (
            (translate("Compare", "Prompt"), self.prompt),
            (words.side_name(Side.PLAIN), texts["plain"]),
            (words.side_name(Side.SPECULATIVE), texts["speculative"]),
        ):
            yield f"\n#### {name}\n"
            yield from (f"> {line}".rstrip() for line in (text or numbers.NONE).splitlines())

    def _divergence(self) -> dict[str, Any] | None:
        """Without the tokens, which are part of the answer."""
        divergence = self.comparison.divergence
        if divergence is None:
            return None
        told = ("position", "side", "repeat", "margin")
        return {name: value for name, value in asdict(divergence).items() if self.texts or name in told}

    def _texts(self) -> dict[str, Any]:
        from app.speculation.compare_texts import shown_runs

        runs = shown_runs(self.comparison)
        told: dict[str, Any] = {"messages": [asdict(message) for message in self.comparison.request.messages]}
        for side in Side:
            run = runs.get(side)
            told[side.value] = run.finished.text if run else None
            told[f"{side.value}_token_ids"] = list(run.tokens) if run else None
        return told


def _spread(spread: Spread | None) -> dict[str, float] | None:
    return None if spread is None else asdict(spread)


def _run(run: Run) -> dict[str, Any]:
    stats = run.stats
    return {
        "side": run.side.value,
        "repeat": run.repeat,
        "tokens": stats.tokens,
        "prompt_tokens": stats.prompt_tokens,
        "finish_reason": run.finished.reason.value,
        "target_passes": stats.target_passes,
        "drafted": stats.drafted,
        "accepted": stats.accepted,
        "drafted_by_source": stats.drafted_by_source,
        "decode_s": stats.decode_s,
        "tokens_per_second": stats.tokens_per_second,
        "ttft_s": stats.ttft_s,
        "seconds": run.seconds,
        "busy_elsewhere": run.busy_elsewhere,
    }


def _range(spread: Spread | None) -> str:
    if spread is None:
        return numbers.NONE
    if spread.least == spread.most:
        return numbers.decimal(spread.median)
    return (
        f"{numbers.decimal(spread.median)} ({numbers.decimal(spread.least)}–{numbers.decimal(spread.most)})"
    )


def _table(header: list[str]) -> Iterable[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{' --- |' * len(header)}"
