"""What a target and the model that drafts for it call by the same number.

Ids are all that passes between the two, so a draft fits when each id of an ordinary piece of text spells the same in
both. Where only added or unused tokens differ (<think>, padding), the draft does not guess those, and reads others in
their place: it may guess worse there, and the answer is the target's own as always.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from engine.models.gguf_vocab import CONTROL, UNKNOWN, UNUSED, USER_DEFINED, GgufVocabulary
from engine.models.spelling import spell

_ADDED = frozenset((UNKNOWN, CONTROL, USER_DEFINED, UNUSED))
_LINE_ENDS = ("Ċ", "<0x0A>")  # a neutral thing to read: byte-level, SentencePiece
_MASK = np.float32(-1e30)

Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CommonVocabulary:
    """`size`: of the target's vocabulary. `masked`: ids below it that the draft must not guess. `replaced`: what the
    draft reads for ids of the target that mean nothing, or something else, to it."""

    size: int
    masked: tuple[int, ...]
    replaced: Mapping[int, int]

    def read(self, tokens: Sequence[int]) -> list[int]:
        """The text of the target as the draft may read it."""
        replaced = self.replaced
        return [replaced.get(token, token) for token in tokens]

    def mask(self, logits: Logits) -> Logits:
        """Of the draft's logits [rows, its vocabulary], which are overwritten, those of the target's ids."""
        known = logits[:, : self.size]
        known[:, list(self.masked)] = _MASK
        return known


def misfit(target: GgufVocabulary, draft: GgufVocabulary) -> str | None:
    """The first difference that no mask can bridge, in words; None if the draft's tokens serve the target."""
    for i, ours, theirs in _differences(target, draft):
        if not (_is_added(target, i) or _is_added(draft, i)):
            return f"token {i} is {_quoted(ours)} in the target and {_quoted(theirs)} in the draft"
    if target.pre != draft.pre:
        return f"the target cuts text as '{target.pre}' and the draft as '{draft.pre}'"
    if target.merges != draft.merges:
        return "the merge rules of target and draft differ"
    return None


def common_vocabulary(target: GgufVocabulary, draft: GgufVocabulary) -> CommonVocabulary | None:
    """Of two vocabularies that fit; None when they are the same."""
    different = list(_differences(target, draft))
    if not different:
        return None
    size, known = len(target.tokens), len(draft.tokens)
    ids = {name: i for i, name in reversed(list(enumerate(draft.tokens)))}
    neutral = next((ids[name] for name in _LINE_ENDS if name in ids), draft.eos_id or 0)
    return CommonVocabulary(
        size=size,
        masked=tuple(i for i, _, _ in different if i < min(size, known)),
        replaced={i: ids.get(ours, neutral) for i, ours, _ in different if ours is not None},
    )


def _differences(
    target: GgufVocabulary, draft: GgufVocabulary
) -> Iterator[tuple[int, str | None, str | None]]:
    if target.tokens == draft.tokens:
        return
    for i, (ours, theirs) in enumerate(zip_longest(target.tokens, draft.tokens)):
        if ours != theirs:
            yield i, ours, theirs


def _is_added(vocabulary: GgufVocabulary, token: int) -> bool:
    return token < len(vocabulary.types) and vocabulary.types[token] in _ADDED


def _quoted(name: str | None) -> str:
    return "missing" if name is None else f"'{spell(name).decode(errors='replace')}'"
