"""The vocabulary of a Hugging Face folder (tokenizer.json and the small files beside it) written into a GGUF file.

How text is cut is not read from tokenizer.json, whose rules are many, but found out: the family is taken whose
tokenizer gives the same tokens for a text that shows every difference.
"""

import time
from pathlib import Path
from typing import Any

import gguf
import tokenizers

from engine.errors import SlipstreamError
from engine.models import gguf_vocab, json_file, panics, paths, spm_vocab, tokenizer_file
from engine.models.tokenizer_file import TokenizerFile

_FIRST = {
    "qwen2": "qwen2",
    "qwen3": "qwen2",
    "qwen35": "qwen35",
    "llama": "llama-bpe",
    "smollm3": "llama-bpe",
}
_SLOW_S = 0.5  # of this thread's processor time; a real tokenizer takes less than a thousandth of it
_PROBE = (
    "Hello, World!  I'll've  been here's 3 1234567 x2\n\n\tdef f(a_b):\r\n    return a['k'] + \"ÄÖ\"  # été 漢字かな "
    "한국어 Привет हिन्दी e\u0301 नमस्ते 😀👍🏽 <b>$3.50</b> … «q» don't CAN'T   \n   end "
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
    told = tokenizer_file.read(path, size)
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


def _write_sentencepiece(writer: gguf.GGUFWriter, told: TokenizerFile) -> None:
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_scores(spm_vocab.scores_from_merges(told.tokens, told.merges))
    writer.add_add_space_prefix(told.puts_space_first)


def _splitting(path: Path, told: TokenizerFile, kind: str) -> str:
    """The name of the family that cuts text as this tokenizer does."""
    expected: list[int] = []
    if told.cuts_plainly:
        with panics.explained(f"The tokenizer.json of {path.parent.name} can't be used"):
            own = tokenizers.Tokenizer.from_str(told.cutting)
            _require_quick(own, path.parent.name)
            expected = own.encode(_PROBE, add_special_tokens=False).ids
    for pre in gguf_vocab.families(_FIRST.get(kind)) if told.cuts_plainly else ():
        if _built(told, pre).encode(_PROBE, add_special_tokens=False).ids == expected:
            return pre
    raise SlipstreamError(
        f"The tokenizer of {path.parent.name} cuts text in a way that Slipstream does not know: choose another model."
    )


def _require_quick(own: tokenizers.Tokenizer, name: str) -> None:
    """A regular expression can take for ever; one that will is slow at a short text already."""
    for size in (8, 16, 32, 64):
        start = time.thread_time()
        own.encode(_PROBE[:size], add_special_tokens=False)
        if time.thread_time() - start > _SLOW_S:
            raise SlipstreamError(f"The tokenizer of {name} takes too long: choose another model.")


def _built(told: TokenizerFile, pre: str) -> tokenizers.Tokenizer:
    merges = [" ".join(merge) for merge in told.merges]
    return gguf_vocab.build_tokenizer(
        gguf_vocab.GgufVocabulary(
            told.tokens, list(told.types), merges, pre, None, None, frozenset(), False, None
        )
    )


def _write_ends(writer: gguf.GGUFWriter, folder: Path, tokens: list[str]) -> None:
    """What ends an answer: the tokenizer's own end token first, then those of the generation settings."""
    config = _read(folder / "tokenizer_config.json")
    named = {key: _content(config.get(key)) for key in ("bos_token", "eos_token")}
    declared = _read(folder / "generation_config.json").get("eos_token_id")
    found: list[Any] = [tokens.index(named["eos_token"])] if named["eos_token"] in tokens else []
    found += declared if isinstance(declared, list) else [declared]
    ids = [index for index in found if type(index) is int and 0 <= index < len(tokens)]
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
        return json_file.read_text(folder / "chat_template.jinja")
    except (OSError, ValueError):
        pass
    told = _read(folder / "tokenizer_config.json").get("chat_template")
    if isinstance(told, list):
        named = [each for each in told if isinstance(each, dict) and each.get("name") == "default"]
        told = named[0].get("template") if named else None
    return paths.shown(told) if isinstance(told, str) else None


def _read(path: Path) -> dict[str, Any]:
    """A file that need not be there."""
    try:
        told = json_file.read(path)
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
