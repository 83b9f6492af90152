"""What the two people of a match agree on: a draw, moves taken back, and a rematch."""

from ludex.core.errors import SeatTaken, UnknownMatch
from ludex.core.messages import Message
from ludex.web.errors import DrawAlreadyOffered, NoRematch, RematchDeclined
from ludex.web.matches import creation
from ludex.web.matches import policy as may
from ludex.web.matches.creation import MatchQuota
from ludex.web.matches.model import Change, MatchSnapshot
from ludex.web.matches.moves import undo_for
from ludex.web.matches.writer import MatchWriter
from ludex.web.offload import Offload
from ludex.web.schemas.matches import Rematch


async def offer_draw(writer: MatchWriter, snapshot: MatchSnapshot, person: str) -> MatchSnapshot:
    """Accept the other person's offer, which ends the match, or make one's own."""
    may.check_draw(snapshot, person)
    (player,) = snapshot.seats_of(person)
    offer = snapshot.draw_offer
    if offer is not None and offer.player != player:
        match = snapshot.match.branch()
        match.agree_draw()
        return await writer.apply(snapshot, Change(match))
    return _announce(writer, await writer.cache.offer(snapshot, player, snapshot.match.ply))


async def take_back(writer: MatchWriter, snapshot: MatchSnapshot, person: str) -> MatchSnapshot:
    """Ask to take a move back, or accept that the other person does."""
    offer = snapshot.takeback_offer
    if offer is not None and offer.player not in snapshot.seats_of(person):
        may.check_resign(snapshot, person)
        return await writer.apply(snapshot, Change(snapshot.match.branch(offer.ply)))
    may.check_undo(snapshot, person)
    ply, player = undo_for(snapshot, person).ply, snapshot.seats_of(person)[0]
    last = None if snapshot.hosting is None else snapshot.hosting.draw
    if last is not None and (last.player, last.ply) == (player, ply):
        raise DrawAlreadyOffered.of(Message("ludex.takeback_asked"))
    return _announce(writer, await writer.cache.offer(snapshot, player, ply))


async def end_draw_offer(writer: MatchWriter, snapshot: MatchSnapshot, person: str) -> MatchSnapshot:
    """Decline the other person's offer of a draw or a move taken back, or withdraw one's own."""
    may.check_end_of_offer(snapshot, person)
    return _announce(writer, await writer.cache.end_offer(snapshot))


def _announce(writer: MatchWriter, snapshot: MatchSnapshot) -> MatchSnapshot:
    # An offer gives no time to the player whose turn it is.
    writer.clocks.carry_over(snapshot)
    writer.announce(snapshot)
    return snapshot


class Rematches:
    """The matches that continue others with swapped seats."""

    def __init__(self, writer: MatchWriter, offload: Offload, quota: MatchQuota) -> None:
        self._writer = writer
        self._offload = offload
        self._quota = quota

    async def of(self, snapshot: MatchSnapshot, person: str) -> Rematch | None:
        """The rematch of a match as its two people see it; None for other people."""
        following = await self._following(snapshot) if snapshot.seats_of(person) else None
        return None if following is None else Rematch(id=following.id, yours=bool(following.seats_of(person)))

    async def offer_or_accept(self, snapshot: MatchSnapshot, person: str) -> MatchSnapshot:
        """Offer a rematch with swapped seats, or accept the other person's."""
        may.check_rematch(snapshot, person)
        following = await self._following(snapshot)
        if following is None:
            await self._quota.require(person)
            draft = await self._offload.run(creation.rematch, snapshot, person)
            following = await self._writer.load(await self._writer.cache.create_rematch(snapshot, draft))
            self._writer.hub.announce_change(snapshot.id)
        if not following.seats_of(person):
            if not following.open_seats:
                raise SeatTaken("another person has taken your seat in the rematch")
            following = await self._writer.cache.take_seat(following, following.open_seats[0], person)
            self._writer.clocks.track(following, new=True)
            self._writer.announce(following)
            self._writer.hub.announce_change(snapshot.id)
        return following

    async def decline(self, snapshot: MatchSnapshot, person: str) -> None:
        """Decline the rematch that the other person offers: it is deleted, and they are notified."""
        may.check_rematch(snapshot, person)
        following = await self._following(snapshot)
        if following is None or following.seats_of(person) or not following.open_seats:
            raise NoRematch("the other player offers no rematch now")
        await self._writer.delete(following, RematchDeclined("the other player has declined the rematch"))
        self._writer.hub.announce_change(snapshot.id)

    async def _following(self, snapshot: MatchSnapshot) -> MatchSnapshot | None:
        """The rematch of a match, unless there is none or it was deleted."""
        if snapshot.hosting is None or snapshot.hosting.rematch is None:
            return None
        try:
            return await self._writer.load(snapshot.hosting.rematch)
        except UnknownMatch:
            return None
