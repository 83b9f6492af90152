"""What a person may see of a match, and may do with it."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from ludex.core.errors import GameOver, LudexError, NothingToUndo, OutOfTurn
from ludex.core.game import Player
from ludex.store.matches import ListedMatch
from ludex.web.errors import Clocked, DrawAlreadyOffered, MatchLive, NoDrawOffer, NoHelp, NotYourSeat, Secret
from ludex.web.leaderboard import Levels
from ludex.web.matches.model import MatchSnapshot
from ludex.web.ratings import Played, verdict_of

Check: TypeAlias = Callable[[MatchSnapshot, str], None]
"""Raises the reason why a person may not do something with a match."""


def viewer_of(snapshot: MatchSnapshot, person: str, ply: int | None = None) -> Player | None:
    """The player whose view a person gets; None if the board is secret until the match ends.

    With perfect information every person gets every view, and in a game for one player that player's. With hidden
    information between two players a person needs a seat while the match is live; the holder of both seats gets the
    mover's view.
    """
    seats = snapshot.seats_of(person)
    if len(seats) > 1 and not is_public(snapshot):
        game, state = snapshot.game, snapshot.match.positions[snapshot.match.ply if ply is None else ply]
        return game.to_move(state)
    if seats:
        return seats[0]
    return 0 if is_public(snapshot) else None


def is_public(snapshot: MatchSnapshot) -> bool:
    """Whether every person may see the board."""
    return not snapshot.live or snapshot.game.info.information == "perfect" or snapshot.game.info.players == 1


def sees_moves_of(snapshot: MatchSnapshot, person: str, player: Player) -> bool:
    """Whether a person may know the moves and the analysis of this player."""
    return is_public(snapshot) or player in snapshot.seats_of(person)


def is_rated(snapshot: MatchSnapshot, levels: Levels) -> bool:
    """Whether a live match may still count for the rating of its person."""
    if not snapshot.live or snapshot.hosting is None:
        return False
    played = Played(ListedMatch.of(snapshot.stored), snapshot.hosting, snapshot.timing is not None)
    return verdict_of(played, levels.get(snapshot.board)) == "counted"


def sees_search(snapshot: MatchSnapshot, person: str, player: Player, levels: Levels) -> bool:
    """Whether a person sees what the agent of this player considers: in a rated match no person does before its end.

    Its candidates and its value are help against it, for spectators too, who may be the player in another browser.
    """
    return sees_moves_of(snapshot, person, player) and not is_rated(snapshot, levels)


def sees_analysis(snapshot: MatchSnapshot, asker: str, player: Player, person: str) -> bool:
    """Whether a person sees the analysis of this player's turn that another asked for: both players of a match do."""
    both = snapshot.live and {asker, person} <= snapshot.holders
    return person == asker or (both and sees_moves_of(snapshot, person, player))


def without_seed(message: str, seed: int) -> str:
    """A message about a live match without its seed.

    >>> without_seed("illegal action 3 at ply 2 of seed 12345", 12345)
    'illegal action 3 at ply 2 of seed (secret)'
    """
    return re.sub(rf"(?<!\d){seed}(?!\d)", "(secret)", message)


def refusals(snapshot: MatchSnapshot, person: str) -> dict[str, LudexError]:
    """By action of `Permissions`, the reason why a person may not take it now."""
    reasons = {}
    for action, check in CHECKS.items():
        try:
            check(snapshot, person)
        except LudexError as reason:
            reasons[action] = reason
    return reasons


def check_move(snapshot: MatchSnapshot, person: str) -> None:
    """Raise the reason why a person may not move, as each function below does: the seat to move must be theirs."""
    check_resign(snapshot, person)
    if snapshot.to_move not in snapshot.seats_of(person):
        raise OutOfTurn(f"it is player {snapshot.to_move + 1}'s turn, not yours")


def check_resign(snapshot: MatchSnapshot, person: str) -> None:
    """A seat is resigned by its holder, in any turn."""
    _check_seat(snapshot, person)
    _check_live(snapshot)


def check_undo(snapshot: MatchSnapshot, person: str) -> None:
    """A move is taken back where that reveals nothing; another person has to agree, see `needs_consent`."""
    _check_seat(snapshot, person)
    if snapshot.timing is not None:
        raise Clocked("the match is played with clocks: time that has passed cannot be given back, nor can a move")
    if snapshot.has_secrets and not snapshot.practice:
        raise Secret(f"{snapshot.game.info.id} has dice or secrets: only in practice moves can be taken back")
    if needs_consent(snapshot, person) and not snapshot.live:
        raise NotYourSeat("a match against another person stays as it has ended")
    seats = snapshot.seats_of(person)
    if not has_conceded(snapshot, person) and not any(move.player in seats for move in snapshot.match.moves):
        raise NothingToUndo("you have not moved yet")


def needs_consent(snapshot: MatchSnapshot, person: str) -> bool:
    """Whether another person has to agree that this one takes a move back; in practice no agreement is needed."""
    return not snapshot.practice and bool(snapshot.holders - {person})


def has_conceded(snapshot: MatchSnapshot, person: str) -> bool:
    """Whether the match is over because this person gave up or ran out of time."""
    match, outcome = snapshot.match, snapshot.match.outcome
    if outcome is None or match.game.outcome(match.state) is not None:
        return False
    return any(outcome.scores[player] < 0 for player in snapshot.seats_of(person))


