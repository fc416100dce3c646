"""The vocabulary that a GGUF file carries, as a `tokenizers.Tokenizer`.

gguf.GGUFReader builds numpy views for every string: 6.3 s for a Qwen2.5 file (measured), so the metadata are
read here by a scan of the file's own layout (GGUF specification, ggml/docs/gguf.md): 0.1 s.
"""

import mmap
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, normalizers, pre_tokenizers
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import PreTokenizer

from engine.errors import SlipstreamError
from engine.models import gguf_header, memory, panics, spm_vocab

# gguf.TokenType
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED = 1, 2, 3, 4, 5

_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_MOST_TEXT = 16_000_000  # bytes of all texts; Qwen2.5 has 3 million
_MOST_TOKENS = 600_000
_LONGEST_ADDED, _MOST_ADDED = 200, 400_000  # letters of one added token, and of all

# Names under which the field's chat models end a turn.
_END_NAMES = frozenset(
    f"<{name}>"
    for name in (
        *("|im_end|", "|endoftext|", "|end_of_text|", "|eot_id|", "|eom_id|", "|eot|", "|end|", "|return|"),
        *("|end_of_turn|", "|endofturn|", "end_of_turn", "end_of_utterance", "EOT", "/s", "eos"),
        "｜end▁of▁sentence｜",
    )
)
_TEXTS, _WHOLE, _NUMBERS = (str,), (int, bool), (int, float)
_KINDS: dict[str, tuple[bool, tuple[type, ...]]] = {  # of what is read: whether it is a list, and of what
    **dict.fromkeys(("model", "pre", "chat_template"), (False, _TEXTS)),
    **dict.fromkeys(("tokens", "merges"), (True, _TEXTS)),
    **dict.fromkeys(("token_type", "eos_token_ids"), (True, _WHOLE)),
    **dict.fromkeys(("add_bos_token", "add_space_prefix", "bos_token_id"), (False, _WHOLE)),
    **dict.fromkeys(("eos_token_id", "eot_token_id", "eom_token_id"), (False, _WHOLE)),
    "scores": (True, _NUMBERS),
}
_END_KEYS = ("eos_token_id", "eot_token_id", "eom_token_id")


@dataclass(frozen=True, slots=True)
class GgufVocabulary:
    """`tokens[i]` is spelled in byte-level letters unless `types[i]` says that it is an added token."""

    tokens: list[str]
    types: list[int]
    merges: list[str]
    pre: str
    bos_id: int | None
    eos_id: int | None
    eos_ids: frozenset[int]  # every token that ends an answer, eos_id among them
    add_bos: bool
    chat_template: str | None
    scores: list[float] | None = None  # of a SentencePiece vocabulary, which has no merges of its own


@dataclass(frozen=True, slots=True)
class _Splitting:
    """How a family cuts text before byte-pair merging."""

    build: Callable[[], PreTokenizer]
    nfc: bool = False  # the original tokenizer normalises; GGUF does not say so
    ignore_merges: bool = False  # a piece that is in the vocabulary is taken whole
    add_bos: bool = False  # when the file has no add_bos_token


def _split(*patterns: str) -> PreTokenizer:
    steps: list[PreTokenizer] = [pre_tokenizers.Split(Regex(p), "isolated") for p in patterns]
    return pre_tokenizers.Sequence(
        [*steps, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )


def _gpt2(digits: bool = False) -> PreTokenizer:
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    if not digits:
        return byte_level
    return pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level])


def _cl100k(number: str, letter: str = r"\p{L}", mark: str = "") -> PreTokenizer:
    """The pattern that GPT-4's tokenizer introduced; families differ in how many digits make a piece."""
    words = rf"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{{L}}\p{{N}}]?{letter}+|{number}"
    signs = rf" ?[^\s\p{{L}}{mark}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    return _split(f"{words}|{signs}")


def _default() -> PreTokenizer:
    """What llama.cpp does for files that name no pre-tokenizer or "default"."""
    return _split(
        r"[\p{P}\$\+<=>\^~\|]+",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
        r"\p{N}+",
        r"[0-9][0-9][0-9]",
    )


_LLAMA3 = _Splitting(lambda: _cl100k(r"\p{N}{1,3}"), ignore_merges=True, add_bos=True)
_QWEN2 = _Splitting(lambda: _cl100k(r"\p{N}"), nfc=True)
_QWEN35 = _Splitting(lambda: _cl100k(r"\p{N}", r"[\p{L}\p{M}]", r"\p{M}"), nfc=True)
_DIGITS = _Splitting(lambda: _gpt2(digits=True))
_SPLITTINGS = {
    "default": _Splitting(_default),
    **dict.fromkeys(("gpt-2", "gpt2", "phi-2", "mpt", "olmo"), _Splitting(_gpt2)),
    **dict.fromkeys(("smollm", "starcoder", "refact", "codeshell", "exaone"), _DIGITS),
    **dict.fromkeys(("llama-bpe", "llama3", "llama-v3", "falcon3"), _LLAMA3),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen"), _QWEN2),
    "qwen35": _QWEN35,
}


