"""The model card of a trained drafter: what it drafts for, what it learnt from, how it measures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.graphs.dflash_shape import EAGLE
from engine.models import disk
from engine.train import figures
from engine.train.drafter_folder import CARD_FILE
from engine.train.evaluate import Evaluation

KINDS = (("Block drafter", "speculators' dspark"), ("EAGLE head", "Slipstream's own"))
NOT_EAGLE = ("layers", "markov", "markov_rank")  # choices that an EAGLE head does not have


def write_card(folder: Path, about: Mapping[str, Any], evaluation: Evaluation, measured_on: str) -> None:
    """`about` is what `write_drafter` put under "slipstream"."""
    disk.write_atomically(folder / CARD_FILE, "\n".join(card(about, evaluation, measured_on)) + "\n")


def card(about: Mapping[str, Any], evaluation: Evaluation, measured_on: str) -> list[str]:
    data, recipe = about["data"], about["recipe"]
    name, layout = KINDS[recipe.get("kind") == EAGLE]
    unused = NOT_EAGLE if recipe.get("kind") == EAGLE else ()
    return [
        f"# {name} for {about['model']}",
        "",
        f"Drafts for the model whose GGUF file has the sha256 `{about['model_sha256']}` ({about['licence']}), and for "
        f"no other. Layout: {layout}; the target's embedding and head are borrowed, not repeated.",
        "",
        "## What it learnt from",
        "",
        f"{data['answers']:,} answers ({data['tokens']:,} tokens) that the target itself gave to "
        f"{data['prompts']:,} prompts, {data['greedy']:,} of them greedy, the others sampled; hard tokens and the "
        "target's probabilities. Prompts of the measurement below are not among them.",
        "",
        "| prompts from | licence | prompts |",
        "|---|---|---|",
        *(f"| {row['source']} | {row['licence']} | {row['prompts']:,} |" for row in data["sources"]),
        "",
        "## Training",
        "",
        f"{about['steps']:,} steps in {about['seconds'] / 60:,.0f} minutes on {about['device']}; "
        f"{about['parameters'] / 1e6:.1f} million parameters.",
        "",
        "| choice | value |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in recipe.items() if name not in unused),
        "",
        "## Figures",
        "",
        f"Greedy, simulated on {evaluation.answers} recorded answers with {evaluation.tokens:,} tokens "
        f"({measured_on}). Tokens a pass count the target's own token; acceptance at a position is that of tokens "
        "drafted there after right ones only. The cascade asks the n-gram first; the oracle takes the better of both, "
        "and is a bound. Paced: the engine's own choice of length, simulated; auto is its cascade. Only first turns.",
        "",
        *figures.lines(evaluation),
    ]
