"""The command line's grammar: argparse only, so that `--help` and usage errors cost no import."""

import argparse
from pathlib import Path
from typing import NoReturn

from app import __version__
from app.argument_types import positive
from app.train_arguments import add_train
from engine.bench.options import MODES, PEERS, WITHOUT_STORE
from engine.request import Speculation

DEFAULT_PAIR = "starter"


class Parser(argparse.ArgumentParser):
    """Reports a usage error in one sentence and exits with 2."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options, allow_abbrev=False)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message.rstrip('.')} (see {self.prog} --help).\n")


def build_parser() -> Parser:
    parser = Parser(
        prog="slipstream",
        description="Chat with language models on your own processor. Without a command, the window opens.",
    )
    parser.add_argument("--version", action="version", version=f"slipstream {__version__}")
    parser.add_argument(
        "--smoke",
        action="store_true",
        help="open the window offscreen, send one message to the starter, and end",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    _add_ask(commands)
    _add_bench(commands)
    _add_models(commands)
    add_train(commands, DEFAULT_PAIR)
    doctor = commands.add_parser("doctor", help="look for what would keep Slipstream from working")
    doctor.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _add_ask(commands: "argparse._SubParsersAction[Parser]") -> None:
    ask = commands.add_parser("ask", help="answer one question in the terminal")
    ask.add_argument("text", metavar="TEXT", help='the question; "-" reads it from standard input')
    ask.add_argument("--pair", default=DEFAULT_PAIR, metavar="NAME", help="which models (default: starter)")
    modes = [mode.value for mode in Speculation]
    ask.add_argument(
        "--speculation",
        choices=modes,
        default="auto",
        help="how to draft; dflash stands for EAGLE heads too (default: auto)",
    )
    ask.add_argument(
        "--draft-tokens", type=int, metavar="K", help="always draft K tokens (default: as many as pay)"
    )
    ask.add_argument(
        "--max-tokens", type=int, default=512, metavar="N", help="end the answer here (default: 512)"
    )
    ask.add_argument("--temperature", type=float, default=0.0, metavar="T", help="0 is greedy (default: 0)")
    ask.add_argument("--top-p", type=float, default=1.0, metavar="P", help="default: 1, off")
    ask.add_argument("--top-k", type=int, default=0, metavar="K", help="default: 0, off")
    ask.add_argument("--min-p", type=float, default=0.0, metavar="P", help="default: 0, off")
    ask.add_argument("--repetition-penalty", type=float, default=1.0, metavar="R", help="default: 1, off")
    ask.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same answer (default: 0)")
    ask.add_argument("--system", metavar="TEXT", help="the system prompt")
    ask.add_argument(
        "--stats", action="store_true", help="end with a line of figures even if not in a terminal"
    )
    ask.add_argument("--json", action="store_true", help="print one JSON object instead of the text")


def _list_of(allowed: tuple[str, ...], text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    wrong = [name for name in names if name not in allowed]
    if wrong or not names:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of {', '.join(allowed)}")
    return names


def _modes(text: str) -> tuple[str, ...]:
    return _list_of((*MODES, *WITHOUT_STORE), text)


def _peers(text: str) -> tuple[str, ...]:
    return _list_of(PEERS, text)


def _contexts(text: str) -> tuple[int, ...]:
    try:
        return tuple(positive(each) for each in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers") from error


def _add_bench(commands: "argparse._SubParsersAction[Parser]") -> None:
    bench = commands.add_parser("bench", help="measure every mode on the same prompts")
    bench.add_argument("--pair", default=DEFAULT_PAIR, metavar="NAME", help="which models (default: starter)")
    bench.add_argument("--prompts", type=Path, metavar="FILE.jsonl", help="default: Slipstream's own prompts")
    bench.add_argument("--limit", type=positive, metavar="N", help="the first N prompts only")
    bench.add_argument(
        "--max-tokens", type=positive, default=128, metavar="N", help="an answer (default: 128)"
    )
    bench.add_argument("--temperature", type=float, default=0.0, metavar="T", help="0 is greedy (default: 0)")
    modes = ",".join([*MODES, *WITHOUT_STORE])
    bench.add_argument("--modes", type=_modes, default=MODES, metavar="LIST", help=f"of {modes}")
    bench.add_argument("--peers", type=_peers, default=(), metavar="LIST", help=f"of {','.join(PEERS)}")
    bench.add_argument("--repeat", type=positive, default=1, metavar="R", help="rounds (default: 1)")
    bench.add_argument(
        "--context",
        type=_contexts,
        default=(),
        metavar="LIST",
        help="pad prompts to these lengths in tokens, as 128,1024,4096; 3 prompts unless --limit says more",
    )
    bench.add_argument("--json", type=Path, metavar="FILE", help="write rows and summary here")


def _add_models(commands: "argparse._SubParsersAction[Parser]") -> None:
    models = commands.add_parser("models", help="list, fetch, import, pair, verify and remove models")
    actions = models.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    for name, arguments, summary in (
        ("list", (), "what is installed, and which pairs there are"),
        ("search", ("TEXT",), "look for models on the Hugging Face hub, and which of them run here"),
        (
            "fetch",
            ("NAME",),
            "download a model or a pair of the list, or a repository of the hub (MAKER/MODEL)",
        ),
        (
            "import",
            ("PATH",),
            "take in a GGUF file, or the folder of a checkpoint, OpenVINO model or drafter",
        ),
        ("formats", ("PATH",), "in which formats a model can be kept: size, and speed on this machine"),
        ("pair", ("TARGET", "DRAFT"), "let DRAFT draft for TARGET"),
        ("verify", ("[NAME]",), "read a model again and compare its hash (default: every model)"),
        ("remove", ("NAME",), "delete a model's files"),
    ):
        action = actions.add_parser(name, help=summary)
        for argument in arguments:
            optional = argument.startswith("[")
            bare = argument.strip("[]")
            action.add_argument(bare.lower(), metavar=bare, nargs="?" if optional else None)
        if name == "import":
            action.add_argument("--name", metavar="NAME", help="what to call it (default: from the file)")
            action.add_argument(
                "--format",
                choices=("int4", "int8", "f16"),
                help="of the weights (default: by the model's sizes)",
            )
        if name == "fetch":
            action.add_argument(
                "--choice",
                metavar="LABEL",
                help="of a repository: which of its models, as Q4_K_M or OpenVINO",
            )
        action.add_argument("--json", action="store_true", help="print one JSON object")
