"""The one exception that reaches a person: its text is a sentence that says what to do."""

import re

_LONGEST = 1000
# Control characters, reversed writing and half characters: a file's own words could rewrite what a terminal shows.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]+")


class SlipstreamError(Exception):
    """A failure with a cause that the user can act on; shown as it is, never with a traceback."""

    def __str__(self) -> str:
        said = _UNPRINTABLE.sub(" ", super().__str__())
        half = _LONGEST // 2
        return said if len(said) <= _LONGEST else f"{said[:half]} … {said[-half:]}"
