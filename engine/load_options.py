"""How a pair is loaded: processor threads, device, and how long a context may become."""

from dataclasses import dataclass, field

from engine.errors import SlipstreamError

CPU = "CPU"
LEAST_CONTEXT = 256  # tokens


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """`threads` 0: OpenVINO chooses. `device`: a name that engine.device lists. `context_limit` in tokens, None: as
    long as the model was made for. `anyway`: even where memory seems too short.
    """

    threads: int = 0
    device: str = CPU
    context_limit: int | None = None
    anyway: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if self.threads < 0:
            raise SlipstreamError("threads must be 0 (automatic) or more.")
        if self.context_limit is not None and self.context_limit < LEAST_CONTEXT:
            raise SlipstreamError(f"the context limit must be {LEAST_CONTEXT} tokens or more.")

    def context_of(self, model_limit: int) -> int:
        """Tokens that a model made for `model_limit` is given."""
        return min(model_limit, self.context_limit or model_limit)


AUTOMATIC = LoadOptions()
