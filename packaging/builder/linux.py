"""Linux: a .deb for Debian and Ubuntu, and the same program as an archive for everywhere else."""

import os
import shutil
from pathlib import Path

from builder import debian, libraries
from builder.project import NAME, Build, run, source_date, tell

README = """\
Slipstream @VERSION@, the portable archive. Start it by: ./slipstream

It needs a 64-bit Linux with glibc @GLIBC@ or later and the libraries that any desktop has; `./slipstream doctor` names
those that are missing. Menu entry, icons and manual are in share/; to have them, copy that folder to
~/.local/share and put a link to the program into a folder of your PATH:

    cp -r share ~/.local/ && ln -s "$PWD/slipstream" ~/.local/bin/slipstream

To remove Slipstream, delete this folder. Chats and models are in ~/.local/share/slipstream.
"""


def artefacts(build: Build) -> list[Path]:
    deb = f"{NAME}_{build.version}_{debian.architecture()}.deb"
    return [build.out / deb, build.out / f"{_portable(build)}.tar.xz"]


def wrap(build: Build) -> list[Path]:
    """Makes dist/slipstream_VERSION_ARCH.deb and dist/slipstream-VERSION-linux-ARCH.tar.xz."""
    made = deb, archive = artefacts(build)
    build.out.mkdir(parents=True, exist_ok=True)
    os.environ["SOURCE_DATE_EPOCH"] = str(source_date())
    _deb(build, deb)
    _archive(build, archive)
    return list(made)


def unwrap(artefact: Path, folder: Path) -> Path:
    """Unpacks a .deb or an archive, without installing it."""
    if artefact.suffix == ".deb":
        run(("dpkg-deb", "-x", artefact, folder))
        return folder / "usr/bin" / NAME
    run(("tar", "-xf", artefact, "-C", folder))
    return next(folder.glob(f"*/{NAME}"))


def _deb(build: Build, made: Path) -> None:
    tell("Wrapping the .deb")
    root = build.work / "deb"
    debian.stage(build, root)
    run(("dpkg-deb", "--build", "--root-owner-group", "-Zxz", f"-z{_level(build)}", root, made), stdout=-3)


def _archive(build: Build, made: Path) -> None:
    tell("Wrapping the portable archive")
    name = _portable(build)
    root = build.work / "portable" / name
    shutil.rmtree(root.parent, ignore_errors=True)
    shutil.copytree(build.tree, root, copy_function=os.link, symlinks=True)
    debian.desktop(build, root / "share")
    glibc = ".".join(map(str, libraries.NEWEST_GLIBC))
    readme = README.replace("@VERSION@", build.version).replace("@GLIBC@", glibc)
    (root / "README.txt").write_text(readme, encoding="utf-8")
    settled = ("--sort=name", "--owner=0", "--group=0", "--numeric-owner", f"--mtime=@{source_date()}")
    run(
        (
            "tar",
            *settled,
            f"--use-compress-program=xz -{_level(build)} -T0",
            "-cf",
            made,
            "-C",
            root.parent,
            name,
        )
    )


def _portable(build: Build) -> str:
    return f"{NAME}-{build.version}-linux-{os.uname().machine}"


def _level(build: Build) -> int:
    return 0 if build.quick else 6
