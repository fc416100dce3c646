"""The switch and the live panel, offscreen."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import dataclasses
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.speculation import numbers
from app.speculation.numbers import count_of_tokens
from app.speculation.panel import NARROW, SpeculationPanel
from app.speculation.positions import PositionBars
from app.speculation.sparkline import Sparkline
from app.speculation.state import state_of
from app.speculation.switch import SpeculationSwitch
from app.theme import Appearance, Choice
from engine.events import Delta, Finished, FinishReason, Started
from engine.metrics import Baseline, Meter, Stats

pytestmark = [
    pytest.mark.qt_log_ignore("propagateSizeHints", extend=True),
    pytest.mark.usefixtures("plurals"),
]
REASON = "k=4: one more token would cost 3.1 ms for 0.12 tokens"
SAID = "4 guesses a pass: one more would take 3.1 ms and bring 0.12 tokens, which does not pay."


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("en_GB"))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def panel(qtbot: QtBot, clock: Clock) -> SpeculationPanel:
    panel = SpeculationPanel(clock=clock)
    qtbot.addWidget(panel)
    panel.resize(300, 800)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def drafted_blocks(count: int, baseline: Baseline | None = None) -> list[Delta]:
    """Passes of 50 ms with four drafted tokens, of which three are accepted; 80 tokens/s."""
    meter = Meter(1200, baseline or Baseline())
    meter.ttft_s = 0.25
    blocks = []
    for _ in range(count):
        meter.record("draft", drafted=4, accepted=3, committed=4, seconds=0.05)
        blocks.append(Delta("", (1, 2, 3, 4), (1, 2, 3, 9), 3, "draft", 0.05, meter.stats(4, REASON)))
    return blocks


def feed(panel: SpeculationPanel, blocks: list[Delta], mode: str = "auto") -> None:
    panel.answer_started(mode)
    for block in blocks:
        panel.block_arrived(block)
    panel._refresh()


def shown(panel: SpeculationPanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def figure(panel: SpeculationPanel, key: str) -> str:
    rows = panel._figures if key in panel._figures._figures else panel._details
    return rows.figure(key).replace("\u00a0", " ").replace("\u202f", " ")


def test_an_idle_panel_shows_no_figures(panel: SpeculationPanel) -> None:
    panel.set_state(state_of("auto", None, None))
    assert [text for text in shown(panel) if text] == [
        "Speculation",
        "Ready",
        "Send a message: the figures of its answer appear here.",
    ]


def test_the_figures_of_an_answer(panel: SpeculationPanel) -> None:
    feed(panel, drafted_blocks(500))
    assert figure(panel, "acceptance") == "75 % · 1,500 of 2,000"
    assert figure(panel, "per_pass") == "4.00"
    assert figure(panel, "speed") == "80.0 tokens/s"
    assert figure(panel, "drafted") == "draft model 2,000 · 100 %"
    assert figure(panel, "passes") == "500"
    assert figure(panel, "ttft") == "250 ms"
    assert figure(panel, "prompt") == count_of_tokens(1200)
    assert figure(panel, "answer") == count_of_tokens(2000)
    assert SAID in shown(panel)


def test_reused_prompt_tokens_come_with_started(panel: SpeculationPanel) -> None:
    panel.answer_started("auto")
    panel.prompt_read(Started(prompt_tokens=1200, reused_tokens=1000, ttft_s=1.5))
    panel._refresh()
    assert figure(panel, "prompt") == f"{count_of_tokens(1200)} · 1,000 reused"
    assert figure(panel, "ttft") == "1.50 s"


def test_no_baseline_no_speedup(panel: SpeculationPanel) -> None:
    feed(panel, drafted_blocks(3))
    assert panel._headline.text() == "–"
    assert panel._caption.text().startswith("Plain decoding has not been measured yet")
    assert figure(panel, "plain") == "–"
    assert figure(panel, "measured") == "not measured yet"
    panel.answer_finished(Finished(FinishReason.STOP, "", (), drafted_blocks(3)[-1].stats))
    assert panel._caption.text().startswith("Plain decoding was not measured")
    assert figure(panel, "measured") == "not measured"


@pytest.mark.parametrize(
    ("plain_pass_s", "number", "caption"),
    [
        (0.0250, "2.0×", "Faster than plain decoding"),
        (0.0125, "1.0×", "As fast as plain decoding"),
        (0.0100, "0.8×", "Slower than plain decoding"),
    ],
)
def test_a_measured_speedup_is_the_big_number(
    panel: SpeculationPanel, plain_pass_s: float, number: str, caption: str
) -> None:
    baseline = Baseline()
    baseline.observe(plain_pass_s, context=100)
    feed(panel, drafted_blocks(20, baseline))
    assert (panel._headline.text(), panel._caption.text()) == (number, caption)
    assert figure(panel, "plain") == f"{1 / plain_pass_s:.1f} tokens/s"


def test_the_age_of_the_baseline_goes_on(panel: SpeculationPanel, clock: Clock) -> None:
    [block] = drafted_blocks(1)
    stats = dataclasses.replace(block.stats, plain_tokens_per_second=30.0, plain_measured_s_ago=12.0)
    panel.answer_started("auto")
    clock.now += 20.0
    panel.block_arrived(dataclasses.replace(block, stats=stats))
    panel._refresh()
    assert figure(panel, "measured") == "measured 12 s ago in this answer"
    clock.now += 120.0
    panel._age_timer.timeout.emit()
    assert figure(panel, "measured") == "measured 2 min ago in this answer"
    panel.answer_started("auto")
    panel.block_arrived(dataclasses.replace(block, stats=stats))
    panel._refresh()
    assert figure(panel, "measured") == "measured 12 s ago in an earlier answer"


def test_memory_of_the_context_is_shown_with_its_limit(panel: SpeculationPanel) -> None:
    stats = Stats(tokens=1, context_tokens=1_024, context_limit=32_768, kv_bytes=57_000_000)
    feed(panel, [Delta("", (1,), (), 0, "plain", 0.033, stats)], mode="off")
    assert figure(panel, "context").replace("\u00a0", " ") == f"1,024 of {count_of_tokens(32_768)}"
    assert figure(panel, "kv").replace("\u00a0", " ") == "57 MB"
    feed(panel, [Delta("", (1,), (), 0, "plain", 0.033, Stats(tokens=1))])
    assert figure(panel, "context") == figure(panel, "kv") == "–"


def test_plain_decoding_shows_no_draft_figures(panel: SpeculationPanel) -> None:
    stats = Stats(
        tokens=9, target_passes=9, tokens_per_second=30.0, plain_tokens_per_second=30.0, speedup=1.0
    )
    feed(panel, [Delta("", (1,), (), 0, "plain", 0.033, stats)] * 9, mode="off")
    texts = shown(panel)
    assert "Plain decoding: one token a pass." in texts
    assert not any(
        "×" in text or text in ("Right guesses", "Guesses in a pass", "Guessed by") for text in texts
    )
    assert figure(panel, "speed") == "30.3 tokens/s"


def test_the_end_shows_the_answers_mean_and_keeps_the_reason(panel: SpeculationPanel) -> None:
    blocks = drafted_blocks(5)
    feed(panel, blocks)
    final = dataclasses.replace(blocks[-1].stats, tokens_per_second=70.0, draft_tokens_now=0, pace_reason="")
    panel.answer_finished(Finished(FinishReason.STOP, "", (), final))
    assert figure(panel, "speed") == "70.0 tokens/s"
    assert "Speed" in shown(panel)
    assert SAID in shown(panel)


def test_few_tokens_show_a_dash_and_why(panel: SpeculationPanel) -> None:
    baseline = Baseline()
    baseline.observe(0.01, context=100)
    feed(panel, drafted_blocks(2, baseline))
    assert panel._headline.text() == "–"
    assert panel._caption.text() == "Too few tokens to compare: a speedup is shown from 32 on."


def test_clear_and_a_new_answer_forget_the_last_one(panel: SpeculationPanel) -> None:
    feed(panel, drafted_blocks(5))
    panel.answer_started("auto")
    assert figure(panel, "acceptance") == "–"
    assert panel._positions.accessibleDescription() == "Nothing guessed yet"
    panel.clear()
    assert "Right guesses" not in shown(panel)


def test_blocks_of_no_answer_are_ignored(panel: SpeculationPanel) -> None:
    panel.block_arrived(drafted_blocks(1)[0])
    panel._refresh()
    assert "Right guesses" not in shown(panel)


def test_a_burst_is_shown_in_one_refresh(panel: SpeculationPanel, qtbot: QtBot) -> None:
    panel.answer_started("auto")
    before = panel.refreshes
    for block in drafted_blocks(2000):
        panel.block_arrived(block)
    assert panel.refreshes == before
    qtbot.waitUntil(lambda: figure(panel, "passes") == "2,000")
    assert panel.refreshes <= before + 2  # the timer of the baseline's age may fire once


def test_a_hidden_panel_does_no_work_and_catches_up(panel: SpeculationPanel) -> None:
    panel.answer_started("auto")
    panel.hide()
    for block in drafted_blocks(10):
        panel.block_arrived(block)
    assert not panel._timer.isActive()
    assert not panel._age_timer.isActive()
    panel.show()
    assert figure(panel, "passes") == "10"


def test_the_charts_say_what_they_show(panel: SpeculationPanel) -> None:
    feed(panel, drafted_blocks(500))
    sparkline, bars = panel.findChild(Sparkline), panel.findChild(PositionBars)
    assert sparkline is not None
    assert bars is not None
    assert sparkline.accessibleDescription() == "Now 80.0 tokens/s, highest 80.0 tokens/s"
    assert bars.accessibleDescription().replace("\u202f", " ") == (
        "position 1: 100 %, 500/500; position 2: 100 %, 500/500; "
        "position 3: 100 %, 500/500; position 4: 0 %, 0/500"
    )


def pixels(image: QImage, colour: str) -> int:
    wanted = QImage(1, 1, QImage.Format.Format_RGB32)
    wanted.fill(colour)
    rgb = wanted.pixel(0, 0)
    return sum(image.pixel(x, y) == rgb for x in range(image.width()) for y in range(image.height()))


@pytest.mark.parametrize("choice", [Choice.LIGHT, Choice.DARK])
def test_bars_are_as_long_as_the_acceptance(qtbot: QtBot, choice: Choice) -> None:
    Appearance.shared().choose(choice)
    filled = []
    for accepted in (0, 50, 100):
        bars = PositionBars()
        qtbot.addWidget(bars)
        bars.show_positions([(100, accepted)])
        bars.resize(300, bars.sizeHint().height())
        filled.append(pixels(bars.grab().toImage(), Appearance.shared().colours.accent))
    assert filled[0] == 0
    assert filled[1] > 100
    assert 1.8 < filled[2] / filled[1] < 2.2
    Appearance.shared().choose(Choice.SYSTEM)


@pytest.mark.parametrize("width", [NARROW, 300, 340])
def test_long_words_and_large_numbers_do_not_widen_the_panel(panel: SpeculationPanel, width: int) -> None:
    stats = Stats(
        tokens=10**7,
        target_passes=10**7,
        drafted=10**8,
        accepted=10**7,
        acceptance_rate=0.1,
        accepted_by_position=((10**7, 10**7),) * 31,
        drafted_by_source={"ngram": 10**7, "draft": 10**7, "dflash": 10**7},
        speedup=12.3,
        pace_reason="x" * 300,
    )
    panel.resize(width, 800)
    panel.set_state(state_of("auto", "Qwen2.5-Coder-0.5B-Instruct" * 5 + " <b>is not</b> a draft", None))
    feed(panel, [Delta("", (1,), (), 0, "plain", 0.1, stats)])
    QApplication.processEvents()
    assert panel.width() == width
    body = panel._state.parentWidget()
    assert body is not None
    assert body.width() <= width
    assert all(label.geometry().right() <= body.width() for label in panel.findChildren(QLabel))


def test_a_change_of_the_theme_repaints(panel: SpeculationPanel) -> None:
    Appearance.shared().choose(Choice.LIGHT)
    light = panel.grab().toImage().pixelColor(2, 2).lightness()
    Appearance.shared().choose(Choice.DARK)
    assert panel.grab().toImage().pixelColor(2, 2).lightness() < light
    Appearance.shared().choose(Choice.SYSTEM)


def test_every_figure_has_a_definition(panel: SpeculationPanel) -> None:
    feed(panel, drafted_blocks(2))
    assert (
        "guesses that the big model accepted / all guesses" in panel._figures._figures["acceptance"].toolTip()
    )
    for rows in (panel._figures, panel._details):
        assert all(label.toolTip().endswith(".</p>") for label in rows._figures.values())


@pytest.mark.parametrize(
    ("locale", "decimal", "whole", "percent"),
    [("en_GB", "1.5", "12,345", "75\u202f%"), ("de_DE", "1,5", "12.345", "75\u202f%")],
)
def test_numbers_follow_the_locale(locale: str, decimal: str, whole: str, percent: str) -> None:
    QLocale.setDefault(QLocale(locale))
    assert (numbers.decimal(1.5), numbers.whole(12345), numbers.percent(0.75)) == (decimal, whole, percent)


@pytest.mark.parametrize(
    ("age", "text"),
    [(0.4, "just now"), (1.2, "1 s ago"), (59.9, "59 s ago"), (61, "1 min ago"), (7300, "2 h ago")],
)
def test_ages(age: float, text: str) -> None:
    assert numbers.ago(age) == text


@pytest.fixture
def switch(qtbot: QtBot) -> SpeculationSwitch:
    switch = SpeculationSwitch()
    qtbot.addWidget(switch)
    switch.show()
    switch.activateWindow()
    qtbot.waitExposed(switch)
    return switch


def test_the_switch_begins_at_auto_and_tells_of_changes_only(switch: SpeculationSwitch) -> None:
    told: list[str] = []
    switch.changed.connect(told.append)
    assert switch.value() == "auto"
    switch.set_value("off")
    switch.set_value("off")
    assert (switch.value(), told) == ("off", ["off"])
    with pytest.raises(ValueError, match="'sometimes' is none of auto, on, off"):
        switch.set_value("sometimes")


def test_a_click_anywhere_on_a_segment_chooses_it(switch: SpeculationSwitch, qtbot: QtBot) -> None:
    segment = switch._segments["on"]
    qtbot.mouseClick(segment, Qt.MouseButton.LeftButton, pos=segment.rect().bottomRight())
    assert switch.value() == "on"


def test_arrow_keys_move_the_choice_and_tab_enters_once(switch: SpeculationSwitch, qtbot: QtBot) -> None:
    auto = switch._segments["auto"]
    auto.setFocus()
    for expected in ("on", "off"):
        focused = switch.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Right)
        assert switch.value() == expected
    can_be_tabbed_to = [
        bool(segment.focusPolicy() & Qt.FocusPolicy.TabFocus) for segment in switch._segments.values()
    ]
    assert can_be_tabbed_to == [False, False, True]


def test_an_unavailable_switch_says_why(switch: SpeculationSwitch, qtbot: QtBot) -> None:
    switch.set_unavailable("the vocabularies differ in <unk>")
    assert not switch.isEnabled()
    for segment in switch._segments.values():
        assert "not available: the vocabularies differ in &lt;unk&gt;" in segment.toolTip()
    qtbot.mouseClick(switch._segments["off"], Qt.MouseButton.LeftButton)
    assert switch.value() == "auto"
    switch.set_unavailable(None)
    assert switch.isEnabled()
    assert "not available" not in switch._segments["off"].toolTip()


def test_the_segments_have_names_for_screen_readers(switch: SpeculationSwitch) -> None:
    names = [segment.accessibleName() for segment in switch._segments.values()]
    assert names == ["Speculation: Auto", "Speculation: On", "Speculation: Off"]
    assert all(segment.accessibleDescription() for segment in switch._segments.values())
