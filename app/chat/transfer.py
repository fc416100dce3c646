"""Chats to files and back, from the menu: Markdown for people, JSON with everything."""

import contextlib
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from app.attachments.document import with_documents
from app.history import archive, markdown_file
from engine.errors import SlipstreamError

if TYPE_CHECKING:
    from app.main_window import MainWindow

TOPIC = "transfer"
NAME_CHARS = 60
PART_BYTES = archive.MOST_BYTES * 9 // 10


class Transfer(QObject):
    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._history = window.history
        menus = window.menus
        menus.separate(menus.chat)
        menus.add(menus.chat, self.tr("New &folder"), "", window.conversations.new_folder)
        menus.add(menus.chat, self.tr("&Bin"), "", window.conversations.show_bin)
        menus.separate(menus.chat)
        menus.add(menus.chat, self.tr("&Export this chat…"), "Ctrl+Shift+E", self._export_open)
        menus.add(menus.chat, self.tr("Export &all chats…"), "", self._export_all)
        menus.add(menus.chat, self.tr("&Import chats…"), "", self.ask_import)
        window.sidebar.list.export_asked.connect(self.ask_export)
        window.session.opened.connect(lambda _conversation, _messages: window.board.drop(TOPIC))

    def ask_export(self, conversation: int) -> None:
        with self._told():
            suggested = _folder() / _file_name(self._title(conversation))
            path, chosen = QFileDialog.getSaveFileName(
                self._window, self.tr("Export chat"), f"{suggested}.md", ";;".join(self._kinds())
            )
            if path:
                target = _with_suffix(Path(path), ".json" if "json" in chosen else ".md")
                self.export([conversation], target)
                self._say(self.tr("Exported %n chat(s).", "", 1))

    def ask_import(self) -> None:
        kinds = self.tr("Chats (*.json *.md *.markdown *.txt)")
        paths, _ = QFileDialog.getOpenFileNames(self._window, self.tr("Import chats"), str(_folder()), kinds)
        if paths:
            with self._told():
                self.bring_in([Path(path) for path in paths])

    def export(self, conversations: Sequence[int], path: Path) -> list[Path]:
        """The files that were written: JSON in parts if need be; Markdown, of several chats in a folder at `path`.

        Errors: SlipstreamError.
        """
        if path.suffix.lower() == ".json":
            return self._write_json(conversations, path)
        if len(conversations) == 1:
            return [_write(path, self._markdown(conversations[0]).encode())]
        folder, files = path.with_suffix(""), list[Path]()
        for number, conversation in enumerate(conversations, 1):
            name = _file_name(self._title(conversation))
            files.append(_write(folder / f"{number:04} {name}.md", self._markdown(conversation).encode()))
        return files

    def bring_in(self, paths: Sequence[Path]) -> list[int]:
        """The new conversations, of which the first is opened. All files are read before anything is stored."""
        with _waiting():
            chats = [chat for path in paths for chat in _read(path)]
            adopted = self._history.adopt(chats)
        self._window.conversations.refresh()
        if adopted:
            self._window.session.open(adopted[0])
        self._say(self.tr("Imported %n chat(s).", "", len(adopted)))
        return adopted

    def _export_open(self) -> None:
        if self._window.session.conversation is None:
            self._say(self.tr("There is no open chat to export; choose one in the list first."))
        else:
            self.ask_export(self._window.session.conversation)

    def _export_all(self) -> None:
        with self._told():
            suggested = _folder() / f"slipstream-chats-{time.strftime('%Y-%m-%d')}"
            path, chosen = QFileDialog.getSaveFileName(
                self._window,
                self.tr("Export all chats"),
                f"{suggested}.json",
                ";;".join(reversed(self._kinds())),
            )
            if path:
                target = _with_suffix(Path(path), ".json" if "json" in chosen else ".md")
                chats = [c.id for c in self._history.conversations()]
                with _waiting():
                    self.export(chats, target)
                self._say(self.tr("Exported %n chat(s).", "", len(chats)))

    def _write_json(self, conversations: Sequence[int], path: Path) -> list[Path]:
        parts, size = [list[bytes]()], 0
        for conversation in conversations:
            line = archive.line_of(self._history.archived(conversation))
            size += len(line)
            if parts[-1] and size > PART_BYTES:
                parts.append([])
                size = len(line)
            parts[-1].append(line)
        names = [path.name, *(f"{path.stem} ({n}).json" for n in range(2, len(parts) + 1))]
        return [
            _write(path.with_name(name), archive.file_of(lines))
            for name, lines in zip(names, parts, strict=True)
        ]

    def _markdown(self, conversation: int) -> str:
        """With the texts of attached files, which Markdown has no other place for."""
        names = {"user": self.tr("You"), "assistant": self.tr("Answer")}
        messages = [
            replace(message, content=with_documents(message.content, message.attachments_json))
            for message in self._history.messages(conversation)
        ]
        return markdown_file.written(self._title(conversation), messages, names)

    def _title(self, conversation: int) -> str:
        found = self._history.conversation(conversation)
        return found.title if found and found.title else self.tr("Untitled")

    def _kinds(self) -> list[str]:
        return [self.tr("Markdown, to read (*.md)"), self.tr("JSON, with everything (*.json)")]

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """What can't be read or written is said in words."""
        try:
            yield
        except SlipstreamError as error:
            self._window.board.put(TOPIC, str(error))

    def _say(self, sentence: str) -> None:
        self._window.board.put(TOPIC, sentence, tone="plain")


def _read(path: Path) -> list[archive.ArchivedChat]:
    try:
        if path.stat().st_size > archive.MOST_BYTES:
            raise archive.too_large(path.name)
        data = path.read_bytes()
    except OSError as error:
        unreadable = QCoreApplication.translate(
            "Transfer", "{file} can't be read ({reason}); choose another file."
        )
        raise SlipstreamError(unreadable.format(file=path.name, reason=error.strerror)) from error
    if path.suffix.lower() == ".json":
        return archive.read(data, path.name)
    return [markdown_file.read(data, path.name, time.time())]


def _write(path: Path, data: bytes) -> Path:
    """Whole or not at all."""
    unfinished = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            unfinished.write_bytes(data)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        unwritable = QCoreApplication.translate(
            "Transfer", "{file} could not be written ({reason}); choose another folder."
        )
        raise SlipstreamError(unwritable.format(file=path.name, reason=error.strerror)) from error
    return path


def _folder() -> Path:
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


def _file_name(title: str) -> str:
    """What every system takes as a name."""
    plain = re.sub(r'[\x00-\x1f<>:"/\\|?*]+', " ", title)
    return " ".join(plain.split())[:NAME_CHARS].strip(" .") or "chat"


def _with_suffix(path: Path, suffix: str) -> Path:
    """The chosen kind's, unless the user wrote one of the two."""
    written = path.suffix.lower() in (".md", ".json")
    return path if written else path.with_name(path.name + suffix)


@contextlib.contextmanager
def _waiting() -> Iterator[None]:
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        yield
    finally:
        QGuiApplication.restoreOverrideCursor()
