"""The window: conversations left, one of them in the middle, what speculation does on the right."""

from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.attachments.drop import Attaching
from app.chat.conversation_view import ConversationView
from app.chat.conversations import Conversations
from app.chat.drafts import Drafts
from app.chat.notice import NoticeBoard
from app.chat.session import ChatSession
from app.chat.sidebar import Sidebar
from app.chat.transfer import Transfer
from app.chat.turn_keys import TurnKeys
from app.header import Header
from app.history.store import HistoryStore
from app.menus import Menus
from app.models.fetch_page import FetchPage
from app.models.load_row import LoadRow
from app.models.manager import ModelManager
from app.models.pairing import Pairing
from app.models.pairs import STARTER, Pairs
from app.models.shop import Shop
from app.settings.settings import Settings
from app.settings.settings_desk import SettingsDesk
from app.speculation.compare import Compare
from app.speculation.insight import Insight
from app.speculation.panel import SpeculationPanel
from app.state_chip import StateChip
from app.theme import Appearance, Choice
from app.window_shape import WindowShape
from app.worker import EngineFactory, EngineThread, FailureLog
from engine.events import Delta, Finished
from engine.models.store import ModelStore


class MainWindow(QMainWindow):
    def __init__(
        self,
        store: ModelStore,
        factory: EngineFactory,
        history: HistoryStore,
        home: Path,
        preferences: Settings,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Slipstream")
        self.store = store
        self.history = history
        self.log = FailureLog(home / "slipstream.log")
        self.settings = QSettings(str(home / "window.ini"), QSettings.Format.IniFormat)
        self.preferences = preferences
        Appearance.shared().enlarge(preferences.now.font_percent)
        Appearance.shared().choose(preferences.now.theme)
        self.engine = EngineThread(factory, self.log, self)
        self.session = ChatSession(history, self.engine, self)
        self.chip = StateChip(self)
        self.header = Header(self.chip, self)
        self.sidebar = Sidebar(self)
        self.board = NoticeBoard(self)
        self.load_row = LoadRow(self)
        self.view = ConversationView(self.session, self, Drafts(self.settings))
        self.panel = SpeculationPanel(self)
        self.fetch_page = FetchPage(self)
        self.shop = Shop(store, self.log, self.fetch_page, self)
        self.conversations = Conversations(self.session, self.sidebar, self.settings, self)
        self.pairs = Pairs(self)
        self._started = False
        self._may_lose = False  # the user closes although something could not be written
        self._build()
        self._connect()
        self.menus = Menus(self)
        self.transfer = Transfer(self)
        self.settings_desk = SettingsDesk(self)
        self.attaching = Attaching(self)
        self.turn_keys = TurnKeys(self)
        self.compare = Compare(self)
        self.pairing = Pairing(self)
        self.insight = Insight(self)
        self.manager = ModelManager(self)
        self.shape.restore()
        self.conversations.refresh()
        QTimer.singleShot(0, self, self.start)

    def start(self) -> None:
        """Loads what was used last, else an installed pair, else offers the starter. Once, whoever asks first."""
        if self._started:
            return
        self._started = True
        if self.history.notice:
            self.board.put("history", self.history.notice)
        self.pairs.start(self.settings.value("pair", STARTER))

    def show_page(self, page: QWidget) -> None:
        self.centre.setCurrentWidget(page)

    def new_chat(self) -> None:
        self.session.new()
        self.focus_composer()

    def focus_search(self) -> None:
        self.sidebar.show()
        self.sidebar.search.setFocus()
        self.sidebar.search.selectAll()

    def focus_composer(self) -> None:
        self.view.composer.edit.setFocus()

    def copy_last_answer(self) -> None:
        last = self.view.transcript.last_answer()
        if last is not None:
            last.copy()

    def toggle_panel(self) -> None:
        self.shape.toggle_panel()

    def toggle_sidebar(self) -> None:
        self.shape.toggle_sidebar()

    def choose_theme(self, choice: Choice) -> None:
        self.preferences.change(theme=choice)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.shape.fit()

    def tell_unexpected(self, error: BaseException) -> None:
        """What nobody foresaw: one sentence here, the rest in the log."""
        self.board.put("unexpected", self.log.sentence(error))

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.session.close() and not self._may_lose:
            self._may_lose = True
            sentence = self.tr("The last answer is not saved yet. Close once more to give it up.")
            self.board.put("closing", sentence)
            event.ignore()
            return
        self.shape.save()
        self.view.keep_draft()
        self.settings.sync()
        self.settings_desk.meter.close()
        self.shop.fetcher.close()
        self.manager.close()
        self.engine.close()
        super().closeEvent(event)

    def _switched(self) -> None:
        self.session.mode = self.header.switch.value()
        self.chip.set_mode(self.session.mode)

    def _deltas_arrived(self, _conversation: int, deltas: list[Delta]) -> None:
        for delta in deltas:
            self.panel.block_arrived(delta)
        self.chip.show_stats(deltas[-1].stats)

    def _answer_finished(self, _conversation: int, finished: Finished) -> None:
        self.panel.answer_finished(finished)
        self.chip.show_stats(finished.stats, ended=True)

    def _opened(self) -> None:
        """The figures of another chat's answer go, unless it is still coming."""
        if self.session.answer is None:
            self.panel.clear()

    def _not_written(self, sentence: str) -> None:
        calm = self.tr("{problem} Nothing is lost yet: Slipstream tries again each second.")
        self.board.put("writing", calm.format(problem=sentence))

    def _written(self) -> None:
        self._may_lose = False
        for topic in ("writing", "closing"):
            self.board.drop(topic)

    def _connect(self) -> None:
        engine, session, panel = self.engine, self.session, self.panel
        self.header.switch.changed.connect(self._switched)
        self.header.panel_button.clicked.connect(self.toggle_panel)
        self.sidebar.search_left.connect(self.focus_composer)
        self.conversations.message_wanted.connect(self.view.show_message)
        session.answer_started.connect(lambda _conversation, mode: panel.answer_started(mode))
        session.deltas_arrived.connect(self._deltas_arrived)
        session.answer_finished.connect(self._answer_finished)
        session.opened.connect(self._opened)
        session.user_added.connect(lambda: self.board.drop("chats"))
        session.trouble.connect(lambda sentence: self.board.put("chats", sentence))
        session.recorder.failed.connect(self._not_written)
        session.recorder.recovered.connect(self._written)
        engine.started.connect(panel.prompt_read)
        self.chip.changed.connect(panel.set_state)

    def _build(self) -> None:
        self.centre = QStackedWidget(self)
        self.centre.addWidget(self.view)
        self.centre.addWidget(self.fetch_page)
        middle = QWidget(self)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.load_row)
        column.addWidget(self.board)
        column.addWidget(self.centre, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        for widget in (self.sidebar, middle, self.panel):
            splitter.addWidget(widget)
        splitter.setStretchFactor(1, 1)
        splitter.setCollapsible(1, False)
        splitter.setHandleWidth(1)
        splitter.setSizes([230, 760, 300])
        self.shape = WindowShape(self, splitter)
        self.setCentralWidget(splitter)
        self.setMinimumSize(480, 400)
