"""A clean Debian to install into: made by mmdebstrap, entered by chroot, gone with the mount namespace."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

USER = "alice"
HOME = Path("/home") / USER
MOUNTS = (("proc", "proc"), ("sysfs", "sys"), ("tmpfs", "dev/shm"), ("devpts", "dev/pts"))
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
# What changes with any installation of anything.
VOLATILE = (
    "var/cache/",
    "var/lib/apt/",
    "var/lib/dpkg/",
    "var/log/",
    "tmp/",
    "dev/",
    "proc/",
    "sys/",
    "run/",
)
MARK = "SLIPSTREAM_VERIFY_INSIDE"


def enter_namespace() -> None:
    """Run this program again with mounts and processes of its own, which end with it; needs root."""
    if os.environ.get(MARK):
        return
    own = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
    os.environ[MARK] = "1"
    os.execvp(own[0], [*own, sys.executable, *sys.argv])


class CleanRoom:
    """The chroot in `root`, unpacked from `base`, which mmdebstrap makes if it is not there."""

    def __init__(self, root: Path, base: Path, suite: str) -> None:
        self.root = root
        if not base.is_file():
            base.parent.mkdir(parents=True, exist_ok=True)
            include = "--include=ca-certificates"
            subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", include, suite, base], check=True)
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        subprocess.run(["tar", "-xf", base, "-C", root, "--exclude=./dev/*"], check=True)
        self._mount()
        for name in (
            "/etc/resolv.conf",
            "/etc/hosts",
            BUNDLE,
        ):  # the bundle holds this network's own authority
            if Path(name).is_file():
                shutil.copyfile(name, self.path(name))
        self.run("useradd", "--create-home", "--shell", "/bin/sh", USER)

    def path(self, inside: str | Path) -> Path:
        return self.root / str(inside).lstrip("/")

    def command(self, *words: str, user: str = "root", env: Mapping[str, str] | None = None) -> list[str]:
        """The command line that runs `words` in the room, with nothing of this machine's environment."""
        home = "/root" if user == "root" else str(HOME)
        own = {"HOME": home, "USER": user, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        named = [f"{name}={value}" for name, value in (own | dict(env or {})).items()]
        return ["chroot", f"--userspec={user}:{user}", str(self.root), "env", "-i", *named, *words]

    def run(self, *words: str, user: str = "root", env: Mapping[str, str] | None = None) -> str:
        """Standard output; CalledProcessError when the command fails."""
        told = subprocess.run(
            self.command(*words, user=user, env=env), stdout=subprocess.PIPE, text=True, check=True
        )
        return told.stdout

    def apt(self, *words: str) -> str:
        quiet = ("-qq", "-o", "Dpkg::Use-Pty=0", "-o", "APT::Sandbox::User=root")
        return self.run(
            "apt-get",
            *quiet,
            "-y",
            "--no-install-recommends",
            *words,
            env={"DEBIAN_FRONTEND": "noninteractive"},
        )

    def bring(self, file: Path) -> str:
        """Copies a file into the room and returns its path there."""
        shutil.copyfile(file, self.path(f"/tmp/{file.name}"))
        return f"/tmp/{file.name}"

    def files(self) -> set[str]:
        """Every path but the volatile ones and the user's own."""
        found = (str(path.relative_to(self.root)) for path in _walk(self.root))
        left_out = (*VOLATILE, str(HOME).lstrip("/"))
        return {path for path in found if not path.startswith(left_out)}

    def _mount(self) -> None:
        for kind, place in MOUNTS:
            self.path(place).mkdir(parents=True, exist_ok=True)
            subprocess.run(["mount", "-t", kind, kind, self.path(place)], check=True)
        for name in DEVICES:
            self.path(f"dev/{name}").touch()
            subprocess.run(["mount", "--bind", f"/dev/{name}", self.path(f"dev/{name}")], check=True)


def _walk(folder: Path) -> Iterable[Path]:
    for place, folders, files in os.walk(folder):
        here = Path(place)
        if here == folder:
            folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
        yield from (here / name for name in (*folders, *files))
