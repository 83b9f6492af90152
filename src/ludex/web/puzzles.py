"""Puzzles as documents: what is asked, what became of a move, and the proof."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped
from ludex.coach.puzzles.training import ThemeResult, Training, daily, utc_today
from ludex.coach.words import move_message
from ludex.core.errors import MoveError
from ludex.core.illustration import Illustration
from ludex.core.messages import Message
from ludex.core.puzzle import Puzzle, title_of
from ludex.store.database import Database
from ludex.web.boards import board_title, game_title
from ludex.web.errors import error_texts
from ludex.web.schemas.puzzles import (
    DailyPuzzle,
    OwnMistakes,
    PuzzleGame,
    PuzzleOverview,
    PuzzleReason,
    PuzzleSolution,
    PuzzleTheme,
    PuzzleVerdict,
    PuzzleView,
)
from ludex.web.schemas.teaching import ShownPosition
from ludex.web.teaching import shown_position

MOST_FRAMES: Final = 12


def overview(database: Database, person: str, mistakes: OwnMistakes) -> PuzzleOverview:
    """The puzzles of every game, where a person stands, and the puzzle of the day."""
    training, today, games = Training(database), utc_today(), games_with_puzzles()
    results = training.themes(person)
    return PuzzleOverview(
        games=[
            PuzzleGame(
                game=game,
                names=game_title(game),
                themes=[_theme(result) for result in results if result.game == game],
            )
            for game in games
        ],
        mistakes=mistakes,
        standing=training.standing(person, today),
        daily=_daily(training, database, person, today) if games else None,
    )


def puzzle_view(database: Database, person: str, puzzle: Puzzle) -> PuzzleView:
    """A puzzle for a person, without its solution."""
    training = Training(database)
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
        tried=training.has_tried(person, puzzle),
        standing=training.standing(person),
    )


def verdict(database: Database, person: str, puzzle: Puzzle, move: str, notes: Sequence[str] = ()) -> PuzzleVerdict:
    """Judge a person's move and write it down, if the rules allow it and it is an attempt."""
    training = Training(database)
    try:
        graded = training.attempt(person, puzzle, move, notes)
    except MoveError as error:
        return PuzzleVerdict(
            legal=False,
            kind="other",
            solved=False,
            text=error_texts(error),
            cells=[],
            counted=False,
            change=0,
            standing=training.standing(person),
            solution=None,
            position=None,
        )
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
        solution=solution_view(puzzle, answer.move) if solved else None,
        position=shown_position(answer.position) if graded.kind == "note" else None,
    )


def solution_view(puzzle: Puzzle, move: str | None = None) -> PuzzleSolution:
    """The proof of a puzzle; where it has no line, the position after the move that was found."""
    proof, position = puzzle.proof, puzzle.position.build(puzzle.game)
    line = proof.line if move is None or move in proof.line[:1] else ()
    return PuzzleSolution(
        accept=[*proof.accept],
        words=[move_text(position, text).texts() for text in proof.accept],
        proof=[PuzzleReason(text=message.texts(), cells=[*message.cells]) for message in proof.explanation],
        line=[*line],
        frames=_frames(puzzle, line or (move or proof.accept[0],)),
    )


def move_text(position: Illustration, text: str) -> Message:
    """A legal move of a position in words, or in the game's notation where people read it."""
    game = position.game
    return move_message(game, position.state, game.parse_action(position.state, text)) or Message.plain(text)


def _theme(result: ThemeResult) -> PuzzleTheme:
    return PuzzleTheme(
        theme=result.theme,
        title=title_of(result.game, result.theme).texts(),
        puzzles=len(of_theme([*shipped(result.game).values()], result.theme)),
        attempts=result.attempts,
        solved=result.solved,
    )


def _daily(training: Training, database: Database, person: str, today: date) -> DailyPuzzle:
    puzzle = daily(today)
    attempts = [attempt for attempt in database.puzzles.attempts(person) if attempt.puzzle == puzzle.id]
    return DailyPuzzle(
        day=today.isoformat(),
        game=puzzle.game,
        names=game_title(puzzle.game),
        id=puzzle.id,
        title=puzzle.title.texts(),
        solved=any(attempt.solved for attempt in attempts),
        tried=bool(attempts),
    )


def _frames(puzzle: Puzzle, line: Sequence[str]) -> list[ShownPosition]:
    position = puzzle.position.build(puzzle.game)
    # The board does not turn when the other player is to move.
    position = replace(position, spec=replace(puzzle.position, viewer=position.seen_by, show_legal=False))
    frames: list[Illustration] = []
    for move in line[:MOST_FRAMES]:
        position = position.after(move)
        frames.append(position)
    return [shown_position(frame) for frame in frames]
