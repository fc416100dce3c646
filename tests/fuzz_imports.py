"""Whole imports of spoilt folders with links, pipes and devices in them, and what is left behind on the disk."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

from engine.errors import SlipstreamError
from tests import fuzz_ir

_NAMES = ("Model", "M-00001-of-00002", "..", "a\nb", "con", "ä" * 60, "x" * 120, ".hidden", "\udcff")
_TARGETS = ("/etc/passwd", "/dev/zero", "/dev/null", "/nowhere", "..", ".", "config.json")


def write_import(
    writers: list[Callable[[Random, Path, Path], None]], rng: Random, good: Path, folder: Path
) -> None:
    """One reader's spoilt files in a folder called in/, in which something may be no regular file."""
    place = folder / "in" / rng.choice(_NAMES).replace("..", "dots")
    place.mkdir(parents=True)
    rng.choice(writers)(rng, good, place)
    if (place / "openvino_model.xml").exists():
        source = good / "ir-halves"
        if not source.exists():
            fuzz_ir.write_ir(source, fuzz_ir.halves, fuzz_ir.SHAPE)
        for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
            shutil.copyfile(source / name, place / name)
    files = sorted(place.iterdir())
    if rng.random() < 0.3:
        victim = rng.choice(files)
        victim.unlink()
        if rng.random() < 0.3:
            os.mkfifo(victim)
        elif rng.random() < 0.2:
            victim.mkdir()
        else:
            victim.symlink_to(rng.choice(_TARGETS))


def read_import(folder: Path) -> None:
    from engine.models.store import ModelStore

    (place,) = (folder / "in").iterdir()
    before = sorted((path, path.lstat().st_size) for path in place.iterdir())
    store = ModelStore(folder / "home")
    files = [path for path in place.iterdir() if path.suffix == ".gguf"]
    try:
        name = store.import_file(files[0] if len(files) == 1 else place)
        assert store.installed()[0].name == name
        assert not store.damaged()
    except SlipstreamError:
        assert not store.installed(), "a model that was refused is there"
        raise
    finally:
        assert sorted((path, path.lstat().st_size) for path in place.iterdir()) == before
        left = [
            path
            for path in (folder / "home").rglob("*")
            if ".incoming" in path.parts or ".trash" in path.parts
        ]
        assert all(path.suffix == ".lock" or path.name == ".incoming" for path in left), f"left: {left[:3]}"
        assert {path.name for path in folder.iterdir()} <= {"in", "home"}
