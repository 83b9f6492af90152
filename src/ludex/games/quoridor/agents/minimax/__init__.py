"""The original document's levels: minimax to a fixed depth with alpha-beta cut-offs."""
