"""Proves a .deb on a clean Debian: `sudo python packaging/linux/verify.py dist/slipstream_VERSION_amd64.deb`.

Lints it; installs an older build of it by apt into a chroot that has no Python; runs doctor, fetch, --smoke, ask and
bench there; chats in a real window under Xvfb; upgrades; purges, and looks for what is left. Needs the tools in TOOLS
(mmdebstrap, lintian, desktop-file-utils, appstream, xvfb, xdotool, imagemagick) and the network.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from clean_room import BUNDLE, HOME, USER, CleanRoom, enter_namespace
from desk import NUMBER, Desk, wait_until

ROOT = Path(__file__).resolve().parents[2]
TOOLS = (
    "mmdebstrap",
    "unshare",
    "lintian",
    "desktop-file-validate",
    "appstreamcli",
    "Xvfb",
    "xdotool",
    "import",
)
DATA = HOME / ".local/share/slipstream"
OLDER = "0.0.1"
QUESTION = "What is the capital of France?"
# The address of the maintainers is not public yet; packaging/README.md says more.
KNOWN_TAGS = {"bogus-mail-host", "bogus-mail-host-in-debian-changelog"}
LINTIAN_ENDED = (0, 2)  # without and with tags that it calls errors; anything else is its own failure
OFF_SEGMENT = (563, 41)  # of the switch, in a window of desk.SIZE: picture 1 shows it


def main() -> int:
    options = _parse()
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing or os.geteuid() != 0:
        sys.stderr.write(f"Run this as root, with these installed: {', '.join(missing or TOOLS)}.\n")
        return 2
    enter_namespace()
    work = options.work.absolute()
    if not options.no_lint:
        lint(options.deb, work)
    room = CleanRoom(work / "room", work / f"{options.suite}.tar", options.suite)
    try:
        live_through(room, options.deb, work, options.starter)
    finally:
        shutil.rmtree(work / "older", ignore_errors=True)
    told(f"all passed on {options.suite}")
    return 0


def live_through(room: CleanRoom, deb: Path, work: Path, starter: Path | None) -> None:
    """A package's life: installed, used, upgraded, used, removed."""
    room.apt("update")
    room.apt("install", "shared-mime-info", "desktop-file-utils", "hicolor-icon-theme")
    check("no Python in the room", not list(room.path("usr/bin").glob("python*")))
    before = room.files()
    install(room, older_build(deb, work))
    use_terminal(room, starter)
    with Desk(work / "pictures") as desk:
        chat(room, desk)
        upgrade(room, deb)
        look_again(room, desk)
    purge(room, before)


def lint(deb: Path, work: Path) -> None:
    """lintian, desktop-file-validate, appstreamcli and man; only KNOWN_TAGS may be left."""
    tree = work / "linted"
    shutil.rmtree(tree, ignore_errors=True)
    tree.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["dpkg-deb", "-x", deb, tree], check=True)
    share = tree / "usr/share"
    subprocess.run(["desktop-file-validate", *sorted(share.glob("applications/*.desktop"))], check=True)
    metainfo = sorted(share.glob("metainfo/*.xml"))
    subprocess.run(["appstreamcli", "validate", "--no-net", "--pedantic", *metainfo], check=True)
    told("desktop files and AppStream metadata are clean")
    command = ["lintian", "--allow-root", "--pedantic", "--tag-display-limit", "0", deb]
    judge(subprocess.run(command, capture_output=True, text=True, check=False))
    shutil.rmtree(tree)


def judge(lintian: "subprocess.CompletedProcess[str]") -> None:
    check("lintian came to its end", lintian.returncode in LINTIAN_ENDED, lintian.stderr)
    tags = {line.split()[2] for line in lintian.stdout.splitlines() if re.match(r"[EWPX]: ", line)}
    check(
        f"lintian: {len(tags)} tags, {', '.join(sorted(tags)) or 'none'}", tags <= KNOWN_TAGS, lintian.stdout
    )


