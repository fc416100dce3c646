"""Does this device give the same bits whatever the number of rows? Probed at load, never assumed."""

import numpy as np

from engine.errors import SlipstreamError
from engine.load_options import CPU
from engine.target import Logits, Target

PROBED_ROWS = (2, 3, 5, 8, 16)
CONTEXT = 48  # tokens, so that a block boundary lies inside the probe
ALIKE = 0.98  # correlation of logits that two ways to compute the same must reach


def settle(target: Target) -> bool:
    """Lone tokens as one row where that is exact, else as two; is the device exact then?

    Errors: SlipstreamError for a device on which a pass does not see what the one before has read.
    """
    if target.loaded_with.device != CPU and not remembers(target):
        raise SlipstreamError(
            f"{target.loaded_with.device} does not keep the conversation from one pass to the next: "
            "choose CPU in the settings."
        )
    for single in (True, False):
        target.take_lone_rows(single)
        if probe(target):
            return True
    return False


def remembers(target: Target) -> bool:
    """Whether two passes give about what one pass over the same tokens gives."""
    vocab = target.architecture.vocab
    tokens = [(7919 * (i + 1)) % vocab for i in range(CONTEXT)]
    target.rollback(0)
    whole = target.forward(tokens)[-1].copy()
    target.rollback(0)
    target.forward(tokens[: CONTEXT - 4], logits_for=[0])
    parted = target.forward(tokens[CONTEXT - 4 :])[-1].copy()
    target.rollback(0)
    return bool(np.corrcoef(whole, parted)[0, 1] > ALIKE)


def probe(target: Target) -> bool:
    """True if 1, 2 .. 16 rows after one context agree bit for bit, also after a rejected draft."""
    vocab = target.architecture.vocab
    tokens = [(7919 * (i + 1)) % vocab for i in range(CONTEXT + max(PROBED_ROWS))]
    target.rollback(0)
    target.forward(tokens[:CONTEXT], logits_for=[0])
    reference = _rows(target, tokens, max(PROBED_ROWS))
    alike = all(_same(reference, _rows(target, tokens, rows)) for rows in PROBED_ROWS)
    alike = alike and _same(reference, _one_by_one(target, tokens, max(PROBED_ROWS)))
    target.rollback(CONTEXT)
    target.forward(
        [(t + 1) % vocab for t in tokens[CONTEXT:]], logits_for=[0]
    )  # rejected rows, then rolled back
    alike = alike and _same(reference, _rows(target, tokens, 2))
    target.rollback(0)
    return alike


def _rows(target: Target, tokens: list[int], rows: int) -> Logits:
    target.rollback(CONTEXT)
    return target.forward(tokens[CONTEXT : CONTEXT + rows])[:rows].copy()


def _one_by_one(target: Target, tokens: list[int], count: int) -> Logits:
    """Small models agree by chance in up to half of the positions, so that one would prove little."""
    target.rollback(CONTEXT)
    return np.concatenate([target.forward([token]).copy() for token in tokens[CONTEXT : CONTEXT + count]])


def _same(reference: Logits, other: Logits) -> bool:
    return bool(np.array_equal(reference[: len(other)], other))
