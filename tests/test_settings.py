"""Settings: typed and in range, kept in a file that survives mistakes, and layered per chat."""

import json
import os
import random
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.settings import chat_settings, presets, settings_file
from app.settings.chat_settings import DEFAULTS, FIELDS, ChatSettings
from app.settings.program_settings import ProgramSettings
from app.settings.settings import Settings
from app.theme import Choice
from engine.load_options import LoadOptions
from engine.models.catalogue import Pair
from engine.request import Overflow, Sampling

unhurried = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # a busy machine is no failure
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / settings_file.NAME


def written(path: Path, text: str) -> settings_file.Read:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return settings_file.read(path)


def set_aside(path: Path) -> list[str]:
    return [kept.read_text(encoding="utf-8") for kept in path.parent.glob("settings.broken-*.json")]


def test_without_a_file_the_programs_own_settings_are_in_force(path: Path) -> None:
    assert settings_file.read(path) == settings_file.Read()


def test_what_is_changed_is_there_at_the_next_start(path: Path) -> None:
    Settings(path).change(theme=Choice.DARK, threads=3, context_limit=4096, presets={"Mine": {"top_k": 5}})
    again = Settings(path)

    assert again.now.theme is Choice.DARK
    assert again.now.load_options == LoadOptions(3, "CPU", 4096)
    assert again.now.presets == {"Mine": {"top_k": 5}}
    assert again.notice == ""


def test_a_change_is_told_with_the_names_of_what_changed(path: Path, qtbot: QtBot) -> None:
    settings = Settings(path)
    with qtbot.waitSignal(settings.changed) as told:
        settings.change(threads=2, theme=Choice.SYSTEM)
    assert told.args == [frozenset({"threads"})]


def test_what_is_out_of_range_is_refused_and_changes_nothing(path: Path) -> None:
    settings = Settings(path)
    with pytest.raises(msgspec.ValidationError):
        settings.change(font_percent=1000)
    assert settings.now == ProgramSettings()
    assert not path.exists()


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '"x"', "[" * 100_000, '{"theme": "dark"'])
def test_a_broken_file_is_set_aside_and_told(path: Path, text: str) -> None:
    found = written(path, text)

    assert found.settings == ProgramSettings()
    assert set_aside(path) == [text]
    assert "settings.broken-" in found.notice
    assert settings_file.read(path).notice == ""


def test_a_file_that_is_no_text_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe\x00{")

    assert "settings.broken-" in settings_file.read(path).notice


def test_one_wrong_value_is_set_back_alone_and_unknown_keys_stay(path: Path) -> None:
    """GIVEN a newer version's key and a value that makes no sense THEN the rest is in force and the key is kept."""
    text = '{"theme": "blue", "threads": 2, "newer": {"a": [1]}}'
    found = written(path, text)
    settings_file.write(path, found.settings, found.unknown)
    now = json.loads(path.read_text(encoding="utf-8"))

    assert found.settings == ProgramSettings(threads=2)
    assert "theme" in found.notice
    assert set_aside(path) == [text]
    assert now["newer"] == {"a": [1]}


def test_a_wrong_value_is_told_and_kept_once(path: Path) -> None:
    written(path, '{"theme": "blue", "newer": 1}')
    for kept in path.parent.glob("settings.broken-*.json"):
        kept.unlink()

    assert "theme" in Settings(path).notice
    assert Settings(path).notice == ""
    assert len(set_aside(path)) == 1
    assert json.loads(path.read_text(encoding="utf-8"))["newer"] == 1


@unhurried
@given(st.dictionaries(st.sampled_from(msgspec.structs.fields(ProgramSettings)).map(lambda f: f.name), JSON))
def test_no_file_stops_the_program(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    path = tmp_path_factory.mktemp("s") / settings_file.NAME
    found = written(path, json.dumps(values))

    assert isinstance(found.settings, ProgramSettings)
    settings_file.write(path, found.settings, found.unknown)
    assert settings_file.read(path) == settings_file.Read(found.settings, found.unknown)


def test_a_change_that_cannot_be_written_is_in_force_and_told(path: Path, qtbot: QtBot) -> None:
    settings = Settings(path)
    path.parent.parent.joinpath("home").write_text("a file where the folder should be")
    with qtbot.waitSignal(settings.not_saved) as told:
        settings.change(threads=5)

    assert settings.now.threads == 5
    assert told.args[0]


@unhurried
@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_what_a_layer_keeps_makes_sense(layer: dict[str, object]) -> None:
    kept = chat_settings.sound(layer)

    assert all(layer[name] == value for name, value in kept.items())
    assert isinstance(chat_settings.over(kept), ChatSettings)


def test_layers_lie_over_each_other() -> None:
    settings = chat_settings.over({"temperature": 0.3, "top_k": 5}, {"temperature": 0.4}, {"min_p": 0.1})

    assert (settings.temperature, settings.top_k, settings.min_p, settings.top_p) == (
        0.4,
        5,
        0.1,
        DEFAULTS.top_p,
    )


def test_every_range_is_one_that_the_engine_takes() -> None:
    for name in chat_settings.SAMPLING:
        for value in chat_settings.limits(name):
            Sampling(**{name: int(value) if name == "top_k" else value})


def test_the_built_in_presets_make_sense_and_decide_all_sampling() -> None:
    for values in (*presets.BUILT_IN.values(), presets.SMALL):
        assert chat_settings.sound(dict(values)) == values
        assert set(values) == set(chat_settings.SAMPLING)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("smollm2-135m-instruct-q4_1", presets.SMALL),
        ("qwen2.5-coder-1.5b-instruct-q4_k_m", presets.BUILT_IN[presets.CODER]),
        ("qwen3.5-9b-q4_k_m", presets.BUILT_IN[presets.BALANCED]),
    ],
)
def test_the_recommended_preset_looks_at_the_target(target: str, expected: object) -> None:
    assert presets.recommended(Pair("p", "P", target, None)) == expected


def test_settings_survive_json() -> None:
    rng = random.Random(5)
    for _ in range(50):
        layer = {
            "temperature": round(rng.uniform(0, 2), 2),
            "seed": rng.choice([None, rng.randrange(2**63)]),
            "stop": ("a\n", "ü")[: rng.randrange(3)],
            "overflow": rng.choice(list(Overflow)),
        }
        plain = chat_settings.plain(layer)
        assert chat_settings.over(json.loads(json.dumps(plain))) == chat_settings.over(plain)
