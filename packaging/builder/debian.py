"""The tree of the .deb: the program in /usr/lib/slipstream, and what makes it a citizen of the desktop."""

import gzip
import hashlib
import json
import os
import shutil
from email.utils import formatdate
from pathlib import Path
from time import gmtime, strftime
from typing import Any

from builder import icons, libraries
from builder.project import APP_ID, NAME, PACKAGING, ROOT, SUMMARY, Build, BuildError, source_date

SOURCES = PACKAGING / "linux"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
DESCRIPTION = """\
 Slipstream runs language models on your own processor. A small model or a
 search in the text drafts the next words, the big one checks several of them
 at once, and the answer comes sooner, word for word the same.
 .
 The package brings everything that it needs to run; models are fetched when
 you ask for them. Chats stay on your machine, and nothing is reported."""


def architecture() -> str:
    return {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]


def stage(build: Build, root: Path) -> None:
    """Fills `root` with what will be installed, and root/DEBIAN with the control files."""
    shutil.rmtree(root, ignore_errors=True)
    program = root / "usr/lib" / NAME
    shutil.copytree(build.tree, program, copy_function=os.link, symlinks=True)
    link = root / "usr/bin" / NAME
    link.parent.mkdir(parents=True)
    link.symlink_to(f"../lib/{NAME}/{NAME}")
    desktop(build, root / "usr/share")
    _document(build, root / "usr/share")
    _control(build, root)
    _settle_modes(root)


def desktop(build: Build, share: Path) -> None:
    """Menu entry, import of .gguf files, AppStream metadata and icons, below a `share` folder."""
    for name in (f"{NAME}.desktop", f"{NAME}-import.desktop"):
        _put(share / "applications" / name, filled(name, build))
    _put(share / "metainfo" / f"{APP_ID}.metainfo.xml", filled("metainfo.xml", build))
    _put(share / "mime/packages" / f"{NAME}.xml", filled("mime.xml", build))
    themed = share / "icons/hicolor"
    for size in ICON_SIZES:
        _copy(icons.path(build, size), themed / f"{size}x{size}/apps/{NAME}.png")
    _copy(ROOT / "assets/icon.svg", themed / f"scalable/apps/{NAME}.svg")


def filled(name: str, build: Build) -> str:
    """A file of packaging/linux with version, date and application id put in."""
    text = (SOURCES / name).read_text(encoding="utf-8")
    date = strftime("%Y-%m-%d", gmtime(source_date()))
    return text.replace("@VERSION@", build.version).replace("@DATE@", date).replace("@APP_ID@", APP_ID)


def control(build: Build, depends: list[str], kib: int) -> str:
    """The text of DEBIAN/control; `kib` is what the package takes on the disk."""
    return (
        f"Package: {NAME}\n"
        f"Version: {_version(build)}\n"
        f"Architecture: {architecture()}\n"
        f"Maintainer: {_maintainer()}\n"
        f"Installed-Size: {kib}\n"
        f"Depends: {', '.join(depends)}\n"
        "Section: utils\n"
        "Priority: optional\n"
        f"Description: {SUMMARY[0].lower()}{SUMMARY[1:]}\n"
        f"{DESCRIPTION}\n"
    )


def _version(build: Build) -> str:
    """dpkg sorts a tilde before the end, so that 1.0~rc1 is upgraded to 1.0."""
    rest = build.version.removeprefix(build.release)
    return f"{build.release}~{rest}" if rest and not rest.startswith((".post", "+")) else build.version


def _maintainer() -> str:
    """As Debian's own tools are told; there is no public address of the project yet."""
    name = os.environ.get("DEBFULLNAME", "Slipstream maintainers")
    return f"{name} <{os.environ.get('DEBEMAIL', 'slipstream@localhost.localdomain')}>"


def _document(build: Build, share: Path) -> None:
    folder = share / "doc" / NAME
    _put(folder / "copyright", filled("copyright", build).replace("@PARTS@", _parts(build)))
    when = formatdate(source_date())
    change = f"{NAME} ({_version(build)}) unstable; urgency=medium\n\n  * Version {build.version}.\n\n"
    _press(folder / "changelog.gz", f"{change} -- {_maintainer()}  {when}\n")
    _press(share / "man/man1" / f"{NAME}.1.gz", filled(f"{NAME}.1", build))
    _put(share / "lintian/overrides" / NAME, filled("lintian-overrides", build))


def _parts(build: Build) -> str:
    """A line for every part of the program, out of its bill of materials."""
    bill = next(build.tree.rglob("sbom.cdx.json"), None)
    if bill is None:
        raise BuildError(f"{build.tree} has no sbom.cdx.json; run packaging/build.py without --reuse.")
    parts = json.loads(bill.read_text(encoding="utf-8"))["components"]
    return "\n".join(f"  {part['name']} {part['version']}: {_licence(part)}" for part in parts)


def _licence(part: dict[str, Any]) -> str:
    named = part["licenses"][0]
    return str(named.get("expression") or named["license"].get("id") or named["license"]["name"])


def _control(build: Build, root: Path) -> None:
    files = sorted(file for file in root.rglob("*") if file.is_file() and not file.is_symlink())
    kib = sum(-(-file.stat().st_size // 1024) for file in files)
    depends = libraries.dependencies(libraries.needs(build.tree))
    sums = "".join(f"{_md5(file)}  {file.relative_to(root)}\n" for file in files)
    _put(root / "DEBIAN/control", control(build, depends, kib))
    _put(root / "DEBIAN/md5sums", sums)


def _md5(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "md5").hexdigest()


def _settle_modes(root: Path) -> None:
    """What is run may be run, the rest only read, whatever the umask of the builder was."""
    for path in (root, *root.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == root / "usr/lib" / NAME / NAME else 0o644)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _press(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
