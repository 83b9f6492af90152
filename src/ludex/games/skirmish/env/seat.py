"""One policy for both seats: maps observations, masks and actions between a player's view and the engine."""

from ludex.core.game import Action, Mask, Observation, Player
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.position import View


class SeatAdapter:
    """Rotates the board for player 2, see `engine.orientation`: both play from the same end, own slots first."""

    def __init__(self, game: Skirmish) -> None:
        self._game = game
        self._orientation = half_turn(game.scenario)

    def observe(self, view: View) -> Observation:
        """What the view's player sees, from its own end of the board."""
        return self._game.observe_at(view, self._orientation.hexes[view.player])

    def mask(self, player: Player, legal: Mask) -> Mask:
        """The engine's mask in a player's indices."""
        turned: Mask = legal[self._orientation.actions[player]]
        return turned

    def action(self, player: Player, action: Action) -> Action:
        """The engine's index of a player's index, and the other way round: the mapping is its own inverse."""
        return int(self._orientation.actions[player, action])