def check_fork(snapshot: MatchSnapshot, person: str) -> None:
    """A live match with dice or secrets is forked in practice only, by its own people; one between people there too."""
    if not snapshot.live or not snapshot.has_secrets:
        _check_help(snapshot)
    elif not snapshot.practice:
        raise Secret(f"{snapshot.game.info.id} has dice or secrets: a live match can be forked in practice only")
    else:
        _check_belongs(snapshot, person, "only its own people can fork a live match with secrets")


def check_download(snapshot: MatchSnapshot, _person: str) -> None:
    """The file holds the seed."""
    if snapshot.live and snapshot.has_secrets:
        raise Secret(f"{snapshot.game.info.id} has dice or secrets, and the file holds them: wait for the end")


def check_analysis(snapshot: MatchSnapshot, person: str, ply: int | None = None) -> None:
    """A position that is not final; with hidden information only where the view is the person's own.

    Without a ply it is the last one of a live match; after the end every other one can be analysed.
    """
    if ply is None:
        ply = snapshot.match.ply if snapshot.live else 0
    game, state = snapshot.game, snapshot.match.positions[ply]
    if game.outcome(state) is not None or (snapshot.match.aborted is not None and ply == snapshot.match.ply):
        raise GameOver(f"the match is over after {ply} plies: there is nothing to decide")
    _check_help(snapshot)
    if snapshot.live and game.info.information != "perfect":
        _check_belongs(snapshot, person, "only its own people can have a live match with secrets analysed")
        if not sees_moves_of(snapshot, person, game.to_move(state)):
            raise Secret("it is another player's turn: what they see is a secret")


def check_delete(snapshot: MatchSnapshot, person: str) -> None:
    """A match is deleted by its creator or by the holder of a seat; a live one only if no other person plays in it."""
    _check_belongs(snapshot, person, "only its creator and its players can delete a match")
    if snapshot.live and snapshot.holders - {person}:
        raise NotYourSeat("another person plays in this match: it can be deleted when it is over; you can resign")


def check_pace(snapshot: MatchSnapshot, person: str) -> None:
    """A match between agents is paused, continued and stepped by the person who began it."""
    if not snapshot.without_people or not snapshot.belongs_to(person):
        raise NotYourSeat("only a match between agents can be paused, by the person who began it")
    _check_live(snapshot)


def check_invitation(snapshot: MatchSnapshot, person: str) -> None:
    """People are invited by the creator or by the holder of a seat."""
    _check_belongs(snapshot, person, "only its creator and its players can invite to a match")


def check_rematch(snapshot: MatchSnapshot, person: str) -> None:
    """A rematch is offered and accepted by the two people of a finished match."""
    _check_seat(snapshot, person)
    if not snapshot.between_people or len(snapshot.holders) != len(snapshot.agents):
        raise NotYourSeat("a rematch is between the two people of a match: begin a new match instead")
    if snapshot.live:
        raise MatchLive("the match is live: a rematch can be offered when it is over")


def check_draw(snapshot: MatchSnapshot, person: str) -> None:
    """A draw is agreed by two people; each offers it once per position, so that offers do not pester."""
    check_resign(snapshot, person)
    if not snapshot.between_people or len(snapshot.holders) != len(snapshot.agents):
        raise NotYourSeat("a draw is agreed between two people, each in a seat of their own")
    last = None if snapshot.hosting is None else snapshot.hosting.draw
    if last is not None and last.ply == snapshot.match.ply and last.player in snapshot.seats_of(person):
        raise DrawAlreadyOffered("you have offered a draw in this position: the next offer is possible after a move")


def check_end_of_offer(snapshot: MatchSnapshot, person: str) -> None:
    """An offer is declined or withdrawn by the two people of the match."""
    check_resign(snapshot, person)
    if snapshot.offer is None:
        raise NoDrawOffer("nothing is offered now")


def check_emote(snapshot: MatchSnapshot, person: str) -> None:
    """Signs go between the two people of a match, also after its end."""
    _check_seat(snapshot, person)
    if not snapshot.between_people:
        raise NotYourSeat("signs go between two people, each in a seat of their own")


def check_cancel(snapshot: MatchSnapshot, person: str) -> None:
    """A search is stopped by the match's own people."""
    _check_belongs(snapshot, person, "only its creator and its players can stop a search")


def check_legal(snapshot: MatchSnapshot, person: str) -> None:
    """The legal moves are for people who may see the mover's board."""
    if snapshot.live and not sees_moves_of(snapshot, person, snapshot.to_move):
        raise Secret("what another player may play is a secret while the match is live")


def _check_help(snapshot: MatchSnapshot) -> None:
    """Engines give no help in a match of two people who have not agreed on it: a spectator may be a player's friend."""
    if snapshot.live and snapshot.between_people and not snapshot.practice:
        raise NoHelp("two people play without engine help: they can agree on practice when a match begins")


def _check_belongs(snapshot: MatchSnapshot, person: str, message: str) -> None:
    if not snapshot.belongs_to(person):
        raise NotYourSeat(message)


def _check_seat(snapshot: MatchSnapshot, person: str) -> None:
    if not snapshot.seats_of(person):
        raise NotYourSeat("you hold no seat of this match")


def _check_live(snapshot: MatchSnapshot) -> None:
    if not snapshot.live:
        raise GameOver(f"the match is over after {snapshot.match.ply} plies")


CHECKS: Final[Mapping[str, Check]] = {
    "move": check_move,
    "undo": check_undo,
    "resign": check_resign,
    "fork": check_fork,
    "download": check_download,
    "analyse": check_analysis,
    "delete": check_delete,
    "rematch": check_rematch,
    "pace": check_pace,
    "draw": check_draw,
}
