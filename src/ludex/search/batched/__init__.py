"""Tree search with a network over many games at once: PUCT, or Gumbel with sequential halving.

`BatchedSearch(positions_of(game, 64), 64, SearchOptions(), seed).run(evaluate)` decides a move of 64 games; `layout.py`
describes the trees, `step.py` a step of the search.
"""

from ludex.search.batched.options import SearchOptions
from ludex.search.batched.plain import PlainPositions, check_batched, positions_of
from ludex.search.batched.positions import Advanced, CompiledPositions, Positions
from ludex.search.batched.result import SearchResult
from ludex.search.batched.search import BatchedSearch, Evaluate, Handle, NetAnswer, Submits, know_nothing

__all__ = [
    "Advanced",
    "BatchedSearch",
    "CompiledPositions",
    "Evaluate",
    "Handle",
    "NetAnswer",
    "PlainPositions",
    "Positions",
    "SearchOptions",
    "SearchResult",
    "Submits",
    "check_batched",
    "know_nothing",
    "positions_of",
]
