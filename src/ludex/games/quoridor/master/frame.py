"""The numbers of a node while it is searched, and those of the whole search, by name."""

# Fields of a frame, `ws.frames[ply]`.
ALPHA, BETA, DEPTH, BEST, BEST_MOVE, CURSOR, COUNT, SEARCHED, PENDING, FIRST_ALPHA, MOVE, MAY_PASS, VIA, WHOLE = range(
    14
)
# What a frame waits for (PENDING): a passed turn, a reduced search, a null window, a full one.
PASSED, REDUCED, NARROW, FULL = range(4)
# Counters of a search, `ws.counters`.
NODES, MOST_NODES, GENERATION, OLDEST, BASE, ABORTED, PLIES_LEFT, LEARNED = range(8)

MOST_PLIES = 64
"""No line is searched deeper."""
LINE_ROWS = MOST_PLIES + 2
FRAME_FIELDS = 14
COUNTERS = 8
INFINITY = 32_000
STALE = -1
"""Instead of a row: the field of this ply is not known."""
