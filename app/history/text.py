"""Text that every database and file takes."""


def sound(text: str) -> str:
    """Without the halves of characters that Qt and JSON let through and UTF-8 has no form for."""
    return text.encode("utf-8", "replace").decode("utf-8")
