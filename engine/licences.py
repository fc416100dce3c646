"""What the program is made of, and under which licences: from the list packed with it, else from what is installed."""

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from engine.models import disk, paths

PROGRAM = "slipstream"
BILL_OF_MATERIALS = "sbom.cdx.json"
_CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
}
# Packages whose metadata names no licence, or several of which one is chosen.
_CHOSEN = {
    "hf-xet": "Apache-2.0",
    "pyside6-essentials": "LGPL-3.0-only",
    "shiboken6": "LGPL-3.0-only",
}
_TEXT_NAMES = ("licen", "copying", "notice", "third-party", "authors")
# Texts that packages refer to but do not bring along. The LGPL is a set of permissions added to the GPL.
_TEXTS_OF = {"LGPL-3.0-only": ("LGPL-3.0-only", "GPL-3.0-only"), "MPL-2.0": ("MPL-2.0",)}
_TEXTS_IF_NONE = {"Apache-2.0": ("Apache-2.0",), "MIT": ("MIT",)}


Texts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the program; `licence` is an SPDX expression, `texts` are (name, text)."""

    name: str
    version: str
    licence: str
    texts: Texts = ()
    inside: tuple["Component", ...] = ()  # what is compiled into it, as far as its makers say


def components() -> list[Component]:
    """Everything inside, sorted by name: of an installer's copy every library, of a checkout the packages."""
    packed = paths.assets_dir() / BILL_OF_MATERIALS
    if packed.is_file():
        return read(packed)
    return sorted([*installed(), *drafters()], key=lambda part: part.name.lower())


def drafters() -> Iterator[Component]:
    """What comes with the program, stores of answers too: their cards tell what went into them, and its licences."""
    from engine.models.catalogue import Catalogue
    from engine.models.shipped import shipped_source

    for entry in Catalogue.load().models.values():
        source = shipped_source(entry)
        card = source.path / "README.md" if source else None
        if card and card.is_file():
            texts = with_standard_texts(entry.licence, (("README.md", _text(card)),))
            yield Component(entry.title, entry.sha256[:12], entry.licence, texts)
        card = paths.assets_dir() / "stores" / entry.name / "README.md"
        if card.is_file():
            texts = with_standard_texts(entry.licence, (("README.md", _text(card)),))
            version = disk.sha256(card.with_name("answers.store"))[:12]
            yield Component(f"Answers of {entry.title}", version, entry.licence, texts)


def read(bill: Path) -> list[Component]:
    """The components of a CycloneDX file that packaging/builder/sbom.py has written."""
    return [_component(raw) for raw in json.loads(bill.read_text(encoding="utf-8")).get("components", ())]


def installed(program: str = PROGRAM) -> list[Component]:
    """The interpreter, and the packages that `program` needs on this system."""
    parts = [_python(), *map(_package, _needed(program))]
    return sorted(parts, key=lambda part: part.name.lower())


def with_standard_texts(licence: str, own: Texts) -> Texts:
    """A component's own texts, and those kept here that its licence needs besides."""
    wanted = _TEXTS_OF if own else _TEXTS_OF | _TEXTS_IF_NONE
    names = [name for part in re.findall(r"[\w.-]+", licence) for name in wanted.get(part, ())]
    folder = paths.assets_dir() / "licences"
    return own + tuple((name, _text(folder / f"{name}.txt")) for name in names)


def _component(raw: Mapping[str, Any]) -> Component:
    named = (raw.get("licenses") or [{"expression": ""}])[0]
    licence = named.get("expression") or named["license"].get("id") or named["license"].get("name", "")
    found = raw.get("evidence", {}).get("licenses", ())
    texts = tuple((text["license"]["name"], text["license"]["text"]["content"]) for text in found)
    inside = tuple(map(_component, raw.get("components", ())))
    return Component(raw["name"], raw.get("version", ""), licence or "not stated", texts, inside)


def _needed(program: str) -> Iterator[metadata.Distribution]:
    """`program` itself and what its requirements lead to, each once. Absent packages are left out."""
    from packaging.requirements import Requirement

    waiting, seen = [program], set()
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # openvino-telemetry is removed on purpose
            continue
        yield found
        wanted = map(Requirement, found.requires or ())
        waiting += [
            need.name for need in wanted if need.marker is None or need.marker.evaluate({"extra": ""})
        ]


def _package(package: metadata.Distribution) -> Component:
    name = package.metadata["Name"]
    licence = _licence(name, package.metadata)
    return Component(
        name,
        package.version,
        licence,
        with_standard_texts(licence, _texts(package)),
        tuple(_compiled_in(package)),
    )


def _compiled_in(package: metadata.Distribution) -> Iterator[Component]:
    """From the bill of materials that a wheel may bring along (PEP 770)."""
    for file in package.files or ():
        if ".dist-info/sboms/" in file.as_posix() and file.name.endswith(("cyclonedx.json", "cdx.json")):
            for part in read(Path(str(file.locate()))):
                if part.name.lower() != package.metadata["Name"].lower():
                    yield part


def _licence(name: str, described: metadata.PackageMetadata) -> str:
    chosen = _CHOSEN.get(name.lower().replace("_", "-"))
    if chosen:
        return chosen
    stated = [str(text) for key in ("License-Expression", "License") for text in described.get_all(key) or ()]
    if stated and "\n" not in stated[0] and "::" not in stated[0]:
        return stated[0]
    last = [line.rpartition(" :: ")[2] for line in described.get_all("Classifier") or () if "License" in line]
    return next((_CLASSIFIED[words] for words in last if words in _CLASSIFIED), "see its text")


def _texts(package: metadata.Distribution) -> Texts:
    """The licence files in the package's metadata folder."""
    files = [file for file in package.files or () if ".dist-info/" in file.as_posix()]
    named = [file for file in files if any(word in file.name.lower() for word in _TEXT_NAMES)]
    return tuple(
        (
            file.as_posix().partition(".dist-info/")[2].removeprefix("licenses/"),
            _text(Path(str(file.locate()))),
        )
        for file in sorted(named)
    )


def _python() -> Component:
    folders = (Path(os.__file__).parent, Path(sys.base_prefix))
    files = [folder / "LICENSE.txt" for folder in folders if (folder / "LICENSE.txt").is_file()]
    texts = tuple((file.name, _text(file)) for file in files[:1])
    return Component("Python", sys.version.split()[0], "PSF-2.0", texts)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
