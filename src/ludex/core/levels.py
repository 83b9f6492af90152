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
PLACED_NEWCOMER: Final = ("mcts", {"simulations": 40, "mistakes": 1.0})
"""The lowest level of a game that lets agents err in some of its phases only: `random` errs in all of them."""
LEARNED: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "expert": ("zero", {"simulations": 100}),
    "champion": ("zero", {"simulations": 1000}),
}
"""Above them, in games that ship networks."""


def level_title(name: str) -> Message:
    """The title of a level that many games have, by its name."""
    return Message(f"ludex.level_{name}")


def ladder(game: str, **levels: tuple[str, dict[str, Any], float | None]) -> dict[str, LevelSpec]:
    """A game's levels, each an agent, its options and its rating; the game's catalogues describe `level_NAME`.

    The names are newcomer, novice, beginner, casual, regular, skilled, strong, expert, champion and unbeatable: their
    titles are common to all games.
    """
    return {name: _level(name, f"{game}.level_{name}", *level) for name, level in levels.items()}


def generic_levels(
    agents: Mapping[str, AgentSpec], *, networks: bool = False, errs_everywhere: bool = True
) -> dict[str, LevelSpec]:
    """The levels that a game's agents allow; a name that an agent of the game has stays that agent's.

    `networks` says whether the game ships some for `zero`, `errs_everywhere` whether agents may err in every phase.
    """
    steps = LADDER | ({} if errs_everywhere else {"newcomer": PLACED_NEWCOMER}) | (LEARNED if networks else {})
    return {
        name: _level(name, f"ludex.level_{name}_about", agent, options)
        for name, (agent, options) in steps.items()
        if name not in agents and agent in agents and agents[agent].games == "*"
    }


def _level(name: str, about: str, agent: str, options: dict[str, Any], rating: float | None = None) -> LevelSpec:
    title, description = level_title(name), Message(about)
    return LevelSpec(title=title, description=description, agent=agent, options=options, rating=rating)
