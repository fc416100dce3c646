"""The hub's access token: in the system's keyring, or where there is none in memory for this run. Never in a file.

One token for each hub address: what was given for huggingface.co is not sent to a mirror.
"""

import sys
import threading
from collections.abc import Callable
from typing import Protocol

from engine.errors import SlipstreamError

_SERVICE = "slipstream"
_LONGEST = 500


class Keyring(Protocol):
    """What is used of a backend of the library keyring; each call may raise anything."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


def system_keyring() -> Keyring:
    """The system's own, by name: what the library finds elsewhere may keep its secrets in a plain file."""
    if sys.platform == "win32":
        from keyring.backends.Windows import WinVaultKeyring as Backend
    elif sys.platform == "darwin":
        from keyring.backends.macOS import Keyring as Backend
    else:
        from keyring.backends.SecretService import Keyring as Backend
    backend: Keyring = Backend()  # type: ignore[no-untyped-call]
    return backend


class TokenKeeper:
    """Asks the keyring once for each address, and only when a token is needed: it may ask the user to unlock it."""

    def __init__(self, find: Callable[[], Keyring] = system_keyring) -> None:
        self._find = find
        self._lock = threading.Lock()
        self._known: dict[str, str | None] = {}

    def get(self, endpoint: str) -> str | None:
        """None when the user gave none, or the keyring does not open."""
        with self._lock:
            if endpoint not in self._known:
                self._known[endpoint] = self._read(endpoint)
            return self._known[endpoint]

    def set(self, endpoint: str, token: str) -> bool:
        """Whether it is kept in the keyring; if not, it holds until the program ends.

        Errors: SlipstreamError for what can't be a token.
        """
        token = token.strip()
        if (
            not token
            or not token.isascii()
            or not token.isprintable()
            or " " in token
            or len(token) > _LONGEST
        ):
            raise SlipstreamError("That is no access token: copy it whole from your settings on the hub.")
        with self._lock:
            self._known[endpoint] = token
            try:
                self._find().set_password(_SERVICE, endpoint, token)
            except Exception:
                return False
            return True

    def forget(self, endpoint: str) -> None:
        """Errors: SlipstreamError when the keyring still has it."""
        with self._lock:
            self._known[endpoint] = None
            try:
                keyring = self._find()
                if keyring.get_password(_SERVICE, endpoint) is None:
                    return
            except Exception:
                return  # no keyring: nothing is in it
            try:
                keyring.delete_password(_SERVICE, endpoint)
            except Exception as error:
                raise SlipstreamError(
                    "The system's keyring does not give the token up: delete “slipstream” there yourself."
                ) from error

    def _read(self, endpoint: str) -> str | None:
        try:
            return self._find().get_password(_SERVICE, endpoint)
        except Exception:
            return None


keeper = TokenKeeper()
