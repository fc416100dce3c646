"""What the list of chats shows, row by row: pinned ones, folders, and the rest by date."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication

from app.history.rows import Conversation, Hit

PINNED = "pinned"
FOLDER = "folder/"
AGES = (("today", 0), ("yesterday", 1), ("week", 7), ("month", 30))  # days before the last midnight
EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Section:
    """The row above its chats. `key` stays the same in every language."""

    key: str
    title: str
    count: int
    is_open: bool

    @property
    def folder(self) -> str | None:
        return self.key.removeprefix(FOLDER) if self.key.startswith(FOLDER) else None


Row = Section | Conversation | Hit


def rows_of(
    conversations: Iterable[Conversation], folders: Sequence[str], closed: Collection[str], now: datetime
) -> list[Row]:
    """`conversations` newest first; `now` in the user's time zone. Only folders are shown while empty."""
    groups: dict[str, list[Conversation]] = {PINNED: []}
    groups |= {FOLDER + folder: [] for folder in folders}
    groups |= {age: [] for age, _ in AGES} | {EARLIER: []}
    midnights = _midnights(now)
    for conversation in conversations:
        groups[_key_of(conversation, groups, midnights)].append(conversation)
    rows: list[Row] = []
    for key, members in groups.items():
        if members or key.startswith(FOLDER):
            section = Section(key, title_of_section(key), len(members), key not in closed)
            rows.append(section)
            rows.extend(members if section.is_open else ())
    return rows


def title_of_section(key: str) -> str:
    if key.startswith(FOLDER):
        return key.removeprefix(FOLDER)
    return {
        PINNED: QCoreApplication.translate("Sections", "Pinned"),
        "today": QCoreApplication.translate("Sections", "Today"),
        "yesterday": QCoreApplication.translate("Sections", "Yesterday"),
        "week": QCoreApplication.translate("Sections", "Last 7 days"),
        "month": QCoreApplication.translate("Sections", "Last 30 days"),
        EARLIER: QCoreApplication.translate("Sections", "Earlier"),
    }[key]


def _key_of(
    conversation: Conversation, groups: Collection[str], midnights: Sequence[tuple[str, float]]
) -> str:
    if conversation.pinned:
        return PINNED
    if conversation.folder is not None and FOLDER + conversation.folder in groups:
        return FOLDER + conversation.folder
    return next((key for key, start in midnights if conversation.updated_at >= start), EARLIER)


def _midnights(now: datetime) -> list[tuple[str, float]]:
    """Where each age begins, as a Unix time."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return [(key, (today - timedelta(days=days)).timestamp()) for key, days in AGES]
