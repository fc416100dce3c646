"""The icon containers of Windows and macOS, which simply hold PNG files, one a size; and the wizard's picture."""

import struct
from collections.abc import Mapping

# What macOS calls a PNG of so many pixels; "@2x" entries are for screens of twice the density.
ICNS_TYPES = {
    "icp4": 16,
    "ic11": 32,  # 16@2x
    "icp5": 32,
    "ic12": 64,  # 32@2x
    "ic07": 128,
    "ic13": 256,  # 128@2x
    "ic08": 256,
    "ic14": 512,  # 256@2x
    "ic09": 512,
    "ic10": 1024,  # 512@2x
}
Rgb = tuple[int, int, int]
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)


def ico(pngs: Mapping[int, bytes]) -> bytes:
    """An .ico of PNG images by size; Windows has read those since Vista."""
    head = struct.pack("<HHH", 0, 1, len(ICO_SIZES))
    offset = len(head) + 16 * len(ICO_SIZES)
    entries, images = b"", b""
    for size in ICO_SIZES:
        side = size % 256  # 0 stands for 256
        place = offset + len(images)
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(pngs[size]), place)
        images += pngs[size]
    return head + entries + images


def icns(pngs: Mapping[int, bytes]) -> bytes:
    """An .icns of PNG images by size."""
    chunks = b"".join(
        struct.pack(">4sI", kind.encode(), 8 + len(pngs[size])) + pngs[size]
        for kind, size in ICNS_TYPES.items()
    )
    return struct.pack(">4sI", b"icns", 8 + len(chunks)) + chunks


def gradient_bmp(width: int, height: int, top: Rgb, bottom: Rgb) -> bytes:
    """A .bmp of 24 bits a pixel whose colour changes from top to bottom."""
    rows = []
    for row in range(height):  # a bitmap begins at the bottom
        share = row / (height - 1)
        red, green, blue = (round(low + (high - low) * share) for low, high in zip(bottom, top, strict=True))
        rows.append((bytes((blue, green, red)) * width).ljust((3 * width + 3) // 4 * 4, b"\0"))
    pixels = b"".join(rows)
    head = struct.pack("<2sIHHI", b"BM", 54 + len(pixels), 0, 0, 54)
    return (
        head
        + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(pixels), 2835, 2835, 0, 0)
        + pixels
    )
