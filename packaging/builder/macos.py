"""macOS: Slipstream.app, which PyInstaller lays out (slipstream.spec), signed, and a disk image to drag it from."""

import os
import plistlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from builder import signing
from builder.project import APP_ID, NAME, PACKAGING, TITLE, Build, BuildError, run, tell

ENTITLEMENTS = PACKAGING / "macos" / "entitlements.plist"
# What the wheels ask for; packaging/wheels/macos.txt has the number, and a test compares.
MINIMUM = "14.0"
MACH_O = (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # one processor's, several processors'


def info_plist(version: str) -> dict[str, object]:
    """Info.plist, which PyInstaller's BUNDLE merges into its own."""
    return {
        "CFBundleIdentifier": APP_ID,
        "CFBundleName": TITLE,
        "CFBundleDisplayName": TITLE,
        "CFBundleExecutable": NAME,
        "CFBundlePackageType": "APPL",
        "CFBundleInfoDictionaryVersion": "6.0",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "CFBundleIconFile": f"{NAME}.icns",
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": MINIMUM,
        "LSArchitecturePriority": ["arm64"],
        "LSBackgroundOnly": False,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "Apache License 2.0",
    }


def app(build: Build) -> Path:
    """The bundle beside `build.tree`."""
    return build.tree.with_name(f"{TITLE}.app")


def artefacts(build: Build) -> list[Path]:
    return [build.out / f"{TITLE}-{build.version}-arm64.dmg"]


def wrap(build: Build) -> list[Path]:
    """Signs the bundle (without an identity: for this machine only), makes the image, and has that notarised."""
    build.out.mkdir(parents=True, exist_ok=True)
    check_bundle(app(build))
    identity = os.environ.get("SLIPSTREAM_SIGN_IDENTITY", "-")
    for command in signing.codesign(app(build), code(app(build)), identity, ENTITLEMENTS):
        run(command)
    (image,) = artefacts(build)
    with tempfile.TemporaryDirectory(dir=build.work) as folder:
        shutil.copytree(app(build), Path(folder) / app(build).name, symlinks=True)
        (Path(folder) / "Applications").symlink_to("/Applications")
        run(image_command(Path(folder), image))
    _notarise(image, identity)
    return [image]


def unwrap(artefact: Path, folder: Path) -> Path | None:
    """Takes the bundle out of the image and returns the program in it; None where this is no Mac."""
    if sys.platform != "darwin":
        return None
    mount = folder / "image"
    run(("hdiutil", "attach", "-nobrowse", "-readonly", "-mountpoint", mount, artefact))
    try:
        shutil.copytree(mount / f"{TITLE}.app", folder / f"{TITLE}.app", symlinks=True)
    finally:
        run(("hdiutil", "detach", mount))
    return folder / f"{TITLE}.app" / "Contents" / "MacOS" / NAME


def image_command(folder: Path, image: Path) -> signing.Command:
    """ULFO: compressed by lzfse, which every macOS in question reads."""
    named = ("-volname", TITLE, "-fs", "HFS+", "-format", "ULFO")
    return ("hdiutil", "create", "-ov", *named, "-srcfolder", str(folder), str(image))


def code(bundle: Path) -> Iterator[Path]:
    """Everything in the bundle that carries a signature of its own, the deepest first; the program itself is last."""
    files = (file for file in bundle.rglob("*") if file.is_file() and not file.is_symlink())
    found = [
        file for file in files if _begins(file) in MACH_O and file != bundle / "Contents" / "MacOS" / NAME
    ]
    yield from sorted(found, key=lambda file: (-len(file.parts), file))


def check_bundle(bundle: Path) -> None:
    """Errors: BuildError when something is not where macOS or codesign looks for it."""
    contents = bundle / "Contents"
    plist = plistlib.loads((contents / "Info.plist").read_bytes())
    wrong = [
        key for key in ("CFBundleIdentifier", "CFBundleVersion", "LSMinimumSystemVersion") if key not in plist
    ]
    wrong += [str(path) for path in (contents / "MacOS" / NAME, contents / "Frameworks") if not path.exists()]
    wrong += [] if (contents / "Resources" / plist.get("CFBundleIconFile", "?")).is_file() else ["the icon"]
    wrong += [file.name for file in contents.glob("Resources/**/*") if _is_code(file)]
    if wrong:
        raise BuildError(f"{bundle.name} lacks or misplaces {', '.join(wrong[:5])}.")


def _is_code(file: Path) -> bool:
    return file.is_file() and not file.is_symlink() and _begins(file) in MACH_O


def _begins(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(4)


def _notarise(image: Path, identity: str) -> None:
    profile = os.environ.get("SLIPSTREAM_NOTARY_PROFILE")
    if identity == "-" or not profile:
        tell(
            f"Not notarised (SLIPSTREAM_SIGN_IDENTITY and SLIPSTREAM_NOTARY_PROFILE are not set): {image.name}"
        )
        return
    run(("codesign", "--sign", identity, "--timestamp", str(image)))
    for command in signing.notarise(image, profile):
        run(command)
