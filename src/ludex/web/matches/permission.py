"""What a person may do with a match. Each function gives the reason why not, or None."""

from ludex.core.errors import GameOver, LudexError, NothingToUndo, OutOfTurn
from ludex.web.errors import Clocked, NotYourSeat, Secret
from ludex.web.matches.sight import sees_moves_of
from ludex.web.matches.table import Table
from ludex.web.schemas import Permissions


def permissions(table: Table, person: str) -> Permissions:
    """Everything a person may do now."""
    # Of a match that is over any position but the last can be looked into.
    ply = table.match.ply if table.live else 0
    return Permissions(
        move=against_move(table, person) is None,
        undo=against_undo(table, person) is None,
        resign=against_resign(table, person) is None,
        fork=against_fork(table, person) is None,
        download=against_download(table) is None,
        analyse=against_analysis(table, person, ply) is None,
        delete=against_delete(table, person) is None,
    )


def refuse(reason: LudexError | None) -> None:
    """Raise the reason, if there is one."""
    if reason is not None:
        raise reason


def against_move(table: Table, person: str) -> LudexError | None:
    """Only who holds the seat to move may move."""
    return _no_seat(table, person) or _over(table) or _not_on_turn(table, person)


def against_resign(table: Table, person: str) -> LudexError | None:
    """A seat is resigned by who holds it, whoever is to move."""
    return _no_seat(table, person) or _over(table)


def against_undo(table: Table, person: str) -> LudexError | None:
    """Moves are taken back where that shows nothing, and takes nothing from another person."""
    if (reason := _no_seat(table, person)) is not None:
        return reason
    if table.timing is not None:
        return Clocked("the match is played with clocks: time that has passed cannot be given back, nor can a move")
    if table.has_secrets and not table.practice:
        return Secret(f"{table.game.info.id} has dice or secrets: only in practice moves can be taken back")
    others = table.hosting is not None and set(table.hosting.seats.values()) != {person}
    if others and not table.practice:
        return NotYourSeat("a move against another person can be taken back in practice only")
    held = table.seats_of(person)
    if not has_conceded(table, person) and not any(move.player in held for move in table.match.moves):
        return NothingToUndo("you have not moved yet")
    return None


def has_conceded(table: Table, person: str) -> bool:
    """Whether the match is over because this person gave up or ran out of time."""
    match, outcome = table.match, table.match.outcome
    if outcome is None or match.game.outcome(match.state) is not None:
        return False
    return any(outcome.scores[player] < 0 for player in table.seats_of(person))


def against_fork(table: Table, person: str) -> LudexError | None:
    """A live match with dice or secrets is forked in practice only, and by its own people."""
    if not table.live or not table.has_secrets:
        return None
    if not table.practice:
        return Secret(f"{table.game.info.id} has dice or secrets: a live match can be forked in practice only")
    return None if table.belongs_to(person) else NotYourSeat("only its own people can fork a live match with secrets")


def against_download(table: Table) -> LudexError | None:
    """The file holds the seed."""
    if table.live and table.has_secrets:
        return Secret(f"{table.game.info.id} has dice or secrets, and the file holds them: wait for the end")
    return None


def against_analysis(table: Table, person: str, ply: int) -> LudexError | None:
    """A position that is live; with secrets only through eyes that are the person's own."""
    game, state = table.game, table.match.positions[ply]
    if game.outcome(state) is not None or (table.match.aborted is not None and ply == table.match.ply):
        return GameOver(f"the match is over after {ply} plies: there is nothing to decide")
    if not table.live or game.info.information == "perfect":
        return None
    if not table.belongs_to(person):
        return NotYourSeat("only its own people can have a live match with secrets analysed")
    if not sees_moves_of(table, person, game.to_move(state)):
        return Secret("it is another player's turn: what they see is a secret")
    return None


def against_delete(table: Table, person: str) -> LudexError | None:
    """A match is deleted by who began it or sits at it."""
    return None if table.belongs_to(person) else NotYourSeat("only who began the match or sits at it can delete it")


def against_invitation(table: Table, person: str) -> LudexError | None:
    """People are invited by who began the match or sits at it."""
    return None if table.belongs_to(person) else NotYourSeat("only who began the match or sits at it can invite")


def against_cancel(table: Table, person: str) -> LudexError | None:
    """Machines are told to stop by the match's own people."""
    return None if table.belongs_to(person) else NotYourSeat("only who began the match or sits at it can stop it")


def against_legal(table: Table, person: str) -> LudexError | None:
    """What may be played is told to who may see the mover's board."""
    if table.live and not sees_moves_of(table, person, table.match.to_move):
        return Secret("what another player may play is a secret while the match is live")
    return None


def _no_seat(table: Table, person: str) -> LudexError | None:
    return None if table.seats_of(person) else NotYourSeat("you hold no seat of this match")


def _over(table: Table) -> LudexError | None:
    return None if table.live else GameOver(f"the match is over after {table.match.ply} plies")


def _not_on_turn(table: Table, person: str) -> LudexError | None:
    player = table.match.to_move
    if player in table.seats_of(person):
        return None
    return OutOfTurn(f"it is player {player + 1}'s turn, not yours")
