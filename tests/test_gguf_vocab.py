"""Vocabularies read from GGUF files that the gguf package's own writer made."""

from pathlib import Path
from typing import Any

import gguf
import pytest

from engine.errors import SlipstreamError
from engine.models.gguf_vocab import CONTROL, NORMAL, UNUSED, USER_DEFINED, build_tokenizer, read_vocabulary

MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w", "o r", "Ġw or", "l d", "Ġwor ld", "u s", "e r", "us er"]
MERGES += ["Ċ Ċ", "Ġ Ġ", "1 2", "Ã ©", "< |", "| >", "i m"]
SPECIALS = {
    "<|endoftext|>": CONTROL,
    "<|im_start|>": CONTROL,
    "<|im_end|>": CONTROL,
    "<tool_call>": USER_DEFINED,
    "[PAD0]": UNUSED,
}


def letters() -> list[str]:
    """The byte-level alphabet: a byte that does not print stands as the next free letter from U+0100."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    free = iter(range(0x100, 0x200))
    return [chr(byte) if byte in printable else chr(next(free)) for byte in range(256)]


def tiny_gguf(path: Path, pre: str | None = "smollm", template: str | None = None, **changes: Any) -> Path:
    """A GGUF with a tokenizer and nothing else; `changes`: model, extra (token: type), merges..."""
    merges = changes.get("merges", MERGES)
    added = {**changes.get("specials", SPECIALS), **changes.get("extra", {})}
    words = changes.get("words", letters() + ["".join(merge.split(" ")) for merge in merges])
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_string("general.name", "tiny")
    writer.add_tokenizer_model(changes.get("model", "gpt2"))
    if pre is not None:
        writer.add_tokenizer_pre(pre)
    writer.add_token_list(words + list(added))
    writer.add_token_types([NORMAL] * len(words) + list(added.values()))
    writer.add_token_merges(merges)
    writer.add_eos_token_id(len(words) + changes.get("eos", 2))
    writer.add_bos_token_id(len(words))
    if "add_bos" in changes:
        writer.add_add_bos_token(changes["add_bos"])
    if template is not None:
        writer.add_chat_template(template)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path


def tokens_of(path: Path, text: str) -> list[str]:
    return [str(token) for token in build_tokenizer(read_vocabulary(path)).encode(text).tokens]


def test_what_the_file_says_comes_through(tmp_path: Path) -> None:
    vocabulary = read_vocabulary(tiny_gguf(tmp_path / "a.gguf", template="{{ messages }}", add_bos=True))
    first = vocabulary.tokens.index("<|endoftext|>")
    assert vocabulary.tokens[:256] == letters()
    assert vocabulary.merges == MERGES
    assert vocabulary.pre == "smollm"
    assert (vocabulary.bos_id, vocabulary.eos_id, vocabulary.add_bos) == (first, first + 2, True)
    assert vocabulary.eos_ids == {first, first + 2}
    assert vocabulary.chat_template == "{{ messages }}"


@pytest.mark.parametrize(("pre", "add_bos"), [("smollm", False), ("llama-bpe", True), (None, False)])
def test_a_beginning_token_is_added_as_the_family_does_when_the_file_is_silent(
    tmp_path: Path, pre: str | None, add_bos: bool
) -> None:
    assert read_vocabulary(tiny_gguf(tmp_path / "a.gguf", pre)).add_bos == add_bos


def test_an_ordinary_word_that_looks_like_an_end_is_none(tmp_path: Path) -> None:
    """Qwen2.5 has "</s>" as a word of HTML; a converter that calls "<|eot_id|>" ordinary is wrong."""
    path = tiny_gguf(tmp_path / "a.gguf", extra={"</s>": NORMAL, "<|eot_id|>": NORMAL, "<EOT>": CONTROL})
    vocabulary = read_vocabulary(path)
    names = {vocabulary.tokens[i] for i in vocabulary.eos_ids}
    assert names == {"<|endoftext|>", "<|im_end|>", "<|eot_id|>", "<EOT>"}
    assert vocabulary.types[vocabulary.tokens.index("<|eot_id|>")] == CONTROL


@pytest.mark.parametrize(
    ("pre", "text", "pieces"),
    [
        ("gpt-2", "12 hello12", ["12", "Ġ", "hello", "12"]),
        ("smollm", "12 hello12", ["1", "2", "Ġ", "hello", "1", "2"]),
        ("qwen2", "12 hello12", ["1", "2", "Ġ", "hello", "1", "2"]),
        ("qwen2", "e\u0301", ["Ã©"]),  # NFC, as the model's own tokenizer does
        ("smollm", "e\u0301", ["e", "Ì", "ģ"]),
        ("llama-bpe", "12 hello12", ["12", "Ġ", "hello", "12"]),
        ("llama3", "\u00e9", ["Ã©"]),
        ("default", "12 hello12", ["12", "Ġ", "hello", "12"]),
        (None, "<|hello|>", ["<|", "hello", "|>"]),
        ("qwen35", "\n\n", ["ĊĊ"]),
        ("gpt-2", "hello<tool_call>12", ["hello", "<tool_call>", "12"]),
    ],
)
def test_each_family_cuts_text_in_its_own_way(
    tmp_path: Path, pre: str | None, text: str, pieces: list[str]
) -> None:
    assert tokens_of(tiny_gguf(tmp_path / "a.gguf", pre), text) == pieces


def test_llama3_takes_a_whole_word_without_merging(tmp_path: Path) -> None:
    extra = {"xyz": NORMAL}
    assert tokens_of(tiny_gguf(tmp_path / "a.gguf", "llama-bpe", extra=extra), "xyz") == ["xyz"]
    assert tokens_of(tiny_gguf(tmp_path / "b.gguf", "gpt-2", extra=extra), "xyz") == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"model": "t5"}, "tokenizer type 't5'"),
        ({"model": "bert"}, "tokenizer type 'bert'"),
        ({"pre": "tomorrow"}, "pre-tokenizer 'tomorrow'"),
    ],
)
def test_an_unknown_tokenizer_is_named(tmp_path: Path, changes: dict[str, str], sentence: str) -> None:
    with pytest.raises(SlipstreamError, match=sentence):
        read_vocabulary(tiny_gguf(tmp_path / "a.gguf", **changes))


def test_merges_without_their_words_give_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SlipstreamError, match="contradicts itself"):
        build_tokenizer(read_vocabulary(tiny_gguf(tmp_path / "a.gguf", words=letters())))


def test_a_file_that_is_no_gguf_or_cut_short_gives_a_sentence(tmp_path: Path) -> None:
    whole = tiny_gguf(tmp_path / "a.gguf").read_bytes()
    for name, data in {"other": b"PK" + whole, "empty": b"", "short": whole[: len(whole) // 2]}.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(SlipstreamError, match="damaged"):
            read_vocabulary(path)
    with pytest.raises(SlipstreamError, match="can't be read"):
        read_vocabulary(tmp_path / "missing.gguf")


def test_any_cut_of_the_metadata_gives_a_sentence(tmp_path: Path) -> None:
    whole = tiny_gguf(tmp_path / "a.gguf").read_bytes()
    for length in range(1, len(whole) - 64, 97):
        (tmp_path / "cut").write_bytes(whole[:length])
        with pytest.raises(SlipstreamError):
            read_vocabulary(tmp_path / "cut")


def test_the_gguf_package_reads_the_same(tmp_path: Path) -> None:
    path = tiny_gguf(tmp_path / "a.gguf")
    reader = gguf.GGUFReader(path)
    vocabulary = read_vocabulary(path)
    assert reader.fields["tokenizer.ggml.tokens"].contents() == vocabulary.tokens
    assert reader.fields["tokenizer.ggml.merges"].contents() == vocabulary.merges
    assert reader.fields["tokenizer.ggml.token_type"].contents() == vocabulary.types
