"""A tutorial as data of a game's slice: steps, each a position with a task that only accepted moves complete.

`ScreenSpec.tutorial` names a `Tutorial`. Its sentences are entries of the game's catalogues (`ludex.core.messages`), by
the name of the step: `tutorial_STEP_title`, `tutorial_STEP_task`, `tutorial_STEP_done` and `tutorial_STEP_wrong`; a
second turn of a step has `tutorial_STEP_task_2`, and so on. A person makes moves, and the game's own rules judge them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Final

from ludex.core import registry
from ludex.core.errors import MoveError, UsageError
from ludex.core.illustration import Illustration, PositionSpec
from ludex.core.messages import Message

WRONG: Final = "wrong"
"""The sentence of a step for a legal move that has no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSpec:
    """One move that a person has to find. Patterns of move texts are those of `fnmatch`, such as `deploy/*`."""

    accept: tuple[str, ...]
    """Patterns of the moves that complete the turn, of those that are legal."""
    refuse: Mapping[str, str] = field(default_factory=dict)
    """By pattern, the sentence `tutorial_STEP_NAME` that says why a legal move does not; the first match counts."""
    reply: tuple[str, ...] = ()
    """The moves that follow by themselves, such as the other player's."""

    def accepts(self, text: str) -> bool:
        """Whether a legal move completes the turn."""
        return any(fnmatchcase(text, pattern) for pattern in self.accept)

    def reason(self, text: str) -> str:
        """The name of the sentence that says why a legal move does not complete the turn."""
        return next((name for pattern, name in self.refuse.items() if fnmatchcase(text, pattern)), WRONG)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSpec:
    """One thing to learn."""

    name: str
    position: PositionSpec
    turns: tuple[TurnSpec, ...]

    def message(self, game: str, name: str, move: str = "") -> Message:
        """A sentence of the step; `{move}` stands for the move it is about."""
        return Message(f"{game}.tutorial_{self.name}_{name}", {"move": move}, self.position.cells)

    def task(self, game: str, turn: int = 0) -> Message:
        """What a person has to do in a turn."""
        return self.message(game, "task" if turn == 0 else f"task_{turn + 1}")

    def messages(self, game: str) -> Iterator[Message]:
        """Every sentence of the step."""
        yield from (self.message(game, name) for name in ("title", "done", WRONG))
        yield from (self.task(game, turn) for turn in range(len(self.turns)))
        yield from (self.message(game, name) for turn in self.turns for name in turn.refuse.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Tutorial:
    """The steps, in the order in which a person takes them."""

    steps: tuple[StepSpec, ...]

    def step(self, name: str) -> StepSpec:
        """A step by its name. Raises `UsageError` if there is none."""
        selected = next((step for step in self.steps if step.name == name), None)
        if selected is None:
            known = ", ".join(step.name for step in self.steps)
            raise UsageError(f"the tutorial has no step {name!r}; its steps are: {known}")
        return selected


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a person's last move in a step."""

    accepted: bool
    position: Illustration
    """After the move and its replies, or as before if it was not accepted."""
    turn: int
    """How many turns are completed; the step is done when all are."""
    reason: Message | None = None
    """Why a legal move was not accepted."""
    error: MoveError | None = None
    """Why the rules refused the move."""


def judge(game: str, step: StepSpec, moves: Sequence[str]) -> Verdict:
    """Judge the last of a person's moves in a step, by the rules of the game and then by its task.

    Raises `UsageError` if an earlier move was not accepted, or if the step has no turn left for the last one.
    """
    if not 1 <= len(moves) <= len(step.turns):
        raise UsageError(f"step {step.name!r} takes 1 to {len(step.turns)} moves, found {len(moves)}")
    illustration = step.position.build(game)
    # The board does not turn when the other player is to move.
    illustration = replace(illustration, spec=replace(step.position, viewer=illustration.seen_by))
    verdict = Verdict(accepted=True, position=illustration, turn=0)
    for move in moves:
        if not verdict.accepted:
            raise UsageError(f"step {step.name!r}: move {verdict.turn + 1} was not accepted, so no other can follow it")
        verdict = _judge_turn(game, step, verdict, move)
    return verdict


def _judge_turn(game: str, step: StepSpec, before: Verdict, text: str) -> Verdict:
    turn, illustration = step.turns[before.turn], before.position
    refused = replace(before, accepted=False)
    try:
        if _is_composite(game, illustration, text):
            return replace(refused, reason=step.message(game, WRONG, text))
        after = illustration.after(text)
    except MoveError as error:
        return replace(refused, error=error)
    text = after.moves[-1].text
    if not turn.accepts(text):
        return replace(refused, reason=step.message(game, turn.reason(text), text))
    for reply in turn.reply:
        after = after.after(reply)
    return Verdict(accepted=True, position=after, turn=before.turn + 1)


def _is_composite(game: str, position: Illustration, text: str) -> bool:
    """Whether a text stands for several moves, which a task never asks for."""
    hook = registry.spec(game).screen.composite
    if hook is None:
        return False
    view = position.game.view(position.state, position.game.to_move(position.state))
    return registry.resolve(hook)(position.game, view, text) is not None
