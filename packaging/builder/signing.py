"""Signatures and checksums. Keys and passwords come from the environment; without them nothing is signed.

| variable | what it is |
|---|---|
| SLIPSTREAM_SIGN_PFX, SLIPSTREAM_SIGN_PASSWORD | Windows: a code-signing certificate with its key, PKCS #12 |
| SLIPSTREAM_SIGN_TIMESTAMP | Windows: the address of an RFC 3161 time stamp; "none" for a trial |
| SLIPSTREAM_SIGN_IDENTITY | macOS: "Developer ID Application: ..." in the keychain |
| SLIPSTREAM_NOTARY_PROFILE | macOS: what `xcrun notarytool store-credentials` was told |
| SLIPSTREAM_GPG_KEY | the key that signs SHA256SUMS-SYSTEM, and by it every artefact |
"""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from builder.project import Build, BuildError, run, tell

TIMESTAMP = "http://timestamp.digicert.com"
Command = tuple[str, ...]


def has_certificate() -> bool:
    return bool(os.environ.get("SLIPSTREAM_SIGN_PFX"))


def authenticode(files: Sequence[Path]) -> None:
    """Signs Windows programs in place: by osslsigncode, or by Windows' own signtool where that is missing."""
    if not has_certificate():
        tell(f"Not signed (SLIPSTREAM_SIGN_PFX is not set): {', '.join(file.name for file in files)}")
        return
    certificate = os.environ["SLIPSTREAM_SIGN_PFX"]
    stamp = os.environ.get("SLIPSTREAM_SIGN_TIMESTAMP", TIMESTAMP)
    password = os.environ.get("SLIPSTREAM_SIGN_PASSWORD", "")
    if shutil.which("osslsigncode"):
        for file in files:
            _osslsigncode(file, certificate, password, stamp)
    else:
        run(signtool(files, certificate, password, stamp), secret=password)


def signtool(files: Sequence[Path], certificate: str, password: str, stamp: str) -> Command:
    """The password is among the words, since signtool takes it from nowhere else; `run` must not show them."""
    stamped = () if stamp == "none" else ("/tr", stamp, "/td", "SHA256")
    return (
        *(_signtool(), "sign", "/q", "/fd", "SHA256", "/f", certificate, "/p", password, *stamped),
        *map(str, files),
    )


def _signtool() -> str:
    """The newest one of the Windows kits, which do not add it to PATH."""
    kits = Path("C:/Program Files (x86)/Windows Kits/10/bin")
    return shutil.which("signtool") or str(max(kits.glob("10.*/x64/signtool.exe"), default="signtool"))


def _osslsigncode(file: Path, certificate: str, password: str, stamp: str) -> None:
    """The password goes through a file, where no other user's `ps` shows it."""
    with tempfile.TemporaryDirectory(prefix="slipstream-sign-") as folder:
        secret, signed = Path(folder) / "password", Path(folder) / file.name
        secret.write_text(password, encoding="utf-8")
        stamped = () if stamp == "none" else ("-ts", stamp)
        named = ("-n", "Slipstream", "-h", "sha256", "-in", str(file), "-out", str(signed))
        run(("osslsigncode", "sign", "-pkcs12", certificate, "-readpass", str(secret), *stamped, *named))
        shutil.copyfile(signed, file)


def codesign(bundle: Path, inside: Iterable[Path], identity: str, entitlements: Path) -> list[Command]:
    """The commands that sign a bundle from the inside out, as notarising asks for: every library, then the whole."""
    stamp = "--timestamp=none" if identity == "-" else "--timestamp"
    base = ("codesign", "--force", "--options", "runtime", "--sign", identity, stamp)
    commands: list[Command] = [(*base, str(file)) for file in inside]
    commands.append((*base, "--entitlements", str(entitlements), str(bundle)))
    commands.append(("codesign", "--verify", "--deep", "--strict", str(bundle)))
    return commands


def notarise(image: Path, profile: str) -> list[Command]:
    """The commands that have Apple look at a signed disk image, and staple its answer to it."""
    return [
        ("xcrun", "notarytool", "submit", str(image), "--keychain-profile", profile, "--wait"),
        ("xcrun", "stapler", "staple", str(image)),
        ("spctl", "--assess", "--type", "open", "--context", "context:primary-signature", str(image)),
    ]


def sums(build: Build) -> tuple[Path, Path]:
    """Where the checksums and their signature lie; named after the system, so that three builds fit one folder."""
    file = build.out / f"SHA256SUMS-{build.system}"
    return file, file.with_name(f"{file.name}.asc")


def publish(files: Sequence[Path], build: Build) -> list[Path]:
    """Brings into build.out what does not lie there yet, and adds the checksums. Returns what was added."""
    strangers = [file for file in files if file.parent != build.out]
    brought = [Path(shutil.copy2(file, build.out)) for file in strangers]
    return [*brought, *checksums([build.out / file.name for file in files], build)]


def checksums(files: Iterable[Path], build: Build) -> list[Path]:
    """Those of files in build.out, as `sha256sum -c` reads them, and a signature if there is a key."""
    listed, signature = sums(build)
    lines = [f"{digest(file)}  {file.relative_to(build.out).as_posix()}\n" for file in sorted(files)]
    listed.write_text("".join(lines), encoding="utf-8", newline="\n")
    return [listed, *_gpg(listed, signature)]


def digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _gpg(file: Path, signature: Path) -> list[Path]:
    key = os.environ.get("SLIPSTREAM_GPG_KEY")
    if not key:
        tell(f"Not signed (SLIPSTREAM_GPG_KEY is not set): {file.name}")
        return []
    if not shutil.which("gpg"):
        raise BuildError("gpg is not installed.")
    words = ("--batch", "--yes", "--local-user", key, "--armor", "--output", signature)
    run(("gpg", *words, "--detach-sign", file))
    return [signature]


if __name__ == "__main__":  # NSIS calls this for the uninstaller
    authenticode([Path(word) for word in sys.argv[1:]])
