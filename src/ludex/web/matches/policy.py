"""What a person may see of a match, and may do with it."""

import re
from collections.abc import Mapping

from ludex.core.errors import GameOver, LudexError, NothingToUndo, OutOfTurn
from ludex.core.game import Player
from ludex.web.errors import Clocked, DrawAlreadyOffered, MatchLive, NoDrawOffer, NoHelp, NotYourSeat, Secret
from ludex.web.leaderboard import Levels
from ludex.web.matches.model import MatchSnapshot
from ludex.web.ratings import Played, verdict_of
from ludex.web.schemas.matches import Permissions


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
    played = Played(snapshot.stored, snapshot.hosting, snapshot.timing is not None)
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


def refusals(snapshot: MatchSnapshot, person: str) -> dict[str, LudexError | None]:
    """By action, the reason why a person may not take it now, or None."""
    # After the end, every position but the last can be analysed.
    ply = snapshot.match.ply if snapshot.live else 0
    return {
        "move": against_move(snapshot, person),
        "undo": against_undo(snapshot, person),
        "resign": against_resign(snapshot, person),
        "fork": against_fork(snapshot, person),
        "download": against_download(snapshot),
        "analyse": against_analysis(snapshot, person, ply),
        "delete": against_delete(snapshot, person),
        "rematch": against_rematch(snapshot, person),
        "pace": against_pace(snapshot, person),
        "draw": against_draw(snapshot, person),
    }


def permissions(refused: Mapping[str, LudexError | None]) -> Permissions:
    """What a person may do now, from their `refusals`."""
    return Permissions(**{action: reason is None for action, reason in refused.items()})


def refuse(reason: LudexError | None) -> None:
    """Raise the reason, if there is one."""
    if reason is not None:
        raise reason


