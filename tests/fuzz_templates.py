"""Random chat templates: pieces of the field's own and pieces of attacks, put together at random."""

from random import Random

from tests.fuzz_mutators import NUMBERS

_VALUES = (
    *("messages", "messages[0]", "messages[-1].content", "bos_token", "ns", "ns.x", "loop", "self", "caller"),
    *(
        "'x'",
        "''",
        "'{0}%s'",
        "[1]",
        "{}",
        "{'a': 1}",
        "none",
        "true",
        "1.5",
        "range",
        "cycler",
        "joiner",
        "namespace",
    ),
    *(
        "dict",
        "raise_exception",
        "strftime_now",
        "varargs",
        "kwargs",
        "(1, 2)",
        "'x'|safe",
        "big",
        "list",
        "deep",
    ),
)
_FILTERS = (
    *(
        "list",
        "length",
        "join",
        "trim",
        "upper",
        "string",
        "tojson",
        "first",
        "last",
        "sum",
        "sort",
        "unique",
        "safe",
    ),
    *(
        "map('upper')",
        "map(attribute='x')",
        "select",
        "reject('in', V)",
        "selectattr('role', 'equalto', V)",
        "items",
    ),
    *(
        "batch(N, V)",
        "slice(N)",
        "round(N, 'floor')",
        "replace(V, V)",
        "indent(N)",
        "center(N)",
        "truncate(N)",
    ),
    *(
        "tojson(indent=N)",
        "tojson(separators=(V, V))",
        "default(V)",
        "attr('__class__')",
        "format(V)",
        "groupby(V)",
    ),
    *(
        "int(base=N)",
        "float",
        "abs",
        "dictsort",
        "xmlattr",
        "urlencode",
        "wordcount",
        "title",
        "escape",
        "min",
        "max",
    ),
    *(
        "filesizeformat",
        "map('batch', N)",
        "map('join', V)",
        "sum(start=V)",
        "reverse",
        "capitalize",
        "urlize",
        "e",
    ),
)
_METHODS = (
    *(
        "upper()",
        "strip(V)",
        "split(V)",
        "rsplit(V, N)",
        "replace(V, V)",
        "join(V)",
        "format(V, V)",
        "format_map(V)",
    ),
    *(
        "ljust(N)",
        "zfill(N)",
        "expandtabs(N)",
        "encode(V)",
        "items()",
        "keys()",
        "values()",
        "get(V)",
        "count(V)",
    ),
    *(
        "to_bytes(N, 'big')",
        "__class__",
        "__class__.__mro__",
        "__init__.__globals__",
        "append(V)",
        "update(V)",
    ),
    *(
        "startswith(V)",
        "rfind(V)",
        "fromkeys(V, V)",
        "copy()",
        "index(V)",
        "translate(V)",
        "casefold()",
        "splitlines()",
    ),
    *(
        "cycle(V)",
        "previtem",
        "length",
        "revindex",
        "_TemplateReference__context",
        "gi_frame",
        "f_globals",
        "hex()",
    ),
)
_OPERATORS = ("+", "-", "*", "~", "%", "//", "/", "**", "==", "<", "in", "not in", "and", "or", "is", "|")
_TESTS = (
    "is defined",
    "is none",
    "is string",
    "is mapping",
    "is iterable",
    "is in V",
    "is divisibleby(N)",
    "is sameas V",
)
_GOOD = (
    "{% for message in messages %}{{ message['role'] + ': ' + message['content'] | trim }}\n{% endfor %}",
    "{%- if messages[0]['role'] == 'system' -%}{{ messages[0]['content'] }}{%- endif -%}",
    "{% if add_generation_prompt %}<|im_start|>assistant\n<think>\n{% endif %}",
    "{%- for m in messages[::-1] %}{%- set index = (messages|length - 1) - loop.index0 %}{%- endfor %}",
    "{{ raise_exception('no ' + messages[0].role) }}",
    "{{ strftime_now('%Y') }}",
)


