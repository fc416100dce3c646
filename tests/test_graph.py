"""The OpenVINO graph against a plain float64 forward pass, and the weight formats against exact weights."""

import hashlib
from pathlib import Path

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType as Kind
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import SlipstreamError
from engine.graphs.compress import WeightFormat, group_size, quantise
from engine.graphs.convert import converted_weights, default_format
from engine.graphs.gguf_model import GgufModel
from engine.target import Target
from tests.tiny_models import Reference, Shape, write_model

TOKENS = [(7 * i * i + 3 * i) % 256 for i in range(40)]

SHAPES = {
    "llama with grouped heads": Shape("llama"),
    "llama, head of its own shape": Shape("llama", heads=3, kv_heads=1, head_dim=32, layers=3),
    "llama, tied head": Shape("llama", tied=True),
    "llama with frequency factors": Shape("llama", rope_factors=True),
    "llama with linear scaling": Shape("llama", linear_scaling=4.0),
    "qwen2 with biases": Shape("qwen2", layers=3),
    "qwen2, tied head": Shape("qwen2", tied=True, kv_heads=4),
    "qwen3 with q and k norms": Shape("qwen3", head_dim=32),
    "qwen3, 128 wide": Shape("qwen3", hidden=128, intermediate=256, heads=8, kv_heads=2, tied=True),
    **{f"stored as {kind.name}": Shape("qwen2", kind=kind) for kind in (Kind.F16, Kind.BF16, Kind.Q8_0)},
    **{f"stored as {kind.name}": Shape("llama", kind=kind) for kind in (Kind.Q4_0, Kind.Q4_1)},
    **{f"stored as {kind.name}": Shape("qwen3", kind=kind) for kind in (Kind.Q5_0, Kind.Q5_1)},
    **{f"down as {kind.name}": Shape(intermediate=256, down_kind=kind) for kind in (Kind.Q4_K, Kind.Q6_K)},
}


def target_of(folder: Path, shape: Shape, form: WeightFormat | None = WeightFormat.F32, taps=()) -> Target:
    write_model(folder / "model.gguf", shape)
    return Target(converted_weights(folder, form), taps=taps)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_graph_gives_the_logits_of_the_papers(shape: Shape, tmp_path: Path) -> None:
    target = target_of(tmp_path, shape)
    expected, _ = Reference(tmp_path / "model.gguf").forward(TOKENS)
    assert np.abs(expected).max() > 1.0  # there is something to get wrong
    np.testing.assert_allclose(target.forward(TOKENS), expected, atol=5e-4)


def test_position_counts_from_the_start_of_the_sequence(tmp_path: Path) -> None:
    target = target_of(tmp_path, Shape("qwen2"))
    expected, _ = Reference(tmp_path / "model.gguf").forward(TOKENS)
    for begin in range(0, len(TOKENS), 8):
        logits = target.forward(TOKENS[begin : begin + 8])
        np.testing.assert_allclose(logits, expected[begin : begin + 8], atol=5e-4)


def test_only_the_wanted_rows_get_logits(tmp_path: Path) -> None:
    target = target_of(tmp_path, Shape())
    expected, _ = Reference(tmp_path / "model.gguf").forward(TOKENS)
    np.testing.assert_allclose(target.forward(TOKENS, logits_for=[39, 5]), expected[[39, 5]], atol=5e-4)


def test_taps_are_the_residual_stream_after_the_layers_in_the_asked_order(tmp_path: Path) -> None:
    target = target_of(tmp_path, Shape(layers=3), taps=(2, 0))
    _, streams = Reference(tmp_path / "model.gguf").forward(TOKENS)
    target.forward(TOKENS)
    assert target.features is not None
    np.testing.assert_allclose(target.features, np.hstack([streams[2], streams[0]]), atol=5e-4)


def test_features_of_a_lone_token_are_one_row(tmp_path: Path) -> None:
    target = target_of(tmp_path, Shape(), taps=(1,))
    _, streams = Reference(tmp_path / "model.gguf").forward(TOKENS[:1])
    target.forward(TOKENS[:1])
    assert target.features is not None
    np.testing.assert_allclose(target.features, streams[1], atol=5e-4)


