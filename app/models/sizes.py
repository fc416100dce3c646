"""Byte counts in words."""


def in_words(size: int) -> str:
    """Decimal units, as download pages and disks use them."""
    if size >= 1_000_000_000:
        return f"{size / 1e9:.1f} GB"
    if size >= 1_000_000:
        return f"{size / 1e6:.0f} MB"
    return f"{max(size, 0) / 1e3:.0f} kB"
