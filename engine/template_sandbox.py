"""A Jinja sandbox for chat templates that come from strangers' files: no I/O, bounded time and memory.

Jinja's own sandbox keeps a template from reaching Python. This one also keeps it from looping for ever and
from growing strings: loops, macros, tests and comparisons look at the clock, every value that is assigned, passed,
returned, added, multiplied, sliced, joined or printed is weighed, and the few operations that explode in one step are
estimated beforehand.
"""

import functools
import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from engine.template_meter import LoopsTooLongError, Meter

__all__ = ["LoopsTooLongError", "Meter", "TemplateSandbox"]

# Regular expressions or chance; no chat template needs them.
_DROPPED_FILTERS = ("urlize", "striptags", "wordwrap", "xmlattr", "pprint", "random", "forceescape")
# A table can grow each character by any amount in one step; codecs and Markup's parsers take quadratic time.
_DROPPED_METHODS = (
    "translate",
    "maketrans",
    "encode",
    "decode",
    "to_bytes",
    "from_bytes",
    "striptags",
    "unescape",
)
_COMPARING = ("strip", "lstrip", "rstrip", "trim", "rfind", "rindex", "rsplit", "rpartition")
_WIDE_FORMAT = re.compile(r"\*|\d{5}|\{[^}]*\{")
_LONGEST_SEPARATOR = 16


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
        self.filters["tojson"] = self._metered("tojson", self._to_json)
        self.tests = {name: self._timed(test) for name, test in dict[str, Any](self.tests).items()}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _Instrument().visit(super()._parse(source, name, filename))
        return tree

    def tick(self, printed: int) -> str:
        return self.meter.tick(printed)

    def keep(self, value: Any) -> Any:
        return self.meter.keep(value)

    def count(self, value: Any) -> Any:
        return self.meter.count(value)

    def timed(self, value: Any) -> Any:
        self.meter.check_time()
        return value

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return attr not in _DROPPED_METHODS and super().is_safe_attribute(obj, attr, value)

    def concatenate(self, *values: Any) -> str:
        self.meter.fits(sum(self.meter.weight(value) for value in values))
        return str(self.meter.keep("".join(map(str, values))))

    def call(self, context: Context, function: Any, *args: Any, **kwargs: Any) -> Any:
        method = getattr(function, "__wrapped__", function)  # Jinja wraps str.format
        subject = getattr(method, "__self__", None)
        if isinstance(subject, str):
            self._foresee(method.__name__, (subject, *args), kwargs)
        self._check_arguments((*args, *kwargs.values()))
        return self.meter.keep(super().call(context, function, *args, **kwargs), made_of=subject)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "*":
            self.meter.fits(_repeated(left, right) or _repeated(right, left))
        elif operator == "**" and not (isinstance(right, int | float) and abs(right) <= 64):
            raise SecurityError("it builds too large a number")
        elif operator == "%" and isinstance(left, str):
            self._foresee("format", (left, right), {})
        return self.meter.keep(super().call_binop(context, operator, left, right))

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
            return self.meter.keep(function(*args, **kwargs), made_of=next(iter(subject), None))

        return metered

    def _timed(self, test: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(test)
        def timed(*args: Any, **kwargs: Any) -> Any:
            self.meter.check_time()
            return test(*args, **kwargs)

        return timed

    def _to_json(
        self,
        value: Any,
        ensure_ascii: bool = False,
        indent: int | None = None,
        separators: tuple[str, str] | None = None,
        sort_keys: bool = False,
    ) -> str:
        if any(len(separator) > _LONGEST_SEPARATOR for separator in separators or ()):
            raise SecurityError("it builds too much text")
        encoder = json.JSONEncoder(
            ensure_ascii=ensure_ascii,
            indent=None if indent is None else min(indent, _LONGEST_SEPARATOR),
            separators=separators,
            sort_keys=sort_keys,
        )
        parts, size = [], 0
        for part in encoder.iterencode(value):
            size += len(part)
            self.meter.fits(size)
            parts.append(part)
        return "".join(parts)

    def _check_arguments(self, values: Iterable[Any]) -> None:
        for value in values:
            self.meter.weigh(value)
            if isinstance(value, int):
                self.meter.fits(abs(value))

    def _foresee(self, name: str, values: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse what would grow without bound inside a single string operation."""
        values = (*values, *kwargs.values())
        subject, rest = values[0] if values else "", values[1:]
        if name in ("format", "format_map"):
            if _WIDE_FORMAT.search(str(subject)):
                raise SecurityError("it formats too wide")
            self.meter.formats(str(subject), rest)
        if name in _COMPARING:
            self.meter.compares(subject, rest)
        if name == "sum" and isinstance(
            kwargs.get("start", rest[1] if len(rest) > 1 else 0), list | tuple | str
        ):
            raise SecurityError("it adds up what are no numbers")
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
        self._ticking(node)
        if node.test is not None:
            ticked = nodes.Not(_call("tick", [nodes.Const(0)], node.lineno), lineno=node.lineno)
            node.test = nodes.And(ticked, node.test, lineno=node.lineno)
        return node

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:  # noqa: N802
        return self._ticking(node)

    def visit_Assign(self, node: nodes.Assign) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.node = _call("keep", [node.node], node.lineno)
        return node

    def visit_With(self, node: nodes.With) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.values = [_call("keep", [value], node.lineno) for value in node.values]
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _call("concatenate", node.nodes, node.lineno)

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _call("timed", [node], node.lineno)

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _call("count", [node], node.lineno) if isinstance(node.arg, nodes.Slice) else node

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
