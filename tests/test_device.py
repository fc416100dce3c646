"""Devices other than the processor, of which none is here: fakes say what OpenVINO would."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.settings.program_pages import MachinePage
from app.settings.settings import Settings
from app.state_chip import StateChip
from app.worker import Loaded
from engine import calibration, device, target
from engine.device import compile_options, devices, limit_of, require_usable
from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.exactness import remembers, settle
from engine.load_options import LoadOptions
from engine.metrics import Stats
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from tests.test_exactness import FakeDevice
from tests.tiny_models import write_model

TITLES = {"CPU": "A processor", "GPU.0": "A graphics processor", "GPU.1": "Another", "NPU": "A neural one"}


@dataclass
class FakeCore:
    """OpenVINO with three kinds of devices, one of whose drivers may be too old."""

    titles: dict[str, str] = field(default_factory=lambda: dict(TITLES))
    error: str = "[GPU] Program build failed.\nThe driver is too old"
    compiled: list[str] = field(default_factory=list)

    @property
    def available_devices(self) -> list[str]:
        return sorted(self.titles, reverse=True)

    def get_property(self, name: str, _key: str) -> str:
        return self.titles[name]

    def compile_model(self, _model: object, name: str, _options: dict[str, str]) -> object:
        self.compiled.append(name)
        raise RuntimeError(self.error)


@pytest.fixture
def core(monkeypatch: pytest.MonkeyPatch) -> FakeCore:
    core = FakeCore()
    monkeypatch.setattr(device, "core", lambda: core)
    return core


def test_devices_are_listed_with_what_they_can_not_do(core: FakeCore) -> None:
    found = {each.name: each for each in devices()}

    assert next(iter(found)) == "CPU"
    assert [each.title for each in found.values()] == [TITLES[name] for name in found]
    assert (found["CPU"].problem, found["CPU"].note) == ("", "")
    assert "paged attention" in found["NPU"].problem
    assert found["GPU.0"].problem == ""
    assert "never run on such a device" in found["GPU.0"].note


@pytest.mark.parametrize("name", ["NPU", "NPU.3720", "AUTO", "HETERO:GPU,CPU"])
def test_what_can_not_run_a_model_is_refused_with_the_reason(name: str, core: FakeCore) -> None:
    with pytest.raises(SlipstreamError, match=r"can't run on .*: .*another device in the settings"):
        require_usable(name)
    assert limit_of(name)


def test_a_device_that_is_gone_is_told(core: FakeCore) -> None:
    require_usable("GPU")
    require_usable("GPU.1")
    del core.titles["GPU.0"], core.titles["GPU.1"]

    with pytest.raises(SlipstreamError, match=r"finds no GPU\.1 on this computer"):
        require_usable("GPU.1")


def test_nothing_is_converted_or_compiled_for_a_device_that_can_not_run_it(
    core: FakeCore, tmp_path: Path
) -> None:
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "m.gguf"), "m")

    with pytest.raises(SlipstreamError, match="paged attention"):
        Engine.load(store, Pair("m", "M", "m", None), options=LoadOptions(device="NPU"))

    assert core.compiled == []
    assert not (store.path("m") / "openvino").exists()


def test_a_driver_that_is_too_old_is_a_sentence(
    core: FakeCore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "m.gguf"), "m")
    monkeypatch.setattr(target, "core", lambda: core)

    with pytest.raises(SlipstreamError, match=r"for GPU: The driver is too old\. Update .* choose CPU"):
        Engine.load(store, Pair("m", "M", "m", None), options=LoadOptions(device="GPU"))

    assert core.compiled == ["GPU"]


def test_each_kind_has_its_compile_options_and_each_device_its_calibration() -> None:
    cpu, gpu = (compile_options(name, "f32", threads=4) for name in ("CPU", "GPU.0"))
    assert cpu["KV_CACHE_PRECISION"] == "f32"
    assert cpu["INFERENCE_NUM_THREADS"] == "4"
    assert gpu["KV_CACHE_PRECISION"] == "f16"
    assert "INFERENCE_NUM_THREADS" not in gpu

    options = [
        LoadOptions(),
        LoadOptions(threads=1),
        *(LoadOptions(device=name) for name in ("GPU.0", "GPU.1")),
    ]
    prints = {calibration.fingerprint_of("w", False, loaded_with=each) for each in options}
    assert len(prints) == len(options)


class Forgetful(FakeDevice):
    """Each pass sees only its own tokens, as where a cache in the computer's memory is not the device's."""

    def __init__(self, name: str, forgets: bool, rows_matter: bool = False) -> None:
        super().__init__(rows_matter=rows_matter)
        self.loaded_with = LoadOptions(device=name)
        self.forgets = forgets

    def take_lone_rows(self, single: bool) -> None:
        pass

    def forward(self, tokens, logits_for=None):
        if self.forgets:
            self.tokens.clear()
        return super().forward(tokens, logits_for)


def test_a_device_that_forgets_between_passes_is_refused() -> None:
    assert remembers(Forgetful("GPU", forgets=False))
    assert not remembers(Forgetful("GPU", forgets=True))
    with pytest.raises(SlipstreamError, match="GPU does not keep the conversation"):
        settle(Forgetful("GPU", forgets=True))


def test_a_device_that_is_not_exact_is_used_and_known(qtbot: QtBot) -> None:
    """GIVEN a probe that fails THEN speculation stays, and the chip says what that means."""
    exact = settle(Forgetful("GPU", forgets=False, rows_matter=True))
    assert exact is False
    chip = StateChip()
    qtbot.addWidget(chip)
    loaded = Loaded(Pair("m", "M", "m", None), exact, 4096)
    chip.engine_loaded(loaded)
    chip.show_stats(
        Stats(tokens=90, speedup=1.8, draft_tokens_now=5, plain_tokens_per_second=9.0), ended=True
    )
    assert "may differ" in chip.state.tip

    chip.engine_loaded(replace(loaded, exact=True))
    assert "may differ" not in chip.state.tip
    chip.engine_loaded(loaded)
    chip.set_mode("off")
    assert "may differ" not in chip.state.tip


def test_the_settings_show_devices_with_reasons(qtbot: QtBot, core: FakeCore, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    page = MachinePage(settings, lambda: None)
    qtbot.addWidget(page)
    page.show_devices([])
    assert page.reasons.isHidden()

    page.show_devices(devices())

    enabled = {
        page.device.itemData(row): bool(
            page.device.model().flags(page.device.model().index(row, 0)) & Qt.ItemFlag.ItemIsEnabled
        )
        for row in range(page.device.count())
    }
    assert enabled == {"CPU": True, "GPU.0": True, "GPU.1": True, "NPU": False}
    assert "paged attention" in page.reasons.text()
    assert not page.reasons.isHidden()
