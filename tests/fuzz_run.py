# ruff: noqa: T201
"""Feeds spoilt files to every reader.

    python -m tests.fuzz_run [--cases N] [--seed S] [--only CASE] [READER...]

Run from the repository's root; TMPDIR=/dev/shm makes it faster. Each case must end in success or in a SlipstreamError
of one sentence. Readers run in a child process, since some of them are native: a crash, 5 s of processor time, memory
above twice the file's size and a constant, and files outside the case's folder are findings. A case is made again by
its number. Linux only; not collected by pytest, which has a short run in test_hostile.py.
"""

import argparse
import contextlib
import faulthandler
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from random import Random

import psutil

from engine.errors import SlipstreamError
from tests.fuzz_readers import READERS, Reader, require_sentence

SLOWEST_S = 5.0
_HANG_S = 20.0  # of processor time, after which a case is given up
_LOOKS = 20  # cases after which it is looked for files outside
_WAITS = 40  # times that a case is seen asleep, a second apart: it waits for something that never comes
_ROOM = 3 << 30  # bytes of address space beyond what the child starts with


class Watch:
    """What a case takes: seconds of processor time, and bytes at the peak above what there was before it.

    A system call takes a millisecond in some sandboxes: files stay open, a case's end is the next one's beginning.
    """

    def __init__(self) -> None:
        self._status = os.open("/proc/self/status", os.O_RDONLY)
        self._order = os.open("/proc/self/clear_refs", os.O_WRONLY)
        self._clock, self._resident = 0.0, 0
        self.lap()

    def lap(self) -> tuple[float, int]:
        told = os.pread(self._status, 4096, 0)
        peak, resident = (int(told.partition(key)[2].split()[0]) * 1024 for key in (b"VmHWM:", b"VmRSS:"))
        now = time.process_time()
        taken = now - self._clock, max(0, peak - self._resident)
        self._clock, self._resident = now, resident
        os.write(self._order, b"5")  # the peak counts from here
        return taken


def run_case(reader: Reader, seed: int, number: int, good: Path, folder: Path) -> str:
    """One case in an empty folder; what is wrong about its end, or ""."""
    rng = Random(f"{seed} {reader.name} {number}")
    reader.write(rng, good, folder)
    try:
        reader.read(folder)
    except SlipstreamError as error:
        return _unlike_a_sentence(error)
    except BaseException as error:  # whatever escapes a reader is what is looked for
        return f"{type(error).__name__} at {_place(error)}: {str(error)[:150]!r}"
    return ""


def _size(folder: Path) -> int:
    return sum(Path(place, name).lstat().st_size for place, _, names in os.walk(folder) for name in names)


def _unlike_a_sentence(error: SlipstreamError) -> str:
    try:
        require_sentence(error)
    except AssertionError as reason:
        return f"sentence: {str(reason)[:100]}"
    return ""


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "/engine/" in f.filename] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].name}"


