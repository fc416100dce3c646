"""The one exception that reaches a person: its text is a sentence that says what to do."""


class SlipstreamError(Exception):
    """A failure with a cause that the user can act on; shown as it is, never with a traceback."""
