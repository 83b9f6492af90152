"""`ludex skirmish deployments`: where an agent places its units, and what that is worth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from ludex.arena.statistics import gain95
from ludex.core.executor import Executor
from ludex.core.game import Json
from ludex.core.match import play
from ludex.core.registry import make, make_agent
from ludex.arena.statistics import gain95
from ludex.core.verb import Progress, VerbResult
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine.layout import DEPLOYMENT, HEX, NOWHERE, PHASE, UNIT_WORDS, UNITS
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.illegal_actions import deadlock

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class Bout:
    """One game of a player against an opponent: a task for an executor."""

    preset: str
    player: str
    opponent: str
    seat: int
    """0 or 1: whom the player plays."""
    seed: int


@dataclass(frozen=True)
class Played:
    """What a bout came to."""

    score: float
    """-1, 0 or 1 for the player."""
    placed: tuple[int, ...]
    """Where its units stood when the battle began, by id, as it sees the board from its own end."""


@dataclass(frozen=True)
class Way:
    """One way to deploy, over many bouts; bouts 2k and 2k + 1 have the same seed and swapped seats."""

    player: str
    bouts: tuple[Played, ...]

    @property
    def scores(self) -> NDArray[np.float64]:
        """[bouts]: 0, a half or 1."""
        return (np.array([one.score for one in self.bouts]) + 1) / 2

    def gain_over(self, other: "Way") -> tuple[float, float, float]:
        """How much more it scores on the same seeds and seats, with the ends of the 95 % interval over pairs."""
        return gain95((self.scores - other.scores).reshape(-1, 2).mean(axis=1).tolist())

    def heat(self, hexes: int) -> NDArray[np.float64]:
        """float64[hexes]: the share of the games in which one of its units stood there when the battle began."""
        counts = np.zeros(hexes)
        for one in self.bouts:
            np.add.at(counts, list(one.placed), 1)
        return counts / len(self.bouts)


@lru_cache(maxsize=4)
def _game(preset: str) -> Skirmish:
    game = make("skirmish", preset)
    assert isinstance(game, Skirmish)
    return game


def fight_out(bout: Bout) -> Played:
    """Play one bout. Raises `DeploymentDeadlockError` where the deployment cannot be finished."""
    game = _game(bout.preset)
    names = (bout.player, bout.opponent) if bout.seat == 0 else (bout.opponent, bout.player)
    match = play(game, [make_agent(game, name) for name in names], seed=bout.seed)
    outcome = match.outcome
    if outcome is None:
        raise deadlock(game.scenario, match.state, f"seed {bout.seed}: ")
    begins = next(one for one in match.positions if one.words[PHASE] != DEPLOYMENT)
    shown = half_turn(game.scenario).hexes[bout.seat]
    own = [number for number, unit in enumerate(game.units) if unit.player - 1 == bout.seat]
    hexes = [int(begins.words[UNITS + number * UNIT_WORDS + HEX]) for number in own]
    return Played(outcome.scores[bout.seat], tuple(int(shown[where]) for where in hexes if where != NOWHERE))


def compare(
    executor: Executor,
    preset: str,
    players: Sequence[str],
    opponent: str,
    games: int,
    seed: int,
    advance: Callable[[int], None],
) -> list[Way]:
    """As many games of each player against an opponent, on the same seeds, half of them from either seat."""
    bouts = [
        Bout(preset, player, opponent, number % 2, seed + number // 2) for player in players for number in range(games)
    ]
    found: dict[int, Played] = {}
    for index, one in executor.run(fight_out, bouts):
        found[index] = one
        advance(1)
    return [
        Way(player, tuple(found[place * games + number] for number in range(games)))
        for place, player in enumerate(players)
    ]


def deployments(
    board: Any,
    progress: Progress,
    *,
    player: Annotated[list[str], typer.Option(help="an agent; give several to compare the first with the others")],
    opponent: Annotated[str, typer.Option(help="whom they play")] = "objective",
    games: Annotated[int, typer.Option(min=4, help="games of each, an even number")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first two games; the next ones follow")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="processes that play")] = 1,
    picture: Annotated[Path | None, typer.Option(help="an .svg file for the first player's placements")] = None,
) -> VerbResult:
    """Play the same seeds with each player, and tell by how much the first scores more than the others.

    `--player hard --player hard:deployment=first --player hard:deployment=uniform` says what placing is worth.
    """
    from ludex.core.documents import write_text
    from ludex.core.errors import BadOption
    from ludex.core.executor import executor_for
    from ludex.games.skirmish.screen.heatmap import heat_svg

    if games % 2:
        raise BadOption(f"--games: expected an even number, half of them from either seat; found {games}")
    if picture is not None and picture.suffix != ".svg":
        raise BadOption(f"--picture: expected a name that ends in .svg, found {picture.name!r}")
    with progress("games", games * len(player)) as advance:
        ways = compare(executor_for(workers), board.info.preset, player, opponent, games, seed, advance)
    if picture is not None:
        caption = f"{player[0]} against {opponent}, {games} games: where its units stand when the battle begins"
        write_text(picture, heat_svg(board.scenario, ways[0].heat(board.scenario.grid.size), caption))
    document: dict[str, Json] = {
        "game": "skirmish",
        "preset": board.info.preset,
        "opponent": opponent,
        "games": games,
        "seed": seed,
        "players": [_row(way, ways[0]) for way in ways],
    }
    return VerbResult(document, lambda: _told(ways, opponent))


def _row(way: "Way", first: "Way") -> dict[str, Json]:
    gain, low, high = first.gain_over(way)
    told: dict[str, Json] = {"player": way.player, "score": float(way.scores.mean())}
    return told if way is first else {**told, "first_gains": gain, "ci95": [low, high]}


def _told(ways: "list[Way]", opponent: str) -> "Table":
    from rich.table import Table

    table = Table("player", f"score against {opponent}", "the first gains", "95 %, over pairs", box=None)
    for way in ways:
        gain, low, high = ways[0].gain_over(way)
        told = ("", "") if way is ways[0] else (f"{100 * gain:+.1f} points", f"{100 * low:+.1f} to {100 * high:+.1f}")
        table.add_row(way.player, f"{100 * float(way.scores.mean()):.1f} %", *told)
    return table
