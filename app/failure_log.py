"""What went wrong, in one sentence for the user and in full for the log on this machine."""

import contextlib
import traceback
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from engine.errors import SlipstreamError


class FailureLog:
    """Turns an exception into one sentence, and keeps its traceback in a file on this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def sentence(self, error: BaseException) -> str:
        if isinstance(error, SlipstreamError):
            return str(error)
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as log:
                log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')}\n")
                log.writelines(traceback.format_exception(error))
        what = str(error).strip().splitlines()
        cause = what[0][:200] if what else type(error).__name__
        sentence = QCoreApplication.translate(
            "Worker", "Something went wrong inside Slipstream: {cause}; details are in {file}"
        )
        return sentence.format(cause=cause, file=self.path)
