"""Where the prompts came from and under which licences: a drafter's card must say so."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.errors import SlipstreamError


def sources(prompts: Path, keys: Iterable[str]) -> list[dict[str, Any]]:
    """Source, licence and number of prompts, of those that the answers `keys` ("prompt#variant") belong to."""
    used = {key.rpartition("#")[0] for key in keys}
    try:
        records = [
            json.loads(line) for line in prompts.read_text(encoding="utf-8").splitlines() if line.strip()
        ]
    except (OSError, ValueError) as error:
        raise SlipstreamError(
            f"{prompts} can't be read: name the file that the answers were made from."
        ) from error
    counts = Counter(
        (str(record.get("source", prompts.name)), str(record.get("licence", "unknown")))
        for record in records
        if str(record.get("id")) in used
    )
    return [
        {"source": source, "licence": licence, "prompts": count}
        for (source, licence), count in counts.most_common()
    ]
