"""pip's own index and certificates, so that a machine on which pip works needs no second configuration."""

import configparser
import contextlib
import os
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx

_PYPI = "https://pypi.org/simple"
_INDEX_VARIABLES = ("SLIPSTREAM_INDEX_URL", "PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL")
_BUNDLE_VARIABLES = ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


def index_url() -> str:
    """The package index without a trailing slash: SLIPSTREAM_INDEX_URL, pip's or uv's settings, else PyPI."""
    named = (os.environ.get(variable) for variable in _INDEX_VARIABLES)
    url = next((value for value in named if value), None) or pip_setting("index-url") or _PYPI
    return url.rstrip("/")


def ssl_context() -> ssl.SSLContext:
    """Trusts the system's store and certifi's, or only the bundle that pip's usual variables name."""
    for bundle in _bundles():
        if Path(bundle).is_file():
            with contextlib.suppress(OSError):  # SSLError, for a file without certificates, is one
                return ssl.create_default_context(cafile=bundle)
    context = httpx.create_ssl_context(trust_env=False)  # certifi's
    context.load_default_certs()
    return context


def pip_setting(key: str) -> str | None:
    """`global.<key>` of pip's configuration files: the most specific one that is readable and has it."""
    found = None
    for path in _pip_files():
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError, OSError):
            continue
        found = parser.get("global", key, fallback=found)
    return found


def _bundles() -> Iterator[str]:
    for variable in _BUNDLE_VARIABLES:
        yield os.environ.get(variable, "")
    yield pip_setting("cert") or ""


def _pip_files() -> Iterator[Path]:
    """From the most general to the most specific: system, user, environment, PIP_CONFIG_FILE."""
    own = os.environ.get("PIP_CONFIG_FILE")
    if own == os.devnull:
        return
    home = Path.home()
    if sys.platform == "win32":
        name = "pip.ini"
        yield Path(os.environ.get("PROGRAMDATA", "C:/ProgramData")) / "pip" / name
        yield home / "pip" / name
        yield Path(os.environ.get("APPDATA", home / "AppData/Roaming")) / "pip" / name
    else:
        name = "pip.conf"
        if sys.platform == "darwin":
            yield Path("/Library/Application Support/pip") / name
            yield home / "Library/Application Support/pip" / name
        for folder in reversed(os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(os.pathsep)):
            yield Path(folder) / "pip" / name
        yield Path("/etc") / name
        yield home / ".pip" / name
        yield Path(os.environ.get("XDG_CONFIG_HOME", home / ".config")) / "pip" / name
    yield Path(sys.prefix) / name
    if own:
        yield Path(own)
