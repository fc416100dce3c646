"""The grammar of `slipstream train`: argparse only, like app.arguments."""

import argparse
from pathlib import Path


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def add_train(commands: "argparse._SubParsersAction[argparse.ArgumentParser]", default_pair: str) -> None:
    train = commands.add_parser("train", help="train a block drafter for a model (needs the extra 'train')")
    steps = train.add_subparsers(dest="step", metavar="STEP", required=True, parser_class=type(train))
    generate = steps.add_parser("generate", help="let the model answer prompts; goes on where it was stopped")
    generate.add_argument("--pair", default=default_pair, metavar="NAME", help="whose target answers")
    generate.add_argument("--prompts", type=Path, required=True, metavar="FILE.jsonl")
    generate.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the answers go")
    generate.add_argument(
        "--split",
        choices=("train", "held-out", "all"),
        default="train",
        help="which prompts: one in 40 is held out (default: train)",
    )
    generate.add_argument(
        "--rounds",
        type=_positive,
        default=3,
        metavar="N",
        help="answers a prompt, the first greedy (default: 3)",
    )
    generate.add_argument("--max-tokens", type=_positive, default=256, metavar="N", help="default: 256")
    generate.add_argument("--tokens", type=_positive, metavar="N", help="stop after N answer tokens in all")
    generate.add_argument(
        "--sequences", type=_positive, default=64, metavar="N", help="answers at once (default: 64)"
    )
    generate.add_argument("--top", type=_positive, default=16, metavar="K", help="soft labels (default: 16)")
