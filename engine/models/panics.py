"""The tokenizers library stops a Rust panic at its door, but as an exception that `except Exception` lets through."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import SlipstreamError


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Whatever the library raises becomes a SlipstreamError: `what` with the reason in brackets."""
    try:
        yield
    except (MemoryError, SlipstreamError):
        raise
    except Exception as error:  # tokenizers raises bare Exception
        raise _failure(what, error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise _failure(what, error) from error


def _failure(what: str, error: BaseException) -> SlipstreamError:
    return SlipstreamError(f"{what} ({str(error)[:100]}): choose another model.")
