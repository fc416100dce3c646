"""Counts and rates of one answer, as the panel, `--json` and the benchmark show them."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Stats:
    """Field names are the command line's contract (design.md). Times in seconds, speeds in tokens per second.

    acceptance_rate = accepted / drafted; tokens_per_pass counts the target's own token.
    accepted_by_position[j] = (times position j was drafted, times it was accepted).
    plain_tokens_per_second and speedup are None until plain passes were measured; never assumed.
    """

    prompt_tokens: int = 0
    tokens: int = 0
    target_passes: int = 0
    drafted: int = 0
    accepted: int = 0
    acceptance_rate: float | None = None
    tokens_per_pass: float | None = None
    accepted_by_position: tuple[tuple[int, int], ...] = ()
    drafted_by_source: dict[str, int] = field(default_factory=dict)
    ttft_s: float | None = None
    decode_s: float = 0.0
    tokens_per_second: float | None = None
    plain_tokens_per_second: float | None = None
    plain_measured_s_ago: float | None = None
    speedup: float | None = None
    draft_tokens_now: int = 0
    pace_reason: str = ""
