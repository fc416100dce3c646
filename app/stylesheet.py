"""The style sheet of the whole window, from the colours and the type scale in force."""

from typing import TYPE_CHECKING

from app.colours import RADIUS, SCROLL_BAR, Colours
from app.style_controls import controls

if TYPE_CHECKING:
    from app.theme import Appearance


def stylesheet(c: Colours, look: "Appearance") -> str:
    small = look.points("small")
    return (
        controls(c, look)
        + f"""
    QToolTip {{ color: {c.text}; background: {c.raised}; border: 1px solid {c.border}; padding: 4px; }}
    #sidebar, #headerBar, #findBar {{ background: {c.side}; }}
    QLineEdit {{ background: {c.page}; border: 1px solid {c.control}; border-radius: 6px;
        padding: 5px 8px; }}
    QLineEdit:focus {{ border: 1px solid {c.accent}; }}
    QPushButton {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.border};
        border-radius: 6px; padding: 6px 12px; }}
    QPushButton:hover {{ border-color: {c.control}; }}
    QPushButton:focus {{ border: 1px solid {c.accent}; }}
    QPushButton:disabled {{ color: {c.muted}; border-color: {c.border}; background: {c.side}; }}
    QPushButton[kind="primary"] {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent};
        font-weight: 600; }}
    QPushButton[kind="primary"]:focus {{ border: 1px solid {c.text}; }}
    QPushButton[kind="primary"]:disabled {{ background: {c.raised}; color: {c.muted};
        border-color: {c.border}; }}
    QPushButton[kind="action"] {{ background: transparent; border: none; border-bottom: 1px solid transparent;
        border-radius: 0; color: {c.muted}; padding: 2px 0; font-size: {small}pt; }}
    QPushButton[kind="action"]:hover {{ color: {c.text}; }}
    QPushButton[kind="action"]:focus {{ border-bottom: 1px solid {c.accent}; color: {c.text}; }}
    QPushButton[kind="chevron"] {{ background: transparent; border: 1px solid transparent; border-radius: 4px;
        color: {c.muted}; padding: 1px 7px; font-size: {small}pt; }}
    QPushButton[kind="chevron"]:hover {{ color: {c.text}; background: {c.raised}; }}
    QPushButton[kind="chevron"]:focus {{ border: 1px solid {c.accent}; color: {c.text}; }}
    QPushButton[kind="chevron"]:disabled {{ color: {c.border}; background: transparent; }}
    QPushButton[kind="action"]:disabled {{ color: {c.control}; background: transparent; }}
    QPushButton[kind="toggle"] {{ background: transparent; border: 1px solid {c.border}; color: {c.muted};
        padding: 3px 10px; }}
    QPushButton[kind="toggle"]:hover {{ color: {c.text}; border-color: {c.control}; }}
    QPushButton[kind="toggle"]:checked {{ background: {c.raised}; color: {c.text}; border-color: {c.control}; }}
    QPushButton[kind="toggle"]:focus {{ border-color: {c.accent}; }}
    QPushButton[kind="example"] {{ text-align: left; padding: 10px 14px; background: {c.page}; }}
    QPushButton[kind="example"]:hover {{ background: {c.side}; }}
    QLabel[kind="muted"] {{ color: {c.muted}; }}
    QLabel[kind="small"] {{ color: {c.muted}; font-size: {small}pt; }}
    QLabel[kind="field"] {{ font-weight: 500; }}
    QLabel[kind="field"][changed="true"] {{ font-weight: 700; color: {c.accent}; }}
    QLabel[kind="heading"] {{ font-size: {look.points("h3")}pt; font-weight: 600; }}
    QLabel[kind="complaint"] {{ color: {c.danger}; font-size: {small}pt; }}
    QTabBar::tab {{ background: transparent; color: {c.muted}; padding: 8px 14px; border: none;
        border-bottom: 2px solid transparent; }}
    #settingsTabs::tab-bar {{ left: 10px; }}
    QTabBar::tab:hover {{ color: {c.text}; }}
    QTabBar::tab:selected {{ color: {c.text}; border-bottom-color: {c.accent}; }}
    QTabBar::tab:selected:focus {{ background: {c.raised}; }}
    #numberFrame {{ background: {c.page}; border: 1px solid {c.control}; border-radius: 6px; }}
    #numberFrame[focused="true"] {{ border: 1px solid {c.accent}; }}
    #numberFrame:disabled {{ border-color: {c.border}; }}
    #settingText {{ background: {c.page}; border: 1px solid {c.control}; border-radius: 6px; padding: 2px; }}
    #settingText:focus {{ border: 1px solid {c.accent}; }}
    QLabel[kind="title"] {{ font-size: {look.points("title")}pt; font-weight: 600; }}
    QLabel[kind="compareSide"] {{ font-size: {look.points("h3")}pt; font-weight: 600; }}
    QLabel[kind="compareVerdict"] {{ font-size: {look.points("h1")}pt; font-weight: 600; }}
    QLabel[kind="compareVerdict"][different="true"] {{ color: {c.danger}; }}
    QLabel[kind="compareNumber"] {{ font-size: {2.2 * look.points("title"):.1f}pt; font-weight: 600; }}
    QLabel[kind="compareNumber"][gains="true"] {{ color: {c.accent}; }}
    #comparePrompt {{ background: {c.page}; border: 1px solid {c.control}; border-radius: 6px; padding: 4px; }}
    #comparePrompt:focus {{ border: 1px solid {c.accent}; }}
    #comparePrompt:disabled {{ color: {c.muted}; border-color: {c.border}; background: {c.side}; }}
    #compareText, #compareText:focus {{ background: transparent; border: none; padding: 0; }}
    #userBubble {{ background: {c.raised}; border-radius: {RADIUS + 2}px; }}
    #codeBlock {{ background: {c.code}; border: 1px solid {c.border}; border-radius: {RADIUS}px; }}
    #codeHeader {{ background: transparent; }}
    #rule {{ background: {c.border}; border: none; }}
    #quoteBlock {{ border: none; border-left: 3px solid {c.border}; }}
    #quoteBlock[mirrored="true"] {{ border: none; border-right: 3px solid {c.border}; }}
    #notice {{ background: {c.danger_page}; border: none; border-left: 3px solid {c.danger};
        border-radius: 4px; }}
    #notice QLabel {{ color: {c.text}; background: transparent; }}
    #notice[tone="plain"] {{ background: {c.side}; border-left-color: {c.control}; }}
    #notice[mirrored="true"] {{ border: none; border-right: 3px solid {c.danger}; }}
    #notice[mirrored="true"][tone="plain"] {{ border-right-color: {c.control}; }}
    #importDialog QRadioButton {{ padding: 3px 0; }}
    #importDialog QRadioButton::indicator {{ width: 12px; height: 12px; border: 1px solid {c.control};
        border-radius: 7px; background: {c.page}; }}
    #importDialog QRadioButton::indicator:checked {{ width: 6px; height: 6px; border: 4px solid {c.accent}; }}
    #importDialog QRadioButton:focus {{ color: {c.accent}; }}
    #modelList {{ background: transparent; border: 1px solid transparent; outline: none; }}
    #modelList:focus {{ border: 1px solid {c.accent}; border-radius: 6px; }}
    #fileChip {{ background: {c.raised}; border: 1px solid {c.border}; border-radius: 6px; }}
    #fileChip QLabel {{ background: transparent; border: none; }}
    QPushButton[kind="icon"] {{ background: transparent; border: 1px solid transparent; border-radius: 6px;
        padding: 0; }}
    QPushButton[kind="icon"]:hover {{ background: {c.raised}; }}
    QPushButton[kind="icon"]:focus {{ border-color: {c.accent}; }}
    #transcript, #speculationScroll {{ border: 1px solid transparent; }}
    #transcript:focus, #speculationScroll:focus {{ border: 1px solid {c.accent}; }}
    QTreeView {{ background: {c.page}; border: 1px solid {c.border}; border-radius: 6px; padding: 2px; }}
    QTreeView:focus {{ border: 1px solid {c.accent}; }}
    QTreeView::item {{ padding: 3px 4px; }}
    QHeaderView::section {{ background: {c.page}; color: {c.muted}; border: none;
        border-bottom: 1px solid {c.border}; padding: 5px 6px; }}
    #dropSign {{ background: {c.page}; color: {c.text}; border: 2px dashed {c.accent};
        font-size: {look.points("h2")}pt; }}
    #composerFrame {{ background: {c.page}; border: 1px solid {c.control}; border-radius: {RADIUS + 2}px; }}
    #composerFrame[focused="true"] {{ border: 1px solid {c.accent}; }}
    #composerFrame QPlainTextEdit {{ font-size: {look.points("body")}pt; background: transparent; border: none;
        padding: 0; }}
    #card {{ background: {c.side}; border: 1px solid {c.border}; border-radius: {RADIUS + 2}px; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QProgressBar {{ background: {c.raised}; border: none; border-radius: 3px; max-height: 6px; }}
    QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
    #chip {{ color: {c.text}; background: {c.raised}; border: 1px solid transparent; border-radius: 9px;
        padding: 2px 9px; font-size: {small}pt; }}
    #popover {{ background: {c.page}; border: 1px solid {c.control}; }}
    QLabel[kind="panelHeading"] {{ font-weight: 600; }}
    #chip:hover {{ border-color: {c.control}; }}
    #chip:focus {{ border-color: {c.accent}; }}
    QScrollBar:vertical {{ background: transparent; width: {SCROLL_BAR}px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: {SCROLL_BAR}px; margin: 0; }}
    QScrollBar::handle {{ background: {c.control}; border-radius: 2px; margin: 3px; }}
    QScrollBar::handle:disabled {{ background: transparent; }}
    QScrollBar::handle:vertical {{ min-height: 32px; }}
    QScrollBar::handle:horizontal {{ min-width: 32px; }}
    QScrollBar::handle:hover {{ background: {c.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QMenuBar {{ background: {c.side}; }}
    QMenuBar::item {{ padding: 4px 10px; background: transparent; }}
    QMenuBar::item:selected {{ background: {c.raised}; border-radius: 4px; }}
    #jump {{ background: {c.raised}; border: 1px solid {c.control}; border-radius: 10px; padding: 5px 14px; }}
    QSplitter::handle {{ background: {c.border}; }}
    #gap::handle {{ background: transparent; }}
    QLabel[kind="lesson"] {{ font-size: {look.points("body")}pt; }}
    """
    )
