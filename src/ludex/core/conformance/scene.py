"""`check_scene`: a game's scene is made of views alone, and every legal move can be played on it."""

import json
from collections.abc import Callable, Iterator
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
    scenes = _Scenes(resolve(spec.screen.scene))
    for number in range(plays):
        for visit in Play(Trial(game), seed + number).walk():
            subject = (visit, scenes)
            if own:
                report.run(scene_json, subject, visit.where)
            elif report.run(scene_typed, subject, visit.where):
                report.run(scene_moves, subject, visit.where)
                report.run(scene_end, subject, visit.where)
    report.conclude()


class _Scenes:
    """The scenes of a position, as the web app requests them."""

    def __init__(self, scene: Callable[..., Any]) -> None:
        self._scene = scene

    def of(self, visit: Visit, player: Player) -> Any:
        mask = np.zeros(visit.info.num_actions, np.bool_)
        if visit.live and (visit.info.information == "perfect" or player == visit.mover):
            mask = visit.mask
        return self._scene(visit.game, answer_of(visit.game.view, visit.state, player), mask)


def scene_json(subject: tuple[Visit, _Scenes]) -> Iterator[str]:
    """The scene of a game with a renderer is an object of JSON."""
    visit, scenes = subject
    for player in visit.players:
        drawn = scenes.of(visit, player)
        if not isinstance(drawn, dict):
            yield f"the scene of player {player} is {type(drawn).__name__}, expected a dict for the game's renderer"
            return
        json.dumps(drawn, allow_nan=False)


def scene_typed(subject: tuple[Visit, _Scenes]) -> Iterator[str]:
    """The scene of a game without a renderer is a `ludex.core.scene.Scene`, with all its texts."""
    visit, scenes = subject
    for player in visit.players:
        drawn = scenes.of(visit, player)
        if not isinstance(drawn, Scene):
            yield f"the scene of player {player} is {type(drawn).__name__}, expected ludex.core.scene.Scene"
            return
        json.dumps(drawn.document(), allow_nan=False)


def scene_moves(subject: tuple[Visit, _Scenes]) -> Iterator[str]:
    """The player to move can play every legal move and no other."""
    visit, scenes = subject
    if not visit.live:
        return
    offered = {move.text for move in scenes.of(visit, visit.mover).moves}
    legal = set(visit.texts.values())
    if offered != legal:
        missing, illegal = sorted(legal - offered), sorted(offered - legal)
        faults = [f"no way to play {', '.join(missing)}"] if missing else []
        faults += [f"moves that are not legal: {', '.join(illegal)}"] if illegal else []
        yield f"the scene offers {' and '.join(faults)}"


def scene_end(subject: tuple[Visit, _Scenes]) -> Iterator[str]:
    """Where the viewer may not move, nothing is offered."""
    visit, scenes = subject
    for player in visit.players:
        known = visit.live and (visit.info.information == "perfect" or player == visit.mover)
        if not known and scenes.of(visit, player).moves:
            yield f"the scene of player {player} offers moves, and its mask has none"