def template(rng: Random) -> str:
    start = "{% set big = 'ab' * 100000 %}{% set list = range(9999)|list %}{% set deep = [[[1], 2], {'a': [3]}] %}"
    source = start + "{% set ns = namespace(x=1) %}" if rng.random() < 0.7 else ""
    source += "".join(_statement(rng, 0) for _ in range(rng.randint(1, 6)))
    if rng.random() < 0.08:
        source = source * rng.choice((10, 200, 5000))
    if rng.random() < 0.15:
        at = rng.randint(0, len(source))
        source = (
            source[:at] + rng.choice(("{{", "%}", "\0", "\ud800", "{#", "'", "(" * 900, " ")) + source[at:]
        )
    return source[:1_200_000]


def _statement(rng: Random, depth: int) -> str:
    choice = rng.randrange(14) if depth < 3 else rng.randrange(5)
    expression = _expression(rng, 0)
    if choice < 3:
        return "{{ " + expression + " }}"
    if choice == 3:
        return "{% set " + rng.choice(("a", "ns.x", "ns.y", "big", "list")) + " = " + expression + " %}"
    if choice == 4:
        return rng.choice(_GOOD)
    body = "".join(_statement(rng, depth + 1) for _ in range(rng.randint(1, 3)))
    if choice == 5:
        return "{% for a in " + expression + rng.choice(("", " recursive")) + " %}" + body + "{% endfor %}"
    if choice == 6:
        return "{% for a in " + expression + " if " + _expression(rng, 0) + " %}" + body + "{% endfor %}"
    if choice == 7:
        return (
            "{% if " + expression + " %}" + body + "{% elif a %}" + body + "{% else %}" + body + "{% endif %}"
        )
    if choice == 8:
        return (
            "{% macro f(a, b=1) %}"
            + body
            + rng.choice(("", "{{ f(a) }}", "{{ caller() }}"))
            + "{% endmacro %}{{ f("
            + expression
            + ") }}"
        )
    if choice == 9:
        return "{% set " + rng.choice(("a", "ns.x", "big")) + " %}" + body + "{% endset %}"
    if choice == 10:
        name = rng.choice("abcdefgh")
        return "{% block " + name + " %}" + body + "{{ self." + rng.choice("abcdefgh") + "() }}{% endblock %}"
    if choice == 11:
        return "{% call f(" + expression + ") %}" + body + "{% endcall %}"
    if choice == 12:
        return "{% filter " + _filled(rng, rng.choice(_FILTERS), 2) + " %}" + body + "{% endfilter %}"
    return rng.choice(
        (
            "{% include " + expression + " %}",
            "{% import " + expression + " as x %}",
            "{% extends " + expression + " %}",
            "{% with a=" + expression + " %}" + body + "{% endwith %}",
            "{% generation %}" + body + "{% endgeneration %}",
            "{% autoescape true %}" + body + "{% endautoescape %}",
            "{% raw %}" + body + "{% endraw %}",
        )
    )


def _expression(rng: Random, depth: int) -> str:
    choice = rng.randrange(9) if depth < 4 else 0
    if choice < 2:
        return rng.choice(_VALUES) if rng.random() < 0.8 else str(rng.choice(NUMBERS))
    left = _expression(rng, depth + 1)
    if choice == 2:
        return f"({left} {rng.choice(_OPERATORS)} {_expression(rng, depth + 1)})"
    if choice == 3:
        return f"({left})|{_filled(rng, rng.choice(_FILTERS), depth)}"
    if choice == 4:
        return f"({left}).{_filled(rng, rng.choice(_METHODS), depth)}"
    if choice == 5:
        return f"({left} {_filled(rng, rng.choice(_TESTS), depth)})"
    if choice == 6:
        return (
            f"({left})[{rng.choice(('0', '-1', '::-1', '1:', repr('__class__'), '::N'.replace('N', '2')))}]"
        )
    if choice == 7:
        return f"[{left}, {_expression(rng, depth + 1)}]"
    return f"({left})({_expression(rng, depth + 1)})"


def _filled(rng: Random, piece: str, depth: int) -> str:
    parts = piece.replace("N", "\0N").replace("V", "\0V").split("\0")
    made = [parts[0]]
    for part in parts[1:]:
        made.append(str(rng.choice(NUMBERS)) if part[0] == "N" else _expression(rng, max(depth, 2) + 1))
        made.append(part[1:])
    return "".join(made)
