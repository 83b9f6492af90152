"""Rounds of puzzles, a rush or a streak: the next puzzle comes with the verdict on the last one."""

import asyncio
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from ludex.coach.puzzles.collection import puzzle as find_puzzle
from ludex.coach.puzzles.collection import shipped_puzzles
from ludex.coach.puzzles.rounds import MOST_ERRORS, RoundService
from ludex.coach.puzzles.training import Kind
from ludex.core import registry
from ludex.core.errors import MoveError
from ludex.core.puzzle import Puzzle
from ludex.store.database import Database
from ludex.store.puzzles import BestRound, Mode, PuzzleRound
from ludex.web.answers import StrictRoute
from ludex.web.boards import board_title, game_title
from ludex.web.errors import error_texts, problems
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.schemas.puzzles import PuzzleMove
from ludex.web.state import Person, State
from ludex.web.teaching import ShownPosition, shown_position


class RoundPuzzle(Document):
    """A puzzle of a round as it is set. Its id is not in it, so that its solution cannot be looked up meanwhile."""

    number: int
    """1 for the first."""
    title: Texts
    task: Texts
    turns: int
    solutions: int
    board: Texts
    position: ShownPosition


class MissedPuzzle(Document):
    """A puzzle that was answered wrongly, known once the round is over."""

    id: str
    title: Texts


class RoundView(Document):
    """A round of one person."""

    id: str
    game: str
    names: Texts
    mode: Mode
    solved: int
    errors: int
    most_errors: int
    """The errors that end it."""
    left_ms: int | None
    """None without a limit of time."""
    over: bool
    puzzle: RoundPuzzle | None
    """None once it is over."""
    missed: list[MissedPuzzle]
    """Empty before the end."""


class RoundRequest(RequestBody):
    """A new round."""

    game: str = Field(min_length=1, max_length=64)
    mode: Mode


class RoundMove(PuzzleMove):
    """A move in a puzzle of a round."""

    number: int = Field(ge=1, lt=1 << 31)
    """The number of the puzzle."""


class RoundVerdict(Document):
    """What became of a move in a round."""

    legal: bool
    kind: Kind | Literal["late"]
    """As of other puzzles; late: the round was over, and the move counts for nothing."""
    solved: bool = False
    text: Texts | None = None
    """Why it is not the solution, or why the rules refuse it."""
    reply: str | None = None
    position: ShownPosition | None = None
    """After a note, and after the answer to a part."""
    round: RoundView


class RoundResult(Document):
    """The best round of a person."""

    game: str
    names: Texts
    mode: Mode
    day: str
    """In UTC."""
    solved: int
    seconds: float
    """From its beginning to the last right answer."""


class RoundRow(Document):
    """A person in the table of a day."""

    name: str
    solved: int
    seconds: float
    you: bool


class RoundTable(Document):
    """The best rounds of a day, of a game and mode."""

    names: Texts
    day: str
    """In UTC."""
    puzzles: int
    """How many the game ships."""
    rows: list[RoundRow]
    """The best of each person with a nickname, the best first."""
    today: RoundResult | None
    """The caller's best of the day."""
    best: RoundResult | None
    """And of all days."""
    unfinished: str | None
    """The id of the caller's newest round, if it is not over."""
    nickname: str | None
    """The caller's: a person without one is not in the table."""


router = APIRouter(prefix="/api/puzzles/rounds", tags=["puzzles"], route_class=StrictRoute)

FAILS: Final = ("unknown_game", "broken_game", "bad_request", "preparing", "kernels_failed")
WRITES: Final = (*FAILS, "wrong_origin", "too_large")
MOST_ROWS: Final = 20


@router.post("", status_code=201, responses=problems(*WRITES, "unknown_puzzle"))
async def begin(state: State, person: Person, request: RoundRequest) -> RoundView:
    """Begin a round of a game: the time of a rush runs from now on."""
    registry.spec(request.game)
    await state.preparation.require(request.game)
    rounds = state.rounds
    return await asyncio.to_thread(lambda: _view(rounds, rounds.begin(person, request.game, request.mode)))


@router.get("", responses=problems("unknown_game", "broken_game", "bad_request"))
async def table(
    state: State, person: Person, game: Annotated[str, Query(max_length=64)], mode: Annotated[Mode, Query()]
) -> RoundTable:
    """The best rounds of this day, and the caller's."""
    registry.spec(game)
    nickname = (await state.nicknames.of([person])).get(person)
    return await asyncio.to_thread(_table, state.database, state.rounds, person, game, mode, nickname)


