"""What of a repository can be fetched: one quantisation of its GGUF files, its OpenVINO model, its checkpoint."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from engine.models.hub_files import HubFile, Repository
from engine.models.hub_verdict import Kind, judge

_SPLIT = re.compile(r"(?P<stem>.+)-\d{5}-of-(?P<count>\d{5})\.gguf", re.IGNORECASE)
_FORMAT = re.compile(
    r"(?<![A-Z0-9])(UD-)?((IQ|Q|TQ)\d\w*|BF16|F16|F32|FP16|MXFP4\w*)(?![A-Z0-9])", re.IGNORECASE
)
_NO_TEXT = re.compile(r"(^|[-_.])(mmproj|imatrix)", re.IGNORECASE)
_BESIDE = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "tokenizer.model",
    "chat_template.jinja",
    "chat_template.json",
    "openvino_config.json",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """`label` names it among the repository's choices: Q4_K_M, OpenVINO, safetensors. `reason`: why it can't run."""

    label: str
    kind: Kind
    files: tuple[HubFile, ...]
    reason: str = ""

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def choices(repository: Repository) -> list[Choice]:
    """Smallest first; empty when it holds no model's files."""
    found = [*_ggufs(repository), *_openvino(repository), *_checkpoint(repository)]
    return sorted(found, key=lambda choice: choice.size)


def _ggufs(repository: Repository) -> Iterable[Choice]:
    groups: dict[str, list[HubFile]] = defaultdict(list)
    for file in repository.files:
        if file.name.lower().endswith(".gguf") and not _NO_TEXT.search(file.name):
            split = _SPLIT.fullmatch(file.path)
            groups[split["stem"] if split else file.path.removesuffix(".gguf")].append(file)
    for stem, files in groups.items():
        reason = judge(repository.id, ["gguf"], "", repository.architecture, "").reason
        yield Choice(
            _format(stem), Kind.GGUF, tuple(sorted(files, key=lambda file: file.path)), _torn(files) or reason
        )


def _format(stem: str) -> str:
    name = PurePosixPath(stem).name
    named = list(_FORMAT.finditer(name))
    return named[-1][0].upper() if named else name


def _torn(files: list[HubFile]) -> str:
    split = _SPLIT.fullmatch(files[0].path)
    complete = split is None or len(files) == int(split["count"])
    return "" if complete else "some of its parts are missing"


def _openvino(repository: Repository) -> Iterable[Choice]:
    xml = repository.file("openvino_model.xml")
    weights = repository.file("openvino_model.bin")
    if xml is None or weights is None:
        return
    reason = judge(repository.id, ["openvino"], repository.kind, "", "").reason
    missing = [name for name in ("config.json", "tokenizer.json") if repository.file(name) is None]
    if missing and not reason:
        reason = f"it has no {missing[0]}, without which its numbers have no meaning"
    yield Choice("OpenVINO", Kind.OPENVINO, (xml, weights, *_beside(repository)), reason)


def _checkpoint(repository: Repository) -> Iterable[Choice]:
    weights = [
        file for file in repository.files if "/" not in file.path and file.path.endswith(".safetensors")
    ]
    config = repository.file("config.json")
    if not weights or config is None:
        return
    index = [file for file in repository.files if file.path == "model.safetensors.index.json"]
    verdict = judge(repository.id, ["safetensors"], repository.kind, "", "")
    if verdict.kind is Kind.DFLASH:
        whole = repository.file("model.safetensors")
        reason = (
            "" if whole else "its weights are in several files, which Slipstream does not read of a drafter"
        )
        yield Choice("DFlash", Kind.DFLASH, (whole or weights[0], config), verdict.reason or reason)
        return
    files = (*weights, *index, *_beside(repository))
    yield Choice("safetensors", Kind.SAFETENSORS, files, verdict.reason)


def _beside(repository: Repository) -> tuple[HubFile, ...]:
    return tuple(file for file in repository.files if file.path in _BESIDE)