@pytest.mark.parametrize(("form", "bound"), [(WeightFormat.INT8, 0.05), (WeightFormat.INT4, 0.35)])
@pytest.mark.parametrize("architecture", ["llama", "qwen2", "qwen3"])
def test_compressed_model_is_near_the_exact_one(
    architecture: str, form: WeightFormat, bound: float, tmp_path: Path
) -> None:
    target = target_of(tmp_path, Shape(architecture, hidden=128, intermediate=256), form)
    expected, _ = Reference(tmp_path / "model.gguf").forward(TOKENS)
    error = target.forward(TOKENS) - expected
    assert np.sqrt((error**2).mean()) < bound * expected.std()


def test_the_embedding_of_an_untied_model_is_its_own(tmp_path: Path) -> None:
    write_model(tmp_path / "model.gguf", Shape(tied=False))
    weights = converted_weights(tmp_path, WeightFormat.F32)
    assert "embedding" in weights


def test_two_copies_of_a_tied_matrix_are_stored_once(tmp_path: Path) -> None:
    """GIVEN a file that holds the tied matrix twice, once coarser (Qwen2.5's Q4_K_M files do)."""
    write_model(tmp_path / "model.gguf", Shape(tied=True, kind=Kind.Q8_0))
    _add_output_matrix(tmp_path / "model.gguf", Kind.Q4_0)
    assert "embedding" not in converted_weights(tmp_path, WeightFormat.F32)


def _add_output_matrix(path: Path, kind: Kind) -> None:
    reader = gguf.GGUFReader(path)
    writer = gguf.GGUFWriter(path.with_suffix(".two"), "llama")
    for name, field in reader.fields.items():
        if not name.startswith("GGUF.") and name != "general.architecture":
            sub = field.types[1] if len(field.types) > 1 else None
            writer.add_key_value(name, field.contents(), field.types[0], sub_type=sub)
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, np.array(tensor.data), raw_dtype=tensor.tensor_type)
        if tensor.name == "token_embd.weight":
            values = gguf.dequantize(tensor.data, tensor.tensor_type)
            writer.add_tensor("output.weight", gguf.quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    path.with_suffix(".two").replace(path)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([4, 8]), st.sampled_from([32, 64, 128]), st.integers(0, 2**32 - 1), st.floats(-4, 4))
def test_quantised_weights_are_within_a_step(bits: int, group: int, seed: int, shift: float) -> None:
    """Half a step for rounding, half a step where the rounded zero point cuts the range, and the
    scale's own float16 rounding over the whole range (2^bits - 1 steps, each off by up to 2^-11).
    """
    rng = np.random.default_rng(seed)
    weight = (rng.standard_normal((5, 4 * group)) + shift).astype(np.float32)
    q = quantise(weight, bits, group)
    step = q.scale.astype(np.float64)
    back = (q.values.astype(np.float64) - q.zero) * step
    error = np.abs(back.reshape(weight.shape) - weight).reshape(5, 4, group)
    assert q.values.max() < 2**bits
    assert (error <= step * (1.0 + (2**bits - 1) * 2.0**-11 + 1e-5)).all()


@pytest.mark.parametrize("bits", [4, 8])
def test_zero_constant_and_tiny_weights_survive_quantisation(bits: int) -> None:
    for value in (0.0, 1.0, -3.0, 1e-9):
        q = quantise(np.full((2, 64), value, np.float32), bits, 32)
        back = (q.values.astype(np.float64) - q.zero) * q.scale.astype(np.float64)
        np.testing.assert_allclose(back, value, rtol=2e-3, atol=1e-8)


def test_group_size_divides_the_row() -> None:
    assert [group_size(row) for row in (1536, 576, 96, 40)] == [128, 64, 32, 40]


@pytest.mark.parametrize(("intermediate", "group"), [(256, 128), (192, 64), (96, 32)])
def test_activations_share_a_group_no_larger_than_the_weights(
    intermediate: int, group: int, tmp_path: Path
) -> None:
    write_model(tmp_path / "model.gguf", Shape(hidden=128, intermediate=intermediate))
    assert converted_weights(tmp_path, WeightFormat.INT4).activation_group == group
    assert converted_weights(tmp_path, WeightFormat.INT8).activation_group == 128


def test_small_models_keep_eight_bits() -> None:
    assert default_format(576) is WeightFormat.INT8
    assert default_format(1536) is WeightFormat.INT4


