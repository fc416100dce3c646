"""Signatures by throwaway keys that each test makes; macOS' commands as data, since they run there only."""

import shutil
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from builder import signing, windows
from builder.project import ROOT, Build, BuildError, run

needs_osslsigncode = pytest.mark.skipif(not shutil.which("osslsigncode"), reason="needs osslsigncode")
needs_gpg = pytest.mark.skipif(not shutil.which("gpg"), reason="needs gpg")
needs_makensis = pytest.mark.skipif(not shutil.which("makensis"), reason="needs makensis (Debian: nsis)")


def told(*words: str | Path) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """GIVEN a certificate of the test's own; returns its PEM file."""
    key, pem, pfx = (tmp_path / name for name in ("key.pem", "certificate.pem", "certificate.pfx"))
    about = ("-subj", "/CN=Slipstream test", "-addext", "extendedKeyUsage=codeSigning", "-days", "2")
    told("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", pem, *about)
    told("openssl", "pkcs12", "-export", "-inkey", key, "-in", pem, "-out", pfx, "-passout", "pass:a b'c")
    monkeypatch.setenv("SLIPSTREAM_SIGN_PFX", str(pfx))
    monkeypatch.setenv("SLIPSTREAM_SIGN_PASSWORD", "a b'c")
    monkeypatch.setenv("SLIPSTREAM_SIGN_TIMESTAMP", "none")
    return pem


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """GIVEN a frozen program for Windows: two copies of the smallest one that is at hand, NSIS's own stub."""
    build = Build("windows", "1.2.3", tmp_path / "build", tmp_path / "dist")
    build.tree.mkdir(parents=True)
    icon = next(Path("/usr/share/nsis/Contrib/Graphics/Icons").glob("orange-install.ico"))
    (build.work / "icons").mkdir()
    shutil.copyfile(icon, build.work / "icons" / "slipstream.ico")
    for name in ("slipstream.exe", "slipstreamw.exe"):
        shutil.copyfile("/usr/share/nsis/Stubs/zlib-x86-unicode", build.tree / name)
    return build


