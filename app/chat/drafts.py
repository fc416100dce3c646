"""What was being written in each conversation, kept over a restart."""

from collections.abc import Collection

from PySide6.QtCore import QSettings

GROUP = "drafts"
NEW = "new"  # of the conversation that does not exist yet


class Drafts:
    def __init__(self, settings: QSettings | None = None) -> None:
        """Without `settings` they are kept as long as the program runs."""
        self._settings = settings
        self._texts: dict[str, str] = {}
        if settings is not None:
            settings.beginGroup(GROUP)
            self._texts = {key: str(settings.value(key)) for key in settings.childKeys()}
            settings.endGroup()

    def of(self, conversation: int | None) -> str:
        return self._texts.get(_key(conversation), "")

    def keep(self, conversation: int | None, text: str) -> None:
        if text != self.of(conversation):
            self._put(_key(conversation), text)

    def keep_only(self, conversations: Collection[int]) -> None:
        """Forgets those of conversations that are gone."""
        known = {_key(None), *map(_key, conversations)}
        for key in [key for key in self._texts if key not in known]:
            self._put(key, "")

    def _put(self, key: str, text: str) -> None:
        if text:
            self._texts[key] = text
        else:
            self._texts.pop(key, None)
        if self._settings is None:
            return
        if text:
            self._settings.setValue(f"{GROUP}/{key}", text)
        else:
            self._settings.remove(f"{GROUP}/{key}")


def _key(conversation: int | None) -> str:
    return NEW if conversation is None else str(conversation)
