"""The bill of materials: what the frozen program is made of and under which licences, as CycloneDX 1.6 in JSON.

It is packed with the program, which shows it in Help > About, and published beside the installers. Making it fails
when a library's origin or a licence is not known.
"""

import re
import ssl
import sys
import uuid
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder import macos, modules, natives
from builder.project import NAME, PACKAGING, Build, BuildError, run, source_date, tell, without_python

if TYPE_CHECKING:
    from engine.licences import Component

SPDX = re.compile(r"[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*")
BESIDE = frozenset({"pyinstaller"})  # listed as its bootloader
CODE = (".so", ".pyd", ".dll", ".dylib")


def file_name(build: Build) -> str:
    """With the system, since each has other libraries inside."""
    return f"{NAME}-{build.version}-{build.system}.cdx.json"


def write(build: Build) -> Path:
    """Makes the list in the clean environment, packs it, and returns the published copy. Errors: BuildError."""
    tell("The bill of materials")
    made = build.work / file_name(build)
    own = without_python() | {"PYTHONPATH": str(PACKAGING), "SOURCE_DATE_EPOCH": str(source_date())}
    run((build.python, "-m", "builder.sbom", build.tree, modules.table(build), made), cwd=build.work, env=own)
    for catalogue in _catalogues(build):
        catalogue.with_name("sbom.cdx.json").write_bytes(made.read_bytes())
    return made


def _catalogues(build: Build) -> Iterator[Path]:
    """Beside these the program looks for its own list. Errors: BuildError where a tree has none."""
    for tree in (build.tree, *([macos.app(build)] if build.system == "macos" else ())):
        found = list(tree.rglob("engine/assets/catalogue.json"))
        if not found:
            raise BuildError(f"{tree} has no engine/assets, where the bill of materials belongs.")
        yield from found


def bill(parts: "Sequence[Component]", version: str, seconds: int) -> dict[str, Any]:
    """The document. The same parts at the same time give the same document."""
    listed = [_entry(part) for part in parts]
    serial = uuid.uuid5(
        uuid.NAMESPACE_URL, f"{NAME} {version} {[(part.name, part.version) for part in parts]}"
    )
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, UTC).isoformat(),
            "component": {"type": "application", "bom-ref": "program", "name": NAME, "version": version},
        },
        "components": listed,
        "dependencies": [{"ref": "program", "dependsOn": [entry["bom-ref"] for entry in listed]}],
    }


def _entry(part: "Component") -> dict[str, Any]:
    _check_licence(part, part.name)
    entry: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"{part.name} {part.version}".strip(),
        "name": part.name,
        "version": part.version,
        "licenses": [{"expression": part.licence}],
    }
    if _is_package(part.name):
        entry["purl"] = f"pkg:pypi/{part.name.lower().replace('_', '-')}@{part.version}"
    if part.inside:
        entry["components"] = [_inner(inner, entry["bom-ref"]) for inner in part.inside]
    if part.texts:
        texts = [
            {"license": {"name": name, "text": {"contentType": "text/plain", "content": text}}}
            for name, text in part.texts
        ]
        entry["evidence"] = {"licenses": texts}
    return entry


def _inner(part: "Component", within: str) -> dict[str, Any]:
    _check_licence(part, f"{part.name} in {within}")
    own = {"type": "library", "bom-ref": f"{within}/{part.name} {part.version}", "name": part.name}
    return own | {"version": part.version, "licenses": [{"expression": part.licence}]}


def _check_licence(part: "Component", named: str) -> None:
    """Its form only, since the list of SPDX grows."""
    if not SPDX.fullmatch(" ".join(re.sub(r"[()]", " ", part.licence).split())):
        raise BuildError(f"the licence of {named} is not known: {part.licence}.")


def _is_package(name: str) -> bool:
    try:
        return bool(metadata.version(name))
    except metadata.PackageNotFoundError:
        return False


def parts(tree: Path, sources: Iterable[str]) -> "list[Component]":
    """What is inside: packages that have a file in the tree or a module in the archive, and the natives."""
    from engine.licences import Component, drafters, installed

    internal = tree / "_internal"
    files = {
        file.relative_to(internal).as_posix()
        for file in internal.rglob("*")
        if file.is_file() and not file.is_symlink()
    }
    owners = _owners()
    packages = {owners[path] for path in files | _in_packages(sources) if path in owners}
    found = [part for part in installed() if part.name in packages | {"Python", NAME}]
    strangers = packages - {part.name for part in found} - BESIDE
    if strangers:
        raise BuildError(
            f"files of {', '.join(sorted(strangers))} are inside, which Slipstream does not need."
        )
    unowned = sorted(path for path in files - owners.keys() if _is_code(path))
    found += [Component(name, version, licence) for name, version, licence in _beside(unowned)]
    found += [_bootloader(), *drafters()]
    bundled = natives.in_qt(sys.platform)
    found += [Component(part.name, "", part.licence, natives.QT_TERMS) for part in bundled]
    return sorted(found, key=lambda part: part.name.lower())


def _owners() -> dict[str, str]:
    """File of site-packages -> package."""
    owners: dict[str, str] = {}
    for package in metadata.distributions():
        name = package.metadata["Name"]
        owners |= {file.as_posix(): name for file in package.files or ()}
    return owners


def _in_packages(sources: Iterable[str]) -> set[str]:
    """PyInstaller's paths of modules, as they are inside site-packages."""
    return {path.replace("\\", "/").rpartition("/site-packages/")[2] for path in sources}


def _is_code(path: str) -> bool:
    return path.endswith(CODE) or ".so." in path


def _beside(paths: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    versions = {"OpenSSL": ssl.OPENSSL_VERSION.split()[1]}
    known = {path: natives.native_of(path) for path in paths}
    strangers = [path for path, native in known.items() if native is None]
    if strangers:
        raise BuildError(f"nothing is known about {', '.join(strangers[:5])}; see builder/natives.py.")
    for native in {native for native in known.values() if native and native.name != "Python"}:
        yield native.name, versions.get(native.name, ""), native.licence


def _bootloader() -> "Component":
    """PyInstaller's start code; its exception lets programs under any licence carry it."""
    from engine.licences import Component, installed

    found = next(part for part in installed("pyinstaller") if part.name == "pyinstaller")
    licence = "GPL-2.0-or-later WITH Bootloader-exception"
    return Component("PyInstaller bootloader", found.version, licence, found.texts)


def main() -> int:
    import json

    tree, table, made = map(Path, sys.argv[1:])
    try:
        document = bill(parts(tree, modules.read(table).values()), metadata.version(NAME), source_date())
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    made.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
