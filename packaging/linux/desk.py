"""A screen without a monitor and a hand at its keyboard: Xvfb and xdotool, outside the clean room."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

NUMBER = ":97"
SIZE = (1200, 800)
PATIENCE_S = 300


class Desk:
    """Use as a context manager; programs in the room reach the screen by NUMBER."""

    def __init__(self, pictures: Path) -> None:
        self._pictures = pictures
        pictures.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> "Desk":
        screen = f"{SIZE[0]}x{SIZE[1]}x24"
        self._server = subprocess.Popen(
            ["Xvfb", NUMBER, "-screen", "0", screen, "-nolisten", "tcp", "-ac"], stderr=subprocess.DEVNULL
        )
        wait_until(lambda: Path(f"/tmp/.X11-unix/X{NUMBER[1:]}").exists(), "the screen")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.terminate()
        self._server.wait()

    def hand(self, *words: str) -> str:
        told = subprocess.run(
            ["xdotool", *words],
            env={"DISPLAY": NUMBER, "PATH": "/usr/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        return told.stdout.strip()

    def window(self, title: str) -> str:
        """The number of the first visible window with this title; empty when there is none."""
        return self.hand("search", "--onlyvisible", "--name", title).partition("\n")[0]

    def take_over(self, window: str) -> None:
        """There is no window manager: place the window and give it the keyboard."""
        self.hand("windowmove", window, "0", "0")
        self.hand("windowsize", window, *map(str, SIZE))
        self.hand("windowfocus", window)
        time.sleep(1)

    def click(self, x: int, y: int) -> None:
        self.hand("mousemove", str(x), str(y))
        self.hand("click", "1")

    def write(self, text: str) -> None:
        self.hand("type", "--delay", "20", text)

    def press(self, keys: str) -> None:
        self.hand("key", keys)

    def picture(self, name: str) -> Path:
        file = self._pictures / f"{name}.png"
        file.unlink(missing_ok=True)
        subprocess.run(["import", "-display", NUMBER, "-window", "root", file], check=True)
        return file


def wait_until(condition: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> float:
    """Seconds until `condition()` was true; TimeoutError with `what` was waited for."""
    begun = time.perf_counter()
    while not condition():
        if time.perf_counter() - begun > patience_s:
            raise TimeoutError(f"{what} did not come within {patience_s:.0f} s")
        time.sleep(0.01)
    return time.perf_counter() - begun
