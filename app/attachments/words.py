"""Refusals and sizes in the user's language."""

from PySide6.QtCore import QCoreApplication, QLocale

from app.attachments.document import Document
from app.attachments.refusal import Reason, Refusal
from app.models.sizes import in_words


def sentence(refusal: Refusal) -> str:
    if refusal.reason is Reason.NO_ROOM:
        words = QCoreApplication.translate(
            "Attachments",
            "{name} does not fit: it is {count} token(s) more than this model has room for. "
            "Attach the part that matters.",
            "",
            int(refusal.detail),
        )
        return words.format(name=refusal.name, count=QLocale().toString(int(refusal.detail)))
    return _sentences()[refusal.reason].format(name=refusal.name, detail=refusal.detail)


def facts(document: Document) -> str:
    """Size and tokens; the tokens when they are known."""
    small = QCoreApplication.translate("Attachments", "%n byte(s)", "", document.size)
    size = in_words(document.size) if document.size >= 1000 else small
    if document.tokens is None:
        return size
    count = QLocale().toString(document.tokens)
    tokens = QCoreApplication.translate("Attachments", "{count} token(s)", "", document.tokens)
    return f"{size} · {tokens.format(count=count)}"


def _sentences() -> dict[Reason, str]:
    return {
        Reason.IMAGE: QCoreApplication.translate(
            "Attachments", "{name} is a picture, and the models here read text only."
        ),
        Reason.BINARY: QCoreApplication.translate(
            "Attachments", "{name} is not text. Save it as text, PDF or Word (.docx), and attach that."
        ),
        Reason.FOLDER: QCoreApplication.translate(
            "Attachments", "{name} is a folder. Attach the files in it."
        ),
        Reason.EMPTY: QCoreApplication.translate("Attachments", "{name} is empty."),
        Reason.UNREADABLE: QCoreApplication.translate(
            "Attachments", "{name} can't be read: {detail}. Check that it is there and that you may open it."
        ),
        Reason.DAMAGED: QCoreApplication.translate(
            "Attachments", "{name} is damaged. Save it anew in its own program, and attach that."
        ),
        Reason.PASSWORD: QCoreApplication.translate(
            "Attachments", "{name} is protected by a password. Save a copy without one, and attach that."
        ),
        Reason.SCANNED: QCoreApplication.translate(
            "Attachments", "{name} holds pictures of pages but no text. Run text recognition on it first."
        ),
        Reason.TOO_LARGE: QCoreApplication.translate(
            "Attachments", "{name} is larger than any model can read. Attach the part that matters."
        ),
        Reason.TOO_SLOW: QCoreApplication.translate(
            "Attachments", "{name} took too long to read. Attach it as plain text."
        ),
        Reason.TOO_COMPLEX: QCoreApplication.translate(
            "Attachments", "{name} takes too much memory to read. Attach it as plain text."
        ),
    }
