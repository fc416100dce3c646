"""The full proof that drafting changes no token: plain decoding against every way to speculate.

    python tests/exactness_run.py PROMPTS.jsonl                              # starter, 40 prompts x 200 tokens
    python tests/exactness_run.py PROMPTS.jsonl --pair coder-0.5b --prompts 10    # 1.5B drafted by 0.5B
    python tests/exactness_run.py PROMPTS.jsonl --home DIR --json FILE       # models from DIR, counts to FILE

Run from the repository's root. PROMPTS.jsonl holds {"id", "turns": [...]} a line; the first turn is asked, and
prompts are taken evenly from the whole file. Each is answered at temperature 0, 0.7 and 1.0 (seed = number of
the prompt): plain, then paced and with fixed lengths k, which go round from 1 to 8 over the answers. Every
difference is printed with the prompt, its position and the margin between the two best scores there. Not
collected by pytest: it takes about 12 minutes for the starter and 25 for the coder pair on two cores.
Exit code: 0 if all answers are identical, 1 if one differs, 2 if there is nothing to compare.
"""

import argparse
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from engine.engine import Engine
from engine.events import Failed, Finished
from engine.models.store import ModelStore
from engine.noise import GumbelRow
from engine.request import Message, Request, Sampling, Speculation

TEMPERATURES = (0.0, 0.7, 1.0)
LENGTHS = range(1, 9)


@dataclass(frozen=True, slots=True)
class Variant:
    mode: Speculation
    k: int | None = None

    def __str__(self) -> str:
        return f"{self.mode}, " + ("paced" if self.k is None else f"k={self.k}")


class Proof:
    """Counts of compared answers, by variant and temperature."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.identical: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.differences: list[dict[str, object]] = []
        self.tokens = self.drafted = self.accepted = 0
        self._k = itertools.cycle(LENGTHS)

    def compare(self, prompt_id: str, plain: Request) -> None:
        """One answer in all its ways."""
        expected = self._answer(plain)
        for variant in self._variants():
            found = self._answer(replace(plain, speculation=variant.mode, draft_tokens=variant.k))
            self._count(prompt_id, plain, variant, expected, found)

    def _variants(self) -> Iterator[Variant]:
        """All modes paced, and each drafter with the next of the fixed lengths."""
        neural = [
            mode for mode in (Speculation.DRAFT, Speculation.DFLASH) if self.engine.unavailable(mode) is None
        ]
        yield Variant(Speculation.NGRAM)
        yield Variant(Speculation.NGRAM, next(self._k))
        for mode in neural:
            yield Variant(mode)
            yield Variant(Speculation.AUTO)
            yield Variant(mode, next(self._k))
            yield Variant(Speculation.AUTO, next(self._k))

    def _answer(self, request: Request) -> Finished:
        last = list(self.engine.generate(request))[-1]
        if isinstance(last, Failed):
            raise SystemExit(last.message)
        assert isinstance(last, Finished)
        return last

    def _count(
        self, prompt_id: str, plain: Request, variant: Variant, expected: Finished, found: Finished
    ) -> None:
        key = f"{variant.mode} {'paced' if variant.k is None else 'fixed'}, T={plain.sampling.temperature}"
        self.answers[key] += 1
        self.tokens += len(found.token_ids)
        self.drafted += found.stats.drafted
        self.accepted += found.stats.accepted
        same = (found.token_ids, found.text, found.reason) == (
            expected.token_ids,
            expected.text,
            expected.reason,
        )
        self.identical[key] += same
        if not same:
            self._difference(prompt_id, plain, variant, expected, found)

    def _difference(
        self, prompt_id: str, plain: Request, variant: Variant, expected: Finished, found: Finished
    ) -> None:
        pairs = itertools.zip_longest(expected.token_ids, found.token_ids)
        at = next((i for i, (a, b) in enumerate(pairs) if a != b), len(expected.token_ids))
        difference = {
            "prompt": prompt_id,
            "temperature": plain.sampling.temperature,
            "variant": str(variant),
            "position": at,
            "plain": expected.token_ids[at : at + 3],
            "speculative": found.token_ids[at : at + 3],
            "margin": self._margin(plain, list(expected.token_ids[:at])),
        }
        self.differences.append(difference)
        say(f"DIFFERENT {json.dumps(difference)}")

    def _margin(self, request: Request, answer: list[int]) -> float:
        """Between the two best scores (logits, with the noise that sampling adds) after `answer`."""
        target, sampling = self.engine.target, request.sampling
        tokens = self.engine.tokenizer.encode_chat(request.messages) + answer
        for _ in target.prefill(tokens):
            pass
        scores = target.forward(tokens[-1:])[0].astype(np.float64)
        if sampling.temperature:
            noise = GumbelRow(sampling.seed, len(tokens)).noise(np.arange(len(scores)))
            scores += sampling.temperature * noise
        second, best = np.partition(scores, -2)[-2:]
        return float(best - second)

    def report(self) -> dict[str, object]:
        return {
            "pair": self.engine.pair.name,
            "exact_by_the_probe": self.engine.exact,
            "answers": self.answers.total(),
            "identical": self.identical.total(),
            "tokens": self.tokens,
            "drafted": self.drafted,
            "accepted": self.accepted,
            "by_variant": {key: f"{self.identical[key]} of {count}" for key, count in self.answers.items()},
            "differences": self.differences,
        }


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def read_prompts(path: Path, count: int) -> list[tuple[str, str]]:
    """(id, first turn) of `count` prompts, evenly from the whole file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    step = max(1.0, len(rows) / count)
    chosen = [rows[int(i * step)] for i in range(min(count, len(rows)))]
    return [(row["id"], row["turns"][0]) for row in chosen]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plain against speculative decoding, token for token.")
    parser.add_argument("prompts_file", type=Path)
    parser.add_argument("--pair", default="starter")
    parser.add_argument("--home", type=Path, help="where the models are (default: Slipstream's own folder)")
    parser.add_argument("--prompts", type=int, default=40)
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> int:
    asked = arguments()
    prompts = read_prompts(asked.prompts_file, asked.prompts)
    store = ModelStore(asked.home)
    store.fetch(asked.pair)
    proof = Proof(Engine.load(store, store.pair(asked.pair)))
    start = time.perf_counter()
    for number, (prompt_id, text) in enumerate(prompts):
        for temperature in TEMPERATURES:
            sampling = Sampling(temperature=temperature, seed=number)
            message = Message("user", text)
            plain = Request((message,), sampling, asked.tokens, speculation=Speculation.OFF)
            proof.compare(prompt_id, plain)
        done, total = proof.identical.total(), proof.answers.total()
        say(f"{number + 1}/{len(prompts)} {prompt_id}: {done} of {total} identical so far")
    report = proof.report() | {"seconds": round(time.perf_counter() - start)}
    say(json.dumps(report, indent=1))
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    if not proof.answers:
        return 2
    return 1 if proof.differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
