"""What `ludex bench` compares a game with, in a checkout of Ludex: one module per game, named as the game.

`PACKAGES` are those whose versions belong to the figures, and `bench(seconds)` measures the rows. The other functions
make works that can be timed, and raise `MissingDependency` where a package is missing.
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from ludex.core.errors import MissingDependency
from ludex.core.log import logger

log = logger("bench")
Work = Callable[[], int]
"""Does some work, and returns how many units."""
PEERS = "pip install 'ludex[peers]'"


def module(name: str, command: str = PEERS) -> Any:
    """A module of a peer. Raises `MissingDependency` with the command that installs it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingDependency(f"{name.partition('.')[0]} is not installed: {command}") from error


def open_spiel(game: str) -> Any:
    """A game of open_spiel, through its Python API. Raises `MissingDependency`."""
    try:
        return module("pyspiel").load_game(game)
    except MissingDependency as error:
        raise MissingDependency(f"open_spiel is not installed: {PEERS}") from error


def with_peers(ours: Mapping[str, Work], peers: Mapping[str, Callable[[], Work]]) -> dict[str, Work]:
    """Our works and those of the peers that are installed."""
    works = dict(ours)
    for name, make in peers.items():
        try:
            works[name] = make()
        except MissingDependency as error:
            log.warning("peer not measured", peer=name, reason=error.message)
    return works