def families(first: str | None) -> list[str]:
    """Names of all ways to cut text, each once, `first` at the head."""
    distinct = {id(splitting): name for name, splitting in reversed(_SPLITTINGS.items())}
    return sorted(distinct.values(), key=lambda name: _SPLITTINGS[name] is not _SPLITTINGS.get(first or ""))


def read_vocabulary(path: Path) -> GgufVocabulary:
    """Raises SlipstreamError for a damaged file and for a tokenizer that Slipstream can't build."""
    facts = _tokenizer_metadata(path)
    model = facts.get("model")
    if model == "llama":
        return _sentencepiece(path, facts)
    if model != "gpt2":
        found = f"the tokenizer type '{str(model)[:50]}'" if model else "no tokenizer"
        raise SlipstreamError(
            f"{path.name} has {found}; Slipstream reads byte-level BPE ('gpt2') and SentencePiece ('llama'): "
            "choose a model of the Qwen, SmolLM, Gemma, Phi-3 or Llama family."
        )
    pre = str(facts.get("pre") or "default")
    if pre not in _SPLITTINGS:
        raise SlipstreamError(
            f"{path.name} has the pre-tokenizer '{pre[:50]}'; Slipstream knows {', '.join(sorted(_SPLITTINGS))}."
        )
    return _vocabulary(path, facts, pre)


def build_tokenizer(vocabulary: GgufVocabulary) -> Tokenizer:
    """A tokenizer that cuts, merges and spells as the model's own does."""
    if vocabulary.scores is not None:
        rules = [_pair(merge) for merge in vocabulary.merges]
        return spm_vocab.build(vocabulary.tokens, vocabulary.types, rules, vocabulary.pre)
    splitting = _SPLITTINGS[vocabulary.pre]
    ids: dict[str, int] = {}
    for index, token in enumerate(vocabulary.tokens):
        ids.setdefault(token, index)
    merges = [_pair(merge) for merge in vocabulary.merges]
    with panics.explained("The model's vocabulary contradicts itself"):
        model = BPE(vocab=ids, merges=merges, ignore_merges=splitting.ignore_merges)
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = splitting.build()
    tokenizer.decoder = decoders.ByteLevel()
    if splitting.nfc:
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.add_special_tokens(_added(vocabulary, (UNKNOWN, CONTROL), special=True))
    tokenizer.add_tokens(_added(vocabulary, (USER_DEFINED,), special=False))
    return tokenizer


def _pair(merge: str) -> tuple[str, str]:
    left, _, right = merge.partition(" ")
    return left, right


def _added(vocabulary: GgufVocabulary, types: tuple[int, ...], special: bool) -> list[AddedToken]:
    return [
        AddedToken(token, special=special, normalized=False)
        for token, kind in zip(vocabulary.tokens, vocabulary.types, strict=True)
        if kind in types and token
    ]


def _vocabulary(path: Path, facts: dict[str, Any], pre: str) -> GgufVocabulary:
    tokens, merges = facts.get("tokens"), facts.get("merges")
    if not tokens or not merges:
        raise SlipstreamError(f"{path.name} lists no tokens or no merges: fetch or convert it again.")
    if len(tokens) > _MOST_TOKENS:
        raise SlipstreamError(f"{path.name} lists more tokens than any model has: choose another model.")
    types = list(facts.get("token_type") or [NORMAL] * len(tokens))
    if len(types) != len(tokens):
        raise SlipstreamError(
            f"{path.name} lists {len(tokens)} tokens but {len(types)} types: fetch it again."
        )
    _require_short(path, tokens, types)
    eos_ids = _end_ids(facts, tokens, types)
    for token in eos_ids:
        types[token] = CONTROL  # some converters call them ordinary
    return GgufVocabulary(
        tokens=tokens,
        types=types,
        merges=merges,
        pre=pre,
        bos_id=_known(facts.get("bos_token_id"), tokens),
        eos_id=_known(facts.get("eos_token_id"), tokens),
        eos_ids=eos_ids,
        add_bos=bool(facts["add_bos_token"] if "add_bos_token" in facts else _SPLITTINGS[pre].add_bos),
        chat_template=facts.get("chat_template") or None,
    )


def _require_short(path: Path, tokens: list[str], types: list[int]) -> None:
    """Added tokens become one regular expression, and all their beginnings are kept (tokenizer._Shield)."""
    sizes = [len(token) for token, kind in zip(tokens, types, strict=True) if kind not in (NORMAL, UNUSED)]
    if max(sizes, default=0) > _LONGEST_ADDED or sum(sizes) > _MOST_ADDED:
        raise SlipstreamError(f"{path.name} has control tokens without end: fetch or convert it again.")


