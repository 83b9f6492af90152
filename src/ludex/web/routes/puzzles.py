"""Puzzles, of the games and from a person's own mistakes: what is asked, what became of a move, and the proof."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query

from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped_puzzles
from ludex.coach.puzzles.collection import puzzle as find_puzzle
from ludex.coach.puzzles.mistakes import THEME, Mistake, mistakes_of, next_mistake
from ludex.coach.puzzles.mistakes import mistake as find_mistake
from ludex.coach.puzzles.training import Training, daily, utc_today
from ludex.core.errors import MoveError
from ludex.core.explanation import move_message
from ludex.core.illustration import Illustration
from ludex.core.messages import Message
from ludex.core.puzzle import Puzzle, title_of
from ludex.store.database import Database
from ludex.web.answers import StrictRoute
from ludex.web.boards import board_title, game_title, replay_record
from ludex.web.errors import BadRequest, error_texts, problems
from ludex.web.schemas.puzzles import (
    DailyPuzzle,
    OwnMistakes,
    PuzzleCalendar,
    PuzzleGame,
    PuzzleMove,
    PuzzleOverview,
    PuzzleReason,
    PuzzleSolution,
    PuzzleTheme,
    PuzzleVerdict,
    PuzzleView,
)
from ludex.web.schemas.reviews import RetryRequest, RetryVerdict
from ludex.web.state import AppState, Person, State
from ludex.web.teaching import ShownPosition, illustrate, shown_position

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"], route_class=StrictRoute)

FAILS: Final = ("unknown_game", "broken_game", "unknown_puzzle", "usage", "bad_request", "preparing", "kernels_failed")
WRITES: Final = (*FAILS, "wrong_origin", "too_large")
RETRIES: Final = ("move", "unknown_match", "too_busy", "agent_fault", "abandoned", "damaged_match")
MOST_FRAMES: Final = 12
FIRST_MONTH: Final = date(2025, 1, 1)
"""Where the calendar of past days begins."""


@router.get("", responses=problems())
async def puzzles(state: State, person: Person) -> PuzzleOverview:
    """The themes of every game, the caller's rating and streaks, the puzzle of the day, and their own mistakes."""
    return await asyncio.to_thread(_overview, state.database, person)


@router.get("/calendar", responses=problems("bad_request"))
async def calendar(
    state: State,
    person: Person,
    month: Annotated[str | None, Query(pattern=r"^20\d\d-(0[1-9]|1[0-2])$", description="such as 2026-11")] = None,
) -> PuzzleCalendar:
    """The puzzles of the days of a month up to today, and which of them the caller has solved."""
    return await asyncio.to_thread(_calendar, state.database, person, month)


@router.get("/mistakes/next", responses=problems(*FAILS))
async def next_own(state: State, person: Person) -> PuzzleView:
    """A mistake of the caller in a match that was reviewed, to be put right."""
    return await _own_view(state, person, await asyncio.to_thread(next_mistake, state.database, person))


@router.get("/mistakes/{puzzle}", responses=problems(*FAILS))
async def own(state: State, person: Person, puzzle: str) -> PuzzleView:
    """A mistake of the caller by its id, the match's and the ply."""
    return await _own_view(state, person, await asyncio.to_thread(find_mistake, state.database, person, puzzle))


@router.post("/mistakes/{puzzle}", responses=problems(*WRITES, *RETRIES))
async def judge_own(state: State, person: Person, puzzle: str, request: PuzzleMove) -> PuzzleVerdict:
    """Have the analyst judge a move in the place of a mistake; nothing is rated."""
    mistake = await asyncio.to_thread(find_mistake, state.database, person, puzzle)
    retry = RetryRequest(ply=mistake.ply, text=request.move)
    verdict = await state.matches.retry(mistake.match_id, retry, person)
    return await asyncio.to_thread(_mistake_verdict, state.database, person, mistake, verdict)


@router.post("/mistakes/{puzzle}/solution", responses=problems(*WRITES))
async def own_solution(state: State, person: Person, puzzle: str) -> PuzzleSolution:
    """What the review says of a mistake."""
    mistake = await asyncio.to_thread(find_mistake, state.database, person, puzzle)
    await state.preparation.require(mistake.game)
    return await asyncio.to_thread(_mistake_solution, state.database, mistake)


@router.get("/{game}/next", responses=problems(*FAILS))
async def next_puzzle(
    state: State,
    person: Person,
    game: str,
    theme: Annotated[str | None, Query(max_length=64, description="one theme only")] = None,
) -> PuzzleView:
    """A puzzle that the caller has not tried, near their rating."""
    await state.preparation.require(game)
    training = Training(state.database)
    return await asyncio.to_thread(lambda: _view(training, person, training.next(person, game, theme)))


@router.get("/{game}/daily", responses=problems(*FAILS))
async def of_the_day(state: State, person: Person, game: str) -> PuzzleView:
    """The puzzle of the day of a game, the same for all people."""
    await state.preparation.require(game)
    return await asyncio.to_thread(lambda: _view(Training(state.database), person, daily(utc_today(), game)))


