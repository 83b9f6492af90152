"""The life of a match on the web: begun, shown, changed, analysed. It is its seed and moves in the database."""
