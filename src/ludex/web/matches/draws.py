"""Draws by agreement between the two people of a match: offered, accepted, declined, and withdrawn by every move."""

from ludex.web.matches import policy as may
from ludex.web.matches.model import Change, MatchSnapshot
from ludex.web.matches.policy import refuse
from ludex.web.matches.writer import MatchWriter


async def offer_or_accept(writer: MatchWriter, snapshot: MatchSnapshot, person: str) -> MatchSnapshot:
    """Accept the other person's offer, which ends the match, or make one's own."""
    refuse(may.against_draw(snapshot, person))
    (player,) = snapshot.seats_of(person)
    offer = snapshot.draw_offer
    if offer is not None and offer.player != player:
        match = snapshot.match.branch()
        match.agree_draw()
        return await writer.apply(snapshot, Change(match))
    return _announced(writer, await writer.cache.offer_draw(snapshot, player))


async def end_offer(writer: MatchWriter, snapshot: MatchSnapshot, person: str) -> MatchSnapshot:
    """Decline the other person's offer, or withdraw one's own."""
    refuse(may.against_end_of_offer(snapshot, person))
    return _announced(writer, await writer.cache.end_offer(snapshot))


def _announced(writer: MatchWriter, snapshot: MatchSnapshot) -> MatchSnapshot:
    # An offer gives no time to the player whose turn it is.
    writer.clocks.carry_over(snapshot)
    writer.announce(snapshot)
    return snapshot
