"""`check_scene`: a game's scene is made of views alone, and every legal move can be played on it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludex.core.conformance.report import Report
from ludex.core.conformance.walk import Play, Trial, Visit, answer_of
from ludex.core.game import AnyGame, Player
from ludex.core.registry import resolve
from ludex.core.scene import Scene
from ludex.core.spec import GameSpec
from ludex.core.web_files import renderer_of


def check_scene(spec: GameSpec, game: AnyGame, *, plays: int = 2, seed: int = 1) -> None:
    """Raise `ConformanceError` that names what is wrong with the scenes of a game; a spec without a scene has none.

    >>> from ludex.core import registry
    >>> check_scene(registry.spec("tictactoe"), registry.make("tictactoe"))
    """
    if spec.screen.scene is None:
        return
    report, own = Report(f"the scene of {spec.id} {game.info.preset}"), renderer_of(spec) is not None
    scene = resolve(spec.screen.scene)
    for number in range(plays):
        for visit in Play(Trial(game), seed + number).walk():
            scenes = Scenes(visit, scene)
            if own:
                report.run(scene_json, scenes, visit.where)
            elif report.run(scene_typed, scenes, visit.where):
                report.run(scene_moves, scenes, visit.where)
                report.run(scene_end, scenes, visit.where)
    report.conclude()


@dataclass(frozen=True, slots=True)
class Scenes:
    """The scenes of a position, as the web app requests them."""

    visit: Visit
    scene: Callable[..., Any]

    def may_move(self, player: Player) -> bool:
        """Whether the player's mask is that of the position."""
        return self.visit.live and (self.visit.info.information == "perfect" or player == self.visit.mover)

    def of(self, player: Player) -> Any:
        visit = self.visit
        mask = visit.mask if self.may_move(player) else np.zeros(visit.info.num_actions, np.bool_)
        return self.scene(visit.game, answer_of(visit.game.view, visit.state, player), mask)


def scene_json(scenes: Scenes) -> Iterator[str]:
    """The scene of a game with a renderer is an object of JSON."""
    yield from _of_type(scenes, dict, "a dict for the game's renderer")


def scene_typed(scenes: Scenes) -> Iterator[str]:
    """The scene of a game without a renderer is a `ludex.core.scene.Scene`, with all its texts."""
    yield from _of_type(scenes, Scene, "ludex.core.scene.Scene")


def _of_type(scenes: Scenes, expected: type, description: str) -> Iterator[str]:
    for player in scenes.visit.players:
        drawn = scenes.of(player)
        if not isinstance(drawn, expected):
            yield f"the scene of player {player} is {type(drawn).__name__}, expected {description}"
            return
        json.dumps(drawn.document() if isinstance(drawn, Scene) else drawn, allow_nan=False)


def scene_moves(scenes: Scenes) -> Iterator[str]:
    """The player to move can play every legal move and no other."""
    visit = scenes.visit
    if not visit.live:
        return
    offered, legal = {move.text for move in scenes.of(visit.mover).moves}, set(visit.texts.values())
    missing, illegal = sorted(legal - offered), sorted(offered - legal)
    faults = [f"no way to play {', '.join(missing)}"] if missing else []
    faults += [f"moves that are not legal: {', '.join(illegal)}"] if illegal else []
    if faults:
        yield f"the scene offers {' and '.join(faults)}"


def scene_end(scenes: Scenes) -> Iterator[str]:
    """Where the viewer may not move, nothing is offered."""
    for player in scenes.visit.players:
        if not scenes.may_move(player) and scenes.of(player).moves:
            yield f"the scene of player {player} offers moves, and its mask has none"
