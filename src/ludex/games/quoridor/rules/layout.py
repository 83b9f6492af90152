"""A position inside kernels: one row of words. Sets of squares take two words, low and high."""

# Horizontal and vertical walls by slot; edges that are open to the north and to the east, by square.
H, V, NORTH, EAST = 0, 2, 4, 6
# The squares of the pawns, the walls left, and whose turn it is. Player p's words are PAWN + p and LEFT + p.
PAWN, LEFT, TURN = 8, 10, 12
STATE_WORDS = 13
