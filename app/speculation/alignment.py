"""Where each letter of a rendered block stands in its Markdown. All of it, or nothing: a doubt gives None.

The two texts are walked side by side. What the source has more must be markup (emphasis, the address of a link, the
marker of a list …); whatever else differs ends the walk, so that no letter is ever given the place of another one.
"""

import re
from html import unescape

LINE_ENDS = "\u2028\u2029\n"
MARKERS = re.compile(
    r"(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|#{1,6}(?=[ \t])|\[[ xX]\](?=\s)))*[ \t]*"
)
MARKUP = re.compile(
    r"\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])"  # the address of a link, before its bracket alone
    r"|!?\[|[*_~`\\]|<(?=[a-zA-Z][a-zA-Z0-9+.-]*:|[^\s<>]+@)|(?<=\S)>|[ \t]+(?=\n)|[ \t]*#+[ \t]*(?=\n|$)"
)
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
PICTURE = "\ufffc"  # what it is in a document's text
PICTURED = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$|\\\(.+?\\\)|\\\[.+?\\\]|!\[[^\]\n]*\]\([^)\n]*\)", re.DOTALL)
SOFT_BREAK = re.compile(r"[ \t]*\\?\n(?:[ \t]*>)*[ \t]*")
BREAK = re.compile(r"[ \t]*\\?\n(?:[ \t]*>?[ \t]*\n)*")
UNDERLINE = re.compile(r"\n[ \t]*(?:=+|-+)[ \t]*(?=\n|$)")
FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[^\n]*\n")

NOWHERE = -1
Places = list[int]


def align(source: str, shown: str) -> Places | None:
    """The place in `source` of each letter of `shown`, which is a paragraph, heading, quote or list as it is read.

    NOWHERE: a space at an end of a line, or the line's end, that Qt has put there; a formula or picture.
    """
    places: Places = []
    at = 0
    for number, line in enumerate(_lines(shown)):
        if number:
            brk = BREAK.search(source, at)
            if brk is None or not _is_markup(source, at, brk.start()):
                return None
            places.append(NOWHERE)
            at = brk.end()
        bare = line.strip(" ")
        found = _align_line(source, at, bare)
        if found is None:
            return None
        line_places, at = found
        before = line.index(bare)
        places += [NOWHERE] * before + line_places + [NOWHERE] * (len(line) - before - len(bare))
    return places if _is_markup(source, at, len(source)) else None


def align_code(source: str, shown: str) -> Places | None:
    """The same for a block of code: each line stands in the source as it is shown, behind the block's indentation."""
    fence = FENCE.match(source)
    at = fence.end() if fence else 0
    places: Places = []
    for number, line in enumerate(_lines(shown)):
        if number:
            places.append(NOWHERE)
        end = source.find("\n", at)
        end = len(source) if end < 0 else end
        start = source.find(line, at, end)
        if start < 0 or source[at:start].strip(" \t>"):
            return None
        places += range(start, start + len(line))
        at = end + 1
    return places


def _lines(shown: str) -> list[str]:
    return re.split(f"[{LINE_ENDS}]", shown)


def _align_line(source: str, at: int, line: str) -> tuple[Places, int] | None:
    """Behind the markers of list, quote or heading, if there are any that are not part of the text."""
    markers = MARKERS.match(source, at)
    start = markers.end() if markers else at
    starts = [start] if start == at else [start, at]
    return next((found for found in (_walk(source, begin, line) for begin in starts) if found), None)


def _walk(source: str, at: int, line: str) -> tuple[Places, int] | None:
    places: Places = []
    for letter in line:
        found = _find(source, at, letter)
        if found is None:
            return None
        place, at = found
        places.append(place)
    return places, at


def _find(source: str, at: int, letter: str) -> tuple[int, int] | None:
    """The letter's place, past markup only, and where to go on."""
    while at < len(source):
        entity = ENTITY.match(source, at) if source[at] == "&" else None
        if entity and unescape(entity[0]) == letter:
            return at, entity.end()
        if source[at] == letter or (letter == " " and source[at] == "\u00a0"):
            return at, at + 1
        if letter == PICTURE and (pictured := PICTURED.match(source, at)):
            return NOWHERE, pictured.end()
        soft = SOFT_BREAK.match(source, at) if letter == " " else None
        if soft:
            return at, soft.end()
        markup = MARKUP.match(source, at)
        if markup is None:
            return None
        at = markup.end()
    return None


def _is_markup(source: str, start: int, end: int) -> bool:
    """Nothing but markup, white space and the line below a heading stands there."""
    while start < end:
        found = UNDERLINE.match(source, start) or MARKUP.match(source, start)
        if found is None and not source[start].isspace():
            return False
        start = found.end() if found else start + 1
    return True