@router.get("/{game}/{puzzle}", responses=problems(*FAILS))
async def one(state: State, person: Person, game: str, puzzle: str) -> PuzzleView:
    """A puzzle by its id."""
    await state.preparation.require(game)
    return await asyncio.to_thread(lambda: _view(Training(state.database), person, find_puzzle(game, puzzle)))


@router.post("/{game}/{puzzle}", responses=problems(*WRITES))
async def judge(state: State, person: Person, game: str, puzzle: str, request: PuzzleMove) -> PuzzleVerdict:
    """Judge a move; the caller's first attempt at a puzzle is rated."""
    await state.preparation.require(game)
    return await asyncio.to_thread(
        lambda: _verdict(Training(state.database), person, find_puzzle(game, puzzle), request)
    )


@router.post("/{game}/{puzzle}/solution", responses=problems(*WRITES))
async def solution(state: State, person: Person, game: str, puzzle: str) -> PuzzleSolution:
    """The solution with its proof; before any attempt it counts as a failed one."""
    await state.preparation.require(game)
    return await asyncio.to_thread(_give_up, Training(state.database), person, game, puzzle)


def _overview(database: Database, person: str) -> PuzzleOverview:
    training, today, games = Training(database), utc_today(), games_with_puzzles()
    results, attempts = training.themes(person), database.puzzles.attempts(person)
    solved = {attempt.puzzle for attempt in attempts if attempt.solved}
    mistakes = {mistake.id for mistake in mistakes_of(database, person)}
    themes = {
        game: [
            PuzzleTheme(
                theme=result.theme,
                title=title_of(game, result.theme).texts(),
                puzzles=len(of_theme([*shipped_puzzles(game).values()], result.theme)),
                attempts=result.attempts,
                solved=result.solved,
            )
            for result in results
            if result.game == game
        ]
        for game in games
    }
    return PuzzleOverview(
        games=[PuzzleGame(game=game, names=game_title(game), themes=themes[game]) for game in games],
        mistakes=OwnMistakes(count=len(mistakes), solved=len(mistakes & solved)),
        standing=training.standing(person, today),
        daily=_daily(today, {attempt.puzzle for attempt in attempts}, solved) if games else None,
    )


def _calendar(database: Database, person: str, month: str | None) -> PuzzleCalendar:
    today = utc_today()
    first = today.replace(day=1) if month is None else date.fromisoformat(f"{month}-01")
    if first > today:
        raise BadRequest(f"month: {month} has not begun")
    attempts = database.puzzles.attempts(person, limit=None)
    tried, solved = ({attempt.puzzle for attempt in attempts if attempt.solved or each} for each in (True, False))
    after = (first + timedelta(days=31)).replace(day=1)
    days = min((after - first).days, (today - first).days + 1) if games_with_puzzles() else 0
    return PuzzleCalendar(
        month=_month(first),
        days=[_daily(first + timedelta(days=day), tried, solved) for day in range(days)],
        before=None if first <= FIRST_MONTH else _month(first - timedelta(days=1)),
        after=None if after > today else _month(after),
    )


def _month(day: date) -> str:
    return day.isoformat()[:7]


def _daily(day: date, tried: set[str], solved: set[str]) -> DailyPuzzle:
    puzzle = daily(day)
    return DailyPuzzle(
        day=day.isoformat(),
        game=puzzle.game,
        names=game_title(puzzle.game),
        id=puzzle.id,
        title=puzzle.title.texts(),
        solved=puzzle.id in solved,
        tried=puzzle.id in tried,
    )


def _view(training: Training, person: str, puzzle: Puzzle) -> PuzzleView:
    """A puzzle for a person, without its solution."""
    return PuzzleView(
        id=puzzle.id,
        game=puzzle.game,
        names=game_title(puzzle.game),
        theme=puzzle.theme,
        title=puzzle.title.texts(),
        task=puzzle.task.texts(),
        rating=round(training.rating(puzzle).points),
        board=board_title(puzzle.game, puzzle.position.board),
        position=shown_position(puzzle.position.build(puzzle.game)),
        turns=puzzle.turns,
        solutions=len(puzzle.proof.accept),
        tried=training.has_tried(person, puzzle),
        standing=training.standing(person),
    )


def _verdict(training: Training, person: str, puzzle: Puzzle, request: PuzzleMove) -> PuzzleVerdict:
    """Judge a person's move and write it down, if the rules allow it and it is an attempt."""
    try:
        graded = training.attempt(person, puzzle, request.move, request.notes, request.made)
    except MoveError as error:
        standing = training.standing(person)
        return PuzzleVerdict(legal=False, kind="other", text=error_texts(error), standing=standing)
    answer, solved = graded.answer, graded.kind == "attempt" and graded.answer.solved
    reason = None if graded.kind == "note" else answer.reason
    return PuzzleVerdict(
        legal=True,
        kind=graded.kind,
        solved=solved,
        text=None if reason is None else reason.texts(),
        cells=[] if reason is None else [*reason.cells],
        counted=graded.counted,
        change=round(graded.after.points) - round(graded.before.points),
        standing=training.standing(person),
        solution=_solution(puzzle, (*request.made, answer.move)) if solved else None,
        reply=answer.reply,
        position=shown_position(answer.position) if graded.kind in ("note", "part") else None,
    )


