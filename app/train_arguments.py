"""The grammar of `slipstream train`: argparse only, like app.arguments."""

import argparse
from pathlib import Path
from typing import Any

from app.argument_types import positive


def add_train(commands: "argparse._SubParsersAction[Any]", default_pair: str) -> None:
    train = commands.add_parser("train", help="train a drafter for a model")
    steps = train.add_subparsers(dest="step", metavar="STEP", required=True, parser_class=type(train))
    parsers = [
        _add_generate(steps),
        _add_features(steps),
        _add_fit(steps),
        _add_evaluate(steps),
        _add_store(steps),
    ]
    for parser in parsers:
        parser.add_argument(
            "--pair", default=default_pair, metavar="NAME", help="whose target (default: starter)"
        )
    _add_pack(steps)
    _add_curve(steps)


def _taps(text: str) -> str:
    try:
        layers = [int(each) for each in text.split(",") if each.strip()]
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor a list of layers") from error
    if not layers or min(layers) < ("," not in text):
        raise argparse.ArgumentTypeError(f"{text!r} names no layer")
    return text


def _share(text: str) -> float:
    number = float(text)
    if not 0.0 <= number < 100.0:
        raise argparse.ArgumentTypeError(f"{text} is no share of a pass")
    return number


def _layers(text: str) -> tuple[int, ...]:
    return tuple(sorted({int(each) for each in text.split(",") if each.strip()}))


def _add_generate(steps: "argparse._SubParsersAction[Any]") -> argparse.ArgumentParser:
    generate: argparse.ArgumentParser = steps.add_parser(
        "generate", help="1. let the model answer prompts; goes on where it was stopped"
    )
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
        type=positive,
        default=3,
        metavar="N",
        help="answers a prompt, the first greedy (default: 3)",
    )
    generate.add_argument("--max-tokens", type=positive, default=256, metavar="N", help="default: 256")
    generate.add_argument("--tokens", type=positive, metavar="N", help="stop after N answer tokens in all")
    generate.add_argument(
        "--sequences", type=positive, default=64, metavar="N", help="answers at once (default: 64)"
    )
    generate.add_argument(
        "--taps", type=_taps, metavar="N|LIST", help="do step 2 along with it, of so many layers or of these"
    )
    generate.add_argument("--top", type=positive, default=16, metavar="K", help="soft labels (default: 16)")
    return generate


def _add_features(steps: "argparse._SubParsersAction[Any]") -> argparse.ArgumentParser:
    features: argparse.ArgumentParser = steps.add_parser(
        "features", help="2. keep what the model's layers say of those answers"
    )
    features.add_argument("answers", type=Path, metavar="ANSWERS", help="the folder of step 1")
    features.add_argument(
        "--taps", type=_taps, default="5", metavar="N|LIST", help="how many layers, or which (default: 5)"
    )
    return features


