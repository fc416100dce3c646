"""The icon in every size, drawn from assets/icon.svg by the Qt of the clean environment."""

from pathlib import Path

from builder import icon_files
from builder.project import NAME, ROOT, Build, run, without_python

SIZES = (16, 24, 32, 48, 64, 128, 256, 512, 1024)

# Runs in the clean environment, which has Qt.
_DRAW = """
import sys
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
drawing, folder, *sizes = sys.argv[1:]
renderer = QSvgRenderer(drawing)
assert renderer.isValid(), drawing
for size in map(int, sizes):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    assert image.save(f"{folder}/{size}.png")
"""


def path(build: Build, size: int) -> Path:
    """A PNG of `size` pixels; one of SIZES."""
    return build.work / "icons" / f"{size}.png"


def render(build: Build) -> None:
    """Draws every size into build/icons, and Windows' and macOS' containers of them."""
    folder = build.work / "icons"
    folder.mkdir(parents=True, exist_ok=True)
    run(
        (build.python, "-c", _DRAW, ROOT / "assets" / "icon.svg", folder, *map(str, SIZES)),
        env=without_python(),
    )
    pngs = {size: path(build, size).read_bytes() for size in SIZES}
    (folder / f"{NAME}.ico").write_bytes(icon_files.ico(pngs))
    (folder / f"{NAME}.icns").write_bytes(icon_files.icns(pngs))
