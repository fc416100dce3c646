"""Every text colour can be read on every ground that it is used on (WCAG AA, 4.5 : 1)."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from pygments.styles import get_style_by_name
from pygments.token import Whitespace
from pytestqt.qtbot import QtBot

from app import theme
from app.colours import with_more_contrast
from app.theme import DARK, LIGHT, Appearance, Choice, Colours

AA = 4.5


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_has_its_known_ends() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read(theme: Colours) -> None:
    for ground in (theme.page, theme.side, theme.raised, theme.code):
        for text in (theme.text, theme.muted):
            assert contrast(text, ground) >= AA, (text, ground)
    for text, ground in (
        (theme.accent, theme.page),
        (theme.on_accent, theme.accent),
        (theme.text, theme.danger_page),
        (theme.text, theme.chosen),
    ):
        assert contrast(text, ground) >= AA, (text, ground)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_more_contrast_is_aaa_and_leaves_no_faint_border(theme: Colours) -> None:
    strong = with_more_contrast(theme)
    for ground in (strong.page, strong.side, strong.raised, strong.code, strong.chosen, strong.danger_page):
        for front in (strong.text, strong.muted, strong.border, strong.control):
            assert contrast(front, ground) >= 7, (front, ground)


def test_a_system_that_asks_for_contrast_gets_it(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Appearance.shared()
    with monkeypatch.context() as patch:
        patch.setattr(theme, "_system_wants_contrast", lambda: True)
        look.choose(Choice.LIGHT)
        assert look.colours == with_more_contrast(LIGHT)
    look.choose(Choice.LIGHT)
    assert look.colours == LIGHT
    look.choose(Choice.SYSTEM)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_borders_of_controls_can_be_seen(theme: Colours) -> None:
    assert contrast(theme.control, theme.page) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_highlighted_code_can_be_read(theme: Colours) -> None:
    colours = {
        style["color"]
        for kind, style in get_style_by_name(theme.pygments)
        if style["color"] and kind is not Whitespace
    }
    weak = {c: round(contrast("#" + c, theme.code), 2) for c in colours if contrast("#" + c, theme.code) < 3}
    assert weak == {}


def test_choosing_a_theme_tells_the_widgets(qtbot: QtBot) -> None:
    look = Appearance.shared()
    with qtbot.waitSignal(look.changed):
        look.choose(Choice.DARK)
    assert look.colours is DARK
    look.choose(Choice.LIGHT)
    assert look.colours is LIGHT
