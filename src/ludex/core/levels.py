"""The levels of games that declare none: the agents that play every game, from chance to many simulations."""

from collections.abc import Mapping
from typing import Any, Final

from ludex.core.messages import Message
from ludex.core.spec import AgentSpec, LevelSpec

LADDER: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "newcomer": ("random", {}),
    "beginner": ("mcts", {"simulations": 40, "mistakes": 0.5}),
    "casual": ("mcts", {"simulations": 40, "mistakes": 0.2}),
    "skilled": ("mcts", {"simulations": 200}),
    "strong": ("mcts", {"simulations": 2000}),
}
"""By the level's name, its agent and options: what they score depends on the game, so they have no rating."""
LEARNED: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "expert": ("zero", {"simulations": 100}),
    "champion": ("zero", {"simulations": 1000}),
}
"""Above them, in games that ship networks."""


def level_title(name: str) -> Message:
    """The title of a level that many games have, by its name."""
    return Message(f"ludex.level_{name}")


def ladder(game: str, **levels: tuple[str, dict[str, Any], float | None]) -> dict[str, LevelSpec]:
    """A game's levels, each an agent, its options and its rating; the game's catalogues describe `level_NAME`."""
    return {
        name: LevelSpec(
            title=level_title(name),
            description=Message(f"{game}.level_{name}"),
            agent=agent,
            options=options,
            rating=rating,
        )
        for name, (agent, options, rating) in levels.items()
    }


def generic_levels(agents: Mapping[str, AgentSpec], *, networks: bool = False) -> dict[str, LevelSpec]:
    """The levels that a game's agents allow; a name that an agent of the game has stays that agent's.

    `networks` says whether the game ships some for `zero`.
    """
    return {
        name: LevelSpec(
            title=level_title(name),
            description=Message(f"ludex.level_{name}_about"),
            agent=agent,
            options=options,
        )
        for name, (agent, options) in (LADDER | (LEARNED if networks else {})).items()
        if name not in agents and agent in agents and agents[agent].games == "*"
    }
