"""Counting lines by kernel: what `ludex perft quoridor` runs."""

from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.movegen import perft
from ludex.games.quoridor.position import Position, words


def count(game: Quoridor, state: Position, depth: int) -> int:
    """How many lines of exactly `depth` plies begin in a position. Draws by repetition and length do not end a line."""
    if depth > 0 and game.outcome(state) is not None:
        return 0
    return int(perft(words(state, game.size), depth, game.size, game.geometry))
