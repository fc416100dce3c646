"""The vocabulary of a Hugging Face folder (tokenizer.json and the small files beside it) written into a GGUF file.

How text is cut is not read from tokenizer.json, whose rules are many, but found out: the family is taken whose
tokenizer gives the same tokens for a text that shows every difference.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import tokenizers

from engine.errors import SlipstreamError
from engine.models import gguf_vocab, spm_vocab

_FIRST = {
    "qwen2": "qwen2",
    "qwen3": "qwen2",
    "qwen35": "qwen35",
    "llama": "llama-bpe",
    "smollm3": "llama-bpe",
}
_PROBE = (
    "Hello, World!  I'll've  been here's 3 1234567 x2\n\n\tdef f(a_b):\r\n    return a['k'] + \"ÄÖ\"  # été 漢字かな "
    "한국어 Привет हिन्दी e\u0301 नमस्ते 😀👍🏽 <b>$3.50</b> … «q» don't CAN'T   \n   end "
)


@dataclass(frozen=True, slots=True)
class _Told:
    """tokenizer.json, parsed."""

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
        steps = [self.data.get("normalizer") or {}, self.data.get("pre_tokenizer") or {}]
        told = [
            part
            for step in steps
            for part in (step, *step.get("normalizers", ()), *step.get("pretokenizers", ()))
        ]
        return any(
            part.get("type") == "Prepend"
            or (part.get("type") == "Metaspace" and part.get("prepend_scheme", "always") != "never")
            for part in told
        )


def require(folder: Path) -> None:
    """SlipstreamError when the folder has no tokenizer.json."""
    if not (folder / "tokenizer.json").is_file():
        raise SlipstreamError(
            f"{folder.name} has no tokenizer.json: download the folder whole.{_instead(folder)}"
        )


def write(writer: gguf.GGUFWriter, folder: Path, kind: str, size: int) -> None:
    """`kind`: the architecture, `size`: of the vocabulary with its padding.

    Errors: SlipstreamError when tokenizer.json is missing, torn, or of a kind that Slipstream can't build.
    """
    path = folder / "tokenizer.json"
    require(folder)
    told = _read_told(path, size)
    if told.is_sentencepiece:
        _write_sentencepiece(writer, told)
    else:
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(_splitting(path, told, kind))
        writer.add_token_merges([" ".join(merge) for merge in told.merges])
    writer.add_token_list(told.tokens)
    writer.add_token_types(told.types)
    writer.add_add_bos_token(False)
    _write_ends(writer, folder, told.tokens)
    if template := _template(folder):
        writer.add_chat_template(template)


def _instead(folder: Path) -> str:
    """What is there, and why it is of no use."""
    if (folder / "openvino_tokenizer.xml").is_file():
        return (
            " Its openvino_tokenizer.xml needs an extension of OpenVINO, which Slipstream does not load: "
            "take tokenizer.json, tokenizer_config.json and the chat template from the model's own page."
        )
    return " Its tokenizer.model alone is not enough." if (folder / "tokenizer.model").is_file() else ""


def _read_told(path: Path, size: int) -> _Told:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["model"]["type"] != "BPE":
            raise SlipstreamError(
                f"{path.parent.name} has no byte-level BPE tokenizer: choose another model."
            )
        tokens, types = _tokens(data, size)
        merges = [_merge(merge) for merge in data["model"]["merges"]]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise SlipstreamError(
            f"The tokenizer.json of {path.parent.name} is torn: download the folder whole."
        ) from error
    return _Told(data, tokens, types, merges)


def _merge(merge: Any) -> tuple[str, str]:
    left, right = merge.split(" ", 1) if isinstance(merge, str) else merge
    return left, right


def _write_sentencepiece(writer: gguf.GGUFWriter, told: _Told) -> None:
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_scores(spm_vocab.scores_from_merges(told.tokens, told.merges))
    writer.add_add_space_prefix(told.puts_space_first)


def _splitting(path: Path, told: _Told, kind: str) -> str:
    """The name of the family that cuts text as this tokenizer does."""
    try:
        own = tokenizers.Tokenizer.from_file(str(path))
        expected = own.encode(_PROBE, add_special_tokens=False).ids
    except Exception as error:  # tokenizers raises bare Exception
        raise SlipstreamError(
            f"The tokenizer.json of {path.parent.name} can't be used ({str(error)[:100]}): choose another model."
        ) from error
    first = _FIRST.get(kind)
    for pre in gguf_vocab.families(first):
        if _built(told, pre).encode(_PROBE, add_special_tokens=False).ids == expected:
            return pre
    raise SlipstreamError(
        f"The tokenizer of {path.parent.name} cuts text in a way that Slipstream does not know: choose another model."
    )


def _built(told: _Told, pre: str) -> tokenizers.Tokenizer:
    merges = [" ".join(merge) for merge in told.merges]
    return gguf_vocab.build_tokenizer(
        gguf_vocab.GgufVocabulary(
            told.tokens, list(told.types), merges, pre, None, None, frozenset(), False, None
        )
    )


def _tokens(told: dict[str, Any], size: int) -> tuple[list[str], list[int]]:
    """By id; ids that nothing has are padding, and what lies beyond the model's embedding is left out."""
    tokens = [f"[PAD{i}]" for i in range(size)]
    types = [int(gguf.TokenType.UNUSED)] * size
    byte = bool(told["model"].get("byte_fallback"))
    for token, index in told["model"]["vocab"].items():
        if index >= size:
            continue
        spelled = byte and len(token) == 6 and token.startswith("<0x")
        tokens[index], types[index] = token, int(gguf.TokenType.BYTE if spelled else gguf.TokenType.NORMAL)
    for added in told.get("added_tokens") or ():
        if added["id"] >= size:
            continue
        special = gguf.TokenType.CONTROL if added["special"] else gguf.TokenType.USER_DEFINED
        tokens[added["id"]], types[added["id"]] = added["content"], int(special)
    unknown = told["model"].get("unk_token")
    if byte and unknown in tokens:
        types[tokens.index(unknown)] = int(gguf.TokenType.UNKNOWN)
    return tokens, types


def _write_ends(writer: gguf.GGUFWriter, folder: Path, tokens: list[str]) -> None:
    """What ends an answer: the tokenizer's own end token first, then those of the generation settings."""
    config = _read(folder / "tokenizer_config.json")
    named = {key: _content(config.get(key)) for key in ("bos_token", "eos_token")}
    declared = _read(folder / "generation_config.json").get("eos_token_id")
    found: list[Any] = [tokens.index(named["eos_token"])] if named["eos_token"] in tokens else []
    found += declared if isinstance(declared, list) else [declared]
    ids = [index for index in found if isinstance(index, int) and 0 <= index < len(tokens)]
    if named["bos_token"] in tokens:
        writer.add_bos_token_id(tokens.index(named["bos_token"]))
    if ids:
        writer.add_eos_token_id(ids[0])
        writer.add_array("tokenizer.ggml.eos_token_ids", sorted(set(ids)))


def _content(token: Any) -> str:
    told = token.get("content") if isinstance(token, dict) else token
    return told if isinstance(told, str) else ""


def _template(folder: Path) -> str | None:
    try:
        return (folder / "chat_template.jinja").read_text(encoding="utf-8")
    except (OSError, ValueError):
        pass
    told = _read(folder / "tokenizer_config.json").get("chat_template")
    if isinstance(told, list):
        told = next((each.get("template") for each in told if each.get("name") == "default"), None)
    return told if isinstance(told, str) else None


def _read(path: Path) -> dict[str, Any]:
    """A file that need not be there."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
