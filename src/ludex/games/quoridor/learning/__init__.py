"""How the learned evaluation is made: self-play, positions, a model and its training."""
