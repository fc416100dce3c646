"""The process that converts a checkpoint by optimum-intel: `python -m engine.models.optimum_worker FOLDER OUT FORMAT`.

Part of the extra `convert`. It downloads nothing and runs no code of the model's author. It ends when its standard
input does, so that it never outlives the program that started it.
"""

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

GROUP_SIZES = (128, 64, 32)


def main() -> None:
    folder, out, form = sys.argv[1:4]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    from optimum.exporters.openvino import main_export
    from optimum.intel import OVConfig

    main_export(
        model_name_or_path=folder,
        output=out,
        task="text-generation-with-past",
        local_files_only=True,
        trust_remote_code=False,
        library_name="transformers",
        ov_config=OVConfig(dtype="fp16")
        if form == "f16"
        else OVConfig(quantization_config=_quantised(folder, form)),
    )


def _quantised(folder: str, form: str) -> Any:
    from optimum.intel import OVWeightQuantizationConfig

    if form == "int8":
        return OVWeightQuantizationConfig(bits=8, sym=False)
    config = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    hidden = int(config.get("hidden_size") or 0)
    group = next((size for size in GROUP_SIZES if hidden % size == 0), -1)
    return OVWeightQuantizationConfig(bits=4, sym=False, group_size=group, ratio=1.0)


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
