"""How a stopped run reaches the command line; imports nothing heavy."""

from engine.errors import SlipstreamError


class BenchInterruptedError(SlipstreamError):
    """Ctrl-C; `summary` is the Markdown of what was measured until then, empty if nothing was."""

    def __init__(self, summary: str) -> None:
        super().__init__("Stopped.")
        self.summary = summary
