"""What the tests of the game share: scenarios and their variants, random play, positions made by hand, and events."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import ludex
from ludex.core.match import Match
from ludex.core.seeding import OPENING, generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position, UnitState, unit_states
from ludex.games.skirmish.rules.scenario_files import PACKAGE

BOARD = "config/board_config.json"
ZONES = "config/deployment/hammer.json"
GAME = "config/game_config.json"
WEAPONS = "config/weapons.json"
TYPES = "config/units.json"
SCENARIO = "scenario.json"

FIXED = ((0, 0), (0, 1), (1, 2), (10, 9), (10, 8), (9, 6))
"""Where the six units of the small scenario may stand."""


class Gone:
    """In place of a value: take the key away."""


def whole_folder(parent: Path, name: str = "small") -> Path:
    """A copy of a scenario that ships, with everything it shares with others."""
    folder = parent / name
    with as_file(files(PACKAGE)) as shipped:
        shutil.copytree(shipped / "config", folder / "config")
        shutil.copytree(shipped / name, folder, dirs_exist_ok=True)
    return folder


def fixed_folder(parent: Path) -> Path:
    """The small scenario with a position for every unit."""
    folder = whole_folder(parent)
    change(folder, SCENARIO, "deployment_type", "fixed")
    for place, (col, row) in enumerate(FIXED):
        change(folder, SCENARIO, f"units.{place}.col", col)
        change(folder, SCENARIO, f"units.{place}.row", row)
    return folder


def change(folder: Path, file: str, key: str, value: Any) -> None:
    """Set a key, by its path with dots, or take it away; `+` adds to a list."""
    path = folder / file
    document = json.loads(path.read_text())
    *parents, last = key.split(".")
    inner = document
    for part in parents:
        inner = inner[_part(inner, part)]
    if value is Gone:
        del inner[_part(inner, last)]
    elif last == "+":
        inner.append(value)
    else:
        inner[_part(inner, last)] = value
    path.write_text(json.dumps(document))


def _part(inner: Any, part: str) -> Any:
    return int(part) if isinstance(inner, list) else part


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


ROLLS = (events.HIT_ROLL, events.WOUND_ROLL, events.SAVE_ROLL)


def events_of(position: Position, kind: int) -> list[tuple[int, ...]]:
    """The numbers of the last ply's events of one kind."""
    return [tuple(row[1:]) for row in position.events.tolist() if row[0] == kind]


def dice(position: Position) -> list[int]:
    """Every die of the last ply, in the order of the events."""
    rolled: list[int] = []
    for kind, first, second, third in position.events.tolist():
        if kind in ROLLS:
            rolled.append(first)
        elif kind == events.ADVANCE_ROLL:
            rolled.append(second)
        elif kind == events.CHARGE_ROLL:
            rolled += [second, third]
    return rolled


def active(unit: int) -> dict[int, int]:
    """The words of a position in which this unit was activated."""
    return {layout.ACTIVE: unit}


def outcomes(game: Skirmish, position: Position, text: str, seeds: int) -> Iterator[Position]:
    """What an action may lead to, seed by seed."""
    action = game.parse_action(position, text)
    for seed in range(seeds):
        yield game.apply(position, action, generator(seed, 1))


def until(game: Skirmish, position: Position, text: str, wanted: Callable[[Position], bool]) -> Position:
    """The position after an action whose dice fell as wanted."""
    return next(after for after in outcomes(game, position, text, 5000) if wanted(after))


def waiting(game: Skirmish, position: Position) -> Iterator[Position]:
    """All units wait: the positions until the game is over, without a roll."""
    while game.outcome(position) is None:
        known = sorted(texts(game, position))
        text = "wait" if "wait" in known else known[0]
        position = game.apply(position, game.parse_action(position, text), generator(0, 0))
        assert dice(position) == []
        yield position