def _give_up(training: Training, person: str, game: str, puzzle_id: str) -> PuzzleSolution:
    puzzle = find_puzzle(game, puzzle_id)
    training.give_up(person, puzzle)
    return _solution(puzzle)


def _solution(puzzle: Puzzle, moves: Sequence[str] = ()) -> PuzzleSolution:
    """The proof of a puzzle; where it has no line, the position after the moves that were found."""
    proof, position = puzzle.proof, puzzle.position.build(puzzle.game)
    played = [*moves[:1]]
    for move, turn in zip(moves[1:], proof.turns, strict=False):
        played += [turn.reply, move]
    line = proof.line if [*proof.line[: len(played)]] == played else ()
    return PuzzleSolution(
        accept=[*proof.accept],
        words=[_move_text(position, text).texts() for text in proof.accept],
        proof=[PuzzleReason(text=message.texts(), cells=[*message.cells]) for message in proof.explanation],
        line=[*line],
        frames=_frames(position, (line or played or proof.accept[:1])[:MOST_FRAMES]),
    )


def _move_text(position: Illustration, text: str) -> Message:
    """A legal move of a position in words, or in the game's notation where people read it."""
    game = position.game
    return move_message(game, position.state, game.parse_action(position.state, text)) or Message.plain(text)


def _frames(position: Illustration, line: Sequence[str]) -> list[ShownPosition]:
    """The position after each move of a line; the board does not turn when the other player is to move."""
    position = replace(position, spec=replace(position.spec, viewer=position.seen_by, show_legal=False))
    frames = []
    for move in line:
        position = position.after(move)
        frames.append(shown_position(position))
    return frames


async def _own_view(state: AppState, person: str, mistake: Mistake) -> PuzzleView:
    await state.preparation.require(mistake.game)
    return await asyncio.to_thread(_mistake_view, state.database, person, mistake)


def _mistake_view(database: Database, person: str, mistake: Mistake) -> PuzzleView:
    """The position before the mistake, without the better move."""
    before = _before(database, mistake)
    return PuzzleView(
        id=mistake.id,
        game=mistake.game,
        names=game_title(mistake.game),
        theme=THEME,
        title=mistake.title.texts(),
        task=mistake.task(_move_text(before, mistake.move)).texts(),
        board=board_title(mistake.game, mistake.preset),
        position=shown_position(before),
        turns=1,
        tried=database.puzzles.has_tried(person, mistake.id),
        standing=Training(database).standing(person),
    )


def _mistake_verdict(database: Database, person: str, mistake: Mistake, verdict: RetryVerdict) -> PuzzleVerdict:
    """What the analyst's judgement means, written down as an attempt that is not rated."""
    training = Training(database)
    training.note(person, mistake.game, THEME, mistake.id, verdict.text, verdict.accepted)
    standing = training.standing(person)
    if verdict.accepted:
        solution = _mistake_solution(database, mistake, verdict.text)
        return PuzzleVerdict(legal=True, kind="attempt", solved=True, standing=standing, solution=solution)
    move = _move_text(_before(database, mistake), verdict.text)
    worse = Message("ludex.puzzle_mistake_wrong", {"move": move, "loss": verdict.loss})
    return PuzzleVerdict(legal=True, kind="attempt", text=worse.texts(), standing=standing)


def note_retry(database: Database, person: str, match_id: str, verdict: RetryVerdict) -> None:
    """Write down a move that was tried in a review, if it takes the place of the person's own mistake."""
    for mistake in mistakes_of(database, person):
        if (mistake.match_id, mistake.ply) == (match_id, verdict.ply):
            Training(database).note(person, mistake.game, THEME, mistake.id, verdict.text, verdict.accepted)


def _mistake_solution(database: Database, mistake: Mistake, move: str | None = None) -> PuzzleSolution:
    """What the review says, and the better move; after another one that is as good, the position after that."""
    review, before = mistake.review, _before(database, mistake)
    best = _move_text(before, review["best"])
    better = Message("ludex.puzzle_mistake_better", {"best": best, "move": _move_text(before, mistake.move)})
    line = [*review["line"]] if move is None or move == review["best"] else [move]
    # Where chance decides, the rest of a line belongs to other dice.
    visible = line if before.game.info.chance == "none" else line[:1]
    return PuzzleSolution(
        accept=[review["best"]],
        words=[best.texts()],
        proof=[
            PuzzleReason(text=better.texts(), cells=[]),
            *(PuzzleReason(text=reason["text"], cells=reason["cells"]) for reason in review["reasons"]),
        ],
        line=line,
        frames=_frames(before, visible),
    )


def _before(database: Database, mistake: Mistake) -> Illustration:
    match = replay_record(database.matches.get(mistake.match_id).record)
    return illustrate(match, mistake.ply, viewer=mistake.player, show_legal=True)
