"""A third party's game: take one, two or three from a pile; who takes the last one wins."""
