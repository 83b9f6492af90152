"""The review of a match: what an analyst says of every move; `ludex review`."""

from pathlib import Path
from typing import Any, Final

from ludex.coach.model import Review, stored_document
from ludex.coach.review import fingerprint, positions_of, require_over, review_of
from ludex.core.errors import BadRecord
from ludex.core.executor import Executor
from ludex.core.match import Match
from ludex.core.record import is_line, match_in, match_of, replay, with_seats
from ludex.core.registry import make, resolve
from ludex.operations.operation import Context, Operation, Request, option
from ludex.operations.requests import Workers, executor_of
from ludex.store.database import Database


class ReviewRequest(Request):
    """Review a match."""

    source: str = option(..., min_length=1, metavar="FILE|ID|LINE", argument=True)
    workers: Workers = 1

    def make_executor(self, *, isolated: bool) -> Executor:
        return executor_of("local", self.workers, "auto", isolated=isolated)


def read_match(source: str) -> tuple[Match[Any, Any], tuple[str, ...]]:
    """The match of a file, a stored match's id or a line, played again, and its agents."""
    if is_line(source):
        return with_seats(match_of(source))
    if Path(source).is_file() or "." in source or "/" in source:
        return match_in(Path(source))
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


REVIEW: Final = Operation(id="review", request=ReviewRequest, run=run, job=False)
