"""SentencePiece vocabularies (Llama 2, Mistral, Gemma, Phi-3) as a `tokenizers.Tokenizer`.

Such a tokenizer joins the two neighbours whose joint piece has the best score, over and over; what no piece spells
becomes bytes. As merge rules that is: all ways to cut each piece in two known ones, best score first.
"""

import itertools
from collections.abc import Mapping, Sequence

from tokenizers import AddedToken, Tokenizer, decoders, normalizers
from tokenizers.models import BPE

from engine.errors import SlipstreamError
from engine.models import panics

SPACE = "▁"
PRE, PRE_BARE = "spm", "spm-bare"  # with a space put before each text, and without
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6  # gguf.TokenType
_LONGEST_PIECE = 256  # letters; longer ones are of no use, and cutting them takes for ever
_MOST_LETTERS, _MOST_RULES = 8_000_000, 1_000_000  # of all pieces together


def merges(tokens: Sequence[str], types: Sequence[int], scores: Sequence[float]) -> list[tuple[str, str]]:
    """Merge rules, first the ones that come first. Errors: SlipstreamError when there are more than can be."""
    ids = {token: i for i, token in reversed(list(enumerate(tokens))) if types[i] == NORMAL}
    ranked: list[tuple[float, int, int]] = []
    letters = sum(map(len, ids))
    for token, index in ids.items():
        if letters > _MOST_LETTERS or len(ranked) > _MOST_RULES:
            raise SlipstreamError("The model's vocabulary is larger than any can be: choose another model.")
        if 1 < len(token) <= _LONGEST_PIECE:
            ranked += [(-scores[index], left, right) for left, right in _cuts(token, ids)]
    ranked.sort()
    return [(tokens[left], tokens[right]) for _, left, right in ranked]


def _cuts(token: str, ids: Mapping[str, int]) -> list[tuple[int, int]]:
    halves = ((token[:at], token[at:]) for at in range(1, len(token)))
    return [(ids[left], ids[right]) for left, right in halves if left in ids and right in ids]


def build(
    tokens: Sequence[str], types: Sequence[int], rules: Sequence[tuple[str, str]], pre: str
) -> Tokenizer:
    """Errors: SlipstreamError when the vocabulary contradicts itself."""
    ids: dict[str, int] = {}
    for index, token in enumerate(tokens):
        ids.setdefault(token, index)
    unknown = next((token for token, kind in zip(tokens, types, strict=True) if kind == UNKNOWN), None)
    with panics.explained("The model's vocabulary contradicts itself"):
        model = BPE(vocab=ids, merges=list(rules), unk_token=unknown, fuse_unk=True, byte_fallback=True)
    tokenizer = Tokenizer(model)
    steps = [normalizers.Prepend(SPACE)] if pre == PRE else []
    tokenizer.normalizer = normalizers.Sequence([*steps, normalizers.Replace(" ", SPACE)])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    for kinds, special in (((UNKNOWN, CONTROL), True), ((USER_DEFINED,), False)):
        added = [
            AddedToken(token, special=special, normalized=False)
            for token, kind in zip(tokens, types, strict=True)
            if kind in kinds and token
        ]
        (tokenizer.add_special_tokens if special else tokenizer.add_tokens)(added)
    return tokenizer


def spell(name: str) -> bytes:
    """The bytes of a piece: `<0x0A>` is one byte."""
    if len(name) == 6 and name.startswith("<0x") and name.endswith(">"):
        try:
            return bytes((int(name[3:5], 16),))
        except ValueError:
            pass
    return name.replace(SPACE, " ").encode()


def scores_from_merges(tokens: Sequence[str], rules: Sequence[tuple[str, str]]) -> list[float]:
    """Scores that rank pieces as the merge rules that make them do; pieces that no rule makes come last."""
    ranks: dict[str, int] = {}
    for rank, (left, right) in enumerate(rules):
        ranks.setdefault(left + right, rank)
    last = itertools.count(len(rules))
    return [-float(ranks[token] if token in ranks else next(last)) for token in tokens]
