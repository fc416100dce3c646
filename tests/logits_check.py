"""Compares our graph's logits with llama.cpp's on the same GGUF file: a script, not collected by pytest.

    python -m tests.logits_check TEXT MODEL.gguf [--forms f32,int8,int4] [--positions 640]

TEXT is a plain file, or .jsonl whose `turns` and `reference` strings are joined. Needs `pip install slipstream[bench]`.
llama.cpp quantises activations and, like the int forms, is no exact reference: where f32 is among the forms, each
form is compared with it too. Perplexity is of the text itself, the first token left out.
"""

import argparse
import gc
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.graphs.compress import WeightFormat
from engine.graphs.convert import compress_gguf
from engine.graphs.gguf_model import GgufModel
from engine.target import Target
from engine.tokenizer import Tokenizer

Logits = NDArray[np.float32]
CHUNK = 128


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two models' logits over the same positions; differences are of centred logits (a constant does not matter)."""

    largest: float
    at: int  # position of the largest difference
    mean: float
    top1: float
    divergence: float  # mean KL(reference || other), nats

    def __str__(self) -> str:
        return (
            f"max |d| {self.largest:6.2f} at {self.at:3}  mean |d| {self.mean:.4f}  "
            f"top-1 {100 * self.top1:5.1f} %  KL {self.divergence:.4f}"
        )


def compare(reference: Logits, other: Logits) -> Agreement:
    largest: list[float] = []
    total, same, divergence = 0.0, 0, 0.0
    for a, b in zip(reference, other, strict=True):
        difference = np.abs((a - a.mean()) - (b - b.mean()))
        largest.append(float(difference.max()))
        total += float(difference.mean())
        same += int(a.argmax() == b.argmax())
        log_a, log_b = log_softmax(a), log_softmax(b)
        divergence += float((np.exp(log_a) * (log_a - log_b)).sum())
    count = len(reference)
    return Agreement(max(largest), int(np.argmax(largest)), total / count, same / count, divergence / count)


def log_softmax(row: Logits) -> NDArray[np.float64]:
    shifted = row.astype(np.float64) - row.max()
    found: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum())
    return found


def perplexity(logits: Logits, tokens: list[int]) -> float:
    losses = [-log_softmax(row)[token] for row, token in zip(logits, tokens[1:], strict=False)]
    return float(np.exp(np.mean(losses)))


def read_text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".jsonl":
        return text
    records = [json.loads(line) for line in text.splitlines() if line.strip()]
    return "\n\n".join(part for r in records for part in (*r["turns"], *(r.get("reference") or ())))


def llama_logits(path: Path, tokens: list[int]) -> Logits:
    from llama_cpp import Llama

    model = Llama(str(path), n_ctx=len(tokens) + 8, logits_all=True, n_threads=2, verbose=False)
    model.eval(tokens)
    logits: Logits = model.scores[: len(tokens)].copy()
    model.close()
    return logits


def our_logits(path: Path, tokens: list[int], form: WeightFormat) -> Logits:
    target = Target(compress_gguf(GgufModel.open(path), form))
    parts = [
        target.forward(tokens[i : i + CHUNK]).astype(np.float32).copy() for i in range(0, len(tokens), CHUNK)
    ]
    return np.concatenate(parts)


def report(path: Path, tokens: list[int], forms: list[WeightFormat]) -> Iterator[str]:
    llama = llama_logits(path, tokens)
    yield f"{path.name}: {len(tokens)} positions; llama.cpp perplexity {perplexity(llama, tokens):.3f}"
    exact: Logits | None = None
    for form in forms:
        ours = our_logits(path, tokens, form)
        gc.collect()
        yield f"  {form:5} against llama.cpp: {compare(llama, ours)}  perplexity {perplexity(ours, tokens):.3f}"
        if exact is not None:
            yield f"  {form:5} against f32:       {compare(exact, ours)}"
        if form is WeightFormat.F32:
            exact = ours
            yield f"  llama against f32:       {compare(exact, llama)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("text", type=Path)
    parser.add_argument("gguf", type=Path)
    parser.add_argument("--forms", default="f32,int8,int4")
    parser.add_argument("--positions", type=int, default=640)
    options = parser.parse_args()
    tokens = Tokenizer.from_gguf(options.gguf).encode(read_text(options.text))[: options.positions]
    for line in report(options.gguf, tokens, [WeightFormat(name) for name in options.forms.split(",")]):
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