def older_build(deb: Path, work: Path) -> Path:
    """The same build under an older version, with one file more, which the upgrade must take away."""
    tree = work / "older"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["dpkg-deb", "-R", deb, tree], check=True)
    (tree / "usr/lib/slipstream/_internal/gone-in-the-next-version").touch()
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {OLDER}", control.read_text()))
    made = work / f"slipstream_{OLDER}.deb"
    subprocess.run(["dpkg-deb", "-b", "-Znone", tree, made], check=True, stdout=subprocess.DEVNULL)
    return made


def install(room: CleanRoom, deb: Path) -> None:
    begun = time.perf_counter()
    room.apt("install", room.bring(deb))
    told(f"installed by apt with its dependencies in {time.perf_counter() - begun:.0f} s")
    size = subprocess.run(
        ["du", "-sk", room.path("usr/lib/slipstream")], capture_output=True, text=True, check=True
    )
    told(f"takes {int(size.stdout.split()[0]) / 1024:.0f} MiB in /usr/lib/slipstream")
    check("still no Python in the room", not list(room.path("usr/bin").glob("python*")))
    check("the MIME type is known", room.path("usr/share/mime/application/x-gguf.xml").is_file())
    cache = room.path("usr/share/applications/mimeinfo.cache").read_text()
    check(".gguf files are opened by the import", "application/x-gguf=slipstream-import.desktop" in cache)


def use_terminal(room: CleanRoom, starter: Path | None) -> None:
    """doctor, the starter fetched (or copied from `starter`, a SLIPSTREAM_HOME), --smoke, ask and bench."""
    program = "/usr/bin/slipstream"
    told(room.run(program, "--version", user=USER).strip())
    doctor = json.loads(room.run(program, "doctor", "--json", user=USER))
    check("doctor finds no problem", doctor["ok"], json.dumps(doctor))
    if starter:
        room.run("mkdir", "-p", str(DATA), user=USER)
        shutil.copytree(starter / "models", room.path(DATA / "models"))
        room.run("chown", "-R", f"{USER}:", str(HOME))
    else:
        room.run(program, "models", "fetch", "starter", user=USER, env=_network())
    begun = time.perf_counter()
    room.run(program, "--smoke", user=USER)
    told(f"--smoke ended well in {time.perf_counter() - begun:.1f} s")
    asked = json.loads(room.run(program, "ask", QUESTION, "--max-tokens", "40", "--json", user=USER))
    check(f"ask answers: {asked['text']!r}", "Paris" in asked["text"])
    check("speculation is exact", asked["exact"])
    doctor = json.loads(room.run(program, "doctor", "--json", user=USER))
    check("doctor finds no problem with the starter", doctor["ok"], json.dumps(doctor))
    short = ("--limit", "1", "--max-tokens", "16", "--modes", "plain,ngram", "--json", "/tmp/bench.json")
    room.run(program, "bench", *short, user=USER)
    rows = json.loads(room.path("/tmp/bench.json").read_text())["rows"]
    check("bench gives the same text in both modes", all(row["identical_to_plain"] for row in rows))


def chat(room: CleanRoom, desk: Desk) -> None:
    """Type a question, see the answer, turn speculation off, ask again."""
    for state, forget in (("cold", True), ("warm", False)):
        if forget:
            _forget_cached(room.path("usr/lib/slipstream"))
        seconds, program, window = open_window(room, desk)
        load, own = os.getloadavg()[0], _processor_seconds(program.pid)
        told(
            f"{state} start to window: {seconds:.2f} s, {own:.2f} s of it computing (load average {load:.1f})"
        )
        desk.take_over(window)
        if forget:
            close_window(desk, program, window)
    ask_in_window(room, desk, window, QUESTION, answers=1)
    told(f"picture of the answer: {desk.picture('1-answer')}")
    desk.click(*OFF_SEGMENT)
    ask_in_window(room, desk, window, "Name three rivers.", answers=2)
    told(f"picture with speculation off: {desk.picture('2-speculation-off')}")
    drafted = [json.loads(stats)["drafted"] for stats in _column(room, "stats", "role = 'assistant'")]
    check(f"tokens drafted with speculation on and off: {drafted}", drafted[0] > 0 and drafted[1] == 0)
    close_window(desk, program, window)


