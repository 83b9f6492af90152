"""Adapters that offer every registered game to other libraries as environments.

They have one vocabulary: the game's name, `preset=` and the game's own options, `seed=`, `opponent=` and `player=`, and
`illegal=` for actions that the mask forbids: "raise" an error and change nothing, "penalty" -1 and the turn stays, or
"lose" the game.

    env = ludex.envs.gym("quoridor", preset="5x5", opponent="easy", player=1)
    env = ludex.envs.pettingzoo("quoridor", size=5, walls=3)
"""

from typing import TYPE_CHECKING, Any

from ludex.core.agent import AnyAgent

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv

    from ludex.envs.aec import TurnEnv
    from ludex.envs.episode import Illegal
    from ludex.envs.single import GameEnv, Seat

__all__ = ["gym", "open_spiel", "pettingzoo", "vector"]


def gym(
    game: str,
    preset: str | None = None,
    *,
    opponent: str | AnyAgent | None = None,
    player: "Seat | None" = None,
    seed: int | None = None,
    illegal: "Illegal" = "raise",
    render_mode: str | None = None,
    **options: Any,
) -> "GameEnv":
    """A Gymnasium environment for one learner: against an opponent, or in every seat in turn without one."""
    from ludex.envs.single import GameEnv

    return GameEnv(
        game, preset, opponent=opponent, player=player, seed=seed, illegal=illegal, render_mode=render_mode, **options
    )


def pettingzoo(
    game: str,
    preset: str | None = None,
    *,
    seed: int | None = None,
    illegal: "Illegal" = "raise",
    render_mode: str | None = None,
    **options: Any,
) -> "TurnEnv":
    """A PettingZoo AEC environment. Raises `MissingDependency` where PettingZoo is not installed."""
    from ludex.envs.episode import require

    require("pettingzoo")
    from ludex.envs.aec import TurnEnv

    return TurnEnv(game, preset, seed=seed, illegal=illegal, render_mode=render_mode, **options)


def vector(
    game: str,
    num_envs: int = 1,
    preset: str | None = None,
    *,
    opponent: str | AnyAgent | None = None,
    player: "Seat | None" = None,
    seed: int | None = None,
    illegal: "Illegal" = "raise",
    **options: Any,
) -> "VectorEnv[Any, Any, Any]":
    """Many games as a Gymnasium vector environment that resets a lane in the step that ends it.

    Without an opponent and with `illegal="raise"` a game's own batch plays all lanes, else one environment per lane.
    """
    from ludex.envs.batched import make_vector

    return make_vector(game, num_envs, preset, opponent=opponent, player=player, seed=seed, illegal=illegal, **options)


def open_spiel(game: str, preset: str | None = None, **options: Any) -> Any:
    """A game as a `pyspiel.Game`. Raises `Unsupported` for games with chance or hidden information."""
    from ludex.envs.episode import require

    require("pyspiel", "open_spiel")
    from ludex.envs.spiel import SpielGame

    return SpielGame(game, preset, **options)
