"""Why a move was worse than another, and why a move is good: wins, threats and forks."""

from typing import Final

from ludex.core.decision import Decision, JudgedMove
from ludex.core.game import Action
from ludex.core.messages import Message, Parameter
from ludex.games.tictactoe.agents.policy import tactics
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import MnkBoard
from ludex.games.tictactoe.rules.position import Position, cells_of


def reasons(judged: JudgedMove) -> list[Message]:
    """The first of: a win was missed, a threat was left open, a fork follows, the better move was a fork."""
    game = judged.game
    assert isinstance(game, TicTacToe)
    board, names = game.board, game.board.names
    parameters = {"move": names[judged.action], "best": names[judged.best]}
    before = tactics(board, judged.before)
    if judged.best in before.wins and judged.action not in before.wins:
        return [Message("tictactoe.review_missed_win", parameters, (judged.best,))]
    if judged.after.won:
        return []
    # After the move it is the other player's turn: their wins are what it left open.
    open_wins = tactics(board, judged.after).wins
    if open_wins:
        return [Message("tictactoe.review_missed_block", {**parameters, "cell": names[open_wins[0]]}, open_wins)]
    return _forks(board, judged, parameters) if judged.loss > 0.0 else []


def _forks(board: MnkBoard, judged: JudgedMove, parameters: dict[str, str]) -> list[Message]:
    """A fork that follows the move, or one that the better move leads to."""
    fork = forced_fork(board, judged.after, judged.reply[0] if judged.reply else None)
    if fork is not None:
        return [Message("tictactoe.review_fork", {**parameters, "cell": board.names[fork]}, (fork,))]
    own = fork_after(board, judged.before, judged.best)
    if own is None:
        return []
    kind = "makes_fork" if own == judged.best else "own_fork"
    return [Message(f"tictactoe.review_{kind}", {**parameters, "cell": board.names[own]}, (own,))]


def forced_fork(board: MnkBoard, position: Position, preferred: int | None = None) -> int | None:
    """The cell of a fork that the side to move makes at once, or after a threat that must be answered.

    >>> board = MnkBoard(3, 3, 3)
    >>> forced_fork(board, Position(x=0b100_000_000, o=0b010_000_000)), forced_fork(board, Position())
    (0, None)
    """
    cells = sorted(cells_of(board.full & ~position.taken), key=lambda cell: cell != preferred)
    forks = (fork_after(board, position, cell) for cell in cells)
    return next((fork for fork in forks if fork is not None), None)


def fork_after(board: MnkBoard, position: Position, cell: int) -> int | None:
    """Where a move makes a fork: at once, or after the only answer to its threat; None if it makes none."""
    after = board.after(position, cell)
    wins, threats = tactics(board, after)
    if after.won or wins or not threats:
        return None
    if len(threats) > 1:
        return cell
    answered = board.after(after, threats[0])
    forced = tactics(board, answered).threats
    for other in forced or cells_of(board.full & ~answered.taken):
        following = board.after(answered, other)
        again = tactics(board, following)
        if not following.won and not again.wins and len(again.threats) > 1:
            return other
    return None


MOST_CELLS: Final = 16
"""The largest board on which all moves are searched for forks."""
MOST_TRAPPED: Final = 9
"""The largest board on which all answers to all moves are."""


def reason(game: TicTacToe, view: Position, decision: Decision, addressed: bool) -> Message | None:
    """The first of: it wins, it blocks, it makes a fork, it prevents one, or it keeps what perfect play is worth."""
    board, move = game.board, decision.action
    parameters: dict[str, Parameter] = {"move": board.names[move], "me": "XO"[view.turn], "them": "OX"[view.turn]}
    wins, threats = tactics(board, view)
    if move in wins:
        return _message("completes", parameters, addressed, move)
    if len(threats) > 1:
        return _message("too_late", parameters, addressed, *threats)
    if move in threats:
        return _message("stops", parameters, addressed, move)
    fork = fork_after(board, view, move)
    if fork is not None:
        kind = "forks" if fork == move else "leads"
        return _message(kind, {**parameters, "cell": board.names[fork]}, addressed, fork)
    if threats:
        return None
    return _prevents(board, view, move, parameters, addressed) or _compare(board, view, decision, parameters, addressed)


def _prevents(
    board: MnkBoard, view: Position, move: Action, parameters: dict[str, Parameter], addressed: bool
) -> Message | None:
    """That other squares lose to a fork, where this one does not."""
    if len(board.names) > MOST_CELLS or forced_fork(board, board.after(view, move)) is not None:
        return None
    others = [cell for cell in cells_of(board.full & ~view.taken) if cell != move]
    forks = [fork for cell in others if (fork := forced_fork(board, board.after(view, cell))) is not None]
    return _message("prevents", {**parameters, "count": len(forks)}, addressed, move) if forks else None


def _compare(
    board: MnkBoard, view: Position, decision: Decision, parameters: dict[str, Parameter], addressed: bool
) -> Message | None:
    """What perfect play is worth, if that is known: in a draw the traps that are set, else how many squares are worse.

    A hint says nothing of a draw while another square that draws sets a trap: that one is advised then.
    """
    exact = [candidate.terms.get("exact") for candidate in decision.candidates]
    own = next((candidate for candidate in decision.candidates if candidate.action == decision.action), None)
    value = None if own is None else own.terms.get("exact")
    if value is None or None in exact:
        return None
    if value == 0.0 and len(board.names) <= MOST_TRAPPED:
        traps, answers = _traps(board, view, decision.action)
        if traps:
            return _message("traps", {**parameters, "count": traps, "answers": answers}, addressed, decision.action)
        drawn = [candidate.action for candidate in decision.candidates if candidate.terms.get("exact") == 0.0]
        if addressed and any(_traps(board, view, cell)[0] for cell in drawn):
            return None
    worse = sum(other is not None and other < value for other in exact)
    verdict = {1.0: "win", 0.0: "draw", -1.0: "loss"}[value]
    kind = f"{verdict}_worse" if worse else f"{verdict}_all"
    return _message(kind, {**parameters, "count": worse}, addressed, decision.action)


def _traps(board: MnkBoard, view: Position, move: Action) -> tuple[int, int]:
    """How many answers to a move allow a fork, of how many that there are.

    >>> _traps(MnkBoard(3, 3, 3), Position(x=0b000_010_000, o=0b000_000_001), 8)
    (4, 6)
    """
    after = board.after(view, move)
    answers = [*cells_of(board.full & ~after.taken)]
    return sum(forced_fork(board, board.after(after, cell)) is not None for cell in answers), len(answers)


def _message(kind: str, parameters: dict[str, Parameter], addressed: bool, *cells: int) -> Message:
    return Message(f"tictactoe.{'hint' if addressed else 'why'}_{kind}", parameters, cells)
