"""Chat templates as the field writes them, and as nobody should write them."""

import pytest

from engine import chat_template, template_meter
from engine.chat_template import CHATML, ChatTemplate
from engine.errors import SlipstreamError
from engine.request import Message

HELLO = [Message("user", "hello")]
TALK = [
    Message("system", "be brief"),
    Message("user", "hi"),
    Message("assistant", "hey"),
    Message("user", "so?"),
]
REFUSES_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for m in messages %}[{{ m.role }}]{{ m.content | trim }}{% endfor %}"
)
DROPS_SYSTEM = "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content }}{% endfor %}"


def test_chatml() -> None:
    assert ChatTemplate(CHATML).render(TALK) == (
        "<|im_start|>system\nbe brief<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n"
        "<|im_start|>assistant\nhey<|im_end|>\n<|im_start|>user\nso?<|im_end|>\n<|im_start|>assistant\n"
    )
    assert ChatTemplate(CHATML).render(HELLO, add_generation_prompt=False) == (
        "<|im_start|>user\nhello<|im_end|>\n"
    )


@pytest.mark.parametrize("source", [REFUSES_SYSTEM, DROPS_SYSTEM])
def test_a_template_without_a_system_role_gets_it_in_the_first_user_message(source: str) -> None:
    template = ChatTemplate(source)
    assert not template.accepts_system
    assert template.render(TALK) == "[user]be brief\n\nhi[assistant]hey[user]so?"
    assert template.render([Message("system", "be brief")]) == "[user]be brief"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{%- if tools %}tools{%- endif %}\n  {% if true %}\nx\n  {% endif %}\ny", "x\ny"),  # trim, lstrip
        ("{% for i in range(9) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}", "012"),
        ("{{ {'ä': [1, '<']} | tojson }}", '{"ä": [1, "<"]}'),
        ("{{ [1] | tojson(indent=2) }}", "[\n  1\n]"),
        ("{{ bos_token }}{{ messages[-1]['content'] ~ eos_token ~ 1 }}", "<s>hello</s>1"),
        ("{% generation %}{{ 'a' }}{% endgeneration %}b", "ab"),
        ("{% set s = namespace(n=0) %}{% for m in 'ab' %}{% set s.n = s.n + 1 %}{% endfor %}{{ s.n }}", "2"),
        ("{% macro f(x) %}<{{ x }}>{% endmacro %}{{ f('a') ~ f(b='c', x='b') if false else f('a') }}", "<a>"),
        ("{{ 'a-b'.split('-') | join('+') }}{{ 'xay'.replace('a', 'b') }}{{ 'q' * 3 }}", "a+bxbyqqq"),
        ("{{ messages | selectattr('role', 'equalto', 'user') | list | length }}{{ none }}", "1None"),
        ("{{ '%s:%d' | format('a', 2) }}{{ 'a\nb' | indent(2) }}", "a:2a\n  b"),
        ("{{ messages[::-1][0].content | upper }}{{ '{}{:3}'.format(1, 2) }}", "HELLO1  2"),
        ("{{ strftime_now('%%') }}", "%"),
    ],
)  # fmt: skip
def test_what_templates_of_the_field_use(source: str, text: str) -> None:
    assert ChatTemplate(source, bos_token="<s>", eos_token="</s>").render(HELLO) == text


