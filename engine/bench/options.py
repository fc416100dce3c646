"""What a benchmark run measures."""

from dataclasses import dataclass
from pathlib import Path

from engine.errors import SlipstreamError
from engine.request import Sampling

MODES = ("plain", "ngram", "draft", "dflash", "auto")
WITHOUT_STORE = {"ngram-no-store": "ngram", "auto-no-store": "auto"}  # measured only when they are named
PEERS = ("openvino-genai", "llama-cpp")


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """The command line's arguments. `prompts` None means Slipstream's own, `limit` None means all of them.

    `context` holds lengths in tokens that the prompts are padded to, none for prompts as they are.
    """

    pair: str = "starter"
    prompts: Path | None = None
    limit: int | None = None
    max_tokens: int = 128
    temperature: float = 0.0
    modes: tuple[str, ...] = MODES
    peers: tuple[str, ...] = ()
    repeat: int = 1
    json: Path | None = None
    context: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Errors: SlipstreamError when the wishes don't go together."""
        Sampling(temperature=self.temperature)
        if self.peers and self.context:
            raise SlipstreamError("Peers are not measured at long contexts: leave --peers or --context out.")
