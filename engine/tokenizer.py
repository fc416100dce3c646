"""Text to token ids and back, for one model; knows nothing about how the ids are computed with.

What a person types never becomes a control token: contents are encoded with control tokens off, and only the
chat template's own text may hold them.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import tokenizers

from engine.chat_template import CHATML, ChatTemplate
from engine.errors import SlipstreamError
from engine.models import gguf_vocab, memory, spm_vocab
from engine.models.spelling import spell
from engine.request import Message

_FORMAT = 1
_PRIVATE_USE = (*range(0xE000, 0xF900), *range(0xF0000, 0xFFFFE))


@dataclass(frozen=True, slots=True)
class TokenizerFacts:
    """What tokenizer.json can't say. `merges` is a hash; `unused_ids` are padding that no text leads to."""

    format: int
    pre: str
    merges: str
    vocab_size: int
    bos_id: int | None
    add_bos: bool
    eos_id: int | None
    eos_ids: tuple[int, ...]
    unused_ids: tuple[int, ...]
    chat_template: str | None


def _read_facts(path: Path) -> TokenizerFacts:
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if facts["format"] != _FORMAT:
        raise ValueError(facts["format"])
    facts.update(eos_ids=tuple(facts["eos_ids"]), unused_ids=tuple(facts["unused_ids"]))
    return TokenizerFacts(**facts)


class Tokenizer:
    """One model's vocabulary, chat template and end-of-generation tokens. Reading is safe from any thread."""

    def __init__(self, model: tokenizers.Tokenizer, facts: TokenizerFacts) -> None:
        model.encode_special_tokens = True  # off, that is: they are spelled out like any text
        self._model = model
        self._facts = facts
        self._spell = spm_vocab.spell if facts.pre in (spm_vocab.PRE, spm_vocab.PRE_BARE) else spell
        added = model.get_added_tokens_decoder()
        self._control = {token.content: i for i, token in added.items() if token.special}
        self._literal = {i: token.content.encode() for i, token in added.items()}
        self.vocab_size = facts.vocab_size
        self.bos_id = facts.bos_id
        self.add_bos = facts.add_bos
        self.eos_ids = frozenset(facts.eos_ids)
        self.special_ids = frozenset(self._control.values())
        self.silent_ids = self.special_ids | frozenset(facts.unused_ids)  # give no text

    @classmethod
    def from_gguf(cls, path: Path) -> "Tokenizer":
        vocabulary = gguf_vocab.read_vocabulary(path)
        facts = TokenizerFacts(
            format=_FORMAT,
            pre=vocabulary.pre,
            merges=hashlib.sha256("\n".join(vocabulary.merges).encode()).hexdigest(),
            vocab_size=len(vocabulary.tokens),
            bos_id=vocabulary.bos_id,
            add_bos=vocabulary.add_bos,
            eos_id=vocabulary.eos_id,
            eos_ids=tuple(sorted(vocabulary.eos_ids)),
            unused_ids=tuple(i for i, kind in enumerate(vocabulary.types) if kind == gguf_vocab.UNUSED),
            chat_template=vocabulary.chat_template,
        )
        with memory.explaining(path.name):
            return cls(gguf_vocab.build_tokenizer(vocabulary), facts)

    @classmethod
    def load(cls, folder: Path) -> "Tokenizer":
        """What `save` wrote. Raises SlipstreamError when it is missing, damaged or of another version."""
        try:
            model = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
            return cls(model, _read_facts(folder / "tokenizer_config.json"))
        except Exception as error:  # tokenizers raises bare Exception
            raise SlipstreamError(
                f"The tokenizer in {folder} can't be read: import the model again."
            ) from error

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._model.save(str(folder / "tokenizer.json"), pretty=False)
        text = json.dumps(asdict(self._facts), ensure_ascii=False, indent=1)
        (folder / "tokenizer_config.json").write_text(text, encoding="utf-8")

    def encode(self, text: str) -> list[int]:
        """A user's text: control tokens in it are spelled out; no beginning-of-sequence token is added."""
        ids: list[int] = self._model.encode(_without_surrogates(text), add_special_tokens=False).ids
        if self.special_ids.isdisjoint(ids):
            return ids
        # A piece that is in the vocabulary as a whole (Llama 3 takes those without merging).
        return [part for i in ids for part in (self._spelled(i) if i in self.special_ids else (i,))]

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        """The prompt for the next answer.

        For ordinary text the ids are those of Hugging Face's apply_chat_template: no token is added to what
        the template writes, and template and content are merged as one string between two control tokens.
        """
        shield = _Shield(self._control, self.template.source, messages)
        return self._encode_pieces(shield, self.template.render(shield.cover(messages)))

    def decode(self, ids: Iterable[int]) -> str:
        """Control tokens give no text; bytes that are no UTF-8 become replacement characters."""
        spelled = (self.token_bytes(i) for i in ids if i not in self.silent_ids)
        return b"".join(spelled).decode(errors="replace")

    def token_bytes(self, token: int) -> bytes:
        """What the token spells; a control token its name; an id outside the vocabulary nothing."""
        if (literal := self._literal.get(token)) is not None:
            return literal
        name = self._model.id_to_token(token) if token >= 0 else None
        return b"" if name is None else self._spell(name)

    @cached_property
    def template(self) -> ChatTemplate:
        source = self._facts.chat_template
        if source is None and "<|im_start|>" in self._control and "<|im_end|>" in self._control:
            source = CHATML
        if source is None:
            raise SlipstreamError(
                "This model has no chat template: choose one that is made for chat (Instruct)."
            )
        bos, eos = self._name(self.bos_id), self._name(self._facts.eos_id)
        return ChatTemplate(source, bos_token=bos, eos_token=eos)

    @cached_property
    def tokens(self) -> list[str | None]:
        """Every entry by id; None where the file repeats another entry's name."""
        names: list[str | None] = [None] * self.vocab_size
        for name, i in self._model.get_vocab(with_added_tokens=True).items():
            names[i] = name
        return names

    @property
    def facts(self) -> TokenizerFacts:
        return self._facts

    def _name(self, token: int | None) -> str:
        return "" if token is None else self._model.id_to_token(token) or ""

    def _spelled(self, token: int) -> list[int]:
        return [
            i
            for letter in self._name(token)
            for i in self._model.encode(letter, add_special_tokens=False).ids
        ]

    def _encode_pieces(self, shield: "_Shield", text: str) -> list[int]:
        ids: list[int] = []
        for piece in shield.split(text):
            control = self._control.get(piece)
            ids += self.encode(shield.uncover(piece)) if control is None else [control]
        return ids