# Files that can't be used


def test_torn_file_gives_a_sentence(tmp_path: Path) -> None:
    path = write_model(tmp_path / "model.gguf")
    path.write_bytes(path.read_bytes()[:-20_000])
    with pytest.raises(SlipstreamError, match="cut short"):
        GgufModel.open(path)


def test_unknown_architecture_is_named(tmp_path: Path) -> None:
    path = write_model(tmp_path / "model.gguf", Shape("gemma"))
    with pytest.raises(SlipstreamError, match=r"'gemma' is not supported.*llama, qwen2, qwen3"):
        GgufModel.open(path)


def test_missing_tensor_is_named(tmp_path: Path) -> None:
    path = write_model(tmp_path / "model.gguf")
    path.write_bytes(path.read_bytes().replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_xx.weight"))
    with pytest.raises(SlipstreamError, match=r"blk\.1\.ffn_up\.weight"):
        converted_weights(tmp_path)


def test_tensor_that_the_graph_would_leave_out_is_refused(tmp_path: Path) -> None:
    """GIVEN a model with something that the graph does not compute WHEN converted THEN no wrong text comes."""
    path = write_model(tmp_path / "model.gguf", Shape("qwen2"))
    path.write_bytes(path.read_bytes().replace(b"blk.1.attn_q.bias", b"blk.1.attn_z.bias"))
    with pytest.raises(SlipstreamError, match=r"blk\.1\.attn_"):
        converted_weights(tmp_path)


# The conversion's cache


@pytest.mark.parametrize("damage", ["cut xml", "garbage xml", "cut bin", "no bin", "empty bin"])
def test_damaged_conversion_is_made_again(
    damage: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    expected = target_of(tmp_path, Shape(), form=None).forward(TOKENS).copy()
    xml = next((tmp_path / "openvino").rglob("weights.xml"))
    binary = xml.with_suffix(".bin")
    if damage == "cut xml":
        xml.write_bytes(xml.read_bytes()[:-500])
    elif damage == "garbage xml":
        xml.write_bytes(bytes(range(256)) * 16)
    elif damage == "cut bin":
        binary.write_bytes(binary.read_bytes()[:-100])
    elif damage == "no bin":
        binary.unlink()
    else:
        binary.write_bytes(b"")
    np.testing.assert_array_equal(Target(converted_weights(tmp_path)).forward(TOKENS), expected)
    assert capfd.readouterr().err == ""  # OpenVINO's own complaints help nobody


def test_conversion_leaves_the_hash_of_its_weights(tmp_path: Path) -> None:
    target_of(tmp_path, Shape(), form=None)
    binary = next((tmp_path / "openvino").rglob("weights.bin"))
    recorded = binary.with_suffix(".sha256").read_text().strip()
    assert recorded == hashlib.sha256(binary.read_bytes()).hexdigest()


def test_interrupted_conversion_is_made_again(tmp_path: Path) -> None:
    expected = target_of(tmp_path, Shape(), form=None).forward(TOKENS).copy()
    xml = next((tmp_path / "openvino").rglob("weights.xml"))
    xml.parent.rename(xml.parent.with_name(xml.parent.name + ".partial"))
    np.testing.assert_array_equal(Target(converted_weights(tmp_path)).forward(TOKENS), expected)


def test_full_disk_gives_a_sentence_and_leaves_nothing_that_looks_whole(tmp_path: Path) -> None:
    """The kernel's limit on a file's size refuses a write in the same way as a full disk does."""
    resource = pytest.importorskip("resource", reason="needs a POSIX limit on file sizes")
    write_model(tmp_path / "model.gguf")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, before[1]))
    try:
        with pytest.raises(SlipstreamError, match="disk"):
            converted_weights(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert target_ok(tmp_path)


def target_ok(folder: Path) -> bool:
    return bool(np.isfinite(Target(converted_weights(folder)).forward(TOKENS)).all())


def test_folder_that_cannot_be_written_gives_a_sentence(tmp_path: Path) -> None:
    write_model(tmp_path / "model.gguf")
    (tmp_path / "openvino").write_text("a file where the folder should be")
    with pytest.raises(SlipstreamError, match="can't be used"):
        converted_weights(tmp_path)
