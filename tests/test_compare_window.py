"""Compare in the window: from a message to the card, cancelled, failed, and with the chat waiting meanwhile."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.colours import DARK, LIGHT
from app.speculation.card import Card
from app.speculation.card_picture import HEIGHT, SCALE, WIDTH, draw
from app.speculation.compare_page import ComparePage
from app.speculation.compare_progress import CompareProgress
from engine.compare import Advanced, Began, Measured, PromptRead
from engine.comparison import Comparison, Run, Side
from engine.errors import SlipstreamError
from engine.events import Delta, Finished, FinishReason, Started
from engine.metrics import Stats
from engine.models.catalogue import Pair
from engine.request import Message, Request, Speculation
from tests.desk import Desk
from tests.fake_engine import FakeEngine, FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
SECRET = "Where did I hide the key?"
WORDS = ("Under ", "the ", "mat, ", "as ", "ever.")
SPEEDS = {True: 10.0, False: 25.0}  # plain, speculative


def figures(tokens: int, plain: bool) -> Stats:
    speed = SPEEDS[plain]
    return Stats(
        prompt_tokens=6,
        tokens=tokens,
        target_passes=tokens if plain else (tokens + 1) // 2,
        drafted=0 if plain else tokens,
        accepted=0 if plain else tokens // 2,
        drafted_by_source={} if plain else {"ngram": tokens},
        ttft_s=0.5,
        decode_s=tokens / speed,
        tokens_per_second=speed,
    )


@dataclass
class TwoSpeeds(FakeEngine):
    """Plain decoding at ten tokens a second, 25 with speculation; `script.error` strikes at the third answer."""

    forgotten: int = 0
    other: tuple[str, ...] = field(default=WORDS)  # what speculation says

    def forget(self) -> None:
        self.forgotten += 1

    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[object]:  # type: ignore[override]
        self.requests.append(request)
        plain = request.speculation is Speculation.OFF
        words = WORDS if plain else self.other
        yield Started(6, 0, 0.5)
        for index, word in enumerate(words):
            if (
                len(self.requests) > 4
                and self.script.gate is not None
                and not self._pass(self.script.gate, cancel)
            ):
                yield Finished(FinishReason.CANCELLED, "", (), figures(index, plain))
                return
            yield Delta(
                word,
                (WORDS.index(word) if word in WORDS else 9,),
                (),
                0,
                "plain",
                0.01,
                figures(index + 1, plain),
            )
        if self.script.error is not None and len(self.requests) > 4:
            raise self.script.error
        ids = tuple(WORDS.index(word) if word in WORDS else 9 for word in words)
        yield Finished(FinishReason.STOP, "".join(words), ids, figures(len(words), plain))


@dataclass
class Shop(Workshop):
    other: tuple[str, ...] = WORDS

    def __call__(self, pair: Pair, progress: object) -> FakeEngine:
        self.engines.append(TwoSpeeds(pair, self.script, other=self.other))
        return self.engines[-1]


@pytest.fixture
def workshop() -> Shop:
    return Shop()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, workshop: Shop) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    yield desk.ready()
    desk.close()


def page(desk: Desk) -> ComparePage:
    return desk.window.compare.page


def start(desk: Desk, prompt: str = SECRET) -> None:
    desk.window.compare.open()
    page(desk).form.prompt.setPlainText(prompt)
    page(desk).form.start.click()


def compared(desk: Desk, prompt: str = SECRET) -> Comparison:
    start(desk, prompt)
    desk.qtbot.waitUntil(lambda: not desk.window.compare.running, timeout=20_000)
    comparison = desk.window.compare.comparison
    assert comparison is not None
    return comparison


def at_the_gate(desk: Desk) -> None:
    """Two warm-ups and two answers have come; the third is held."""
    desk.workshop.script.gate = threading.Event()
    start(desk)
    desk.qtbot.waitUntil(lambda: len(desk.workshop.requests) == 5, timeout=20_000)
    desk.qtbot.waitUntil(lambda: desk.window.compare.comparison is not None)


def test_a_prompt_is_compared_from_start_to_card(desk: Desk, workshop: Shop) -> None:
    comparison = compared(desk)
    assert comparison.complete
    assert comparison.identical is True
    assert page(desk).result.verdict.text() == "Identical: 5 of 5 tokens"
    assert page(desk).result.speedup.text() == "2.50×"
    assert {column.text.toPlainText() for column in page(desk).texts.columns.values()} == {"".join(WORDS)}
    assert page(desk).cards.isVisibleTo(page(desk))
    assert page(desk).form.start.isVisibleTo(page(desk))
    assert not page(desk).form.bar.isVisibleTo(page(desk))
    assert workshop.engines[0].forgotten == 8  # type: ignore[attr-defined]


def test_repeats_and_length_are_chosen_beforehand(desk: Desk, workshop: Shop) -> None:
    page(desk).form.repeats.setValue(1)
    page(desk).form.max_tokens.setValue(64)
    assert len(compared(desk).runs) == 2
    assert workshop.requests[-1].max_tokens == 64
    assert [request.speculation for request in workshop.requests[-2:]] == [Speculation.OFF, Speculation.AUTO]


def test_a_message_brings_its_conversation_along(desk: Desk, workshop: Shop) -> None:
    desk.ask("one")
    desk.ask("two")
    answer = desk.answer
    assert answer.message_id is not None
    answer.compare_asked.emit(answer.message_id)
    form = page(desk).form
    assert desk.window.centre.currentWidget() is page(desk)
    assert form.prompt.toPlainText() == "two"
    assert form.with_before.isVisibleTo(form)
    form.repeats.setValue(1)
    form.start.click()
    desk.qtbot.waitUntil(lambda: not desk.window.compare.running, timeout=20_000)
    assert [message.content for message in workshop.requests[-1].messages] == ["one", "".join(WORDS), "two"]
    form.with_before.setChecked(False)
    form.start.click()
    desk.qtbot.waitUntil(lambda: not desk.window.compare.running, timeout=20_000)
    assert [message.content for message in workshop.requests[-1].messages] == ["two"]


def test_an_earlier_message_is_compared_as_it_was_asked(desk: Desk) -> None:
    desk.ask("one")
    desk.ask("two")
    first = desk.window.view.transcript.messages[0]
    first.compare_button.click()
    assert page(desk).form.prompt.toPlainText() == "one"
    assert not page(desk).form.with_before.isVisibleTo(page(desk).form)


def test_the_settings_of_the_chat_are_taken_over(desk: Desk, workshop: Shop) -> None:
    for name, value in (("temperature", 0.25), ("seed", 77), ("draft_tokens", 3)):
        desk.window.settings_desk.options.set(name, value)
    desk.window.compare.open()
    form = page(desk).form
    assert "temperature 0.25" in form.sampling.text()
    assert "seed 77" in form.sampling.text()
    form.mode.setCurrentIndex(form.mode.findData("on"))
    form.repeats.setValue(1)
    form.prompt.setPlainText("Hi")
    form.start.click()
    desk.qtbot.waitUntil(lambda: not desk.window.compare.running, timeout=20_000)
    asked = workshop.requests[-1]
    assert (asked.sampling.temperature, asked.sampling.seed, asked.draft_tokens) == (0.25, 77, 3)
    card = page(desk).cards.card
    assert card is not None
    assert card.as_json()["settings"]["seed"] == 77


def test_an_answer_is_compared_with_its_own_seed(desk: Desk, workshop: Shop) -> None:
    desk.window.settings_desk.options.set("temperature", 0.8)
    desk.ask("one")
    seed = workshop.requests[-1].sampling.seed
    desk.ask("two")
    desk.window.view.transcript.messages[1].compare_button.click()
    assert f"seed {seed}" in page(desk).form.sampling.text()


def test_what_the_user_wrote_stays_until_another_message_is_compared(desk: Desk) -> None:
    desk.ask("one")
    compare, form = desk.window.compare, page(desk).form
    compare.open()
    form.prompt.setPlainText("My own words")
    compare.leave()
    compare.open()
    assert form.prompt.toPlainText() == "My own words"
    compare.leave()
    desk.ask("two")
    compare.open()
    assert form.prompt.toPlainText() == "two"


def test_cancel_keeps_what_was_measured(desk: Desk) -> None:
    at_the_gate(desk)
    page(desk).form.cancel.click()
    assert not desk.window.compare.running
    notice = page(desk).notice
    assert notice is not None
    assert "kept" in notice.sentence
    card = page(desk).cards.card
    assert card is not None
    assert card.as_json()["complete"] is False
    assert len(card.as_json()["runs"]) == 2
    assert page(desk).form.start.isVisibleTo(page(desk))
    desk.qtbot.waitUntil(lambda: len(desk.workshop.requests) == 5)
    assert page(desk).result.caveats.text().startswith("Ended early")


def test_escape_cancels_and_then_leaves(desk: Desk) -> None:
    at_the_gate(desk)
    desk.qtbot.keyClick(page(desk).form.cancel, Qt.Key.Key_Escape)
    assert not desk.window.compare.running
    assert desk.window.centre.currentWidget() is page(desk)
    desk.qtbot.keyClick(page(desk).form.start, Qt.Key.Key_Escape)
    assert desk.window.centre.currentWidget() is desk.window.view


def test_a_failure_is_told_and_keeps_what_was_measured(desk: Desk, workshop: Shop) -> None:
    workshop.script.error = SlipstreamError("The model could not go on.")
    comparison = compared(desk)
    assert len(comparison.runs) == 2
    notice = page(desk).notice
    assert notice is not None
    assert notice.sentence == "The model could not go on."
    assert page(desk).cards.card is not None


def test_a_refusal_is_a_sentence_and_no_card(desk: Desk, workshop: Shop) -> None:
    workshop.script.unavailable = "this pair has no draft model"
    start(desk)
    desk.qtbot.waitUntil(lambda: not desk.window.compare.running, timeout=20_000)
    notice = page(desk).notice
    assert notice is not None
    assert "no draft model" in notice.sentence
    assert not page(desk).cards.isVisibleTo(page(desk))


def test_chat_waits_for_the_comparison_and_says_so(desk: Desk, workshop: Shop) -> None:
    at_the_gate(desk)
    assert desk.window.board.get("comparing") is None
    desk.window.show_page(desk.window.view)
    assert desk.window.board.get("comparing") is not None
    desk.write("Are you there?")
    assert [message.content for message in workshop.requests[-1].messages] == [SECRET]
    assert any("comparison" in label.text() for label in desk.answer.findChildren(QLabel))
    gate = workshop.script.gate
    assert gate is not None
    with desk.qtbot.waitSignal(desk.window.session.answer_finished, timeout=20_000):
        gate.set()
    assert not desk.window.compare.running
    assert desk.window.board.get("comparing") is None
    assert [message.content for message in workshop.requests[-1].messages] == ["Are you there?"]


def test_another_model_ends_the_comparison(desk: Desk, workshop: Shop) -> None:
    at_the_gate(desk)
    desk.window.pairs.load(desk.window.store.pair("starter"))
    gate = workshop.script.gate
    assert gate is not None
    gate.set()
    desk.qtbot.waitUntil(lambda: not desk.window.compare.running, timeout=20_000)
    notice = page(desk).notice
    assert notice is not None
    assert "Another model" in notice.sentence
    desk.qtbot.waitUntil(lambda: not desk.window.engine.loading, timeout=20_000)


def test_a_difference_is_shown_where_it_begins(desk: Desk, workshop: Shop) -> None:
    workshop.engines[0].other = ("Under ", "the ", "rug.")  # type: ignore[attr-defined]
    for name, value in (("temperature", 0.0), ("repetition_penalty", 1.0)):
        desk.window.settings_desk.options.set(name, value)
    comparison = compared(desk)
    assert comparison.identical is False
    assert page(desk).result.verdict.text() == "First difference at token 3"
    assert "0.2500" in page(desk).result.note.text()
    for column in page(desk).texts.columns.values():
        (marked,) = column.text.extraSelections()
        assert marked.cursor.selectionStart() == len("Under the ")


def test_the_card_tells_figures_machine_and_settings_but_no_words(desk: Desk) -> None:
    compared(desk)
    card = page(desk).cards.card
    assert card is not None
    told = json.loads(card.json())
    assert told["kind"] == "slipstream comparison"
    assert told["version"] == 1
    assert told["identical"] is True
    assert told["speedup"] == {"median": 2.5, "least": 2.5, "most": 2.5}
    assert told["plain"]["tokens_per_second"]["median"] == 10.0
    assert told["speculative"]["tokens_per_second"]["median"] == 25.0
    assert told["settings"]["max_tokens"] == 256
    assert told["settings"]["speculation"] == "auto"
    assert set(told["machine"]) >= {"processor", "cores", "memory_bytes"}
    assert set(told["versions"]) >= {"slipstream", "openvino"}
    assert set(told["pair"]["sha256"]) == set(desk.window.store.pair("starter").models)
    assert [run["side"] for run in told["runs"]] == [
        "plain",
        "speculative",
        "speculative",
        "plain",
        "plain",
        "speculative",
    ]
    words = (SECRET, "".join(WORDS), "mat")
    for text in (card.json(), card.markdown()):
        assert not any(word in text for word in words)
    assert "2.50×" in card.markdown()


def test_prompt_and_answer_are_told_only_when_ticked(desk: Desk) -> None:
    compared(desk)
    cards = page(desk).cards
    before = cards.image
    cards.texts.setChecked(True)
    card = cards.card
    assert card is not None
    told = json.loads(card.json())["texts"]
    assert told["messages"] == [{"role": "user", "content": SECRET}]
    assert told["plain"] == told["speculative"] == "".join(WORDS)
    assert SECRET in card.markdown()
    assert cards.image != before


def test_the_divergence_on_a_card_names_no_token(desk: Desk, workshop: Shop) -> None:
    workshop.engines[0].other = ("Under ", "the ", "rug.")  # type: ignore[attr-defined]
    for name, value in (("temperature", 0.0), ("repetition_penalty", 1.0)):
        desk.window.settings_desk.options.set(name, value)
    compared(desk)
    card = page(desk).cards.card
    assert card is not None
    assert card.as_json()["first_divergence"] == {
        "position": 2,
        "side": "speculative",
        "repeat": 0,
        "margin": pytest.approx(0.25),
    }


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_picture_is_drawn_at_two_pixels_a_unit(desk: Desk, colours) -> None:
    compared(desk)
    card = page(desk).cards.card
    assert card is not None
    image = draw(card, colours)
    assert (image.width(), image.height()) == (WIDTH * SCALE, HEIGHT * SCALE)
    seen = {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)
    }
    assert {colours.page, colours.accent, colours.control} <= seen
    assert len(seen) > 20


def test_three_files_are_saved_beside_each_other_or_one(desk: Desk, tmp_path: Path) -> None:
    compared(desk)
    cards = page(desk).cards
    cards.choose_file = lambda name: (str(tmp_path / "mine.png"), True)
    cards.save_button.click()
    assert {file.name for file in tmp_path.glob("mine.*")} == {"mine.png", "mine.md", "mine.json"}
    assert QImage(str(tmp_path / "mine.png")).width() == WIDTH * SCALE
    assert json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))["identical"] is True
    cards.choose_file = lambda name: (str(tmp_path / "only.md"), False)
    cards.save_button.click()
    assert [file.name for file in tmp_path.glob("only.*")] == ["only.md"]


def test_a_disk_that_refuses_is_told(desk: Desk, tmp_path: Path) -> None:
    compared(desk)
    cards = page(desk).cards
    cards.choose_file = lambda name: (str(tmp_path / "nowhere" / "card.json"), False)
    cards.save_button.click()
    notice = page(desk).notice
    assert notice is not None
    assert "could not be written" in notice.sentence


def test_picture_and_markdown_go_to_the_clipboard(desk: Desk) -> None:
    compared(desk)
    cards = page(desk).cards
    cards.copy_button.click()
    assert QGuiApplication.clipboard().image().width() == WIDTH * SCALE
    cards.markdown_button.click()
    assert QGuiApplication.clipboard().text().startswith("### ")


def test_without_words_there_is_nothing_to_start(desk: Desk) -> None:
    desk.window.compare.open()
    form = page(desk).form
    form.prompt.setPlainText("  \n")
    assert not form.start.isEnabled()
    form.prompt.setPlainText("Hi")
    assert form.start.isEnabled()


def test_narrow_windows_stack_the_columns(desk: Desk) -> None:
    compared(desk)
    texts = page(desk).texts
    tops = []
    for width in (1280, 500):
        desk.window.resize(width, 700)
        desk.qtbot.waitUntil(lambda: texts.width() < desk.window.width())
        desk.qtbot.wait(1)
        tops.append({column.y() for column in texts.columns.values()})
    assert len(tops[0]) == 1
    assert len(tops[1]) == 2


def test_the_time_left_follows_from_what_was_measured() -> None:
    """GIVEN 10 s plain and 4 s with speculation THEN half-way through the third of four 4 - 2 + 10 are left."""
    now = [0.0]
    progress = CompareProgress(2, 100, lambda: now[0])
    assert progress.seconds_left() is None
    progress.take(Began(Side.PLAIN, 0, 1, 4))
    assert progress.seconds_left() is None
    now[0] = 5.0
    progress.take(Advanced(Side.PLAIN, "", Stats(tokens=50)))
    assert progress.seconds_left() == pytest.approx(5.0 + 3 * 10.0)
    assert progress.fraction == pytest.approx(0.125)
    runs: tuple[Run, ...] = ()
    for number, (side, seconds) in enumerate(((Side.PLAIN, 10.0), (Side.SPECULATIVE, 4.0)), 1):
        progress.take(Began(side, 0, number, 4))
        ended = Finished(FinishReason.LENGTH, "", tuple(range(100)), Stats(tokens=100))
        runs += (Run(side, 0, ended, seconds),)
        request = Request((Message("user", "x"),), max_tokens=100)
        progress.take(Measured(Comparison(request, 2, True, runs)))
    progress.take(Began(Side.SPECULATIVE, 1, 3, 4))
    now[0] += 2.0
    assert progress.seconds_left() == pytest.approx(2.0 + 10.0)
    assert progress.fraction == pytest.approx(0.5)


def test_how_much_of_a_long_prompt_is_read_is_told() -> None:
    progress = CompareProgress(1, 100)
    progress.take(Began(Side.PLAIN, 0, 1, 2))
    progress.take(PromptRead(1000, 4000))
    assert progress.read == 0.25
    progress.take(Advanced(Side.PLAIN, "", Stats(tokens=1)))
    assert progress.read is None


def test_a_card_is_named_after_pair_and_time(desk: Desk) -> None:
    compared(desk)
    card = page(desk).cards.card
    assert isinstance(card, Card)
    assert card.name.startswith("slipstream-starter-20")
    assert "/" not in card.name