def _add_fit(steps: "argparse._SubParsersAction[Any]") -> argparse.ArgumentParser:
    fit: argparse.ArgumentParser = steps.add_parser(
        "fit", help="3. train the drafter (needs PyTorch: the extra 'train')"
    )
    fit.add_argument("answers", type=Path, metavar="ANSWERS", help="the folder of steps 1 and 2")
    fit.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the drafter goes")
    fit.add_argument("--held-out", type=Path, metavar="ANSWERS", help="answers that judge it, with features")
    fit.add_argument("--prompts", type=Path, metavar="FILE.jsonl", help="whose licences the card will list")
    fit.add_argument("--data-tokens", type=positive, metavar="N", help="learn from the first N tokens only")
    fit.add_argument(
        "--taps", type=_layers, metavar="LIST", help="of these layers' features only (default: all there are)"
    )
    fit.add_argument("--bf16", action="store_true", help="multiply in bfloat16")
    fit.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"), help="default: auto")
    fit.add_argument(
        "--kind",
        choices=("dflash", "eagle"),
        default="dflash",
        help="guesses a block at once (dflash, the default) or token after token (eagle)",
    )
    fit.add_argument("--layers", type=positive, default=2, metavar="N", help="default: 2 (eagle: always 1)")
    fit.add_argument("--intermediate", type=positive, default=1536, metavar="N", help="default: 1536")
    fit.add_argument("--draft-vocab", type=positive, default=8192, metavar="N", help="default: 8192")
    fit.add_argument("--block", type=positive, default=6, metavar="N", help="tokens a draft (default: 6)")
    fit.add_argument(
        "--markov", choices=("gated", "vanilla", "none"), default="gated", help="of dflash (default: gated)"
    )
    fit.add_argument("--markov-rank", type=positive, default=96, metavar="N", help="of dflash (default: 96)")
    fit.add_argument("--no-confidence", dest="confidence", action="store_false", help="no confidence head")
    fit.add_argument("--epochs", type=float, default=5.0, metavar="X", help="default: 5")
    fit.add_argument("--batch", type=positive, default=16, metavar="N", help="answers a step (default: 16)")
    fit.add_argument(
        "--anchors", type=positive, default=48, metavar="N", help="blocks an answer (default: 48)"
    )
    fit.add_argument("--rate", type=float, default=2e-3, metavar="X", help="learning rate (default: 2e-3)")
    fit.add_argument(
        "--muon-steps", type=positive, default=5, metavar="N", help="Muon's iterations a step (default: 5)"
    )
    fit.add_argument("--no-muon", dest="muon", action="store_false", help="AdamW for all weights")
    fit.add_argument(
        "--soft", type=float, default=0.8, metavar="X", help="share of soft labels (default: 0.8)"
    )
    fit.add_argument("--gamma", type=float, default=4.0, metavar="X", help="weight of late rows (default: 4)")
    fit.add_argument("--decay", type=float, default=0.05, metavar="X", help="of the weights (default: 0.05)")
    fit.add_argument("--average", type=float, default=0.999, metavar="X", help="of weights (default: 0.999)")
    fit.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
    return fit


def _add_evaluate(steps: "argparse._SubParsersAction[Any]") -> argparse.ArgumentParser:
    evaluate: argparse.ArgumentParser = steps.add_parser(
        "evaluate", help="4. measure tokens per pass and write the model card"
    )
    evaluate.add_argument("drafter", type=Path, metavar="DRAFTER", help="the folder of step 3")
    evaluate.add_argument("answers", type=Path, metavar="ANSWERS", help="held-out answers with features")
    evaluate.add_argument(
        "--prompts", type=Path, metavar="FILE.jsonl", help="what was answered: for the prompts' categories"
    )
    evaluate.add_argument(
        "--store", type=Path, metavar="ANSWERS", help="also: with a store of the answers in this folder"
    )
    evaluate.add_argument(
        "--draft-cost",
        type=_share,
        metavar="X",
        help="what a draft costs in plain passes, as on an idle machine (default: measured now)",
    )
    evaluate.add_argument("--limit", type=positive, metavar="N", help="the first N answers only")
    evaluate.add_argument(
        "--max-tokens", type=positive, metavar="N", help="the first N tokens of each answer only"
    )
    evaluate.add_argument("--json", action="store_true", help="print one JSON object")
    return evaluate


def _add_store(steps: "argparse._SubParsersAction[Any]") -> Any:
    store = steps.add_parser("store", help="answers of step 1 as a store that drafts")
    store.add_argument("answers", type=Path, metavar="ANSWERS", help="the folder of step 1")
    store.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="used where it is called answers.store and lies in the model's folder",
    )
    store.add_argument("--tokens", type=positive, metavar="N", help="the first N answer tokens only")
    store.add_argument(
        "--prompts", type=Path, metavar="FILE.jsonl", help="as in step 1, for a card beside FILE"
    )
    store.add_argument(
        "--without", type=Path, action="append", default=[], metavar="FILE.jsonl", help="no answers to these"
    )
    return store


def _add_pack(steps: "argparse._SubParsersAction[Any]") -> None:
    pack = steps.add_parser("pack", help="5. the drafter in 8 bits, to ship")
    pack.add_argument("drafter", type=Path, metavar="DRAFTER", help="the folder of step 3")
    pack.add_argument("out", type=Path, metavar="FOLDER", help="where the small one goes")


def _add_curve(steps: "argparse._SubParsersAction[Any]") -> None:
    curve = steps.add_parser("curve", help="tokens per pass against data, of several drafters")
    curve.add_argument(
        "folders", type=Path, nargs="+", metavar="DRAFTER", help="folders of step 3, evaluated"
    )
