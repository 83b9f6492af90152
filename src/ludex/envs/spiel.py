"""Any game without chance and hidden information as a Python game of OpenSpiel."""

from typing import Any

import numpy as np
import pyspiel

from ludex.core.errors import Unsupported
from ludex.core.game import AnyGame, Player, legal_actions
from ludex.core.registry import make, spec
from ludex.core.seeding import Rng
from ludex.envs.episode import as_floats


class Rules:
    """The game, shared by all positions: OpenSpiel copies positions deeply."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def __deepcopy__(self, memo: dict[int, Any]) -> "Rules":
        return self


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game as a `pyspiel.Game`. Raises `Unsupported` for games with chance or hidden information."""

    def __init__(self, game: str, preset: str | None = None, **options: Any) -> None:
        board = make(game, preset, **options)
        info = board.info
        if info.chance != "none" or info.information != "perfect":
            what = "chance" if info.chance != "none" else "hidden information"
            raise Unsupported(f"{info.id} has {what}: the bridge to OpenSpiel expresses neither")
        if info.aborts:
            raise Unsupported(f"{info.id} may end without a score, which OpenSpiel does not know")
        self.rules = Rules(board)
        utility = pyspiel.GameType.Utility
        kind = pyspiel.GameType(
            short_name=f"ludex_{info.id}",
            long_name=f"Ludex {spec(info.id).title} {info.preset}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=utility.ZERO_SUM if info.zero_sum else utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=info.players,
            min_num_players=info.players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )
        size = pyspiel.GameInfo(
            num_distinct_actions=info.num_actions,
            max_chance_outcomes=0,
            num_players=info.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if info.zero_sum else None,
            max_game_length=info.max_plies,
        )
        super().__init__(kind, size, {})

    def new_initial_state(self, state: Any = None) -> "SpielState":
        """The first position."""
        if state is not None:
            raise Unsupported("a position of Ludex is read by `load` of its game, not by OpenSpiel")
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        """The observer of the game's arrays."""
        return SpielObserver(self.rules.game)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.position: Any = game.rules.game.initial(Rng(0))

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.rules.game.to_move(self.position)

    def is_terminal(self) -> bool:
        return self.rules.game.outcome(self.position) is not None

    def returns(self) -> list[float]:
        """The scores; zeros before the end."""
        outcome = self.rules.game.outcome(self.position)
        return [0.0] * self.rules.game.info.players if outcome is None else [*outcome.scores]

    def _legal_actions(self, player: Player) -> list[int]:
        return legal_actions(self.rules.game.legal(self.position))

    def _apply_action(self, action: int) -> None:
        self.position = self.rules.game.apply(self.position, action, Rng(0))

    def _action_to_string(self, player: Player, action: int) -> str:
        return self.rules.game.action_text(self.position, action)

    def __str__(self) -> str:
        return str(self.rules.game.dump(self.position))


class SpielObserver:
    """The game's arrays, one after the other in `tensor` and by name in `dict`."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        first = as_floats(game.observe(game.view(game.initial(Rng(0)), 0)))
        self.tensor = np.zeros(sum(array.size for array in first.values()), np.float32)
        self.dict: dict[str, Any] = {}
        begin = 0
        for name, array in first.items():
            self.dict[name] = self.tensor[begin : begin + array.size].reshape(array.shape)
            begin += array.size

    def set_from(self, state: SpielState, player: Player) -> None:
        """Write what a player sees."""
        for name, array in as_floats(self._game.observe(self._game.view(state.position, player))).items():
            self.dict[name][...] = array

    def string_from(self, state: SpielState, player: Player) -> str:
        """The position as text: both players see all of it."""
        return str(state)