def is_signed(program: Path, certificate: Path) -> bool:
    done = subprocess.run(
        ["osslsigncode", "verify", "-CAfile", certificate, "-TSA-CAfile", certificate, "-in", program],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0 and "Signature verification: ok" in done.stdout


@needs_osslsigncode
@needs_makensis
def test_setup_and_the_programs_in_it_are_signed(
    build: Build, certificate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (setup,) = windows.wrap(build)

    assert capfd.readouterr().out.count("Succeeded") == 4  # two programs, the uninstaller, setup

    assert setup.name == "Slipstream-1.2.3-setup.exe"
    for program in (build.tree / "slipstream.exe", build.tree / "slipstreamw.exe", setup):
        assert is_signed(program, certificate), program


@needs_osslsigncode
@needs_makensis
def test_a_changed_setup_is_not_signed_any_more(build: Build, certificate: Path) -> None:
    (setup,) = windows.wrap(build)
    data = bytearray(setup.read_bytes())
    data[len(data) // 2] ^= 1
    setup.write_bytes(data)

    assert not is_signed(setup, certificate)


@needs_osslsigncode
@needs_makensis
def test_a_wrong_password_stops_the_build(
    build: Build, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLIPSTREAM_SIGN_PASSWORD", "wrong")

    with pytest.raises(BuildError, match="osslsigncode"):
        signing.authenticode([build.program])


def test_without_a_certificate_nothing_changes_and_the_build_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SLIPSTREAM_SIGN_PFX", raising=False)
    program = tmp_path / "slipstream.exe"
    program.write_bytes(b"MZ")
    signing.authenticode([program])

    assert program.read_bytes() == b"MZ"
    assert "Not signed" in capsys.readouterr().out


def test_signtool_is_told_the_same() -> None:
    command = signing.signtool([Path("a.exe")], "c.pfx", "secret", "http://stamp")

    assert command[:3] == ("signtool", "sign", "/q")
    assert command[-1] == "a.exe"
    for pair in (("/f", "c.pfx"), ("/fd", "SHA256"), ("/tr", "http://stamp"), ("/td", "SHA256")):
        assert command[command.index(pair[0]) + 1] == pair[1]


def test_a_failing_command_does_not_tell_the_password(tmp_path: Path) -> None:
    """GIVEN signtool's way, the password among the words."""
    with pytest.raises(BuildError) as failed:
        run((sys.executable, "-c", "raise SystemExit(3)", "/p", "secret"), secret="secret")

    assert str(failed.value).endswith("/p *** ended with 3.")
    assert "CalledProcessError" not in "".join(
        traceback.format_exception(failed.value)
    )  # it names every word


def test_a_bundle_is_signed_from_the_inside_out() -> None:
    app, library = Path("Slipstream.app"), Path("Slipstream.app/Contents/Frameworks/a.dylib")
    inner, whole, verified = signing.codesign(app, [library], "Developer ID", Path("e.plist"))

    assert inner[-1] == str(library)
    assert "--entitlements" not in inner
    assert whole[-1] == str(app)
    assert whole[whole.index("--entitlements") + 1] == "e.plist"
    for command in (inner, whole):
        assert command[command.index("--options") + 1] == "runtime"  # notarising asks for both
        assert "--timestamp" in command
    assert "--verify" in verified


def test_an_ad_hoc_signature_asks_no_time_stamp() -> None:
    commands = signing.codesign(Path("a.app"), [], "-", Path("e.plist"))

    assert "--timestamp=none" in commands[0]


def test_a_notarised_image_gets_its_ticket() -> None:
    submit, staple, assess = signing.notarise(Path("a.dmg"), "profile")

    assert submit[-2:] == ("profile", "--wait")
    assert staple == ("xcrun", "stapler", "staple", "a.dmg")
    assert assess[0] == "spctl"


def test_checksums_are_what_sha256sum_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLIPSTREAM_GPG_KEY", raising=False)
    files = [tmp_path / "b.deb", tmp_path / "a.tar.xz"]
    for file in files:
        file.write_bytes(file.name.encode())
    (sums,) = signing.checksums(files, Build("linux", "1", tmp_path, tmp_path))

    assert (
        subprocess.run(["sha256sum", "--check", "--strict", sums], cwd=tmp_path, check=False).returncode == 0
    )
    files[0].write_bytes(b"changed")
    assert (
        subprocess.run(["sha256sum", "--check", "--strict", sums], cwd=tmp_path, check=False).returncode == 1
    )


def test_what_is_published_lies_in_one_folder(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "dist", tmp_path / "build"
    for folder in (out, elsewhere):
        folder.mkdir()
    (out / "a.deb").write_bytes(b"a")
    (elsewhere / "bill.json").write_bytes(b"b")
    build = Build("linux", "1", elsewhere, out)
    added = signing.publish([out / "a.deb", elsewhere / "bill.json"], build)

    assert [file.name for file in added] == ["bill.json", "SHA256SUMS-linux"]
    assert (out / "SHA256SUMS-linux").read_text(encoding="utf-8").count("\n") == 2


@needs_gpg
def test_the_checksums_are_signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = Path(f"/tmp/{tmp_path.parent.name}-{tmp_path.name}"[:60])  # an agent's socket needs a short path
    keys.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(keys))
    try:
        made = ("--batch", "--pinentry-mode", "loopback", "--passphrase", "", "--quick-gen-key")
        told("gpg", *made, "Slipstream test <test@example.org>", "ed25519", "sign", "1d")
        monkeypatch.setenv("SLIPSTREAM_GPG_KEY", "test@example.org")
        (tmp_path / "a").write_bytes(b"a")
        sums, signature = signing.checksums([tmp_path / "a"], Build("linux", "1", tmp_path, tmp_path))

        assert "Good signature" in told("gpg", "--verify", signature, sums)
    finally:
        told("gpgconf", "--kill", "all")
        shutil.rmtree(keys)


def test_no_key_lies_in_the_repository() -> None:
    tracked = told("git", "-C", ROOT, "ls-files").splitlines()

    assert [name for name in tracked if Path(name).suffix in (".pfx", ".p12", ".pem", ".key", ".p8")] == []
