"""Puzzles from a person's own mistakes, as documents."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ludex.coach.puzzles.mistakes import THEME, Mistake, mistakes_of
from ludex.coach.puzzles.training import Training
from ludex.core.illustration import Illustration, PositionSpec
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.record import replay
from ludex.store.database import Database
from ludex.web.boards import board, board_title, game_title
from ludex.web.puzzles import move_text
from ludex.web.schemas.puzzles import OwnMistakes, PuzzleReason, PuzzleSolution, PuzzleVerdict, PuzzleView
from ludex.web.schemas.reviews import RetryVerdict
from ludex.web.schemas.teaching import ShownPosition
from ludex.web.teaching import shown_position


def own_mistakes(database: Database, person: str) -> OwnMistakes:
    """How many there are, and how many were put right."""
    ids = {mistake.id for mistake in mistakes_of(database, person)}
    solved = {attempt.puzzle for attempt in database.puzzles.attempts(person) if attempt.solved}
    return OwnMistakes(count=len(ids), solved=len(ids & solved))


def mistake_view(database: Database, person: str, mistake: Mistake) -> PuzzleView:
    """The position before the mistake, without the better move."""
    training, before = Training(database), _before(database, mistake)
    return PuzzleView(
        id=mistake.id,
        game=mistake.game,
        names=game_title(mistake.game),
        theme=THEME,
        title=mistake.title.texts(),
        task=mistake.task(move_text(before, mistake.move)).texts(),
        rating=None,
        board=board_title(mistake.game, mistake.preset),
        position=shown_position(before),
        tried=database.puzzles.has_tried(person, mistake.id),
        standing=training.standing(person),
    )


def mistake_verdict(database: Database, person: str, mistake: Mistake, verdict: RetryVerdict) -> PuzzleVerdict:
    """What the analyst's judgement means, written down as an attempt that is not rated."""
    training = Training(database)
    training.note(person, mistake.game, THEME, mistake.id, verdict.text, verdict.accepted)
    tried = move_text(_before(database, mistake), verdict.text)
    worse = Message("ludex.puzzle_mistake_wrong", {"move": tried, "loss": verdict.loss})
    return PuzzleVerdict(
        legal=True,
        kind="attempt",
        solved=verdict.accepted,
        text=None if verdict.accepted else worse.texts(),
        cells=[],
        counted=False,
        change=0,
        standing=training.standing(person),
        solution=mistake_solution(database, mistake, verdict.text) if verdict.accepted else None,
        position=None,
    )


def note_retry(database: Database, person: str, match_id: str, verdict: RetryVerdict) -> None:
    """Write down a move that was tried in a review, if it takes the place of the person's own mistake."""
    for mistake in mistakes_of(database, person):
        if (mistake.match_id, mistake.ply) == (match_id, verdict.ply):
            Training(database).note(person, mistake.game, THEME, mistake.id, verdict.text, verdict.accepted)


def mistake_solution(database: Database, mistake: Mistake, move: str | None = None) -> PuzzleSolution:
    """What the review says, and the better move; after another one that is as good, the position after that."""
    review, before = mistake.review, _before(database, mistake)
    best = move_text(before, review["best"])
    better = Message("ludex.puzzle_mistake_better", {"best": best, "move": move_text(before, mistake.move)})
    line = tuple(review["line"]) if move in (None, review["best"]) else (move,)
    return PuzzleSolution(
        accept=[review["best"]],
        words=[best.texts()],
        proof=[
            PuzzleReason(text=better.texts(), cells=[]),
            *(PuzzleReason(text=reason["text"], cells=reason["cells"]) for reason in review["reasons"]),
        ],
        line=[*line],
        frames=_frames(before, [text for text in line if text is not None]),
    )


def _match(database: Database, mistake: Mistake) -> Match[Any, Any]:
    record = database.matches.get(mistake.match_id).record
    return replay(board(record.game, record.preset), record)


def _before(database: Database, mistake: Mistake) -> Illustration:
    match = _match(database, mistake)
    return Illustration(
        game=match.game,
        state=match.positions[mistake.ply],
        spec=PositionSpec(board=match.game.info.preset, viewer=mistake.player, show_legal=True),
        moves=tuple(match.moves[: mistake.ply]),
    )


def _frames(position: Illustration, line: Sequence[str]) -> list[ShownPosition]:
    position = replace(position, spec=replace(position.spec, show_legal=False))
    frames = []
    # Where chance decides, the rest of a line belongs to other dice.
    for move in line if position.game.info.chance == "none" else line[:1]:
        position = position.after(move)
        frames.append(shown_position(position))
    return frames
