"""The style sheet's part for fields and lists: combo and spin boxes, ticks, lists of rows, menus.

A style sheet can't draw: arrows and ticks are pictures of 64 pixels in assets/controls, in a grey that has 3 : 1 on
both themes' grounds, and in the two colours that stand on the accent.
"""

from typing import TYPE_CHECKING

from app.colours import Colours
from engine.models import paths

if TYPE_CHECKING:
    from app.theme import Appearance

ARROW = 0.9  # of the text's points, in pixels of the arrows and ticks at 96 dpi


def controls(c: Colours, look: "Appearance") -> str:
    return "".join((_combo_boxes(c, look), _spin_boxes(c, look), _ticks(c, look), _lists(c), _menus(c, look)))


def _combo_boxes(c: Colours, look: "Appearance") -> str:
    arrow = _size(look, ARROW)
    return f"""
    QComboBox {{ background: {c.page}; color: {c.text}; border: 1px solid {c.control}; border-radius: 6px;
        padding: 5px 8px; }}
    QComboBox:hover {{ background: {c.side}; }}
    QComboBox:focus, QComboBox:on {{ border: 1px solid {c.accent}; }}
    QComboBox:disabled {{ color: {c.muted}; background: {c.side}; border-color: {c.border}; }}
    QComboBox::drop-down {{ subcontrol-origin: padding; subcontrol-position: center right;
        width: {2 * arrow}px; border: none; }}
    QComboBox::down-arrow {{ image: {_url("down")}; width: {arrow}px; height: {arrow}px; }}
    QComboBox QAbstractItemView {{ background: {c.page}; border: 1px solid {c.control}; padding: 4px;
        border-radius: 0; outline: none; selection-background-color: {c.raised};
        selection-color: {c.text}; }}
    QComboBox QAbstractItemView::item {{ min-height: 26px; padding: 0 6px; }}
    QComboBox QAbstractItemView::item:disabled {{ color: {c.muted}; }}
    """


def _spin_boxes(c: Colours, look: "Appearance") -> str:
    arrow = _size(look, 0.8 * ARROW)
    return f"""
    QAbstractSpinBox {{ background: {c.page}; color: {c.text}; border: 1px solid {c.control};
        border-radius: 6px; padding: 4px 6px; qproperty-alignment: "AlignRight | AlignVCenter"; }}
    QAbstractSpinBox:focus {{ border: 1px solid {c.accent}; }}
    QAbstractSpinBox:disabled {{ color: {c.muted}; background: {c.side}; border-color: {c.border}; }}
    #numberFrame QAbstractSpinBox {{ background: transparent; border: none; padding: 2px; }}
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ subcontrol-origin: border; border: none;
        border-radius: 3px; width: {2 * arrow}px; margin: 2px; background: transparent; }}
    QAbstractSpinBox::up-button {{ subcontrol-position: top right; margin-bottom: 0; }}
    QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; margin-top: 0; }}
    QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {c.raised}; }}
    QAbstractSpinBox::up-arrow {{ image: {_url("up")}; width: {arrow}px; height: {arrow}px; }}
    QAbstractSpinBox::down-arrow {{ image: {_url("down")}; width: {arrow}px; height: {arrow}px; }}
    QAbstractSpinBox::up-arrow:off, QAbstractSpinBox::down-arrow:off,
    QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::down-arrow:disabled {{ image: none; }}
    """


def _ticks(c: Colours, look: "Appearance") -> str:
    side = _size(look, 1.3 * ARROW)
    tick = _url("check-dark" if c.dark else "check-light")
    return f"""
    QCheckBox, QRadioButton {{ spacing: 8px; }}
    QCheckBox::indicator, QTreeView::indicator, QListView::indicator {{ width: {side}px; height: {side}px;
        background: {c.page}; border: 1px solid {c.control}; border-radius: 4px; }}
    QCheckBox::indicator:hover, QCheckBox::indicator:focus {{ border-color: {c.accent}; }}
    QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked {{
        background: {c.accent}; border-color: {c.accent}; image: {tick}; }}
    QCheckBox::indicator:disabled {{ border-color: {c.border}; background: {c.side}; }}
    QCheckBox::indicator:checked:disabled {{ background: {c.control}; border-color: {c.control}; }}
    QCheckBox:disabled {{ color: {c.muted}; }}
    QCheckBox:focus {{ text-decoration: underline; }}
    """


def _lists(c: Colours) -> str:
    """Framed lists and texts; those of the chat itself have no frame."""
    return f"""
    QListView, QTableView, QPlainTextEdit {{ background: {c.page}; border: 1px solid {c.border};
        border-radius: 6px; padding: 3px; outline: none; }}
    QListView:focus, QTableView:focus, QPlainTextEdit:focus {{ border: 1px solid {c.accent}; }}
    QListView::item {{ padding: 5px 8px; border-radius: 4px; }}
    QListView::item:hover {{ background: {c.side}; }}
    QListView::item:selected {{ background: {c.chosen}; color: {c.text}; }}
    #codeBlock QPlainTextEdit, #codeBlock QPlainTextEdit:focus {{ background: transparent; border: none;
        padding: 0; }}
    #sidebar QListView, #sidebar QListView:focus {{ background: transparent; border: none; padding: 0; }}
    """


def _menus(c: Colours, look: "Appearance") -> str:
    tick = _size(look, ARROW)
    return f"""
    QMenu {{ background: {c.page}; color: {c.text}; border: 1px solid {c.control}; padding: 4px; }}
    QMenu::item {{ padding: 5px 26px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {c.raised}; }}
    QMenu::item:disabled {{ color: {c.muted}; }}
    QMenu::separator {{ height: 1px; background: {c.border}; margin: 4px 8px; }}
    QMenu::indicator {{ width: {tick}px; height: {tick}px; left: 7px; }}
    QMenu::indicator:checked {{ image: {_url("check-light" if c.dark else "check-dark")}; }}
    QMenu::icon {{ left: 6px; }}
    QPushButton::menu-indicator {{ image: {_url("down")}; width: {tick}px; height: {tick}px;
        subcontrol-position: center right; right: 4px; }}
    """


def _size(look: "Appearance", share: float) -> int:
    """Pixels that grow with the text."""
    return round(look.points("body") * share * 4 / 3)


def _url(name: str) -> str:
    return f'url("{(paths.assets_dir() / "controls" / f"{name}.png").as_posix()}")'