@router.get("/{round_id}", responses=problems(*FAILS, "unknown_round"))
async def one(state: State, person: Person, round_id: str) -> RoundView:
    """A round of the caller as it stands."""
    current = await asyncio.to_thread(state.rounds.read, person, round_id)
    await state.preparation.require(current.game)
    return await asyncio.to_thread(_view, state.rounds, current)


@router.post("/{round_id}", responses=problems(*WRITES, "unknown_round", "stale_round", "usage"))
async def answer(state: State, person: Person, round_id: str, request: RoundMove) -> RoundVerdict:
    """Judge a move in the puzzle that is asked, and ask the next one."""
    return await asyncio.to_thread(_verdict, state.rounds, person, round_id, request)


def best_rounds(database: Database, person: str) -> list[RoundResult]:
    """A person's best rounds, by game and mode."""
    return [_result(best) for best in sorted(database.rounds.best_of(person), key=lambda best: (best.game, best.mode))]


def _verdict(rounds: RoundService, person: str, round_id: str, request: RoundMove) -> RoundVerdict:
    try:
        answered = rounds.answer(person, round_id, request.number, request.move, request.notes, request.made)
    except MoveError as error:
        view = _view(rounds, rounds.read(person, round_id))
        return RoundVerdict(legal=False, kind="other", text=error_texts(error), round=view)
    if answered is None:
        view = _view(rounds, rounds.read(person, round_id))
        return RoundVerdict(legal=True, kind="late", round=view)
    reason = None if answered.kind == "note" else answered.answer.reason
    return RoundVerdict(
        legal=True,
        kind=answered.kind,
        solved=answered.kind == "attempt" and answered.answer.solved,
        text=None if reason is None else reason.texts(),
        reply=answered.answer.reply,
        position=shown_position(answered.answer.position) if answered.kind in ("note", "part") else None,
        round=_view(rounds, answered.round),
    )


def _view(rounds: RoundService, state: PuzzleRound) -> RoundView:
    puzzle = rounds.current_puzzle(state)
    missed = [find_puzzle(state.game, puzzle_id) for puzzle_id in state.missed] if state.over else []
    return RoundView(
        id=state.id,
        game=state.game,
        names=game_title(state.game),
        mode=state.mode,
        solved=state.solved,
        errors=len(state.missed),
        most_errors=MOST_ERRORS[state.mode],
        left_ms=rounds.left_ms(state),
        over=state.over,
        puzzle=None if puzzle is None else _asked(puzzle, len(state.puzzles)),
        missed=[MissedPuzzle(id=puzzle.id, title=puzzle.title.texts()) for puzzle in missed],
    )


def _asked(puzzle: Puzzle, number: int) -> RoundPuzzle:
    return RoundPuzzle(
        number=number,
        title=puzzle.title.texts(),
        task=puzzle.task.texts(),
        turns=puzzle.turns,
        solutions=len(puzzle.proof.accept),
        board=board_title(puzzle.game, puzzle.position.board),
        position=shown_position(puzzle.position.build(puzzle.game)),
    )


def _table(
    database: Database, rounds: RoundService, person: str, game: str, mode: Mode, nickname: str | None
) -> RoundTable:
    day, unfinished = rounds.today, rounds.find_unfinished(person, game, mode)
    rows = database.rounds.table(game, mode, day, MOST_ROWS)
    own, own_today = (
        {(best.game, best.mode): _result(best) for best in results}
        for results in (database.rounds.best_of(person), database.rounds.best_of(person, day=day))
    )
    return RoundTable(
        names=game_title(game),
        day=day,
        puzzles=len(shipped_puzzles(game)),
        rows=[
            RoundRow(name=name, solved=best.solved, seconds=_seconds(best), you=best.person == person)
            for name, best in rows
        ],
        today=own_today.get((game, mode)),
        best=own.get((game, mode)),
        unfinished=None if unfinished is None else unfinished.id,
        nickname=nickname,
    )


def _result(best: BestRound) -> RoundResult:
    return RoundResult(
        game=best.game,
        names=game_title(best.game),
        mode=best.mode,
        day=best.day,
        solved=best.solved,
        seconds=_seconds(best),
    )


def _seconds(best: BestRound) -> float:
    return best.spent_ms / 1000
