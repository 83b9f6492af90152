"""What the tests of the engine share: variants of scenarios, random play, and positions made by hand."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ludex
from ludex.core.match import Match
from ludex.core.seeding import OPENING, generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import Position, UnitState, unit_states
from tests.games.skirmish.rules.scenario.support import GAME, SCENARIO, TYPES, WEAPONS, change, whole_folder

ORDERS = ("player_by_player", "alternated_p1_start")
CONFIRMATIONS = ("none", "per_player")
MODES = [(order, confirmation) for order in ORDERS for confirmation in CONFIRMATIONS]


def shipped(name: str) -> Skirmish:
    """A scenario that ships."""
    game = ludex.make("skirmish", name)
    assert isinstance(game, Skirmish)
    return game


def of_folder(folder: Path) -> Skirmish:
    """The game of a scenario's folder."""
    game = ludex.make("skirmish", scenario=str(folder))
    assert isinstance(game, Skirmish)
    return game


def variant(parent: Path, changes: Mapping[tuple[str, str], Any], name: str = "small") -> Skirmish:
    """A scenario that ships, with some keys changed: (file, key) -> value."""
    folder = whole_folder(parent, name)
    for (file, key), value in changes.items():
        change(folder, file, key, value)
    return of_folder(folder)


def deploying(
    parent: Path, order: str, confirmation: str, *, undeploys: int = 3, start: str = "command", name: str = "small"
) -> Skirmish:
    """A scenario with these rules of deployment."""
    changes = {
        (SCENARIO, "deployment_order_mode"): order,
        (SCENARIO, "deployment_confirmation"): confirmation,
        (SCENARIO, "max_undeploys"): undeploys if confirmation == "per_player" else 0,
        (GAME, "post_deployment_start_phase"): start,
    }
    return variant(parent, changes, name)


def terrible(parent: Path) -> Skirmish:
    """The small scenario with two guns per unit that destroy nearly all they hit, short charges and wide objectives."""
    gun = {"attacks": 8, "skill": 2, "strength": 10, "ap": 6, "damage": 4}
    changes: dict[tuple[str, str], Any] = {
        (WEAPONS, f"{weapon}.{key}"): value for weapon in ("carbine", "sidearm") for key, value in gun.items()
    }
    for kind in ("line-guard", "outrider", "reaver"):
        changes[TYPES, f"{kind}.ranged_weapons"] = ["carbine", "sidearm"]
    changes[GAME, "charge_range"], changes[GAME, "objective_radius"] = 5, 2
    return variant(parent, changes)


def random_play(game: Skirmish, seed: int, plies: int = 10_000) -> Iterator[Match[Any, Any]]:
    """A match of random actions: the match before the first ply and after each, until it is over."""
    match = Match(game, seed)
    yield match
    while not match.over and match.ply < plies:
        legal = match.legal().nonzero()[0]
        match.play(int(legal[match.rng(OPENING).below(len(legal))]))
        yield match


def random_deployment(game: Skirmish, seed: int) -> Iterator[Position]:
    """The positions of a random deployment, up to the first one after it."""
    for match in random_play(game, seed):
        yield match.state
        if match.state.phase != "deployment":
            return


def deployed(game: Skirmish, seed: int = 0) -> Position:
    """The first position after a random deployment."""
    *_, last = random_deployment(game, seed)
    return last


def units_of(game: Skirmish, position: Position) -> dict[str, UnitState]:
    """Every unit's state by its id."""
    states = unit_states(position, len(game.units))
    return {unit.id: state for unit, state in zip(game.units, states, strict=True)}


def places(game: Skirmish, position: Position) -> dict[str, tuple[int, int] | None]:
    """Where every unit stands, as column and row."""
    grid = game.scenario.grid
    return {
        name: None if unit.hex is None else grid.col_row(unit.hex) for name, unit in units_of(game, position).items()
    }


def texts(game: Skirmish, position: Position) -> set[str]:
    """The legal actions as texts."""
    return {game.action_text(position, int(action)) for action in game.legal(position).nonzero()[0]}


def play(game: Skirmish, position: Position, *actions: str, seed: int = 0) -> Position:
    """The position after actions given as texts, the dice of ply i coming from `generator(seed, i)`."""
    for ply, text in enumerate(actions):
        position = game.apply(position, game.parse_action(position, text), generator(seed, ply))
    return position


def arranged(
    game: Skirmish,
    phase: int,
    hexes: Mapping[str, tuple[int, int]],
    *,
    ready: tuple[str, ...] = (),
    wounds: Mapping[str, int] | None = None,
    marks: Mapping[str, int] | None = None,
    words: Mapping[int, int] | None = None,
) -> Position:
    """A battle position of turn 1 made by hand, as `engine.layout` packs it. Units without a hex are destroyed."""
    packed = deployed(game).words.copy()
    general = {layout.PHASE: phase, layout.TURN: 1, layout.PLAYER: 0, layout.TO_MOVE: 0, layout.ACTIVE: layout.NONE}
    for word, value in {**general, **(words or {})}.items():
        packed[word] = value
    for number, unit in enumerate(game.units):
        place = hexes.get(unit.id)
        left = (wounds or {}).get(unit.id, unit.type.wounds)
        packed[layout.UNITS + number * layout.UNIT_WORDS :][: layout.UNIT_WORDS] = (
            layout.NOWHERE if place is None else game.scenario.grid.index(*place),
            0 if place is None else left,
            layout.DEPLOYED | (layout.READY if unit.id in ready else 0) | (marks or {}).get(unit.id, 0),
        )
    return Position(packed.tobytes())


def points(position: Position) -> tuple[int, int]:
    first, second = position.words[layout.POINTS : layout.POINTS + 2].tolist()
    return first, second


def first(game: Skirmish) -> Position:
    """The position a game begins with."""
    return game.initial(generator(0, 0))
