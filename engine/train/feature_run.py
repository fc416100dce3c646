"""`slipstream train features` without the terminal."""

from collections.abc import Callable, Sequence
from pathlib import Path

from engine.train.answers import read_settings
from engine.train.features import FeatureModel, FeatureWriter, add_missing, default_taps
from engine.train.target_model import TargetModel


def make_features(answers: Path, target: TargetModel, taps: str, report: Callable[[int, int], None]) -> int:
    """Rows made. `taps` is a number of evenly spread layers, or layers counted from 0, as "1,8,14"."""
    read_settings(answers)
    layers = parse_taps(taps, target.weights.architecture.layers)
    with feature_writer(answers, target, layers) as writer:
        return add_missing(writer, FeatureModel(target.weights, layers), answers, report)


def feature_writer(answers: Path, target: TargetModel, layers: Sequence[int]) -> FeatureWriter:
    settings: dict[str, object] = {**target.identity, "taps": list(layers)}
    return FeatureWriter(answers / "features", settings, len(layers))


def parse_taps(taps: str, layers: int) -> tuple[int, ...]:
    """Ascending layers; ValueError when they are none of the model's, or the last, or too many."""
    if "," not in taps:
        spread = default_taps(layers, int(taps))
        if len(set(spread)) < len(spread):
            raise ValueError(f"a model of {layers} layers has fewer to spread them over")
        return spread
    chosen = tuple(sorted({int(each) for each in taps.split(",") if each.strip()}))
    if not 0 <= chosen[0] <= chosen[-1] < layers - 1:
        raise ValueError(f"layers lie between 0 and {layers - 2}")
    return chosen
