"""Puts a packed drafter among the assets, and its size and hash into the catalogue, as the draft of a pair.

    python packaging/ship_drafter.py FOLDER NAME [--pair starter]

FOLDER is what `slipstream train pack` has made. Run again after every training: the entry is written anew.
"""

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

from engine.errors import SlipstreamError
from engine.graphs.dflash_checkpoint import Checkpoint
from engine.models import disk, json_file
from engine.models.catalogue import Catalogue

ROOT = Path(__file__).resolve().parent.parent
FILES = ("README.md", "config.json", "model.safetensors")
MOST_BYTES = 50_000_000
STARTER_BYTES = 15_000_000  # everybody's first drafter stays smaller


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("name")
    parser.add_argument("--pair", default="starter")
    options = parser.parse_args(arguments)
    try:
        size = ship(options.folder, options.name, options.pair, ROOT / "assets")
    except (SlipstreamError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"assets/drafters/{options.name} ({size:,} bytes) drafts for {options.pair}.\n")
    return 0


def ship(folder: Path, name: str, pair: str, assets: Path) -> int:
    """Bytes of the drafter's folder. Errors: SlipstreamError, and nothing has changed."""
    listed = assets / "catalogue.json"
    text = listed.read_text(encoding="utf-8")
    target = Catalogue.load(listed).pairs[pair].target
    text = with_entry(text, target, name, entry(folder, Catalogue.load(listed).models[target].sha256, name))
    text = with_draft(text, pair, name)
    Catalogue.parse(json.loads(text))
    size = sum((folder / file).stat().st_size for file in FILES)
    if size > (most := most_bytes(pair)):
        raise SlipstreamError(f"{folder} has {size:,} bytes: make a smaller one, at most {most:,}.")
    place = assets / "drafters" / name
    place.mkdir(parents=True, exist_ok=True)
    for file in FILES:
        shutil.copyfile(folder / file, place / file)
    listed.write_text(text, encoding="utf-8")
    return size


def most_bytes(pair: str) -> int:
    return min(MOST_BYTES, STARTER_BYTES) if pair == "starter" else MOST_BYTES


def entry(folder: Path, target_sha256: str, name: str) -> dict[str, object]:
    """What the catalogue says of the drafter. Errors: SlipstreamError when it was trained for another model."""
    shape = Checkpoint(folder).shape
    told = json_file.read(folder / "config.json")
    about = told.get("slipstream") if isinstance(told, dict) else None
    if not isinstance(about, dict) or about.get("model_sha256") != target_sha256:
        raise SlipstreamError(
            f"{folder} does not say that it was trained for the pair's target: train another."
        )
    file = folder / "model.safetensors"
    return {
        "title": f"{shape.kind[:1].upper()}{shape.kind[1:]} for {about['model']}",
        "licence": str(about["licence"]),
        "architecture": shape.described,
        "format": "dflash",
        "size_bytes": file.stat().st_size,
        "sha256": disk.sha256(file),
        "sources": [{"kind": "shipped", "folder": f"drafters/{name}"}],
        "note": "Trained by Slipstream's own tools; its README.md tells on what.",
    }


def with_entry(text: str, target: str, name: str, described: dict[str, object]) -> str:
    """The catalogue's text with the model `name`, behind its target; the rest stays as people have laid it out."""
    body = json.dumps(described, indent=2, ensure_ascii=False).replace("\n", "\n    ")
    text = re.sub(rf'^    "{re.escape(name)}": \{{\n.*?^    \}},?\n', "", text, count=1, flags=re.M | re.S)
    end = re.search(rf'^    "{re.escape(target)}": \{{\n.*?^    \}}(,?)\n', text, flags=re.M | re.S)
    if end is None:
        raise SlipstreamError(f"The catalogue has no model {target}, or is laid out otherwise than it was.")
    before, after = text[: end.end(1) - len(end[1])], text[end.end(1) :]
    return f'{before},\n    "{name}": {body}{end[1]}{after}'


def with_draft(text: str, pair: str, name: str) -> str:
    start = text.index(f'    "{pair}": {{', text.index('  "pairs": {'))
    changed = re.sub(r'"draft": (null|"[^"]*")', f'"draft": "{name}"', text[start:], count=1)
    return text[:start] + changed


if __name__ == "__main__":
    sys.exit(main())
