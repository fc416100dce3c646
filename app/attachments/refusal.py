"""Why a file can't be attached; the window has the words."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    IMAGE = "image"
    BINARY = "binary"
    FOLDER = "folder"
    EMPTY = "empty"
    UNREADABLE = "unreadable"  # detail: what the system says
    DAMAGED = "damaged"
    PASSWORD = "password"
    SCANNED = "scanned"
    TOO_LARGE = "too large"  # the file or its text, far beyond any model
    TOO_SLOW = "too slow"
    TOO_COMPLEX = "too complex"  # more memory than a document may take
    NO_ROOM = "no room"  # detail: how many tokens too many


@dataclass(frozen=True, slots=True)
class Refusal:
    name: str
    reason: Reason
    detail: str = ""


class RefusedError(Exception):
    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
