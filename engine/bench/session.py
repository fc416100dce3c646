"""The measuring itself: every prompt by every contestant in turn, forwards and then backwards."""

from collections.abc import Callable, Iterator, Sequence

from engine.bench.contestants import Contestant
from engine.bench.prompts import Prompt
from engine.bench.rows import Outcome
from engine.bench.watch import Reading, processors
from engine.errors import SlipstreamError
from engine.request import Message

WARM_UP = Message("user", "Count from one to ten.")
WARM_UP_TOKENS = 16


def measure(
    contestants: Sequence[Contestant],
    prompts: Sequence[Prompt],
    repeat: int,
    max_tokens: int,
    *,
    tell: Callable[[str], None],
    note: Callable[[str], None],
) -> Iterator[Outcome]:
    """Outcomes as they come, each told with its number. A contestant that fails is noted and left out after."""
    running = list(contestants)
    steps = list(turns(running, prompts, repeat))
    for number, (contestant, prompt, round_) in enumerate(steps, 1):
        if contestant not in running:
            continue
        try:
            outcome = converse(contestant, prompt, round_, max_tokens)
        except SlipstreamError as error:
            running.remove(contestant)
            note(f"{contestant.name} was left out from {prompt.id} on: {error}")
            if not running:
                raise
            continue
        tell(f"[{number}/{len(steps)}] {progress_line(outcome)}")
        yield outcome


def turns(
    contestants: Sequence[Contestant], prompts: Sequence[Prompt], repeat: int
) -> Iterator[tuple[Contestant, Prompt, int]]:
    """A B C on one prompt, C B A on the next, and the other way round in the next round.

    So a slow minute of the machine hits all alike, and nobody always comes first.
    """
    for round_ in range(repeat):
        for index, prompt in enumerate(prompts):
            order = contestants if (round_ + index) % 2 == 0 else contestants[::-1]
            for contestant in order:
                yield contestant, prompt, round_


def converse(contestant: Contestant, prompt: Prompt, round_: int, max_tokens: int) -> Outcome:
    """All turns of a prompt, with the contestant's own answers between them."""
    messages: list[Message] = []
    answers = []
    before = Reading.now()
    for turn in prompt.turns:
        messages.append(Message("user", turn))
        answers.append(contestant.answer(tuple(messages), max_tokens, prompt.seed))
        messages.append(Message("assistant", answers[-1].text))
    elsewhere = before.busy_elsewhere(Reading.now(), processors())
    return Outcome(prompt, contestant.name, contestant.plain, round_, tuple(answers), elsewhere)


def warm_up(contestants: Sequence[Contestant], message: Message = WARM_UP) -> None:
    """One short answer each, not counted: first passes allocate memory and teach the pace its costs."""
    for contestant in contestants:
        contestant.answer((message,), WARM_UP_TOKENS)


def progress_line(outcome: Outcome) -> str:
    tokens = len(outcome.token_ids)
    seconds = sum(answer.seconds for answer in outcome.answers)
    speed = f", {tokens / seconds:.1f} tokens/s" if seconds else ""
    return f"{outcome.prompt.id} {outcome.mode}: {tokens} tokens{speed}"
