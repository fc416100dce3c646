"""The bill of materials: what is listed, that nothing unknown gets through, and that the program reads it back."""

import json
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

from builder import modules, natives, sbom
from builder.project import Build, BuildError
from engine import licences
from engine.licences import Component

SITE = Path(str(metadata.distribution("numpy").locate_file("")))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """GIVEN a frozen program with one file of NumPy's and the interpreter's library."""
    tree = tmp_path / "slipstream"
    for name in ("numpy/__init__.pyi", "libpython3.so"):
        (tree / "_internal" / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / "_internal" / name).touch()
    return tree


@pytest.fixture
def bootloader(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyInstaller is in the clean environment only."""
    part = Component("PyInstaller bootloader", "6", "GPL-2.0-or-later WITH Bootloader-exception")
    monkeypatch.setattr(sbom, "_bootloader", lambda: part)


@pytest.mark.usefixtures("bootloader")
def test_only_packages_that_are_inside_are_listed(tree: Path) -> None:
    """GIVEN a module of httpx in the archive THEN it is listed, and packages that were left out are not."""
    names = {part.name.lower() for part in sbom.parts(tree, [str(SITE / "httpx" / "__init__.py")])}

    assert {"numpy", "httpx", "python", "slipstream", "pyinstaller bootloader"} <= names
    assert names & {"requests", "openvino", "hf-xet"} == set()
    assert {bundled.name.lower() for bundled in natives.in_qt(sys.platform)} <= names


@pytest.mark.usefixtures("bootloader")
def test_a_library_of_unknown_origin_stops_the_build(tree: Path) -> None:
    (tree / "_internal" / "libmystery.so.1").touch()

    with pytest.raises(BuildError, match=r"libmystery\.so\.1"):
        sbom.parts(tree, [])


@pytest.mark.usefixtures("bootloader")
def test_a_link_at_the_top_is_no_stranger(tree: Path) -> None:
    """GIVEN macOS' way: a link in the top folder to a package's library."""
    (tree / "_internal" / "libmystery.dylib").symlink_to("libpython3.so")

    assert "Python" in {part.name for part in sbom.parts(tree, [])}


@pytest.mark.usefixtures("bootloader")
def test_a_package_that_the_program_does_not_need_stops_the_build(tree: Path) -> None:
    with pytest.raises(BuildError, match="files of pytest are inside"):
        sbom.parts(tree, [str(SITE / "pytest" / "__init__.py")])


@pytest.mark.usefixtures("bootloader")
def test_a_table_from_windows_is_read(tree: Path, tmp_path: Path) -> None:
    """GIVEN paths whose backslashes are doubled, as Python writes them."""
    table = tmp_path / "PYZ-00.toc"
    source = "C:\\build\\venv\\Lib\\site-packages\\httpx\\__init__.py"
    table.write_text(repr(("C:\\x.pyz", [("httpx", source, "PYMODULE")])), encoding="utf-8")
    sources = modules.read(table)

    assert sources == {"httpx": source}
    assert "httpx" in {part.name for part in sbom.parts(tree, sources.values())}


def test_a_tree_without_a_place_for_the_bill_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    monkeypatch.setattr(sbom, "run", lambda *words, **options: None)

    with pytest.raises(BuildError, match="has no engine/assets"):
        sbom.write(Build("linux", "1", tmp_path, tmp_path))


@pytest.mark.usefixtures("bootloader")
def test_libraries_beside_the_interpreter_are_listed(tree: Path) -> None:
    for name in ("libcrypto-3.dll", "VCRUNTIME140_1.dll", "python3.dll", "_ssl.pyd"):
        (tree / "_internal" / name).touch()
    listed = {part.name: part.licence for part in sbom.parts(tree, [])}

    assert listed["OpenSSL"] == "Apache-2.0"
    assert "Microsoft Visual C++ run time" in listed


def test_an_unknown_licence_stops_the_build() -> None:
    with pytest.raises(BuildError, match="licence of x is not known"):
        sbom.bill([Component("x", "1", "see its text")], "1", 0)


def test_an_unknown_licence_inside_a_wheel_does_as_well() -> None:
    crate = Component("crate", "3", "not stated")

    with pytest.raises(BuildError, match="licence of crate in x 1 is not known"):
        sbom.bill([Component("x", "1", "MIT", (), (crate,))], "1", 0)


def test_the_document_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    inner = Component("crate", "3", "MIT OR Apache-2.0")
    parts = [
        Component("a", "1", "MIT", (("LICENSE", "Words: ü."), ("NOTICE", "More."))),
        Component("b", "", "LGPL-2.1-or-later", (), (inner,)),
    ]
    file = tmp_path / "bill.json"
    file.write_text(json.dumps(sbom.bill(parts, "1.2.3", 1_700_000_000)), encoding="utf-8")

    assert licences.read(file) == parts


def test_the_document_has_what_cyclonedx_asks_for() -> None:
    document = sbom.bill(licences.installed(), "1.2.3", 1_700_000_000)
    references = [entry["bom-ref"] for entry in document["components"]]

    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", document["serialNumber"])
    assert document["metadata"]["timestamp"] == "2023-11-14T22:13:20+00:00"
    assert document["metadata"]["component"]["name"] == "slipstream"
    assert len(references) == len(set(references))
    assert document["dependencies"] == [{"ref": "program", "dependsOn": references}]
    numpy = next(entry for entry in document["components"] if entry["name"] == "numpy")
    assert numpy["purl"] == f"pkg:pypi/numpy@{metadata.version('numpy')}"


def test_the_same_parts_give_the_same_document() -> None:
    parts = licences.installed()

    assert sbom.bill(parts, "1", 7) == sbom.bill(parts, "1", 7)
    assert sbom.bill(parts, "2", 7)["serialNumber"] != sbom.bill(parts, "1", 7)["serialNumber"]


def test_what_a_wheel_says_about_its_inside_is_listed() -> None:
    """GIVEN tokenizers, whose wheel brings a bill of materials of its own."""
    tokenizers = next(part for part in licences.installed() if part.name == "tokenizers")

    assert "regex" in {inner.name for inner in tokenizers.inside}


@pytest.mark.parametrize(
    "path", ["python3.11/lib-dynload/_ssl.so", "libffi-8.dll", "Frameworks/libz.1.dylib"]
)
def test_natives_are_known_by_their_file_names(path: str) -> None:
    assert natives.native_of(path) is not None


def test_strangers_are_not_taken_for_natives() -> None:
    assert natives.native_of("lib/libcurious.so") is None
