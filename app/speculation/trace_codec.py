"""Traces as bytes: two or three a token.

Byte 0 is the version; then comes a zlib stream of entries, each a number and what belongs to it. Numbers are LEB128
varints. Entry 0 is a run: the length of its facts and the facts as JSON. Entry 1 + s is a pass whose source is number
s of SOURCES (the last one is spelled out): counts of tokens, accepted and rejected ones, time in units of 0.1 ms, then
the tokens and the rejected guesses. A token is a number in the order of first use; a new one is followed by its id,
twice the length of its spelling plus one if it is silent, and the spelling (another model's token may have the same
id and another spelling). So the bytes only ever grow at the end,
and the text of every token and guess can be shown without the model.
"""

import json
import zlib
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication

from app.speculation.trace import Facts, Pass, Spelling, Trace
from engine.errors import SlipstreamError

VERSION = 1
SOURCES = ("plain", "ngram", "draft", "dflash", "")
UNIT_S = 1e-4
LEVEL = 6
LARGEST = 1 << 26  # bytes: no answer is so long; a damaged record may claim to be


class TraceError(SlipstreamError):
    """The record can't be read; its text says why."""


@dataclass(slots=True)
class TraceWriter:
    """Appends to a trace and to its bytes at once."""

    trace: Trace = field(default_factory=Trace)
    _entries: bytearray = field(default_factory=bytearray)
    _numbers: dict[Spelling, int] = field(default_factory=dict)

    @classmethod
    def resume(cls, record: bytes) -> "TraceWriter":
        """Goes on after what `encoded` gave. Errors: TraceError."""
        entries = _entries_of(record)
        reader = _Reader(entries)
        trace = reader.trace()
        numbers = {spelling: number for number, spelling in enumerate(reader.spellings)}
        return cls(trace, bytearray(entries), numbers)

    def begin(self, facts: Facts) -> None:
        text = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        self._entries += _varint(0) + _varint(len(text)) + text
        self.trace.runs.append((len(self.trace.passes), facts))

    def add(self, one: Pass) -> None:
        number = SOURCES.index(one.source) if one.source in SOURCES else len(SOURCES) - 1
        head = bytearray(_varint(1 + number))
        if not SOURCES[number]:
            name = one.source.encode()
            head += _varint(len(name)) + name
        time = max(0, round(one.seconds / UNIT_S))
        for value in (len(one.tokens), one.accepted, len(one.rejected), time):
            head += _varint(value)
        for spelling in (*one.tokens, *one.rejected):
            head += self._reference(spelling)
        self._entries += head
        self.trace.passes.append(one)

    def encoded(self) -> bytes:
        return bytes([VERSION]) + zlib.compress(self._entries, LEVEL)

    def _reference(self, spelling: Spelling) -> bytes:
        number = self._numbers.get(spelling)
        if number is not None:
            return _varint(number)
        number = self._numbers[spelling] = len(self._numbers)
        length = 2 * len(spelling.text) + spelling.silent
        return _varint(number) + _varint(spelling.token) + _varint(length) + spelling.text


def decode(record: bytes) -> Trace:
    """Errors: TraceError."""
    return _Reader(_entries_of(record)).trace()


def _entries_of(record: bytes) -> bytes:
    if not record or record[0] != VERSION:
        newer = bool(record) and record[0] > VERSION
        raise TraceError(_newer() if newer else _damaged())
    try:
        unpacker = zlib.decompressobj()
        entries = unpacker.decompress(record[1:], LARGEST)
    except zlib.error as error:
        raise TraceError(_damaged()) from error
    if not unpacker.eof:
        raise TraceError(_damaged())
    return entries


class _Reader:
    def __init__(self, entries: bytes) -> None:
        self._entries = entries
        self._at = 0
        self.spellings: list[Spelling] = []

    def trace(self) -> Trace:
        trace = Trace()
        try:
            while self._at < len(self._entries):
                kind = self._number()
                if kind == 0:
                    facts = json.loads(self._bytes(self._number()))
                    trace.runs.append((len(trace.passes), facts if isinstance(facts, dict) else {}))
                else:
                    trace.passes.append(self._pass(kind - 1))
        except (IndexError, ValueError) as error:
            raise TraceError(_damaged()) from error
        return trace

    def _pass(self, number: int) -> Pass:
        source = SOURCES[number] or self._bytes(self._number()).decode()
        tokens, accepted, rejected, time = (self._number() for _ in range(4))
        return Pass(
            tokens=tuple(self._token() for _ in range(tokens)),
            accepted=accepted,
            rejected=tuple(self._token() for _ in range(rejected)),
            source=source,
            seconds=time * UNIT_S,
        )

    def _token(self) -> Spelling:
        number = self._number()
        if number == len(self.spellings):
            token, length = self._number(), self._number()
            self.spellings.append(Spelling(token, self._bytes(length >> 1), bool(length & 1)))
        return self.spellings[number]

    def _number(self) -> int:
        value = shift = 0
        while True:
            byte = self._entries[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def _bytes(self, length: int) -> bytes:
        found = self._entries[self._at : self._at + length]
        if len(found) < length:
            raise ValueError(length)
        self._at += length
        return found


def _varint(value: int) -> bytes:
    if value < 0x80:
        return bytes((value,))
    result = bytearray()
    while value >= 0x80:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    result.append(value)
    return bytes(result)


def _newer() -> str:
    return QCoreApplication.translate(
        "Trace", "The passes of this answer were recorded by a newer Slipstream: update to see its tokens."
    )


def _damaged() -> str:
    return QCoreApplication.translate(
        "Trace", "The record of this answer's passes is damaged: its tokens can't be shown."
    )
