"""`check_teaching`: what a game tells newcomers, rules, tutorial, coach and moves in words, holds on its own boards."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any, Final

from ludex.core import registry
from ludex.core.conformance.report import require_whole, unwritten
from ludex.core.errors import LudexError
from ludex.core.game import legal_actions
from ludex.core.illustration import Illustration
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.seeding import OPENING
from ludex.core.spec import GameSpec
from ludex.core.tutorial import WRONG, StepSpec, Tutorial, judge

MOST_PLIES: Final = 120
"""How far the coach is heard in a random match."""


def check_teaching(spec: GameSpec) -> None:
    """Raise `BrokenGame` that lists everything wrong with rules, tutorial, coach and words; return None if nothing is.

    >>> check_teaching(registry.spec("tictactoe"))
    """
    # Of the coach and of the words for moves one counterexample is enough.
    require_whole(spec, [*_rules(spec), *_tutorial(spec), *islice(_coach(spec), 1), *islice(_words(spec), 1)])


def _rules(spec: GameSpec) -> Iterator[str]:
    if spec.screen.rules is None:
        return
    for preset in spec.presets:
        book: Rulebook = registry.resolve(spec.screen.rules)(registry.make(spec.id, preset))
        where = f"rules of {preset}"
        if not book.sections:
            yield f"{where}: there is no section"
        for section in book.sections:
            yield from unwritten(where, section.title, section.text)
            if section.picture is not None:
                try:
                    section.picture.build(spec.id)
                except LudexError as error:
                    yield f"{where}: {section.title.id}: the position cannot be built: {error.message}"
        for term in book.terms:
            yield from unwritten(where, term.title, term.meaning)


def _tutorial(spec: GameSpec) -> Iterator[str]:
    if spec.screen.tutorial is None:
        return
    tutorial: Tutorial = registry.resolve(spec.screen.tutorial)
    names = [step.name for step in tutorial.steps]
    if not names or len(names) > len({*names}):
        yield f"tutorial: its steps need names of their own, found {names}"
    for step in tutorial.steps:
        where = f"tutorial step {step.name!r}"
        yield from unwritten(where, *step.messages(spec.id))
        try:
            position = step.position.build(spec.id)
        except LudexError as error:
            yield f"{where}: the position cannot be built: {error.message}"
            continue
        if not step.turns:
            yield f"{where}: it has no turn, so no move completes it"
        faults = [*_turns(spec, step, position, ())]
        yield from faults
        if not faults and not _can_err(spec, step, position):
            yield f"{where}: every legal move completes it, so it is no task"


def _turns(spec: GameSpec, step: StepSpec, position: Illustration, played: tuple[str, ...]) -> Iterator[str]:
    """The faults of the turns from this position on, after the moves that a person has made in the step."""
    if len(played) == len(step.turns):
        return
    where = f"tutorial step {step.name!r}, turn {len(played) + 1}"
    turn, texts = step.turns[len(played)], [] if position.to_move is None else position.legal_texts()
    accepted = [text for text in texts if turn.accepts(text)]
    for pattern in (*turn.accept, *turn.refuse):
        if not any(fnmatchcase(text, pattern) for text in texts):
            yield f"{where}: no legal move is {pattern!r}; legal are {', '.join(texts[:20])}"
    wrong = next((text for text in texts if text not in accepted), None)
    if wrong is not None:
        verdict = judge(spec.id, step, (*played, wrong))
        if verdict.accepted or verdict.reason is None:
            yield f"{where}: {wrong} is wrong, and is not refused with a reason such as {WRONG!r}"
    for text in accepted:
        try:
            verdict = judge(spec.id, step, (*played, text))
        except LudexError as error:
            yield f"{where}: after {text} a reply fails: {error.message}"
            return
        faults = [] if verdict.accepted else [f"{where}: {text} is not accepted"]
        faults += _turns(spec, step, verdict.position, (*played, text))
        if faults:
            yield from faults
            return


def _can_err(spec: GameSpec, step: StepSpec, position: Illustration) -> bool:
    """Whether some legal move of a step without faults is wrong."""
    played: list[str] = []
    for turn in step.turns:
        texts = position.legal_texts()
        if not all(turn.accepts(text) for text in texts):
            return True
        played.append(texts[0])
        position = judge(spec.id, step, played).position
    return False


def _coach(spec: GameSpec) -> Iterator[str]:
    if spec.screen.coach is not None:
        coach = registry.resolve(spec.screen.coach)
        for where, match in _random_positions(spec):
            view = match.game.view(match.state, match.to_move)
            yield from _unsaid(f"coach {where}", coach(match.game, view, match.legal()))


def _words(spec: GameSpec) -> Iterator[str]:
    if spec.screen.describe_move is not None:
        describe = registry.resolve(spec.screen.describe_move)
        for where, match in _random_positions(spec):
            actions = legal_actions(match.legal())
            # Some of each end of the table, lest a move with many neighbours take all the time.
            for action in {*actions[:2], *actions[-2:]}:
                yield from _unsaid(f"describe_move {where}", describe(match.game, match.state, action))


def _unsaid(where: str, message: Any) -> Iterator[str]:
    if isinstance(message, Message):
        yield from unwritten(where, message)
    else:
        yield f"{where}: expected a Message, found {type(message).__name__}"


def _random_positions(spec: GameSpec) -> Iterator[tuple[str, Match[Any, Any]]]:
    """A match of random moves on every board, before each of them, and where it stands."""
    for preset in spec.presets:
        match = Match(registry.make(spec.id, preset), seed=1)
        while not match.over and match.ply < MOST_PLIES:
            yield f"at ply {match.ply} of {preset}", match
            match.play(match.rng(OPENING).choice(legal_actions(match.legal())))
