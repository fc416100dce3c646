"""Makes the key and the signed notice that Help > Check for updates reads. Run by whoever publishes, with .venv.

    .venv/bin/python packaging/update_notice.py new-key ~/slipstream-release.key
    .venv/bin/python packaging/update_notice.py sign ~/slipstream-release.key --version 0.2.0 \\
        --notes notes.txt --page https://example.org/slipstream --out dist/update.json
"""

import argparse
import base64
import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nacl.signing import SigningKey

from builder.project import ROOT, BuildError, tell
from engine import update
from engine.errors import SlipstreamError
from engine.update import CONTEXT, LARGEST_NOTICE, Release, verified


def new_key(path: Path) -> str:
    """Writes a private key that only its owner can read; returns the public key for engine/update.py."""
    if ROOT in path.resolve().parents:
        raise BuildError("The private key must not lie in the repository.")
    key = SigningKey.generate()
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise BuildError(f"{path} is there already and is not overwritten.") from error
    with os.fdopen(file, "wb") as out:
        out.write(base64.b64encode(key.encode()) + b"\n")
    return _public(key)


def signed(release: Release, key_file: Path) -> bytes:
    """The notice as it is published; read back by the program's own code before it is returned."""
    key = SigningKey(base64.b64decode(key_file.read_bytes()))
    if update.PUBLIC_KEY and _public(key) != update.PUBLIC_KEY:
        raise BuildError(
            f"{key_file} is not the key that the program believes: engine/update.py has another."
        )
    text = release.text()
    signature = key.sign(CONTEXT + text.encode()).signature
    body = json.dumps({"notice": text, "signature": base64.b64encode(signature).decode()}).encode()
    if len(body) > LARGEST_NOTICE or verified(body, _public(key)) != release:
        raise BuildError(f"The notice is too long: at most {LARGEST_NOTICE} bytes in all.")
    return body


def _public(key: SigningKey) -> str:
    return base64.b64encode(key.verify_key.encode()).decode()


def _sign(options: argparse.Namespace) -> None:
    if options.days < 0:
        raise BuildError("--days must not be negative: nobody would believe the notice.")
    today = datetime.now(UTC).date()
    notes = options.notes.read_text(encoding="utf-8")
    release = Release(options.version, notes, options.page, today, today + timedelta(days=options.days))
    options.out.write_bytes(signed(release, options.key))
    tell(f"{options.out}, valid until {release.expires}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("new-key").add_argument("key", type=Path)
    sign = actions.add_parser("sign")
    sign.add_argument("key", type=Path)
    sign.add_argument("--version", required=True)
    sign.add_argument("--notes", type=Path, required=True, help="plain text")
    sign.add_argument("--page", required=True, help="where to get it; https")
    sign.add_argument("--days", type=int, default=180, help="how long the notice is believed (default: 180)")
    sign.add_argument("--out", type=Path, required=True)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    options = _parse(arguments)
    try:
        if options.action == "new-key":
            tell(f'In engine/update.py: PUBLIC_KEY = "{new_key(options.key)}"')
        else:
            _sign(options)
    except (BuildError, SlipstreamError, ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
