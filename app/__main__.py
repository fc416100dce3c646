"""`python -m app`, the frozen program and the console script `slipstream`."""

import sys

from app import INTERRUPTED


def start() -> int:
    """Ctrl-C while the program is still being imported ends it like any other: no traceback."""
    try:
        import multiprocessing

        multiprocessing.freeze_support()
        from app.cli import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(start())
