"""Prompts of a wanted length: a made-up log in front of the question, in which no sentence comes twice.

Text that repeats itself would draft itself and flatter speculation at long contexts.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from engine.bench.prompts import Prompt
from engine.request import Message

HEADING = "Notes from a harbour office, kept for reference:\n\n"
QUESTION = "\n\nLeave the notes aside and answer this:\n\n"
SHIPS = (
    *("Aurora", "Bittern", "Calluna", "Dunlin", "Esther", "Fulmar", "Gannet", "Heron", "Isolde", "Juniper"),
    *("Kestrel", "Linnet", "Marigold", "Nereid", "Osprey", "Petrel", "Quail", "Rowan", "Sabrina", "Tern"),
)
GOODS = (
    *(
        "barley",
        "copper wire",
        "window glass",
        "bicycles",
        "salt",
        "roof slates",
        "paper",
        "olive oil",
        "seed",
    ),
    *(
        "bricks",
        "fishing nets",
        "printed books",
        "wool",
        "cider",
        "stage lights",
        "bearings",
        "honey",
        "tiles",
    ),
)
PLACES = (
    *("Ardmore", "Brodick", "Cobh", "Dunkirk", "Esbjerg", "Faro", "Gdynia", "Hull", "Ijmuiden", "Jersey"),
    *(
        "Kalmar",
        "Lerwick",
        "Mallaig",
        "Nantes",
        "Oban",
        "Ponce",
        "Quimper",
        "Rostock",
        "Stavanger",
        "Tallinn",
    ),
)
PEOPLE = (
    *("Anders", "Bronwen", "Chidi", "Dolores", "Ewan", "Farida", "Giulia", "Hamish", "Ines", "Jakub"),
    *("Keiko", "Lars", "Moira", "Nikhil", "Oonagh", "Pavel", "Rosalind", "Siobhan", "Tomas", "Ursula"),
)
EVENTS = (
    *("a hatch jammed", "the fog came in", "two lamps failed", "a rope parted", "the tide ran late"),
    *("the scales stuck", "a gull broke a pane", "the radio went dead", "customs asked for papers"),
    *("the crane needed oil", "a cat was found aboard", "the pump had to be primed", "a crate burst open"),
)
FORMS = (
    "{ship} came in from {place} at {hour}:{minute:02} with {count} crates of {goods}; {person} signed for them.",
    "On berth {berth}, {person} counted {count} sacks of {goods} and wrote to {place} about the {short} missing.",
    "{person} and {other} moved the {goods} to shed {berth} because {event} at {hour}:{minute:02}.",
    "At {hour}:{minute:02} {event}, so {ship} lay over for {short} hours and left for {place} without {goods}.",
    "{place} ordered {count} tonnes of {goods} by wire; {ship} can take {short} of them on its next trip.",
    "The master of {ship} owes berth {berth} a fee of {count} for {short} days, as {person} told {other}.",
    "{other} found {short} boxes marked {place} behind the {goods}; nobody aboard {ship} had missed them.",
    "Since {event}, {person} wants the {goods} from {place} weighed twice: {count} kilos, then {count2}.",
)


def sentences(seed: int = 0) -> Iterator[str]:
    """Different ones without end."""
    chance = random.Random(seed)
    seen: set[str] = set()
    while True:
        person, other = chance.sample(PEOPLE, 2)
        sentence = chance.choice(FORMS).format(
            ship=chance.choice(SHIPS),
            place=chance.choice(PLACES),
            goods=chance.choice(GOODS),
            event=chance.choice(EVENTS),
            person=person,
            other=other,
            hour=chance.randrange(5, 23),
            minute=chance.randrange(60),
            berth=chance.randrange(1, 40),
            short=chance.randrange(2, 60),
            count=chance.randrange(60, 2000),
            count2=chance.randrange(60, 2000),
        )
        if sentence not in seen:
            seen.add(sentence)
            yield sentence


def padded(prompt: Prompt, context: int, count: Callable[[Sequence[Message]], int]) -> Prompt:
    """The first turn alone, with as many sentences before it as fit into `context` tokens by `count`.

    Longer contexts begin with the sentences of shorter ones, so that their keys and values can be reused.
    """

    def text(lines: int) -> str:
        log = " ".join(islice(sentences(), lines))
        return f"{HEADING}{log}{QUESTION}{prompt.turns[0]}" if lines else prompt.turns[0]

    def fits(lines: int) -> bool:
        return count((Message("user", text(lines)),)) <= context

    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return replace(prompt, id=f"{prompt.id}@{context}", turns=(text(low),), context=context)


def fitting(
    prompts: Sequence[Prompt], number: int, context: int, count: Callable[[Sequence[Message]], int]
) -> list[Prompt]:
    """The first `number` prompts whose first turn has at most `context` tokens; the shortest ones if none has."""
    sizes = {prompt.id: count((Message("user", prompt.turns[0]),)) for prompt in prompts}
    short = [prompt for prompt in prompts if sizes[prompt.id] <= context]
    return (short or sorted(prompts, key=lambda prompt: sizes[prompt.id]))[:number]