def child(name: str, seed: int, cases: range, good: Path, note: Path) -> None:
    """Findings as JSON lines on standard output, the number of the present case in `note`."""
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    warnings.simplefilter("ignore")
    told, reader = os.fdopen(os.dup(1), "w"), READERS[name]
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # native readers print what they think of a file
    outside, noted = {"case", *_names(good.parent)}, os.open(note, os.O_WRONLY)
    with tempfile.TemporaryDirectory(dir=good.parent) as scratch:
        case, outside = Path(scratch) / "case", outside | {Path(scratch).name}
        run_case(reader, seed, cases.start, good, _emptied(case))  # imports are not a case's cost
        limit = psutil.Process().memory_info().vms + _ROOM
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        worst: dict[str, float] = {"seconds": 0.0, "peak": 0}
        watch = Watch()
        for number in cases:
            os.pwrite(noted, b"%12d" % number, 0)
            problem = run_case(reader, seed, number, good, _emptied(case))
            seconds, peak = watch.lap()
            if seconds > SLOWEST_S:
                problem = problem or "slow"
            if peak > reader.constant and peak > 2 * _size(case) + reader.constant:
                problem = problem or "memory"
            if number % _LOOKS == 0 and (
                strangers := {*_names(Path(scratch)), *_names(good.parent)} - outside
            ):
                problem = f"files outside: {sorted(strangers)[:3]}"
            for key, value in (("seconds", seconds), ("peak", peak)):
                if value > worst[key]:
                    worst[key], worst[f"{key} of"] = value, number
            if problem:
                found = {"number": number, "problem": problem, "seconds": seconds, "peak": peak}
                print(json.dumps(found), file=told, flush=True)
        print(json.dumps({"worst": worst, "done": cases.stop}), file=told, flush=True)


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def _emptied(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            Path(entry.path).unlink()
    return folder


class Campaign:
    """All cases of one reader, in children that are started anew after a crash."""

    def __init__(self, reader: Reader, seed: int, good: Path) -> None:
        self._reader, self._seed, self._good = reader, seed, good
        self.findings: dict[str, list[int]] = {}
        self.worst: dict[str, float] = {"seconds": 0.0, "peak": 0.0}

    def run(self, begin: int, end: int) -> None:
        note = self._good.parent / "note"
        while begin < end:
            last = min(end, begin + 20_000)
            begin = self._batch(begin, last, note)

    def _batch(self, begin: int, end: int, note: Path) -> int:
        """Returns the number to go on with."""
        note.write_text(f"{begin:12}")
        command = [sys.executable, "-m", "tests.fuzz_run", "--child", self._reader.name, str(self._seed)]
        errors = (self._good.parent / "errors").open("wb")
        process = subprocess.Popen(
            [*command, str(begin), str(end), str(self._good), str(note)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        hung = _wait(process, note)
        assert process.stdout is not None
        lines = [json.loads(line) for line in process.stdout.read().splitlines()]
        for line in lines:
            self._take(line)
        if process.returncode == 0:
            return end
        errors.close()
        number = int(note.read_text())
        words = (self._good.parent / "errors").read_text(errors="replace")
        self._add("hang" if hung else f"crash ({process.returncode})", number)
        print(f"    case {number}: {words[-1500:]}")
        return number + 1

    def _take(self, line: dict[str, object]) -> None:
        if "worst" in line:
            for key in ("seconds", "peak"):
                if line["worst"][key] > self.worst[key]:
                    self.worst[key] = line["worst"][key]
                    self.worst[f"{key} of"] = line["worst"][f"{key} of"]
            return
        self._add(line["problem"], line["number"])
        if line["problem"] in ("slow", "memory"):
            print(f"    {line}")

    def _add(self, problem: str, number: int) -> None:
        self.findings.setdefault(problem, []).append(number)


def _wait(process: subprocess.Popen[str], note: Path) -> bool:
    """Until the child ends; whether it had to be ended because a case took too long."""
    present, since, idle = "", 0.0, 0
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1.0)
            return False
        with contextlib.suppress(psutil.Error, OSError):
            child = psutil.Process(process.pid)
            used, now = sum(child.cpu_times()[:2]), note.read_text()
            if now != present:
                present, since, idle = now, used, 0
            idle += child.status() == psutil.STATUS_SLEEPING
            if used - since > _HANG_S or idle > _WAITS:
                process.send_signal(signal.SIGUSR1)
                time.sleep(0.5)
                process.kill()
                process.wait()
                return True


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        name, seed, begin, end, good, note = sys.argv[2:]
        return child(name, int(seed), range(int(begin), int(end)), Path(good), Path(note))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("readers", nargs="*", metavar="READER", help=", ".join(READERS))
    parser.add_argument("--cases", type=int, default=1000, help="of each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="this case alone, in this process, with its traceback")
    given = parser.parse_args()
    for name in given.readers or READERS:
        with tempfile.TemporaryDirectory(prefix="slipstream-fuzz-") as folder:
            good = Path(folder) / "good"
            good.mkdir()
            if given.only is None:
                _campaign(READERS[name], given.seed, given.cases, good)
            else:
                READERS[name].write(
                    Random(f"{given.seed} {name} {given.only}"), good, _emptied(Path(folder) / "case")
                )
                READERS[name].read(Path(folder) / "case")
    return None


def _campaign(reader: Reader, seed: int, cases: int, good: Path) -> None:
    start = time.monotonic()
    campaign = Campaign(reader, seed, good)
    campaign.run(0, cases)
    took, worst = time.monotonic() - start, campaign.worst
    print(
        f"{reader.name}: {cases} cases, {cases / took:.0f} a second; slowest {worst['seconds']:.2f} s "
        f"(case {worst.get('seconds of')}), most memory {worst['peak'] / 1e6:.0f} MB (case {worst.get('peak of')}), "
        f"{len(campaign.findings)} findings",
        flush=True,
    )
    for problem, numbers in sorted(campaign.findings.items(), key=lambda found: -len(found[1])):
        print(f"    {len(numbers)} x {problem}  cases {numbers[:3]}", flush=True)


if __name__ == "__main__":
    main()
