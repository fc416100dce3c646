"""The vocabulary of a Hugging Face folder (tokenizer.json and the small files beside it) written into a GGUF file."""

import json
from pathlib import Path
from typing import Any

import gguf

from engine.errors import SlipstreamError
from engine.graphs.gguf_model import Architecture

_PRE = {"qwen2": "qwen2", "qwen3": "qwen2", "qwen35": "qwen35"}  # how text is cut, by architecture


def write(writer: gguf.GGUFWriter, folder: Path, arch: Architecture) -> None:
    """Errors: SlipstreamError when tokenizer.json is missing, torn, or no byte-level BPE."""
    try:
        told = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
        if told["model"]["type"] != "BPE":
            raise SlipstreamError(f"{folder.name} has no byte-level BPE tokenizer: choose another model.")
        tokens, types = _tokens(told, arch.vocab)
        merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in told["model"]["merges"]]
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise SlipstreamError(
            f"The tokenizer.json of {folder.name} is missing or torn: download the folder whole."
        ) from error
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(_PRE[arch.name])
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(merges)
    writer.add_add_bos_token(False)
    _write_ends(writer, folder, tokens)
    if template := _template(folder):
        writer.add_chat_template(template)


def _tokens(told: dict[str, Any], size: int) -> tuple[list[str], list[gguf.TokenType]]:
    """By id; ids that nothing has are padding."""
    tokens = [f"[PAD{i}]" for i in range(size)]
    types = [gguf.TokenType.UNUSED] * size
    for token, index in told["model"]["vocab"].items():
        tokens[index], types[index] = token, gguf.TokenType.NORMAL
    for added in told.get("added_tokens") or ():
        special = gguf.TokenType.CONTROL if added["special"] else gguf.TokenType.USER_DEFINED
        tokens[added["id"]], types[added["id"]] = added["content"], special
    return tokens, types


def _write_ends(writer: gguf.GGUFWriter, folder: Path, tokens: list[str]) -> None:
    """What ends an answer: the tokenizer's own end token first, then those of the generation settings."""
    named = _read(folder / "tokenizer_config.json").get("eos_token")
    named = named.get("content") if isinstance(named, dict) else named
    declared = _read(folder / "generation_config.json").get("eos_token_id")
    found: list[Any] = [tokens.index(named)] if named in tokens else []
    found += declared if isinstance(declared, list) else [declared]
    ids = [index for index in found if isinstance(index, int) and 0 <= index < len(tokens)]
    if ids:
        writer.add_eos_token_id(ids[0])
        writer.add_array("tokenizer.ggml.eos_token_ids", sorted(set(ids)))


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
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
