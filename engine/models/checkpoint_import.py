"""Takes in a model's Hugging Face folder: config.json, safetensors files, tokenizer.json."""

from pathlib import Path

from engine.graphs.checkpoint import Checkpoint
from engine.graphs.checkpoint_config import KINDS
from engine.models import json_file
from engine.models.catalogue import Catalogue
from engine.models.gguf_import import import_gguf
from engine.models.gguf_writer import GgufFile
from engine.models.meter import Meter
from engine.models.shelf import Shelf
from engine.models.staging import staged


def is_model(folder: Path) -> bool:
    """Whether the folder's config.json describes a model that can be read, not a drafter."""
    return model_type(folder) in KINDS


def model_type(folder: Path) -> str:
    """What config.json says that the folder's model is; empty for a drafter, and for what is no model."""
    try:
        config = json_file.read(folder / "config.json")
        named = " ".join(config.get("architectures") or ())
        kind = config.get("text_config", config).get("model_type")
    except (OSError, ValueError, AttributeError, TypeError):
        return ""
    runs = "ForCausalLM" in named or "ForConditionalGeneration" in named
    return kind if runs and isinstance(kind, str) else ""


def import_checkpoint(
    folder: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter
) -> str:
    """Returns the model's name: `name`, else one made from the folder's. Errors: SlipstreamError with the reason."""
    model = Checkpoint.open(folder)
    model.require_all_read()
    return write_and_import(model, folder, name, shelf, catalogue=catalogue, meter=meter)


def write_and_import(
    model: Checkpoint, folder: Path, name: str | None, shelf: Shelf, *, catalogue: Catalogue, meter: Meter
) -> str:
    """By way of a GGUF file among the models."""
    file = GgufFile(model)
    with staged(shelf, meter, file.size) as place:
        meter.enter("copy", total=file.size, done=0)
        path = place / f"{folder.resolve().name}.gguf"
        file.write(folder, path, meter.add)
        return import_gguf(path, name, shelf, catalogue, meter)
