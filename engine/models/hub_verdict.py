"""Whether Slipstream can run what a repository of the hub holds, from what the hub says of it without a download."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.models.gguf_header import ARCHITECTURES


class Kind(StrEnum):
    GGUF = "gguf"
    OPENVINO = "openvino"
    SAFETENSORS = "safetensors"
    DFLASH = "dflash"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reason`: why it can't run, as a clause; "" when it can."""

    kind: Kind
    reason: str = ""

    @property
    def runs(self) -> bool:
        return not self.reason


def judge(repo: str, tags: Iterable[str], model_type: str, architecture: str, task: str) -> Verdict:
    """`architecture` of GGUF files, `model_type` of config.json, `task` the hub's pipeline tag; each "" if unknown."""
    kind = kind_of(repo, tags)
    return Verdict(kind, _obstacle(kind, repo, model_type, architecture, task))


def kind_of(repo: str, tags: Iterable[str]) -> Kind:
    known, name = set(tags), repo.lower()
    if "dflash" in name and "gguf" not in known:
        return Kind.DFLASH
    return next(
        (kind for kind in (Kind.GGUF, Kind.OPENVINO, Kind.SAFETENSORS) if kind.value in known), Kind.OTHER
    )


def _obstacle(kind: Kind, repo: str, model_type: str, architecture: str, task: str) -> str:
    if "eagle" in repo.lower() and kind is not Kind.GGUF:
        return "it is a published EAGLE drafter, whose format Slipstream does not read yet"
    if task not in ("", "text-generation", "text2text-generation", "image-text-to-text"):
        return f"it is for {task.replace('-', ' ')[:40]}, not for text"
    if kind is Kind.OTHER:
        return "it holds no GGUF file, OpenVINO model or safetensors checkpoint"
    if kind is Kind.OPENVINO:
        return (
            "it also sees pictures, which Slipstream does not run yet" if task == "image-text-to-text" else ""
        )
    if kind is Kind.GGUF:
        return _unknown(architecture, ARCHITECTURES) if architecture else ""
    return _unread(model_type) if kind is Kind.SAFETENSORS and model_type else ""


def _unread(model_type: str) -> str:
    from engine.graphs.checkpoint_config import KINDS

    if model_type in KINDS or f"{model_type}_text" in KINDS:
        return ""
    return _unknown(model_type, tuple(sorted(KINDS))) + "; look for a GGUF file or OpenVINO model of it"


def _unknown(name: str, known: tuple[str, ...]) -> str:
    return "" if name in known else f"its architecture is {name[:40]}, Slipstream runs {', '.join(known)}"
