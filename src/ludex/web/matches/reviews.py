"""Reviews of finished matches: computed by workers part by part, sent to all who look on, and kept in the database."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from ludex.coach.analyst import Assessment, Glance
from ludex.coach.model import Review, export_text, stored_document
from ludex.coach.review import compose, fingerprint, positions_of
from ludex.core.errors import LudexError, StoreError
from ludex.core.log import logger
from ludex.core.messages import Language
from ludex.store.database import Database
from ludex.web.errors import BadRequest, MatchLive, ServerFault, problem_of
from ludex.web.matches.model import MatchSnapshot
from ludex.web.offload import Offload, cancel_all
from ludex.web.recent import Recent
from ludex.web.schemas.reviews import RetryVerdict, ReviewPosition, ReviewView
from ludex.web.subscriptions import SubscriptionHub
from ludex.web.teaching import illustrate, shown_position
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.search import Search
from ludex.web.workers.task import Abandoned, ReviewPart, Task, TooBusy

log = logger("web.reviews")

GLANCES: Final = 16
"""Positions of one task that only glances at them."""
POSITIONS: Final = 2
"""Positions of one task: a move of the same person waits for no more than that."""
AT_ONCE: Final = 2
"""Tasks of one review that run or wait."""
PER_PERSON: Final = 2
PER_ADDRESS: Final = 8
IN_ALL: Final = 64
"""Reviews of one person, of one address and of all people that are computed at the same time."""
MOST_CACHED: Final = 200
ASSESSMENTS: Final = TypeAdapter(list[Assessment])


@dataclass
class Running:
    """A review that is being computed."""

    snapshot: MatchSnapshot
    person: str
    address: str | None
    """The network of the person; None if it is not known."""
    view: ReviewView
    glances: dict[int, Glance] = field(default_factory=dict)
    assessments: dict[int, Assessment] = field(default_factory=dict)


class MatchReviews:
    """The reviews of this server."""

    def __init__(self, pool: WorkerPool, database: Database, hub: SubscriptionHub, offload: Offload) -> None:
        self._pool = pool
        self._database = database
        self._hub = hub
        self._offload = offload
        self._cached = Recent[tuple[str, str], ReviewView](MOST_CACHED)
        self._running: dict[tuple[str, str], Running] = {}
        self._failed = Recent[tuple[str, str], tuple[LudexError, Running]](MOST_CACHED)
        """Why reviews failed and what they had, while this process runs; they go on from there on request only."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def of(self, snapshot: MatchSnapshot, person: str, *, again: bool = False) -> ReviewView:
        """The review so far; one that was not asked for yet begins. Raises `MatchLive`, `TooBusy` or why it failed.

        `again`: one that failed begins once more.
        """
        key = (snapshot.id, await self._offload.run(_fingerprint, snapshot))
        if (failure := self._failed.use(key)) is not None and not again:
            # Else each request would add its own frames.
            raise failure[0].with_traceback(None)
        if (known := self._cached.use(key)) is not None:
            return known
        if key in self._running:
            return self._running[key].view
        if snapshot.game_of is None:
            stored = await self._offload.run(self._database.reviews.get, *key)
            if stored is not None:
                self._cached[key] = ReviewView.model_validate(stored)
                return self._cached[key]
        # Another request may have begun it meanwhile.
        if key not in self._running:
            self._begin(key, snapshot, person)
        return self._running[key].view

    async def text(self, snapshot: MatchSnapshot, person: str, language: Language) -> str:
        """The review as text. Raises `TooBusy` while it is not finished."""
        view = await self.of(snapshot, person)
        if not view.complete:
            raise TooBusy(f"the review is not finished: {view.done} of {view.total} positions", retry_after=2)
        return export_text(Review.of_stored(view.model_dump(by_alias=True), snapshot.agents), language)

    async def position(self, snapshot: MatchSnapshot, ply: int, moves: Sequence[str]) -> ReviewPosition:
        """A position of the match, or one after other moves from there. Raises `MoveError` if the rules refuse one."""
        _require_ply(snapshot, ply)
        if moves and snapshot.has_secrets:
            raise BadRequest("moves: with dice or secrets it is unknown how other moves would have gone on")
        return await self._offload.run(_position, snapshot, ply, moves)

    async def judge(self, snapshot: MatchSnapshot, ply: int, text: str, person: str) -> RetryVerdict:
        """What the analyst says of another move. Raises `MoveError` if the rules refuse it, or `TooBusy`."""
        _require_ply(snapshot, ply)
        search = self._part(snapshot, ReviewPart("judge", (ply,), text=text), person, patient=False)
        return RetryVerdict.model_validate(await search.facts())

    async def close(self) -> None:
        """Stop every review; each begins again with the next request."""
        await cancel_all(self._tasks)

    def _begin(self, key: tuple[str, str], snapshot: MatchSnapshot, person: str) -> None:
        address = self._pool.addresses.of(person)
        own = sum(running.person == person for running in self._running.values())
        if own >= PER_PERSON:
            raise TooBusy(f"{own} reviews of yours are being computed: wait for one of them", retry_after=5)
        near = sum(running.address == address for running in self._running.values())
        if len(self._running) >= IN_ALL or (address is not None and near >= PER_ADDRESS):
            raise TooBusy("too many reviews are being computed: try again", retry_after=10)
        _, before = self._failed.pop(key, (None, None))
        glances, assessments = ({}, {}) if before is None else (before.glances, before.assessments)
        view = _view(snapshot, compose(snapshot.match, assessments, glances))
        self._running[key] = Running(snapshot, person, address, view, glances, assessments)
        task = asyncio.create_task(self._compute(key, self._running[key]))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _compute(self, key: tuple[str, str], running: Running) -> None:
        snapshot = running.snapshot
        try:
            plies = [*positions_of(snapshot.match)]
            await self._parts(running, "glance", [ply for ply in plies if ply not in running.glances], GLANCES)
            await self._parts(running, "assess", [ply for ply in plies if ply not in running.assessments], POSITIONS)
            assessments = tuple(asdict(assessment) for assessment in running.assessments.values())
            document = await self._part(
                snapshot, ReviewPart("explain", assessments=assessments), running.person
            ).facts()
            view = self._cached[key] = _finished_view(snapshot, document)
            if snapshot.game_of is None:
                await self._offload.run(self._database.reviews.put, *key, view.model_dump(mode="json", by_alias=True))
            self._hub.send_review(snapshot.id, view)
        except Abandoned:
            log.info("review was abandoned", match=snapshot.id)
        except StoreError as error:
            # The review is there; it will be computed again after a restart.
            log.error("review cannot be stored", match=snapshot.id, code=error.code, message=error.message)
        except LudexError as error:
            log.warning("review failed", match=snapshot.id, code=error.code, message=error.message)
            self._fail(key, running, error)
        except Exception as error:
            # A fault of ours must be reported to the people who wait.
            log.exception("review failed", match=snapshot.id)
            self._fail(key, running, ServerFault(error))
        finally:
            del self._running[key]

    def _fail(self, key: tuple[str, str], running: Running, error: LudexError) -> None:
        self._failed[key] = error, running
        self._hub.fault(key[0], problem_of(error))

    async def _parts(
        self, running: Running, kind: Literal["glance", "assess"], plies: Sequence[int], size: int
    ) -> None:
        """Compute the parts of one kind, a few at a time, and send what is known after each."""
        waiting = [tuple(plies[begin : begin + size]) for begin in range(0, len(plies), size)]
        slots = asyncio.Semaphore(AT_ONCE)

        async def compute_part(part: tuple[int, ...]) -> None:
            async with slots:
                search = self._part(running.snapshot, ReviewPart(kind, part), running.person)
                try:
                    rows = (await search.facts())["positions"]
                finally:
                    # It stops when no request waits for it.
                    search.abandon()
            if kind == "glance":
                running.glances |= {row["ply"]: Glance(**row) for row in rows}
            else:
                running.assessments |= {row.ply: row for row in ASSESSMENTS.validate_python(rows)}
            review = compose(running.snapshot.match, running.assessments, running.glances)
            running.view = _view(running.snapshot, review)
            self._hub.send_review(running.snapshot.id, running.view)

        tasks = [asyncio.create_task(compute_part(part)) for part in waiting]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    def _part(self, snapshot: MatchSnapshot, part: ReviewPart, person: str, *, patient: bool = True) -> Search:
        task = Task.of(snapshot.match, snapshot.match.ply, "", None, review=part)
        # Parts that wait must not count against the searches that the person may begin.
        owner = None if patient else person
        return self._pool.begin(task, owner, caller=person, patient=patient)


def _fingerprint(snapshot: MatchSnapshot) -> str:
    """What a review depends on. Raises `MatchLive`."""
    if snapshot.live:
        raise MatchLive("the match is live: it can be reviewed once it is over")
    return fingerprint(snapshot.match)


def _require_ply(snapshot: MatchSnapshot, ply: int) -> None:
    if snapshot.live:
        raise MatchLive("the match is live: it can be reviewed once it is over")
    if ply >= snapshot.match.ply:
        raise BadRequest(f"ply: a move was made after plies 0..{snapshot.match.ply - 1}, found {ply}")


def _position(snapshot: MatchSnapshot, ply: int, moves: Sequence[str]) -> ReviewPosition:
    position = illustrate(snapshot.match, ply)
    for text in moves:
        position = position.after(text)
    return ReviewPosition(ply=ply, position=shown_position(position))


def _view(snapshot: MatchSnapshot, review: Review) -> ReviewView:
    """A review that is not finished."""
    return _finished_view(snapshot, review.document()).model_copy(update={"complete": False})


def _finished_view(snapshot: MatchSnapshot, document: dict[str, Any]) -> ReviewView:
    return ReviewView.model_validate({**stored_document(document, snapshot.id), "outcome": snapshot.match.outcome})
