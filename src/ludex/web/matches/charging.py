"""What a turn costs: who was to move pays for its time, and loses the match if there was not so much."""

from ludex.store.timing import Timing
from ludex.web.matches.moving import Change
from ludex.web.matches.table import Table


def charged(table: Table, change: Change, spent_ms: float) -> tuple[Change, Timing | None]:
    """The change with the clocks after it; where nobody counts there are none."""
    timing = table.timing
    if timing is None:
        return change, None
    clocks, mover = [*table.clocks()], table.match.to_move
    after = clocks[mover].charged(spent_ms)
    if after is None:
        return lost_on_time(table), timing.after(0)
    played = change.match.moves[table.match.ply :]
    if not played:
        # The match was given up: no move, no increment.
        return change, timing.after(clocks[mover].remaining_ms - spent_ms)
    clocks[mover] = after
    return change, timing.after(*(clocks[move.player].remaining_ms for move in played))


def lost_on_time(table: Table) -> Change:
    """The match as lost by who is to move."""
    match = table.match.branch()
    match.lose_on_time()
    return Change(match)
