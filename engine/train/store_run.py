"""`slipstream train store` without the terminal: recorded answers as a store that drafts, and its card."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.bench.prompts import load_prompts
from engine.drafters import store_file
from engine.errors import SlipstreamError
from engine.models import disk
from engine.train.answers import Answer, read_answers, read_settings
from engine.train.drafter_folder import CARD_FILE
from engine.train.provenance import sources
from engine.train.target_model import TargetModel


@dataclass(frozen=True, slots=True)
class Written:
    answers: int
    tokens: int
    size: int


def write_store(
    folder: Path,
    out: Path,
    target: TargetModel,
    *,
    tokens: int | None = None,
    prompts: Path | None = None,
    without: Sequence[Path] = (),
) -> Written:
    """The answers in `folder`, the first `tokens` of them (the order is a fair mixture), in the file `out`.

    Answers to the first turns in the files `without` are left out. With `prompts`, the file that the answers were made
    from, a card beside `out` tells where they came from. Errors: SlipstreamError.
    """
    settings = read_settings(folder)
    if settings.get("model_sha256") != target.sha256:
        raise SlipstreamError(f"{folder} has answers of another model than {target.name}: choose its own.")
    unwanted = {tuple(target.encode(prompt)) for file in without for prompt in load_prompts(file)}
    chosen = list(_first(read_answers(folder), unwanted, tokens))
    told = sources(prompts, [answer.key for answer in chosen]) if prompts else []
    parts = [answer.tokens for answer in chosen]
    size = store_file.write(out, target.sha256, target.tokenizer.vocab_size, parts)
    if prompts:
        text = "\n".join(card(out, target, chosen, told, [file.name for file in without])) + "\n"
        disk.write_atomically(out.parent / CARD_FILE, text)
    return Written(len(chosen), sum(map(len, parts)), size)


def _first(answers: Iterable[Answer], unwanted: set[tuple[int, ...]], tokens: int | None) -> Iterator[Answer]:
    left = float("inf") if tokens is None else tokens
    for answer in answers:
        if tuple(answer.prompt.tolist()) in unwanted:
            continue
        left -= len(answer.tokens)
        if left < 0:
            return
        yield answer


def card(
    out: Path,
    target: TargetModel,
    answers: Sequence[Answer],
    told: Sequence[dict[str, Any]],
    without: Sequence[str],
) -> list[str]:
    greedy = sum(not answer.temperature for answer in answers)
    prompts = len({answer.key.rpartition("#")[0] for answer in answers})
    kept_out = f" No answers to the prompts of {' and '.join(without)}." if without else ""
    return [
        f"# Answers of {target.name}",
        "",
        f"`{out.name}` holds {len(answers):,} answers ({sum(len(a.tokens) for a in answers):,} tokens) that the model "
        f"whose GGUF file has the sha256 `{target.sha256}` ({target.licence}) gave itself to {prompts:,} prompts, "
        f"{greedy:,} of the answers greedy, the others sampled.{kept_out} The prompts themselves are not in it. "
        "Slipstream looks up what the model may say next; the model checks every guess, so that no answer changes.",
        "",
        f"sha256 of the file: `{disk.sha256(out)}`",
        "",
        "| prompts from | licence | prompts |",
        "|---|---|---|",
        *(f"| {row['source']} | {row['licence']} | {row['prompts']:,} |" for row in told),
    ]
