"""Ways to spoil a good file: bytes, numbers, JSON trees, GGUF headers, XML. Every choice comes from the `rng` given."""

import json
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

NUMBERS = (
    *(0, 1, 2, 3, 7, 31, 32, 33, 127, 128, 255, 256, 4096, 65535, 65536, 1 << 20, (1 << 24) + 1),
    *((1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, -1),
)
TEXTS = (
    *(
        "",
        "a",
        "..",
        "../../x",
        "/etc/passwd",
        "C:\\x",
        "con",
        "a\0b",
        "\x1b[31m\n\n",
        "\u202e",
        "%s{0}",
        "x" * 5000,
    ),
    *("\ud800", "😀" * 30, "<|im_end|>", "token_embd.weight", "llama", "gpt2", "qwen35", "none", "yarn"),
)
FLOATS = (0.0, -0.0, -1.0, 1e-45, 1e38, 1e300, float("inf"), float("-inf"), float("nan"))
_WIDTHS = {1: "B", 2: "H", 4: "I", 8: "Q"}


def spoil_bytes(rng: Random, data: bytes, times: int = 3) -> bytes:
    for _ in range(rng.randint(1, times)):
        data = _spoil_once(rng, data)
    return data


def _spoil_once(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    kind = rng.randrange(7)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + rng.randbytes(rng.choice((1, 2, 9, 100))) + data[at:]
    if kind == 2:
        return data[:at] + data[at + rng.choice((1, 2, 4, 8, 64)) :]
    if kind == 3:
        return data[:at] + data[rng.randint(0, len(data)) :]
    if kind == 4:
        size = rng.choice((1, 2, 3, 8))
        return data[:at] + rng.randbytes(size) + data[at + size :]
    if kind == 5:
        return data[:at] + data[max(0, at - rng.randint(1, 40)) :]
    width = rng.choice((1, 2, 4, 8))
    number = rng.choice(NUMBERS) % (1 << 8 * width)
    return data[:at] + struct.pack("<" + _WIDTHS[width], number) + data[at + width :]


def deep(rng: Random, kind: str = "") -> str:
    """JSON that nests deeply."""
    depth = rng.choice((40, 127, 130, 900, 3000, 100_000))
    opening, closing = rng.choice((("[", "]"), ('{"a":', "}")))
    return opening * depth + "1" + closing * rng.choice((depth, 0))


def any_value(rng: Random) -> Any:
    return rng.choice(
        (
            *(None, True, False, [], {}, [[]], [None], {"a": 1}, [0] * 1000, "deep"),
            *(rng.choice(NUMBERS), rng.choice(FLOATS), rng.choice(TEXTS), 10**30, -(10**18)),
        )
    )


def spoil_tree(rng: Random, tree: Any) -> Any:
    """A copy in which one place is changed."""
    if isinstance(tree, dict) and tree and rng.random() < 0.85:
        key = rng.choice(list(tree))
        return _spoil_key(rng, dict(tree), key)
    if isinstance(tree, list) and tree and rng.random() < 0.85:
        at = rng.randrange(len(tree))
        copy = list(tree)
        choice = rng.random()
        if choice < 0.15:
            del copy[at]
        elif choice < 0.3:
            copy.insert(at, copy[rng.randrange(len(copy))])
        else:
            copy[at] = spoil_tree(rng, copy[at])
        return copy
    if isinstance(tree, int) and not isinstance(tree, bool) and rng.random() < 0.6:
        return rng.choice((*NUMBERS, tree + 1, tree - 1, -tree, tree * 2, float(tree), str(tree)))
    return any_value(rng)


def _spoil_key(rng: Random, tree: dict[Any, Any], key: Any) -> Any:
    choice = rng.random()
    if choice < 0.08:
        del tree[key]
    elif choice < 0.12:
        tree[rng.choice(TEXTS)] = tree.pop(key)
    elif choice < 0.18:
        tree[key] = tree[rng.choice(list(tree))]
    elif choice < 0.22:
        tree[rng.choice(TEXTS)] = any_value(rng)
    else:
        tree[key] = spoil_tree(rng, tree[key])
    return tree


def spoil_json(rng: Random, tree: Any) -> bytes:
    """JSON text of a spoilt tree, which may be no JSON any more."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        tree = spoil_tree(rng, tree)
    text = json.dumps(tree, ensure_ascii=rng.random() < 0.5)
    text = text.replace('"deep"', deep(rng))
    if rng.random() < 0.05 and text.startswith('{"'):
        text = '{"' + text[2 : text.find('"', 2)] + '": ' + json.dumps(any_value(rng)) + ", " + text[1:]
    data = text.encode("utf-8", "surrogatepass")
    return spoil_bytes(rng, data) if rng.random() < 0.1 else data


@dataclass(frozen=True)
class GgufFile:
    """`entries`: key, type, encoded value; `tensors`: name, sizes, type, offset."""

    version: int
    entries: list[tuple[bytes, int, bytes]]
    tensors: list[tuple[bytes, list[int], int, int]]
    data: bytes
    more: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "GgufFile":
        from engine.models import gguf_header

        header, raw = gguf_header.read(path), path.read_bytes()
        entries = []
        for key, (begin, end) in header.entries.items():
            at = begin + 8 + len(key.encode())
            entries.append((key.encode(), struct.unpack_from("<I", raw, at)[0], raw[at + 4 : end]))
        tensors = [
            (t.name.encode(), list(t.shape[::-1]), int(t.kind), t.offset) for t in header.tensors.values()
        ]
        return cls(3, entries, tensors, raw[header.start :])

    def with_words(self, words: list[str]) -> "GgufFile":
        """Another vocabulary; words in angle brackets are control tokens."""
        tokens = b"".join(text(word.encode()) for word in words)
        types = b"".join(struct.pack("<i", 3 if word[0] == "<" else 1) for word in words)
        own = {
            b"tokenizer.ggml.tokens": struct.pack("<IQ", 8, len(words)) + tokens,
            b"tokenizer.ggml.token_type": struct.pack("<IQ", 5, len(words)) + types,
            b"tokenizer.ggml.eos_token_id": struct.pack("<I", len(words) - 1),
        }
        return replace(self, entries=[(key, kind, own.get(key, value)) for key, kind, value in self.entries])

    def encoded(self) -> bytes:
        counts = self.more.get("tensors", len(self.tensors)), self.more.get("entries", len(self.entries))
        parts = [b"GGUF", struct.pack("<IQQ", self.version, *counts)]
        parts += [text(key) + struct.pack("<I", kind) + value for key, kind, value in self.entries]
        for name, sizes, kind, offset in self.tensors:
            count = self.more.get("dimensions", len(sizes))
            parts.append(text(name) + struct.pack("<I", count) + b"".join(map(_u64, sizes)))
            parts.append(struct.pack("<I", kind) + _u64(offset))
        head = b"".join(parts)
        return head + bytes(-len(head) % 32) + self.data


def _u64(number: int) -> bytes:
    return struct.pack("<Q", number % (1 << 64))


def text(raw: bytes) -> bytes:
    return _u64(len(raw)) + raw


def spoil_gguf(rng: Random, good: GgufFile) -> bytes:
    file = good
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        file = rng.choice((_spoil_entry, _spoil_entry, _spoil_tensor, _spoil_tensor, _spoil_rest))(rng, file)
    data = file.encoded()
    choice = rng.random()
    if choice < 0.08:
        return data[: rng.randint(0, len(data))]
    return spoil_bytes(rng, data) if choice < 0.2 else data


def _spoil_entry(rng: Random, file: GgufFile) -> GgufFile:
    entries = list(file.entries)
    at = rng.randrange(len(entries))
    key, kind, value = entries[at]
    choice = rng.randrange(8)
    if choice == 0:
        entries.pop(at)
    elif choice == 1:
        entries.append((rng.choice(entries)[0], kind, value))
    elif choice == 2:
        entries[at] = (key, rng.randrange(14), value)
    elif choice == 3:
        entries[at] = (rng.choice(TEXTS).encode("utf-8", "surrogatepass"), kind, value)
    elif choice == 4:
        entries[at] = (key, kind, spoil_bytes(rng, value, 1))
    else:
        entries[at] = (key, *_encoded_value(rng))
    return replace(file, entries=entries)


def _encoded_value(rng: Random) -> tuple[int, bytes]:
    choice = rng.randrange(8)
    if choice == 0:
        return 8, text(rng.choice(TEXTS).encode("utf-8", "surrogatepass"))
    if choice == 1:
        return 4, struct.pack("<I", rng.choice(NUMBERS) % (1 << 32))
    if choice == 2:
        return 5, struct.pack("<i", rng.choice((-1, -(1 << 31), 0, 1, 5)))
    if choice == 3:
        return rng.choice((10, 11)), _u64(rng.choice(NUMBERS))
    if choice == 4:
        return 6, struct.pack("<f", rng.choice((0.0, -1.0, 1e38, float("inf"), float("nan"))))
    if choice == 5:
        depth = rng.choice((2, 30, 2000))
        return 9, struct.pack("<IQ", 9, 1) * depth + struct.pack("<IQI", 4, 1, 1)
    inner, count = rng.randrange(14), rng.choice((0, 1, 2, 259, 259))
    body = b"".join(text(rng.choice(TEXTS).encode("utf-8", "replace")) for _ in range(count))
    told = count if rng.random() < 0.7 else rng.choice(NUMBERS)
    return 9, struct.pack("<I", inner) + _u64(told) + (body if inner == 8 else rng.randbytes(8 * count))


def _spoil_tensor(rng: Random, file: GgufFile) -> GgufFile:
    tensors = list(file.tensors)
    at = rng.randrange(len(tensors))
    name, sizes, kind, offset = tensors[at]
    sizes = list(sizes)
    choice = rng.randrange(9)
    if choice == 0:
        tensors.pop(at)
    elif choice == 1:
        tensors.append(tensors[at])
    elif choice == 2:
        tensors[at] = (rng.choice(TEXTS).encode("utf-8", "surrogatepass"), sizes, kind, offset)
    elif choice == 3:
        tensors[at] = (name, sizes, rng.randrange(45), offset)
    elif choice == 4:
        tensors[at] = (name, sizes, kind, rng.choice((*NUMBERS, offset + 1, offset - 32, tensors[0][3])))
    elif choice == 5:
        tensors[at] = (name, [rng.choice(NUMBERS) for _ in range(rng.randrange(6))], kind, offset)
    elif choice == 6:
        tensors[at] = (rng.choice(tensors)[0], sizes, kind, offset)
    elif sizes:
        sizes[rng.randrange(len(sizes))] = rng.choice((*NUMBERS, sizes[0] + 32, sizes[0] * 2))
        tensors[at] = (name, sizes, kind, offset)
    return replace(file, tensors=tensors or file.tensors)


def _spoil_rest(rng: Random, file: GgufFile) -> GgufFile:
    choice = rng.randrange(6)
    if choice == 0:
        return replace(file, version=rng.choice((0, 1, 2, 4, 1 << 31)))
    if choice == 1:
        key = rng.choice(("tensors", "entries"))
        return replace(file, more={**file.more, key: rng.choice((*NUMBERS[:-1], 5))})
    if choice == 2:
        return replace(file, more={**file.more, "dimensions": rng.choice((0, 1, 3, 4, 5, 1 << 31))})
    if choice == 3:
        return replace(file, data=file.data[: rng.randint(0, len(file.data))])
    pattern = rng.choice(
        (
            b"\xff",
            b"\x00",
            b"\x00\x00\xc0\x7f",
            b"\x00\x7c",
            b"\x80\x7f",
            b"\xff\xff\x7f\x7f",
            b"\x01\x00\x00\x00",
        )
    )
    begin, size = rng.randint(0, len(file.data)), rng.choice((4, 64, 4096, len(file.data)))
    spoilt = (pattern * (size // len(pattern) + 1))[:size]
    return replace(file, data=(file.data[:begin] + spoilt + file.data[begin + size :])[: len(file.data)])
