"""A Jinja sandbox for chat templates that come from strangers' files: no I/O, bounded time and memory.

Jinja's own sandbox keeps a template from reaching Python. This one also keeps it from looping for ever and
from growing strings: loops and macros tick a meter, every value that is assigned, passed, returned, added,
multiplied, joined or printed is weighed, and the few string operations that explode in one step are estimated
beforehand.
"""

import functools
import re
import time
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

_MOST_TICKS = 1_000_000
_MOST_SECONDS = 2.0  # of this thread's own processor time
_LARGEST_INT_BITS = 4096
# Regular expressions or chance; no chat template needs them.
_DROPPED_FILTERS = ("urlize", "striptags", "wordwrap", "xmlattr", "pprint", "random", "forceescape")
_DROPPED_METHODS = ("translate", "maketrans")  # a table can grow each character by any amount in one step
_WIDE_FORMAT = re.compile(r"\*|\d{5}|\{[^}]*\{")


class LoopsTooLongError(SecurityError):
    """The template has used up its time; rendering it once more would take as long again."""


class Meter:
    """What one rendering may still use; `limit` is in characters."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._ticks = 0
        self._printed = 0
        self._deadline = time.thread_time() + _MOST_SECONDS

    def tick(self, printed: int) -> str:
        self._ticks += 1
        if self._ticks > _MOST_TICKS or time.thread_time() > self._deadline:
            raise LoopsTooLongError("it loops too long")
        self.print_(printed)
        return ""

    def print_(self, characters: int) -> None:
        self._printed += characters
        self.fits(self._printed)

    def fits(self, characters: int) -> None:
        if characters > self.limit:
            raise SecurityError("it builds too much text")

    def weigh(self, value: Any) -> Any:
        """`value` itself, if it would fit when written out."""
        if isinstance(value, str | bytes):
            self.fits(len(value))
        elif isinstance(value, int) and value.bit_length() > _LARGEST_INT_BITS:
            raise SecurityError("it builds too large a number")
        elif isinstance(value, list | tuple | dict):
            self._weigh_container(value)
        return value

    def _weigh_container(self, container: Any) -> None:
        weight, waiting = 0, [container]
        while waiting:
            value = waiting.pop()
            weight += len(value) if isinstance(value, str | bytes) else 1
            self.fits(weight)
            if isinstance(value, dict):
                waiting.extend(value)
                waiting.extend(value.values())
            elif isinstance(value, list | tuple):
                waiting.extend(value)


class TemplateSandbox(ImmutableSandboxedEnvironment):
    """Set `meter` before each rendering."""

    intercepted_binops = frozenset(("+", "*", "%", "**"))

    def __init__(self) -> None:
        extensions = ["jinja2.ext.loopcontrols", _Generation]
        super().__init__(trim_blocks=True, lstrip_blocks=True, extensions=extensions, finalize=self._print)
        self.meter: Meter = Meter(0)
        self.globals.pop("lipsum")
        kept = {name: f for name, f in self.filters.items() if name not in _DROPPED_FILTERS}
        self.filters = {name: self._metered(name, f) for name, f in kept.items()}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _Instrument().visit(super()._parse(source, name, filename))
        return tree

    def tick(self, printed: int) -> str:
        return self.meter.tick(printed)

    def weigh(self, value: Any) -> Any:
        return self.meter.weigh(value)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return attr not in _DROPPED_METHODS and super().is_safe_attribute(obj, attr, value)

    def concatenate(self, *values: Any) -> str:
        texts = [str(value) for value in values]
        self.meter.fits(sum(map(len, texts)))
        return "".join(texts)

    def call(self, context: Context, function: Any, *args: Any, **kwargs: Any) -> Any:
        method = getattr(function, "__wrapped__", function)  # Jinja wraps str.format
        subject = getattr(method, "__self__", None)
        if isinstance(subject, str):
            self._foresee(method.__name__, (subject, *args), kwargs)
        self._check_arguments((*args, *kwargs.values()))
        return self.meter.weigh(super().call(context, function, *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "*":
            self.meter.fits(_repeated(left, right) or _repeated(right, left))
        elif operator == "**" and not (isinstance(right, int | float) and abs(right) <= 64):
            raise SecurityError("it builds too large a number")
        elif operator == "%" and isinstance(left, str):
            self._foresee("format", (left,), {})
        return self.meter.weigh(super().call_binop(context, operator, left, right))

    def _print(self, value: Any) -> Any:
        if isinstance(value, str):
            self.meter.print_(len(value))
        else:
            self.meter.weigh(value)
            self.meter.print_(len(str(value)))
        return value

    def _metered(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)  # keeps Jinja's marks (pass_context and such) too
        def metered(*args: Any, **kwargs: Any) -> Any:
            subject = args[1:] if hasattr(function, "jinja_pass_arg") else args
            self._foresee(name, subject, kwargs)
            self._check_arguments((*subject, *kwargs.values()))
            return self.meter.weigh(function(*args, **kwargs))

        return metered

    def _check_arguments(self, values: Iterable[Any]) -> None:
        for value in values:
            self.meter.weigh(value)
            if isinstance(value, int):
                self.meter.fits(abs(value))

    def _foresee(self, name: str, values: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse what would grow without bound inside a single string operation."""
        values = (*values, *kwargs.values())
        subject, rest = values[0] if values else "", values[1:]
        if name in ("format", "format_map") and _WIDE_FORMAT.search(str(subject)):
            raise SecurityError("it formats too wide")
        if name == "replace" and len(rest) >= 2:
            self.meter.fits(len(subject) + str(subject).count(str(rest[0])) * len(str(rest[1])))
        if name == "join":
            items, separator = (rest[0], subject) if isinstance(subject, str) and rest else (subject, rest)
            self.meter.fits(_length(items) * sum(len(str(s)) for s in separator))
        if name in ("indent", "expandtabs"):
            width = max((v if isinstance(v, int) else len(str(v)) for v in rest), default=8)
            self.meter.fits(len(subject) + len(re.findall(r"[\n\t]", str(subject))) * width)


def _repeated(sequence: Any, times: Any) -> int:
    return len(sequence) * max(times, 0) if isinstance(times, int) and hasattr(sequence, "__len__") else 0


def _length(items: Any) -> int:
    return len(items) if hasattr(items, "__len__") else 0


class _Instrument(NodeTransformer):
    """Puts the sandbox's checks into a template's tree, where the template can't reach them."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        return self._ticking(node)

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:  # noqa: N802
        return self._ticking(node)

    def visit_Assign(self, node: nodes.Assign) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.node = _call("weigh", [node.node], node.lineno)
        return node

    def visit_With(self, node: nodes.With) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.values = [_call("weigh", [value], node.lineno) for value in node.values]
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _call("concatenate", node.nodes, node.lineno)

    def _ticking(self, node: Any) -> nodes.Node:
        literals = [data.data for data in node.find_all(nodes.TemplateData)]
        literals += [const.value for const in node.find_all(nodes.Const) if isinstance(const.value, str)]
        self.generic_visit(node)
        printed = nodes.Const(sum(map(len, literals)), lineno=node.lineno)
        node.body.insert(0, nodes.ExprStmt(_call("tick", [printed], node.lineno), lineno=node.lineno))
        return node  # type: ignore[no-any-return]


def _call(method: str, arguments: list[Any], line: int) -> nodes.Call:
    function = nodes.EnvironmentAttribute(method, lineno=line)
    return nodes.Call(function, arguments, [], None, None, lineno=line)


class _Generation(Extension):
    """`{% generation %}` marks the assistant's part for training; here it is plain text."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)
