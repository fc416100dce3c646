"""Whether this is an installer's copy or a checkout, and how either is mended or added to."""

import sys


def is_frozen() -> bool:
    """Whether packaging/build.py made this program; it holds its Python and takes no further packages."""
    return bool(getattr(sys, "frozen", False))


def remedy() -> str:
    """What to do when a part of the program is missing."""
    return "install Slipstream again" if is_frozen() else "run bash packaging/start.sh"


def how_to_add(extra: str) -> str:
    """How to get an optional part, one of pyproject's extras."""
    command = f"run pip install slipstream[{extra}]"
    return f"use a checkout of the source, and there {command}" if is_frozen() else command
