"""GPT-2's alphabet, in which byte-level vocabularies write their pieces: one letter for each byte."""


def _byte_letters() -> dict[str, int]:
    """Printable Latin-1 letters stand for themselves, other bytes for U+0100 onwards."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(b): b for b in printable} | {chr(0x100 + i): b for i, b in enumerate(others)}


_BYTES = _byte_letters()


def spell(name: str) -> bytes:
    """The bytes of a piece; what is no letter of the alphabet spells itself."""
    return b"".join(bytes((_BYTES[c],)) if c in _BYTES else c.encode() for c in name)
