"""A second start, and what is left of a crash."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app import application, first_window
from app.commands import doctor as doctor_command
from app.commands import window as window_command
from app.crash_report import FOLDER, MOST_REPORTS, RUNNING, CrashWatch, reports
from app.first_window import REQUEST, TOKEN, FirstWindow, ask_to_show
from app.history.store import HistoryStore
from engine.errors import SlipstreamError
from engine.models import paths
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

# The offscreen platform says these of every window that is raised or has a fixed height.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints|does not support raise", extend=True)
ROOT = Path(__file__).parent.parent


@pytest.fixture
def first(qtbot: QtBot, tmp_path: Path) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    FirstWindow(tmp_path, window)
    return window


def test_a_second_start_shows_the_first_window(qtbot: QtBot, first: QWidget, tmp_path: Path) -> None:
    first.showMinimized()
    told: list[bool] = []
    second = threading.Thread(target=lambda: told.append(ask_to_show(tmp_path)))
    second.start()
    qtbot.waitUntil(lambda: bool(told))
    second.join()

    assert told == [True]
    assert first.isVisible()
    assert not first.isMinimized()
    assert not (tmp_path / REQUEST).exists()


def test_the_desktops_permission_to_come_forward_is_passed_on(
    qtbot: QtBot, first: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN, "")
    (tmp_path / "written-elsewhere").write_text("token-7")
    (tmp_path / "written-elsewhere").rename(tmp_path / REQUEST)
    qtbot.waitUntil(first.isVisible)

    assert os.environ[TOKEN] == "token-7"


def test_nobody_there_is_told_and_leaves_no_request(tmp_path: Path) -> None:
    assert ask_to_show(tmp_path, patience_s=0) is False
    assert not (tmp_path / REQUEST).exists()
    assert ask_to_show(tmp_path / "gone", patience_s=0) is False


def test_a_request_of_an_earlier_start_is_forgotten(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / REQUEST).write_text("")
    window = QWidget()
    qtbot.addWidget(window)
    FirstWindow(tmp_path, window)

    assert not (tmp_path / REQUEST).exists()
    assert not window.isVisible()


@pytest.mark.parametrize("shown", [True, False])
def test_the_window_command_shows_the_first_window_or_says_what_is_wrong(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, shown: bool
) -> None:
    home = paths.home()
    history = HistoryStore(home / "history.sqlite3")  # the first Slipstream
    monkeypatch.setattr(first_window, "ask_to_show", lambda where: shown and where == home)
    try:
        if shown:
            assert window_command.run(FakeStore.with_starter, Workshop()) == 0
        else:
            with pytest.raises(SlipstreamError, match="already running"):
                window_command.run(FakeStore.with_starter, Workshop())
    finally:
        history.close()


def crash(home: Path) -> None:
    """A process that watches, and then reads where nothing is."""
    program = (
        "import faulthandler, pathlib; from app.crash_report import CrashWatch;"
        f"CrashWatch(pathlib.Path({str(home)!r})).begin(); faulthandler._sigsegv()"
    )
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False, capture_output=True)
    assert ended.returncode != 0


def begin_and_end(home: Path) -> str:
    """What the next start says of the run before; a clean run itself."""
    program = (
        "import pathlib; from app.crash_report import CrashWatch;"
        f"watch = CrashWatch(pathlib.Path({str(home)!r})); print(watch.begin() or ''); watch.end()"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return told.stdout.strip()


def test_a_crash_leaves_a_report_that_the_next_start_and_doctor_tell_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    assert doctor_command.crashes() == []
    crash(tmp_path)
    report = Path(begin_and_end(tmp_path))

    assert "Fatal Python error" in report.read_text()
    assert report.read_text().startswith("Slipstream ")
    [check] = doctor_command.crashes()
    assert str(report) in check.detail
    assert begin_and_end(tmp_path) == ""  # told once
    assert not (tmp_path / FOLDER / RUNNING).exists()


def test_a_run_that_was_killed_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / RUNNING).write_text("Slipstream 1.0, Python 3.11\n\n")

    assert begin_and_end(tmp_path) == ""
    assert reports(tmp_path) == []


def test_only_the_latest_reports_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    for day in range(10, 18):
        (folder / f"crash-2020-01-{day}-000000.txt").write_text("old")
    (folder / RUNNING).write_text("Fatal Python error: Aborted")
    newest = begin_and_end(tmp_path)

    assert str(reports(tmp_path)[0]) == newest
    assert len(reports(tmp_path)) == MOST_REPORTS


def test_a_home_that_takes_nothing_is_not_watched(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file where the folder should be")
    watch = CrashWatch(tmp_path)

    assert watch.begin() is None
    watch.end()


def test_the_window_tells_of_the_crash(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop()).ready()
    application.tell_of_crash(desk.window, tmp_path / "crash-1.txt")
    notice = desk.window.board.get("crash")

    assert notice is not None
    assert "crash-1.txt" in notice.sentence
    desk.close()
