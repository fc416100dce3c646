"""The two palettes, and the measures that the style sheet shares with the layouts."""

from dataclasses import dataclass, replace

RADIUS = 8
SCROLL_BAR = 11


@dataclass(frozen=True, slots=True)
class Colours:
    """Text on `page`, `side`, `raised` and `code` reaches at least 4.5 : 1 (WCAG AA); a test measures it."""

    dark: bool
    page: str
    side: str
    raised: str
    chosen: str
    code: str
    border: str
    control: str
    text: str
    muted: str
    accent: str
    on_accent: str
    danger: str
    danger_page: str
    pygments: str


LIGHT = Colours(
    dark=False,
    page="#ffffff",
    side="#f4f5f7",
    raised="#eceff4",
    chosen="#e1e6ee",
    code="#f6f7f9",
    border="#d9dde3",
    control="#868e99",
    text="#1c2129",
    muted="#59616e",
    accent="#0b63b8",
    on_accent="#ffffff",
    danger="#b3261e",
    danger_page="#fdeeec",
    pygments="default",
)
DARK = Colours(
    dark=True,
    page="#181b20",
    side="#131519",
    raised="#262b33",
    chosen="#2b323c",
    code="#111317",
    border="#333943",
    control="#717a87",
    text="#e4e7ec",
    muted="#9ea7b4",
    accent="#74b4f5",
    on_accent="#0c1a29",
    danger="#ff9b91",
    danger_page="#372120",
    pygments="github-dark",
)


def with_more_contrast(c: Colours) -> Colours:
    """For users whose system asks for it: nothing is grey that says something or bounds something."""
    text = "#ffffff" if c.dark else "#000000"
    return replace(c, text=text, muted=text, border=text, control=text)
