"""A puzzle as a value: a position, a task, the moves that solve it, and the proof that is shown afterwards.

A game declares the themes of its puzzles in `GameSpec.puzzles`. Each theme has two functions of the game's slice:

    make(game, rng) -> Candidate | None    a position that may be a puzzle, with the moves its maker takes for right
    prove(game, state) -> Proof | None     the right moves and why, from the position alone; None: it is no puzzle

`ludex.coach.puzzles` keeps a candidate only if its proof names the same moves. The texts of a theme are entries of the
game's catalogues: `puzzle_THEME_title`, `puzzle_THEME_task`, and `puzzle_THEME_wrong` for moves without a reason of
their own, in which `{move}` is the move made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ludex.core.documents import digest
from ludex.core.errors import BadPuzzle, MoveError, UsageError
from ludex.core.game import Action, Json
from ludex.core.illustration import Illustration, PositionSpec
from ludex.core.messages import ListOf, Message, Parameter

ID_LENGTH: Final = 12
EASIEST: Final = 600
HARDEST: Final = 2400
"""Elo points that a proof may give as a difficulty; the attempts of people move them afterwards."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position that may be a puzzle."""

    state: Any
    accept: frozenset[Action]
    """The moves that its maker takes for right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why some moves are wrong."""

    message: Message
    """`{move}`, which it need not give, is the move made."""
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A later turn of a puzzle of several moves."""

    reply: str
    """The other player's best answer to the right move before it."""
    accept: tuple[str, ...]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The answer to a position, and why it is the answer."""

    accept: tuple[str, ...]
    """The texts of every right move."""
    difficulty: int
    """In Elo points, EASIEST..HARDEST."""
    explanation: tuple[Message, ...]
    """What proves the answer, shown afterwards."""
    reasons: tuple[Reason, ...] = ()
    line: tuple[str, ...] = ()
    """Moves that show it, a right move first; empty where nothing more is to be seen."""
    turns: tuple[Turn, ...] = ()
    """The later turns of a puzzle of several moves; every turn before the last has one right move."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    """Of the sentence that sets the task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A proven puzzle of one theme."""

    game: str
    version: int
    """The game's, `GameInfo.version`."""
    theme: str
    position: PositionSpec
    proof: Proof

    @property
    def id(self) -> str:
        """A digest of the question: the same position of the same theme has the same id everywhere."""
        question = [self.game, self.version, self.theme, self.position.board, self.position.position]
        return digest([*question, [*self.position.moves], self.position.seed])[:ID_LENGTH]

    @property
    def title(self) -> Message:
        return title_of(self.game, self.theme)

    @property
    def task(self) -> Message:
        """What a person has to find."""
        return Message(f"{self.game}.puzzle_{self.theme}_task", self.proof.parameters)

    @property
    def turns(self) -> int:
        """The moves that a person has to find, one after the other."""
        return 1 + len(self.proof.turns)

    @property
    def moves(self) -> tuple[str, ...]:
        """One right move per turn: they solve it."""
        return tuple(self.at(turn).accept[0] for turn in range(self.turns))

    def at(self, turn: int) -> "Proof | Turn":
        """What is right in a turn, 0 being the first."""
        return self.proof.turns[turn - 1] if turn else self.proof

    def reason(self, move: str, turn: int = 0) -> Message:
        """Why a legal move is not the answer in a turn."""
        for reason in self.at(turn).reasons:
            if move in reason.moves:
                message = reason.message
                return Message(message.id, {"move": move, **message.parameters}, message.cells)
        return Message(f"{self.game}.puzzle_{self.theme}_wrong", {**self.proof.parameters, "move": move})

    def document(self) -> dict[str, Json]:
        """As JSON: short keys and no default values, since hundreds of them ship."""
        proof, position = self.proof, self.position
        whole: dict[str, Any] = {
            "board": position.board,
            "position": position.position,
            "moves": [*position.moves],
            "seed": str(position.seed) if position.seed else None,
            "accept": [*proof.accept],
            "difficulty": proof.difficulty,
            "why": [_pack_message(message, self.game) for message in proof.explanation],
            "wrong": _pack_reasons(proof.reasons, self.game),
            "turns": [[turn.reply, [*turn.accept], _pack_reasons(turn.reasons, self.game)] for turn in proof.turns],
            "line": [*proof.line],
            "task": {name: _packed_value(value, self.game) for name, value in proof.parameters.items()},
        }
        return {key: value for key, value in whole.items() if value not in (None, [], {})}

    @classmethod
    def of(cls, document: Any, game: str, version: int, theme: str) -> "Puzzle":
        """The puzzle of a document. Raises `BadPuzzle` for one that breaks the format."""
        try:
            return cls(
                game=game,
                version=version,
                theme=theme,
                position=PositionSpec(
                    board=document["board"],
                    position=document.get("position"),
                    moves=tuple(document.get("moves", [])),
                    seed=int(document.get("seed", 0)),
                    show_legal=True,
                ),
                proof=Proof(
                    accept=tuple(document["accept"]),
                    difficulty=document["difficulty"],
                    explanation=tuple(_unpack_message(packed, game) for packed in document["why"]),
                    reasons=_unpack_reasons(document.get("wrong", []), game),
                    turns=tuple(
                        Turn(reply=reply, accept=tuple(accept), reasons=_unpack_reasons(wrong, game))
                        for reply, accept, wrong in document.get("turns", [])
                    ),
                    line=tuple(document.get("line", [])),
                    parameters={name: _unpacked_value(value, game) for name, value in document.get("task", {}).items()},
                ),
            )
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise BadPuzzle(f"a puzzle {theme!r} of {game}: {type(error).__name__}: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """What became of a person's move."""

    solved: bool
    right: bool
    """Whether it is the answer in its turn; in the last one that solves the puzzle."""
    move: str
    """As the game writes it."""
    reason: Message | None
    """Why it is wrong."""
    reply: str | None
    """The other player's answer to a right move that is not the last."""
    position: Illustration
    """After the move and its answer."""


def judge(puzzle: Puzzle, text: str, notes: Sequence[str] = (), made: Sequence[str] = ()) -> JudgedAnswer:
    """Judge a move after the right moves of earlier turns, made after some notes that only mark the board.

    Raises `MoveError` where the rules refuse one, and `UsageError` for earlier moves that are not right.
    """
    illustration = position_at(puzzle, made)
    for note in notes:
        illustration = illustration.after(note)
    after, turn = illustration.after(text), len(made)
    move = after.moves[-1].text
    right, last = move in puzzle.at(turn).accept, turn == len(puzzle.proof.turns)
    reply = puzzle.proof.turns[turn].reply if right and not last else None
    return JudgedAnswer(
        solved=right and last,
        right=right,
        move=move,
        reason=None if right else puzzle.reason(move, turn),
        reply=reply,
        position=after if reply is None else after.after(reply),
    )


def position_at(puzzle: Puzzle, made: Sequence[str]) -> Illustration:
    """The position after right moves and their answers. Raises `UsageError` for moves that are not right."""
    illustration, turns = puzzle.position.build(puzzle.game), puzzle.proof.turns
    for turn, move in enumerate(made):
        if turn >= len(turns) or move not in puzzle.at(turn).accept:
            raise UsageError(f"{move} is not the right move of turn {turn + 1}: make it the move")
        illustration = illustration.after(move).after(turns[turn].reply)
    return illustration


def title_of(game: str, theme: str) -> Message:
    """What people call a theme."""
    return Message(f"{game}.puzzle_{theme}_title")


def reasons_of(messages: Sequence[tuple[Message, str]]) -> tuple[Reason, ...]:
    """Reasons of single moves, those of one sentence together."""
    grouped: dict[str, tuple[Message, list[str]]] = {}
    for message, move in messages:
        grouped.setdefault(digest(message.document()), (message, []))[1].append(move)
    return tuple(Reason(message=message, moves=tuple(moves)) for message, moves in grouped.values())


def check_legal(puzzle: Puzzle) -> None:
    """Play every accepted move and the line. Raises `BadPuzzle` where the rules refuse one."""
    position = puzzle.position.build(puzzle.game)
    try:
        for turn in range(puzzle.turns):
            begins = position_at(puzzle, puzzle.moves[:turn])
            for move in puzzle.at(turn).accept:
                begins.after(move)
        for move in puzzle.proof.line:
            position = position.after(move)
    except MoveError as error:
        raise BadPuzzle(f"puzzle {puzzle.id} of {puzzle.game}: {error.message}") from error


def _pack_reasons(reasons: Sequence[Reason], game: str) -> list[Any]:
    return [[*_pack_message(reason.message, game), [*reason.moves]] for reason in reasons]


def _unpack_reasons(packed: Sequence[Any], game: str) -> tuple[Reason, ...]:
    return tuple(Reason(message=_unpack_message(each[:3], game), moves=tuple(each[3])) for each in packed)


def _pack_message(message: Message, game: str) -> list[Any]:
    parameters = {name: _packed_value(value, game) for name, value in message.parameters.items()}
    return [message.id.removeprefix(f"{game}."), parameters, [*message.cells]]


def _packed_value(value: Parameter, game: str) -> Any:
    if isinstance(value, Message):
        return {"message": _pack_message(value, game)}
    if isinstance(value, ListOf):
        return {"list": [_pack_message(message, game) for message in value.messages]}
    return [*value] if isinstance(value, tuple) else value


def _unpack_message(packed: Any, game: str) -> Message:
    name, parameters, cells = packed
    owned = name if "." in name else f"{game}.{name}"
    return Message(owned, {key: _unpacked_value(value, game) for key, value in parameters.items()}, tuple(cells))


def _unpacked_value(value: Any, game: str) -> Parameter:
    if isinstance(value, dict):
        if "message" in value:
            return _unpack_message(value["message"], game)
        return ListOf(tuple(_unpack_message(packed, game) for packed in value["list"]))
    return tuple(value) if isinstance(value, list) else value
