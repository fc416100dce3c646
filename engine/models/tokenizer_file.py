"""tokenizer.json of a byte-pair tokenizer, every part of it checked before the tokenizers library sees any.

The library believes what it reads: padding to 10^11 tokens, a table of characters that is none, or thirty replacements
that double a text each end the process. So it is given only what says how text is cut, and only steps that can't make
a text much longer.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf

from engine.errors import SlipstreamError
from engine.models import json_file

_NORMALIZERS = ("Sequence", "NFC")  # the only step before cutting that a known family has
_CUTTERS = ("Sequence", "Split", "ByteLevel", "Digits", "Whitespace", "WhitespaceSplit", "Punctuation")
_MOST_STEPS = 8
_LONGEST_PATTERN = 2000


@dataclass(frozen=True, slots=True)
class TokenizerFile:
    """`tokens` and `types` by id."""

    data: dict[str, Any]
    tokens: list[str]
    types: list[int]
    merges: list[tuple[str, str]]

    @property
    def is_sentencepiece(self) -> bool:
        return bool(self.data["model"].get("byte_fallback"))

    @property
    def puts_space_first(self) -> bool:
        """Whether the tokenizer begins a text with a space that is not there."""
        return any(
            step.get("type") == "Prepend"
            or (step.get("type") == "Metaspace" and step.get("prepend_scheme", "always") != "never")
            for step in _steps(self.data, "normalizer") + _steps(self.data, "pre_tokenizer")
        )

    @property
    def cuts_plainly(self) -> bool:
        """Whether text is cut by nothing but steps that known families have."""
        before, cutters = _steps(self.data, "normalizer"), _steps(self.data, "pre_tokenizer")
        known = all(step.get("type") in _NORMALIZERS for step in before)
        known &= all(step.get("type") in _CUTTERS for step in cutters)
        patterns = [json.dumps(step.get("pattern")) for step in cutters]
        short = all(len(pattern) <= _LONGEST_PATTERN for pattern in patterns)
        return known and short and max(len(before), len(cutters)) <= _MOST_STEPS

    @property
    def cutting(self) -> str:
        """What the tokenizers library needs to know to cut text as this file says."""
        model = {"type": "BPE", "vocab": self.data["model"]["vocab"], "merges": self.merges}
        model["ignore_merges"] = bool(self.data["model"].get("ignore_merges"))
        kept = {key: self.data.get(key) for key in ("added_tokens", "normalizer", "pre_tokenizer")}
        return json.dumps({"version": "1.0", "model": model, **kept})


def read(path: Path, size: int) -> TokenizerFile:
    """`size`: of the vocabulary. Errors: SlipstreamError when the file is missing, torn, or of another kind."""
    try:
        data = json_file.read(path, json_file.LARGEST)
        if data["model"]["type"] != "BPE":
            raise SlipstreamError(
                f"{path.parent.name} has no byte-level BPE tokenizer: choose another model."
            )
        _steps(data, "normalizer"), _steps(data, "pre_tokenizer")
        tokens, types = _tokens(data, size)
        return TokenizerFile(data, tokens, types, [_merge(merge) for merge in data["model"]["merges"]])
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise SlipstreamError(
            f"The tokenizer.json of {path.parent.name} is torn: download the folder whole."
        ) from error


def _steps(data: dict[str, Any], part: str) -> list[dict[str, Any]]:
    """A part's own step and those that it consists of. Errors: TypeError when one is no step."""
    step = data.get(part) or {}
    found = [step, *(step.get("normalizers") or ()), *(step.get("pretokenizers") or ())]
    if not all(isinstance(each, dict) for each in found):
        raise TypeError(part)
    return found


def _merge(merge: Any) -> tuple[str, str]:
    left, right = merge.split(" ", 1) if isinstance(merge, str) else merge
    return _text(left), _text(right)


def _text(value: Any) -> str:
    """Errors: TypeError; ValueError for half characters, which no file can hold."""
    if not isinstance(value, str):
        raise TypeError(value)
    value.encode()
    return value


def _tokens(told: dict[str, Any], size: int) -> tuple[list[str], list[int]]:
    """By id; ids that nothing has are padding, and what lies beyond the model's embedding is left out."""
    tokens = [f"[PAD{i}]" for i in range(size)]
    types = [int(gguf.TokenType.UNUSED)] * size
    byte = bool(told["model"].get("byte_fallback"))
    for token, index in told["model"]["vocab"].items():
        spelled = byte and len(token) == 6 and token.startswith("<0x")
        if _index(index) < size:
            tokens[index] = _text(token)
            types[index] = int(gguf.TokenType.BYTE if spelled else gguf.TokenType.NORMAL)
    for added in told.get("added_tokens") or ():
        special = gguf.TokenType.CONTROL if added["special"] else gguf.TokenType.USER_DEFINED
        if (index := _index(added["id"])) < size:
            tokens[index], types[index] = _text(added["content"]), int(special)
    unknown = told["model"].get("unk_token")
    if byte and unknown in tokens:
        types[tokens.index(unknown)] = int(gguf.TokenType.UNKNOWN)
    return tokens, types


def _index(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value