@pytest.mark.parametrize(
    "source",
    [
        "{% for i in range(1000000000) %}{% endfor %}",
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% for i in range(99999) %}0123456789012345678901234567890123456789{% endfor %}",
        "{% macro f() %}{% for i in range(9999) %}{{ 'x' * 9999 }}{% endfor %}{% endmacro %}{{ f() }}",
        "{{ 'x' * 10000000000 }}",
        "{{ 10000000000 * 'x' }}",
        "{{ [1] * 10000000000 }}",
        "{{ 9 ** (9 ** 9) }}",
        "{% set s = namespace(x='ab') %}{% for i in range(60) %}{% set s.x = s.x + s.x %}{% endfor %}",
        "{% set s = namespace(x='ab') %}{% for i in range(60) %}{% set s.x = s.x ~ s.x %}{% endfor %}",
        "{% set s = namespace() %}{% for i in range(60) %}"
        "{% set s.x %}{{ s.x }}{{ s.x }}q{% endset %}{% endfor %}",
        "{% set s = namespace(x=1) %}{% for i in range(60) %}{% set s.x = [s.x, s.x] %}{% endfor %}",
        "{% set s = namespace(x=9) %}{% for i in range(60) %}{% set s.x = s.x * s.x %}{% endfor %}",
        "{{ 'x'.ljust(10000000000) }}",
        "{{ 'x' | center(10000000000) }}",
        "{{ '%10000000000d' % 1 }}",
        "{{ '%*d' | format(1000000000, 1) }}",
        "{{ '{:1000000000}'.format(1) }}",
        "{{ ('x' * 999999).replace('x', 'y' * 999999) }}",
        "{{ ('x' * 999999) | replace('x', 'y' * 999999) }}",
        "{{ ('x' * 999999).join(['a'] * 99999) }}",
        "{{ (['a'] * 99999) | join('x' * 999999) }}",
        "{{ ('\t' * 999999).expandtabs(99999) }}",
        "{{ ('\n' * 999999) | indent(99999) }}",
        "{{ ('x' * 999999).translate({120: 'y' * 9999}) }}",
        "{{ (['x' * 999999] | map(attribute='translate') | first)({120: 'y' * 9999}) }}",
        "{{ ('x' * 999999 | attr('translate'))(''.maketrans({'x': 'y' * 9999})) }}",
        "{{ ''.maketrans('a', 'b') }}",
        "{{ messages[0].translate }}{{ messages[0].translate() }}",
        "{{ messages.__class__.__mro__ }}",
        "{{ ''.__class__.__base__.__subclasses__() }}",
        "{{ messages.append(1) }}",
        "{% include '/etc/passwd' %}",
        "{{ 1 / 0 }}",
        "{{ (10 ** 64) ** 64 }}",
        "{{ messages[0].no.such }}",
        "{{ raise_exception('no') }}",
        "{{ ([[1]] * 300000) | sum(start=[]) }}",
        "{{ ('%(a)s' * 99999) % {'a': 'x' * 900000} }}",
        "{{ ('%9999d' * 9999) % (1,) }}",
        "{{ ('{0}' * 300000).format('x' * 900000) }}",
        "{{ [(10 ** 64) ** 16] * 900000 }}",
        "{% set b = 'x' * 900000 %}{{ {'a': b, 'b': b}.items() }}",
        "{% set ns = namespace(x='x' * 900000) %}{{ [ns] * 500000 }}",
        "{{ [['x'] * 900000] ~ ['x' * 900000] }}",
        "{% set a = 'x' * 900000 %}" * 99,
        "{{ ([1] * 900000) | tojson(separators=('x' * 900000, ':')) }}",
        "{{ ('a' * 900000).rfind('ba' + 'a' * 450000) }}",
        "{{ ('a' * 900000).strip('b' * 900000 + 'a') }}",
        "{{ ('<!---->' * 120000 | safe).striptags() }}",
        "{{ ('äa' * 450000).encode('punycode') }}",
        "{% set many = range(99999) | list %}{{ many | reject('in', many) | list }}",
        "{% for i in range(99999) if i * 0 - 1 in [0] * 99999 %}{% endfor %}",
        "{% if " + " or ".join(["1 in [0] * 99999"] * 900) + " %}{% endif %}",
        "".join(f"{{% block b{i} %}}{{{{ self.b{i + 1}() ~ self.b{i + 1}() }}}}{{% endblock %}}" for i in range(40))
        + "{% block b40 %}{% endblock %}",
        "{{ " + "9" * 5000 + " }}",
        "{% if a %}" + "{% elif a %}" * 8000 + "{% endif %}",
        "{{ strftime_now('%c' * 99) }}",
    ],
)  # fmt: skip
def test_a_hostile_or_faulty_template_ends_in_a_sentence(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template_meter, "_MOST_TICKS", 30_000)  # the real limits take seconds
    monkeypatch.setattr(template_meter, "_MOST_SECONDS", 0.3)
    with pytest.raises(SlipstreamError, match=r"^The model's chat template can't be used: .*\.$"):
        ChatTemplate(source).render(HELLO)


@pytest.mark.parametrize("source", ["{% for %}", "{{ 1 | urlize }}", "{{", "x" * 1_000_001])
def test_a_template_that_is_no_jinja_is_refused_at_once(source: str) -> None:
    with pytest.raises(SlipstreamError, match="chat template"):
        ChatTemplate(source)


def test_long_conversations_fit() -> None:
    talk = [Message("user", "word " * 2000), Message("assistant", "word " * 2000)] * 300
    looking_back = (
        "{% set ns = namespace(seen=[]) %}{% for m in messages %}{% set ns.last = messages[::-1][0] %}"
        "{{ m.content }}{% endfor %}"
    )
    assert len(ChatTemplate(looking_back).render(talk)) == 600 * 10_000


def test_a_template_can_not_take_the_checks_away() -> None:
    source = "{% set tick = 1 %}{% set weigh = 1 %}{% set environment = 1 %}{{ 'x' * 10000000000 }}"
    with pytest.raises(SlipstreamError, match="too much text"):
        ChatTemplate(source).render(HELLO)


def test_a_looping_template_is_not_rendered_a_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """GIVEN a system message WHEN the probe for its place loops too long THEN that is the end."""
    meters: list[int] = []

    class Counted(template_meter.Meter):
        def __init__(self, limit: int) -> None:
            meters.append(limit)
            super().__init__(limit)

    monkeypatch.setattr(template_meter, "_MOST_TICKS", 1000)
    monkeypatch.setattr(chat_template, "Meter", Counted)
    endless = ChatTemplate("{% for i in range(99999) %}{% endfor %}")
    with pytest.raises(SlipstreamError, match="loops too long"):
        endless.render([Message("system", "Briefly."), *HELLO])
    assert len(meters) == 1


@pytest.mark.parametrize(
    ("ending", "opened"),
    [
        ("[answer]", ""),
        ("[answer]<think>\\n", "<think>\n"),
        ("[answer]<think>\\n\\n</think>\\n\\n", ""),  # thinking is switched off
        ("{{ raise_exception('no') }}", ""),
    ],
)
def test_what_the_generation_prompt_opens_of_the_reasoning(ending: str, opened: str) -> None:
    source = "{% for message in messages %}{{ message.content }}{% endfor %}"
    template = ChatTemplate(source + "{% if add_generation_prompt %}" + _said(ending) + "{% endif %}")
    assert template.opens_thinking == opened


@pytest.mark.parametrize(
    ("answer", "given"),
    [
        ("", ""),
        ("<think>\nWell", "Well"),
        ("<think>Well", "Well"),
        ("<think>\nWell\n</think>\n\nYes", "Well\n</think>\n\nYes"),
        ("Yes", "\n</think>\n\nYes"),
    ],
)
def test_an_answer_goes_on_after_a_prompt_that_opens_the_reasoning(answer: str, given: str) -> None:
    template = ChatTemplate("{{ messages[0].content }}{% if add_generation_prompt %}<think>\n{% endif %}")
    assert template.after_prompt(answer) == given
    assert ChatTemplate(CHATML).after_prompt(answer) == answer


def _said(text: str) -> str:
    return text if text.startswith("{{") else "{{ '" + text + "' }}"