def upgrade(room: CleanRoom, deb: Path) -> None:
    chats, models = _column(room, "content"), _hashes(room.path(DATA / "models"))
    room.apt("install", room.bring(deb))
    check("the upgrade took the older build's file away", not list(room.path("usr/lib").rglob("gone-in-*")))
    check(f"the upgrade keeps {len(chats)} messages", _column(room, "content") == chats)
    check(f"the upgrade keeps {len(models)} files of models", _hashes(room.path(DATA / "models")) == models)


def look_again(room: CleanRoom, desk: Desk) -> None:
    _, program, window = open_window(room, desk)
    desk.take_over(window)
    ask_in_window(room, desk, window, "And of Spain?", answers=3)
    told(f"picture after the upgrade: {desk.picture('3-after-upgrade')}")
    close_window(desk, program, window)


def purge(room: CleanRoom, before: set[str]) -> None:
    models = _hashes(room.path(DATA / "models"))
    room.apt("purge", "slipstream")
    named = sorted(path for path in room.files() if "slipstream" in path.lower())
    check(f"purge leaves no file of that name {named}", not named)
    room.apt("autoremove", "--purge")
    left = sorted(room.files() - before)
    check(f"purge and autoremove leave {left or 'nothing'}", not left)
    check(
        "the user's data stay",
        _hashes(room.path(DATA / "models")) == models and bool(_column(room, "content")),
    )


def open_window(room: CleanRoom, desk: Desk) -> tuple[float, subprocess.Popen[bytes], str]:
    """Seconds from the start to a visible window, the process, and the window."""
    command = room.command("/usr/bin/slipstream", user=USER, env={"DISPLAY": NUMBER})
    program = subprocess.Popen(command)
    seconds = wait_until(lambda: desk.window("Slipstream"), "the window")
    return seconds, program, desk.window("Slipstream")


def ask_in_window(room: CleanRoom, desk: Desk, window: str, question: str, answers: int) -> None:
    desk.hand("windowfocus", window)
    desk.press("ctrl+l")
    desk.write(question)
    desk.press("Return")
    finished = "role = 'assistant' AND state = 'complete'"
    wait_until(lambda: len(_column(room, "content", finished)) >= answers, f"answer {answers}")
    answer = _column(room, "content", finished)[-1]
    check(f"the window answers {question!r}: {answer[:60]!r}", bool(answer.strip()))
    time.sleep(1)  # until it is painted


def close_window(desk: Desk, program: "subprocess.Popen[bytes]", window: str) -> None:
    desk.hand("windowfocus", window)
    desk.press("ctrl+q")
    check("the window closes with 0", program.wait(60) == 0)


def check(what: str, passed: bool, details: str = "") -> None:
    if not passed:
        sys.stderr.write(f"FAILED   {what}\n{details}\n")
        sys.exit(1)
    told(what)


def told(what: str) -> None:
    sys.stdout.write(f"ok       {what}\n")
    sys.stdout.flush()


def _column(room: CleanRoom, column: str, condition: str = "1") -> list[str]:
    file = room.path(DATA / "history.sqlite3")
    if not file.is_file():
        return []
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as chats:
        rows = chats.execute(f"SELECT {column} FROM messages WHERE {condition} ORDER BY id").fetchall()
    return [row[0] for row in rows]


def _hashes(folder: Path) -> dict[str, str]:
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix != ".lock")
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _forget_cached(folder: Path) -> None:
    """Takes the files out of the page cache: the next start reads them from the disk."""
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink():
            handle = os.open(file, os.O_RDONLY)
            os.fsync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)


def _processor_seconds(process: int) -> float:
    """What it has used so far; on a busy machine this says more than the clock."""
    numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def _network() -> dict[str, str]:
    """What the machine needs to reach the package index."""
    own = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    return own | {"SSL_CERT_FILE": BUNDLE}


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("deb", type=Path)
    parser.add_argument("--suite", default="bookworm", help="Debian's release (default: bookworm)")
    parser.add_argument("--no-lint", action="store_true", help="leave lintian and its like out")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "verify", help="default: build/verify")
    parser.add_argument(
        "--starter", type=Path, metavar="HOME", help="copy models from here instead of fetching them"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
