"""Reading safetensors files: every type that drafters are published in, and files that are not what they say."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from engine.errors import SlipstreamError
from engine.graphs.safetensors_file import SafetensorsFile
from tests.bfloat16 import save_bfloat16

VALUES = np.array([[1.0, -2.5, 3.0e-5], [0.0, 65280.0, -1.0]], dtype=np.float32)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_floats_of_every_width_become_float32(tmp_path: Path, kind: type) -> None:
    save_file({"x": VALUES.astype(kind)}, tmp_path / "t.safetensors")
    found = SafetensorsFile(tmp_path / "t.safetensors").read("x")
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, VALUES.astype(kind).astype(np.float32))


def test_bfloat16_is_read_without_a_library_that_knows_it(tmp_path: Path) -> None:
    """GIVEN numbers that bfloat16 holds exactly THEN they come back."""
    exact = np.array([[1.0, -2.5, 0.15625], [0.0, 65280.0, -1.0]], dtype=np.float32)
    save_bfloat16({"x": exact, "y": exact[0]}, tmp_path / "t.safetensors")
    file = SafetensorsFile(tmp_path / "t.safetensors")
    assert file.names() == {"x", "y"}
    assert file.shape("x") == (2, 3)
    np.testing.assert_array_equal(file.read("x"), exact)
    np.testing.assert_array_equal(file.read("y"), exact[0])


def test_whole_numbers_and_marks(tmp_path: Path) -> None:
    numbers, marks = np.array([5, -7, 2**40]), np.array([True, False, True])
    save_file({"d2t": numbers, "t2d": marks}, tmp_path / "t.safetensors")
    file = SafetensorsFile(tmp_path / "t.safetensors")
    assert file.read_ints("d2t").tolist() == numbers.tolist()
    assert file.read_ints("t2d").tolist() == [1, 0, 1]


def test_a_type_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    save_file({"x": np.zeros(4, dtype=np.uint16)}, tmp_path / "t.safetensors")
    with pytest.raises(SlipstreamError, match="type U16"):
        SafetensorsFile(tmp_path / "t.safetensors").read("x")


def test_every_cut_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.safetensors"
    save_file({"x": VALUES}, path)
    whole = path.read_bytes()
    for content in [whole[:size] for size in range(0, len(whole), 9)] + [b"GGUF" * 40, b"\xff" * 99]:
        path.write_bytes(content)
        with pytest.raises(SlipstreamError, match="not a complete safetensors file"):
            SafetensorsFile(path)


def test_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path):
        with pytest.raises(SlipstreamError, match="not a complete safetensors file"):
            SafetensorsFile(path)
