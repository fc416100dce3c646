"""Standard streams that are closed, full or of another encoding: run as a child, with a fake store and engine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a POSIX shell and /dev/full")

ROOT = Path(__file__).parent.parent
PROGRAM = """
import sys
from app import cli
from engine.events import Progress
from tests.test_cli import FakeEngine, FakeStore
engine = FakeEngine()
def load(_store, _pair, progress):
    progress(Progress("loading", 1, 100))
    return engine
cli.open_store, cli.load_engine = FakeStore, load
code = cli.main(sys.argv[1:])
if engine.requests:
    assert engine.requests[0].messages[-1].content in ("Hello", "Gr\u00fc\u00dfe"), engine.requests
sys.exit(code)
"""


def run(redirections: str, *arguments: str, text: bytes = b"", **environment: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    told = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirections}', "sh", sys.executable, "-c", PROGRAM, *arguments],
        cwd=ROOT,
        input=text,
        capture_output=True,
        env=os.environ | environment,
        check=False,
    )
    return told.returncode, told.stdout.decode(), told.stderr.decode()


@pytest.mark.parametrize("redirections", ["2>&-", "2>/dev/full"])
def test_an_answer_needs_no_standard_error(redirections: str) -> None:
    assert run(redirections, "ask", "Hello", "--stats") == (0, "Grüße, Welt\n", "")


def test_a_sentence_never_goes_to_standard_output() -> None:
    assert run("2>&-", "ask", "Hello", "--pair", "nobody") == (1, "", "")


def test_a_closed_standard_input_is_empty() -> None:
    code, out, err = run("<&-", "ask", "-")
    assert (code, out) == (2, "")
    assert err.startswith("The question is empty")


@pytest.mark.parametrize(
    "arguments", [("ask", "Hello"), ("ask", "Hello", "--json"), ("models", "list"), ("--version",)]
)
def test_a_full_standard_output_is_a_sentence(arguments: tuple[str, ...]) -> None:
    code, _, err = run(">/dev/full", *arguments)
    assert code == 1
    assert err.splitlines()[-1] == "The output can't be written: No space left on device."
    assert "Traceback" not in err


def test_a_closed_standard_output_is_a_sentence() -> None:
    code, _, err = run(">&-", "ask", "Hello")
    assert code == 1
    assert err.startswith("Standard output is closed")


def test_text_is_utf8_whatever_the_locale() -> None:
    latin = {"PYTHONIOENCODING": "latin-1"}
    code, out, _ = run("", "ask", "-", text="Grüße".encode(), **latin)
    assert (code, out) == (0, "Grüße, Welt\n")


def test_input_that_is_not_utf8_is_refused_whatever_the_locale() -> None:
    code, _, err = run("", "ask", "-", text=b"\xff", PYTHONIOENCODING="latin-1")
    assert code == 2
    assert "not UTF-8" in err


def test_ctrl_c_while_the_program_is_imported_prints_no_traceback() -> None:
    program = """
import runpy, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "app.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
runpy.run_module("app", run_name="__main__")
"""
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False)
    assert (told.returncode, told.stderr) == (130, b"")