def _sentencepiece(path: Path, facts: dict[str, Any]) -> GgufVocabulary:
    tokens, scores = facts.get("tokens"), facts.get("scores")
    if not tokens or not scores or len(scores) != len(tokens):
        raise SlipstreamError(f"{path.name} lists no tokens or no scores: fetch or convert it again.")
    prefix = bool(facts.get("add_space_prefix", True))
    pre = spm_vocab.PRE if prefix else spm_vocab.PRE_BARE
    facts = {"add_bos_token": True, **facts, "merges": ["-"]}
    found = _vocabulary(path, facts, pre)
    rules = spm_vocab.merges(tokens, found.types, scores)
    return replace(found, merges=[f"{left} {right}" for left, right in rules], scores=scores)


def _known(token: Any, tokens: list[str]) -> int | None:
    return token if isinstance(token, int) and 0 <= token < len(tokens) else None


def _end_ids(facts: dict[str, Any], tokens: list[str], types: list[int]) -> frozenset[int]:
    declared = {facts[key] for key in _END_KEYS if isinstance(facts.get(key), int)}
    declared |= {i for i in facts.get("eos_token_ids") or () if isinstance(i, int)}
    named = {i for i, token in enumerate(tokens) if token in _END_NAMES and _is_added(token, types[i])}
    return frozenset(i for i in declared | named if 0 <= i < len(tokens))


def _is_added(token: str, kind: int) -> bool:
    """Qwen2.5 has "</s>" as an ordinary word of HTML; no merges lead to "<|...|>", whatever its type."""
    return kind != NORMAL or token.startswith("<|")


def _tokenizer_metadata(path: Path) -> dict[str, Any]:
    """The keys under `tokenizer.ggml.` and `tokenizer.`, without the prefix."""
    try:
        with (
            memory.explaining(path.name),
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            facts = dict(_Scan(data).tokenizer_keys())
    except OSError as error:
        raise SlipstreamError(f"{path} can't be read: {error.strerror or error}.") from error
    except (struct.error, ValueError, KeyError, OverflowError) as error:
        raise SlipstreamError(f"{path.name} is no GGUF file that can be read, or is damaged.") from error
    for key, value in facts.items():
        is_list, kinds = _KINDS[key]
        if isinstance(value, list) is not is_list or not {type(part) for part in _all(value)} <= set(kinds):
            raise SlipstreamError(f"{path.name} has a '{key}' of another kind: fetch or convert it again.")
    return facts


def _all(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class _Scan:
    """One walk over the key-value section of a little-endian GGUF file, version 2 or 3."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._at = 0
        self._room = _MOST_TEXT

    def tokenizer_keys(self) -> Iterator[tuple[str, Any]]:
        magic, version, _, keys = self._take("4sIQQ")
        if magic != b"GGUF" or version not in (2, 3):
            raise ValueError(magic, version)
        for _ in range(keys):
            key = self._texts(1)[0]
            short = key.removeprefix("tokenizer.").removeprefix("ggml.")
            wanted = key.startswith("tokenizer.") and short in _KINDS
            value = self._value(self._take("I")[0], wanted)
            if wanted:
                yield short, value

    def _value(self, kind: int, wanted: bool) -> Any:
        """None for what is not wanted."""
        if kind == _STRING:
            return self._texts(1)[0] if wanted else self._skip(1)
        if kind != _ARRAY:
            return self._take(_SCALARS[kind])[0]
        kind, count = self._take("IQ")
        if kind == _STRING:
            return self._texts(count) if wanted else self._skip(count)
        if wanted and count <= gguf_header.MOST_WORDS:
            return list(self._take(f"{count}{_SCALARS[kind]}"))
        self._at += count * struct.calcsize(_SCALARS[kind])  # KeyError for lists of lists
        return None

    def _skip(self, texts: int) -> None:
        for _ in self._places(texts):
            pass

    def _take(self, layout: str) -> tuple[Any, ...]:
        layout = "<" + layout
        values = struct.unpack_from(layout, self._data, self._at)
        self._at += struct.calcsize(layout)
        return values

    def _texts(self, count: int) -> list[str]:
        found = []
        for begin, end in self._places(count):
            self._room -= end - begin
            if self._room < 0:
                raise ValueError(end)
            found.append(self._data[begin:end].decode())
        return found

    def _places(self, count: int) -> Iterator[tuple[int, int]]:
        """Where each of the texts that follow lies."""
        if count > gguf_header.MOST_WORDS:
            raise ValueError(count)
        data, at, size = self._data, self._at, len(self._data)
        length_at = struct.Struct("<Q").unpack_from
        for _ in range(count):
            begin = at + 8
            at = begin + length_at(data, at)[0]
            if at > size:
                raise ValueError(at)
            yield begin, at
        self._at = at
