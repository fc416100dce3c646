"""`slipstream train evaluate` without the terminal: a drafter folder read back, measured, and its card written."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from engine.drafters import store_file
from engine.drafters.store import StoreDrafter
from engine.graphs.dflash_checkpoint import Checkpoint
from engine.models.store import ModelStore
from engine.train import figures
from engine.train.answers import Answer, read_answers, read_settings
from engine.train.card import write_card
from engine.train.categories import categories_of
from engine.train.costs import measured_costs
from engine.train.curve import keep_figures
from engine.train.drafter_folder import CONFIG_FILE
from engine.train.drafting import TextDrafter
from engine.train.eagle import Network, network_of
from engine.train.evaluate import Evaluation, evaluate
from engine.train.fit_run import Corpus
from engine.train.matrices import Borrowed
from engine.train.target_model import TargetModel


def evaluate_folder(
    folder: Path,
    answers: Path,
    target: TargetModel,
    store: ModelStore,
    *,
    prompts: Path | None = None,
    known: Path | None = None,
    draft_cost: float | None = None,
    limit: int | None = None,
    max_tokens: int | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Evaluation:
    """Reads the folder as the engine does, so that what is measured is what would be loaded.

    `prompts` is the file that the answers were made from, for the categories; `known` has answers for a store;
    `draft_cost` of a draft in plain passes is measured unless it is given. Writes the card, and the figures for
    `slipstream train curve`. Of each answer, the first `max_tokens` are judged: small models repeat themselves later
    on, which n-grams like.
    """
    network, draft_ids = load_network(folder, target)
    corpus = Corpus.open(answers, target, network.shape.taps)
    chosen = [_beginning(answer, max_tokens) for answer in corpus.answers[:limit]]
    evaluation = evaluate(
        chosen,
        TextDrafter(network, draft_ids, corpus.store),
        report=report,
        categories=categories_of(prompts, [answer.key for answer in chosen]),
        costs=measured_costs(store, target, folder, _typical_context(chosen), draft_cost),
        longest=network.shape.longest_draft,
        store=_other_answers(known, chosen) if known else None,
    )
    about = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8")).get("slipstream")
    if about:
        measured_on = corpus.folder.name + (f", {max_tokens} tokens" if max_tokens else "")
        write_card(folder, about, evaluation, measured_on)
        keep_figures(folder, measured_on, figures.as_json(evaluation))
    return evaluation


def _beginning(answer: Answer, tokens: int | None) -> Answer:
    if tokens is None or len(answer.tokens) <= tokens:
        return answer
    return replace(answer, tokens=answer.tokens[:tokens], ended=False)


def _other_answers(known: Path, judged: Sequence[Answer]) -> StoreDrafter | None:
    """A store of all answers in the folder but those to the prompts that are judged."""
    read_settings(known)
    prompts = {answer.key.rpartition("#")[0] for answer in judged}
    others = [a.tokens for a in read_answers(known) if a.key.rpartition("#")[0] not in prompts]
    if not others:
        return None
    end = max(int(tokens.max(initial=0)) for tokens in others) + 1
    store = StoreDrafter(store_file.joined(others, end), end)
    store.wait()
    return store


def _typical_context(answers: Sequence[Answer]) -> int:
    """Tokens before a pass in the middle of an answer."""
    return round(sum(len(a.prompt) + len(a.tokens) / 2 for a in answers) / max(len(answers), 1))


def load_network(folder: Path, target: TargetModel) -> tuple[Network, NDArray[np.int64]]:
    """Errors: SlipstreamError for what is no drafter of this target."""
    checkpoint = Checkpoint(folder)
    found = checkpoint.draft_ids()
    draft_ids = np.arange(checkpoint.shape.vocab) if found is None else found
    lent = Borrowed.of(target.weights, draft_ids)
    network = network_of(checkpoint.shape, torch.from_numpy(lent.embedding), torch.from_numpy(lent.head))
    state = {
        name: torch.from_numpy(checkpoint.tensor(name, *value.shape).copy())
        for name, value in network.state_dict().items()
    }
    network.load_state_dict(state)
    return network, draft_ids
