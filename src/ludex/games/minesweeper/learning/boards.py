"""The environments of a training run, one for each board and start rule."""

from ludex.games.minesweeper.config import EnvConfig
from ludex.games.minesweeper.learning.config import BoardConfig
from ludex.games.minesweeper.options import PLIES_PER_CELL, Start


def env_of(template: EnvConfig, board: BoardConfig, start: Start, spread: float, **changes: bool) -> EnvConfig:
    """The template's rewards on another board, its mines spread around the board's."""
    cells = board.H * board.W
    low, high = board.mine_count * (1 - spread), board.mine_count * (1 + spread)
    return template.model_copy(
        update={
            "H": board.H,
            "W": board.W,
            "mine_count": board.mine_count,
            "guarantee_safe_neighborhood": start == "zero",
            "first_click_safe": start != "none",
            "density_band": (max(1.0, low) / cells, high / cells) if spread > 0 else None,
            "max_steps": PLIES_PER_CELL * cells,
            **changes,
        }
    )
