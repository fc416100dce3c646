"""Writes a card: picture, Markdown and JSON beside each other, or one of them."""

from pathlib import Path

from app.colours import Colours
from app.speculation.card import Card
from app.speculation.card_picture import draw
from engine.bench.result import write_text
from engine.errors import SlipstreamError

SUFFIXES = (".png", ".md", ".json")


def save(card: Card, colours: Colours, path: Path, every: bool) -> list[Path]:
    """`path` decides the folder and name; its suffix what is written unless `every`. Returns the files.

    Errors: SlipstreamError when the disk refuses.
    """
    suffix = path.suffix.lower() if path.suffix.lower() in SUFFIXES else ""
    base = path.with_suffix("") if suffix else path
    wanted = SUFFIXES if every or not suffix else (suffix,)
    files = [base.with_name(base.name + each) for each in wanted]
    for file in files:
        _write(card, colours, file)
    return files


def _write(card: Card, colours: Colours, file: Path) -> None:
    if file.suffix == ".png":
        if not draw(card, colours).save(str(file), "PNG"):  # type: ignore[call-overload]
            raise SlipstreamError(f"The picture could not be written to {file}: choose another folder.")
    elif file.suffix == ".md":
        write_text(file, card.markdown())
    else:
        write_text(file, card.json())
