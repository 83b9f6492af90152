"""The compiled rules of a game of the kit: its kernels, and the symmetries that follow from grid and notation."""

import numpy as np

from ludex.core.compiled import CompiledRules, Ownership, Symmetries, Vector
from ludex.kit.game import GridGame, Position
from ludex.kit.rules import player


def compiled(game: GridGame) -> CompiledRules:
    """The `GameSpec.compiled` of a game of the kit."""
    kernels, grid = game.kernels, game.grid
    rows, cols = grid.planes
    size, planes = rows * cols, 2 * game.kinds + game.features
    places = np.array([row * cols + col for row, col in grid.plane_places], np.int64)
    actions, cells, images = [], [], []
    for transform in grid.symmetries:
        image = game.notation.image(transform.image)
        if image is not None and (game.symmetries is None or transform.name in game.symmetries):
            plane = np.arange(size)
            plane[places] = places[np.array(transform.image)]
            actions.append(image)
            cells.append(plane)
            images.append(transform.image)
    owned = np.stack(cells)

    def pack(position: Position) -> Vector:
        return position.vector()

    def image_of(position: Position, number: int) -> Position:
        return game.layout.image(position, images[number])

    return CompiledRules(
        state_size=game.layout.size,
        action_size=game.info.num_actions,
        observation_shape=(planes, rows, cols),
        observation_name="board",
        constants=game.board,
        reset=kernels.reset,
        apply=kernels.apply,
        draws=kernels.draws,
        legal=kernels.legal,
        outcome=kernels.outcome,
        player=player,
        observe=kernels.observe,
        estimate=kernels.estimate,
        pack=pack,
        unpack=game.position,
        symmetries=Symmetries(
            actions=np.stack(actions),
            cells=np.hstack([owned + plane * size for plane in range(planes)]),
            image=image_of,
        ),
        ownership=Ownership(planes=1, write=kernels.own, cells=owned),
    )
