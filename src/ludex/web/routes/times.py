"""Times on timed boards: of one match, the caller's best and those of other people."""

import asyncio
from itertools import groupby
from typing import Final

from fastapi import APIRouter

from ludex.core.messages import COMMON, Message
from ludex.core.registry import available
from ludex.store.database import Database
from ludex.store.times import MatchTime
from ludex.web.answers import StrictRoute
from ludex.web.boards import board_title, game_title
from ludex.web.errors import problems
from ludex.web.routes.matches import ONE
from ludex.web.schemas.base import Document, Texts
from ludex.web.state import Person, State
from ludex.web.times import Figure, figures_of, time_of, verdict

router = APIRouter(prefix="/api/times", tags=["me"], route_class=StrictRoute)

MOST_ROWS: Final = 10
"""Of a board."""


class BestTime(Document):
    """The shortest time of a person on a board."""

    name: str | None
    """None: the caller has no nickname."""
    you: bool
    ms: int
    time: Texts
    figures: list[Figure]
    at_utc: str


class TimedBoard(Document):
    """The best times on a board."""

    game: str
    names: Texts
    preset: str
    board: Texts
    rows: list[BestTime]
    """The shortest first; the caller's is among them."""


class BestTimes(Document):
    """The best times on every board on which there are some."""

    boards: list[TimedBoard]


class TimeOfMatch(Document):
    """The time of a finished match of the caller."""

    time: Texts | None
    """None: the match is not over, is not timed or is not the caller's; the other fields are empty then."""
    counts: bool
    record: bool
    """Whether it is the caller's best on this board."""
    text: Texts | None
    """How it compares with the caller's best, or why it does not count."""
    figures: list[Figure]


def duration(ms: int) -> Message:
    """A time with tenths of a second, such as 12.3 s or 1:05.2.

    >>> duration(12_390).text("en"), duration(65_200).text("fr")
    ('12.3 s', '1:05,2')
    """
    tenths = ms // 100
    if tenths < 600:
        return Message(f"{COMMON}.duration_seconds", {"seconds": tenths / 10})
    return Message(f"{COMMON}.duration_minutes", {"minutes": tenths // 600, "seconds": tenths % 600 / 10})


@router.get("", responses=problems())
async def table(state: State, person: Person) -> BestTimes:
    """The best times of those who have a nickname, by board, and the caller's."""
    nickname = (await state.nicknames.of([person])).get(person)
    return BestTimes(boards=await asyncio.to_thread(_table, state.database, person, nickname))


@router.get("/{match_id}", responses=problems(*ONE))
async def of_match(state: State, person: Person, match_id: str) -> TimeOfMatch:
    """The time of a finished match of the caller, and how it compares with their best."""
    snapshot = await state.matches.load(match_id)
    time = None if 0 not in snapshot.seats_of(person) else time_of(snapshot.stored, snapshot.hosting, snapshot.match)
    if time is None or snapshot.hosting is None:
        return TimeOfMatch(time=None, counts=False, record=False, text=None, figures=[])
    outcome, times = snapshot.match.outcome, state.database.times
    first = await asyncio.to_thread(times.find, match_id, person)
    record, text = False, None
    if first is not None and first.counts:
        time, best = first, await asyncio.to_thread(times.best_before, first)
        record, text = best is None or first.ms < best, _comparison(first.ms, best)
    elif outcome is not None and outcome.scores[0] > 0:
        reason = verdict(snapshot.stored, snapshot.hosting)
        text = Message(f"{COMMON}.time_{'repeated' if reason == 'counted' else reason}")
    return TimeOfMatch(
        time=duration(time.ms).texts(),
        counts=first is not None and first.counts,
        record=record,
        text=None if text is None else text.texts(),
        figures=figures_of(time.game, time.figures),
    )


def _comparison(ms: int, best: int | None) -> Message:
    if best is None:
        return Message(f"{COMMON}.time_first")
    if ms < best:
        return Message(f"{COMMON}.time_record", {"best": duration(best)})
    return Message(f"{COMMON}.time_slower", {"best": duration(best)})


def own_times(database: Database, person: str) -> list[TimedBoard]:
    """The best times of a person, by board."""
    return _boards([(None, time) for time in database.times.best_of(person)], person)


def _table(database: Database, person: str, nickname: str | None) -> list[TimedBoard]:
    """The best times of all people with a nickname, and of the caller."""
    named = database.times.table(MOST_ROWS)
    listed = {(time.game, time.preset) for _, time in named if time.person == person}
    own = [(nickname, time) for time in database.times.best_of(person) if (time.game, time.preset) not in listed]
    return _boards([*named, *own], person)


def _boards(rows: list[tuple[str | None, MatchTime]], person: str) -> list[TimedBoard]:
    specs = {spec.id: spec for spec in available()[0]}

    def order(row: tuple[str | None, MatchTime]) -> tuple[int, int, str, int]:
        game, preset = specs[row[1].game], row[1].preset
        presets = game.offered_presets
        return game.order, presets.index(preset) if preset in presets else len(presets), preset, row[1].ms

    ordered = sorted((row for row in rows if row[1].game in specs), key=order)
    return [
        TimedBoard(
            game=game,
            names=game_title(game),
            preset=preset,
            board=board_title(game, preset),
            rows=[_row(name, time, you=time.person == person) for name, time in group],
        )
        for (game, preset), group in groupby(ordered, key=lambda row: (row[1].game, row[1].preset))
    ]


def _row(name: str | None, time: MatchTime, *, you: bool) -> BestTime:
    return BestTime(
        name=name,
        you=you,
        ms=time.ms,
        time=duration(time.ms).texts(),
        figures=figures_of(time.game, time.figures),
        at_utc=time.at_utc,
    )
