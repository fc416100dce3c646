"""A model's chat template: messages to the text that the model was trained to see.

Templates are Jinja, written for the conventions of Hugging Face: messages are mappings with role and content,
`raise_exception`, `strftime_now` and a `tojson` that keeps non-ASCII letters are at hand.
"""

import threading
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from jinja2.exceptions import TemplateError

from engine.errors import SlipstreamError
from engine.request import Message
from engine.template_sandbox import LoopsTooLongError, Meter, TemplateSandbox

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] "
    "+ '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
_LARGEST_SOURCE = 100_000  # characters; the field's longest have some 20,000
_LONGEST_LAYOUT = 100  # of a date
_LONGEST_REASON = 200
_FREE_OUTPUT = 1_000_000  # characters that a template may write beyond the messages
THINK, END_THINK = "<think>", "</think>"
_PROBE = "slipstreamprobe"


class ChatTemplate:
    """Raises SlipstreamError when the template is faulty, refuses the messages or takes too much."""

    def __init__(self, source: str, bos_token: str = "", eos_token: str = "") -> None:
        self.source = source
        self._tokens = {"bos_token": bos_token, "eos_token": eos_token}
        self._lock = threading.Lock()  # the sandbox has one meter
        self._sandbox = TemplateSandbox()
        self._sandbox.globals.update(raise_exception=_raise_exception, strftime_now=_strftime_now)
        if len(source) > _LARGEST_SOURCE:
            raise _failure("it is too long")
        try:
            self._template = self._sandbox.from_string(source)
        except Exception as error:  # Jinja and Python's own compiler, at anything
            raise _failure(str(error) or type(error).__name__) from error

    def render(self, messages: Sequence[Message], add_generation_prompt: bool = True) -> str:
        """The prompt's text; a template without a place for a system message gets it in the user's."""
        if messages and messages[0].role == "system" and not self.accepts_system:
            messages = _folded(messages)
        return self._render(messages, add_generation_prompt)

    @cached_property
    def accepts_system(self) -> bool:
        """Whether a system message comes through: some templates refuse it, some drop it in silence."""
        try:
            return _PROBE in self._render([Message("system", _PROBE), Message("user", "x")], True)
        except SlipstreamError as error:
            if isinstance(error.__cause__, LoopsTooLongError):
                raise
            return False

    @cached_property
    def opens_thinking(self) -> str:
        """What the generation prompt opens of the answer's reasoning; "" when it opens none, or closes it again."""
        try:
            _, _, ending = self._render([Message("user", _PROBE)], True).rpartition(_PROBE)
        except SlipstreamError:
            return ""  # rendering the conversation will say why
        return ending[ending.rfind(THINK) :] if ending.rfind(THINK) > ending.rfind(END_THINK) else ""

    def after_prompt(self, answer: str) -> str:
        """An answer's beginning as it follows the prompt, which may have opened the reasoning: not opened twice.

        One that has no reasoning gets an empty one.
        """
        if not self.opens_thinking or not answer:
            return answer
        if answer.startswith(THINK):
            return answer.removeprefix(self.opens_thinking).removeprefix(THINK)
        return f"\n{END_THINK}\n\n{answer}"

    def _render(self, messages: Sequence[Message], add_generation_prompt: bool) -> str:
        plain = [{"role": message.role, "content": message.content} for message in messages]
        names = {"messages": plain, "tools": None, "documents": None, **self._tokens}
        size = sum(len(message.content) for message in messages)
        with self._lock:
            self._sandbox.meter = Meter(_FREE_OUTPUT + 8 * size)
            try:
                return self._template.render(names, add_generation_prompt=add_generation_prompt)
            except Exception as error:  # a template is foreign code and may fail in any way
                raise _failure(str(error) or type(error).__name__) from error


def _folded(messages: Sequence[Message]) -> list[Message]:
    system, *rest = messages
    at = next((i for i, message in enumerate(rest) if message.role == "user"), None)
    if at is None:
        return [Message("user", system.content), *rest]
    rest[at] = Message("user", f"{system.content}\n\n{rest[at].content}")
    return rest


def _failure(reason: str) -> SlipstreamError:
    return SlipstreamError(
        f"The model's chat template can't be used: {reason[:_LONGEST_REASON].rstrip('.')}. Choose another model."
    )


def _raise_exception(message: str) -> None:
    raise TemplateError(message)


def _strftime_now(layout: str) -> str:
    if len(layout) > _LONGEST_LAYOUT:
        raise TemplateError("it formats too wide")
    return datetime.now().strftime(layout)
