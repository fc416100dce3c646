"""Byte counts in words, with the decimal mark of the window's language."""

from PySide6.QtCore import QLocale


def in_words(size: int) -> str:
    """Decimal units, as download pages and disks use them."""
    if size >= 1_000_000_000:
        return f"{QLocale().toString(size / 1e9, 'f', 1)} GB"
    if size >= 1_000_000:
        return f"{size / 1e6:.0f} MB"
    return f"{max(size, 0) / 1e3:.0f} kB"
