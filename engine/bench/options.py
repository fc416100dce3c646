"""What a benchmark run measures."""

from dataclasses import dataclass
from pathlib import Path

MODES = ("plain", "ngram", "draft", "dflash", "auto")
PEERS = ("openvino-genai", "llama-cpp")


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """The command line's arguments. `prompts` None means Slipstream's own, `limit` None means all of them."""

    pair: str = "starter"
    prompts: Path | None = None
    limit: int | None = None
    max_tokens: int = 128
    temperature: float = 0.0
    modes: tuple[str, ...] = MODES
    peers: tuple[str, ...] = ()
    repeat: int = 1
    json: Path | None = None
