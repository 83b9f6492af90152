"""The review of a match: what an analyst says of every move; `ludex review`."""

from pathlib import Path
from typing import Any, Final

from ludex.coach.model import Review, stored_document
from ludex.coach.review import fingerprint, positions_of, require_over, review_of
from ludex.core.documents import parse_json, read_text
from ludex.core.errors import BadRecord
from ludex.core.executor import Executor
from ludex.core.line import is_line, match_of
from ludex.core.match import Match
from ludex.core.record import MatchFile, replay
from ludex.core.registry import make, resolve
from ludex.operations.operation import Context, Operation, Request, option
from ludex.operations.requests import Workers, executor_of
from ludex.store.database import Database


class ReviewRequest(Request):
    """Review a match."""

    source: str = option(
        ...,
        'a file, a stored match\'s id, or a line: "quoridor 9x9: e2 e8"',
        "un fichier, l'identifiant d'une partie enregistrée, ou une ligne : \"quoridor 9x9: e2 e8\"",
        min_length=1,
        metavar="FILE|ID|LINE",
        argument=True,
    )
    workers: Workers = 1

    def make_executor(self, *, isolated: bool) -> Executor:
        return executor_of("local", self.workers, "auto", isolated=isolated)


def read_match(source: str) -> tuple[Match[Any, Any], tuple[str, ...]]:
    """The match of a file, a stored match's id or a line, played again, and its agents."""
    text = source
    if not is_line(source) and (Path(source).is_file() or "." in source or "/" in source):
        text = read_text(Path(source), BadRecord)
        if not is_line(text):
            file = MatchFile.parse(parse_json(text, source, BadRecord), source)
            return file.replay(make(file.record.game, file.record.preset)), file.record.agents
    if is_line(text):
        match = match_of(text)
        return match, tuple(f"player {seat + 1}" for seat in range(match.game.info.players))
    with Database.open() as database:
        record = database.matches.get(source).record
    return replay(make(record.game, record.preset), record), record.agents


def run(request: ReviewRequest, context: Context) -> Review:
    """The review; that of a stored match is read from the database, or made and stored there."""
    match, agents = read_match(request.source)
    if not match.moves:
        raise BadRecord(f"{request.source!r}: the match has no move that could be reviewed")
    if is_line(request.source) or Path(request.source).is_file():
        return _review(match, agents, context)
    require_over(match)
    with Database.open() as database:
        stored = database.reviews.get(request.source, fingerprint(match))
        if stored is not None:
            return Review.of_stored(stored, agents)
        review = _review(match, agents, context)
        database.reviews.put(request.source, fingerprint(match), stored_document(review.document(), request.source))
    return review


def _review(match: Match[Any, Any], agents: tuple[str, ...], context: Context) -> Review:
    with context.progress("positions", len(positions_of(match))) as advance:
        services = resolve(context.services)
        return review_of(match, agents, executor=context.executor, services=services, advance=advance)


REVIEW: Final = Operation(
    id="review",
    help={
        "en": "Review a match: the win probability after each ply, accuracies, mistakes, better moves and reasons.\n\n"
        "The game names its analyst; any other game is reviewed by an agent that plays every game. The review of a "
        "stored match is kept in the database, and made again when the analyst changes.",
        "fr": "Analyser une partie : la probabilité de gain après chaque coup, précisions, fautes, meilleurs coups et "
        "raisons.\n\nLe jeu nomme son analyste ; tout autre jeu est analysé par un agent qui joue à tous les jeux. "
        "L'analyse d'une partie enregistrée est gardée dans la base, et refaite quand l'analyste change.",
    },
    request=ReviewRequest,
    run=run,
    job=False,
)
