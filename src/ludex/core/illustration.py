"""A position to show to people, as data: in the rules of a game and in its tutorial."""

from dataclasses import dataclass, replace
from typing import Any

from ludex.core import registry
from ludex.core.game import AnyGame, Json, Player, legal_actions
from ludex.core.match import Move
from ludex.core.seeding import CHANCE, generator


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionSpec:
    """A position as data: a board, the moves that lead to it, and what people should look at.

    >>> PositionSpec(board="3x3x3", moves=("b2", "a1")).build("tictactoe").to_move
    0
    """

    board: str
    """A preset, or one with options, such as `5x5:walls=2`."""
    position: Json = None
    """What `Game.dump` wrote of the position before the moves; None: the first position of `seed`."""
    moves: tuple[str, ...] = ()
    seed: int = 0
    """Of dice and secrets."""
    cells: tuple[int, ...] = ()
    """The cells of the board that are marked."""
    show_legal: bool = False
    """Whether legal moves are drawn; a board on which a person plays shows them anyway."""
    viewer: Player | None = None
    """Whose view is shown; None: the view of the player to move."""

    def build(self, game_id: str) -> "Illustration":
        """The position on its board. Raises `LudexError` where there is no such board, position or move."""
        game = registry.make(game_id, self.board)
        first = game.initial(generator(self.seed, 0, CHANCE)) if self.position is None else game.load(self.position)
        illustration = Illustration(game=game, state=first, spec=self)
        for text in self.moves:
            illustration = illustration.after(text)
        return illustration


@dataclass(frozen=True, slots=True, kw_only=True)
class Illustration:
    """A position of a game with the moves that were played on the way to it."""

    game: AnyGame
    state: Any
    spec: PositionSpec
    moves: tuple[Move, ...] = ()

    @property
    def to_move(self) -> Player | None:
        """None once the game is over."""
        return None if self.game.outcome(self.state) is not None else self.game.to_move(self.state)

    @property
    def seen_by(self) -> Player:
        """The player whose view is shown; at the end the one who moved last."""
        if self.spec.viewer is not None:
            return self.spec.viewer
        mover = self.to_move
        return mover if mover is not None else self.moves[-1].player if self.moves else 0

    def after(self, text: str) -> "Illustration":
        """The position after a move. Raises `MoveError` if the rules refuse it."""
        action = self.game.parse_action(self.state, text)
        rng = generator(self.spec.seed, len(self.moves) + 1, CHANCE)
        state = self.game.apply(self.state, action, rng)
        move = Move(self.game.to_move(self.state), action, self.game.action_text(self.state, action))
        return replace(self, state=state, moves=(*self.moves, move))

    def legal_texts(self) -> list[str]:
        """Every legal move by its text."""
        legal = legal_actions(self.game.legal(self.state))
        return [self.game.action_text(self.state, action) for action in legal]