def against_move(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """The reason why a person may not move, or None, as for each function below: the seat to move must be theirs."""
    return _no_seat(snapshot, person) or _over(snapshot) or _not_on_turn(snapshot, person)


def against_resign(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """A seat is resigned by its holder, in any turn."""
    return _no_seat(snapshot, person) or _over(snapshot)


def against_undo(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """A move is taken back where that reveals nothing and costs no other person a move."""
    if (reason := _no_seat(snapshot, person)) is not None:
        return reason
    if snapshot.timing is not None:
        return Clocked("the match is played with clocks: time that has passed cannot be given back, nor can a move")
    if snapshot.has_secrets and not snapshot.practice:
        return Secret(f"{snapshot.game.info.id} has dice or secrets: only in practice moves can be taken back")
    others = snapshot.hosting is not None and set(snapshot.hosting.seats.values()) != {person}
    if others and not snapshot.practice:
        return NotYourSeat("a move against another person can be taken back in practice only")
    seats = snapshot.seats_of(person)
    if not has_conceded(snapshot, person) and not any(move.player in seats for move in snapshot.match.moves):
        return NothingToUndo("you have not moved yet")
    return None


def has_conceded(snapshot: MatchSnapshot, person: str) -> bool:
    """Whether the match is over because this person gave up or ran out of time."""
    match, outcome = snapshot.match, snapshot.match.outcome
    if outcome is None or match.game.outcome(match.state) is not None:
        return False
    return any(outcome.scores[player] < 0 for player in snapshot.seats_of(person))


def against_fork(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """A live match with dice or secrets is forked in practice only, by its own people; one between people there too."""
    if not snapshot.live or not snapshot.has_secrets:
        return _no_help(snapshot)
    if not snapshot.practice:
        return Secret(f"{snapshot.game.info.id} has dice or secrets: a live match can be forked in practice only")
    return (
        None if snapshot.belongs_to(person) else NotYourSeat("only its own people can fork a live match with secrets")
    )


def against_download(snapshot: MatchSnapshot) -> LudexError | None:
    """The file holds the seed."""
    if snapshot.live and snapshot.has_secrets:
        return Secret(f"{snapshot.game.info.id} has dice or secrets, and the file holds them: wait for the end")
    return None


def against_analysis(snapshot: MatchSnapshot, person: str, ply: int) -> LudexError | None:
    """A position that is not final; with hidden information only where the view is the person's own."""
    game, state = snapshot.game, snapshot.match.positions[ply]
    if game.outcome(state) is not None or (snapshot.match.aborted is not None and ply == snapshot.match.ply):
        return GameOver(f"the match is over after {ply} plies: there is nothing to decide")
    if (reason := _no_help(snapshot)) is not None:
        return reason
    if not snapshot.live or game.info.information == "perfect":
        return None
    if not snapshot.belongs_to(person):
        return NotYourSeat("only its own people can have a live match with secrets analysed")
    if not sees_moves_of(snapshot, person, game.to_move(state)):
        return Secret("it is another player's turn: what they see is a secret")
    return None


def against_delete(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """A match is deleted by its creator or by the holder of a seat; a live one only if no other person plays in it."""
    if not snapshot.belongs_to(person):
        return NotYourSeat("only its creator and its players can delete a match")
    holders = set() if snapshot.hosting is None else {*snapshot.hosting.seats.values()} - {None, person}
    if snapshot.live and holders:
        return NotYourSeat("another person plays in this match: it can be deleted when it is over; you can resign")
    return None


def against_pace(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """A match between agents is paused, continued and stepped by the person who began it."""
    if not snapshot.without_people or not snapshot.belongs_to(person):
        return NotYourSeat("only a match between agents can be paused, by the person who began it")
    return _over(snapshot)


def against_invitation(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """People are invited by the creator or by the holder of a seat."""
    return (
        None if snapshot.belongs_to(person) else NotYourSeat("only its creator and its players can invite to a match")
    )


def against_rematch(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """A rematch is offered and accepted by the two people of a finished match."""
    if (reason := _no_seat(snapshot, person)) is not None:
        return reason
    if not snapshot.between_people or len(snapshot.holders) != len(snapshot.agents):
        return NotYourSeat("a rematch is between the two people of a match: begin a new match instead")
    return MatchLive("the match is live: a rematch can be offered when it is over") if snapshot.live else None


def against_draw(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """A draw is agreed by two people; each offers it once per position, so that offers do not pester."""
    if (reason := _no_seat(snapshot, person) or _over(snapshot)) is not None:
        return reason
    if not snapshot.between_people or len(snapshot.holders) != len(snapshot.agents):
        return NotYourSeat("a draw is agreed between two people, each in a seat of their own")
    last = None if snapshot.hosting is None else snapshot.hosting.draw
    if last is not None and last.ply == snapshot.match.ply and last.player in snapshot.seats_of(person):
        return DrawAlreadyOffered("you have offered a draw in this position: the next offer is possible after a move")
    return None


def against_end_of_offer(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """An offer of a draw is declined or withdrawn by the two people of the match."""
    if (reason := _no_seat(snapshot, person) or _over(snapshot)) is not None:
        return reason
    return None if snapshot.draw_offer is not None else NoDrawOffer("no draw is offered now")


def against_emote(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """Signs go between the two people of a match, also after its end."""
    if (reason := _no_seat(snapshot, person)) is not None:
        return reason
    return None if snapshot.between_people else NotYourSeat("signs go between two people, each in a seat of their own")


def _no_help(snapshot: MatchSnapshot) -> LudexError | None:
    """Why engines may not help in a match; spectators neither, who may be friends of a player."""
    if not snapshot.live or not snapshot.between_people or snapshot.practice:
        return None
    return NoHelp("two people play without engine help: they can agree on practice when a match begins")


def against_cancel(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """A search is stopped by the match's own people."""
    return None if snapshot.belongs_to(person) else NotYourSeat("only its creator and its players can stop a search")


def against_legal(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    """The legal moves are for people who may see the mover's board."""
    if snapshot.live and not sees_moves_of(snapshot, person, snapshot.to_move):
        return Secret("what another player may play is a secret while the match is live")
    return None


def _no_seat(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    return None if snapshot.seats_of(person) else NotYourSeat("you hold no seat of this match")


def _over(snapshot: MatchSnapshot) -> LudexError | None:
    return None if snapshot.live else GameOver(f"the match is over after {snapshot.match.ply} plies")


def _not_on_turn(snapshot: MatchSnapshot, person: str) -> LudexError | None:
    player = snapshot.to_move
    if player in snapshot.seats_of(person):
        return None
    return OutOfTurn(f"it is player {player + 1}'s turn, not yours")
