"""The data a browser draws a board from. Cells are numbered row by row from the top left, see `layout`."""

from ludex.core.game import Json, Mask, legal_actions
from ludex.core.messages import Message
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import BoardOptions
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.notation import FLAG_MARK, action_names, chords
from ludex.games.minesweeper.rules.position import View
from ludex.games.minesweeper.screen.timing import clicks_of


def board_title(options: BoardOptions, preset: str) -> Message:
    """A board by its size and its mines; the usual ones by the name of their level."""
    if options.no_guess:
        usual, _, changed = preset.partition(":")
        board = _title(options, usual if changed.lower() == "no_guess=true" else preset)
        return Message("minesweeper.board_no_guess", {"board": board})
    return _title(options, preset)


def _title(options: BoardOptions, preset: str) -> Message:
    level, _, size = preset.partition("_")
    if size and ":" not in preset:
        return Message(f"minesweeper.board_{level}")
    return Message("minesweeper.board", {"rows": options.rows, "cols": options.cols, "count": options.mines})


def board_model(game: Minesweeper) -> dict[str, Json]:
    """The board's size, how many mines it hides, and what its cells are called: `names[cell]` reveals the cell."""
    return {
        "rows": game.rows,
        "cols": game.cols,
        "mines": game.mines,
        "start": "given" if game.options.no_guess else game.options.start,
        "names": list[Json](action_names(game.rows, game.cols)[: game.cells]),
        "flag_mark": FLAG_MARK,
    }


def scene(game: Minesweeper, view: View, legal: Mask) -> dict[str, Json]:
    """What the player sees, and which cells may be revealed, flagged and chorded; the mines once the game is over."""
    hidden = int((view.numbers == HIDDEN).sum())
    chorded = chords(view) if legal.any() else []
    return {
        "numbers": list[Json](view.numbers.reshape(-1).tolist()),
        "flags": list[Json](view.flags.reshape(-1).tolist()),
        "start": view.start_cell,
        "exploded": view.exploded,
        "mines": None if view.mine_cells is None else list[Json](view.mine_cells),
        "mines_left": view.mines - sum(view.flagged),
        "safe_left": hidden - view.mines,
        "bbbv": clicks_of(view),
        "reveal": list[Json](legal_actions(legal[: game.cells])),
        "flag": list[Json](legal_actions(legal[game.cells :])),
        "chord": list[Json](chorded),
    }