class _Shield:
    """Keeps control tokens that stand in contents from being taken for the template's own.

    A private-use character that occurs nowhere else is put into each of them (and after a content's last
    letters when these begin one, lest the template's text complete it); it is taken out again when the text
    has been cut at the control tokens. All else stays as it is: templates can strip and test contents.
    """

    def __init__(self, control: Iterable[str], source: str, messages: Sequence[Message]) -> None:
        used = set(source).union(*(message.content for message in messages))
        free = (chr(code) for code in _PRIVATE_USE if chr(code) not in used)
        self._mark = next(free)
        names = "|".join(re.escape(name) for name in sorted(control, key=len, reverse=True)) or r"(?!)"
        self._inside = re.compile(f"(?=(?:{names}))(.)", re.DOTALL)
        self._own = re.compile(f"({names})(?!{self._mark})")
        self._beginnings = {name[:length] for name in control for length in range(1, len(name))}
        self._longest = max(map(len, self._beginnings), default=0)

    def cover(self, messages: Sequence[Message]) -> list[Message]:
        return [Message(message.role, self._cover(message.content)) for message in messages]

    def uncover(self, text: str) -> str:
        return text.replace(self._mark, "")

    def split(self, text: str) -> list[str]:
        """Control tokens that the template wrote, and what stands between them."""
        return [piece for piece in self._own.split(text) if piece]

    def _cover(self, content: str) -> str:
        content = self._inside.sub(rf"\1{self._mark}", content)
        body = content.rstrip()
        if any(body[-length:] in self._beginnings for length in range(1, self._longest + 1)):
            return body + self._mark + content[len(body) :]
        return content


def _without_surrogates(text: str) -> str:
    """Lone surrogates are no characters and can't be encoded; they come from broken clipboards."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text
